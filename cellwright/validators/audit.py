"""The admission audit: every rule over one task, or over many with one Pandera pass for all of them.

One failing rule never hides another: each runs on its own, and one that itself breaks is a finding of its
condition. A task is admitted when every condition is met (design, section 6).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from cellwright.records.errors import CellwrightError, Place, clip
from cellwright.records.findings import Condition, Finding, Severity, TaskAudit, conclude
from cellwright.records.folder import TaskFolder
from cellwright.records.rows import RegistryRow
from cellwright.validators.answers import ComputedNearMiss
from cellwright.validators.context import AuditContext
from cellwright.validators.counting import counts_of
from cellwright.validators.evidence import Evidence
from cellwright.validators.owners import Owners
from cellwright.validators.profiles import Profile
from cellwright.validators.registry import PREFIX, Hit, Rule, RuleInfo, all_rules, builtin_rules, finding_of
from cellwright.validators.schemas import Fault, faults_by_table, faults_of
from cellwright.validators.thresholds import Thresholds
from cellwright.validators.waiving import waive

__all__ = ["AuditInput", "all_rules", "audit_task", "audit_tasks", "computed_near_misses", "context_of"]

BATCH = 50
"""How many tasks share one Pandera pass: its cost is then a small part of a task's, and memory stays bounded."""
_LAST = "C1-WAIVER-UNUSED"
"""The rule that can only run when every other has."""

Found = tuple[RuleInfo, Hit, Finding]


@dataclass(frozen=True)
class AuditInput:
    """One task to audit: its folder, its captures, the profile it names."""

    folder: TaskFolder
    evidence: Mapping[str, Evidence]
    profile: Profile


@dataclass
class _Run:
    """What one pass over the rules gave."""

    found: list[Found] = field(default_factory=list)
    checked: set[str] = field(default_factory=set)
    skipped: set[str] = field(default_factory=set)


def audit_task(
    folder: TaskFolder,
    evidence: Mapping[str, Evidence],
    *,
    profile: Profile,
    thresholds: Thresholds | None = None,
    owners: Iterable[RegistryRow] = (),
    draft: bool = False,
    extra: Sequence[Rule] = (),
) -> TaskAudit:
    """The audit of one task.

    `evidence` holds the pinned captures by source id; `owners` are the lines of `sources/registry.csv`; with
    `draft` what is merely not there yet is a warning; `extra` are rules that a plug-in adds.
    """
    given = AuditInput(folder, evidence, profile)
    return next(audit_tasks([given], thresholds=thresholds, owners=owners, draft=draft, extra=extra))


def audit_tasks(
    inputs: Iterable[AuditInput],
    *,
    thresholds: Thresholds | None = None,
    owners: Iterable[RegistryRow] = (),
    draft: bool = False,
    extra: Sequence[Rule] = (),
) -> Iterator[TaskAudit]:
    """The audit of each task in turn; tasks are taken from `inputs` in batches and forgotten again."""
    rules = _all(extra)
    known, limits = Owners(owners), thresholds or Thresholds()
    pending = iter(inputs)
    while batch := list(islice(pending, BATCH)):
        for given, faults in zip(batch, _faults([given.folder for given in batch]), strict=True):
            yield _audit(_context(given, limits, known, faults, rules), rules, draft)


def context_of(
    folder: TaskFolder,
    evidence: Mapping[str, Evidence],
    *,
    profile: Profile,
    thresholds: Thresholds | None = None,
    owners: Iterable[RegistryRow] = (),
) -> AuditContext:
    """What the rules would look at: replayed answers, near misses and verdicts, for the bundle and the pages."""
    given = AuditInput(folder, evidence, profile)
    faults = faults_of(folder.tables.values())
    return _context(given, thresholds or Thresholds(), Owners(owners), faults, builtin_rules())


def computed_near_misses(context: AuditContext) -> tuple[ComputedNearMiss, ...]:
    """Every near miss that can be worked out, and the other answers of divergent cells, in the task's order."""
    answers = context.answers
    order = {key: position for position, key in enumerate(context.specs)}
    found = [*answers.near_misses, *answers.witness_near_misses]
    return tuple(
        sorted(found, key=lambda miss: (order[miss.entity, miss.dimension], miss.position < 0, miss.position, miss.id))
    )


def _all(extra: Sequence[Rule]) -> tuple[Rule, ...]:
    """The package's rules and a plug-in's; a plug-in may not take the id of one that is there."""
    known = builtin_rules()
    taken = {known_rule.info.id for known_rule in known}
    for added in extra:
        if added.info.id in taken:
            raise ValueError(f"a plug-in adds the rule {added.info.id}, which is there already")
        taken.add(added.info.id)
    return (*known, *extra)


def _context(
    given: AuditInput, thresholds: Thresholds, owners: Owners, faults: Sequence[Fault], rules: Sequence[Rule]
) -> AuditContext:
    return AuditContext(
        given.folder,
        given.evidence,
        given.profile,
        thresholds,
        owners.of_task((item.name, *item.aliases) for item in given.folder.task.entities),
        faults,
        frozenset(known.info.id for known in rules),
    )


def _faults(folders: Sequence[TaskFolder]) -> list[list[Fault]]:
    """The schemas' faults of each folder's tables."""
    tables = [table for folder in folders for table in folder.tables.values()]
    by_table = iter(faults_by_table(tables))
    return [[fault for faults in islice(by_table, len(folder.tables)) for fault in faults] for folder in folders]


def _audit(context: AuditContext, rules: Sequence[Rule], draft: bool) -> TaskAudit:
    run = _Run()
    blocked = _blocked(context)
    last = [known for known in rules if known.info.id == _LAST]
    for known in rules:
        if known.info.id == _LAST:
            continue
        if blocked and known.info.needs == "answers":
            run.skipped.add(known.info.id)
        else:
            _apply(known, context, run, draft)
    waived = waive(run.found, context.folder.waivers, context.task.as_of)
    context.checked_rules, context.used_waivers = frozenset(run.checked), waived.used
    late = _Run()
    for known in last:
        _apply(known, context, late, draft)
    findings = [*waived.findings, *(finding for _, _, finding in late.found)]
    skipped = {known.info.condition for known in rules if known.info.id in run.skipped}
    counts = {"rules_checked": len(run.checked) + len(late.checked), "rules_skipped": len(run.skipped)}
    counts |= _counts(context, answered=not blocked)
    return conclude(context.task.id, len(context.specs), findings, skipped, counts)


def _blocked(context: AuditContext) -> bool:
    """Whether the task cannot be replayed at all; rule C3-REPLAY, or that it broke, says why."""
    try:
        return context.answers is None
    except Exception:  # C3-REPLAY asks for the same and tells it
        return True


def _counts(context: AuditContext, answered: bool) -> dict[str, int]:
    """What can be counted; nothing where counting meets what has broken a rule already."""
    try:
        return counts_of(context, answered=answered)
    except Exception:  # the rules that need the same have been told broken
        return {}


def _apply(known: Rule, context: AuditContext, run: _Run, draft: bool) -> None:
    """Run one rule to its end. Whatever it raises is a finding, and what it found before stays."""
    severity = _severity(known.info, draft)
    if severity is None:
        return
    try:
        for hit in known.check(context):
            run.found.append((known.info, hit, finding_of(known.info, hit, severity)))
        run.checked.add(known.info.id)
    except Exception as error:  # a rule may come from a plug-in: nothing it does may stop the others
        run.found.append(_broken(known.info, error))
        run.skipped.add(known.info.id)


def _severity(info: RuleInfo, draft: bool) -> Severity | None:
    """How grave a rule's findings are; None for one that a draft is not asked."""
    if not draft or info.draft == "same":
        return info.severity
    return "warning" if info.draft == "warning" else None


def _broken(info: RuleInfo, error: Exception) -> Found:
    prefix = PREFIX[info.condition]
    rule_id = f"{prefix}-RULE-BROKEN"
    broken = next(known.info for known in builtin_rules() if known.info.id == rule_id)
    told = str(error) if isinstance(error, CellwrightError) else f"{type(error).__name__}: {error}"
    hit = Hit(
        Place(record=info.id),
        clip(f"{info.id} broke: {told}", 300),
        "a rule that runs to its end",
        "tell the rule's authors; the other rules were checked",
    )
    return broken, hit, finding_of(broken, hit)


def condition_of(rule_id: str) -> Condition:
    """The condition whose rules' ids begin as this one does."""
    return next(condition for condition, prefix in PREFIX.items() if rule_id.startswith(prefix + "-"))

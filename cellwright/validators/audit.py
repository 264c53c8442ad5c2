"""The admission audit: every rule over one task, or over many with one Pandera pass for all of them.

One failing rule never hides another: each runs on its own, and one that itself breaks is a finding of its
condition. A task is admitted when every condition is met (design, section 6).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import islice

from cellwright.records.errors import Problem
from cellwright.records.findings import CellAgreement, Severity, TaskAudit, conclude
from cellwright.records.folder import TaskFolder
from cellwright.records.repository_rows import RegistryRow
from cellwright.validators.broken import Found, broken
from cellwright.validators.context import AuditContext
from cellwright.validators.counting import agreement_of, counts_of, has_pilots
from cellwright.validators.evidence import Evidence
from cellwright.validators.near_misses import CellNearMiss
from cellwright.validators.owners import Owners
from cellwright.validators.plug_in import hits_of
from cellwright.validators.profiles import Profile
from cellwright.validators.registry import Rule, RuleInfo, all_rules, builtin_rules, finding_of
from cellwright.validators.schemas import Fault, faults_by_table, faults_of
from cellwright.validators.thresholds import Thresholds
from cellwright.validators.waiving import waive

__all__ = ["AuditInput", "all_rules", "audit_task", "audit_tasks", "computed_near_misses", "context_of"]

BATCH = 50
"""How many tasks share one Pandera pass: its cost is then a small part of a task's, and memory stays bounded."""
_LAST = "C1-WAIVER-UNUSED"
"""The rule that can only run when every other has."""


@dataclass(frozen=True)
class AuditInput:
    """One task to audit: its folder, its captures, the profile it names."""

    folder: TaskFolder
    evidence: Mapping[str, Evidence]
    profile: Profile
    day: date | None = None
    """The day of the audit, by which waivers run out; the task's `as_of` where none is handed in."""
    canary: str | None = None
    """The benchmark's canary; None where it is not looked at."""


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
    unusable: Sequence[Problem] = (),
) -> Iterator[TaskAudit]:
    """The audit of each task in turn; tasks are taken from `inputs` in batches and forgotten again.

    `unusable` tells of plug-ins that could not be loaded: each is a finding of every task.
    """
    audited = audited_contexts(
        inputs, thresholds=thresholds, owners=owners, draft=draft, extra=extra, unusable=unusable
    )
    for audit, context in audited:
        del context  # else its documents are alive while the next task is audited
        yield audit


def audited_contexts(
    inputs: Iterable[AuditInput],
    *,
    thresholds: Thresholds | None = None,
    owners: Iterable[RegistryRow] = (),
    draft: bool = False,
    extra: Sequence[Rule] = (),
    unusable: Sequence[Problem] = (),
) -> Iterator[tuple[TaskAudit, AuditContext]]:
    """The same, each with what the rules looked at: whoever keeps it keeps the task's documents."""
    rules = _all(extra)
    known, limits = Owners(owners), thresholds or Thresholds()
    pending = iter(inputs)
    while batch := list(islice(pending, BATCH)):
        found = iter(_faults([given.folder for given in batch]))
        batch.reverse()
        while batch:  # each is let go before the next one is begun: its documents are the most of the memory
            context = _context(batch.pop(), limits, known, next(found), rules)
            context.plug_in_problems = unusable
            yield _audit(context, rules, draft), context
            del context


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


def computed_near_misses(context: AuditContext) -> tuple[CellNearMiss, ...]:
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
        day=given.day,
        canary=given.canary,
    )


def _faults(folders: Sequence[TaskFolder]) -> list[list[Fault]]:
    """The schemas' faults of each folder's tables, found in one pass over the tables of all folders."""
    tables = [table for folder in folders for table in folder.tables.values()]
    by_table = iter(faults_by_table(tables))
    return [[fault for faults in islice(by_table, len(folder.tables)) for fault in faults] for folder in folders]


def _audit(context: AuditContext, rules: Sequence[Rule], draft: bool) -> TaskAudit:
    run = _Run()
    blocked = _blocked(context)
    last = [known for known in rules if known.info.id == _LAST]
    counts: dict[str, int] | None = None
    for known in rules:
        if known.info.id == _LAST or known.info.needs == "tasks":
            continue
        if known.info.origin and counts is None:  # counted before a plug-in's rule sees anything
            counts = _counts(context, answered=not blocked)
        if blocked and known.info.needs == "answers":
            run.skipped.add(known.info.id)
        else:
            _apply(known, context, run, draft)
    waived = waive(run.found, context.folder.waivers, context.today)
    context.checked_rules, context.used_waivers = frozenset(run.checked), waived.used
    late = _Run()
    for known in last:
        _apply(known, context, late, draft)
    findings = [*waived.findings, *(finding for _, _, finding in late.found)]
    skipped = {known.info.condition for known in rules if known.info.id in run.skipped}
    counted = {"rules_checked": len(run.checked) + len(late.checked), "rules_skipped": len(run.skipped)}
    counted |= _counts(context, answered=not blocked) if counts is None else counts
    agreement = () if blocked else _agreement(context)
    return conclude(
        context.task.id,
        len(context.specs),
        findings,
        skipped,
        counted,
        agreement,
        piloted=has_pilots(context.folder),
        draft=draft,
    )


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


def _agreement(context: AuditContext) -> tuple[CellAgreement, ...]:
    """What the witnesses say of each cell; nothing where asking meets what has broken a rule already."""
    try:
        return agreement_of(context)
    except Exception:  # the rules that need the same have been told broken
        return ()


def _apply(known: Rule, context: AuditContext, run: _Run, draft: bool) -> None:
    """Run one rule to its end. Whatever it raises is a finding, and what it found before stays."""
    severity = _severity(known.info, draft)
    if severity is None:
        return
    try:
        for hit in hits_of(known, context) if known.info.origin else known.check(context):
            run.found.append((known.info, hit, finding_of(known.info, hit, severity)))
        run.checked.add(known.info.id)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a rule may come from a plug-in: nothing it does, not even an exit, stops others
        run.found.append(broken(known.info, error))
        run.skipped.add(known.info.id)


def _severity(info: RuleInfo, draft: bool) -> Severity | None:
    """How grave a rule's findings are; None for one that a draft is not asked."""
    if not draft or info.draft == "same":
        return info.severity
    return "warning" if info.draft == "warning" else None

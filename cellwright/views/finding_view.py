"""Findings and conditions as people read them, the same on every page and terminal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from cellwright.records.findings import Condition, Finding, TaskAudit

CONDITION_WORDS = {
    Condition.COMPLETE: "every cell and field is there, ids resolve, the reviewer is not the annotator",
    Condition.SOURCED: "every figure stands in a source that is held, and every tier has its reason",
    Condition.DERIVED: "every answer follows again from its facts, in unit, period and scope",
    Condition.RECONCILED: "the label is what independent witnesses say",
    Condition.SCORABLE: "the rule gives 1 to the reference and less to every near miss",
}
STATE_SIGNS = {"met": "✓", "failed": "✗", "not checked": "?"}
ADMITTED_MEANS = (
    "A task is admitted when each of the five conditions is met: no error stands that nobody has accepted. "
    "Warnings do not keep a task out, and neither does a finding that a person has waived with a reason. "
    "A condition that could not be checked does."
)
DRAFT_MEANS = (
    "Judged as a draft: what is merely not there yet is told as a warning or not at all, so that nobody can say "
    "whether the task would be admitted."
)
_RULE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,80}")


@dataclass(frozen=True, slots=True)
class ConditionView:
    """One of the five conditions and how it stands."""

    name: str
    words: str
    state: str
    sign: str


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding in words."""

    rule: str
    page: str
    """The name of the rule's page, nothing where the rule's id could not name one."""
    condition: str
    severity: str
    where: str
    observed: str
    expected: str
    fix: str
    waived: str


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """The findings of one rule."""

    rule: str
    page: str
    condition: str
    findings: tuple[FindingView, ...]

    @property
    def errors(self) -> int:
        """How many of them keep the task out."""
        return sum(finding.severity == "error" for finding in self.findings)


def rule_page(rule: str) -> str:
    """The file name of the rule's page in the guidelines: `C2-QUOTE-ABSENT.md`."""
    return f"{rule}.md" if _RULE_ID.fullmatch(rule) else ""


def finding_view(finding: Finding) -> FindingView:
    """The finding in words."""
    return FindingView(
        finding.rule,
        rule_page(finding.rule),
        finding.condition.value,
        finding.severity,
        str(finding.place),
        finding.observed,
        finding.expected,
        finding.fix,
        finding.waived,
    )


def condition_views(audit: TaskAudit) -> tuple[ConditionView, ...]:
    """The five conditions in their order; one that the audit does not name was not checked."""
    states = [(condition, audit.conditions.get(condition, "not checked")) for condition in Condition]
    return tuple(
        ConditionView(condition.value, CONDITION_WORDS[condition], state, STATE_SIGNS[state])
        for condition, state in states
    )


def open_findings(audit: TaskAudit) -> tuple[Finding, ...]:
    """The findings that nobody has waived, in the order in which findings are told."""
    return tuple(sorted((finding for finding in audit.findings if not finding.waived), key=Finding.sort_key))


def waived_findings(audit: TaskAudit) -> tuple[Finding, ...]:
    """The findings that a person has accepted."""
    return tuple(sorted((finding for finding in audit.findings if finding.waived), key=Finding.sort_key))


def by_rule(findings: Iterable[Finding]) -> tuple[RuleGroup, ...]:
    """The findings grouped by condition, then rule."""
    ordered = sorted(findings, key=Finding.sort_key)
    groups = []
    for (condition, rule), group in groupby(ordered, key=lambda item: (item.condition.value, item.rule)):
        groups.append(RuleGroup(rule, rule_page(rule), condition, tuple(map(finding_view, group))))
    return tuple(groups)


@dataclass(frozen=True, slots=True)
class SameFindings:
    """Findings that say the same of several places: told once, with every place."""

    kind: str
    """`error`, `warning` or `waived`."""
    places: tuple[str, ...]
    parts: tuple[tuple[str, str], ...]
    """What is said, label and text: seen, expected, to mend, because."""


def same_findings(findings: Iterable[FindingView]) -> tuple[SameFindings, ...]:
    """The findings put together by what they say, in the order of the first place of each."""
    groups: dict[tuple[str, tuple[tuple[str, str], ...]], list[str]] = {}
    for finding in findings:
        kind = "waived" if finding.waived else finding.severity
        said = (("seen", finding.observed), ("expected", finding.expected), ("to mend", finding.fix))
        parts = tuple((label, text) for label, text in (*said, ("because", finding.waived)) if text)
        groups.setdefault((kind, parts), []).append(finding.where)
    return tuple(SameFindings(kind, tuple(places), parts) for (kind, parts), places in groups.items())


def count_words(count: int, word: str) -> str:
    """`1 finding`, `3 findings`, `1,200 findings`."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


DIFFICULTY_WORDS = {
    "met": "trial runs score within the band",
    "failed": "trial runs score outside the band",
    "not checked": "no trial run with sources has a score",
}


def difficulty(audit: TaskAudit) -> str:
    """How difficulty stands: `not checked (no trial run with sources has a score)`."""
    return f"{audit.difficulty} ({DIFFICULTY_WORDS[audit.difficulty]})"


def witnesses(audit: TaskAudit) -> str:
    """What the witnesses say of the whole task: `corroborated 11 of 19 inputs; 3 cells consistent, …`."""
    inputs = sum(item.inputs for item in audit.agreement)
    corroborated = sum(item.corroborated for item in audit.agreement)
    labels = Counter(item.label for item in audit.agreement)
    told = ", ".join(f"{labels[label]:,} {label}" for label in ("consistent", "divergent", "single"))
    return f"corroborated {corroborated:,} of {count_words(inputs, 'input')}; {told}" if audit.agreement else ""


def divergences(audit: TaskAudit) -> tuple[tuple[str, str], ...]:
    """The divergent cells, each with the fact that makes the difference."""
    return tuple((item.cell, item.says) for item in audit.agreement if item.label == "divergent")


def since_words(audit: TaskAudit, since: str) -> str:
    """With `audit --since`: `since main (1f2e3d): 2 new, 5 known, 1 mended`; empty without."""
    told = audit.since
    if told is None:
        return ""
    if not told.readable:
        return f"since {since}: the task was not there or could not be read, so that everything is new"
    return f"since {since}: {len(audit.findings):,} new, {told.known:,} known, {told.mended:,} mended"


def summary(audit: TaskAudit) -> str:
    """How many errors, warnings and waived findings: `2 errors, 1 warning, 1 waived`."""
    standing = open_findings(audit)
    errors = sum(finding.severity == "error" for finding in standing)
    parts = [count_words(errors, "error"), count_words(len(standing) - errors, "warning")]
    waived = len(audit.findings) - len(standing)
    return ", ".join([*parts, f"{waived:,} waived"] if waived else parts)

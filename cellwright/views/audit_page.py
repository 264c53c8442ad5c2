"""The audit as one HTML file: how each task stands on the five conditions, and what to mend where."""

from __future__ import annotations

from dataclasses import dataclass

from cellwright.records.findings import Audit, TaskAudit
from cellwright.views.finding_view import (
    ADMITTED_MEANS,
    CONDITION_WORDS,
    DRAFT_MEANS,
    ConditionView,
    RuleGroup,
    by_rule,
    condition_views,
    difficulty,
    divergences,
    open_findings,
    since_words,
    summary,
    waived_findings,
    witnesses,
)
from cellwright.views.render import render
from cellwright.views.safe import anchor


@dataclass(frozen=True, slots=True)
class AuditedTask:
    """A task as the audit page shows it."""

    id: str
    anchor: str
    verdict: str
    """The verdict with its sign."""
    tag: str
    """The class of its mark: `met`, `failed`, or `not-checked` of a draft."""
    since: str
    """How the findings stand to an earlier revision, in words; nothing where none was named."""
    cells: int
    counts: tuple[tuple[str, str], ...]
    summary: str
    conditions: tuple[ConditionView, ...]
    groups: tuple[tuple[ConditionView, tuple[RuleGroup, ...]], ...]
    """The conditions that have findings, each with its findings by rule."""
    waived: tuple[RuleGroup, ...]
    difficulty: str
    witnesses: str
    divergences: tuple[tuple[str, str], ...]
    """Each divergent cell with the fact that makes the difference."""


def audit_page(audit: Audit, *, rules_at: str = "") -> bytes:
    """The audit of one or more tasks as UTF-8 HTML; equal input gives equal bytes.

    `rules_at` is where the rules' pages lie as seen from the page (`../guidelines/rules/`): each rule's page
    is then a link; without it, its name is told.
    """
    words = tuple((condition.value, text) for condition, text in CONDITION_WORDS.items())
    return render(
        "audit.html.j2",
        {
            "audit": audit,
            "rules_at": rules_at,
            "tasks": tuple(_audited(task, audit.since) for task in audit.tasks),
            "condition_words": words,
            "admitted_means": DRAFT_MEANS if any(task.draft for task in audit.tasks) else ADMITTED_MEANS,
        },
    )


def _audited(task: TaskAudit, since: str) -> AuditedTask:
    conditions = condition_views(task)
    rules = by_rule(open_findings(task))
    groups = [
        (condition, tuple(group for group in rules if group.condition == condition.name)) for condition in conditions
    ]
    counts = ((label.replace("_", " ").replace(".", ": "), count) for label, count in sorted(task.counts.items()))
    return AuditedTask(
        task.task,
        anchor(task.task),
        {"admitted": "✓ ", "not admitted": "✗ "}.get(task.verdict, "") + task.verdict,
        {"admitted": "met", "not admitted": "failed"}.get(task.verdict, "not-checked"),
        since_words(task, since),
        task.cells,
        tuple((label, f"{count:,}") for label, count in counts),
        summary(task),
        conditions,
        tuple((condition, found) for condition, found in groups if found),
        by_rule(waived_findings(task)),
        difficulty(task),
        witnesses(task),
        divergences(task),
    )

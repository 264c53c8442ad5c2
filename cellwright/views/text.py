"""The audit as plain text: for mails, logs and pipes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cellwright.records.findings import Audit, Finding, TaskAudit
from cellwright.views.finding_view import (
    by_rule,
    condition_views,
    count_words,
    difficulty,
    divergences,
    open_findings,
    same_findings,
    since_words,
    summary,
    waived_findings,
    witnesses,
)
from cellwright.views.safe import one_line


def audit_text(audit: Audit) -> str:
    """The audit in lines of text, a blank line between tasks; ends with a line feed."""
    parts = ["\n".join(_task_lines(task, audit.since)) for task in audit.tasks]
    return "\n\n".join(parts or ["no task was audited"]) + "\n"


def _task_lines(task: TaskAudit, since: str) -> Iterator[str]:
    yield f"{one_line(task.task)}: {task.verdict} ({count_words(task.cells, 'cell')}; {summary(task)})"
    yield "  " + "  ".join(f"{view.name}: {view.state}" for view in condition_views(task))
    if task.since is not None:
        yield f"  {one_line(since_words(task, since))}"
    yield f"  difficulty: {difficulty(task)}"
    if said := witnesses(task):
        yield f"  witnesses: {said}"
    for cell, says in divergences(task):
        yield f"    divergent {one_line(cell)}: {one_line(says)}"
    yield from _finding_lines(open_findings(task))
    waived = waived_findings(task)
    if waived:
        yield f"  waived by a person ({len(waived):,}):"
        yield from _finding_lines(waived)


def _finding_lines(findings: Iterable[Finding]) -> Iterator[str]:
    for group in by_rule(findings):
        for same in same_findings(group.findings):
            for place in same.places:
                yield f"  {same.kind} {one_line(group.rule)} {one_line(place)}".rstrip()
            for label, text in same.parts:
                yield f"      {label}: {one_line(text)}"

"""The audit as plain text: for mails, logs and pipes."""

from __future__ import annotations

from collections.abc import Iterator

from cellwright.records.findings import Audit, Finding, TaskAudit
from cellwright.views.finding_view import condition_views, count_words, open_findings, summary, waived_findings
from cellwright.views.safe import one_line


def audit_text(audit: Audit) -> str:
    """The audit in lines of text, a blank line between tasks; ends with a line feed."""
    parts = ["\n".join(_task_lines(task)) for task in audit.tasks]
    return "\n\n".join(parts or ["no task was audited"]) + "\n"


def _task_lines(task: TaskAudit) -> Iterator[str]:
    verdict = "admitted" if task.admitted else "not admitted"
    yield f"{one_line(task.task)}: {verdict} ({count_words(task.cells, 'cell')}; {summary(task)})"
    yield "  " + "  ".join(f"{view.name}: {view.state}" for view in condition_views(task))
    for finding in open_findings(task):
        yield from _finding_lines(finding)
    waived = waived_findings(task)
    if waived:
        yield f"  waived by a person ({len(waived):,}):"
        for finding in waived:
            yield from _finding_lines(finding)


def _finding_lines(finding: Finding) -> Iterator[str]:
    yield f"  {finding.severity} {one_line(finding.rule)} {one_line(str(finding.place))}".rstrip()
    for label, text in (
        ("seen", finding.observed),
        ("expected", finding.expected),
        ("to mend", finding.fix),
        ("waived", finding.waived),
    ):
        if text:
            yield f"      {label}: {one_line(text)}"

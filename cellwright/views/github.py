"""The audit as GitHub's workflow commands, which show each finding beside the line it is about.

Source of the form and its escapes: GitHub's documentation of workflow commands for Actions.
"""

from __future__ import annotations

from collections.abc import Mapping

from cellwright.records.findings import Audit, Finding
from cellwright.views.finding_view import since_words
from cellwright.views.safe import one_line


def github_annotations(audit: Audit) -> str:
    """A line a finding: `::error file=…,line=…,title=RULE::message`; waived ones are notices.

    With an earlier revision, a notice a task says how many findings are new, known and mended.
    """
    lines = [
        f"::notice title={_property(one_line(task.task))}::{_data(one_line(since_words(task, audit.since)))}"
        for task in audit.tasks
        if task.since is not None
    ]
    lines += [_annotation(finding) for task in audit.tasks for finding in sorted(task.findings, key=Finding.sort_key)]
    return "".join(f"{line}\n" for line in lines)


def _annotation(finding: Finding) -> str:
    kind = "notice" if finding.waived else finding.severity
    properties = {"file": finding.file, "line": str(finding.line) if finding.line else "", "title": finding.rule}
    return annotation(kind, properties, _message(finding))


def annotation(kind: str, properties: Mapping[str, str], message: str) -> str:
    """One workflow command: an `error`, `warning` or `notice` with what it is about; empty properties are left out."""
    listed = ",".join(f"{key}={_property(text)}" for key, text in properties.items() if text)
    return f"::{kind} {listed}::{_data(message)}"


def _message(finding: Finding) -> str:
    where = ", ".join(part for part in (finding.record, ", ".join(finding.fields)) if part)
    parts = [
        f"{label}{text}"
        for label, text in (
            ("seen: ", finding.observed),
            ("expected: ", finding.expected),
            ("to mend: ", finding.fix),
            ("waived: ", finding.waived),
        )
        if text
    ]
    told = "; ".join(one_line(part) for part in parts) or "see the rule's page"
    return f"{one_line(where)}: {told}" if where else told


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

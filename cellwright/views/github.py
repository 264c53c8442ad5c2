"""The audit as GitHub's workflow commands, which show each finding beside the line it is about.

Source of the form and its escapes: GitHub's documentation of workflow commands for Actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cellwright.records.errors import Problem
from cellwright.records.findings import Audit, Finding
from cellwright.views.finding_view import since_words
from cellwright.views.safe import one_line

UNREADABLE = "unreadable"
"""The title of what could not be read, and was not audited."""


def github_annotations(audit: Audit, problems: Sequence[Problem] = (), *, prefix: str = "") -> str:
    """A line a finding: `::error file=…,line=…,title=RULE::message`; waived ones are notices.

    With an earlier revision, a notice a task says how many findings are new, known and mended. `problems`, what
    could not be read, are errors too. GitHub takes files from the top of the git repository: `prefix` is where this
    repository lies in it, empty or with a slash at its end.
    """
    lines = [
        f"::notice title={_property(one_line(task.task))}::{_data(one_line(since_words(task, audit.since)))}"
        for task in audit.tasks
        if task.since is not None
    ]
    lines += [_unreadable(problem, prefix) for problem in problems]
    lines += [
        _annotation(finding, prefix) for task in audit.tasks for finding in sorted(task.findings, key=Finding.sort_key)
    ]
    return "".join(f"{line}\n" for line in lines)


def _annotation(finding: Finding, prefix: str) -> str:
    kind = "notice" if finding.waived else finding.severity
    return _about(kind, finding.file, finding.line, prefix, finding.rule, _message(finding))


def _unreadable(problem: Problem, prefix: str) -> str:
    place = problem.place
    return _about("error", place.file, place.line, prefix, UNREADABLE, one_line(problem.sentence()))


def _about(kind: str, file: str, line: int | None, prefix: str, title: str, message: str) -> str:
    properties = {"file": prefix + file if file else "", "line": str(line) if line else "", "title": title}
    return annotation(kind, properties, message)


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

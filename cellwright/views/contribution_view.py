"""The report on a contribution as people and as pull requests read it; every text of it is from outside."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from cellwright.records.contribution import CheckFinding
from cellwright.records.findings import Audit, TaskAudit
from cellwright.views.finding_view import count_words
from cellwright.views.github import annotation, github_annotations
from cellwright.views.safe import one_line
from cellwright.views.terminal_audit import print_audit
from cellwright.views.terminal_lines import SEVERITY_STYLES, say, told

_VERDICTS = ("acceptable", "refused", "unreadable")
_STYLES = ("bold green", "bold red", "bold red")


def print_check(
    console: Console, shown: str, task: str, findings: Iterable[CheckFinding], audit: TaskAudit | None, code: int
) -> None:
    """A verdict, each finding with where it stands, and the audit of the task where it was made."""
    found = list(findings)
    errors = sum(item.severity == "error" for item in found)
    counts = f"{count_words(errors, 'error')}, {count_words(len(found) - errors, 'warning')}"
    named: list[Text | str] = [" (task ", told(task), ")"] if task else []
    say(console, told(shown, "bold"), *named, ": ", Text(_VERDICTS[code], _STYLES[code]), f" ({counts})")
    for item in found:
        style = SEVERITY_STYLES[item.severity]
        where = told(f"{_where(item)}{item.what}")
        _line(console, Text(item.severity, style), " ", Text(item.check, "bold"), " ", where, indent=2)
        for label, text in _details(item):
            _line(console, Text(f"{label}: ", "dim"), told(text), indent=6)
    if audit is None:
        say(console, "the audit was not made: first mend what is told above", indent=2)
        return
    console.print()
    print_audit(console, Audit(tool="", tasks=(audit,)))


def _line(console: Console, *pieces: Text | str, indent: int) -> None:
    """A line folded on a terminal, whole in a pipe so that `grep` finds it."""
    if console.is_terminal:
        say(console, *pieces, indent=indent)
    else:
        console.print(Text.assemble(" " * indent, *pieces), soft_wrap=True)


def github_check(findings: Iterable[CheckFinding], audit: TaskAudit | None) -> str:
    """The report as GitHub's workflow commands: a line a finding, of the check and of the audit."""
    lines = []
    for item in findings:
        parts = "; ".join(f"{label}: {one_line(text)}" for label, text in _details(item))
        message = f"{one_line(item.what)}{'; ' if parts else ''}{parts}"
        properties = {"file": one_line(item.file), "line": str(item.line or ""), "title": item.check}
        lines.append(annotation(item.severity, properties, message))
    rest = github_annotations(Audit(tool="", tasks=(audit,))) if audit is not None else ""
    return "".join(f"{line}\n" for line in lines) + rest


def _where(item: CheckFinding) -> str:
    place = str(item.problem().place)
    return f"{place}: " if place else ""


def _details(item: CheckFinding) -> list[tuple[str, str]]:
    told_of = (("seen", item.observed), ("expected", item.expected), ("to mend", item.fix))
    return [(label, text) for label, text in told_of if text]

"""What `release verify` found, as people see it: a line a check, and below it everything that is wrong."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from cellwright.records.releases.verification import Check, Verification
from cellwright.views.finding_view import count_words
from cellwright.views.terminal_lines import STATE_STYLES, say, told

MARKS = {"met": "✓", "failed": "✗", "not checked": "–"}
MOST = 100
"""Remarks of one check that are printed; the rest are counted."""


def print_verification(console: Console, verification: Verification) -> None:
    """Every check with its mark, what was counted, what is wrong or why it was not made; the outcome last."""
    for check in verification.checks:
        _print_check(console, check)
    failed = [check.name for check in verification.checks if check.state == "failed"]
    left = [check.name for check in verification.checks if check.state == "not checked"]
    console.print()
    outcome = Text("not verified", "bold red") if failed else Text("verified", "bold green")
    parts = [f"failed: {', '.join(failed)}"] if failed else []
    parts += [f"not checked: {', '.join(left)}"] if left else []
    name = " ".join(part for part in (verification.subject, verification.revision) if part)
    _line(console, told(name, "bold"), ": ", outcome, "; ".join(["", *parts]))


def _print_check(console: Console, check: Check) -> None:
    style = STATE_STYLES[check.state]
    head = (Text(f"{MARKS[check.state]} ", style), Text(check.name, style), f": {check.proves}")
    if check.state == "met":
        counted = "; ".join(remark.sentence() for remark in check.remarks)
        _line(console, *head, " (" if counted else "", told(counted, "dim"), ")" if counted else "")
        return
    _line(console, *head)
    for remark in check.remarks[:MOST]:
        file = told(remark.file, "bold") if remark.file else Text("")
        _line(console, file, ": " if remark.file else "", told(remark.what), indent=4)
    if len(check.remarks) > MOST:
        more = count_words(len(check.remarks) - MOST, "more remark")
        _line(console, f"and {more}: `--format json` tells all", indent=4)


def _line(console: Console, *pieces: Text | str, indent: int = 0) -> None:
    """A line, folded on a terminal and whole in a pipe, so that `grep` finds it."""
    if console.is_terminal:
        say(console, *pieces, indent=indent)
    else:
        console.print(Text.assemble(" " * indent, *pieces), soft_wrap=True)

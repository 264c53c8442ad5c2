"""The audit on a terminal: five conditions a task, then the findings by condition and rule."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from cellwright.records.findings import Audit, TaskAudit
from cellwright.views.finding_view import (
    FindingView,
    RuleGroup,
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
from cellwright.views.terminal_lines import LABEL_STYLES, SEVERITY_STYLES, STATE_STYLES, say, told

VERDICT_STYLES = {"admitted": "bold green", "not admitted": "bold red", "draft": "bold"}
MOST_SHOWN = 10
"""Findings of one rule that a terminal shows; a pipe gets all."""


def print_audit(console: Console, audit: Audit) -> None:
    """Print the audit: a verdict and the states of the conditions for each task, then what to mend where."""
    if not audit.tasks:
        console.print("no task was audited")
    for index, task in enumerate(audit.tasks):
        if index:
            console.print()
        _print_task(console, task, audit.since)


def _print_task(console: Console, task: TaskAudit, since: str) -> None:
    verdict = Text(task.verdict, VERDICT_STYLES[task.verdict])
    say(console, told(task.task, "bold"), ": ", verdict, f" ({count_words(task.cells, 'cell')}; {summary(task)})")
    states = [
        Text(f"{view.sign} {view.name}: {view.state}", STATE_STYLES[view.state]) for view in condition_views(task)
    ]
    say(console, Text("   ").join(states), indent=2)
    if task.since is not None:
        say(console, told(since_words(task, since)), indent=2)
    _print_standing(console, task)
    told_of = ""
    for group in by_rule(open_findings(task)):
        if group.condition != told_of:
            console.print()
            say(console, Text(group.condition, "bold underline"), indent=2)
            told_of = group.condition
        _print_group(console, group)
    waived = by_rule(waived_findings(task))
    if waived:
        console.print()
        say(console, Text("waived by a person", "bold underline"), indent=2)
        for group in waived:
            _print_group(console, group)


def _print_standing(console: Console, task: TaskAudit) -> None:
    """Difficulty, and what the witnesses say: the fact that makes the difference in each divergent cell."""
    say(console, Text("difficulty: ", "dim"), Text(difficulty(task), STATE_STYLES[task.difficulty]), indent=2)
    if said := witnesses(task):
        say(console, Text("witnesses: ", "dim"), said, indent=2)
    found = divergences(task)
    for cell, says in found[:MOST_SHOWN] if console.is_terminal else found:
        say(console, Text("divergent", LABEL_STYLES["divergent"]), " ", told(cell), ": ", told(says), indent=4)


def _print_group(console: Console, group: RuleGroup) -> None:
    say(console, told(group.rule, "bold"), f"  {count_words(len(group.findings), 'finding')}", indent=4)
    shown = group.findings[:MOST_SHOWN] if console.is_terminal else group.findings
    _print_findings(console, shown)
    left = len(group.findings) - len(shown)
    if left:
        say(console, Text(f"and {left:,} more of this rule; `--out audit.txt` tells all", "italic"), indent=6)


def _print_findings(console: Console, findings: Iterable[FindingView]) -> None:
    for same in same_findings(findings):
        for place in same.places:
            say(console, Text(same.kind, SEVERITY_STYLES[same.kind]), " ", told(place), indent=6)
        for label, text in same.parts:
            say(console, Text(f"{label}: ", "dim"), told(text), indent=8)

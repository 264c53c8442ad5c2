"""A score report on a terminal: the total, tasks and families, each mean with what it was taken over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cellwright.records.decimals import CONTEXT
from cellwright.views.finding_view import count_words
from cellwright.views.terminal_lines import say, score_style, told

if TYPE_CHECKING:
    from cellwright.records.scoring import Mean, Outcome, Totals


class ResultLine(Protocol):
    """What is read of one cell's result."""

    @property
    def near_miss(self) -> str: ...


class ScoreReport(Protocol):
    """What is printed of a report; the harness makes it."""

    @property
    def bundle(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def lines(self) -> Sequence[ResultLine]: ...
    @property
    def totals(self) -> Totals: ...


OUTCOME_HEADS: tuple[tuple[Outcome, str], ...] = (
    ("scored", "scored"),
    ("unparsed", "un-\nparsed"),
    ("no_answer", "no\nanswer"),
    ("judge_failed", "judge\nfailed"),
)


def print_score(console: Console, report: ScoreReport) -> None:
    """Print the means of a report with their denominators, scores as points of 100."""
    totals = report.totals
    say(
        console,
        told(f"{report.bundle} {report.version}".strip(), "bold"),
        ": ",
        points(totals.benchmark),
        f" of 100, the mean of {count_words(totals.benchmark.members, 'task')} "
        f"({count_words(totals.benchmark.cells, 'cell')})",
    )
    if totals.benchmark.bounds_only:
        say(
            console,
            Text(
                f"{count_words(totals.benchmark.bounds_only, 'cell')} could not be decided by rule and "
                f"had no judge: their bounds are counted",
                "yellow",
            ),
            indent=2,
        )
    for task, cells in totals.run_failed:
        say(
            console,
            Text("run failed: ", "bold red"),
            told(task),
            f" ({count_words(cells, 'cell')}, in no mean)",
            indent=2,
        )
    console.print()
    console.print(_table("task", totals.tasks))
    console.print()
    console.print(_table("family", totals.families))
    _print_near_misses(console, report.lines)


def points(mean: Mean) -> Text:
    """A mean as points of 100 with two decimals; its bounds where it is open; `-` where nothing was counted."""
    if mean.lower is None or mean.upper is None:
        return Text("-", "dim")
    low, high = (f"{CONTEXT.multiply(bound, Decimal(100)):.2f}" for bound in (mean.lower, mean.upper))
    return Text(low if low == high else f"{low} to {high}", f"bold {score_style(mean.lower)}")


def _table(kind: str, means: Mapping[str, Mean]) -> Table:
    shown = [
        (key, words)
        for key, words in OUTCOME_HEADS
        if key == "scored" or any(mean.counts.get(key) for mean in means.values())
    ]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1))
    table.add_column(kind, overflow="fold", vertical="bottom", max_width=36)
    for head in ("points\nof 100", "cells", *(words for _, words in shown)):
        table.add_column(Text(head), justify="right", vertical="bottom")
    undecided = any(mean.bounds_only for mean in means.values())
    if undecided:
        table.add_column(Text("open"), justify="right", vertical="bottom")
    for name, mean in means.items():
        counts = [f"{mean.counts.get(key, 0):,}" for key, _ in shown]
        last = [f"{mean.bounds_only:,}"] if undecided else []
        table.add_row(told(name), points(mean), f"{mean.cells:,}", *counts, *last)
    return table


def _print_near_misses(console: Console, lines: Iterable[ResultLine]) -> None:
    count = Counter(line.near_miss for line in lines if line.near_miss)
    if not count:
        return
    console.print()
    ordered = sorted(count.items(), key=lambda item: (-item[1], item[0]))
    say(console, Text("near misses: ", "bold"), told(", ".join(f"{name} {times:,}" for name, times in ordered)))

"""A comparison on a terminal, or as plain text in a pipe or a mail: readable at 80 columns."""

from __future__ import annotations

import io

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cellwright.views.change_report import ChangeReport, Grid, Item, Line
from cellwright.views.terminal_lines import say, told

TONES = {"met": "green", "warning": "yellow", "failed": "red"}


def print_change_report(console: Console, report: ChangeReport) -> None:
    """Print it: the answer first, then each section."""
    say(console, told(report.title, "bold"))
    for sentence in report.lead:
        say(console, told(sentence))
    for section in report.sections:
        console.print()
        count = f" ({len(section.items):,})" if section.items else ""
        say(console, told(section.title, "bold underline"), count)
        if section.intro:
            say(console, told(section.intro, "dim"))
        if section.grid is not None:
            _print_grid(console, section.grid)
        for item in section.items:
            _print_item(console, item)
    if report.foot:
        console.print()
        say(console, told(report.foot, "dim"))


def change_text(report: ChangeReport, width: int) -> str:
    """The same as text without colours, folded at `width` columns."""
    out = io.StringIO()
    console = Console(
        file=out, width=width, color_system=None, force_terminal=False, highlight=False, emoji=False, markup=False
    )
    print_change_report(console, report)
    return out.getvalue()


def _print_item(console: Console, item: Item) -> None:
    tag: list[Text | str] = ["  ", told(item.tag, TONES.get(item.tone, ""))] if item.tag else []
    say(console, told(item.name, "bold"), *tag, indent=2)
    for line in item.lines:
        say(console, told(f"{line.label}:", "dim"), " ", *_pieces(line), indent=4)


def _pieces(line: Line) -> list[Text | str]:
    pieces: list[Text | str] = []
    if line.change:
        pieces = [told(line.old, "red"), " → ", told(line.new, "green")]
        if line.text:
            pieces += [" (", told(line.text), ")"]
    else:
        pieces = [told(line.text)]
    return [*pieces, "; evidence ", told(line.address)] if line.address else pieces


def _print_grid(console: Console, grid: Grid) -> None:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1))
    for at, head in enumerate(grid.head):
        table.add_column(
            told(head), justify="right" if at in grid.right else "left", overflow="fold", vertical="bottom"
        )
    for at, row in enumerate(grid.rows):
        table.add_row(*(told(text, "bold" if at in grid.strong else "") for text in row))
    console.print(table)

"""The matrix on a terminal: entities down, dimensions across, folded into blocks where it is too wide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cellwright.records.decimals import canonical
from cellwright.views import numbers
from cellwright.views.evidence_cell import answer_of
from cellwright.views.labels import LABEL_SIGNS, label_of
from cellwright.views.safe import one_line
from cellwright.views.tables import Row, position
from cellwright.views.terminal_lines import LABEL_STYLES, say, score_style, told

Scores = Mapping[tuple[str, str], Decimal]
"""By entity and dimension."""
MOST_NAME, MOST_HEAD, GAP = 30, 16, 3
"""Widths: of the entities' names, of a head before it folds, between two columns."""
LEGEND = (
    ("consistent", "consistent"),
    ("divergent", "divergent"),
    ("single", "single"),
    ("not_available", "not available"),
)


@dataclass(frozen=True, slots=True)
class _Column:
    head: Text
    width: int
    cells: tuple[Text, ...]


def print_matrix(
    console: Console,
    task: Row,
    entities: Iterable[Row],
    dimensions: Iterable[Row],
    cells: Iterable[Row],
    scores: Scores | None = None,
) -> None:
    """Print a task's matrix of reference answers, with the score of each cell where there are scores.

    `task`, `entities`, `dimensions` and `cells` are rows of the bundle's tables. The unit stands in the head;
    agreement is told by a letter and a colour. A matrix wider than the console is printed in blocks.
    """
    task_id = task.get("task", "")
    rows = sorted((row for row in entities if row.get("task") == task_id), key=position)
    columns = sorted((row for row in dimensions if row.get("task") == task_id), key=position)
    found = {(row.get("entity", ""), row.get("dimension", "")): row for row in cells if row.get("task") == task_id}
    say(console, told(task.get("title", "") or task_id, "bold"))
    _print_legend(console, scores)
    names = [told(row.get("name", "") or row.get("entity", ""), "bold") for row in rows]
    width = min(MOST_NAME, max((name.cell_len for name in names), default=0), max(8, console.width // 4))
    made = [_column(column, rows, found, scores) for column in columns]
    for block in _blocks(made, console.width - width):
        console.print()
        console.print(_table(names, width, block))


def _print_legend(console: Console, scores: Scores | None) -> None:
    parts = [Text.assemble((LABEL_SIGNS[label], LABEL_STYLES[label]), f" {words}") for label, words in LEGEND]
    if scores is not None:
        parts.append(Text("then the score: 1, 0.5, 0.25 or 0, - for none", "dim"))
    say(console, Text("   ").join(parts))


def _column(column: Row, rows: Sequence[Row], found: Mapping[tuple[str, str], Row], scores: Scores | None) -> _Column:
    dimension, unit = column.get("dimension", ""), column.get("unit", "")
    keys = [(row.get("entity", ""), dimension) for row in rows]
    values = [_value(found.get(key), unit) for key in keys]
    earned = ["" if scores is None else _score(scores.get(key)) for key in keys]
    widest, longest = (max(map(len, texts), default=0) for texts in (values, earned))
    cells = []
    for key, value, score in zip(keys, values, earned, strict=True):
        row = found.get(key, {})
        label = label_of(row.get("answer_type", ""), row.get("agreement", ""))
        cell = Text.assemble(value.rjust(widest), " ", (LABEL_SIGNS[label] if row else " ", LABEL_STYLES[label]))
        if scores is not None:
            known = scores.get(key)
            cell.append(f" {score:<{longest}}", "dim" if known is None else score_style(known))
        cells.append(cell)
    head, least = _head(one_line(column.get("name", "") or dimension), numbers.unit_label(unit))
    return _Column(head, max([cell.cell_len for cell in cells] + [least]), tuple(cells))


def _score(score: Decimal | None) -> str:
    return "-" if score is None else canonical(score)[:5]


def _head(name: str, unit: str) -> tuple[Text, int]:
    """A column's head, and the least width in which its words stay whole."""
    longest = max((len(word) for word in f"{name} {unit}".split()), default=1)
    head = Text.assemble((name, "bold"), "\n" if unit else "", (unit, "dim"), justify="left", overflow="fold")
    return head, min(longest, MOST_HEAD)


def _value(row: Row | None, unit_in_head: str) -> str:
    if row is None:
        return ""
    if row.get("answer_type") == "not_available":
        return "n/a"
    text, unit = answer_of(row, compact=True), row.get("unit", "")
    return text if unit == unit_in_head else numbers.with_unit(text, unit)


def _blocks(columns: Sequence[_Column], room: int) -> list[list[_Column]]:
    """The columns in as few blocks as fit the room, a column that is too wide in one of its own."""
    blocks: list[list[_Column]] = []
    left = 0
    for column in columns:
        if not blocks or column.width + GAP > left:
            blocks.append([])
            left = room
        blocks[-1].append(column)
        left -= column.width + GAP
    return blocks


def _table(names: Sequence[Text], width: int, columns: Sequence[_Column]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1))
    table.add_column("", width=width, overflow="fold")
    for column in columns:
        table.add_column(column.head, width=column.width, no_wrap=False, overflow="fold", vertical="bottom")
    for at, name in enumerate(names):
        table.add_row(name, *(column.cells[at] for column in columns))
    return table

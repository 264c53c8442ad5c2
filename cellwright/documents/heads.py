"""The parts of a table: which rows are heads, which are titles of sections, and which carry figures."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from cellwright.documents.figures import Figure
from cellwright.documents.spans import is_period, read_span

if TYPE_CHECKING:
    from cellwright.documents.model import Cell, Table

RowKind = Literal["blank", "head", "section", "body", "text"]
_LONGEST_HEAD = 160


@dataclass(frozen=True, slots=True)
class Row:
    """One row, its parts told apart."""

    kind: RowKind
    cells: tuple[Cell, ...]
    label: str = ""
    """The words at its left, before the first figure."""
    figures: tuple[Figure, ...] = ()
    """Its figures, without a year or number that serves as its label."""
    words: tuple[Cell, ...] = ()
    """Its other cells of words: units, periods, references."""
    when: str = ""
    """A year that stands in a column of years ("Germany | 2023 | 4,456")."""


def rows_of(table: Table) -> tuple[Row, ...]:
    """Each row of `table` with its kind.

    A head row stands above the figures, or between them and names a period, and has words beyond the first
    column; a section row has one cell of words at the left and no figure.
    """
    rows: list[Row] = []
    seen_body = False
    years: frozenset[int] = frozenset()
    for number in range(table.rows):
        row = _row(table, number, seen_body)
        seen_body = seen_body or row.kind == "body"
        if row.kind == "head":
            years |= {cell.column for cell in row.cells if _OF_YEARS.search(cell.text) and len(cell.text) <= 30}
        rows.append(_with_year(row, years) if years and row.kind == "body" else row)
    return tuple(rows)


_OF_YEARS = re.compile(r"^\W*(?:fiscal\s+)?(?:years?|period|date|jahr|année|año|anno|år|年度?)\b", re.IGNORECASE)


def _with_year(row: Row, years: frozenset[int]) -> Row:
    """The row with the figure in a column of years set apart as its time."""
    when = next((figure for figure in row.figures if figure.is_year and figure.column in years), None)
    if when is None or len(row.figures) < 2:
        return row
    return replace(row, when=when.text, figures=tuple(figure for figure in row.figures if figure is not when))


def _row(table: Table, number: int, seen_body: bool) -> Row:
    cells = table.row_cells(number)
    if not cells:
        return Row("blank", ())
    figures = table.figures[number]
    if not any(not figure.is_year for figure in figures):
        kind = _kind_without_figures(cells, figures, seen_body)
        if kind != "body":
            return Row(kind, tuple(cells), cells[0].text if cells[0].column == 0 or kind == "section" else "")
    return _body(cells, figures)


def _kind_without_figures(cells: list[Cell], figures: tuple[Figure, ...], seen_body: bool) -> RowKind:
    """The kind of a row that holds no figure, or only years."""
    if len(cells) == 1 and (not figures or cells[0].column == 0):
        cell = cells[0]
        beyond = cell.column > 0 and not seen_body
        return "head" if beyond and cell.colspan < 40 and len(cell.text) <= _LONGEST_HEAD else "section"
    if figures:
        # Years alone are heads; after a label of words, among other figures' rows, they are figures ("Founded 1998").
        labelled = figures[0].column > 0 and cells[0].column == 0 and not is_period(cells[0].text)
        return "body" if seen_body and labelled and not _is_stub(cells[0].text) else "head"
    if not seen_body:
        return "head" if all(len(cell.text) <= _LONGEST_HEAD for cell in cells) else "text"
    others = cells[1:] if cells[0].column == 0 else cells
    timed = sum(_names_time(cell.text) for cell in others)
    marked = all(cell.header for cell in others)
    return "head" if others and (2 * timed >= len(others) or marked) else "text"


def _names_time(text: str) -> bool:
    return len(text) <= 80 and (is_period(text) or read_span(text).dated or read_span(text).month_day is not None)


def _is_stub(text: str) -> bool:
    """Whether a cell at the left of a head row speaks of the whole table: "(In millions)", "Years ended"."""
    span = read_span(text)
    return text.startswith("(") or span.months is not None or span.month_day is not None


def _body(cells: list[Cell], figures: tuple[Figure, ...]) -> Row:
    inside = {column for figure in figures for column in range(figure.first, figure.last + 1)}
    words = [cell for cell in cells if cell.column not in inside]
    first = figures[0]
    left = [cell for cell in words if cell.column < first.first]
    if not left and len(figures) > 1 and first.first == cells[0].column and _may_label(first):
        return Row("body", tuple(cells), first.text, figures[1:], tuple(words))
    label = " ".join(cell.text for cell in left)
    return Row("body", tuple(cells), label, figures, tuple(words))


def _may_label(figure: Figure) -> bool:
    """A year or a bare count at the left of a row ("2025", "1") names the row."""
    return figure.is_year or (figure.text.isdigit() and len(figure.text) <= 2)


def head_rows(table: Table) -> int:
    """How many rows stand above the first one with a figure."""
    return next((number for number, row in enumerate(table.parts) if row.kind == "body"), table.rows)


def row_path(table: Table, number: int) -> tuple[str, ...]:
    """The titles of the sections above row `number`, outermost first, as indentation is not drawn in text.

    A title directly above is the row's own section; one that stands directly above that title encloses it.
    """
    titles: list[str] = []
    at = number - 1
    parts = table.parts
    while at >= 0 and parts[at].kind not in ("section",):
        at -= 1
    while at >= 0 and parts[at].kind in ("section", "blank") and len(titles) < 4:
        if parts[at].kind == "section":
            titles.insert(0, parts[at].label)
        at -= 1
    return tuple(titles)


def sections_above(table: Table, number: int) -> list[str]:
    """The titles of all sections above row `number`, nearest first."""
    return [table.parts[at].label for at in range(number - 1, -1, -1) if table.parts[at].kind == "section"]


def heads_above(table: Table, number: int, first: int, last: int) -> list[list[str]]:
    """The head cells above row `number` that stand over the columns `first` to `last`: groups, nearest first.

    A group is a run of head rows; in it the texts stand top down, each once.
    """
    groups: list[list[str]] = []
    current: list[str] = []
    for at in range(number - 1, -1, -1):
        row = table.parts[at]
        if row.kind == "head":
            texts = [cell.text for cell in _over(row, first, last)]
            current[0:0] = [text for text in texts if text not in current]
        elif row.kind != "blank" and current:
            groups.append(current)
            current = []
    return [*groups, current] if current else groups


def _over(row: Row, first: int, last: int) -> list[Cell]:
    """The cells of a head row that stand over the columns; the stub at the left is none."""
    return [
        cell
        for cell in row.cells
        if cell.column <= last and cell.column + cell.colspan > first and (cell.column > 0 or first == 0)
    ]


def stubs_above(table: Table, number: int) -> list[str]:
    """The left cells of the head rows above row `number`, nearest first ("Years ended December 31,")."""
    return [
        row.cells[0].text
        for at in range(number - 1, -1, -1)
        if (row := table.parts[at]).kind == "head" and row.cells[0].column == 0
    ]


def column_path(table: Table, column: int) -> tuple[str, ...]:
    """The head cells above `column` in the first group of heads, top down."""
    groups = heads_above(table, head_rows(table), column, column)
    return tuple(groups[-1]) if groups else ()

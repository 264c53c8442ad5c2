"""Spreadsheets (XLSX): the stored values of every sheet, read by openpyxl; formulas are never evaluated."""

from __future__ import annotations

import datetime
import re
import warnings as python_warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

from cellwright.documents.limits import check_bytes, check_cells, check_characters
from cellwright.documents.model import Cell, Document, Table
from cellwright.documents.xlsx_parts import MAX_ROWS, Unseen, beyond, check_parts
from cellwright.records.errors import CellwrightError, UnreadableInput

if TYPE_CHECKING:
    from openpyxl.workbook.workbook import Workbook

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_PERCENT = "%"


@dataclass(frozen=True, slots=True)
class _Sheet:
    name: str
    rows: list[tuple[str, ...]]
    """From A1 on, as text; blank cells at the end of a row are left out."""
    merged: list[tuple[int, int, int, int]]
    """Top, left, bottom, right of each merged range, 0-based and inclusive."""
    unseen: Unseen


def read_xlsx(data: bytes) -> Document:
    """A workbook as one table a sheet (`Table.name`), its grid from A1 on, blank cells None.

    `text` holds, for each sheet, its name and its rows on one line each. A number is the stored value
    in plain digits (at most the 15 that a spreadsheet shows), not rounded and grouped as its cell is
    formatted; only a percentage is written as one, since 0.202 that shows as 20.2% means 20.2%. Dates are
    ISO dates, truth values TRUE and FALSE. A merged cell stands in each place that it reaches over.
    Raises UnreadableInput for what is no workbook, is damaged, encrypted, or larger than the limits.
    """
    check_bytes(data, "XLSX")
    unsaved, merged, unseen = check_parts(data)
    notes = (
        [f"{unsaved} formulas have no stored value: save the workbook in a spreadsheet program, and capture that"]
        if unsaved
        else []
    )
    try:
        with python_warnings.catch_warnings():
            python_warnings.simplefilter("ignore")  # openpyxl warns of styles and extensions that it drops
            sheets, hidden = _read_sheets(data, merged, unseen)
    except CellwrightError:
        raise
    except Exception as error:  # openpyxl raises whatever a damaged part leads it to
        raise UnreadableInput(
            f"the XLSX file is damaged ({type(error).__name__})", fix="capture the source again"
        ) from error
    notes += [f"the sheet {name!r} is hidden" for name in hidden]
    notes += [note for sheet in sheets for note in _told_of(sheet)]
    lines = [[sheet.name, *(_line(row) for row in sheet.rows)] for sheet in sheets]
    text = "\n".join("\n".join(part) for part in lines)
    check_characters(len(text), "XLSX")
    return Document(
        kind="xlsx",
        media_type=MEDIA_TYPE,
        text=text,
        warnings=tuple(notes),
        read_tables=partial(_tables, tuple(sheets)),
    )


def _read_sheets(
    data: bytes, merged: dict[str, list[str]], unseen: dict[str, Unseen]
) -> tuple[list[_Sheet], list[str]]:
    """Each worksheet, and the names of hidden ones."""
    import openpyxl

    book = openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True, keep_links=False)
    try:
        hidden = [sheet.title for sheet in book.worksheets if sheet.sheet_state != "visible"]
        return list(_sheets(book, merged, unseen)), hidden
    finally:
        book.close()


def _told_of(sheet: _Sheet) -> Iterator[str]:
    """What a person who opens the sheet does not see, and what it shows in the place of a value."""
    rows = [row for row in sheet.unseen.rows if row <= len(sheet.rows) and any(sheet.rows[row - 1])]
    if rows:
        yield f"the sheet {sheet.name!r} has hidden rows: {_listed(map(str, rows))}"
    columns = [
        column
        for first, last in sheet.unseen.columns
        for column in range(first, min(last, max(map(len, sheet.rows), default=0)) + 1)
        if any(len(row) >= column and row[column - 1] for row in sheet.rows)
    ]
    if columns:
        yield f"the sheet {sheet.name!r} has hidden columns: {_listed(map(_letters, columns))}"
    errors = [
        f"{_letters(column)}{row} {text}"
        for row, texts in enumerate(sheet.rows, start=1)
        for column, text in enumerate(texts, start=1)
        if text in _ERRORS
    ]
    if errors:
        yield f"cells of the sheet {sheet.name!r} hold an error and no value: {_listed(errors)}"


_ERRORS = frozenset(("#REF!", "#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#VALUE!", "#SPILL!", "#CALC!"))


def _listed(texts: Iterable[str]) -> str:
    """The first five, and how many more there are."""
    found = list(texts)
    return ", ".join(found[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "")


def _letters(column: int) -> str:
    from openpyxl.utils import get_column_letter

    return str(get_column_letter(column))


def _sheets(book: Workbook, merged: dict[str, list[str]], unseen: dict[str, Unseen]) -> Iterator[_Sheet]:
    from openpyxl.utils import range_boundaries

    cells = 0
    for sheet in book.worksheets:
        # The stated size is often wrong, and would fill each row up to it.
        sheet.reset_dimensions()
        rows: list[tuple[str, ...]] = []
        width = 0
        for number, row_cells in enumerate(sheet.iter_rows(), start=1):
            if number > MAX_ROWS:
                raise beyond(sheet.title)
            row = _trimmed([_shown(cell) for cell in row_cells])
            width = max(width, len(row))
            check_cells(cells + max(len(row_cells), width * (len(rows) + 1 if row else 0)), "XLSX")
            rows.append(row)
        while rows and not rows[-1]:
            rows.pop()
        cells += width * len(rows)
        check_cells(cells, "XLSX")
        part = getattr(sheet, "_worksheet_path", "")
        bounds = [range_boundaries(ref) for ref in merged.get(part, ())]
        yield _Sheet(
            str(sheet.title),
            rows,
            [
                (top - 1, left - 1, min(bottom, len(rows)) - 1, min(right, width) - 1)
                for left, top, right, bottom in bounds
            ],
            unseen.get(part, Unseen()),
        )


_QUOTED = re.compile(r'"[^"]*"|\\.')


def _shown(cell: Any) -> str:
    """A cell's stored value as text; a number that its format shows as a percentage is one."""
    value = cell.value
    if value is None:
        return ""
    number = not isinstance(value, (bool, str, datetime.date, datetime.time, datetime.timedelta))
    if number and _PERCENT in cell.number_format and _PERCENT in _QUOTED.sub("", cell.number_format):
        return _plain(repr(value), places=2) + _PERCENT
    return _text(value)


_SHOWN = Context(prec=15, rounding=ROUND_HALF_EVEN)
"""A spreadsheet computes in binary and shows 15 digits: 0.30000000000000004 is its way to store 0.3."""


def _text(value: object) -> str:
    """A stored value as text on one line."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time()
        return value.date().isoformat() if midnight else value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, datetime.timedelta):
        return str(value)
    return _plain(repr(value))


def _plain(written: str, places: int = 0) -> str:
    """A stored number times ten to the `places`, in plain digits; one out of all bounds stays as it is."""
    number = _SHOWN.create_decimal(Decimal(written))
    if not number.is_finite() or abs(number.adjusted()) > 60:
        return written
    text = format(number.scaleb(places, _SHOWN), "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def _trimmed(row: Sequence[str]) -> tuple[str, ...]:
    end = len(row)
    while end and not row[end - 1]:
        end -= 1
    return tuple(row[:end])


def _line(row: Sequence[str]) -> str:
    return " ".join(text for text in row if text)


def _tables(sheets: tuple[_Sheet, ...]) -> tuple[Table, ...]:
    """The sheets as tables; `offset` is where a sheet's first row begins in the document's text."""
    tables: list[Table] = []
    at = 0
    for number, sheet in enumerate(sheets):
        width = max((len(row) for row in sheet.rows), default=0)
        grid = [
            [Cell(row[c], r, c) if c < len(row) and row[c] else None for c in range(width)]
            for r, row in enumerate(sheet.rows)
        ]
        _spread(grid, sheet.merged)
        at += len(sheet.name) + 1
        tables.append(Table(number=number, grid=tuple(map(tuple, grid)), name=sheet.name, offset=at))
        at += sum(len(_line(row)) + 1 for row in sheet.rows)
    return tuple(tables)


def _spread(grid: list[list[Cell | None]], merged: Sequence[tuple[int, int, int, int]]) -> None:
    """Puts each merged cell in all its places within the grid. Ranges that overlap are no spreadsheet's."""
    places = 0
    for top, left, bottom, right in merged:
        cell = grid[top][left] if 0 <= top <= bottom < len(grid) and 0 <= left <= right else None
        places += (bottom - top + 1) * (right - left + 1) if cell else 0
        check_cells(places, "XLSX")
        if cell is None:
            continue
        whole = Cell(cell.text, top, left, bottom - top + 1, right - left + 1)
        for row in grid[top : bottom + 1]:
            row[left : right + 1] = [whole] * (right - left + 1)

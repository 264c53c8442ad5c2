"""Locators: where a value stands in a spreadsheet (`Grids!F14`), a CSV (`F14`) or a JSON (`/facts/0/val`)."""

from __future__ import annotations

import re

from cellwright.documents.json_values import JsonDocument, at_pointer, pointer_of, scalar_text
from cellwright.documents.model import Document, Table
from cellwright.records.errors import UnreadableInput

_CELL = re.compile(r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})")
_PLAIN_SHEET = re.compile(r"[^\W\d][\w.]*")
_LIKE_CELL = re.compile(r"[A-Za-z]{1,3}[0-9]+|[rR][0-9]*[cC][0-9]*")


def value_at(document: Document, locator: str) -> str:
    """The text of the one value that `locator` names; empty for a blank cell within the sheet.

    Raises UnreadableInput for a locator of another form, one that leads nowhere, or a kind of document
    that has none (HTML, PDF and text are quoted by their words).
    """
    if isinstance(document, JsonDocument):
        text = scalar_text(at_pointer(document.root, locator))
        if text is None:
            raise UnreadableInput("the pointer leads to a list or an object", seen=locator, expected="a single value")
        return text
    if document.kind not in ("csv", "xlsx"):
        raise UnreadableInput(
            f"a document of the kind {document.kind!r} has no locators", seen=locator, fix="quote its words instead"
        )
    table, row, column = find_cell(document, locator)
    cell = table.grid[row][column]
    return cell.text if cell is not None else ""


def find_cell(document: Document, locator: str) -> tuple[Table, int, int]:
    """The table, and 0-based row and column, that a spreadsheet or CSV locator names; errors as `value_at`."""
    sheet, row, column = parse_cell(locator)
    table = _sheet(document, sheet, locator)
    if row >= table.rows or column >= table.columns:
        last = f"{column_name(table.columns - 1)}{table.rows}" if table.rows and table.columns else "nothing"
        raise UnreadableInput("the locator leads outside of what is filled in", seen=locator, expected=f"A1 to {last}")
    return table, row, column


def parse_cell(locator: str) -> tuple[str, int, int]:
    """Sheet (empty where none is given), 0-based row and 0-based column of `Grids!F14` or `'My Sheet'!$F$14`.

    A quotation mark inside a quoted sheet name is doubled. Raises UnreadableInput for any other form.
    """
    name, mark, cell = locator.strip().rpartition("!")
    match = _CELL.fullmatch(cell)
    quoted = name[1:-1] if len(name) > 2 and name[0] == name[-1] == "'" else None
    fits = "'" not in quoted.replace("''", "") if quoted is not None else "'" not in name
    if not match or not fits or bool(mark) != bool(name):
        raise UnreadableInput("not a cell's locator", seen=locator, expected="`F14`, `Grids!F14` or `'My Sheet'!F14`")
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return (quoted.replace("''", "'") if quoted is not None else name), int(match[2]) - 1, column - 1


def locator_of(document: Document, table: Table, row: int, column: int) -> str:
    """The locator of a cell of `table`, 0-based; `value_at` of it gives the cell's text. Empty for other kinds.

    In a JSON table the first row (the keys) has no locator.
    """
    if document.kind == "json":
        heads = [cell.text for cell in table.grid[0] if cell is not None and cell.header]
        if not heads:
            return table.name + pointer_of(row, column)
        return table.name + pointer_of(row - 1, heads[column]) if row else ""
    cell = f"{column_name(column)}{row + 1}"
    if document.kind == "csv":
        return cell
    if document.kind != "xlsx":
        return ""
    plain = _PLAIN_SHEET.fullmatch(table.name) and not _LIKE_CELL.fullmatch(table.name)
    name = table.name if plain else "'" + table.name.replace("'", "''") + "'"
    return f"{name}!{cell}"


def column_name(column: int) -> str:
    """The letters of a 0-based column: 0 is A, 25 Z, 26 AA."""
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def _sheet(document: Document, name: str, locator: str) -> Table:
    """The sheet called `name`; case is ignored as spreadsheets do, and a single sheet needs no name."""
    tables = document.tables
    if document.kind == "csv" and name:
        raise UnreadableInput("a CSV document has no sheets", seen=locator, expected="a locator like `F14`")
    if not name and len(tables) == 1:
        return tables[0]
    same = [table for table in tables if table.name == name] or [
        table for table in tables if table.name.casefold() == name.casefold()
    ]
    if len(same) == 1:
        return same[0]
    names = ", ".join(table.name for table in tables[:12])
    what = f"the workbook has no sheet {name[:40]!r}" if name else "the locator names no sheet of several"
    raise UnreadableInput(what, seen=locator, expected=f"one of {names[:200]}")

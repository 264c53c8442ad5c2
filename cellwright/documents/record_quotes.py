"""The excerpt of a record's figure: a part of its line, or of the JSON source, that holds the number once."""

from __future__ import annotations

import json
import re

from cellwright.documents.excerpts import NEIGHBOUR, Excerpt
from cellwright.documents.json_values import JsonDocument, JsonObject, JsonValue, at_pointer
from cellwright.documents.locators import locator_of
from cellwright.documents.model import Document, Table
from cellwright.documents.quotes import MAX_QUOTE, holds_once


def record_excerpt(document: Document, table: Table, row: int, column: int, as_written: str) -> Excerpt:
    """The quote of the cell with its neighbours and its locator; what holds the number once and is short."""
    locator = locator_of(document, table, row, column)
    if isinstance(document, JsonDocument):
        begin, end = _json_place(document, table.name, locator, as_written)
    else:
        begin, end = _line_place(document, table, row, column, as_written)
    if begin < 0:
        return Excerpt(as_written, locator=locator)
    text = document.text
    before, after = text[max(0, begin - NEIGHBOUR) : begin], text[end : end + NEIGHBOUR]
    return Excerpt(
        " ".join(text[begin:end].split()), " ".join(before.split()[1:]), " ".join(after.split()[:-1]), locator
    )


def _line_place(document: Document, table: Table, row: int, column: int, as_written: str) -> tuple[int, int]:
    """Begin and end of the quote in the text of a CSV or workbook, whose rows are lines, cells parted by a space."""
    begin = table.offset + sum(len(table.row_text(at)) + 1 for at in range(row))
    cells = [cell for cell in table.row_cells(row) if cell.row == row and cell.text]
    line = " ".join(cell.text for cell in cells)
    if document.text[begin : begin + len(line)] != line:
        begin = document.text.find(line)
    if begin < 0:
        return -1, -1
    index = next(n for n, cell in enumerate(cells) if cell.column == column)
    first = last = index
    while True:
        grown = [
            (lower, upper)
            for lower, upper in ((first - 1, last), (first, last + 1))
            if lower >= 0 and upper < len(cells) and _serves(_text(cells, lower, upper), as_written)
        ]
        if not grown:
            break
        first, last = grown[0]
    start = begin + len(_text(cells, 0, first - 1)) + (1 if first else 0)
    return start, start + len(_text(cells, first, last))


def _text(cells: list, first: int, last: int) -> str:  # type: ignore[type-arg]
    return " ".join(cell.text for cell in cells[first : last + 1])


def _serves(text: str, as_written: str) -> bool:
    return len(text) <= MAX_QUOTE and holds_once(text, as_written)


def _json_place(document: JsonDocument, pointer: str, locator: str, as_written: str) -> tuple[int, int]:
    """Begin and end of the record in the source where it is short, else of the key with its value."""
    at = 0
    for part in pointer.split("/")[1:]:
        key = json.dumps(part.replace("~1", "/").replace("~0", "~"), ensure_ascii=False)
        found = document.text.find(key, at)
        at = found if found >= 0 else at
    record = at_pointer(document.root, locator.rpartition("/")[0])
    key = locator.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
    if not isinstance(record, JsonObject):
        return -1, -1
    match = _record_pattern(record).search(document.text, at) if len(record) <= 24 else None
    if match is None:
        return -1, -1
    if _serves(" ".join(match[0].split()), as_written):
        return match.span()
    single = re.compile(rf"{_string(key)}\s*:\s*{re.escape(as_written)}").search(document.text, *match.span())
    return single.span() if single else (-1, -1)


def _record_pattern(record: JsonObject) -> re.Pattern[str]:
    pairs = (rf"{_string(key)}\s*:\s*{_value(value)}" for key, value in record.items())
    return re.compile(r"\{\s*" + r"\s*,\s*".join(pairs) + r"\s*\}")


def _value(value: JsonValue) -> str:
    from cellwright.documents.json_values import JsonNumber

    if isinstance(value, JsonNumber):
        return re.escape(value)
    if isinstance(value, str):
        return _string(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return r"[\[{][^\[\]{}]{0,2000}[\]}]"


def _string(text: str) -> str:
    plain, escaped = json.dumps(text, ensure_ascii=False), json.dumps(text)
    return f"(?:{re.escape(plain)}|{re.escape(escaped)})" if plain != escaped else re.escape(plain)

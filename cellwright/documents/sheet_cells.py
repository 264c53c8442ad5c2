"""The cell that a fact's locator names: its table, row and column, for sheets, CSV and JSON alike."""

from __future__ import annotations

from cellwright.documents.locators import find_cell, locator_of
from cellwright.documents.model import Document
from cellwright.records.errors import UnreadableInput


def cell_named(document: Document, locator: str) -> tuple[int, int, int]:
    """The table's place in the document, and 0-based row and column, of the cell at `locator`.

    Raises UnreadableInput for a locator that leads nowhere; a JSON value must stand in a list of records.
    """
    if document.kind != "json":
        table, row, column = find_cell(document, locator)
        return document.tables.index(table), row, column
    for number, table in enumerate(document.tables):
        if not locator.startswith(table.name + "/"):
            continue
        for row in range(table.rows):
            for column in range(table.columns):
                if locator_of(document, table, row, column) == locator:
                    return number, row, column
    raise UnreadableInput("the pointer leads to no value of a list of records", seen=locator)

"""The figure that is printed at one place, read from the visible text alone: digits, sign, scale and kind."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from cellwright.documents.at_sentence import Numbered, Sentence, number_at
from cellwright.documents.declared import table_scale
from cellwright.documents.figures import Figure
from cellwright.documents.heads import stubs_above
from cellwright.documents.kinds import FigureKind
from cellwright.documents.locate import Locator
from cellwright.documents.meaning import Around
from cellwright.documents.model import Cell
from cellwright.documents.places import read_figure
from cellwright.documents.scales import Scales, is_declaration, is_per_share
from cellwright.records.decimals import CONTEXT

_LONGEST_LABEL = 400
_REACH = 2_000
"""How far a sentence reaches to both sides at most, in characters."""


@dataclass(frozen=True, slots=True)
class PrintedFigure:
    """What the page prints at a place."""

    text: str
    """As printed."""
    value: Decimal
    """With the printed sign and the scale; a percentage stays as printed."""
    scale: int
    kind: FigureKind
    unit: str = ""
    """percent, bp, a currency, or nothing."""


def figure_in_table(
    locator: Locator, table: int, row: int, column: int, offset: int = 0, locale: str = "en"
) -> PrintedFigure | None:
    """The figure in a table's cell, or the one at place `offset` of the words that the cell holds.

    None where no figure is read there.
    """
    around = locator.around(table, locale)
    figure = _figure_at(around, row, column)
    if figure is None:
        cell = around.table.grid[row][column]
        return _in_words(locator, around, row, cell, offset, locale) if cell is not None else None
    reading = read_figure(figure.text, locale)
    if reading is None:
        return None
    meaning = around.meaning(row, figure)
    scale = reading.scale or meaning.scale
    value = reading.signed.scaleb(scale, CONTEXT) if scale else reading.signed
    return PrintedFigure(figure.text, value, scale, meaning.kind, reading.unit or meaning.currency)


def _figure_at(around: Around, row: int, column: int) -> Figure | None:
    return next((figure for figure in around.table.figures[row] if figure.column == column), None)


def _in_words(locator: Locator, around: Around, row: int, cell: Cell, offset: int, locale: str) -> PrintedFigure | None:
    """The figure in a cell of words: a row's label speaks in the table's scale, a paragraph in the document's."""
    if len(cell.text) > _LONGEST_LABEL and cell.text.endswith("."):
        return _printed(number_at(Sentence(cell.text, locator.prose_scale), offset, locale))
    stubs = stubs_above(around.table, row)[:2]
    prices = any(is_per_share(stub) and not is_declaration(stub) for stub in stubs)  # "Exercise Price Range"
    said = Scales(0 if prices else table_scale(around, row, "money"), table_scale(around, row, "shares"))
    return _printed(number_at(Sentence(cell.text, said, is_label=True), offset, locale))


def figure_in_text(locator: Locator, at: int, locale: str = "en") -> PrintedFigure | None:
    """The figure of running text in which place `at` lies; None where none does."""
    text = locator.document.text
    begin = max(text.rfind("\n", 0, at) + 1, at - _REACH)
    stop = text.find("\n", at)
    line = text[begin : min(stop if stop >= 0 else len(text), at + _REACH)]
    return _printed(number_at(Sentence(line, locator.prose_scale), at - begin, locale))


def _printed(found: Numbered | None) -> PrintedFigure | None:
    return PrintedFigure(found.text, found.value, found.scale, found.kind, found.unit) if found else None

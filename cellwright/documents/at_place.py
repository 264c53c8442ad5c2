"""The figure that is printed at one place, read from the visible text alone: digits, sign, scale and kind."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from cellwright.documents.at_sentence import figure_in_sentence
from cellwright.documents.figures import Figure
from cellwright.documents.kinds import FigureKind
from cellwright.documents.meaning import Around
from cellwright.documents.model import Cell
from cellwright.documents.places import read_figure
from cellwright.records.decimals import CONTEXT


@dataclass(frozen=True, slots=True)
class PrintedFigure:
    """What the page prints at a place."""

    text: str
    """As printed."""
    value: Decimal
    """With the printed sign and the scale; a percentage stays as printed."""
    scale: int
    scale_told: bool
    """Something on the page tells the scale; else it is 0 because nothing does."""
    kind: FigureKind
    currency: str = ""


def figure_in_table(around: Around, row: int, column: int, offset: int, locale: str = "en") -> PrintedFigure | None:
    """The figure in a table's cell, or the one that begins at `offset` in the sentence that the cell holds.

    None where no figure is read there.
    """
    figure = _figure_at(around, row, column)
    if figure is None:
        cell = around.table.grid[row][column]
        return _in_words(around, row, cell, offset, locale) if cell is not None else None
    reading = read_figure(figure.text, locale)
    if reading is None:
        return None
    meaning = around.meaning(row, figure)
    scale = reading.scale or meaning.scale
    value = reading.signed.scaleb(scale, CONTEXT) if scale else reading.signed
    told = bool(reading.scale) or meaning.scale_told
    return PrintedFigure(figure.text, value, scale, told, meaning.kind, meaning.currency)


def _figure_at(around: Around, row: int, column: int) -> Figure | None:
    for figures in (around.table.parts[row].figures, around.table.figures[row]):
        for figure in figures:
            if figure.column == column:
                return figure
    return None


def _in_words(around: Around, row: int, cell: Cell, offset: int, locale: str) -> PrintedFigure | None:
    found = figure_in_sentence(cell.text, offset, locale)
    if found is None:
        return None
    reading, kind = found
    return PrintedFigure(reading.text, reading.value, reading.scale, bool(reading.scale), kind, reading.unit)


def figure_in_text(text: str, at: int, locale: str = "en") -> PrintedFigure | None:
    """The figure of running text in which place `at` lies; None where none does."""
    begin = max(text.rfind("\n", 0, at) + 1, at - 2_000)
    stop = text.find("\n", at)
    line = text[begin : min(stop if stop >= 0 else len(text), at + 2_000)]
    found = figure_in_sentence(line, at - begin, locale)
    if found is None:
        return None
    reading, kind = found
    return PrintedFigure(reading.text, reading.value, reading.scale, True, kind, reading.unit)

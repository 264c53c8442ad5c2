"""The excerpt of a place: a short quote that holds the number once, and the words before and after it."""

from __future__ import annotations

from dataclasses import dataclass

from cellwright.documents.locators import locator_of
from cellwright.documents.model import Document
from cellwright.documents.pdf_prose import broken_place, words_before
from cellwright.documents.places import Place
from cellwright.documents.quotes import MAX_QUOTE, holds_once

NEIGHBOUR = 32
"""How many characters of the text before and after a quote are kept."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A quote with its neighbours (W3C Web Annotation, TextQuoteSelector), and a sheet's locator."""

    quote: str
    prefix: str = ""
    suffix: str = ""
    locator: str = ""


def excerpt_of(document: Document, place: Place) -> Excerpt:
    """The row's text where it is short and holds the number once, else the part of it around the figure."""
    table = place.around.table
    locator = locator_of(document, table, place.row, place.figure.column)
    line = table.row_text(place.row)
    quote = line if _serves(line, place.printed.text) else _part(line, place)
    start = _find(document.text, quote, line, table.offset)
    if table.page is not None:
        start, end = broken_place(document.text, quote, table.offset)
        if start < 0:
            return Excerpt(quote)
        return Excerpt(quote, words_before(document.text, quote, start), _after(document.text, end))
    if start < 0:  # the text of a JSON or CSV document is its source, where the value stands alone
        return Excerpt(place.figure.text if place.figure.text in document.text else quote, locator=locator)
    end = start + len(quote)
    return Excerpt(quote, _before(document.text, start), _after(document.text, end), locator)


def _before(text: str, start: int) -> str:
    """The last words before a quote, the first of them whole: a number cut in two would be another number."""
    window = text[max(0, start - NEIGHBOUR - 1) : start]
    if start > NEIGHBOUR + 1 and not window[0].isspace():
        window = window.partition(" ")[2] if " " in window else window.partition("\n")[2]
    return " ".join(window.split())


def _after(text: str, end: int) -> str:
    """The first words after a quote, the last of them whole."""
    window = text[end : end + NEIGHBOUR + 1]
    if end + NEIGHBOUR + 1 < len(text) and not window[-1].isspace():
        window = window.rpartition(" ")[0] if " " in window.strip() else window.rpartition("\n")[0]
    return " ".join(window.split())


def _serves(text: str, as_written: str) -> bool:
    return len(text) <= MAX_QUOTE and holds_once(text, as_written)


def _part(line: str, place: Place) -> str:
    """The figure with as many of the words and figures beside it as keep it single."""
    figures = place.around.table.parts[place.row].figures
    index = figures.index(place.figure)
    at = 0
    for figure in figures[: index + 1]:
        at = line.find(figure.spaced, at)
        if at < 0:
            return place.figure.spaced
        begin, at = at, at + len(figure.spaced)
    pieces = [line[begin:at], line[begin:], line[:at]]
    widest = [piece for piece in (line[max(0, begin - 200) : at], line[begin : begin + MAX_QUOTE]) if piece]
    for piece in (*widest, *pieces):
        trimmed = piece.strip()
        if _serves(trimmed, place.printed.text):
            return trimmed
    return place.figure.spaced


def _find(text: str, quote: str, line: str, offset: int) -> int:
    at = text.find(line, offset)
    if at < 0:
        return text.find(quote)
    inner = line.find(quote)
    return at + inner if inner >= 0 else at

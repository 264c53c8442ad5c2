"""The excerpt of a place: a short quote that holds the number once, and the words before and after it."""

from __future__ import annotations

from dataclasses import dataclass

from cellwright.documents.model import Document
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
    line = table.row_text(place.row)
    quote = line if _serves(line, place.printed.text) else _part(line, place)
    start = _find(document.text, quote, line, table.offset)
    if start < 0:
        return Excerpt(quote)
    end = start + len(quote)
    before = document.text[max(0, start - NEIGHBOUR):start]
    return Excerpt(quote, " ".join(before.split()), " ".join(document.text[end:end + NEIGHBOUR].split()))


def _serves(text: str, as_written: str) -> bool:
    return len(text) <= MAX_QUOTE and holds_once(text, as_written)


def _part(line: str, place: Place) -> str:
    """The figure with as many of the words and figures beside it as keep it single."""
    figures = place.around.table.parts[place.row].figures
    index = figures.index(place.figure)
    at = 0
    for figure in figures[:index + 1]:
        at = line.find(figure.spaced, at)
        if at < 0:
            return place.figure.spaced
        begin, at = at, at + len(figure.spaced)
    pieces = [line[begin:at], line[begin:], line[:at]]
    widest = [piece for piece in (line[max(0, begin - 200):at], line[begin:begin + MAX_QUOTE]) if piece]
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

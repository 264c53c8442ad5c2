"""Reads an HTML page whole: the text a person sees, and every table with its rows and columns.

A full-DOM reader: readers that look for the main text drop tables, and tables are where figures stand.
"""

from __future__ import annotations

import re

from cellwright.documents.charset import Decoded, decode
from cellwright.documents.html_tables import tables_in
from cellwright.documents.html_text import MARKS, SPAN_END, draw, tidy
from cellwright.documents.html_tree import parse
from cellwright.documents.limits import check_bytes, check_characters
from cellwright.documents.model import Document, Table

_MARKS = MARKS + SPAN_END
_OUR_MARKS = str.maketrans("", "", _MARKS)


def read_html(data: bytes, *, charset: str | None = None) -> Document:
    """The page as a document; `charset` is what the HTTP header says.

    Raises UnreadableInput for a page that is empty, too large or nested too deep.
    """
    decoded, source = _source(data, charset)
    text = _text(source)

    def read_tables() -> tuple[Table, ...]:
        return _tables(source, text)

    return Document(kind="html", media_type="text/html", text=text, encoding=decoded.encoding,
                    warnings=decoded.warnings, read_tables=read_tables)


def text_of(data: bytes, *, charset: str | None = None) -> str:
    """The visible text of a page: a line a block and a table's row, one space between words."""
    return _text(_source(data, charset)[1])


def tables_of(data: bytes, *, charset: str | None = None) -> tuple[Table, ...]:
    """The tables of a page, in its order; their offsets are into `text_of(data)`."""
    source = _source(data, charset)[1]
    return _tables(source, None)


def _source(data: bytes, charset: str | None) -> tuple[Decoded, bytes]:
    check_bytes(data, "HTML")
    decoded = decode(data, charset=charset)
    check_characters(len(decoded.text), "HTML")
    text = decoded.text
    if not text.isascii() and any(mark in text for mark in _MARKS):
        text = text.translate(_OUR_MARKS)
    return decoded, _unwrapped(text).encode("utf-8", "replace")


_PREFORMATTED = re.compile(r"<(/?)pre\b", re.IGNORECASE)
_WHITE = str.maketrans("\n\r\t\f\v\x00", "      ")


def _unwrapped(text: str) -> str:
    """The source with its line ends made blanks, as they are drawn; those of preformatted text stay."""
    if "<pre" not in text and "<PRE" not in text:
        return text.replace("\n", " ").replace("\r", " ").replace("\x00", " ")
    parts: list[str] = []
    begin, inside = 0, False
    for match in _PREFORMATTED.finditer(text):
        part = text[begin:match.start()]
        parts.append(part.replace("\x00", " ") if inside else part.translate(_WHITE))
        begin, inside = match.start(), not match[1]
    rest = text[begin:]
    return "".join((*parts, rest.replace("\x00", " ") if inside else rest.translate(_WHITE)))


def _text(source: bytes) -> str:
    return tidy(draw(parse(source)))


def _tables(source: bytes, text: str | None) -> tuple[Table, ...]:
    page = parse(source)
    return tables_in(draw(page, marked=True), tidy(draw(page)) if text is None else text)

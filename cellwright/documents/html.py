"""Reads an HTML page whole: the text a person sees, and every table with its rows and columns.

The page is parsed and drawn once; its text and its tables are taken from that one drawing.
A full-DOM reader: readers that look for the main text drop tables, and tables are where figures stand.
"""

from __future__ import annotations

import codecs
import re

from cellwright.documents.charset import Decoded, decode, decode_unchecked
from cellwright.documents.html_tables import tables_in
from cellwright.documents.html_text import END_TAG, MARKS, SPAN_END, TABLE_MARKS, TAG, TAG_NUMBER, draw, tidy
from cellwright.documents.html_tree import Page, may_be_xhtml, parse
from cellwright.documents.limits import check_bytes, check_characters
from cellwright.documents.model import Document, Table
from cellwright.documents.tags import Tag


def read_html(data: bytes, *, charset: str | None = None) -> Document:
    """The page as a document; `charset` is what the HTTP header says.

    Raises UnreadableInput for a page that is empty, too large or nested too deep.
    """
    decoded, source = _source(data, charset)
    drawn = draw(_page(_without_marks(source)), marked=True)
    text = tidy(TABLE_MARKS.sub("", drawn))

    def read_tables() -> tuple[Table, ...]:
        return tables_in(drawn, text)

    def read_tags() -> tuple[Tag, ...]:
        return _tags(source, text)

    return Document(
        kind="html",
        media_type="text/html",
        text=text,
        encoding=decoded.encoding,
        encoding_by=decoded.how,
        warnings=decoded.warnings,
        read_tables=read_tables,
        read_tags=read_tags,
    )


def read_html_text(data: bytes, *, charset: str | None = None) -> str:
    """The text that `read_html` gives, drawn without the marks of tables. Raises as `read_html` does."""
    check_bytes(data, "HTML")
    decoded = decode_unchecked(data, charset=charset)
    check_characters(len(decoded.text), "HTML")
    source = decoded.text.encode("utf-8", "replace")
    if _OURS.search(source) or _OURS_AS_NUMBERS.search(source):
        return read_html(data, charset=charset).text  # A page with marks of its own is read as with tables.
    return tidy(draw(_page(source)))


def text_of(data: bytes, *, charset: str | None = None) -> str:
    """The visible text of a page: a line a block and a table's row, one space between words."""
    return _text(_source(data, charset)[1])


def tables_of(data: bytes, *, charset: str | None = None) -> tuple[Table, ...]:
    """The tables of a page, in its order; their offsets are into `text_of(data)`."""
    return _tables(_source(data, charset)[1])


def _source(data: bytes, charset: str | None) -> tuple[Decoded, bytes]:
    """The page in UTF-8."""
    check_bytes(data, "HTML")
    decoded = decode(data, charset=charset)
    check_characters(len(decoded.text), "HTML")
    if decoded.encoding == "utf-8" and not decoded.warnings:
        return decoded, data.removeprefix(codecs.BOM_UTF8)
    return decoded, decoded.text.encode("utf-8", "replace")


def _text(source: bytes) -> str:
    return _tidy(draw(_page(source)))


def _tables(source: bytes) -> tuple[Table, ...]:
    drawn = draw(_page(_without_marks(source)), marked=True)
    return tables_in(drawn, tidy(TABLE_MARKS.sub("", drawn)))


def _tags(source: bytes, text: str) -> tuple[Tag, ...]:
    """The tags of an inline XBRL page, for which it is parsed anew; none, at no cost, of any other page."""
    if b"inlineXBRL" not in source:
        return ()
    from cellwright.documents.tag_places import tags_of

    return tags_of(_page(_without_marks(source)), text)


def _without_marks(source: bytes) -> bytes:
    """The source without the private-use characters that mark places in what is drawn."""
    if not _OURS.search(source):
        return source
    return source.decode("utf-8", "replace").translate(_OUR_MARKS).encode("utf-8", "replace")


def _tidy(drawn: str) -> str:
    return tidy(drawn.translate(_OUR_MARKS) if any(mark in drawn for mark in _MARKS) else drawn)


def _page(source: bytes) -> Page:
    """The page with line ends as blanks, which is how they are drawn; those of preformatted text stay."""
    preformatted = b"<pre" in source or (not may_be_xhtml(source) and b"<PRE" in source)
    return parse(_unwrapped(source) if preformatted else source.translate(_BLANKS))


_OURS = re.compile(b"\xee\x80[\x80-\x8a]")
_OURS_AS_NUMBERS = re.compile(rb"&#(?:[xX]0{0,99}[eE]00|0{0,99}573[45])")
_MARKS = MARKS + SPAN_END + TAG + TAG_NUMBER + END_TAG
_OUR_MARKS = str.maketrans("", "", _MARKS)
_PREFORMATTED = re.compile(rb"<(/?)pre\b", re.IGNORECASE)
_BLANKS = bytes.maketrans(b"\n\r\t\f\v\x00", b"      ")


def _unwrapped(source: bytes) -> bytes:
    """The source with its line ends made blanks, as they are drawn; those of preformatted text stay."""
    parts: list[bytes] = []
    begin, inside = 0, False
    for match in _PREFORMATTED.finditer(source):
        part = source[begin : match.start()]
        parts.append(part.replace(b"\x00", b" ") if inside else part.translate(_BLANKS))
        begin, inside = match.start(), not match[1]
    rest = source[begin:]
    return b"".join((*parts, rest.replace(b"\x00", b" ") if inside else rest.translate(_BLANKS)))

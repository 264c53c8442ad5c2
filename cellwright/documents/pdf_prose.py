"""The running text of a PDF: lines that the page's width broke are one line again; rows of tables stay apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from cellwright.documents.model import Document
from cellwright.documents.pdf_figures import read_line

_LONG = 60
"""A line of running text is at least so long, unless it is a paragraph's last."""
_ENDS = re.compile(r"[.:;!?”\"]\s*$")
_LONGEST = 4_000


def with_paragraphs(document: Document) -> Document:
    """The PDF with each paragraph on one line, page by page; other kinds of document as they are.

    Only white space differs from the document's own text, so that a quote of the one is found in the other.
    """
    if document.kind != "pdf":
        return document
    pages = tuple("\n".join(_paragraphs(page)) for page in document.pages)
    return replace(document, pages=pages, text="\f".join(pages))


def _paragraphs(page: str) -> Iterator[str]:
    current = ""
    for line in page.split("\n"):
        text = " ".join(line.split())
        if current and _goes_on(current, text):
            current = f"{current} {text}"
            continue
        if current:
            yield current
        current = text
    if current:
        yield current


def _goes_on(current: str, text: str) -> bool:
    if not text or len(current) < _LONG or len(current) > _LONGEST or _ENDS.search(current):
        return False
    return len(read_line(current[-300:]).figures) < 2 and len(read_line(text).figures) < 2


def broken_place(text: str, quote: str, start: int) -> tuple[int, int]:
    """Begin and end of `quote` in `text` from `start` on, line breaks counted as spaces; (-1, -1) where it is not."""
    words = quote.split()
    if not words or len(words) > 120:
        return -1, -1
    found = re.compile(r"\s+".join(map(re.escape, words))).search(text, start)
    return found.span() if found else (-1, -1)


_WINDOWS = (32, 96, 200)


def words_before(text: str, quote: str, start: int) -> str:
    """The words before the quote at `start`, as many as tell it from the same line elsewhere.

    A report repeats rows of its statements, with the same rows around them, in the discussion of its results.
    """
    found = ""
    for width in _WINDOWS:
        found = " ".join(text[max(0, start - width) : start].split()[1:])
        first, _ = broken_place(text, f"{found} {quote}", 0)
        if first >= start - width and broken_place(text, f"{found} {quote}", start)[0] < 0:
            break
    return found

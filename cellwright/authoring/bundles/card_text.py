"""Text that a task gives, made fit for a card: it stays text in Markdown and in a BibTeX entry."""

from __future__ import annotations

import re

from cellwright.views.safe import one_line

MAX_SHOWN = 200
"""Characters of one text in a card; a longer one is cut, and the tables hold it whole."""

# Every mark that begins emphasis, code, a link, a picture, a heading, a table's cell, strike-through or a formula.
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#|~$!])")
_BIBTEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
    "#": r"\#",
    "&": r"\&",
    "$": r"\$",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": "'",
    '"': "''",
}


def as_markdown(text: str, limit: int = MAX_SHOWN) -> str:
    """`text` on one line, with nothing in it that Markdown or HTML would read as more than text."""
    flat = _clipped(text, limit).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _MARKDOWN.sub(r"\\\1", flat)


def as_bibtex(text: str, limit: int = MAX_SHOWN) -> str:
    """`text` on one line as a BibTeX value: it neither ends its braces nor the code block of the card."""
    return "".join(_BIBTEX.get(char, char) for char in _clipped(text, limit))


def _clipped(text: str, limit: int) -> str:
    flat = one_line(text)
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"

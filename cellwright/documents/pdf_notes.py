"""Marks of notes in a PDF: digits printed small behind a figure are set apart from it, as in a web page's `sup`.

The text of a PDF has no superscripts: `1,234` with the note 3 comes out as `1,2343`, which is another number.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pypdfium2

_NUMBER = re.compile(r"\d[\d.,]*\d")
_SMALL = 0.85
"""Marks of notes are set at 50 to 75 % of the size of their text."""


def with_notes_apart(textpage: pypdfium2.PdfTextPage, text: str) -> str:
    """`text` of the page with a blank before digits at a number's end that are smaller than its first digit."""
    pieces: list[str] = []
    at = 0
    for match in _NUMBER.finditer(text):
        cut = _first_small(textpage, text, match.start(), match.end())
        if cut:
            pieces += (text[at:cut], " ")
            at = cut
    return "".join((*pieces, text[at:])) if pieces else text


def _first_small(textpage: pypdfium2.PdfTextPage, text: str, start: int, end: int) -> int:
    """Where the small digits at the end of the number at `text[start:end]` begin; 0 where there are none."""
    whole = _size(textpage, text, start)
    cut = end
    if math.isinf(whole):
        return 0
    while cut - 1 > start and text[cut - 1].isdigit() and _size(textpage, text, cut - 1) < _SMALL * whole:
        cut -= 1
    return cut if cut < end else 0


def _size(textpage: pypdfium2.PdfTextPage, text: str, index: int) -> float:
    """The height at which a character is drawn, in points; infinite where the page counts its characters otherwise."""
    import pypdfium2.raw as pdfium

    if pdfium.FPDFText_GetUnicode(textpage, index) != ord(text[index]):
        return math.inf
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFText_GetMatrix(textpage, index, matrix):
        return math.inf
    return float(pdfium.FPDFText_GetFontSize(textpage, index)) * math.hypot(matrix.c, matrix.d)

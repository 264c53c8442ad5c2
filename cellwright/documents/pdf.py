"""The text of a PDF, page by page, read by pypdfium2. Its tables: `pdf_lines.py`."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from cellwright.documents.limits import check_bytes, check_characters
from cellwright.documents.model import Document
from cellwright.documents.pdf_lines import line_tables
from cellwright.documents.pdf_notes import with_notes_apart
from cellwright.records.errors import UnreadableInput

if TYPE_CHECKING:
    import pypdfium2

MEDIA_TYPE = "application/pdf"
MAX_PAGES = 5000

PAGE_BREAK = "\f"
"""Stands between two pages in the document's text; white space to a quote."""

_ONE_AT_A_TIME = threading.Lock()
"""PDFium keeps global state and may be called by one thread at a time."""


def read_pdf(data: bytes) -> Document:
    """The text of a PDF: `pages[0]` is page 1, `text` all pages in order.

    A document that is encrypted with an empty user password is read. Pages that hold an image and no
    text are named in a warning: they are scans, and no quote can be found in them.
    Raises UnreadableInput for what is no PDF, needs a password, or is larger than the limits.
    """
    check_bytes(data, "PDF")
    with _ONE_AT_A_TIME, _opened(data) as pdf:
        raw, scanned, broken = _read_pages(pdf)
    words = _vocabulary(raw)
    pages = tuple(_clean(page, words) for page in raw)
    return Document(
        kind="pdf",
        media_type=MEDIA_TYPE,
        text=PAGE_BREAK.join(pages),
        pages=pages,
        warnings=tuple(_warnings(raw, scanned, broken)),
        read_tables=partial(line_tables, pages),
    )


@contextmanager
def _opened(data: bytes) -> Iterator[pypdfium2.PdfDocument]:
    """The opened PDF, closed on the way out."""
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        raise _not_opened(error.err_code, data) from error
    try:
        yield pdf
    finally:
        pdf.close()


def _not_opened(code: int | None, data: bytes) -> UnreadableInput:
    """The sentence for a PDF that PDFium refuses (error codes: PDFium's public `fpdfview.h`)."""
    if code == 4:
        return UnreadableInput(
            "the PDF is encrypted and needs a password",
            expected="a PDF that opens without one",
            fix="save a copy without the password and capture that with --from",
        )
    if code == 5:
        return UnreadableInput("the PDF is protected by a security scheme that cannot be read")
    seen = data[:16].decode("latin-1") if b"%PDF-" not in data[:1024] else f"{len(data)} bytes, damaged or cut off"
    return UnreadableInput(
        "the PDF cannot be opened", seen=seen, expected="a whole PDF file", fix="capture the source again"
    )


def _read_pages(pdf: pypdfium2.PdfDocument) -> tuple[list[str], list[int], list[int]]:
    """The raw text of each page, the numbers of scanned pages, and of pages that could not be read."""
    import pypdfium2

    count = len(pdf)
    if not 0 < count <= MAX_PAGES:
        raise UnreadableInput("the PDF cannot be read", seen=f"{count} pages", expected=f"1 to {MAX_PAGES}")
    raw: list[str] = []
    scanned: list[int] = []
    broken: list[int] = []
    total = 0
    for number in range(1, count + 1):
        try:
            text, image = _read_page(pdf, number - 1)
        except pypdfium2.PdfiumError:
            text, image = "", False
            broken.append(number)
        if image and not text.strip():
            scanned.append(number)
        total += len(text)
        check_characters(total, "PDF")
        raw.append(text)
    if len(broken) == count:
        raise UnreadableInput(
            "no page of the PDF can be read", seen=f"{count} damaged pages", fix="capture the source again"
        )
    return raw, scanned, broken


def _read_page(pdf: pypdfium2.PdfDocument, index: int) -> tuple[str, bool]:
    """The raw text of one page, and whether an image is drawn on it (asked only where there is no text)."""
    import pypdfium2.raw as pdfium

    page = pdf[index]
    try:
        textpage = page.get_textpage()
        try:
            check_characters(textpage.count_chars(), "PDF")
            text = with_notes_apart(textpage, textpage.get_text_range())
        finally:
            textpage.close()
        if text.strip():
            return text, False
        images = page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=3)
        return text, next(iter(images), None) is not None
    finally:
        page.close()


# PDFium puts U+FFFE (or U+0002) in place of a hyphen at a line's end. A soft hyphen inside a line is drawn like
# any other hyphen in a PDF: "sentences of 1\u00ad12 months" must not become 12 months.
_BREAK = re.compile("[ \t]*[\ufffe\u0002\u00ad][\r\n]*")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LEFT_WORD, _RIGHT_WORD = re.compile(r"[^\W\d_]+$"), re.compile(r"[^\W\d_]+")
_LONGEST_WORD = 40
_DROPPED = str.maketrans(
    {
        **dict.fromkeys(map(chr, range(0x09)), ""),
        "\x0b": "\n",
        "\x0c": "\n",
        "\r": "",
        "\u200b": "",
        "\ufeff": "",
        "\uffff": "",
        "ﬀ": "ff",
        "ﬁ": "fi",
        "ﬂ": "fl",
        "ﬃ": "ffi",
        "ﬄ": "ffl",
        "ﬅ": "st",
        "ﬆ": "st",
    }
)


def _vocabulary(pages: Sequence[str]) -> Counter[str]:
    """How often each word, and each compound with hyphens, stands unbroken in the document."""
    return Counter(word.lower() for page in pages for word in _WORD.findall(page))


def _clean(page: str, words: Counter[str]) -> str:
    """The text of a page: broken words whole, lines parted by a line feed, ligatures spelled out, no controls."""
    pieces: list[str] = []
    at = 0
    for mark in _BREAK.finditer(page):
        pieces += (page[at : mark.start()], _hyphen(page, mark.start(), mark.end(), words))
        at = mark.end()
    pieces.append(page[at:])
    return "".join(pieces).translate(_DROPPED).strip("\n")


def _hyphen(page: str, start: int, end: int, words: Counter[str]) -> str:
    """`-` or nothing, for a line break inside a word or a compound, by what the document has elsewhere."""
    left = _LEFT_WORD.search(page, max(0, start - _LONGEST_WORD), start)
    right = _RIGHT_WORD.match(page, end, end + _LONGEST_WORD)
    if not left or not right or not right[0][0].islower():
        return "-"
    first, second = left[0].lower(), right[0].lower()
    joined, compound = words[first + second], words[f"{first}-{second}"]
    if joined or compound:
        return "" if joined > compound else "-"
    # Never met whole: two words of their own are a compound ("cloud-based"), else one word was broken.
    return "-" if words[second] > 0 and words[first] > 1 else ""


_LOST_LETTER = re.compile(r"[^\W\d_][\x0e-\x1f][^\W\d_]")


def _warnings(raw: Sequence[str], scanned: Sequence[int], broken: Sequence[int]) -> Iterator[str]:
    if scanned:
        yield f"{_pages(scanned)} of {len(raw)} without text, an image only (scanned): no quote can be found there"
    if broken:
        yield f"{_pages(broken)} of {len(raw)} cannot be read"
    if not scanned and not any(page.strip() for page in raw):
        yield "the PDF holds no text"
    lost = sum(len(_LOST_LETTER.findall(page)) for page in raw)
    if lost:
        yield f"{lost} words hold a letter that the PDF's font does not name (often fi or fl)"


def _pages(numbers: Sequence[int]) -> str:
    """`page 3`, or `pages 1-4, 7`: runs are drawn together, ten of them at most."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs[:10])
    return f"{'page' if len(numbers) == 1 else 'pages'} {shown}{', …' if len(runs) > 10 else ''}"

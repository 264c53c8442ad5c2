"""The tables and words of one page of a PDF, by pdfplumber: slow, so only for a page that is asked for."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cellwright.documents.limits import check_bytes, check_cells
from cellwright.documents.model import Table, table_of
from cellwright.documents.quotes import CURRENCY_SIGNS
from cellwright.records.errors import CellwrightError, UnreadableInput

if TYPE_CHECKING:
    import pdfplumber.page

MAX_WORDS = 50_000
"""The most words of one page."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word on a page; lengths in points from the upper left corner of the page as it is shown."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


def page_words(data: bytes, page: int) -> tuple[Word, ...]:
    """The words of page `page` (1-based), doubled characters once, in reading order.

    Raises UnreadableInput for a damaged PDF, or a page that it does not have.
    """
    with _opened_page(data, page) as opened:
        words = _words(opened)
    return tuple(word for line in _lines(words) for word in line)


def page_tables(data: bytes, page: int) -> tuple[Table, ...]:
    """The tables of page `page` (1-based): ruled ones as they are ruled, else the page's lines as one table.

    Without rulings a line is a row, words further apart than a blank are cells of their own, the figures
    that overlap sideways are a column, and what stands to their left is the first column. Errors as
    `page_words`.
    """
    with _opened_page(data, page) as opened:
        words = _words(opened)
        found = [] if _turned(opened) else _ruled(opened)
    if not found:
        rows = _rows_by_place(words)
        found = [rows] if rows else []
    check_cells(sum(len(rows) * max(map(len, rows)) for rows in found), "PDF")
    return tuple(table_of(rows, number=number, page=page) for number, rows in enumerate(found))


@contextmanager
def _opened_page(data: bytes, page: int) -> Iterator[pdfplumber.page.Page]:
    """One page of the PDF, its doubled characters dropped; whatever the PDF libraries raise is one sentence."""
    import pdfplumber

    check_bytes(data, "PDF")
    # pdfminer reports each oddity of a font as a warning on its logger; none of them changes what is read.
    logging.getLogger("pdfminer").setLevel(logging.ERROR)
    try:
        with pdfplumber.open(io.BytesIO(data), pages=[page]) as pdf:
            if not pdf.pages:
                raise UnreadableInput(f"the PDF has no page {page}", expected="a page's number, from 1 on")
            yield pdf.pages[0].filter(_FirstOfDoubles())
    except CellwrightError:
        raise
    except Exception as error:  # pdfminer raises whatever a damaged file leads it to
        raise UnreadableInput(
            f"page {page} of the PDF cannot be read ({type(error).__name__})",
            expected="a whole PDF that opens without a password",
        ) from error


class _FirstOfDoubles:
    """Keeps the first of characters drawn twice at one place, which is how some programs make bold type.

    pdfplumber's own `dedupe_chars` draws near places together in chains, and lost the comma of `98,452`.
    """

    def __init__(self) -> None:
        self.seen: dict[tuple[str, int, int], list[tuple[float, float]]] = {}

    def __call__(self, drawn: dict[str, Any]) -> bool:
        if drawn.get("object_type") != "char":
            return True
        x, y, text = drawn["x0"], drawn["top"], drawn["text"]
        near = [
            place
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            for place in self.seen.get((text, int(x) + dx, int(y) + dy), ())
        ]
        reach = min(1.0, drawn["size"] * 0.1)
        if any(abs(x - a) <= reach and abs(y - b) <= reach for a, b in near):
            return False
        self.seen.setdefault((text, int(x), int(y)), []).append((x, y))
        return True


def _turned(page: Any) -> str:
    """`ttb` or `btt` when most of the page's text runs downward or upward, else empty."""
    turned = [char for char in page.chars if not char["upright"]]
    if len(turned) * 2 <= len(page.chars):
        return ""
    upward = sum(1 for char in turned if char["matrix"][1] > 0)
    return "btt" if upward * 2 > len(turned) else "ttb"


def _words(page: Any) -> list[Word]:
    """The words, on a page whose text is turned with their places as if it were upright."""
    from pdfplumber.utils.text import extract_words

    turned = _turned(page)
    chars = [_set_upright(char, turned, page.width, page.height) for char in page.chars] if turned else page.chars
    found = extract_words(chars, x_tolerance_ratio=0.15, y_tolerance=2)
    if len(found) > MAX_WORDS:
        raise UnreadableInput(
            "the page of the PDF has too many words", seen=str(len(found)), expected=f"{MAX_WORDS} at most"
        )
    return [Word(word["text"], word["x0"], word["top"], word["x1"], word["bottom"]) for word in found]


def _set_upright(char: dict[str, Any], turned: str, width: float, height: float) -> dict[str, Any]:
    """A character of a turned page where it would stand upright.

    Left to itself the library measures a turned character's size by its width and the gaps between words by the
    tolerance for lines: `98 452` came out in one word on the turned page and in two on the upright one.
    """
    left, top, right, bottom = char["x0"], char["top"], char["x1"], char["bottom"]
    if turned == "ttb":
        left, top, right, bottom = top, width - right, bottom, width - left
    else:
        left, top, right, bottom = height - bottom, left, height - top, right
    return {
        **char,
        "x0": left,
        "top": top,
        "x1": right,
        "bottom": bottom,
        "doctop": top,
        "width": right - left,
        "height": bottom - top,
        "size": char["size"] if char["upright"] else bottom - top,
        "upright": not char["upright"],
    }


def _ruled(page: Any) -> list[list[list[str]]]:
    """The tables whose rows are ruled; none where the drawn boxes are not rows.

    Many statistics rule off every five rows, and many statements shade every other row: there a box is
    several rows, or a table of its own.
    """
    tables = [[[cell or "" for cell in row] for row in table.extract()] for table in page.find_tables()]
    shaded = sum(1 for table in tables if len(table) == 1)
    for row in (row for table in tables for row in table):
        lines = [sum(1 for line in cell.split("\n") if _DIGIT.search(line)) for cell in row]
        if max(lines) > 3 or sum(1 for count in lines if count > 1) > 1:
            return []
    return [table for table in tables if len(table) > 1] if shaded * 2 <= len(tables) else []


_DIGIT = re.compile(r"\d")


_FIGURE = re.compile(r"[^A-Za-z]*[\d–—-][^A-Za-z]*")


def _rows_by_place(words: Sequence[Word]) -> list[list[str]]:
    """The words as rows of cells of equal length, by where they stand; empty where no figures are in columns."""
    lines = [_cells_of_line(line) for line in _lines(words)]
    # Titles and notes run over the whole width: only figures tell where the columns are.
    figures = _columns([cell for line in lines for cell in line[1:] if _FIGURE.fullmatch(cell.text)])
    if not figures:
        return []
    bounds = [Word("", float("-inf"), 0, figures[0].left, 0), *figures]
    rows = []
    for line in lines:
        row = [""] * len(bounds)
        for cell in line:
            at = max(range(len(bounds)), key=lambda n: (_overlap(cell, bounds[n]), -n))
            row[at] = f"{row[at]} {cell.text}".strip()
        rows.append(row)
    return rows


def _lines(words: Sequence[Word]) -> list[list[Word]]:
    """The words line by line: a word whose middle lies within the height of the line's first word."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda w: (w.top, w.left)):
        middle = (word.top + word.bottom) / 2
        if lines and lines[-1][0].top <= middle <= lines[-1][0].bottom:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [sorted(line, key=lambda w: w.left) for line in lines]


def _cells_of_line(line: Sequence[Word]) -> list[Word]:
    """Words no further apart than their height times 0.6 are one cell; a currency sign joins the next word."""
    cells: list[Word] = []
    for word in line:
        last = cells[-1] if cells else None
        near = last is not None and word.left - last.right <= 0.6 * (word.bottom - word.top)
        if last and (near or last.text in CURRENCY_SIGNS):
            cells[-1] = Word(f"{last.text} {word.text}", last.left, last.top, max(last.right, word.right), last.bottom)
        else:
            cells.append(word)
    return cells


def _columns(cells: Sequence[Word]) -> list[Word]:
    """The columns, as the spans that `cells` cover without a gap."""
    columns: list[Word] = []
    for cell in sorted(cells, key=lambda w: (w.left, w.right)):
        last = columns[-1] if columns else None
        if last and cell.left <= last.right:
            columns[-1] = Word("", last.left, 0, max(last.right, cell.right), 0)
        else:
            columns.append(Word("", cell.left, 0, cell.right, 0))
    return columns


def _overlap(cell: Word, column: Word) -> float:
    """How far the two overlap sideways, to a tenth of a point: a title centred over two columns is over both alike."""
    return round(min(cell.right, column.right) - max(cell.left, column.left), 1)

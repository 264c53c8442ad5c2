"""Figures in a row of cells: what stands split over cells ("$", "(", "10,959", ")", "%") is one figure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from cellwright.documents.quotes import CURRENCY_SIGNS, NEGATIVE_MARKS
from cellwright.records.quantities import CURRENCIES


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a table's row, put together from the cells it is drawn in."""

    text: str
    """As printed, without blanks inside its brackets and without notes' marks: "$(10,959)"."""
    column: int
    """The column of the cell that holds the digits."""
    first: int
    """The first column that a part of it stands in."""
    last: int
    """The last column that a part of it stands in, spans counted."""
    spaced: str = ""
    """As the row's text has it, cells parted by a space: "$ (10,959 )"."""

    @property
    def is_year(self) -> bool:
        """Four digits that may name a year, from 1900 to 2100, with nothing beside them."""
        return len(self.text) == 4 and self.text.isdigit() and "1900" <= self.text <= "2100"


_MONEY = rf"(?:[A-Z]{{1,3}})?[{re.escape(CURRENCY_SIGNS)}]|[A-Z]{{3}}|Rs\.?|kr\.?|Fr\.?|zł|Kč"
_DASHES = r"‐‑‒–—―−﹘﹣－\-"
_MINUS = rf"[(（{_DASHES}{NEGATIVE_MARKS}+]"
_DIGITS = r"\d{1,3}(?:[ \u00a0\u2007\u2009\u202f]\d{3})+(?:[.,]\d+)?|\d[\d.,'’]*(?<![.,'’])|[.,]\d+"
_SCALE = (
    r"thousand|million|billion|trillion|mn|bn|[mb]illions?|Mio\.?|Mrd\.?|Mill?\.|TEUR|crore|lakh|"
    r"[mMbBkK](?![a-z])|[千百十]*[万億兆亿]?[円元]?"
)
_UNIT = rf"%|‰|％|pp|pts?\.?|points?|bps?|x|times|days?|shares?|percent|per cent|{_MONEY}"
_NOTE = (
    r"\s?(?:\(\w{1,2}\)|\[\w{1,2}\]|[*†‡§]+|[a-z]\)|(?<=\d)\s\d{1,2}(?!\d)"
    r"|[⁰¹²³⁴-⁹ᵃ-ᵉ]{1,2}|(?<=\d)\s[ac-jln-z](?![^\W_]))"
)
_NUMBER = re.compile(
    rf"(?P<figure>(?:{_MONEY})?\s?(?:{_MINUS})?\s?(?:{_MONEY})?\s?(?P<digits>{_DIGITS})"
    rf"\s?(?:%|‰)?\s?[)）]?(?:\s?(?:{_SCALE}))?(?:\s?(?:{_UNIT})){{0,2}})(?:{_NOTE}){{0,3}}"
)
_PREFIX = re.compile(rf"(?:{_MONEY})?\s?[(（]?\s?(?:{_MONEY})?|[{NEGATIVE_MARKS}]")
_SUFFIX = re.compile(rf"(?:[%％]\s?)?[)）]?\s?(?:%|‰|％|pp|pts?\.?|x|{_MONEY})?(?:\([a-z]\)|[*†‡§]){{0,2}}")
_CODE = re.compile(r"[A-Z]{3}")
_OTHER_CODES = frozenset({"RMB", "NIS"})
_DASH = re.compile(rf"(?:{_MONEY})?\s?[{_DASHES}]{{1,2}}\s?(?:%|{_MONEY})?")
_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2}")
_NOTE_BEFORE = re.compile(r"^(?:※\s?\d{1,2}|\*{1,2}|\(\d\)(?=\s*\d{1,3},))\s*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LONGEST = 48


_Cells = Sequence[tuple[str, int, int]]


def figures_of(cells: _Cells) -> tuple[Figure, ...]:
    """The figures of a row, given as (text, column, columns reached) from left to right, blank cells left out.

    A dash alone is a figure (zero, as statements print it); words, dates and ranges are none.
    """
    figures: list[Figure] = []
    free = 0
    """The first cell that belongs to no figure yet."""
    for index, (text, column, _) in enumerate(cells):
        core = _core(text) if index >= free else None
        if core is None:
            continue
        begin = _begin(cells, index, free)
        end = _end(cells, index, core)
        parts = [cell for cell, _, _ in cells[begin:end]]
        whole = "".join((*parts[: index - begin], core, *parts[index - begin + 1 :]))
        last = cells[end - 1]
        figures.append(Figure(_close(whole), column, cells[begin][1], last[1] + last[2] - 1, " ".join(parts)))
        free = end
    return tuple(figures)


@lru_cache(maxsize=16_384)
def _core(text: str) -> str | None:
    """The figure that `text` writes, without notes' marks; None when it writes none."""
    if not text or len(text) > _LONGEST:
        return None
    if not any(map(str.isdigit, text)):
        return text if _DASH.fullmatch(text) else None
    match = _NUMBER.fullmatch(_NOTE_BEFORE.sub("", text))
    if not match or _DATE.fullmatch(match["digits"]) or not _codes_known(text):
        return None
    return match["figure"].strip()


def _codes_known(text: str) -> bool:
    """Whether three capitals in `text` are a currency: "USD 5" is a figure, "MAY 2023" and "EPS" are none."""
    return text.upper() != text or all(code in CURRENCIES or code in _OTHER_CODES for code in _CODE.findall(text))


def _begin(cells: _Cells, index: int, free: int) -> int:
    """The cell in which the figure of cell `index` begins: a currency sign or a bracket may stand before it."""
    at = index
    following = cells[index + 1][0] if index + 1 < len(cells) else ""
    if index == 1 and _YEAR.fullmatch(cells[1][0]) and _YEAR.fullmatch(following):
        return index  # a row of years is a head, and the sign at its left is the table's unit: "T€ | 2023 | 2022"
    while at > free and index - at < 2 and _is_prefix(cells[at - 1][0]):
        at -= 1
    return at


@lru_cache(maxsize=4096)
def _is_prefix(text: str) -> bool:
    return len(text) <= 5 and bool(_PREFIX.fullmatch(text)) and _codes_known(text)


def _end(cells: _Cells, index: int, core: str) -> int:
    """The cell behind the last one of the figure of cell `index`: a bracket or a percent sign may follow."""
    at = index + 1
    while at < len(cells) and at - index <= 2 and not core.endswith(("%", "％")):
        text = cells[at][0]
        sign_of_next = _is_prefix(text) and at + 1 < len(cells) and _core(cells[at + 1][0]) is not None
        if len(text) > 8 or sign_of_next or not _SUFFIX.fullmatch(text):
            break
        core += text
        at += 1
    return at


_ENDS_PLAINLY = tuple("0123456789%")
_INNER = re.compile(r"(?<=[(（])\s+|\s+(?=[)）])")
_NOTES = re.compile(rf"(?:{_NOTE}){{1,3}}$")


def _close(text: str) -> str:
    """`text` with no blanks inside its brackets and no marks of notes behind them."""
    if text[-1:] in _ENDS_PLAINLY and " " not in text and text.isprintable():
        return text  # No blank and no mark is in it.
    text = _INNER.sub("", text)
    if text.count("(") > text.count(")") and not text.endswith(")"):
        return text
    cut = _NOTES.sub("", text)
    return cut if any(map(str.isdigit, cut)) and cut.count("(") == cut.count(")") else text

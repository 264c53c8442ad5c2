"""Which marks a document writes in its numbers, told by those of its numbers that can be read in one way only."""

from __future__ import annotations

import re
from typing import Literal

from cellwright.records.quantities import QuantityError, read_number

Marks = Literal["point", "comma", ""]
"""The decimal mark that a document writes; empty where its numbers do not tell."""

_POINT = re.compile(
    r"(?<![\d.,/:-])(?:\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:,\d{3}){2,}|\d+\.\d{1,2}|\d{4,}\.\d+|0\.\d+)(?![\d/:-]|[.,]\d)"
)
_COMMA = re.compile(
    r"(?<![\d.,/:-])(?:\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|\d+,\d{1,2}|\d{4,},\d+|0,\d+)(?![\d/:-]|[.,]\d)"
)
_MOST = 400
_REACH = 200_000
"""Characters from the beginning that are looked at: a report says it in its first statements."""
_FEWEST = 5
_TIMES = 4
"""There must be a few of one kind, and so many times as many as of the other: section numbers (`3.1`) and lists
(`3,4`) look like decimals."""


def decimal_mark(text: str) -> Marks:
    """`point` or `comma`, where the numbers of `text` that only one of them fits say so with a large majority."""
    points, commas = (
        sum(1 for _, _ in zip(pattern.finditer(text, 0, _REACH), range(_MOST), strict=False))
        for pattern in (_POINT, _COMMA)
    )
    if points >= max(_FEWEST, _TIMES * commas):
        return "point"
    return "comma" if commas >= max(_FEWEST, _TIMES * points) else ""


def two_readings(as_written: str, locale: str, told: Marks) -> str:
    """Why `as_written` may be two numbers, both named; empty where its locale or its document tells which it is.

    `3.597` is read one way or the other where the source has no locale, or writes its decimals with that mark, and
    no other number of the document confirms it (`told`, by `decimal_mark`): three digits after a lone mark may be
    a group of thousands.
    """
    both = _both(as_written)
    if not both:
        return ""
    mark = next(char for char in as_written if char in ".,")
    decimal: Marks = "point" if mark == "." else "comma"
    if not locale:
        used: Marks = "point"  # what is read where nothing is said
        return "" if told == used else f"{both}: its source has no locale{_against(told)}"
    grouped = _is_grouped(as_written, locale)
    if grouped:
        return f"{both}: the locale is {locale}{_against(told)}" if told == decimal else ""
    return "" if told == decimal else f"{both}: the locale is {locale}{_against(told) or ', and no other number tells'}"


def _against(told: Marks) -> str:
    return f", and the document writes its decimals with a {told}" if told else ""


def _both(as_written: str) -> str:
    """The two numbers that `as_written` may be, in the words of the reader; empty where it is one, or none."""
    try:
        read_number(as_written, locale="", table_cell=True)
    except QuantityError as error:
        what = error.problems[0].what
        return what if what.startswith("two readings fit") else ""
    return ""


def _is_grouped(as_written: str, locale: str) -> bool:
    """Whether the locale reads the mark as grouping; also where it cannot read the number at all."""
    try:
        return read_number(as_written, locale=locale, table_cell=True).place == 0
    except QuantityError:
        return True

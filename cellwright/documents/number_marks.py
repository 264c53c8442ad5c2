"""Which marks a document writes in its numbers, told by those of its numbers that can be read in one way only."""

from __future__ import annotations

import re
from collections import Counter
from typing import Literal

from cellwright.records.quantities import QuantityError, read_number

Marks = Literal["point", "comma", ""]
"""The decimal mark that a document writes; empty where its numbers do not tell."""

_POINT = r"\d{0,2}(?:,\d{3})+\.\d+|\d{0,2}(?:,\d{3}){2,}|\d*\.\d{1,2}|\d{3,}\.\d+|(?<=0)\.\d+"
_COMMA = r"\d{0,2}(?:\.\d{3})+,\d+|\d{0,2}(?:\.\d{3}){2,}|\d*,\d{1,2}|\d{3,},\d+|(?<=0),\d+"
# The first digit is matched before anything is asked of what stands on its left, so that the search hops from digit
# to digit: begun with the look behind, it tries every letter of a page, and took longer than most rules together.
_TELLS = re.compile(rf"\d(?<![\d.,/:-]\d)(?=\d*[.,]\d)(?:(?P<point>{_POINT})|(?P<comma>{_COMMA}))(?![\d/:-]|[.,]\d)")
_MOST = 400
_REACH = 200_000
"""Characters from the beginning that are looked at: a report says it in its first statements."""
_FEWEST = 5
_TIMES = 4
"""There must be a few of one kind, and so many times as many as of the other: section numbers (`3.1`) and lists
(`3,4`) look like decimals."""


def decimal_mark(text: str) -> Marks:
    """`point` or `comma`, where the numbers of `text` that only one of them fits say so with a large majority."""
    found = Counter(match.lastgroup for match in _TELLS.finditer(text, 0, _REACH))
    points, commas = min(found["point"], _MOST), min(found["comma"], _MOST)
    if points >= max(_FEWEST, _TIMES * commas):
        return "point"
    return "comma" if commas >= max(_FEWEST, _TIMES * points) else ""


def two_readings(as_written: str, locale: str, told: Marks) -> str:
    """Why `as_written` may be two numbers, both named; empty where its locale or its document tells which it is.

    `3.597` is read one way or the other where the source has no locale, or writes its decimals with that mark, and
    no other number of the document confirms it (`told`, by `decimal_mark`): three digits after a lone mark may be
    a group of thousands.
    """
    mark = next((char for char in as_written if char in ".,"), "")
    untold = _untold(as_written, mark, locale, told) if mark else ""
    both = _both(as_written) if untold else ""  # asked last: it reads the number by every mark
    return f"{both}: {untold}" if both else ""


def _untold(as_written: str, mark: str, locale: str, told: Marks) -> str:
    """Why neither the locale nor the document tells whether `mark` is decimal; empty where one of them does."""
    decimal: Marks = "point" if mark == "." else "comma"
    if not locale:
        used: Marks = "point"  # what is read where nothing is said
        return "" if told == used else f"its source has no locale{_against(told)}"
    if _is_grouped(as_written, locale):
        return f"the locale is {locale}{_against(told)}" if told == decimal else ""
    return "" if told == decimal else f"the locale is {locale}{_against(told) or ', and no other number tells'}"


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

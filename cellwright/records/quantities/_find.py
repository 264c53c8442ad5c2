"""`find_numbers`: every number of a running text, each with the span it is printed on.

The digits are found first; what belongs to them is then taken in from the left and from the right
(`_around`). The span is read by `read_number`, so that both always agree. Time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cellwright.records.quantities._around import left_of, right_of
from cellwright.records.quantities._east_asian import MIXED
from cellwright.records.quantities._locale import Marks, marks
from cellwright.records.quantities._plain import DASHES, GROUP_SPACES
from cellwright.records.quantities._read import POWER, read_number
from cellwright.records.quantities._reading import QuantityError, Reading

_BODIES = {
    plain_space: re.compile(
        rf"\d(?:\d{{0,2}}(?:(?:[{spaces}]\d{{3}}(?!\d))+"
        r"|(?=(?: \d{3}){0,8} 0\d\d(?!\d))(?: \d{3}(?!\d)){1,9})(?:[.,٫]\d+)?"  # 1 000 000: see `_digits`
        r"|\d*(?:[.,'’٫٬．，]\d+)*)"
    )
    for plain_space, spaces in ((False, GROUP_SPACES), (True, GROUP_SPACES + " "))
}
_JOINTS = frozenset(DASHES + "/:^")
_CHAIN = re.compile(rf"[\d.,]+(?:[{re.escape(DASHES)}/:^][\d.,]*\d)+")
_SECTION = re.compile(r"\d{1,4}\([A-Za-z]{1,3}\)")
"""401(k), 13(d): the number of a section, while 1,234(a) is a figure with a footnote."""
_EAST_ASIAN = frozenset("兆億亿万萬조억만")
_LONGEST = 60
"""No number that can be read is written in more digits and marks."""


def find_numbers(text: str, *, locale: str = "en") -> Iterator[tuple[int, int, Reading]]:
    """Each number of `text` as (start, end, reading), from left to right; `text[start:end]` is its span.

    The span takes in what is attached: sign, brackets around the number alone, currency, percent sign,
    scale word. A number alone in brackets is read as a statement prints it, negative; who reads prose looks
    at the span. Left out are figures glued into words (FY2023, 10-K, COVID-19), dates, times, versions,
    telephone numbers and other chains of figures (2023-12-31, 1/2, 12:30), and whatever `read_number`
    refuses under `locale`. A dash between two figures (2022-2023, 5-7%) is a range and no minus.
    """
    known = marks(locale)
    done = 0
    for match in _BODIES[known.plain_space].finditer(text):
        start, end = match.span()
        if start < done:
            continue
        if text[end : end + 1] in _JOINTS:
            chain = _chain_end(text, start, end)
            if chain:
                done = chain
                continue
        if end - start > _LONGEST:
            continue
        span = _span(text, start, end, known)
        if span is None or span[0] < done:
            continue
        try:
            reading = read_number(text[span[0] : span[1]], locale=locale)
        except QuantityError:
            continue
        done = span[1]
        yield span[0], span[1], reading


def _chain_end(text: str, start: int, end: int) -> int:
    """Where a chain of figures ends that is neither number nor range of two numbers; 0 if there is none."""
    chain = _CHAIN.match(text, start)
    if chain is None:
        return 0
    joints = [char for char in text[end : chain.end()] if char in _JOINTS]
    return chain.end() if len(joints) > 1 or joints[0] in "/:^" else 0


def _span(text: str, start: int, end: int, known: Marks) -> tuple[int, int] | None:
    """The span of the number whose digits stand at [start, end); None where they are no number."""
    left = left_of(text, start, known)
    follower = text[end : end + 1]
    if left is None or (follower == "(" and _SECTION.match(text, start)):
        return None
    longer = MIXED.match(text, start) if follower in _EAST_ASIAN else POWER.match(text, end)
    end = max(end, longer.end()) if longer is not None else end
    right = right_of(text, end, known, opened=left.first != left.inner, money=left.money)
    if right is None:
        return None
    return (left.first if right.closed else left.inner), right.last

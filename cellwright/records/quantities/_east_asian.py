"""Numbers written in steps of ten thousand: 1兆2,345億, 3億5000万."""

from __future__ import annotations

import re
from decimal import Decimal

from cellwright.records.decimals import CONTEXT

_STEP = r"[0-9０-９]{1,3}(?:[,，]?[0-9０-９]{3})?(?:[.．][0-9０-９]{1,6})?"
_WORDS = "[兆億亿万萬조억만]"
MIXED = re.compile(rf"{_STEP}(?:{_WORDS}{_STEP}){{1,3}}{_WORDS}?(?![0-9０-９.,．，]|{_WORDS})")
_PIECES = re.compile(rf"({_STEP})({_WORDS}?)")
_POWERS = {"兆": 12, "조": 12, "億": 8, "亿": 8, "억": 8, "万": 4, "萬": 4, "만": 4}


def read_mixed(body: str) -> tuple[Decimal, int, int] | None:
    """Magnitude, place of the last digit and scale of a number in steps; None where the steps do not fall.

    1兆2,345億 is 12345 at scale 8: the digits up to the last step, at the scale of that step. `body` is in
    plain form (see `_plain`).
    """
    pieces = [(digits.replace(",", ""), _POWERS.get(word, 0)) for digits, word in _PIECES.findall(body)]
    scale = pieces[-1][1]
    total, above = Decimal(0), None
    for digits, power in pieces:
        whole, _, part = digits.partition(".")
        too_large = above is not None and (power >= above or len(whole) > above - power)
        if too_large or (part and power != scale):
            return None
        total = CONTEXT.add(total, Decimal(digits).scaleb(power - scale, CONTEXT))
        above = power
    return total, -len(pieces[-1][0].partition(".")[2]), scale

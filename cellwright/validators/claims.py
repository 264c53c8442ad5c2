"""What a curator says of a near miss: `29% above`, `34 % below`, `0.4 pp above` (design, section 3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from cellwright.records.decimals import CONTEXT

_CLAIM = re.compile(
    r"\s*(?:about |around )?(\d{1,12}(?:\.\d{1,12})?)\s{0,3}(%|percent|pp)\s{0,3}"
    r"(above|below|over|under|higher|lower|more|less|too high|too low)\s*",
    re.IGNORECASE,
)
_UP = ("above", "over", "higher", "more", "too high")
FORM = "`29% above` or `34% below`; for percent cells also `0.4 pp above`"


@dataclass(frozen=True, slots=True)
class Claim:
    """How far a near miss is said to lie from the reference; below is negative."""

    size: Decimal
    points: bool
    """Whether `size` is in percentage points; else it is in percent of the reference."""


def read_claim(text: str) -> Claim:
    """The claim that `text` makes; ValueError says what a claim looks like."""
    match = _CLAIM.fullmatch(text) if len(text) <= 80 else None
    if match is None:
        raise ValueError(FORM)
    size = Decimal(match[1])
    return Claim(size if match[3].lower() in _UP else -size, match[2].lower() == "pp")


def distance(value: Decimal, reference: Decimal, points: bool) -> Decimal | None:
    """How far `value` lies from the reference, in points or percent of it; None where the reference is 0."""
    difference = CONTEXT.subtract(value, reference)
    if points:
        return difference
    if not reference:
        return None
    return CONTEXT.multiply(CONTEXT.divide(difference, abs(reference)), Decimal(100))


def in_words(size: Decimal, points: bool) -> str:
    """`29.1% above`, with one decimal (two for points)."""
    rounded = abs(size).quantize(Decimal("0.01") if points else Decimal("0.1"))
    return f"{rounded}{' pp' if points else '%'} {'below' if size < 0 else 'above'}"

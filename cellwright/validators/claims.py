"""What a curator says of a near miss: `29% above`, `34 % below`, `0.4 pp above`, `3 times`, `half` (design, section 3).

Percent and multiples are of the reference, never of the near miss. A direction without a number says nothing that
could be checked, and is no claim.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from cellwright.records.decimals import CONTEXT

_NUMBER = r"(\d{1,12}(?:\.\d{1,12})?)"
_CLAIM = re.compile(
    r"\s*(?:about |around )?" + _NUMBER + r"\s{0,3}(%|percent|pp)\s{0,3}"
    r"(above|below|over|under|higher|lower|more|less|too high|too low)\s*",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"\s*(?:about |around )?(?:" + _NUMBER + r"\s{0,3}(?:times|x|×)|(half|twice|double|a third|a quarter|a tenth))"
    r"(?: (of it|the answer|as much|as large|as high|as small|as low|too large|too high|too small|too low))?\s*",
    re.IGNORECASE,
)
_UP = ("above", "over", "higher", "more", "too high")
_DOWN = ("as small", "as low", "too small", "too low")
_WORDS = {"half": "0.5", "twice": "2", "double": "2", "a third": "0.33", "a quarter": "0.25", "a tenth": "0.1"}
_WORD_SLACK = Decimal("0.05")
"""How far off a multiple in words may be, as a part of it."""
FORM = "`29% above` or `34% below`; for percent cells also `0.4 pp above`; or `3 times`, `half`"


@dataclass(frozen=True, slots=True)
class Claim:
    """How far a near miss is said to lie from the reference; below is negative."""

    size: Decimal
    points: bool
    """Whether `size` is in percentage points; else it is in percent of the reference."""
    times: bool = False
    """Whether `size` is how many times the reference the near miss is."""
    digit: Decimal = Decimal(1)
    """One unit of the last digit that the claim writes; of a multiple in words how far it may be off."""


def read_claim(text: str) -> Claim:
    """The claim that `text` makes; ValueError says what a claim looks like."""
    if len(text) > 80:
        raise ValueError(FORM)
    match = _CLAIM.fullmatch(text)
    if match is not None:
        size, digit = Decimal(match[1]), _last_digit(match[1])
        return Claim(size if match[3].lower() in _UP else -size, match[2].lower() == "pp", digit=digit)
    match = _TIMES.fullmatch(text)
    if match is None:
        raise ValueError(FORM)
    return _multiple(match[1], match[2], (match[3] or "").lower())


def _multiple(number: str | None, word: str | None, tail: str) -> Claim:
    text = number or _WORDS[(word or "").lower()]
    size = Decimal(text)
    if not size or (word and tail in _DOWN):
        raise ValueError(FORM)
    digit = CONTEXT.multiply(size, _WORD_SLACK) if word else CONTEXT.divide(_last_digit(text), Decimal(2))
    if tail in _DOWN:  # 3 times too small: a third, and as near to it as 3 is told
        digit = CONTEXT.divide(digit, CONTEXT.multiply(size, size))
        size = CONTEXT.divide(Decimal(1), size)
    return Claim(size, False, True, digit)


def _last_digit(text: str) -> Decimal:
    return Decimal((0, (1,), -len(text.partition(".")[2])))


def holds(claim: Claim, value: Decimal, reference: Decimal, slack: Decimal) -> bool:
    """Whether the near miss lies where it is said to, within so many units of the claim's last digit.

    `reference` is not 0 but for a claim in points. What lies on the other side of the reference never does.
    """
    if claim.times:
        real = CONTEXT.divide(value, reference)
        return abs(CONTEXT.subtract(real, claim.size)) <= claim.digit
    found = distance(value, reference, claim.points)
    if found is None or (found and claim.size and (found > 0) != (claim.size > 0)):
        return False
    return abs(CONTEXT.subtract(found, claim.size)) <= CONTEXT.multiply(slack, claim.digit)


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


def really(claim: Claim, value: Decimal, reference: Decimal) -> str:
    """What would be true in the claim's own form."""
    if claim.times:
        return f"{CONTEXT.divide(value, reference):.2f} times"
    found = distance(value, reference, claim.points)
    return in_words(found if found is not None else Decimal(0), claim.points)

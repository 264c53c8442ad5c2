"""Small numbers written as words in running text: "two reportable segments", "no impairment", "twenty-five"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_SMALL = {word: number for number, word in enumerate((*_UNITS.split(), "seventeen", "eighteen", "nineteen"))}
_SMALL |= {"no": 0, "none": 0, "nil": 0}
_TEN_WORDS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_TENS = {word: 10 * number for number, word in enumerate(_TEN_WORDS, start=2)}
_POWERS = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_WORD = "|".join((*_SMALL, *_TENS, *_POWERS))
_NUMBER = re.compile(rf"(?<![\w-])(?:{_WORD})(?:(?:-|\s+and\s+|\s+)(?:{_WORD})){{0,11}}(?![\w-])", re.IGNORECASE)
LONGEST = 120
"""No number in words is longer, in characters."""


def read_words(text: str) -> Decimal | None:
    """The whole number that all of `text` spells ("twenty-five", "one hundred and two"); None for anything else.

    "no" and "none" are zero, as in "no impairment losses".
    """
    if len(text) > LONGEST:
        return None
    words = [word for word in re.split(r"[\s-]+", text.strip().lower()) if word != "and"]
    if len(words) == 1 and words[0] in _SMALL:
        return Decimal(_SMALL[words[0]])
    if not words or any(_SMALL.get(word) == 0 for word in words):
        return None
    return _sum(words)


def _sum(words: list[str]) -> Decimal | None:
    """The number of several words; None where their order spells none ("two two", "hundred twenty")."""
    total = part = 0
    room = 10**12
    """What the next word must be smaller than, within its group of three digits."""
    largest = 10**12
    for word in words:
        number = _SMALL.get(word) or _TENS.get(word)
        if number is not None:
            if number >= room:
                return None
            part += number
            room = 10 if number >= 20 else 1
        elif word == "hundred" and 0 < part < 100:
            part, room = part * 100, 100
        elif word in _POWERS and word != "hundred" and part and _POWERS[word] < largest:
            total, part, largest, room = total + part * _POWERS[word], 0, _POWERS[word], 10**12
        else:
            return None
    return Decimal(total + part)


def find_words(text: str) -> Iterator[tuple[int, int, Decimal]]:
    """Each number in words of a running text as (start, end, number), from left to right."""
    for match in _NUMBER.finditer(text):
        value = read_words(match[0])
        if value is not None:
            yield match.start(), match.end(), value


__all__ = ["find_words", "read_words"]

"""Numbers of an open text compared with values that are sealed, by their digits alone.

Marks, signs and scales are left aside, so that `1,234,567`, `1.234.567` and `1.234567 million` are one number. A
number of the open text that the question gives itself (an assumption, an ask) tells nothing and is left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

LEAST_DIGITS = 5
"""Digits from which on a value is looked for (design, section 7): shorter ones meet others by chance."""

_SPLIT = re.compile(r"([.,'’ \u00a0\u2009\u202f_٫٬·])")
_RUN = re.compile(r"\d+(?:[.,'’ \u00a0\u2009\u202f_٫٬·]\d+)*")
_POINTS = frozenset(".,٫·")
_MOST_GROUPS = 9
_SUM = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
"""A sha256: its digits are no number."""

Spot = tuple[str, int]
"""A file and a line."""


def digits_of(text: str) -> str:
    """The decimal digits of a text in any script, as ASCII."""
    return "".join(str(unicodedata.decimal(char)) for char in text if char.isdecimal())


def significant(digits: str) -> str:
    """The digits without zeros at either end: the same at every scale."""
    return digits.strip("0")


def numbers_in(text: str) -> Iterator[str]:
    """The digits of every number that stands in the text, and of every number that a part of one may be.

    `in 2023 383,285` may hold 2023 and 383285 and each of their groups.
    """
    for match in _RUN.finditer(_SUM.sub(" ", text)):
        parts = _SPLIT.split(match[0])
        groups, marks = [digits_of(part) for part in parts[::2]], parts[1::2]
        for first in range(len(groups)):
            joined = groups[first]
            yield joined
            last = first + _MOST_GROUPS
            for mark, group in zip(marks[first : last - 1], groups[first + 1 : last], strict=True):
                if mark not in _POINTS and len(group) not in (2, 3):
                    break
                joined += group
                yield joined


class OpenNumbers:
    """The numbers of the open texts that the question does not give, to be asked for a value."""

    def __init__(self, texts: Mapping[str, Sequence[str]], given: Iterable[str]) -> None:
        known = {number for text in given for number in numbers_in(text)}
        scaled = {significant(number) for number in known}
        self._whole: dict[str, Spot] = {}
        self._by_head: dict[str, list[tuple[str, Spot]]] = defaultdict(list)
        seen = set()
        for file, lines in texts.items():
            for line, text in enumerate(lines, 1):
                for number in numbers_in(text):
                    bare = number.lstrip("0")
                    if len(bare) < LEAST_DIGITS or number in known or number in seen:
                        continue
                    seen.add(number)
                    self._whole.setdefault(bare, (file, line))
                    core = significant(number)
                    if len(core) >= LEAST_DIGITS and core not in scaled:
                        self._by_head[core[:LEAST_DIGITS]].append((core, (file, line)))

    def spot_of(self, value: str) -> Spot | None:
        """Where the value stands, whole or rounded or cut to five digits or more; None where it does not.

        A value with fewer digits that say something (`120000`) must stand as it is written.
        """
        if not self._whole:
            return None
        digits = digits_of(value).lstrip("0")
        core = significant(digits)
        if len(core) < LEAST_DIGITS:
            return self._whole.get(digits) if len(digits) >= LEAST_DIGITS else None
        head = core[:LEAST_DIGITS]
        for start in (head, str(int(head) + 1)):
            for number, spot in self._by_head.get(start, ()):
                if _same(number, core):
                    return spot
        return None


def _same(number: str, value: str) -> bool:
    """Whether a number is the value, or the value cut or rounded to the number's last digit."""
    if len(number) >= len(value):
        return number == value
    cut, following = value[: len(number)], value[len(number)]
    return number == cut or (following >= "5" and int(number) == int(cut) + 1)

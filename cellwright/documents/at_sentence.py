"""A number of a sentence, in figures or in words: its sign, its scale, and what sort of number it is.

A scale is taken from the number's own words ("$2.6 billion"), else from brackets earlier in the sentence ("was (in
millions): 2023–$41.7"), else from what stands around the sentence: the table of which it is a row's label, or the
document where it says "dollars in millions, unless otherwise noted" of all that it tells.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from decimal import Decimal

from cellwright.documents import scales
from cellwright.documents.kinds import FigureKind
from cellwright.documents.number_words import find_words, read_words
from cellwright.documents.scales import Scales, read_scales
from cellwright.records.decimals import CONTEXT
from cellwright.records.quantities import Reading, find_numbers

_PERCENTS = ("percent", "pp", "bp", "permille")
_RATIO = re.compile(r"(?<![\w.-])(\d{1,5}|[a-z]{2,9})-for-(\d{1,5}|[a-z]{2,9})(?![\w-])", re.IGNORECASE)
_RANGE = re.compile(
    r"\s?(?:[-‐-―−]|to|and|or)\s?(?:\d[\d.,]{0,18})\s?(%|percent\b|per\s?cent\b|basis\s+points\b|bps?\b)", re.IGNORECASE
)
_DASH_OF_RANGE = re.compile(r"[—–-]\s?%?\s?[-‐-―−]\s?\d[\d.,]{0,18}\s?%")
_DASHES = "-‐‑‒–—―−"
_DECLARED = re.compile(r"\((?:[\w$€£¥.]{1,12}\s){0,3}in\s[^()]{4,80}\)", re.IGNORECASE)
_SENTENCE = re.compile(r"[.;!?]\s+(?=[A-Z])")
_OF_A_LIST = re.compile(r"(?:(?:19|20)\d\d|[A-Z][a-z]{3,12})\s?[-‐-―−:]\s?[$€£¥]?\s?$")
_PAR = re.compile(r"\bpar\b|\bstated\s+value\b", re.IGNORECASE)
_NEAR = 60
_SHARES = re.compile(r"\b(?:shares|units|rsus|psus|options|awards)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A line of text with what stands around it."""

    line: str
    scales: Scales = field(default_factory=Scales)
    """What is said of all figures around it."""
    is_label: bool = False
    """It is the label of a table's row: numbers of shares in it are in the table's scale."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A number of a sentence."""

    text: str
    value: Decimal
    scale: int
    kind: FigureKind
    unit: str


def number_at(sentence: Sentence, at: int, locale: str = "en") -> Numbered | None:
    """The number in which place `at` of the sentence lies; None where there is none.

    Words for small numbers count ("two segments", "no impairment"), and both sides of "20-for-1".
    """
    line = sentence.line
    ratio = next((match for match in _RATIO.finditer(line) if match.start() <= at < match.end()), None)
    if ratio is not None:
        side = ratio[1] if at < ratio.end(1) else ratio[2]
        value = Decimal(side) if side.isdigit() else read_words(side)
        return Numbered(ratio[0], value, 0, "count", "") if value is not None else None
    for start, stop, reading in find_numbers(line, locale=locale):
        if start <= at < stop:
            return _meant(sentence, start, stop, _in_range(line, stop, reading))
    if _DASH_OF_RANGE.match(line, at):
        return Numbered(line[at], Decimal(0), 0, "percent", "percent")
    for start, stop, value in find_words(line):
        if start <= at < stop:
            return Numbered(line[start:stop], value, 0, "count", "")
    return None


def with_scale(sentence: Sentence, start: int, stop: int, reading: Reading) -> Reading:
    """A number of the sentence with the scale that stands around it, where its own words give none."""
    scale = _meant(sentence, start, stop, reading).scale
    return reading if scale == reading.scale else replace(reading, scale=scale)


def _in_range(line: str, stop: int, reading: Reading) -> Reading:
    """The first number of "22.7-22.9%" and of "between 1.5 and 4.0 basis points" has the unit of the second."""
    match = _RANGE.match(line, stop) if not reading.unit and not reading.scale else None
    if match is None:
        return reading
    return replace(reading, unit="bp" if match[1].lower().startswith("b") else "percent")


def _meant(sentence: Sentence, start: int, stop: int, reading: Reading) -> Numbered:
    line = sentence.line
    kind = _kind(sentence, start, stop, reading)
    value = reading.value
    if value < 0 and line[start] in _DASHES and (kind == "shares" or _separates(line, start)):
        value = -value  # "authorized – 2,400 shares": a dash between words and a number parts them
    scale = reading.scale
    if not scale and kind in ("money", "shares", "count"):
        scale = _scale(sentence, start, kind, reading)
        value = value.scaleb(scale, CONTEXT) if scale else value
    return Numbered(line[start:stop], value, scale, kind, reading.unit)


def _separates(line: str, start: int) -> bool:
    """Whether the dash parts what stands before it from the number: "2023–$41.7", "authorized – 165.0"."""
    before = line[:start]
    if before[-1:].isalnum() or before[-1:] in ("%", ")"):
        return True
    return before.rstrip()[-1:].isalnum() and line[start + 1 : start + 2].isspace()


def _kind(sentence: Sentence, start: int, stop: int, reading: Reading) -> FigureKind:
    if reading.unit in _PERCENTS:
        return "percent"
    line = sentence.line
    before = re.split(r"\d", line[max(0, start - _NEAR) : start])[-1]
    behind = re.split(r"\d", line[stop : stop + _NEAR], maxsplit=1)[0]
    clause = re.split(r"[,;(]", behind, maxsplit=1)[0]
    if reading.unit:
        told = scales.is_per_share(clause) or _PAR.search(clause) or _PAR.search(before)
        return "per_share" if told or (reading.place < -1 and scales.is_per_share(before)) else "money"
    if _SHARES.search(clause) or (sentence.is_label and re.search(r"\bshares\b", line, re.IGNORECASE)):
        return "shares"
    return "shares" if re.search(r"\bshares\b[^.;]*$", before, re.IGNORECASE) else "count"


def _scale(sentence: Sentence, start: int, kind: FigureKind, reading: Reading) -> int:
    told = _declared(sentence.line, start)
    if told is not None:
        said = told.shares if kind in ("shares", "count") else told.money
        return said or 0
    around = sentence.scales
    if sentence.is_label:
        return (around.shares if kind == "shares" else around.money if kind == "money" else 0) or 0
    # In running text what is written in full, or with cents, is not meant in millions.
    whole = kind == "money" and reading.place > -2 and reading.magnitude < 1_000_000
    return (around.money or 0) if whole else 0


def _declared(line: str, start: int) -> Scales | None:
    """What brackets before the number say of its scale; they hold to the sentence's end, in a list to the list's."""
    last = None
    for match in _DECLARED.finditer(line, 0, start):
        said = read_scales(match[0])
        if said.money is not None or said.shares is not None:
            last = (match.end(), said)
    if last is None:
        return None
    goes_on = not _SENTENCE.search(line, last[0], start) or _OF_A_LIST.search(line[max(0, start - 24) : start + 1])
    return last[1] if goes_on else None

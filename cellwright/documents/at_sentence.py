"""A number of a sentence, in figures or in words, and what sort of number it is."""

from __future__ import annotations

from cellwright.documents import scales
from cellwright.documents.kinds import FigureKind
from cellwright.documents.number_words import find_words
from cellwright.records.quantities import Reading, find_numbers


def figure_in_sentence(line: str, at: int, locale: str = "en") -> tuple[Reading, FigureKind] | None:
    """The number in which place `at` of the line lies, with its kind; None where there is none."""
    for start, stop, reading in find_numbers(line, locale=locale):
        if start <= at < stop:
            return reading, _kind(reading, line, start, stop)
    for start, stop, value in find_words(line):
        if start <= at < stop:
            return Reading(line[start:stop], value, False, 0, 0, ""), "count"
    return None


def _kind(reading: Reading, line: str, start: int, stop: int) -> FigureKind:
    if reading.unit in ("percent", "pp", "bp", "permille"):
        return "percent"
    behind = line[stop : stop + 60]
    if reading.unit:
        return "per_share" if scales.is_per_share(behind) else "money"
    return "shares" if "shares" in behind.lower() else "count"

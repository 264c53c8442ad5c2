"""A line of a PDF's page told apart: the words of its label, and the figures that stand in columns at its end."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cellwright.documents.quotes import CURRENCY_SIGNS, NEGATIVE_MARKS

_SIGN = re.escape(CURRENCY_SIGNS)
_DASH = r"‐‑‒–—―−\-"
_NUMBER = r"(?:\d{1,3}(?:[,.'’]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?|\.\d+)"
_FIGURE = re.compile(
    rf"(?<!\S)(?:(?:US|C|A|HK|NT|R)?[{_SIGN}]\s?)?(?:[(]\s?|[{_DASH}{NEGATIVE_MARKS}])?(?:[{_SIGN}]\s?)?{_NUMBER}"
    rf"(?:\s?%)?(?:\s?\))?(?:\s?[%x](?!\w))?(?:\(\w\))?(?!\S)"
    rf"|(?<!\S)(?:[{_SIGN}]\s?)?[{_DASH}]{{1,2}}(?:\s?%)?(?!\S)"
    r"|(?<!\S)(?:NM|N/M|n/m|nm|N\.M\.|N/A|n/a|\*{1,3})(?!\S)"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_SMALL = re.compile(r"\(?\d{1,2}\)?")
# A number right behind one of these words belongs to the label: "Level 3", "notes due 2026".
_NUMBERED = re.compile(
    r"(?:\b(?:level|notes?|series|class|tier|phase|stage|due|in|through|after|until|of|and|fiscal|quarter|item|part|"
    r"section|form|january|february|march|april|may|june|july|august|september|october|november|december)"
    r"|\d{1,2},|[,&(])\s*$",
    re.IGNORECASE,
)
OPEN_WORDS = re.compile(r"(?:\b(?:and|of|or|to|by|at|than|from)|,)\s*$", re.IGNORECASE)
"""Words that a number must follow: "net of tax of $0, $0 and ($2)"."""
LONGEST_LINE = 600


@dataclass(frozen=True, slots=True)
class FigureLine:
    """A line with what it holds: words, then figures."""

    label: str
    figures: tuple[str, ...]


def read_line(line: str) -> FigureLine:
    """The figures at the end of `line` that stand beside each other with nothing but blanks between, and the rest.

    Years and small numbers that the label itself ends with ("Notes due 2026") are left to the label.
    """
    if len(line) > LONGEST_LINE:
        return FigureLine(" ".join(line.split()), ())
    found = list(_FIGURE.finditer(line))
    first, reach = len(found), len(line.rstrip())
    while first and line[found[first - 1].end() : reach].strip() == "":
        first -= 1
        reach = found[first].start()
    run = found[first:]
    while run and _of_label(line, run[0]):
        run = run[1:]
    if len(run) == 1 and _is_dash(run[0][0]):
        run = []
    start = run[0].start() if run else len(line)
    return FigureLine(" ".join(line[:start].split()), tuple(" ".join(match[0].split()) for match in run))


def _of_label(line: str, match: re.Match[str]) -> bool:
    before = line[: match.start()]
    if not before.strip():
        return False
    if OPEN_WORDS.search(before):
        return True
    return bool((_YEAR.fullmatch(match[0]) or _SMALL.fullmatch(match[0])) and _NUMBERED.search(before))


def _is_dash(text: str) -> bool:
    return not any(map(str.isalnum, text))

"""What a head says about time: an end, a first day, a year, a length in months, and whether it is an instant."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from cellwright.documents.dates import MONTH_OF, Mention, day_of, mentions_in

_COUNTS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
}
_MONTHS = re.compile(rf"\b({'|'.join(_COUNTS)}|\d{{1,2}})[\s-]months?\b", re.IGNORECASE)
_WEEKS = re.compile(
    r"\b(13|14|26|27|39|40|52|53|thirteen|fourteen|twenty-six|thirty-nine|fifty-two|fifty-three)"
    r"[\s-]weeks?\b",
    re.IGNORECASE,
)
_WEEK_MONTHS = {
    "13": 3,
    "14": 3,
    "thirteen": 3,
    "fourteen": 3,
    "26": 6,
    "27": 6,
    "twenty-six": 6,
    "39": 9,
    "40": 9,
    "thirty-nine": 9,
}
_QUARTER = re.compile(r"\b(?:quarters?|quarterly|Q[1-4]|[1-4]Q(?:(?:19|20)?\d\d)?|quartal)\b", re.IGNORECASE)
_HALF = re.compile(r"\b(?:half[\s-]years?|H[12]|[12]H(?:(?:19|20)?\d\d)?|semestre|halbjahr)\b", re.IGNORECASE)
_YEAR = re.compile(
    r"\b(?:years?\s+(?:ended|ending)|(?:fiscal|financial|calendar)\s+years?|annual|full[\s-]year|"
    r"for\s+the\s+years?|geschäftsjahr|exercice|ejercicio|esercizio|regnskabsår|FY)\b"
    r"|\bFY(?=['’\d\s])|会計年度|年度|事業年度",
    re.IGNORECASE,
)
_ENDED = re.compile(r"\b(?:ended|ending)\b", re.IGNORECASE)
_AS_OF = re.compile(
    r"\b(?:as\s+of|as\s+at|balance\s+sheets?|financial\s+(?:position|condition)|zum|au)\b|時点|末現在", re.IGNORECASE
)
_STATEMENTS = re.compile(r"\b(?:statements?|income|operations|cash\s+flows?)\b", re.IGNORECASE)
_TO = re.compile(r"\s*(?:to|through|thru|until|bis|au|al|a|til|[-–—~〜～/]|至)\s*", re.IGNORECASE)
_FILLER = re.compile(
    r"\b(?:for|the|at|as|of|on|and|years?|year-to-date|fiscal|financial|calendar|periods?|ended|ending|end|months?|"
    r"weeks?|quarters?|first|second|third|fourth|three|six|nine|twelve|balances?|restated|unaudited|audited|thirteen|"
    r"twenty-six|thirty-nine|fifty-two|fifty-three|Q[1-4]|FY|actual|to|from|through)\b"
    r"|\d{1,2}(?=[\s-](?:weeks?|months?))|[\s(),.:;/–—自至-]",
    re.IGNORECASE,
)
_COMPARES = re.compile(
    r"\b(?:changes?|vs\.?|versus|variance|increase|decrease|difference|yoy|y/y)\b|%\s?chg|\bchg\b|増減", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Span:
    """What one text, or several joined, say of a period."""

    end: date | None = None
    start: date | None = None
    year: int | None = None
    """A year alone, named without month and day."""
    fiscal: bool = False
    month_day: tuple[int, int] | None = None
    """A month and day alone ("Years ended December 31,")."""
    months: int | None = None
    instant: bool | None = None
    compares: bool = False
    """The column tells a change between periods and no period's figure."""
    part: int | None = None
    """Which quarter or half of the year it is: 3 for "Q3 2024", 1 for "first half"; told by `months` beside it."""

    @property
    def dated(self) -> bool:
        """It names a year at least."""
        return self.end is not None or self.year is not None


@lru_cache(maxsize=16_384)
def read_span(text: str, locale: str = "en") -> Span:
    """What `text` says of one period; several different dates in it are none, unless they are its two ends."""
    if not text:
        return Span()
    mentions = mentions_in(text, locale)
    months = length_in(text)
    instant: bool | None = None
    if _ENDED.search(text) or (months is not None and months < 12):
        instant = False
    elif _AS_OF.search(text) and not _STATEMENTS.search(text):
        instant = True
    compares = bool(_COMPARES.search(text))
    full = [mention for mention in mentions if mention.date is not None]
    dates = list(dict.fromkeys(mention.date for mention in full if mention.date))
    if len(dates) == 1:
        if "年度" in text:  # a balance sheet heads its columns "this business year (March 31)": the day is an instant
            months, instant = None, True
        return Span(dates[0], months=months, instant=instant, compares=compares)
    if len(dates) == 2 and _is_range(text, full):
        return Span(max(dates), min(dates), months=months, instant=False, compares=compares)
    if dates:
        return Span(months=months, instant=instant, compares=compares)
    return _undated(text, mentions, months, instant, compares)


def _undated(text: str, mentions: list[Mention], months: int | None, instant: bool | None, compares: bool) -> Span:
    years = {(mention.year, mention.fiscal) for mention in mentions if mention.year is not None}
    days = {(m.month, m.day) for m in mentions if m.year is None and m.month is not None and m.day is not None}
    year, fiscal = next(iter(years)) if len({y for y, _ in years}) == 1 else (None, False)
    month, day = next(iter(days)) if len(days) == 1 else (None, None)
    return Span(
        year=year,
        fiscal=fiscal or any(flag for _, flag in years),
        months=months,
        instant=instant,
        compares=compares,
        month_day=(month, day) if month is not None and day is not None else None,
        part=part_in(text) if months in (3, 6) else None,
    )


def _is_range(text: str, full: list[Mention]) -> bool:
    return len(full) == 2 and bool(_TO.fullmatch(text, full[0].end, full[1].start))


def length_in(text: str) -> int | None:
    """How many months the period has that `text` speaks of; None where it does not say or says two things."""
    found: set[int] = set()
    for match in _MONTHS.finditer(text):
        word = match[1].lower()
        if _is_length(text, match.start(), match.end()):
            found.add(_COUNTS.get(word) or int(word))
    found.update(
        _WEEK_MONTHS.get(match[1].lower(), 12)
        for match in _WEEKS.finditer(text)
        if _is_length(text, match.start(), match.end())
    )
    if not found:
        found = {3} if _QUARTER.search(text) else {6} if _HALF.search(text) else {12} if _YEAR.search(text) else set()
    return found.pop() if len(found) == 1 else None


_PART = re.compile(
    r"\b(?:Q([1-4])|([1-4])Q(?:(?:19|20)?\d\d)?|H([12])|([12])H(?:(?:19|20)?\d\d)?"
    r"|(first|second|third|fourth|1st|2nd|3rd|4th|[1-4]\.)[\s-](?:fiscal\s)?(?:quarter|half|quartal|halbjahr))\b",
    re.IGNORECASE,
)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}


def part_in(text: str) -> int | None:
    """The number of the quarter or half that `text` names; None where it names none or several."""
    found = {
        _ORDINALS.get(word.lower()) or int(word[0])
        for match in _PART.finditer(text)
        for word in filter(None, match.groups())
    }
    return found.pop() if len(found) == 1 else None


def part_end(year_end: date, part: int, months: int) -> date | None:
    """The last day of the quarter or half (`months` 3 or 6) of that number in the year that ends on `year_end`."""
    back = 12 - part * months
    number = year_end.year * 12 + year_end.month - 1 - back
    return day_of(number // 12, number % 12 + 1, None) if 0 <= back < 12 else None


def _is_length(text: str, start: int, at: int) -> bool:
    """Whether `text[start:at]`, "three months", is a period's length: "12 months or greater" is a term."""
    if text[:start].rstrip().lower().endswith(("than", "within", "over", "next", "up to")):
        return False
    rest = text[at : at + 12].strip(" ,:.").lower()
    return not rest or rest.startswith(("end", "to ", "20", "19", "period", "and")) or rest[:3] in MONTH_OF


@lru_cache(maxsize=16_384)
def is_period(text: str, locale: str = "en") -> bool:
    """Whether `text` names a period and says nothing else ("Year ended December 31, 2023:", "2023", "FY23")."""
    if not text or len(text) > 120:
        return False
    mentions = mentions_in(text, locale)
    if not mentions:
        return bool(length_in(text)) and not _FILLER.sub("", text)
    rest, at = [], 0
    for mention in mentions:
        rest.append(text[at : mention.start])
        at = mention.end
    rest.append(text[at:])
    return not _FILLER.sub("", " ".join(rest))


def first_day(end: date, months: int | None) -> date | None:
    """The first day of a period of so many months that ends on a month's last day; None for one that does not.

    Quarters of weeks ("13 weeks ended April 29") begin on a day that only the document can tell.
    """
    if months is None or (end + timedelta(days=1)).day != 1:
        return None
    number = end.year * 12 + end.month - months
    return date(number // 12, number % 12 + 1, 1)

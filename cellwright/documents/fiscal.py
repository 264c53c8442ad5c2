"""The fiscal years of a document: which day "fiscal 2023" or a bare "2023" ends on, told from its own words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from cellwright.documents.dates import Mention, day_of, each_mention, mentions_in
from cellwright.documents.plain_search import places_of

_YEAR_ENDED = re.compile(r"\b(?:years?|weeks|twelve\s+months|12\s+months|periods?)\s+end(?:ed|ing|s)?\s", re.IGNORECASE)
_ENDING = (" ended ", " ended\n", " ending ", " ends ", " end ", " ENDED ", " Ended ", " Ended\n", " Ending ")
_FISCAL = ("iscal", "ISCAL", "FY")
_ENDS = re.compile(
    r"\W{0,4}(?:which\s+|that\s+)?(?:(?:the\s+|our\s+)?fiscal\s+year\s+)?"
    r"(?:end(?:ed|ing|s)?\b|refers?\b|means?\b|is\b|was\b|includes?\b|consist)|\W{1,4}$",
    re.IGNORECASE,
)
_DATED = re.compile(r"\d{1,2},?\s(?:19|20)\d\d|\d{4}-\d\d-\d\d|\d[./]\d|\d{1,2}\.?\s[A-Z]?[a-z]+\s(?:19|20)\d\d|日")
_NUMBERED = re.compile(r"(?:fiscal(?:\s(?:years?|periods?))?|FYE?)\s?['’]?\d", re.IGNORECASE)
_ANY_YEAR = re.compile(r"(?:19|20)\d\d")
_WINDOW = 240
_MAX_PLACES = 3_000


@dataclass(frozen=True)
class FiscalYears:
    """What a document tells of its years: the last day of each that it labels, and all last days it names."""

    labelled: dict[int, date]
    """By the number of a fiscal year ("fiscal 2023"), where a sentence gives both."""
    ends: tuple[date, ...]
    """Last days of years, in order."""

    def end_of(self, year: int, *, month_day: tuple[int, int] | None = None, fiscal: bool = False) -> date | None:
        """The last day of the year that a head calls `year`; None where the document does not tell.

        `month_day` is what the head itself adds ("January 31,"); it counts before the document's words.
        A year that ends in January or February may bear either number, so that it needs a sentence.
        """
        if month_day is not None:
            named = day_of(year, *month_day)
            near = [end for end in self.ends if named and abs((end - named).days) <= 3 and end.year == year]
            return named if named in self.ends or len(near) != 1 else near[0]
        if year in self.labelled:
            return self.labelled[year]
        shifts = {end.year - label for label, end in self.labelled.items()}
        if len(shifts) == 1:
            shifted = [end for end in self.ends if end.year == year + next(iter(shifts))]
            return shifted[0] if len(shifted) == 1 else None
        found = [end for end in self.ends if end.year == year]
        if len(found) == 1 and found[0].month > 2:
            return found[0]
        if not found and not fiscal:
            return self._by_pattern(year)
        return None

    def _by_pattern(self, year: int) -> date | None:
        """The end of a year that is not named, where all named ones end on the same day of the calendar."""
        days = {(end.month, end.day) for end in self.ends}
        if len(days) == 1 and (day := next(iter(days)))[0] > 2:
            return day_of(year, *day)
        return None

    def closes_on(self, day: date) -> bool:
        """Whether the named years end on this day of the calendar."""
        return bool(self.ends) and all((end.month, end.day) == (day.month, day.day) for end in self.ends)

    def start_of(self, end: date) -> date | None:
        """The first day of the year that ends on `end`: the day after the end of the year before it."""
        before = [day for day in self.ends if 350 <= (end - day).days <= 380]
        if len(before) == 1:
            return before[0] + timedelta(days=1)
        if not before and (end + timedelta(days=1)).day == 1:
            following = end + timedelta(days=1)
            return date(following.year - 1, following.month, 1)
        return None


def fiscal_years(text: str, locale: str = "en") -> FiscalYears:
    """What the text of a document tells of its fiscal years."""
    ends: Counter[date] = Counter()
    votes: Counter[tuple[int, date]] = Counter()
    for at in places_of(text, _ENDING, _MAX_PLACES):
        match = _YEAR_ENDED.search(text, max(0, at - 16), at + 10)
        if match:
            ends.update(_ends_after(text, match.end(), locale))
    for at in places_of(text, _FISCAL, _MAX_PLACES):
        votes.update(_labels_near(text, at - 1, locale))
    labelled: dict[int, date] = {}
    for (year, end), count in sorted(votes.items(), key=lambda item: (-item[1], item[0])):
        if year not in labelled and end not in labelled.values():
            labelled[year] = end
            ends[end] += count
    return FiscalYears(labelled, tuple(sorted(_regular(ends))))


def _ends_after(text: str, at: int, locale: str) -> Iterator[date]:
    """The days listed right behind "years ended": one day, or several parted by commas and "and"."""
    window = text[at : at + _WINDOW]
    last = 0
    for mention in each_mention(window, locale):
        if len(window[last : mention.start].strip(" ,.:\n()")) > 8:
            return
        if mention.date is not None and mention.day is not None:
            yield mention.date
        last = mention.end


def _labels_near(text: str, at: int, locale: str) -> list[tuple[int, date]]:
    """Pairs of a fiscal year and its last day around one place where the text says "fiscal"."""
    begin = max(text.rfind("\n", max(0, at - 60), at), at - 60)
    stop = text.find("\n", at)
    line = text[begin + 1 : min(stop if stop >= 0 else len(text), at + _WINDOW)]
    if not _DATED.search(line) or not _may_label(line):
        return []
    mentions = mentions_in(line, locale)
    pairs: list[tuple[int, date]] = []
    for left, right in pairwise(mentions):
        label, day = (left, right) if left.fiscal else (right, left)
        between = line[left.end : right.start]
        if label.fiscal and not day.fiscal and day.day is not None and day.date and _linked(between, left.fiscal):
            pairs.append((label.year or 0, day.date))
    return [
        (year, day)
        for year, day in pairs
        if -20 <= (day - date(year, 12, 31)).days <= 200 or -366 < (day - date(year, 12, 31)).days <= 0
    ] or _listed(line, mentions)


def _may_label(line: str) -> bool:
    """Whether a fiscal year is named in the line, or years are listed: else it labels none, and is read no further."""
    if "/" in line or _NUMBERED.search(line):
        return True
    return "end" in line and len(_ANY_YEAR.findall(line)) >= 2


def _linked(between: str, label_first: bool) -> bool:
    if len(between) > 90 or ";" in between:
        return False
    if label_first:
        return bool(_ENDS.match(between))
    return len(between) <= 24 and bool(re.search(r"[(“\"]", between))


def _listed(line: str, mentions: list[Mention]) -> list[tuple[int, date]]:
    """ "Fiscal years 2024, 2023 and 2022 … January 28, 2024, January 29, 2023 and January 30, 2022"."""
    labels: list[int] = []
    days: list[date] = []
    for mention in mentions:
        if mention.day is not None and mention.date:
            days.append(mention.date)
        elif not days and mention.month is None and mention.year is not None:
            labels.append(mention.year)
    if not len(labels) == len(days) > 1 or "end" not in line:
        return []
    steps = {
        (one - other, 350 <= abs((day - next_day).days) <= 380)
        for (one, other), (day, next_day) in zip(pairwise(labels), pairwise(days), strict=True)
    }
    return list(zip(labels, days, strict=True)) if steps in ({(1, True)}, {(-1, True)}) else []


def _regular(ends: Counter[date]) -> list[date]:
    """The ends that fit the year most often named: a quarter's or another company's end would mislead."""
    if not ends:
        return []
    slots = Counter[int]()
    for day, count in ends.items():
        slots[day.timetuple().tm_yday] += count
    weight = {slot: sum(count for other, count in slots.items() if _apart(slot, other) <= 8) for slot in slots}
    best = max(sorted(weight), key=lambda slot: weight[slot])
    return [day for day in ends if _apart(day.timetuple().tm_yday, best) <= 8]


def _apart(one: int, other: int) -> int:
    """How many days lie between two days of the year, over its end too."""
    return min(abs(one - other), 365 - abs(one - other))

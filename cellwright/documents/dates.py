"""Dates and years as pages write them: found in a text, in order, with what each leaves unsaid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache

_MONTHS = {
    1: "january jan januar janvier enero gennaio januari janeiro jänner",
    2: "february feb februar février febrero febbraio februari fevereiro",
    3: "march mar märz mars marzo maart março marts mrz",
    4: "april apr avril abril aprile",
    5: "may mai mayo maggio mei maj maio",
    6: "june jun juni juin junio giugno junho",
    7: "july jul juli juillet julio luglio julho",
    8: "august aug août agosto augustus augusti",
    9: "september sept sep septembre septiembre settembre setembro",
    10: "october oct oktober okt octobre octubre ottobre outubro",
    11: "november nov novembre noviembre novembro",
    12: "december dec dezember dez décembre diciembre dicembre dezembro",
}
MONTH_OF = {name: number for number, names in _MONTHS.items() for name in names.split()}

_MONTH = "|".join(sorted(MONTH_OF, key=len, reverse=True))
_YEAR = r"(?:19|20)\d\d"
_NO_DIGIT = r"(?<![\d.,/-])"
# Only where a word begins: tried at each letter, the alternatives below take six times as long.
_PATTERN = re.compile(
    rf"(?<![A-Za-z\d])(?=[\w])(?:(?P<iso>(?<![\d.,-])(?P<iy>{_YEAR})-(?P<im>\d\d)-(?P<id>\d\d)(?!\d))"
    rf"|(?P<cjk>(?:(?P<era>令和|平成|昭和)\s?(?P<ey>\d{{1,2}}|元)|(?P<cy>{_YEAR}))\s?年\s?(?P<cm>\d{{1,2}})\s?月(?:\s?(?P<cd>\d{{1,2}})\s?日)?)"
    rf"|(?P<md>\b(?P<mm>{_MONTH})\b\.?\s?(?P<mday>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:\s?,?\s?(?P<my>{_YEAR})(?!\d))?)"
    rf"|(?P<dm>{_NO_DIGIT}(?P<dday>\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s(?:of\s|de\s)?(?P<dmm>{_MONTH})\b\.?"
    rf"(?:,?\s(?:de\s)?(?P<dy>{_YEAR})(?!\d))?)"
    rf"|(?P<num>{_NO_DIGIT}(?P<n1>\d{{1,2}})(?P<sep>[./-])(?P<n2>\d{{1,2}})(?P=sep)(?P<ny>{_YEAR})(?!\d))"
    rf"|(?P<my2>\b(?P<mym>{_MONTH})\b\.?,?[\s-](?P<myy>{_YEAR})(?!\d))"
    rf"|(?P<fy>\b(?:fiscal(?:\s(?:years?|periods?))?|FYE?)\s?['’]?(?P<fyy>{_YEAR}|\d\d)(?!\d)(?:[/-](?P<fy2>\d\d(?:\d\d)?)(?!\d))?)"
    rf"|(?P<pair>(?<![\d.,/-])(?P<p1>{_YEAR})/(?P<p2>\d\d(?:\d\d)?)(?![\d/.,-]))"
    rf"|(?P<y>(?<![\d.,/-])(?P<yy>{_YEAR})(?![\d%]|[.,]\d)))",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*(?:,|and|&|,\s*and|und|et|y|og|och|och|e|/)\s*(?:and\s+)?", re.IGNORECASE)
MAX_TEXT = 2_000


@dataclass(frozen=True, slots=True)
class Mention:
    """One date, month or year in a text; what is not said is None."""

    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    fiscal: bool = False
    """Named as a fiscal year ("fiscal 2023", "FY23"), which need not end in the year that names it."""

    @property
    def date(self) -> date | None:
        """The day; for a month alone its last day; None where the year or the month is not said."""
        if self.year is None or self.month is None:
            return None
        return day_of(self.year, self.month, self.day)


@lru_cache(maxsize=4096)
def day_of(year: int, month: int, day: int | None) -> date | None:
    """The date; the month's last day where `day` is None, or February 29 of a year that has none."""
    following = date(year + 1, 1, 1) if month == 12 else date(year, month + 1, 1)
    last = following - timedelta(days=1)
    if day is None or (month == 2 and day == 29 and last.day == 28):
        return last
    return last.replace(day=day) if day <= last.day else None


def mentions_in(text: str, locale: str = "en") -> list[Mention]:
    """The dates, months and years of `text` (its first 2,000 characters), from left to right.

    In "December 31, 2023 and 2022" the second year takes over month and day. `03/04/2024` is month first
    for `en` and `en-US`, else day first, as the locale writes it.
    """
    return list(_mentions(text, locale)) if any(map(str.isdigit, text)) else []


@lru_cache(maxsize=4096)
def _mentions(text: str, locale: str) -> tuple[Mention, ...]:
    return tuple(each_mention(text, locale))


def each_mention(text: str, locale: str = "en") -> Iterator[Mention]:
    """`mentions_in` one by one, for those who stop early."""
    last: Mention | None = None
    for mention in _raw(text[:MAX_TEXT], locale):
        if (
            last
            and mention.month is None
            and last.month is not None
            and not mention.fiscal
            and _BETWEEN.fullmatch(text, last.end, mention.start)
        ):
            mention = replace(mention, month=last.month, day=last.day)
        last = mention
        yield mention


def _raw(text: str, locale: str) -> Iterator[Mention]:
    for match in _PATTERN.finditer(text):
        mention = _mention(match, locale)
        if mention is not None:
            yield mention


def _mention(match: re.Match[str], locale: str) -> Mention | None:
    start, end, part = match.start(), match.end(), match.lastgroup
    group = match.group
    if part == "iso":
        return _checked(start, end, int(group("iy")), int(group("im")), int(group("id")))
    if part == "cjk":
        return _checked(start, end, _cjk_year(match), int(group("cm")), int(group("cd")) if group("cd") else None)
    if part == "md":
        return _checked(start, end, _int(group("my")), MONTH_OF[group("mm").lower()], int(group("mday")))
    if part == "dm":
        return _checked(start, end, _int(group("dy")), MONTH_OF[group("dmm").lower()], int(group("dday")))
    if part == "num":
        first, second = int(group("n1")), int(group("n2"))
        month_first = group("sep") != "." and locale.lower() in ("en", "en-us", "") and first <= 12
        month, day = (first, second) if month_first else (second, first)
        return _checked(start, end, int(group("ny")), month, day)
    if part == "my2":
        return _checked(start, end, int(group("myy")), MONTH_OF[group("mym").lower()], None)
    if part == "fy":
        year = int(group("fy2") or group("fyy"))
        return Mention(start, end, year if year >= 1900 else 2000 + year, fiscal=True)
    if part == "pair":
        first, last = int(group("p1")), group("p2")
        ends = str(first + 1)  # "2017/18" is the year that ends in 2018; "2019/2018" are two years
        return Mention(start, end, first + 1, fiscal=True) if ends.endswith(last) else Mention(start, end, first)
    return Mention(start, end, int(group("yy")))


_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925}
"""The year before the first of each Japanese era; 元 is the first."""


def _cjk_year(match: re.Match[str]) -> int:
    if match["era"]:
        return _ERAS[match["era"]] + (1 if match["ey"] == "元" else int(match["ey"]))
    return int(match["cy"])


def _int(text: str | None) -> int | None:
    return int(text) if text else None


def _checked(start: int, end: int, year: int | None, month: int, day: int | None) -> Mention | None:
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    if year is not None and day_of(year, month, day) is None:
        return None
    return Mention(start, end, year, month, day)

"""Whether what a figure means is what a fact asks for: its period, its kind, its unit."""

from __future__ import annotations

import re
from functools import lru_cache

from cellwright.documents.kinds import FigureKind
from cellwright.documents.labels import words
from cellwright.documents.meaning import Meaning
from cellwright.documents.wanted import Wanted

_STOCK = re.compile(
    r"\b(?:balances?|equity|deficit|beginning|ending|end\s+of|outstanding|total\s+assets|"
    r"total\s+liabilities|at\s+year[\s-]end|position)\b|残高",
    re.IGNORECASE,
)
_HELD = re.compile(r"\b(?:assets|liabilities|equity|debt|balances?|backlog)\b", re.IGNORECASE)
_PER = re.compile(r"/\s*(?:shares?|units?|ads)\b|\bper\s+(?:share|unit|ads)\b", re.IGNORECASE)
_PERCENT = frozenset({"percent", "pp", "%", "permille", "bp"})
_CODE = re.compile(r"[A-Z]{3}")


def months_of(wanted: Wanted) -> int | None:
    """The length of the period asked for, in whole months; None for an instant."""
    if wanted.period_start is None:
        return None
    return max(1, round(((wanted.period_end - wanted.period_start).days + 1) / 30.44))


def period_fit(wanted: Wanted, meaning: Meaning, label: str, *, calendar_told: bool) -> int | None:
    """How well the figure's period is the one asked for: 0 is best, None is another period.

    An instant on a period's last day belongs to it (design, section 5), but under a period's head only rows
    that speak of balances are instants: "Inventories" in a cash flow statement is a change.
    """
    if meaning.compares:
        return None
    if meaning.end is None:
        return 3 if not calendar_told and year_fits(wanted, meaning.year, meaning.months) else None
    if meaning.end != wanted.period_end:
        return None
    if wanted.period_start is None:
        if meaning.instant is False or (meaning.months is not None and meaning.instant is None):
            told = any(_STOCK.search(text) for text in (label, *meaning.sections))
            return 2 if told or any(_HELD.search(head) for head in meaning.heads) else None
        return 0 if meaning.instant else 1
    if meaning.start is not None:
        return 0 if abs((meaning.start - wanted.period_start).days) <= 7 else None
    if meaning.months is not None:
        return 0 if meaning.months == months_of(wanted) else None
    return None if meaning.instant else 1


def year_fits(wanted: Wanted, year: int | None, months: int | None) -> bool:
    """Whether a bare year is the one asked for, in a document that says nothing of when its years end.

    A year that ends in January or February may bear its own number or that of the year before: it is told by none.
    """
    if wanted.period_end.month <= 2:
        return False
    named = re.search(r"(?:19|20)\d\d", wanted.label)
    asked = int(named[0]) if named else wanted.period_end.year
    length = months_of(wanted)
    return year == asked and (length is None or length >= 12 or months == length)


@lru_cache(maxsize=1024)
def kind_wanted(unit: str) -> frozenset[FigureKind]:
    """The kinds of figure that may have the unit; all where it is not known."""
    if not unit:
        return frozenset({"money", "per_share", "percent", "shares", "count"})
    if unit.lower() in _PERCENT:
        return frozenset({"percent"})
    if _PER.search(unit):
        return frozenset({"per_share"})
    if unit.lower() in ("share", "shares"):
        return frozenset({"shares"})
    if _CODE.fullmatch(unit):
        return frozenset({"money"})
    return frozenset({"count", "money", "shares"})


def unit_fits(wanted: Wanted, meaning: Meaning) -> bool:
    """Whether the figure's kind and currency can have the unit asked for; what is not told can."""
    if meaning.kind not in kind_wanted(wanted.unit):
        return False
    code = wanted.unit[:3]
    if not _CODE.fullmatch(code) or not meaning.currency or meaning.kind not in ("money", "per_share"):
        return True
    return meaning.currency == code or (meaning.currency == "$" and code.endswith("D")) or meaning.currency in "¥￥"


def scale_doubt(wanted: Wanted, meaning: Meaning, label: str) -> str:
    """What scales a whole table, where the figure counts things of which those words do not speak; else empty."""
    counts = meaning.kind == "count" or (
        meaning.kind == "money" and bool(wanted.unit) and kind_wanted(wanted.unit) == {"count", "money", "shares"}
    )
    if not counts or not meaning.scale or not meaning.scale_by:
        return ""
    return "" if words(meaning.scale_by) & (words(label) | words(wanted.unit)) else meaning.scale_by

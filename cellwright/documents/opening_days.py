"""Rows of opening balances: the day that they tell is the one before their column's period."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from cellwright.documents.fiscal import FiscalYears
from cellwright.documents.spans import Span

_BEGINNING = re.compile(r"\b(?:beginning|opening|start\s+of|at\s+january\s+1)\b|期首", re.IGNORECASE)
_END = re.compile(r"\b(?:end|ending|closing)\b", re.IGNORECASE)


def opening_shifted(span: Span, label: str, years: FiscalYears) -> Span:
    """A row of opening balances tells the last day of the year before its column's; others stay."""
    if not _BEGINNING.search(label):
        if span.end is not None and span.start is None and span.instant is not False and span.end not in years.ends:
            before = date.fromordinal(span.end.toordinal() - 1)
            # "Balance at January 1" is that of the day before. Years of 52 weeks end on another day each year:
            # only the first of a month is taken for an opening day where the year's own end is not told.
            if before in years.ends or (span.end.day == 1 and years.closes_on(before)):
                return replace(span, end=before, instant=True)
        return replace(span, instant=True) if span.instant is None and _END.search(label) else span
    if span.end is None or _END.search(_BEGINNING.sub("", label)):
        return span
    first = years.start_of(span.end) if span.months in (None, 12) else None
    if first is None:
        return replace(span, end=None, year=None)
    return replace(span, end=date.fromordinal(first.toordinal() - 1), start=None, months=None, instant=True)

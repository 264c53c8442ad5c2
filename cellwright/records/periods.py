"""Periods: labels, ISO intervals and instants, and what «the year before» means.

A fact's period is a label of the task's `periods`, an ISO interval `2023-01-01/2023-12-31`, or a
date for an instant. `x[-1]` is the label whose dates for this entity end 350 to 380 days earlier;
an instant on a period's last day belongs to it (design, sections 3 and 5).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from cellwright.records.errors import Place, UnreadableInput

YEAR_DAYS = (350, 380)
"""A fiscal year of 52 or 53 weeks, or a calendar year, ends this many days after the one before."""


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """First and last day, both included; an instant has no first day."""

    end: date
    start: date | None = None

    def __str__(self) -> str:
        return f"{self.start}/{self.end}" if self.start else str(self.end)

    def holds(self, other: Period) -> bool:
        """Whether a figure for `other` is one for this period: the same dates, or an instant on its last day."""
        return self == other or (self.end == other.end and (other.start is None or self.start is None))


def parse_period(text: str) -> Period:
    """The period written as an ISO interval or date; ValueError says what is expected."""
    first, slash, last = text.strip().partition("/")
    try:
        if any(len(part) != 10 for part in (first, last) if part) or (slash and not (first and last)):
            raise ValueError
        if not slash:
            return Period(date.fromisoformat(first))
        period = Period(date.fromisoformat(last), date.fromisoformat(first))
    except ValueError:
        raise ValueError("dates as YYYY-MM-DD/YYYY-MM-DD, or one date for an instant") from None
    if period.start is not None and period.start > period.end:
        raise ValueError("a first day that is not after the last day")
    return period


@dataclass(frozen=True)
class Calendar:
    """The labels of a task and the dates each has, by default and for single entities."""

    labels: Mapping[str, Mapping[str, Period]]

    def period(self, text: str, entity: str) -> Period:
        """The dates of `text`, a label or ISO dates, for `entity` (`*` takes the label's default).

        Raises UnreadableInput for a label that has no dates for the entity, or text that is neither.
        """
        dates = self.labels.get(text)
        if dates is not None:
            found = dates.get(entity) or dates.get("default")
            if found is None:
                raise UnreadableInput(
                    f"the period `{text}` has no dates for `{entity}`",
                    Place("task.yaml"),
                    expected=f"`{entity}:` or `default:` under `periods: {text}`",
                )
            return found
        try:
            return parse_period(text)
        except ValueError as error:
            known = ", ".join(sorted(self.labels)) or "none yet"
            raise UnreadableInput(
                f"the period `{text}` has no dates",
                Place("task.yaml"),
                expected=f"a label of `periods` ({known}), or {error}",
            ) from None

    def year_before(self, text: str, entity: str) -> str:
        """The label whose dates for `entity` end 350 to 380 days before those of `text`.

        Raises UnreadableInput when no label or more than one does.
        """
        now = self.period(text, entity)
        low, high = YEAR_DAYS
        found = []
        for label, dates in self.labels.items():
            then = dates.get(entity) or dates.get("default")
            if then and low <= (now.end - then.end).days <= high and (then.start is None) == (now.start is None):
                found.append(label)
        if len(found) != 1:
            raise UnreadableInput(
                f"the year before `{text}` is not told for `{entity}`",
                Place("task.yaml"),
                seen=", ".join(sorted(found)) or "no such label",
                expected=f"one label under `periods` that ends {low} to {high} days before {now.end}",
            )
        return found[0]

"""What `locate` is asked and what it answers: a fact with its hints, and the place that was found for it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from cellwright.records.periods import Period

Status = Literal["exact", "mismatch", "ambiguous", "absent"]
Sign = Literal["", "shown", "reversed"]


@dataclass(frozen=True)
class Wanted:
    """A fact to be found. What identifies it is asked for; what it says of the number is only compared."""

    id: str
    entity: str
    name: str
    period_end: date
    period_start: date | None = None
    """None for an instant."""
    entity_names: tuple[str, ...] = ()
    """The entity's name, aliases and identifiers."""
    as_written: str = ""
    value: Decimal | None = None
    scale: int | None = None
    sign: Sign = ""
    unit: str = ""
    """`USD`, `USD/share`, `percent`, `vehicle` …; empty where it is not known."""
    quote: str = ""
    prefix: str = ""
    suffix: str = ""
    page: int | None = None
    row: str = ""
    column: str = ""
    locator: str = ""
    locale: str = "en"
    label: str = ""
    """The period's label in the task (`FY2023`), which may help where a head says only "2023"."""

    @property
    def period(self) -> Period:
        """The dates."""
        return Period(self.period_end, self.period_start)


@dataclass(frozen=True)
class Candidate:
    """A place that might be meant."""

    row: str
    column: str
    as_written: str
    quote: str
    value_read: Decimal | None = None
    period_read: str = ""
    page: int | None = None
    why: str = ""
    """Why it was not taken."""


@dataclass(frozen=True)
class Located:
    """The place found for a fact, with what the document alone says of its number."""

    status: Status
    why: str
    """One sentence."""
    quote: str = ""
    prefix: str = ""
    suffix: str = ""
    row: str = ""
    column: str = ""
    page: int | None = None
    locator: str = ""
    as_written: str = ""
    value_read: Decimal | None = None
    """With the printed sign and the scale."""
    scale_read: int | None = None
    sign_read: str = ""
    """`positive` or `negative`, as printed."""
    period_read: str = ""
    unit_read: str = ""
    candidates: tuple[Candidate, ...] = ()
    spot: tuple[int, int, int] | None = None
    """The table's number, the row and the column of the figure; None for a figure of running text."""
    begin: int | None = None
    """Where the number begins in the document's text, for a figure of running text."""
    form: Literal["", "row", "record", "sentence"] = ""
    """What it stands in; empty where nothing was found."""
    under: tuple[str, ...] = ()
    """The sections above a row, or the entity of a record."""
    asks: str = ""
    """A question to the curator that the document cannot answer; empty where there is none."""

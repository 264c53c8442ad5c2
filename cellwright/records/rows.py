"""The records of a task's tables, a model a table; the only place where a column is described.

Column order, the columns a person types, JSON Schemas and the docs are made from these models
(design, section 3). Numbers are Decimal, ids are text, an empty field is "" or None.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from cellwright.records.fields import (
    MAX_FIELD,
    MAX_QUOTE,
    AbsenceReason,
    Agreement,
    AnswerType,
    DivergenceReason,
    EntityRef,
    FactId,
    Id,
    OptionalDate,
    OptionalDecimal,
    OptionalScale,
    OptionalWhole,
    Rank,
    SourceId,
    Tier,
    choice_field,
    write_field,
)


class Row(BaseModel):
    """One line of a table. `line` is where it stands in its file (0 where it was never in one)."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, str_strip_whitespace=True, str_max_length=MAX_FIELD
    )
    line: int = Field(default=0, exclude=True)
    table: ClassVar[str] = ""
    key: ClassVar[tuple[str, ...]] = ()
    """The columns that name a record: no two lines of a table share them. Empty: lines may repeat."""
    typed: ClassVar[tuple[str, ...]] = ()
    """The columns that a person types; the tool fills the rest."""

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """The table's columns in their order."""
        return tuple(name for name in cls.model_fields if name != "line")

    @property
    def record(self) -> str:
        """The record's name in a message: its key's fields, joined by `/`."""
        return "/".join(str(getattr(self, name)) for name in self.key if getattr(self, name))

    def texts(self) -> dict[str, str]:
        """Each column as it is written to the file."""
        return {name: write_field(getattr(self, name)) for name in self.columns()}


class Source(Row):
    """A public document: `tasks/<task>/sources.csv`."""

    table: ClassVar[str] = "sources"
    key: ClassVar[tuple[str, ...]] = ("id",)
    typed: ClassVar[tuple[str, ...]] = ("id", "url", "title", "publisher", "published", "accessed")
    id: SourceId
    """The source's name within the task."""
    url: str
    """Its public address, http or https."""
    title: str
    """The document's own title."""
    publisher: str
    """Who answers for it: the issuer, not the host."""
    published: OptionalDate
    """The day it was published; nothing after the task's `as_of` may be cited."""
    accessed: OptionalDate
    """The day a person last looked at it."""
    media_type: str = ""
    """`text/html`, `application/pdf`, …; filled by capture."""
    locale: str = ""
    """How its numbers are written, as a language tag: `en`, `de`, `ja`."""
    tier: Annotated[Tier | None, BeforeValidator(choice_field)] = None
    """Provenance tier T1 to T4: a record of disclosure, not a quality score."""
    tier_reason: str = ""
    """Why it has this tier."""
    capture: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")] = ""
    """The pinned capture: sha256 of the body. Filled when empty, moved only by `capture --accept`."""


class Fact(Row):
    """One number read from one excerpt: `tasks/<task>/facts.csv`."""

    table: ClassVar[str] = "facts"
    key: ClassVar[tuple[str, ...]] = ("id",)
    typed: ClassVar[tuple[str, ...]] = ("entity", "name", "source", "as_written", "period", "rank")
    id: FactId
    """The fact's id; made from entity, name and period when empty."""
    entity: EntityRef
    """The entity it is about; `*` for a task-wide fact such as an exchange rate."""
    name: FactId
    """The name that derivations use; dotted parts group the addends of a sum."""
    source: SourceId
    """The source it is read from."""
    as_written: str = ""
    """The figure as printed, brackets and signs kept."""
    period: str = ""
    """A label of the task's `periods`, an ISO interval, or a date for an instant."""
    rank: Annotated[Rank | None, BeforeValidator(choice_field)] = None
    """primary (exactly one for entity, name and period), witness, context, trap or superseded."""
    value: OptionalDecimal = None
    """The plain number in `unit`: scale and sign applied."""
    scale: OptionalScale = None
    """The power of ten that the document's head gives: 6 for millions, 0 for none."""
    sign: Annotated[Literal["shown", "reversed"] | None, BeforeValidator(choice_field)] = None
    """`shown`, or `reversed`: the value is minus what is printed (an outflow whose size is the fact)."""
    unit: str = ""
    """The unit of `value`: `USD`, `USD/share`, `percent`, `vehicle`."""
    quote: Annotated[str, Field(max_length=MAX_QUOTE)] = ""
    """A short quote that holds `as_written` once, as a whole number."""
    prefix: str = ""
    """A few words before the quote, where the quote alone stands more than once."""
    suffix: str = ""
    """A few words after the quote."""
    page: OptionalWhole = None
    """The page of a PDF, from 1."""
    row: str = ""
    """The row's label in its table."""
    column: str = ""
    """The column's head in its table."""
    locator: str = ""
    """Where the figure stands in a spreadsheet (`Grids!F14`) or JSON (a pointer)."""
    basis: str = ""
    """reported, restated, adjusted or estimated."""
    scope: str = ""
    """consolidated, segment, parent, …"""
    supersedes: str = ""
    """The fact that this one replaces."""
    note: str = ""
    """Anything a reviewer should know."""


class CellRow(Row):
    """What people say of a cell: `tasks/<task>/cells.csv`. `task.yaml` decides the answer type."""

    table: ClassVar[str] = "cells"
    key: ClassVar[tuple[str, ...]] = ("entity", "dimension")
    typed: ClassVar[tuple[str, ...]] = ("entity", "dimension", "reason_code", "chosen", "annotator", "reviewer")
    entity: Id
    """The cell's row."""
    dimension: Id
    """The cell's column."""
    answer_type: Annotated[AnswerType | None, BeforeValidator(choice_field)] = None
    """A second opinion on the answer type."""
    agreement: Annotated[Agreement | None, BeforeValidator(choice_field)] = None
    """What the witnesses say: consistent, divergent or single; empty where not available."""
    stated_value: OptionalDecimal = None
    """A second opinion on the value, worked out by a person; percent as printed."""
    low: OptionalDecimal = None
    """A second opinion on a range's low end."""
    high: OptionalDecimal = None
    """A second opinion on a range's high end."""
    confidence: str = ""
    """How sure the annotator is, in words."""
    method: str = ""
    """For a range: how it follows."""
    reason_code: Annotated[DivergenceReason | AbsenceReason | None, BeforeValidator(choice_field)] = None
    """Why the witnesses differ, or why nothing is available."""
    chosen: str = ""
    """In a divergent cell: the fact that was taken."""
    note: str = ""
    """Why that one; where it was looked for."""
    annotator: str = ""
    """Who wrote the cell."""
    reviewer: str = ""
    """Who checked it; not the annotator."""


class Search(Row):
    """Where a not-available or single-witness cell was looked for: `searches.csv`; `*` stands for all."""

    table: ClassVar[str] = "searches"
    typed: ClassVar[tuple[str, ...]] = ("entity", "dimension", "query", "url", "date", "outcome")
    entity: EntityRef
    """The entity searched for, or `*`."""
    dimension: EntityRef
    """The dimension searched for, or `*`."""
    query: str = ""
    """What was asked."""
    url: str = ""
    """Where, if at one address."""
    date: OptionalDate = None
    """When."""
    outcome: str = ""
    """What was found, in words."""
    note: str = ""
    """Anything else."""


class Waiver(Row):
    """A finding accepted by a person: `waivers.csv`; shown wherever the audit is shown."""

    table: ClassVar[str] = "waivers"
    typed: ClassVar[tuple[str, ...]] = ("rule", "entity", "dimension", "field", "reason", "by", "date", "expires")
    rule: str
    """The rule's id."""
    entity: str = ""
    """The entity it is about; empty or `*` for all."""
    dimension: str = ""
    """The dimension it is about; empty or `*` for all."""
    field: str = ""
    """The record or field it is about; empty for all."""
    reason: str = ""
    """Why the finding is accepted."""
    by: str = ""
    """Who accepts it."""
    date: OptionalDate = None
    """When."""
    expires: OptionalDate = None
    """The last day on which it counts, judged against the day of the audit."""


class Correction(Row):
    """What was found wrong, upstream or here: `corrections.csv`."""

    table: ClassVar[str] = "corrections"
    key: ClassVar[tuple[str, ...]] = ("id",)
    typed: ClassVar[tuple[str, ...]] = ("id", "entity", "dimension", "fact", "old", "new", "code")
    id: Id
    """The correction's name."""
    entity: str = ""
    """The entity."""
    dimension: str = ""
    """The dimension."""
    fact: str = ""
    """The fact, where one was wrong."""
    old: str = ""
    """What it said."""
    new: str = ""
    """What it says now."""
    code: str = ""
    """What kind of mistake it was."""
    reported_by: str = ""
    """Who told."""
    evidence_url: str = ""
    """Where the right figure stands."""
    expect: str = ""
    """What should change with it."""
    released_in: str = ""
    """The release that first has it."""


class Annotation(Row):
    """An independent second reading: `annotations.csv`."""

    table: ClassVar[str] = "annotations"
    typed: ClassVar[tuple[str, ...]] = ("entity", "dimension", "annotator", "at", "answer_type", "value", "unit")
    entity: Id
    """The cell's row."""
    dimension: Id
    """The cell's column."""
    annotator: str = ""
    """Who read it."""
    at: str = ""
    """When."""
    answer_type: Annotated[AnswerType | None, BeforeValidator(choice_field)] = None
    """Their answer type."""
    value: OptionalDecimal = None
    """Their value."""
    unit: str = ""
    """Its unit."""
    low: OptionalDecimal = None
    """Their range's low end."""
    high: OptionalDecimal = None
    """Their range's high end."""
    agreement: Annotated[Agreement | None, BeforeValidator(choice_field)] = None
    """Their label."""
    reason_code: Annotated[DivergenceReason | AbsenceReason | None, BeforeValidator(choice_field)] = None
    """Their reason."""
    note: str = ""
    """Anything else."""
    decided_by: str = ""
    """Who settled a difference."""


class Pilot(Row):
    """A trial run's score of a cell: `pilots.csv`, where there are any."""

    table: ClassVar[str] = "pilots"
    typed: ClassVar[tuple[str, ...]] = ("run", "entity", "dimension", "score", "closed_book")
    run: str
    """The run's name."""
    entity: Id
    """The cell's row."""
    dimension: Id
    """The cell's column."""
    score: OptionalDecimal = None
    """0 to 1."""
    closed_book: str = ""
    """`yes` where the agent had no sources."""


TASK_TABLES: dict[str, type[Row]] = {
    model.table: model for model in (Source, Fact, CellRow, Search, Waiver, Correction, Annotation, Pilot)
}
"""The tables of a task's folder by name; the file is `<name>.csv`."""

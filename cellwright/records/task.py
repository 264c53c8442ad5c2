"""A task: its question, entities, periods, assumptions and dimensions; `task.yaml` as models.

The derivation is written once a dimension and resolved against each entity; `Task.cell` gives the
cell with the entity's overrides applied (design, section 3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, model_validator

from cellwright.records.errors import Place
from cellwright.records.fields import AnswerType, Id, SourceId, date_field, decimal_field
from cellwright.records.periods import Calendar, Period, parse_period
from cellwright.records.yaml_text import Lines, Path

Family = Literal["retrieval", "derivation", "calibration", "reasoning"]
Status = Literal["draft", "review", "admitted", "quarantined", "retired"]
MAX_EXPRESSION = 2_000
"""Characters of one expression; a longer one is a mistake or an attack."""

_Date = Annotated[date, BeforeValidator(date_field)]
_Number = Annotated[Decimal, BeforeValidator(decimal_field)]
Expression = Annotated[str, Field(min_length=1, max_length=MAX_EXPRESSION)]


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise ValueError("text")


def _mapping_or_text(value: Any) -> Any:
    """A check may be written as its bare expression."""
    return {"expr": value} if isinstance(value, str) else value


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, str_max_length=20_000)


class Entity(_Part):
    """A row of the matrix."""

    id: Id
    """The entity's id."""
    name: str
    """Its name as the question gives it."""
    aliases: tuple[str, ...] = ()
    """Other names under which documents speak of it."""
    identifiers: dict[str, str] = {}
    """Ticker, LEI, CIK, ISIN, …"""
    currency: str = ""
    """The currency it reports in."""


class Assumption(_Part):
    """An input that no source gives and the curator states; part of the question."""

    id: Id
    """The name that derivations use."""
    value: _Number | None = None
    """One value for all entities."""
    values: dict[str, _Number] = {}
    """Or one for each entity."""
    unit: str = ""
    """The unit of the value."""
    reason: str = ""
    """Why this value."""

    @model_validator(mode="after")
    def _one_of(self) -> Assumption:
        if (self.value is None) == (not self.values):
            raise ValueError("either `value` or `values`")
        return self


class Step(_Part):
    """One named expression of a derivation."""

    id: Id
    """The step's name; the last is `answer`, of a range `low` and `high`."""
    expr: Expression
    """What it computes."""
    why: str = ""
    """Why."""


class NearMiss(_Part):
    """A wrong answer that a named misstep gives."""

    id: Id
    """The misstep's name."""
    expr: Expression
    """What it computes."""
    why: str = ""
    """The misstep in words."""
    claim: str = ""
    """What the curator says of it: `29% above`, `34% below`, `3 times`; checked by the audit."""


class Check(_Part):
    """A statement over the facts that must hold."""

    expr: Expression
    """A comparison; `==` is taken within `within`."""
    within: str = ""
    """`rounding`: half a unit of each fact's last digit; else exact."""


class Scoring(_Part):
    """What earns 1, 0.5, 0.25 and 0 in a cell (design, section 8). Text as typed; see records.scoring."""

    full: str = ""
    """`2%` relative; `0.05 pp` or `5 EUR/MWh` absolute; `exact`."""
    partial: str = ""
    """Relative tolerance for 0.5; 10% when empty."""
    order: str = ""
    """Factor for 0.25; 10 when empty, `none` for percent, pp, ranks, counts, yes/no."""
    overlap: str = ""
    """Of a range: intersection over union for 1; 0.5 when empty."""
    max_width: str = ""
    """Of a range: how many times as wide may still earn 0.25; 4 when empty."""
    derivation: Literal["", "required", "optional"] = ""
    """Whether a sound derivation must be shown; `optional` by default where the only step is a fact."""


class Override(_Part):
    """What differs for one entity."""

    steps: tuple[Step, ...] | None = None
    """Its own steps."""
    unit: str | None = None
    """Its own unit."""
    period: str | None = None
    """Its own period."""
    ask: str | None = None
    """Its own question."""
    answer_type: AnswerType | None = None
    """Its own answer type."""
    scoring: Scoring | None = None
    """Its own rule."""
    near_misses: tuple[NearMiss, ...] | None = None
    """Its own near misses."""
    checks: tuple[Annotated[Check, BeforeValidator(_mapping_or_text)], ...] | None = None
    """Its own checks."""


class Dimension(_Part):
    """A column of the matrix: one question asked of every entity."""

    id: Id
    """The dimension's id."""
    name: str
    """Its name."""
    ask: str
    """The question, complete enough that two careful people answer the same."""
    family: Family
    """The capability it asks for."""
    unit: str
    """The unit of the answer."""
    period: str = ""
    """The period that a bare fact name means."""
    answer_type: AnswerType
    """precise, range or not_available."""
    steps: tuple[Step, ...] = ()
    """The derivation."""
    scoring: Scoring = Scoring()
    """The scoring rule."""
    near_misses: tuple[NearMiss, ...] = ()
    """Wrong answers that named missteps give."""
    checks: tuple[Annotated[Check, BeforeValidator(_mapping_or_text)], ...] = ()
    """Statements that must hold."""
    overrides: dict[str, Override] = {}
    """What differs for single entities."""


@dataclass(frozen=True, slots=True)
class CellSpec:
    """One cell's question: the dimension with the entity's overrides applied."""

    entity: str
    dimension: str
    ask: str
    family: Family
    unit: str
    period: str
    answer_type: AnswerType
    steps: tuple[Step, ...]
    scoring: Scoring
    near_misses: tuple[NearMiss, ...]
    checks: tuple[Check, ...]

    @property
    def id(self) -> str:
        """`entity/dimension`."""
        return f"{self.entity}/{self.dimension}"


class Task(_Part):
    """One subject domain: a question, its entities and its dimensions; the unit of admission."""

    schema_version: Annotated[Literal["1"], BeforeValidator(_text), Field(alias="schema")]
    """The version of this format: 1."""
    id: SourceId
    """The task's id, also its folder's name."""
    title: str
    """Its title."""
    profile: str = "deepweb-8x8"
    """The shape it must have; profiles are data."""
    domain: str
    """technology, energy_materials, industrials_transport, consumer, finance, healthcare_pharma, or the profile's."""
    language: str = "en"
    """The language of the question."""
    as_of: _Date
    """Nothing published later may be cited."""
    licence: str = ""
    """The licence of the task's own text and figures."""
    status: Status = "draft"
    """Where it stands."""
    status_reason: str = ""
    """Why, where it is quarantined or retired."""
    comparability: str = "1"
    """Goes up when scores before and after cannot be compared."""
    contributors: tuple[str, ...] = ()
    """Who made it."""
    question: str
    """The whole question in one paragraph."""
    entities: tuple[Entity, ...] = Field(min_length=1)
    """The rows."""
    periods: dict[
        str,
        dict[
            str,
            Annotated[Period, BeforeValidator(lambda value: parse_period(value) if isinstance(value, str) else value)],
        ],
    ] = {}
    """Labels and their dates: `default`, and single entities."""
    assumptions: tuple[Assumption, ...] = ()
    """Inputs that the question states."""
    units: dict[str, Annotated[str, AfterValidator(str.strip)]] = {}
    """Units of the task's own: `vehicle: countable`."""
    dimensions: tuple[Dimension, ...] = Field(min_length=1)
    """The columns."""
    _lines: Lines = PrivateAttr(default_factory=dict)
    _file: str = PrivateAttr(default="task.yaml")

    @cached_property
    def calendar(self) -> Calendar:
        """The task's periods."""
        return Calendar(self.periods)

    @cached_property
    def entity_ids(self) -> tuple[str, ...]:
        """The entities' ids in the file's order."""
        return tuple(entity.id for entity in self.entities)

    @cached_property
    def _dimension_by_id(self) -> dict[str, Dimension]:
        return {dimension.id: dimension for dimension in self.dimensions}

    def cell(self, entity: str, dimension: str) -> CellSpec:
        """The cell's question with the entity's overrides applied; KeyError for an unknown id."""
        if entity not in self.entity_ids:
            raise KeyError(entity)
        base = self._dimension_by_id[dimension]
        spec = CellSpec(
            entity,
            dimension,
            base.ask,
            base.family,
            base.unit,
            base.period,
            base.answer_type,
            base.steps,
            base.scoring,
            base.near_misses,
            base.checks,
        )
        own = base.overrides.get(entity)
        if own is None:
            return spec
        changes = {name: value for name in Override.model_fields if (value := getattr(own, name)) is not None}
        return replace(spec, **changes)

    def cells(self) -> Iterator[CellSpec]:
        """Every cell, entity by entity in the file's order."""
        for entity in self.entity_ids:
            for dimension in self.dimensions:
                yield self.cell(entity, dimension.id)

    def read_from(self, file: str, lines: Lines) -> None:
        """Remember where each value stands, for messages."""
        self._file, self._lines = file, lines

    def place(self, *path: str | int, record: str = "") -> Place:
        """Where in the file the value at `path` stands, or the nearest value around it."""
        wanted: Path = path
        while wanted and wanted not in self._lines:
            wanted = wanted[:-1]
        column = next((part for part in reversed(path) if isinstance(part, str)), "")
        return Place(self._file, self._lines.get(wanted), column, record)

    def place_of(self, dimension: str, *path: str | int, entity: str = "") -> Place:
        """Where the dimension's value at `path` stands, the entity's override first."""
        index = next((i for i, item in enumerate(self.dimensions) if item.id == dimension), None)
        if index is None:
            return Place(self._file, record=dimension)
        record = f"{entity}/{dimension}" if entity else dimension
        own = ("dimensions", index, "overrides", entity, *path)
        if entity and own[:5] in self._lines and len(own) > 4:
            return self.place(*own, record=record)
        return self.place("dimensions", index, *path, record=record)

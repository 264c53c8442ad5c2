"""What a rule may look at: the folder, the evidence and what follows from them, worked out once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property

from cellwright.documents.wanted import Located
from cellwright.records.errors import Place, Problem, UnreadableInput
from cellwright.records.folder import TaskFolder
from cellwright.records.periods import Period
from cellwright.records.quantities import QuantityError, Reading, read_number
from cellwright.records.rows import CellRow, Fact, Row
from cellwright.records.task import CellSpec, Task
from cellwright.validators.answers import Answers
from cellwright.validators.evidence import Evidence
from cellwright.validators.hits import Hit
from cellwright.validators.lint import Derivation
from cellwright.validators.owners import Owners
from cellwright.validators.profiles import Profile
from cellwright.validators.rereading import read_again
from cellwright.validators.schemas import Fault
from cellwright.validators.thresholds import Thresholds

Span = tuple[int, int]


@dataclass
class AuditContext:
    """One task under audit. Everything here is read-only for a rule; parts are worked out when first asked for."""

    folder: TaskFolder
    evidence: Mapping[str, Evidence]
    """The pinned captures by source id; a source without one is not in it."""
    profile: Profile
    thresholds: Thresholds
    owners: Owners = field(default_factory=Owners)
    faults: Sequence[Fault] = ()
    """What the schemas found in the tables."""
    rule_ids: frozenset[str] = frozenset()
    """The ids of all rules."""
    checked_rules: frozenset[str] = frozenset()
    """The ids of the rules that ran to their end so far."""
    used_waivers: frozenset[int] = frozenset()
    """Positions of the waivers that accepted something; known only to the rules that run last."""
    day: date | None = None
    """The day of the audit, handed in: waivers run out by it. None where the task's `as_of` stands for it."""
    canary: str | None = None
    """The benchmark's canary, handed in; None where nobody has looked for one."""
    plug_in_problems: Sequence[Problem] = ()
    """The plug-ins that cannot be used."""
    settings: Mapping[str, Decimal] = field(default_factory=dict)
    """For a plug-in's rule: its thresholds, as `params.yaml` sets them."""

    @property
    def today(self) -> date:
        """The day by which waivers are judged."""
        return self.day or self.task.as_of

    @property
    def task(self) -> Task:
        """The task."""
        return self.folder.task

    @cached_property
    def answers(self) -> Answers:
        """The replayed answers, near misses and labels. Raises ExpressionError where nothing can be replayed."""
        return Answers(self.folder, self.owners, self.periods, self.readings_of_one_thing, self.specs)

    @cached_property
    def specs(self) -> dict[tuple[str, str], CellSpec]:
        """Every cell's question by entity and dimension, in the task's order."""
        return {(spec.entity, spec.dimension): spec for spec in self.task.cells()}

    @cached_property
    def derivations(self) -> tuple[Derivation, ...]:
        """Each derivation once, in the place of the first entity that it is written for."""
        found: dict[tuple[object, ...], Derivation] = {}
        for spec in self.specs.values():
            key = (spec.dimension, spec.steps, spec.unit, spec.period, spec.ask)
            if key not in found and spec.answer_type != "not_available":
                found[key] = Derivation(self.task, spec)
        return tuple(found.values())

    @cached_property
    def long_quotes(self) -> tuple[Fault, ...]:
        """The faults that are quotes over their length: another rule tells these."""
        return tuple(fault for fault in self.faults if fault.kind == "unreadable" and fault.place.column == "quote")

    @cached_property
    def periods(self) -> dict[str, Period | UnreadableInput]:
        """The dates of each fact's period by the fact's id, or why it has none."""
        known: dict[tuple[str, str], Period | UnreadableInput] = {}
        calendar = self.task.calendar
        for fact in self.folder.facts:
            key = (fact.period, fact.entity)
            if key not in known:
                try:
                    known[key] = calendar.period(*key)
                except UnreadableInput as error:
                    known[key] = error
        return {fact.id: known[fact.period, fact.entity] for fact in self.folder.facts}

    def day_of(self, label: str, entity: str, years_back: int = 0) -> date | None:
        """The last day of a period of an entity, or of the one some years before; None where it has no dates."""
        calendar = self.task.calendar
        try:
            for _ in range(years_back):
                label = calendar.year_before(label, entity)
            return calendar.period(label, entity).end
        except UnreadableInput:  # C1-PERIOD-UNREADABLE or C3-REPLAY tells it
            return None

    @cached_property
    def readings_of_one_thing(self) -> dict[tuple[str, str, str], list[Fact]]:
        """Facts by entity, name and dates (the period as typed where it has none), in the file's order."""
        groups: dict[tuple[str, str, str], list[Fact]] = {}
        for fact in self.folder.facts:
            period = self.periods[fact.id]
            dates = str(period) if isinstance(period, Period) else fact.period
            groups.setdefault((fact.entity, fact.name, dates), []).append(fact)
        return groups

    @cached_property
    def readings(self) -> dict[str, tuple[Fact, Reading | QuantityError]]:
        """Each figure as printed, read in its source's locale; facts without a figure are left out."""
        found: dict[str, tuple[Fact, Reading | QuantityError]] = {}
        for fact in self.folder.facts:
            if not fact.as_written:
                continue
            source = self.folder.source_by_id.get(fact.source)
            try:
                reading = read_number(
                    fact.as_written, locale=(source.locale if source else "") or "en", table_cell=True
                )
                found[fact.id] = (fact, reading)
            except QuantityError as error:
                found[fact.id] = (fact, error)
        return found

    @cached_property
    def read_again(self) -> dict[str, Located]:
        """What its document says of each filled-in fact when it is looked for anew, by the fact's id."""
        return read_again(self.folder, self.evidence)

    @cached_property
    def quoted(self) -> tuple[tuple[Fact, Sequence[Span]], ...]:
        """Each fact with a quote and a usable capture, and the places of the quote in it."""
        return tuple(self._places_of_quotes())

    def _places_of_quotes(self) -> Iterator[tuple[Fact, Sequence[Span]]]:
        known: dict[tuple[str, str, str, str], Sequence[Span]] = {}  # a row of a table is quoted for each of its years
        for fact in self.folder.facts:
            found = self.evidence.get(fact.source)
            if fact.quote and found is not None and found.usable:
                key = (fact.source, fact.quote, fact.prefix, fact.suffix)
                if key not in known:
                    known[key] = found.index.find(fact.quote, fact.prefix, fact.suffix)
                yield fact, known[key]

    @cached_property
    def known_ids(self) -> dict[str, frozenset[str]]:
        """The ids that a reference may name, by kind; also those of lines in which another field is at fault."""
        typed = {
            name: {row.get("id", "").strip() for row in table.rows} - {""} for name, table in self.folder.tables.items()
        }
        return {
            "entity": frozenset(self.task.entity_ids),
            "dimension": frozenset(dimension.id for dimension in self.task.dimensions),
            "source": frozenset(self.folder.source_by_id) | typed.get("sources", set()),
            "fact": frozenset(self.folder.fact_by_id) | typed.get("facts", set()),
        }

    @cached_property
    def referring_rows(self) -> tuple[Row, ...]:
        """Every row of every table that names something else."""
        folder = self.folder
        return (
            *folder.facts,
            *folder.cells,
            *folder.searches,
            *folder.waivers,
            *folder.corrections,
            *folder.annotations,
            *folder.pilots,
        )

    def file(self, table: str) -> str:
        """The path of a table's file."""
        return self.folder.file(f"{table}.csv")

    def place_in(self, table: str, column: str = "", record: str = "") -> Place:
        """A place in a table at no line."""
        return Place(self.file(table), None, column, record)

    def fact_hit(self, fact: Fact, column: str, observed: str, expected: str, fix: str = "") -> Hit:
        """A hit at a fact's field."""
        return Hit(self.folder.place(fact, column), observed, expected, fix, fact.entity)

    def cell_hit(self, row: CellRow, column: str, observed: str, expected: str, fix: str = "") -> Hit:
        """A hit at a field of a line of `cells.csv`."""
        return Hit(self.folder.place(row, column), observed, expected, fix, row.entity, row.dimension)

    def cell_place(self, entity: str, dimension: str, column: str = "") -> Place:
        """Where `cells.csv` speaks of a cell; the file alone where it does not."""
        row = self.folder.cell_row.get((entity, dimension))
        return self.folder.place(row, column) if row else self.place_in("cells", column, f"{entity}/{dimension}")

    def hit_at_cell(self, entity: str, dimension: str, column: str, observed: str, expected: str, fix: str = "") -> Hit:
        """A hit at what `cells.csv` says, or should say, of a cell."""
        return Hit(self.cell_place(entity, dimension, column), observed, expected, fix, entity, dimension)

    def hit_at_task(
        self, entity: str, dimension: str, path: Sequence[str | int], observed: str, expected: str, fix: str = ""
    ) -> Hit:
        """A hit at what `task.yaml` says of a dimension, at the entity's override where it has one."""
        place = self.task.place_of(dimension, *path, entity=entity)
        key = next((str(part) for part in reversed(path) if isinstance(part, str)), "")
        place = Place(place.file, place.line, key, place.record)
        return Hit(place, observed, expected, fix, entity, dimension)

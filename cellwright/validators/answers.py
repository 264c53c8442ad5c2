"""Answers: every cell replayed, its scoring rule, its near misses and what its witnesses would give.

The impure-looking part of the audit is here and nowhere else: it asks the evaluator. What is made of the
results is said by `agreement` and by the rules. Everything is worked out when first asked for, once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from cellwright.records.derivations import CellResult, CheckResult, Evaluator, MissingFact
from cellwright.records.errors import ExpressionError, UnreadableInput
from cellwright.records.folder import TaskFolder
from cellwright.records.periods import Period
from cellwright.records.rows import Fact
from cellwright.records.scoring import Reference, Rule, parse_rule
from cellwright.records.task import CellSpec, Check, NearMiss
from cellwright.validators.agreement import Interval, OtherAnswer, Verdict
from cellwright.validators.constants import BestConstant, best_constant
from cellwright.validators.owners import Owners

CellKey = tuple[str, str]
FactGroups = Mapping[tuple[str, str, str], Sequence[Fact]]
WITNESS_PREFIX = "witness_"
"""How the ids of near misses begin that a divergent cell's other answers make; the fact's id follows."""


@dataclass(frozen=True, slots=True)
class ComputedNearMiss:
    """A wrong answer of one cell, worked out; numbers are in the cell's unit.

    A near miss of `task.yaml` has `value`; one that a witness gives in a range has `low` and `high`.
    """

    entity: str
    dimension: str
    id: str
    why: str
    value: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None
    claim: str = ""
    inputs: tuple[str, ...] = ()
    indistinguishable: bool = False
    """Whether it lies inside the interval of the reference."""
    position: int = -1
    """Its place among the near misses of `task.yaml`; -1 where a witness gives it."""


@dataclass(frozen=True, slots=True)
class BrokenNearMiss:
    """A near miss that cannot be worked out in one cell."""

    spec: CellSpec
    near_miss: NearMiss
    position: int
    error: ExpressionError

    @property
    def lacks_facts(self) -> bool:
        """Whether only a fact is missing here: the misstep cannot be made for this entity."""
        return isinstance(self.error, MissingFact)


@dataclass(frozen=True, slots=True)
class CheckedCell:
    """A check of one cell with what came of it."""

    spec: CellSpec
    check: Check
    position: int
    result: CheckResult | ExpressionError


class Answers:
    """The replayed answers of a task. Raises ExpressionError when the task cannot be replayed at all."""

    def __init__(
        self,
        folder: TaskFolder,
        owners: Owners,
        periods: Mapping[str, Period | UnreadableInput],
        groups: FactGroups,
        specs: Mapping[CellKey, CellSpec],
    ) -> None:
        self.folder = folder
        self.owners = owners
        self.periods = periods
        self.groups = groups
        self.evaluator = Evaluator(folder.task, folder.facts, locales=folder.locales)
        self.cells = tuple(specs.values())

    @cached_property
    def results(self) -> dict[CellKey, CellResult | ExpressionError]:
        """Each cell's answer, or why it does not replay, in the task's order."""
        return {
            (spec.entity, spec.dimension): self.evaluator.try_cell(spec.entity, spec.dimension) for spec in self.cells
        }

    @cached_property
    def replayed(self) -> tuple[tuple[CellSpec, CellResult], ...]:
        """The cells that replay, not-available ones too."""
        found = []
        for spec in self.cells:
            result = self.results[spec.entity, spec.dimension]
            if isinstance(result, CellResult):
                found.append((spec, result))
        return tuple(found)

    @cached_property
    def answered(self) -> tuple[tuple[CellSpec, CellResult], ...]:
        """The cells that have a number for an answer."""
        return tuple((spec, result) for spec, result in self.replayed if spec.answer_type != "not_available")

    @cached_property
    def rules(self) -> dict[CellKey, Rule | UnreadableInput]:
        """Each cell's scoring rule, or why it cannot be read."""
        known: dict[tuple[object, ...], Rule | UnreadableInput] = {}
        found: dict[CellKey, Rule | UnreadableInput] = {}
        for spec in self.cells:
            key = (spec.scoring, spec.answer_type, spec.unit, spec.steps)
            if key not in known:
                known[key] = _rule(spec, self.folder)
            found[spec.entity, spec.dimension] = known[key]
        return found

    @cached_property
    def references(self) -> dict[CellKey, Reference]:
        """The reference of each cell that replays."""
        return {
            (spec.entity, spec.dimension): Reference(
                spec.answer_type, result.unit, result.value, result.low, result.high, result.interval
            )
            for spec, result in self.replayed
        }

    @cached_property
    def scorable(self) -> tuple[tuple[CellSpec, Rule, Reference], ...]:
        """The cells that have both a reference and a readable rule."""
        found = []
        for spec, _ in self.replayed:
            key = (spec.entity, spec.dimension)
            rule = self.rules[key]
            if isinstance(rule, Rule):
                found.append((spec, rule, self.references[key]))
        return tuple(found)

    @cached_property
    def _tried(self) -> tuple[ComputedNearMiss | BrokenNearMiss, ...]:
        return tuple(self._try_near_misses())

    def _try_near_misses(self) -> Iterator[ComputedNearMiss | BrokenNearMiss]:
        for spec, result in self.answered:
            for position, miss in enumerate(spec.near_misses):
                try:
                    found = self.evaluator.expression(miss.expr, spec.entity, spec.dimension)
                except ExpressionError as error:
                    yield BrokenNearMiss(spec, miss, position, error)
                    continue
                yield ComputedNearMiss(
                    spec.entity,
                    spec.dimension,
                    miss.id,
                    miss.why,
                    found.value,
                    claim=miss.claim,
                    inputs=tuple(found.inputs),
                    position=position,
                    indistinguishable=_inside(result.interval, found.value),
                )

    @cached_property
    def near_misses(self) -> tuple[ComputedNearMiss, ...]:
        """The near misses of `task.yaml` that can be worked out."""
        return tuple(miss for miss in self._tried if isinstance(miss, ComputedNearMiss))

    @cached_property
    def broken_near_misses(self) -> tuple[BrokenNearMiss, ...]:
        """The near misses that cannot be worked out."""
        return tuple(miss for miss in self._tried if isinstance(miss, BrokenNearMiss))

    @cached_property
    def checks(self) -> tuple[CheckedCell, ...]:
        """Every check of every cell with its result."""
        return tuple(self._run_checks())

    def _run_checks(self) -> Iterator[CheckedCell]:
        for spec in self.cells:
            for position, check in enumerate(spec.checks):
                try:
                    result: CheckResult | ExpressionError = self.evaluator.check(check, spec.entity, spec.dimension)
                except ExpressionError as error:
                    result = error
                yield CheckedCell(spec, check, position, result)

    @cached_property
    def verdicts(self) -> dict[CellKey, Verdict]:
        """The label that the witnesses give to each answered cell, with what it rests on."""
        from cellwright.validators.witnesses import verdicts

        return verdicts(self)

    @cached_property
    def best_constants(self) -> dict[str, BestConstant]:
        """What the best constant answer earns on each dimension."""
        cells: dict[str, list[tuple[Rule, Reference]]] = {}
        for spec, rule, reference in self.scorable:
            cells.setdefault(spec.dimension, []).append((rule, reference))
        return {dimension: best_constant(found) for dimension, found in cells.items()}

    @cached_property
    def witness_near_misses(self) -> tuple[ComputedNearMiss, ...]:
        """The other answers of divergent cells: each is a near miss (design, section 6)."""
        found = []
        for (entity, dimension), verdict in self.verdicts.items():
            result = self.results[entity, dimension]
            interval = result.interval if isinstance(result, CellResult) else None
            for other in verdict.diverging:
                found.append(_as_near_miss(entity, dimension, other, interval))
        return tuple(found)


def _as_near_miss(entity: str, dimension: str, other: OtherAnswer, interval: Interval | None) -> ComputedNearMiss:
    inside = other.value is not None and _inside(interval, other.value)
    return ComputedNearMiss(
        entity,
        dimension,
        WITNESS_PREFIX + other.fact.replace(".", "_"),
        f"the figure of `{other.fact}`",
        other.value,
        other.low,
        other.high,
        inputs=(other.fact,),
        indistinguishable=inside,
    )


def _inside(interval: Interval | None, value: Decimal) -> bool:
    return interval is not None and interval[0] <= value <= interval[1]


def _rule(spec: CellSpec, folder: TaskFolder) -> Rule | UnreadableInput:
    place = folder.task.place_of(spec.dimension, "scoring", entity=spec.entity)
    try:
        return parse_rule(spec.scoring, answer_type=spec.answer_type, unit=spec.unit, steps=spec.steps, place=place)
    except UnreadableInput as error:
        return error

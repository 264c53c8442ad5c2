"""Answers: every cell replayed, its scoring rule, its near misses and what its witnesses would give.

The impure-looking part of the audit is here and nowhere else: it asks the evaluator. What is made of the
results is said by `agreement` and by the rules. Everything is worked out when first asked for, once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from cellwright.records.derivations import CellResult, CheckResult, Evaluator
from cellwright.records.errors import ExpressionError, UnreadableInput
from cellwright.records.folder import TaskFolder
from cellwright.records.periods import Period
from cellwright.records.rows import Fact
from cellwright.records.scoring import Reference, Rule, parse_rule
from cellwright.records.task import CellSpec, Check
from cellwright.validators.agreement import Verdict
from cellwright.validators.constants import BestConstant, best_constant
from cellwright.validators.near_misses import BrokenNearMiss, CellNearMiss, computed, curated, of_witness, with_names
from cellwright.validators.owners import Owners

CellKey = tuple[str, str]
FactGroups = Mapping[tuple[str, str, str], Sequence[Fact]]


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
        self._missteps: dict[CellKey, tuple[CellNearMiss, ...]] = {}

    @cached_property
    def results(self) -> dict[CellKey, CellResult | ExpressionError]:
        """Each cell's answer, or why it does not replay, in the task's order."""
        return {
            (spec.entity, spec.dimension): self.evaluator.try_cell(spec.entity, spec.dimension) for spec in self.cells
        }

    def result(self, spec: CellSpec) -> CellResult | None:
        """The cell's answer; None where it does not replay."""
        found = self.results[spec.entity, spec.dimension]
        return found if isinstance(found, CellResult) else None

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
    def _tried(self) -> tuple[CellNearMiss | BrokenNearMiss, ...]:
        return tuple(curated(self.evaluator, self.answered))

    @cached_property
    def near_misses(self) -> tuple[CellNearMiss, ...]:
        """The near misses of `task.yaml` that can be worked out."""
        return tuple(miss for miss in self._tried if isinstance(miss, CellNearMiss))

    @cached_property
    def broken_near_misses(self) -> tuple[BrokenNearMiss, ...]:
        """The near misses that cannot be worked out."""
        return tuple(miss for miss in self._tried if isinstance(miss, BrokenNearMiss))

    @cached_property
    def told_near_misses(self) -> dict[CellKey, list[CellNearMiss]]:
        """The near misses of each cell that the curator or its witnesses give."""
        found: dict[CellKey, list[CellNearMiss]] = {}
        for miss in (*self.near_misses, *self.witness_near_misses):
            found.setdefault((miss.entity, miss.dimension), []).append(miss)
        return found

    def missteps(self, key: CellKey) -> tuple[CellNearMiss, ...]:
        """The near misses of a cell that known missteps give, beside those that are told; worked out when asked for."""
        known = self._missteps.get(key)
        if known is None:
            result = self.results[key]
            told = self.told_near_misses.get(key, ())
            known = computed(self.evaluator, result, told) if isinstance(result, CellResult) else ()
            self._missteps[key] = known
        return known

    def named_near_misses(self, key: CellKey) -> Iterator[CellNearMiss]:
        """The told near misses of a cell, with the name of the misstep where it is a known one."""
        return with_names(self.told_near_misses.get(key, ()), self.evaluator.missteps(*key))

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
    def witness_near_misses(self) -> tuple[CellNearMiss, ...]:
        """The other answers of divergent cells: each is a near miss (design, section 6)."""
        found = []
        for (entity, dimension), verdict in self.verdicts.items():
            result = self.results[entity, dimension]
            if isinstance(result, CellResult):
                found += [of_witness(result, other) for other in verdict.diverging]
        return tuple(found)


def _rule(spec: CellSpec, folder: TaskFolder) -> Rule | UnreadableInput:
    place = folder.task.place_of(spec.dimension, "scoring", entity=spec.entity)
    try:
        return parse_rule(spec.scoring, answer_type=spec.answer_type, unit=spec.unit, steps=spec.steps, place=place)
    except UnreadableInput as error:
        return error

"""`Evaluator`: the reference answers of a task's cells, near misses and checks, with traces and intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property

from cellwright.records.decimals import MAX_EXPONENT
from cellwright.records.derivations._book import FindPlace
from cellwright.records.derivations._checks import evaluate_check
from cellwright.records.derivations._graph import RANGE_ENDS, Built, TaskGraph
from cellwright.records.derivations._missteps import Misstep, MisstepMaker
from cellwright.records.derivations._nodes import Node, Reading
from cellwright.records.derivations._results import CellResult, CheckResult, Evaluated, Interval, StepResult
from cellwright.records.derivations._valuation import Valuation
from cellwright.records.derivations._values import Failure
from cellwright.records.errors import ExpressionError, Place
from cellwright.records.rows import Fact
from cellwright.records.suggest import did_you_mean
from cellwright.records.task import CellSpec, Check, Task

LIMIT = MAX_EXPONENT - 4
"""Digits before or after the point; four are left for percent and its like."""


class Evaluator:
    """Evaluates the derivations of one task over its facts.

    `locales` gives the locale of a source's numbers by source id, for facts that have no `value` yet. Nothing
    is worked out before it is asked for, and everything once. Raises UnreadableInput where the task's own units
    cannot be read.
    """

    def __init__(self, task: Task, facts: Sequence[Fact], *, locales: Mapping[str, str] | None = None) -> None:
        self.task = task
        self._graph = TaskGraph(task, facts, locales or {})
        self._root = self
        self._replaced: dict[str, Fact] = {}
        self._valuation = Valuation(self._read)
        self._cells: dict[tuple[str, str], CellResult | ExpressionError] = {}

    # -- cells

    def cell(self, entity: str, dimension: str) -> CellResult:
        """The reference answer of a cell; raises ExpressionError with the first fault on its way."""
        found = self.try_cell(entity, dimension)
        if isinstance(found, ExpressionError):
            raise ExpressionError(found.problems) if type(found) is ExpressionError else type(found)(found.problems)
        return found

    def try_cell(self, entity: str, dimension: str) -> CellResult | ExpressionError:
        """The reference answer of a cell, or what is wrong with it."""
        key = (entity, dimension)
        found = self._cells.get(key)
        if found is None:
            try:
                spec = self._spec(entity, dimension)
                found = self._evaluate_cell(spec) if self._touches(spec) else self._root.try_cell(entity, dimension)
            except ExpressionError as error:
                error.__traceback__ = None
                found = error
            self._cells[key] = found
        return found

    def all_cells(self) -> dict[tuple[str, str], CellResult | ExpressionError]:
        """Every cell by entity and dimension, entity by entity in the task's order."""
        return {
            (entity, dimension.id): self.try_cell(entity, dimension.id)
            for entity in self.task.entity_ids
            for dimension in self.task.dimensions
        }

    def _spec(self, entity: str, dimension: str) -> CellSpec:
        spec = self._graph.spec(entity, dimension)
        if spec is None:
            dimensions = [item.id for item in self.task.dimensions]
            if entity in self.task.entity_ids:
                raise ExpressionError(
                    f"there is no dimension `{dimension}`", fix=did_you_mean(dimension, dimensions).strip()
                )
            raise ExpressionError(
                f"there is no entity `{entity}`", fix=did_you_mean(entity, self.task.entity_ids).strip()
            )
        return spec

    def _evaluate_cell(self, spec: CellSpec) -> CellResult:
        if spec.answer_type == "not_available":
            return CellResult(
                spec.entity, spec.dimension, spec.answer_type, None, None, None, spec.unit, None, None, (), (), ()
            )
        ends = self._answer_steps(spec)
        notes: dict[str, None] = {}
        steps: list[StepResult] = []
        rests_on: set[str] = set()
        results: dict[str, StepResult] = {}
        for name, built in self._graph.built(spec).items():
            notes.update(dict.fromkeys(built.notes))
            if name in ends:
                built = self._graph.answer(spec, name)
                rests_on |= self._valuation.inputs(built.node)
            result = self._step(spec, name, built, spec.unit if name in ends else None, notes)
            results[name] = result
            steps.append(result)
        return self._result(spec, ends, results, tuple(steps), self._fact_ids(rests_on), notes)

    def _touches(self, spec: CellSpec) -> bool:
        """Whether a replaced fact lies below the cell; without one every cell is this evaluator's own."""
        if self._root is self:
            return True
        return any(built.node.keys & self._replaced.keys() for built in self._graph.built(spec).values())

    def _answer_steps(self, spec: CellSpec) -> tuple[str, ...]:
        """`answer`, or `low` and `high`; raises ExpressionError where they are not there."""
        if spec.answer_type == "range":
            absent = [end for end in RANGE_ENDS if end not in {step.id for step in spec.steps}]
            if absent:
                raise ExpressionError(
                    f"a range needs the step `{absent[0]}`",
                    self._place(spec, "steps"),
                    seen=", ".join(step.id for step in spec.steps),
                    expected="the steps `low` and `high`",
                )
            return RANGE_ENDS
        found = self._graph.answer_step(spec, lambda: self._place(spec, "steps"))
        if isinstance(found, Failure):
            raise found.error()
        return (found,)

    def _place(self, spec: CellSpec, *path: str | int) -> Place:
        return self.task.place_of(spec.dimension, *path, entity=spec.entity)

    def _result(
        self,
        spec: CellSpec,
        ends: tuple[str, ...],
        results: Mapping[str, StepResult],
        steps: tuple[StepResult, ...],
        inputs: tuple[str, ...],
        notes: Mapping[str, None],
    ) -> CellResult:
        value = low = high = None
        spans = [_span(results[end]) for end in ends]
        interval = spans[0]
        both: tuple[Interval, Interval] | None = None
        if len(ends) == 1:
            value = results[ends[0]].value
        else:
            low, high = results["low"].value, results["high"].value
            if low > high:
                raise ExpressionError(
                    "the range's low end lies above its high end",
                    self._place(spec, "steps"),
                    seen=f"low {low}, high {high}",
                    fix="exchange the two, or mend the steps",
                )
            both = (spans[0], spans[1]) if spans[0] is not None and spans[1] is not None else None
            interval = None if both is None else (min(both[0][0], both[1][0]), max(both[0][1], both[1][1]))
        return CellResult(
            spec.entity,
            spec.dimension,
            spec.answer_type,
            value,
            low,
            high,
            spec.unit,
            interval,
            both,
            steps,
            inputs,
            tuple(notes),
        )

    # -- steps

    def _step(self, spec: CellSpec, name: str, built: Built, unit: str | None, notes: dict[str, None]) -> StepResult:
        index = next(index for index, step in enumerate(spec.steps) if step.id == name)
        value, span = self._settled(built.node, unit, notes, name, lambda: self._place(spec, "steps", index, "expr"))
        shown = unit if unit is not None else self._graph.kinds.name(built.node.unit)
        low, high = span if span is not None else (None, None)
        return StepResult(name, spec.steps[index].expr, value, shown, low, high, self._inputs(built.inputs))

    def _settled(
        self, node: Node, unit: str | None, notes: dict[str, None], what: str, place: FindPlace
    ) -> tuple[Decimal, Interval | None]:
        """Value and interval in `unit`, or as they are inside; raises the node's failure."""
        value = self._valuation.settle(node)
        if isinstance(value, Failure):
            raise value.error()
        if _too_long(value):
            raise ExpressionError(
                "the number is out of bounds",
                place(),
                seen=f"a power of ten of {value.adjusted()}",
                expected=f"at most {LIMIT} digits before or after the point",
            )
        interval = self._interval(node, notes, what)
        self._note_ranks(node, notes)
        if unit is not None:
            outward = self._graph.kinds.outward(unit)
            value = outward(value)
            interval = None if interval is None else (outward(interval[0]), outward(interval[1]))
        return value, interval

    def _interval(self, node: Node, notes: dict[str, None], what: str) -> Interval | None:
        found = self._valuation.interval(node)
        if not isinstance(found, Failure) and not any(_too_long(end) for end in found):
            return found
        why = found.what if isinstance(found, Failure) else "an end is out of bounds"
        notes[f"`{what}`: the last written digits set no bound ({why})"] = None
        return None

    def _note_ranks(self, node: Node, notes: dict[str, None]) -> None:
        for inner in node.ranks:
            span = self._valuation.interval(inner)
            if not isinstance(span, Failure) and span[0] != span[1]:
                value = self._valuation.settle(inner)
                notes[f"the rank {value} could flip: within the last written digits it is {span[0]} to {span[1]}"] = (
                    None
                )

    # -- facts

    def _read(self, node: Node) -> Reading:
        fact = self._graph.book.by_id[node.fact]
        own = self._graph.reading(fact)
        other = self._replaced.get(node.fact)
        if other is None or node.op == "pinned" or own.unit is None:
            return own
        known = self._graph.book.by_id.get(other.id) is other
        reading = self._graph.reading(other) if known else self._graph.read(other)
        if reading.unit is None or reading.unit == own.unit:
            return reading
        change = self._graph.kinds.conversion(reading.unit, own.unit)
        if change is None:
            failure = Failure(
                f"the witness `{other.id}` is in another unit than `{fact.id}`",
                Place("facts.csv", other.line or None, "unit", other.id),
                other.unit,
                fact.unit,
            )
            return Reading(failure, failure, failure, own.unit)
        ends = [change(number) for number in (reading.value, reading.low, reading.high)]
        return Reading(ends[0], ends[1], ends[2], own.unit)

    def _fact_ids(self, keys: set[str]) -> tuple[str, ...]:
        return tuple(sorted(self._replaced[key].id if key in self._replaced else key for key in keys))

    def _inputs(self, inputs: tuple[str, ...]) -> tuple[str, ...]:
        if not self._replaced:
            return inputs
        named = {f"fact:{key}": f"fact:{fact.id}" for key, fact in self._replaced.items()}
        return tuple(named.get(item, item) for item in inputs)

    # -- beside the steps

    def expression(self, text: str, entity: str, dimension: str, *, place: Place | None = None) -> Evaluated:
        """A near miss, or any expression in a cell's place: after its steps, in the dimension's unit.

        `place` is where the expression stands, for messages. Raises ExpressionError, of the kind MissingFact
        where only a fact is missing.
        """
        spec = self._spec(entity, dimension)
        find_place = (lambda: place) if place is not None else (lambda: self._place_of_text(spec, text))
        built = self._graph.expression(spec, text, find_place)
        notes = dict.fromkeys(built.notes)
        value, interval = self._settled(built.node, spec.unit, notes, text, find_place)
        return Evaluated(
            value, interval, spec.unit, self._fact_ids(set(self._valuation.inputs(built.node))), tuple(notes)
        )

    def _place_of_text(self, spec: CellSpec, text: str) -> Place:
        for index, miss in enumerate(spec.near_misses):
            if miss.expr == text:
                return self._place(spec, "near_misses", index, "expr")
        return self._place(spec)

    def check(self, check: Check, entity: str, dimension: str) -> CheckResult:
        """Whether a check holds for one entity; skipped (`holds` None) where the entity lacks the facts.

        `within: rounding` lets the two sides differ by what the facts' last digits allow: their intervals must
        overlap. Raises ExpressionError for any other fault.
        """
        spec = self._spec(entity, dimension)
        index = spec.checks.index(check) if check in spec.checks else 0

        def place() -> Place:
            return self._place(spec, "checks", index, "expr")

        found, keys = evaluate_check(self._graph, self._valuation, spec, check, place)
        return replace(found, inputs=self._fact_ids(keys))

    def missteps(self, entity: str, dimension: str) -> tuple[Misstep, ...]:
        """What known missteps give in a cell, best named first; none where it has no answer.

        An answer that one of them gives and that is the right one too is left out, and so is a number that an
        earlier one gives.
        """
        own = self.try_cell(entity, dimension)
        if not isinstance(own, CellResult) or own.answer_type == "not_available":
            return ()
        others = (self.try_cell(other, dimension) for other in self.task.entity_ids)
        found = [other for other in others if isinstance(other, CellResult)]
        return self._missteps.of(self._spec(entity, dimension), own, found)

    @cached_property
    def _missteps(self) -> MisstepMaker:
        return MisstepMaker(self._graph, self._valuation)

    def witnesses(self, fact_id: str) -> tuple[Fact, ...]:
        """The witnesses of a fact: the same entity and name, and the same dates however they are written; by id.

        Raises ExpressionError for an id that is not there.
        """
        return tuple(self._graph.book.others(self._fact(fact_id)))

    def _fact(self, fact_id: str) -> Fact:
        fact = self._graph.book.by_id.get(fact_id)
        if fact is None:
            raise ExpressionError(
                f"there is no fact `{fact_id}`",
                Place("facts.csv"),
                fix=did_you_mean(fact_id, self._graph.book.by_id).strip(),
            )
        return fact

    def substituted(self, facts: Mapping[str, Fact]) -> Evaluator:
        """The same task with facts in the place of others: `{id of the primary: the fact to take}`.

        Cheap: the graph is shared, and only what rests on these facts is worked out anew. Names go on to find
        the primary; `publishers.x` is left as it is. Raises ExpressionError for an id that is not there.
        """
        root = self._root
        for key in facts:
            self._fact(key)
        other = Evaluator.__new__(Evaluator)
        other.task, other._graph, other._root = self.task, self._graph, root
        other._replaced = {**self._replaced, **facts}
        other._valuation = Valuation(other._read, root._valuation, frozenset(other._replaced))
        other._cells = {}
        return other


def _too_long(number: Decimal) -> bool:
    """Whether a number has no plain form, in this unit or in percent of it."""
    return bool(number) and abs(number.adjusted()) > LIMIT


def _span(step: StepResult) -> Interval | None:
    return None if step.low is None or step.high is None else (step.low, step.high)

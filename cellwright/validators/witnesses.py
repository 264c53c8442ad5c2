"""What the witnesses of a task would give: each put in the place of its primary fact, one at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property

from cellwright.records.decimals import CONTEXT
from cellwright.records.derivations import CellResult, Evaluator
from cellwright.records.periods import Period
from cellwright.records.quantities import QuantityError, printed_interval, read_number
from cellwright.records.rows import Fact
from cellwright.records.scoring import Reference, Rule, overlaps, unit_factor, within_full
from cellwright.records.task import CellSpec
from cellwright.validators.agreement import InputWitnesses, Interval, OtherAnswer, Verdict, agreement, apart
from cellwright.validators.answers import Answers, CellKey

_ITS_OWN = ("estimated", "adjusted")
"""The basis of a figure that its publisher made itself."""


def verdicts(answers: Answers) -> dict[CellKey, Verdict]:
    """The verdict on each answered cell whose rule can be read."""
    return _Witnesses(answers).verdicts()


class _Witnesses:
    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.facts = answers.folder.fact_by_id
        self._owner_of: dict[str, str] = {}
        self._repeating: dict[str, bool] = {}
        self._evaluators: dict[tuple[str, str], Evaluator] = {}

    @cached_property
    def of_primary(self) -> dict[str, list[Fact]]:
        """The witnesses of each primary fact by its id."""
        found: dict[str, list[Fact]] = {}
        for facts in self.answers.groups.values():
            witnesses = [fact for fact in facts if fact.rank == "witness"]
            for fact in facts:
                if fact.rank == "primary":
                    found[fact.id] = witnesses
        return found

    @cached_property
    def stating(self) -> dict[tuple[str, str], list[Fact]]:
        """Facts that state an answer: named as a dimension, by entity and name."""
        dimensions = {dimension.id for dimension in self.answers.folder.task.dimensions}
        found: dict[tuple[str, str], list[Fact]] = defaultdict(list)
        for fact in self.answers.folder.facts:
            if fact.name in dimensions and fact.rank in ("primary", "witness"):
                found[fact.entity, fact.name].append(fact)
        return found

    def owner(self, fact: Fact) -> str:
        """Who owns the publisher of a fact's source."""
        if fact.source not in self._owner_of:
            source = self.answers.folder.source_by_id.get(fact.source)
            self._owner_of[fact.source] = self.answers.owners.key(source.publisher if source else fact.source)
        return self._owner_of[fact.source]

    def repeats(self, fact: Fact) -> bool:
        """Whether an aggregator passes on what another disclosed; a figure it estimated or adjusted is its own."""
        if fact.basis in _ITS_OWN:
            return False
        if fact.source not in self._repeating:
            source = self.answers.folder.source_by_id.get(fact.source)
            self._repeating[fact.source] = source is not None and self.answers.owners.repeats(
                source.publisher, source.url
            )
        return self._repeating[fact.source]

    def verdicts(self) -> dict[CellKey, Verdict]:
        """The verdict on each answered cell whose rule can be read."""
        found: dict[CellKey, Verdict] = {}
        for spec, result in self.answers.answered:
            key = (spec.entity, spec.dimension)
            rule = self.answers.rules[key]
            if isinstance(rule, Rule):
                found[key] = self._verdict(spec, result, rule, self.answers.references[key])
        return found

    def _verdict(self, spec: CellSpec, result: CellResult, rule: Rule, reference: Reference) -> Verdict:
        inputs = [self.facts[fact_id] for fact_id in result.inputs if fact_id in self.facts]
        readings = {fact.id: [fact] for fact in inputs}
        others: list[OtherAnswer] = []
        for primary, witness in self._pairs(inputs):
            if (witness.value, witness.unit) != (primary.value, primary.unit):
                other = self._evaluator(primary, witness).try_cell(spec.entity, spec.dimension)
                if not isinstance(other, CellResult):
                    # What cannot stand in its place (another currency, a divisor of 0) tells nothing.
                    continue
                others.append(_other(other, witness.id, primary.id, rule, reference))
            readings[primary.id].append(witness)
        stated, stated_by = self._stated(spec, inputs, rule, reference)
        witnessed = [InputWitnesses(fact.id, self._owners(readings[fact.id])) for fact in inputs]
        return agreement(witnessed, [*others, *stated], stated_by)

    def _owners(self, readings: Sequence[Fact]) -> frozenset[str]:
        """The independent owners of readings of one thing, the primary first: who repeats one is no second one."""
        independent = frozenset(self.owner(fact) for fact in readings if not self.repeats(fact))
        return independent or frozenset({self.owner(readings[0])})

    def _pairs(self, inputs: Sequence[Fact]) -> Iterator[tuple[Fact, Fact]]:
        """Each input with each of its witnesses that says a number."""
        for primary in inputs:
            for witness in self.of_primary.get(primary.id, ()):
                if witness.value is not None:
                    yield primary, witness

    def _evaluator(self, primary: Fact, witness: Fact) -> Evaluator:
        key = (primary.id, witness.id)
        if key not in self._evaluators:
            self._evaluators[key] = self.answers.evaluator.substituted({primary.id: witness})
        return self._evaluators[key]

    def _stated(
        self, spec: CellSpec, inputs: Sequence[Fact], rule: Rule, reference: Reference
    ) -> tuple[list[OtherAnswer], str]:
        """Answers that facts state outright, and the first by an owner who tells none of the inputs."""
        used = {fact.id for fact in inputs}
        owners = {self.owner(fact) for fact in inputs}
        names = {fact.name for fact in inputs}
        others: list[OtherAnswer] = []
        stated_by = ""
        if spec.answer_type != "precise" or spec.dimension in names:
            return others, stated_by
        for fact in self.stating.get((spec.entity, spec.dimension), ()):
            factor = unit_factor(fact.unit, spec.unit) if fact.unit != spec.unit else Decimal(1)
            if fact.id in used or fact.value is None or factor is None or not self._is_of_period(fact, spec):
                continue
            value = CONTEXT.multiply(fact.value, factor)
            other = _judged(value, self._interval(fact, factor), fact.id, "", rule, reference)
            others.append(other)
            if other.within and not stated_by and not self.repeats(fact) and self.owner(fact) not in owners:
                stated_by = fact.id
        return others, stated_by

    def _interval(self, fact: Fact, factor: Decimal) -> Interval:
        """Half a unit of a stated figure's last written digit on both sides, in the cell's unit."""
        assert fact.value is not None
        source = self.answers.folder.source_by_id.get(fact.source)
        try:
            reading = read_number(fact.as_written, locale=(source.locale if source else "") or "en", table_cell=True)
            low, high = printed_interval(reading, scale=fact.scale)
            half = CONTEXT.divide(CONTEXT.subtract(high, low), Decimal(2))
        except QuantityError:  # rule C2-NUMBER-UNREADABLE tells it
            half = Decimal(0)
        ends = [CONTEXT.multiply(CONTEXT.add(fact.value, step), factor) for step in (-half, half)]
        return min(ends), max(ends)

    def _is_of_period(self, fact: Fact, spec: CellSpec) -> bool:
        period = self.answers.periods.get(fact.id)
        if not spec.period:
            return True
        wanted = self.answers.folder.task.calendar.period(spec.period, spec.entity)
        return isinstance(period, Period) and wanted.holds(period)


def _other(result: CellResult, witness: str, primary: str, rule: Rule, reference: Reference) -> OtherAnswer:
    if reference.answer_type == "range":
        assert None not in (reference.low, reference.high, result.low, result.high)
        within = overlaps(reference.low, reference.high, result.low, result.high, rule.overlap)  # type: ignore[arg-type]
        return OtherAnswer(witness, primary, None, result.low, result.high, result.interval, within, True)
    assert result.value is not None
    return _judged(result.value, result.interval, witness, primary, rule, reference)


def _judged(
    value: Decimal, interval: Interval | None, fact: str, replaces: str, rule: Rule, reference: Reference
) -> OtherAnswer:
    """An other answer of a precise cell: outside `full`, and is its interval apart from the reference's?"""
    is_apart = interval is not None and reference.interval is not None and apart(interval, reference.interval)
    return OtherAnswer(
        fact, replaces, value, interval=interval, within=within_full(rule, reference, value), apart=is_apart
    )

"""Near misses of a task's cells: the curator's, those that witnesses give, and those that known missteps give.

A computed one never takes part in a score: what it is for is to name what went wrong (design, section 8). What the
curator and the witnesses give already is not computed a second time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from cellwright.records.derivations import CellResult, Evaluator, MissingFact, Misstep, answer_key
from cellwright.records.errors import ExpressionError
from cellwright.records.missteps import Origin
from cellwright.records.task import CellSpec, NearMiss
from cellwright.validators.agreement import Interval, OtherAnswer
from cellwright.validators.tolerances import indistinguishable

WITNESS_PREFIX = "witness_"
"""How the ids of near misses begin that a divergent cell's other answers make; the fact's id follows."""


@dataclass(frozen=True, slots=True)
class CellNearMiss:
    """A wrong answer of one cell, worked out; numbers are in the cell's unit.

    A near miss of `task.yaml` has `value`; one of a range that a witness or a misstep gives has `low` and `high`.
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
    """The facts it uses, of one that is curated or a witness's; see `facts`."""
    indistinguishable: bool = False
    """Whether no tolerance that takes every right answer tells it from one."""
    position: int = -1
    """Its place among the near misses of `task.yaml`; -1 of others."""
    origin: Origin = "curated"
    misstep: str = ""
    """The misstep's name (`records.missteps`), where it is known to be one."""
    span: Interval | None = None
    """What the facts' last digits allow of it, where it is not computed; see `interval`."""
    made: Misstep | None = field(default=None, repr=False, compare=False)

    @property
    def numbers(self) -> tuple[Decimal, ...]:
        """Its value, or its two ends."""
        return tuple(number for number in (self.value, self.low, self.high) if number is not None)

    @property
    def interval(self) -> Interval | None:
        """What the facts' last digits allow of it; None where they set no bound."""
        return self.span if self.made is None else self.made.interval

    @property
    def facts(self) -> tuple[str, ...]:
        """The ids of the facts that it rests on."""
        return self.inputs if self.made is None else self.made.inputs


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


def curated(
    evaluator: Evaluator, answered: Iterable[tuple[CellSpec, CellResult]]
) -> Iterator[CellNearMiss | BrokenNearMiss]:
    """The near misses of `task.yaml`, cell by cell."""
    for spec, result in answered:
        for position, miss in enumerate(spec.near_misses):
            try:
                found = evaluator.expression(miss.expr, spec.entity, spec.dimension)
            except ExpressionError as error:
                yield BrokenNearMiss(spec, miss, position, error)
                continue
            yield CellNearMiss(
                spec.entity,
                spec.dimension,
                miss.id,
                miss.why,
                found.value,
                claim=miss.claim,
                inputs=tuple(found.inputs),
                position=position,
                indistinguishable=indistinguishable(result, (found.value,)),
                span=found.interval,
            )


def of_witness(result: CellResult, other: OtherAnswer) -> CellNearMiss:
    """The near miss that the other answer of a divergent cell is."""
    miss = CellNearMiss(
        result.entity,
        result.dimension,
        WITNESS_PREFIX + other.fact.replace(".", "_"),
        f"the figure of `{other.fact}`",
        other.value,
        other.low,
        other.high,
        inputs=(other.fact,),
        origin="witness",
        misstep="witness_for_primary",
        span=other.interval,
    )
    return replace(miss, indistinguishable=indistinguishable(result, miss.numbers))


def computed(evaluator: Evaluator, result: CellResult, told: Sequence[CellNearMiss]) -> tuple[CellNearMiss, ...]:
    """The near misses that known missteps give in a cell, beside those that are `told` already."""
    ids = {miss.id for miss in told}
    given = {answer_key(miss.numbers) for miss in told}
    found = []
    for step in evaluator.missteps(result.entity, result.dimension):
        numbers = tuple(number for number in (step.value, step.low, step.high) if number is not None)
        if answer_key(numbers) in given:
            continue
        name, number = step.id, 2
        while name in ids:  # a curator may have given one of his own this id
            name, number = f"{step.id}_{number}", number + 1
        ids.add(name)
        found.append(
            CellNearMiss(
                result.entity,
                result.dimension,
                name,
                step.why,
                step.value,
                step.low,
                step.high,
                indistinguishable=indistinguishable(result, numbers),
                origin="computed",
                misstep=step.name,
                made=step,
            )
        )
    return tuple(found)


def with_names(told: Iterable[CellNearMiss], steps: Sequence[Misstep]) -> Iterator[CellNearMiss]:
    """Near misses with the name of the misstep that gives the same number, where one does."""
    for miss in told:
        named = next((step.name for step in steps if not miss.misstep and _same(step, miss)), "")
        yield replace(miss, misstep=named) if named else miss


def _same(step: Misstep, miss: CellNearMiss) -> bool:
    numbers = tuple(number for number in (step.value, step.low, step.high) if number is not None)
    return answer_key(numbers) == answer_key(miss.numbers)

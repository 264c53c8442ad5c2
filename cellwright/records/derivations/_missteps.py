"""Known missteps made in a cell's own derivation: what a solver gives who makes them.

Each is the cell's graph with a fact in the place of another, an operation turned round or a step left out, or its
answer at another scale; never a change of the expression's text. Which are made is said in `_changes`; here they are
worked out, named, told apart and kept within bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from cellwright.records.decimals import CONTEXT
from cellwright.records.derivations._changes import WHOLE_UNITS, Change, changes_of
from cellwright.records.derivations._graph import TaskGraph
from cellwright.records.derivations._neighbours import Neighbours
from cellwright.records.derivations._nodes import Node
from cellwright.records.derivations._results import CellResult, Interval
from cellwright.records.derivations._valuation import Valuation
from cellwright.records.derivations._variants import interval_with, node_with, value_with
from cellwright.records.missteps import MISSTEPS
from cellwright.records.task import CellSpec

MOST = 16
"""Missteps kept in a cell: those named first in `MISSTEPS` say most about what went wrong."""
MOST_ENTITIES = 2
"""Other entities whose answer is a misstep of a cell: the nearest, which a tolerance could take for right."""
_PREFIX = "computed_"
_ORDER = {name: place for place, name in enumerate(MISSTEPS)}
_DIGITS = CONTEXT.copy()
_DIGITS.prec = 20
"""Digits to which two numbers are the same: the order of operations moves the last ones of 34."""


@dataclass(frozen=True, slots=True)
class Misstep:
    """A wrong answer that a known misstep gives in one cell; numbers are in the cell's unit.

    A precise cell's has `value`, a range's `low` and `high`. `name` is one of `MISSTEPS`.
    """

    id: str
    name: str
    why: str
    value: Decimal | None
    low: Decimal | None = None
    high: Decimal | None = None
    _details: Callable[[], tuple[Interval | None, tuple[str, ...]]] = field(
        default=lambda: (None, ()), repr=False, compare=False
    )

    @property
    def interval(self) -> Interval | None:
        """What the facts' last digits allow of it; None where they set no bound. Worked out when asked for."""
        return self._details()[0]

    @property
    def inputs(self) -> tuple[str, ...]:
        """The ids of the facts that it rests on, sorted."""
        return self._details()[1]


@dataclass(frozen=True, slots=True)
class Found:
    """A wrong answer before it has its id."""

    change: Change
    numbers: tuple[Decimal, ...]
    """Its value, or the two ends of a range."""
    details: Callable[[], tuple[Interval | None, tuple[str, ...]]]


class MisstepMaker:
    """Makes the missteps of one task's cells."""

    def __init__(self, graph: TaskGraph, valuation: Valuation) -> None:
        self._graph = graph
        self._valuation = valuation
        self._neighbours = Neighbours(graph.book)

    def of(self, spec: CellSpec, own: CellResult, others: Iterable[CellResult]) -> tuple[Misstep, ...]:
        """The missteps of a cell, best named first; `others` are the answers to the same dimension."""
        right = _numbers(own)
        found = [*self._changed(spec, own), *_of_other_entities(right, own, others)]
        found.sort(key=lambda item: _ORDER[item.change.name])
        taken = {answer_key(right)}
        ids: set[str] = set()
        kept: list[Misstep] = []
        for item in found:
            key = answer_key(item.numbers)
            if key not in taken and len(kept) < MOST:
                taken.add(key)
                kept.append(_named(item, ids))
        return tuple(kept)

    def _changed(self, spec: CellSpec, own: CellResult) -> Iterator[Found]:
        ends = ("answer",) if own.value is not None else ("low", "high")
        tops = tuple(self._graph.answer(spec, end).node for end in ends)
        outward = self._graph.kinds.outward(spec.unit)
        for change in changes_of(self._graph, self._neighbours, spec, tops, own.value):
            if change.factor is not None:
                yield _scaled(change, own)
                continue
            values = [value_with(self._valuation, top, change.swaps) for top in tops]
            if all(node.op == "fact" for node in change.swaps):  # a figure may lie below one end of a range only
                pairs = zip(tops, values, strict=True)
                values = [_known(self._valuation, top) if got is None else got for top, got in pairs]
            numbers = tuple(sorted(outward(value) for value in values if value is not None))
            if len(numbers) == len(tops):
                yield Found(change, numbers, self._later(tops, change.swaps, outward))

    def _later(
        self, tops: tuple[Node, ...], swaps: Mapping[Node, Node], outward: Callable[[Decimal], Decimal]
    ) -> Callable[[], tuple[Interval | None, tuple[str, ...]]]:
        def details() -> tuple[Interval | None, tuple[str, ...]]:
            spans = [interval_with(self._valuation, top, swaps) for top in tops]
            facts = frozenset().union(*(self._valuation.inputs(node_with(top, swaps)) for top in tops))
            known = [outward(end) for span in spans if span is not None for end in span]
            return ((min(known), max(known)) if None not in spans else None), tuple(sorted(facts))

        return details


def _known(valuation: Valuation, top: Node) -> Decimal | None:
    value = valuation.settle(top)
    return value if isinstance(value, Decimal) else None


def _numbers(result: CellResult) -> tuple[Decimal, ...]:
    return tuple(number for number in (result.value, result.low, result.high) if number is not None)


def _scaled(change: Change, own: CellResult) -> Found:
    """The answer times a number: no figure changes."""
    assert change.factor is not None
    factor = change.factor

    def moved(numbers: Iterable[Decimal]) -> tuple[Decimal, ...]:
        return tuple(sorted(CONTEXT.multiply(number, factor) for number in numbers))

    def details() -> tuple[Interval | None, tuple[str, ...]]:
        if own.interval is None:
            return None, own.inputs
        low, high = moved(own.interval)
        return (low, high), own.inputs

    return Found(change, moved(_numbers(own)), details)


def _of_other_entities(right: tuple[Decimal, ...], own: CellResult, others: Iterable[CellResult]) -> Iterator[Found]:
    if own.unit in WHOLE_UNITS:
        return
    same = [
        other
        for other in others
        if other.entity != own.entity and other.answer_type == own.answer_type and other.unit == own.unit
    ]
    nearest = sorted(same, key=lambda other: (_distance(right, _numbers(other)), other.entity))
    for other in nearest[:MOST_ENTITIES]:
        change = Change("other_entity", f"the answer of `{other.entity}`", other.entity)
        yield Found(change, _numbers(other), lambda other=other: (other.interval, other.inputs))  # type: ignore[misc]


def _distance(one: tuple[Decimal, ...], other: tuple[Decimal, ...]) -> Decimal:
    return sum((abs(CONTEXT.subtract(a, b)) for a, b in zip(one, other, strict=True)), Decimal(0))


def answer_key(numbers: tuple[Decimal, ...]) -> tuple[Decimal, ...]:
    """What two answers share that are the same number, or the same range, to twenty digits."""
    return tuple(map(_DIGITS.plus, numbers))


def _named(found: Found, ids: set[str]) -> Misstep:
    change = found.change
    stem = "_".join(part for part in (change.name, change.about.replace(".", "_")) if part)
    name, number = _PREFIX + stem, 2
    while name in ids:
        name, number = f"{_PREFIX}{stem}_{number}", number + 1
    ids.add(name)
    value, low, high = (found.numbers[0], None, None) if len(found.numbers) == 1 else (None, *found.numbers)
    return Misstep(name, change.name, change.why, value, low, high, found.details)

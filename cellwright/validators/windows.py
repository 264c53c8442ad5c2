"""The tolerance that would do for all cells that share one: between their right answers and their near misses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from cellwright.records.decimals import CONTEXT
from cellwright.records.derivations import CellResult
from cellwright.records.scoring import HUNDREDTHS, WHOLE, Reference, Tolerance
from cellwright.records.task import CellSpec
from cellwright.validators.answers import Answers
from cellwright.validators.near_misses import CellNearMiss
from cellwright.validators.thresholds import Thresholds
from cellwright.validators.tolerances import (
    EXACT,
    Bounds,
    bounds_of,
    least_likeness,
    likeness,
    overlap_that_does,
    reach_of,
    tolerance_that_does,
)

NOT_TOLD = frozenset({"other_entity", "other_figure", "witness_for_primary"})
"""Missteps of which no tolerance is at fault: the first two meet the answer by chance, since the figures have nothing
to do with each other; a witness within the tolerance agrees, and one beyond it makes the cell divergent."""


def finest_full(thresholds: Thresholds, reference: Reference) -> Decimal:
    """The tightest `full` that is sensibly asked for: a known misstep nearer than that meets the answer by chance."""
    if reference.unit in HUNDREDTHS:
        return thresholds.points_full_finest
    assert reference.value is not None
    return CONTEXT.multiply(thresholds.relative_full_finest, abs(reference.value))


class Windows:
    """Proposes tolerances for a task's cells, once for each rule that some of them share."""

    def __init__(self, answers: Answers, thresholds: Thresholds) -> None:
        self._answers = answers
        self._thresholds = thresholds
        self._known: dict[tuple[object, ...], str] = {}

    def says(self, spec: CellSpec, full: Tolerance) -> str:
        """`full: 0.4%` would do, for the cells of the dimension with this cell's rule: a line to paste."""
        key = (spec.dimension, spec.scoring, spec.unit)
        if key not in self._known:
            self._known[key] = self._proposed(spec, full)
        return f"`full: {self._known[key]}` would do"

    def says_strictly(self, spec: CellSpec, full: Tolerance) -> str:
        """The same where a computed misstep must be left out too: for the whole dimension, or for this cell alone."""
        found = tolerance_that_does(spec.unit, full, list(self._bounds(spec, computed=True)))
        if found != EXACT or spec.unit in WHOLE:
            return f"`full: {found}` would do"
        own = [bounds for other, bounds in self._by_cell(spec, computed=True) if other.entity == spec.entity]
        alone = tolerance_that_does(spec.unit, full, own)
        return f"none would do for every entity; for `{spec.entity}` alone, under `overrides`, `full: {alone}`"

    def says_overlap(self, spec: CellSpec, misses: Iterable[CellNearMiss]) -> str:
        """`overlap: 0.8` would do, for the range cells of the dimension with this cell's rule."""
        results = {
            other.entity: result
            for other in self._answers.cells
            if (other.dimension, other.scoring) == (spec.dimension, spec.scoring)
            and (result := self._answers.result(other)) is not None
        }
        least = min((least_likeness(result) for result in results.values()), default=Decimal(1))
        found = overlap_that_does(least, max(_likeness(results[miss.entity], miss) for miss in misses))
        return f"`overlap: {found}` would do" if found else "none would do for every entity"

    def _proposed(self, spec: CellSpec, full: Tolerance) -> str:
        """One that computed missteps do not reach either, where there is one; they alone never make it `exact`."""
        strict = tolerance_that_does(spec.unit, full, list(self._bounds(spec, computed=True)))
        if strict != EXACT:
            return strict
        return tolerance_that_does(spec.unit, full, list(self._bounds(spec, computed=False)))

    def _bounds(self, spec: CellSpec, *, computed: bool) -> Iterator[Bounds]:
        for _, bounds in self._by_cell(spec, computed=computed):
            yield bounds

    def _by_cell(self, spec: CellSpec, *, computed: bool) -> Iterator[tuple[CellSpec, Bounds]]:
        """The demands of each cell that shares this one's rule."""
        answers = self._answers
        for other, _, reference in answers.scorable:
            shared = (other.dimension, other.scoring, other.unit) == (spec.dimension, spec.scoring, spec.unit)
            if not shared or reference.value is None:
                continue
            key = (other.entity, other.dimension)
            told = _gaps(reference, answers.told_near_misses.get(key, ()))
            known = _gaps(reference, _natural(answers.missteps(key))) if computed else ()
            finest = max(reach_of(reference), finest_full(self._thresholds, reference))
            gaps = [*told, *(gap for gap in known if gap > finest)]
            yield other, bounds_of(reference, gaps)


def _likeness(result: CellResult, miss: CellNearMiss) -> Decimal:
    if result.low is None or result.high is None or len(miss.numbers) != 2:
        return Decimal(0)
    return likeness((result.low, result.high), miss.numbers)


def _natural(misses: Iterable[CellNearMiss]) -> Iterator[CellNearMiss]:
    return (miss for miss in misses if miss.misstep not in NOT_TOLD)


def _gaps(reference: Reference, misses: Iterable[CellNearMiss]) -> list[Decimal]:
    """How far each near miss lies from the reference that can be told from a right answer."""
    assert reference.value is not None
    return [
        abs(CONTEXT.subtract(miss.value, reference.value))
        for miss in misses
        if miss.value is not None and not miss.indistinguishable
    ]

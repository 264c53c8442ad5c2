"""Tolerances: how far right answers and near misses lie from a reference, and which tolerance tells them apart.

A right solver may land anywhere that the facts' last digits allow: `full` must reach so far. A near miss outside of
that must lie beyond `full`. Between the two lies the tolerance that would do; where no distance does, `exact` does,
since it takes the interval itself. A near miss inside the interval is told from a right answer by none. So the two
demands never contradict each other. A range has `overlap` in the place of `full`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.derivations import CellResult
from cellwright.records.scoring import HUNDREDTHS, WHOLE, Reference, Tolerance

ZERO, ONE = Decimal(0), Decimal(1)
EXACT = "exact"
MOST_DIGITS = 8
"""Digits that a tolerance is proposed with at most: nobody types more."""
MOST_PLACES = 15
"""Digits before and after the point that a scoring rule reads."""
Numbers = tuple[Decimal, ...]


@dataclass(frozen=True, slots=True)
class Bounds:
    """One cell's demands on its tolerance, as distances from its reference in its unit."""

    value: Decimal
    reach: Decimal
    """How far a right answer may lie from the reference."""
    gap: Decimal | None = None
    """How near the nearest near miss lies that must not earn 1; None where there is none."""


def reach_of(reference: Reference) -> Decimal:
    """How far the facts' last digits let a precise answer lie from the reference; 0 where they set no bound."""
    if reference.value is None or reference.interval is None:
        return ZERO
    low, high = reference.interval
    return max(CONTEXT.subtract(reference.value, low), CONTEXT.subtract(high, reference.value))


def bounds_of(reference: Reference, gaps: Iterable[Decimal]) -> Bounds:
    """The demands of a precise cell whose near misses lie so far from its reference.

    Twice the answer is one of them wherever it is no right answer itself: it must not pass either (C5-TIER-LOST).
    """
    assert reference.value is not None
    reach = reach_of(reference)
    double = abs(reference.value)
    return Bounds(reference.value, reach, min([*gaps, *([double] if reach < double else [])], default=None))


def tolerance_that_does(unit: str, full: Tolerance, cells: Sequence[Bounds]) -> str:
    """The text of a `full` that takes every right answer of the cells and no near miss; `exact` where no distance does.

    Of the kind of `full` where that can be, and as short a number as will do.
    """
    if unit in WHOLE or full.kind == "exact":
        return EXACT
    relative = full.kind == "relative" and unit not in HUNDREDTHS
    for kind in (relative, not relative) if unit not in HUNDREDTHS else (False,):
        if kind and any(not cell.value for cell in cells):
            continue
        size = _size(kind, full if kind == (full.kind == "relative") else None, cells)
        if size is not None:
            return _text(size, kind, unit)
    return EXACT


def _size(relative: bool, full: Tolerance | None, cells: Sequence[Bounds]) -> Decimal | None:
    """A size between the farthest right answer and the nearest near miss, as a part of the value or as a distance."""
    least = max((_part(cell.reach, cell, relative) for cell in cells), default=ZERO)
    gaps = [_part(cell.gap, cell, relative) for cell in cells if cell.gap is not None]
    below = min(gaps, default=None)
    too_tight = full is not None and full.size < least
    for size in _candidates(least, below, None if full is None or too_tight else full.size):
        plain = format(size, "f")
        whole, _, part = plain.partition(".")
        if len(whole) > MOST_PLACES - 2 or len(part) > MOST_PLACES - 2 or (relative and size > ONE):
            continue
        if all(_fits(size, cell, relative) for cell in cells):
            return size
    return None


def _part(distance: Decimal, cell: Bounds, relative: bool) -> Decimal:
    return CONTEXT.divide(distance, abs(cell.value)) if relative else distance


def _fits(size: Decimal, cell: Bounds, relative: bool) -> bool:
    reach = CONTEXT.multiply(size, abs(cell.value)) if relative else size
    return size > 0 and cell.reach <= reach and (cell.gap is None or reach < cell.gap)


def _candidates(least: Decimal, below: Decimal | None, most: Decimal | None) -> Iterator[Decimal]:
    """The widest that may be; half the way to the nearest near miss; just beyond the farthest right answer."""
    if most is not None and (below is None or most < below):
        yield most
    if below is not None and below > 0:
        for digits in (1, 2):
            half = _rounded(CONTEXT.divide(below, Decimal(2)), digits, ROUND_FLOOR)
            if half >= least and (most is None or half <= most):
                yield half
    for digits in range(1, MOST_DIGITS + 1):
        if least:
            yield _rounded(least, digits, ROUND_CEILING)
    if below is not None and below > 0:
        yield _rounded(below, MOST_DIGITS, ROUND_FLOOR)


def _rounded(size: Decimal, digits: int, rounding: str) -> Decimal:
    place = Decimal((0, (1,), size.adjusted() - digits + 1))
    return size.quantize(place, rounding=rounding, context=CONTEXT)


def _text(size: Decimal, relative: bool, unit: str) -> str:
    if relative:
        return f"{canonical(CONTEXT.multiply(size, Decimal(100)))}%"
    return f"{canonical(size)} {'pp' if unit in HUNDREDTHS else unit}".strip()


def likeness(one: Numbers, other: Numbers) -> Decimal:
    """Intersection over union of two ranges, 0 to 1; of two equal points 1, of ends the wrong way round 0."""
    if one[0] > one[1] or other[0] > other[1]:
        return ZERO
    shared = CONTEXT.subtract(min(one[1], other[1]), max(one[0], other[0]))
    union = CONTEXT.subtract(max(one[1], other[1]), min(one[0], other[0]))
    if not union:
        return ONE
    return CONTEXT.divide(shared, union) if shared > 0 else ZERO


def least_likeness(result: CellResult) -> Decimal:
    """How little a right range may have in common with the reference: its ends where the facts' last digits let them.

    1 where the digits set no bound.
    """
    if result.low is None or result.high is None or result.ends is None:
        return ONE
    own = result.low, result.high
    return min(likeness(own, (low, high)) for low in result.ends[0] for high in result.ends[1])


def overlap_that_does(least: Decimal, likest: Decimal) -> str:
    """An `overlap` that near misses with at most `likest` in common do not reach, and right ranges with `least` do.

    Empty where there is none.
    """
    for digits in range(1, MOST_PLACES + 1):
        unit = Decimal((0, (1,), -digits))
        size = likest.quantize(unit, rounding=ROUND_CEILING, context=CONTEXT)
        size = CONTEXT.add(size, unit) if size == likest else size
        if size <= least:
            return canonical(size)
    return ""


def indistinguishable(result: CellResult, numbers: Numbers) -> bool:
    """Whether no tolerance that takes every right answer tells these numbers from one.

    A number is so inside the interval; a range is so where it has as much in common with the reference as a right
    one may have; a number in the place of a range never is, since it is no range.
    """
    if result.value is not None:
        if len(numbers) != 1:
            return False
        return result.interval is not None and result.interval[0] <= numbers[0] <= result.interval[1]
    if result.low is None or result.high is None or len(numbers) != 2:
        return False
    return likeness((result.low, result.high), numbers) >= least_likeness(result)

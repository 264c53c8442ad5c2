"""What one constant answer earns on average over a dimension (design, section 8: a constant guess must not pay).

Under a cell's rule a number earns more the nearer it lies to the reference, in windows that hold one
another. Over all cells the best constant lies where the windows' scores add up to most: a sweep over their
ends finds it, without trying every number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.scoring import Answer, Reference, Rule, Tolerance, grade

Window = tuple[Decimal, Decimal]
ZERO, HALF, QUARTER = Decimal(0), Decimal("0.5"), Decimal("0.25")


@dataclass(frozen=True, slots=True)
class BestConstant:
    """The constant that earns most on a dimension, and its mean score, 0 to 1."""

    answer: Answer
    mean: Decimal

    @property
    def says(self) -> str:
        """The constant in words, numbers with six digits at most."""
        answer = self.answer
        if answer.value is not None:
            return _short(answer.value)
        if answer.low is not None and answer.high is not None:
            return f"{_short(answer.low)} to {_short(answer.high)}"
        return "not available"


def _short(value: Decimal) -> str:
    return canonical(value.normalize(_SHORT))


_SHORT = CONTEXT.copy()
_SHORT.prec = 6
_ABSENT = Answer("not_available", reason="a constant")


def best_constant(cells: Sequence[tuple[Rule, Reference]]) -> BestConstant:
    """The best of: one number, `not available`, and each reference range, for every cell alike.

    A constant shows no derivation, so that it earns a full score only where none is required.
    """
    if not cells:
        return BestConstant(_ABSENT, ZERO)
    candidates = [_absence(cells), _number(cells), *_ranges(cells)]
    best = max(candidates, key=lambda found: found[1])
    return BestConstant(best[0], CONTEXT.divide(best[1], Decimal(len(cells))))


def _absence(cells: Sequence[tuple[Rule, Reference]]) -> tuple[Answer, Decimal]:
    return _ABSENT, Decimal(sum(reference.answer_type == "not_available" for _, reference in cells))


def _number(cells: Sequence[tuple[Rule, Reference]]) -> tuple[Answer, Decimal]:
    """The number that earns most: a sweep over the ends of all windows, ends included."""
    gains: dict[Decimal, list[Decimal]] = {}
    for rule, reference in cells:
        for (low, high), gain in _windows(rule, reference):
            gains.setdefault(low, [ZERO, ZERO])[0] += gain
            gains.setdefault(high, [ZERO, ZERO])[1] += gain
    best, best_at, running = ZERO, ZERO, ZERO
    for point in sorted(gains):
        opening, closing = gains[point]
        running += opening
        if running > best:
            best, best_at = running, point
        running -= closing
    return Answer("precise", best_at), best


def _windows(rule: Rule, reference: Reference) -> Iterator[tuple[Window, Decimal]]:
    """Windows around a reference with what each adds to those around it."""
    if reference.low is not None and reference.high is not None:
        yield (reference.low, reference.high), HALF
    if reference.answer_type != "precise" or rule.full is None or reference.value is None:
        return
    full = _full(rule.full, reference)
    partial = _hull(full, _signed(_around(rule.partial, reference.value), reference.value))
    outer = _hull(partial, _order(rule.order, reference.value)) if rule.order else partial
    base = QUARTER if rule.order else ZERO
    if rule.order:
        yield outer, QUARTER
    yield partial, HALF - base
    if rule.derivation == "optional":
        yield full, HALF


def _full(full: Tolerance, reference: Reference) -> Window:
    assert reference.value is not None
    if full.kind != "exact":
        return _around(full, reference.value)
    return reference.interval or (reference.value, reference.value)


def _around(tolerance: Tolerance, value: Decimal) -> Window:
    reach = tolerance.around(value)
    return CONTEXT.subtract(value, reach), CONTEXT.add(value, reach)


def _signed(window: Window, value: Decimal) -> Window:
    """The part of a window on the reference's side of 0: another sign earns nothing there."""
    least = Decimal((0, (1,), value.adjusted() - 30)) if value else ZERO
    if value > 0:
        return max(window[0], least), window[1]
    return (window[0], min(window[1], -least)) if value < 0 else window


def _order(factor: Decimal, value: Decimal) -> Window:
    near, far = CONTEXT.divide(value, factor), CONTEXT.multiply(value, factor)
    return (near, far) if near <= far else (far, near)


def _hull(one: Window, other: Window) -> Window:
    return min(one[0], other[0]), max(one[1], other[1])


def _ranges(cells: Sequence[tuple[Rule, Reference]]) -> Iterator[tuple[Answer, Decimal]]:
    """Each reference range, given with a method, for every cell of the dimension."""
    for _, own in cells:
        if own.answer_type == "range" and own.low is not None and own.high is not None:
            answer = Answer("range", low=own.low, high=own.high, unit=own.unit, method="a constant")
            total = sum((grade(rule, reference, answer, sound=False).score for rule, reference in cells), ZERO)
            yield answer, total

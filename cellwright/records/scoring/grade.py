"""`grade`: what an answer earns in a cell, by the table of the design, section 8. The first line that fits wins.

Every boundary is inclusive: an answer at exactly the tolerance is within it. Ranges whose two ends are the
same number are that number. Comparisons are made with products, never with quotients, so that no rounding
of a division decides an edge.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from cellwright.records.decimals import CONTEXT
from cellwright.records.scoring.answer import Answer, Reference
from cellwright.records.scoring.cell_unit import WHOLE
from cellwright.records.scoring.rule import Rule

FULL, HALF, QUARTER, NOTHING = Decimal(1), Decimal("0.5"), Decimal("0.25"), Decimal(0)
NOT_AVAILABLE_WIDTH = Decimal("0.2")
"""The least width, as a part of its midpoint, of a range that may stand for «not available»."""
PRECISE_RANGE_WIDTH = Decimal(2)
"""The greatest quotient of the ends of a range that may earn a quarter in a precise cell."""


@dataclass(frozen=True, slots=True)
class Grade:
    """What an answer earns: `score`, and the line of the table that gave it.

    `lower` and `upper` are the least and greatest score that what is still undecided allows; `score` is
    `lower`. They differ only where `sound` or `right_inputs` was None.
    """

    score: Decimal
    clause: str
    lower: Decimal
    upper: Decimal

    @property
    def decided(self) -> bool:
        """Whether nothing is left for a judge."""
        return self.lower == self.upper


def grade(
    rule: Rule, reference: Reference, answer: Answer, sound: bool | None = True, right_inputs: bool | None = False
) -> Grade:
    """What `answer` earns: 1, 0.5, 0.25 or 0, with the clause that says why.

    `sound`: whether the derivation shown is sound; `right_inputs`: whether it shows the right inputs. None
    means that neither rule nor judge has decided: the grade then holds both bounds. Pure.
    """
    low, clause = _decide(rule, reference, answer, sound is True, right_inputs is True)
    high, _ = _decide(rule, reference, answer, sound is not False, right_inputs is not False)
    return Grade(low, clause, low, high)


def _decide(rule: Rule, reference: Reference, answer: Answer, sound: bool, right_inputs: bool) -> tuple[Decimal, str]:
    if answer.other_unit:
        return NOTHING, "a unit of another kind"
    said = as_point(answer)
    if reference.answer_type == "precise":
        return _precise(rule, reference, said, sound, right_inputs)
    if reference.answer_type == "range":
        return _range(rule, reference, said)
    return _not_available(said)


def as_point(answer: Answer) -> Answer:
    """The answer itself, or for a range whose ends are one number that number as a precise answer."""
    if answer.type == "range" and answer.low is not None and answer.low == answer.high:
        return Answer(
            "precise",
            answer.low,
            unit=answer.unit,
            confidence=answer.confidence,
            method=answer.method,
            reason=answer.reason,
            span=answer.span,
        )
    return answer


def within_full(rule: Rule, reference: Reference, value: Decimal) -> bool:
    """Whether `value` is within the cell's `full` of its reference."""
    assert reference.value is not None
    if rule.full is None:
        return False
    if rule.full.kind != "exact":
        return _distance(value, reference.value) <= rule.full.around(reference.value)
    if reference.unit in WHOLE or reference.interval is None:
        return value == reference.value
    low, high = reference.interval
    return low <= value <= high


def _precise(rule: Rule, reference: Reference, answer: Answer, sound: bool, right_inputs: bool) -> tuple[Decimal, str]:
    true = reference.value
    assert true is not None
    if answer.type == "not_available":
        return NOTHING, "says not available where a number is"
    if answer.type == "precise" and answer.value is not None:
        value = answer.value
        if within_full(rule, reference, value):
            if rule.derivation == "optional" or sound:
                return FULL, "within full"
            return HALF, "within full, no sound derivation"
        if right_sign(value, true):
            if _distance(value, true) <= rule.partial.around(true):
                return HALF, "within partial"
            if rule.order is not None and _within_factor(value, true, rule.order):
                return QUARTER, "within order"
    elif answer.low is not None and answer.high is not None and _close_range(answer.low, answer.high, true):
        return QUARTER, "a range that holds it"
    if right_inputs:
        return QUARTER, "the right inputs"
    return NOTHING, "a range too wide or beside it" if answer.type == "range" else "outside"


def right_sign(value: Decimal, true: Decimal) -> bool:
    """Whether `value` has the sign of the reference; a reference of 0 has none that could be wrong."""
    return not true or (bool(value) and (value > 0) == (true > 0))


def _distance(value: Decimal, true: Decimal) -> Decimal:
    return CONTEXT.subtract(value, true).copy_abs()


def _within_factor(value: Decimal, true: Decimal, factor: Decimal) -> bool:
    size, own = value.copy_abs(), true.copy_abs()
    return bool(own) and size <= CONTEXT.multiply(own, factor) and own <= CONTEXT.multiply(size, factor)


def _close_range(low: Decimal, high: Decimal, true: Decimal) -> bool:
    """One sign, holds the reference, the larger end at most twice the smaller."""
    if not low <= true <= high or not (low > 0 or high < 0):
        return False
    smaller, larger = sorted((low.copy_abs(), high.copy_abs()))
    return larger <= CONTEXT.multiply(smaller, PRECISE_RANGE_WIDTH)


def _range(rule: Rule, reference: Reference, answer: Answer) -> tuple[Decimal, str]:
    low, high = reference.low, reference.high
    assert low is not None
    assert high is not None
    if answer.type == "precise" and answer.value is not None:
        return (HALF, "a point inside") if low <= answer.value <= high else (NOTHING, "a point outside")
    if answer.low is None or answer.high is None:
        return NOTHING, "says not available where a range is"
    if overlaps(low, high, answer.low, answer.high, rule.overlap):
        return (FULL, "overlaps, with method") if answer.method else (HALF, "overlaps, without method")
    width, own = CONTEXT.subtract(answer.high, answer.low), CONTEXT.subtract(high, low)
    if answer.low <= low and high <= answer.high and width <= CONTEXT.multiply(own, rule.max_width):
        return QUARTER, "holds it, wider"
    return NOTHING, "a range elsewhere or too wide"


def overlaps(low: Decimal, high: Decimal, other_low: Decimal, other_high: Decimal, least: Decimal) -> bool:
    """Whether intersection over union of two ranges is at least `least`; of two equal points it is 1."""
    shared = CONTEXT.subtract(min(high, other_high), max(low, other_low))
    union = CONTEXT.subtract(max(high, other_high), min(low, other_low))
    if not union:
        return True
    return shared > 0 and shared >= CONTEXT.multiply(union, least)


def _not_available(answer: Answer) -> tuple[Decimal, str]:
    if answer.type == "not_available":
        return (FULL, "says so, with reason") if answer.reason else (HALF, "says so, without reason")
    if answer.type == "range" and answer.low is not None and answer.high is not None and _wide(answer.low, answer.high):
        return (HALF, "a wide range, with method") if answer.method else (QUARTER, "a wide range, without method")
    return NOTHING, "a precise value where nothing is available"


def _wide(low: Decimal, high: Decimal) -> bool:
    """At least 20 % of its midpoint wide: twice the width against a fifth of the sum of the ends."""
    double = CONTEXT.multiply(CONTEXT.subtract(high, low), Decimal(2))
    return double > 0 and double >= CONTEXT.multiply(CONTEXT.add(low, high).copy_abs(), NOT_AVAILABLE_WIDTH)

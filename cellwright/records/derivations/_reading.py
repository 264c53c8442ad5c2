"""A fact as the number it stands for and the interval its last written digit leaves (design, section 5)."""

from __future__ import annotations

from decimal import Decimal

from cellwright.records.derivations._kinds import Kinds
from cellwright.records.derivations._nodes import Reading
from cellwright.records.derivations._values import CONTEXT, Failure
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.quantities import read_number
from cellwright.records.rows import Fact


def read_fact(fact: Fact, kinds: Kinds, locale: str = "en") -> Reading:
    """The fact inside: `value`, or `as_written` with scale and sign, and half a unit of the last digit around it.

    The last digit is that of `as_written` at the fact's scale; of `value` where nothing is written. Where the two
    disagree (the wrong locale, a slip) `value` is taken, and its last digit that is not 0, at most at the scale.
    A count written in full (a countable unit, scale 0, no decimals) is exact. A fact that gives no number, or a
    unit that cannot be read, is a Reading whose value is a Failure.
    """
    place = Place("facts.csv", fact.line or None, record=fact.id)
    try:
        unit, inward = kinds.inward(fact.unit)
    except UnreadableInput as error:
        problem = error.problems[0]
        return _failed(
            Failure(
                f"the unit of the fact cannot be read: {problem.what}",
                Place("facts.csv", fact.line or None, "unit", fact.id),
                problem.seen or fact.unit,
                problem.expected,
                problem.fix,
            )
        )
    try:
        written = _written(fact, locale)
    except UnreadableInput as error:
        if fact.value is None:
            problem = error.problems[0]
            return _failed(
                Failure(
                    f"the number of the fact cannot be read: {problem.what}",
                    place,
                    problem.seen or fact.as_written,
                    problem.expected,
                    problem.fix,
                )
            )
        written = None
    value = fact.value if fact.value is not None else written[0] if written else None
    if value is None:
        return _failed(
            Failure(
                "the fact has no number",
                place,
                expected="`as_written` or `value`",
                fix="type the figure as printed; `cellwright locate --write` fills the rest",
            )
        )
    scale, place_value = _scale_and_place(fact, value, written)
    if kinds.countable(fact.unit) and not scale and place_value >= 0:
        number = inward(value)
        return Reading(number, number, number, unit)
    half = Decimal((0, (5,), place_value - 1))
    return Reading(inward(value), inward(CONTEXT.subtract(value, half)), inward(CONTEXT.add(value, half)), unit)


def value_and_half(fact: Fact, locale: str = "en") -> tuple[Decimal, Decimal] | None:
    """The fact's value and half a unit of its last written digit, both in the fact's own unit; None of no number."""
    try:
        written = _written(fact, locale)
    except UnreadableInput:
        written = None
    value = fact.value if fact.value is not None else written[0] if written else None
    if value is None:
        return None
    return value, Decimal((0, (5,), _scale_and_place(fact, value, written)[1] - 1))


def _scale_and_place(fact: Fact, value: Decimal, written: tuple[Decimal, int, int] | None) -> tuple[int, int]:
    """The scale, and the place of the last digit with the scale applied."""
    scale = written[2] if written and fact.scale is None else fact.scale or 0
    if written and written[0] == value:
        return scale, written[1]
    return scale, _last_place(value, scale if fact.as_written.strip() else None)


def _failed(failure: Failure) -> Reading:
    return Reading(failure, failure, failure, None)


def _written(fact: Fact, locale: str) -> tuple[Decimal, int, int] | None:
    """Value, place of the last digit with the scale applied, and scale, of `as_written`."""
    if not fact.as_written.strip():
        return None
    reading = read_number(fact.as_written, locale=locale, table_cell=True)
    scale = reading.scale if fact.scale is None else fact.scale
    value = reading.signed.scaleb(scale, CONTEXT)
    return (CONTEXT.minus(value) if fact.sign == "reversed" else value), reading.place + scale, scale


def _last_place(value: Decimal, scale: int | None) -> int:
    """The place of the last digit of `value`; with a scale, zeros up to it are not digits of the figure."""
    _, digits, exponent = value.as_tuple()
    place = exponent if isinstance(exponent, int) else 0
    if scale is not None and value:
        zeros = len(digits) - len("".join(map(str, digits)).rstrip("0"))
        place = max(place, min(scale, place + zeros))
    return place

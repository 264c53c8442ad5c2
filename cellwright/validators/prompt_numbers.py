"""Numbers in a prompt that tell an answer: what a reader of the question could simply copy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from cellwright.records.decimals import CONTEXT
from cellwright.records.derivations import CellResult
from cellwright.records.errors import Place
from cellwright.records.quantities import Reading, find_numbers
from cellwright.records.scoring import Rule
from cellwright.records.task import CellSpec, Task

_YEARS = (1900, 2100)


@dataclass(frozen=True, slots=True)
class Told:
    """A number of the prompt that is the answer of a cell."""

    place: Place
    text: str
    entity: str
    dimension: str


def told_answers(
    task: Task,
    cells: Sequence[tuple[CellSpec, CellResult]],
    digits: int,
    rules: Mapping[tuple[str, str], Rule] | None = None,
) -> Iterator[Told]:
    """Numbers with at least `digits` significant digits that equal an answer, rounded to their last digit.

    With `rules` also those that the cell's rule takes for right: a near answer can be copied as well.
    """
    task_wide = list(_task_numbers(task, digits))
    asks: dict[tuple[str, str], list[Reading]] = {}
    names = {dimension.id: dimension.name for dimension in task.dimensions}
    for spec, result in cells:
        key = (spec.dimension, spec.ask)
        if key not in asks:
            asks[key] = list(_numbers(f"{names[spec.dimension]}\n{spec.ask}", task.language, digits))
        rule = (rules or {}).get((spec.entity, spec.dimension))
        reach = rule.full.around(result.value) if rule and rule.full and result.value is not None else Decimal(0)
        for value in (result.value, result.low, result.high):
            if value is None:
                continue
            for at, reading in task_wide:
                if _is(reading, value, reach):
                    yield Told(at, reading.text, spec.entity, spec.dimension)
            for reading in asks[key]:
                if _is(reading, value, reach):
                    place = task.place_of(spec.dimension, "ask", entity=spec.entity)
                    yield Told(place, reading.text, spec.entity, spec.dimension)


def _task_numbers(task: Task, digits: int) -> Iterator[tuple[Place, Reading]]:
    for key in ("title", "question"):
        for reading in _numbers(getattr(task, key), task.language, digits):
            yield task.place(key), reading
    for index, assumption in enumerate(task.assumptions):
        place = task.place("assumptions", index, record=assumption.id)
        stated = [assumption.value] if assumption.value is not None else list(assumption.values.values())
        for value in stated:
            text = format(value, "f")
            reading = Reading(text, abs(value), value < 0, 0, min(0, int(value.as_tuple().exponent)), assumption.unit)
            if _counts(reading, digits):
                yield place, reading
        for reading in _numbers(assumption.reason, task.language, digits):
            yield place, reading


def _numbers(text: str, language: str, digits: int) -> Iterator[Reading]:
    if any(char.isdigit() for char in text):
        for _, _, reading in find_numbers(text, locale=language):
            if _counts(reading, digits):
                yield reading


def _counts(reading: Reading, digits: int) -> bool:
    """Whether a number is long enough to tell something, and is not a year."""
    whole = reading.place == 0 and not reading.scale and not reading.unit
    if whole and _YEARS[0] <= reading.magnitude <= _YEARS[1]:
        return False
    return len(reading.magnitude.as_tuple().digits) >= digits and bool(reading.magnitude)


def _is(reading: Reading, value: Decimal, reach: Decimal) -> bool:
    """Whether the answer, rounded to the number's last digit or within `reach`, is the number (its sign aside)."""
    return abs(CONTEXT.subtract(abs(reading.value), abs(value))) <= max(reading.half_digit, reach)

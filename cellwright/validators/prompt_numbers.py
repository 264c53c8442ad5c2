"""Numbers in a prompt that tell an answer: what a reader of the question could simply copy.

A number is compared as it is printed, with the scale that its text speaks of (`in millions`), as a fraction of a
percentage, and, where it is long enough, at other scales and in another country's marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from cellwright.records.decimals import CONTEXT
from cellwright.records.derivations import CellResult
from cellwright.records.errors import Place
from cellwright.records.quantities import QuantityError, Reading, find_numbers
from cellwright.records.scoring import Rule
from cellwright.records.task import CellSpec, Task

_YEARS = (1900, 2100)
_HUNDREDTHS = {"percent": Decimal(1), "pp": Decimal(1), "permille": Decimal("0.1"), "bp": Decimal("0.01")}
"""How many hundredths one of a unit is."""
_WHOLE = ("rank", "count", "yes_no", "day")
_SCALES = (3, 6, 9)
_SAID = re.compile(r"\b(thousand|million|billion|trillion)s?\b", re.IGNORECASE)
_POWERS = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_RUN = re.compile(r"\d[\d.,'’٬٫ \u00a0\u202f\u2009]*")
_LOCALES = ("en", "de", "fr")
"""Between them they write numbers in every way that is usual."""


@dataclass(frozen=True, slots=True)
class Told:
    """A number of the prompt that is the answer of a cell."""

    place: Place
    text: str
    entity: str
    dimension: str


@dataclass(frozen=True, slots=True)
class PromptNumber:
    """A number of the prompt, with how freely it may be compared."""

    place: Place | None
    """None in an ask: its place depends on the cell."""
    reading: Reading
    powers: tuple[int, ...] = (0,)
    """The scales at which it is compared, as powers of ten."""
    stated: bool = False
    """An assumption's own value: it must be the answer itself, since questions legitimately give numbers."""
    entity: str = ""
    """The only entity it is about; empty for all."""
    said: int = 0
    """The scale that the text around it speaks of."""

    def tells(self, spec: CellSpec, value: Decimal, reach: Decimal) -> bool:
        """Whether the answer, rounded to the number's last digit or within `reach`, is the number (sign aside)."""
        if self.entity not in ("", spec.entity):
            return False
        size = abs(self.reading.value)
        if spec.unit in _HUNDREDTHS:
            return any(
                _near(CONTEXT.multiply(size, factor), value, CONTEXT.multiply(self.reading.half_digit, factor), reach)
                for factor in self._factors(spec.unit)
            )
        if self.reading.unit in _HUNDREDTHS:
            return False
        for power in (0,) if spec.unit in _WHOLE else self.powers:
            free = reach if power in (0, self.said) and not self.stated else Decimal(0)
            if _near(size.scaleb(power, CONTEXT), value, self.reading.half_digit.scaleb(power, CONTEXT), free):
                return True
        return False

    def _factors(self, unit: str) -> Iterator[Decimal]:
        """By what the number is multiplied to be hundredths."""
        factor = _HUNDREDTHS.get(self.reading.unit)
        yield CONTEXT.divide(factor, _HUNDREDTHS[unit]) if factor else Decimal(1)
        if factor is None and not self.reading.scale and abs(self.reading.value) < 1:
            yield CONTEXT.divide(Decimal(100), _HUNDREDTHS[unit])


def told_answers(
    task: Task,
    cells: Sequence[tuple[CellSpec, CellResult]],
    digits: int,
    rules: Mapping[tuple[str, str], Rule] | None = None,
    scaled_digits: int = 4,
) -> Iterator[Told]:
    """Numbers with at least `digits` significant digits that equal an answer, rounded to their last digit.

    With `rules` also those that the cell's rule takes for right: a near answer can be copied as well. Numbers of
    `scaled_digits` are compared at other scales and in other countries' marks too.
    """
    prompt = PromptNumbers(task, digits, scaled_digits)
    for spec, result in cells:
        rule = (rules or {}).get((spec.entity, spec.dimension))
        reach = rule.full.around(result.value) if rule and rule.full and result.value is not None else Decimal(0)
        for value in (result.value, result.low, result.high):
            if value is not None:
                yield from prompt.telling(spec, value, reach)


class PromptNumbers:
    """The numbers of a task's prompt, found once."""

    def __init__(self, task: Task, digits: int, scaled_digits: int) -> None:
        self.task, self.digits, self.scaled_digits = task, digits, scaled_digits
        self._names = {dimension.id: dimension.name for dimension in task.dimensions}
        self._asks: dict[tuple[str, str], list[PromptNumber]] = {}
        self._task_wide = list(self._of_task())

    def telling(
        self, spec: CellSpec, value: Decimal, reach: Decimal = Decimal(0), *, stated: bool = True
    ) -> Iterator[Told]:
        """The numbers that tell a value of the cell; assumptions' own values only where `stated`."""
        key = (spec.dimension, spec.ask)
        if key not in self._asks:
            self._asks[key] = list(self._in_text(f"{self._names[spec.dimension]}\n{spec.ask}", None))
        for number in (*self._task_wide, *self._asks[key]):
            if (stated or not number.stated) and number.tells(spec, value, reach):
                place = number.place or self.task.place_of(spec.dimension, "ask", entity=spec.entity)
                yield Told(place, number.reading.text, spec.entity, spec.dimension)

    def _of_task(self) -> Iterator[PromptNumber]:
        for key in ("title", "question"):
            yield from self._in_text(getattr(self.task, key), self.task.place(key))
        for index, assumption in enumerate(self.task.assumptions):
            place = self.task.place("assumptions", index, record=assumption.id)
            values = {"": assumption.value} if assumption.value is not None else assumption.values
            for entity, value in values.items():
                assert value is not None
                text, last = format(value, "f"), min(0, int(value.as_tuple().exponent))
                reading = Reading(text, abs(value), value < 0, 0, last, assumption.unit)
                if _counts(reading, self.digits):
                    yield PromptNumber(place, reading, stated=True, entity=entity)
            yield from self._in_text(assumption.reason, place)

    def _in_text(self, text: str, place: Place | None) -> Iterator[PromptNumber]:
        if not any(len(found) >= self.digits for found in _figures(text)):
            return
        said = {_POWERS[match[1].lower()] for match in _SAID.finditer(text)}
        read: list[tuple[int, int]] = []
        own = self.task.language
        for locale in (own, *_LOCALES):
            enough = self.digits if locale == own else self.scaled_digits
            found = [item for item in _found(text, locale) if not _overlaps(item, read)]
            for _, _, reading in found:  # what the question's own language can read is read in no other way
                if _counts(reading, enough):
                    yield from self._with_scales(place, reading, said)
            read += [item[:2] for item in found]

    def _with_scales(self, place: Place | None, reading: Reading, said: set[int]) -> Iterator[PromptNumber]:
        """The number as it is, and at the other scales that its length or its text lets it be compared at."""
        plain = not reading.scale and reading.unit not in _HUNDREDTHS
        if plain and _significant(reading) >= self.scaled_digits:
            yield PromptNumber(place, reading, (0, *_SCALES), said=min(said, default=0))
        elif not plain or not said:
            yield PromptNumber(place, reading)
        else:
            yield PromptNumber(place, reading, (0, *sorted(said)), said=min(said))


def _found(text: str, locale: str) -> Iterator[tuple[int, int, Reading]]:
    try:
        yield from find_numbers(text, locale=locale)
    except QuantityError:  # a language that is no locale: the others are looked at all the same
        return


def _figures(text: str) -> Iterator[str]:
    """The digits of whatever may be one number; a year alone is none."""
    for match in _RUN.finditer(text):
        digits = "".join(filter(str.isdigit, match[0]))
        if not (match[0].strip(" .,").isdigit() and len(digits) == 4 and _YEARS[0] <= int(digits) <= _YEARS[1]):
            yield digits


def _overlaps(item: tuple[int, int, Reading], read: list[tuple[int, int]]) -> bool:
    """Whether a number shares figures with one read before, unless it is longer: «8 412» is more than «8»."""
    start, end, _ = item
    met = [span for span in read if start < span[1] and span[0] < end]
    longer = all(start <= first and last <= end and last - first < end - start for first, last in met)
    return bool(met) and not longer


def _counts(reading: Reading, digits: int) -> bool:
    """Whether a number is long enough to tell something, and is not a year."""
    whole = reading.place == 0 and not reading.scale and not reading.unit
    if whole and _YEARS[0] <= reading.magnitude <= _YEARS[1]:
        return False
    return len(reading.magnitude.as_tuple().digits) >= digits and bool(reading.magnitude)


def _significant(reading: Reading) -> int:
    """Digits without the zeros at the end of a whole number."""
    text = "".join(map(str, reading.magnitude.as_tuple().digits))
    return len(text.rstrip("0") if reading.place >= 0 else text)


def _near(number: Decimal, value: Decimal, half: Decimal, reach: Decimal) -> bool:
    return abs(CONTEXT.subtract(number, abs(value))) <= max(half, reach)

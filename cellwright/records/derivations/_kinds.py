"""The units of derivations: numbers inside are in the unit as written, but percent and its like as plain numbers.

A fact of 20.2 percent is 0.202 inside, of 5 percent a year 0.05 a year; an answer goes the other way. A figure
stays in the unit that it is given in (`MWh`, `USD`), so that nothing is converted there and back for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any

from cellwright.records.derivations._values import CONTEXT
from cellwright.records.errors import UnreadableInput
from cellwright.records.unit_definitions import PARTS_OF_ONE, PLAIN_UNITS
from cellwright.records.units import PLAIN, Unit, UnitTable, unit_table

Change = Callable[[Any], Any]
"""Turns a number in one unit into one in another; also a failure that travels as a value (it stays one)."""


def unchanged(number: Any) -> Any:
    """The number as it is."""
    return number


def _scaled(factor: Decimal, number: Any) -> Any:
    return CONTEXT.multiply(number, factor) if isinstance(number, Decimal) else number


def _parted(factor: Decimal, number: Any) -> Any:
    return CONTEXT.divide(number, factor) if isinstance(number, Decimal) else number


class Kinds:
    """The units of one task. See `kinds_of`."""

    plain = PLAIN

    def __init__(self, table: UnitTable) -> None:
        self._table = table
        self._inside: dict[str, tuple[Unit, Decimal]] = {}
        self._combined: dict[tuple[str, str, str], Unit | None] = {}
        self._changes: dict[tuple[str, str], Change | None] = {}

    def _split(self, text: str) -> tuple[Unit, Decimal]:
        """The unit without percent and plain names, and what one of `text` is in it."""
        known = self._inside.get(text)
        if known is None:
            unit, factor = PLAIN, Decimal(1)
            for name, power in self._table.parse(text).names:
                if name in PARTS_OF_ONE:
                    factor = CONTEXT.multiply(factor, CONTEXT.power(PARTS_OF_ONE[name], power))
                elif name not in PLAIN_UNITS:
                    one = self._table.power(self._table.parse(name), abs(power))
                    unit = self._table.multiply(unit, one) if power > 0 else self._table.divide(unit, one)
            known = self._inside[text] = unit, factor
        return known

    def unit(self, text: str) -> Unit:
        """The unit inside of figures in `text`; raises UnreadableInput for a text that is no unit."""
        return self._split(text)[0]

    def inward(self, text: str) -> tuple[Unit, Change]:
        """The unit inside, and how a figure in `text` gets there: 20.2 percent is 0.202."""
        unit, factor = self._split(text)
        return unit, unchanged if factor == 1 else partial(_scaled, factor)

    def outward(self, text: str) -> Change:
        """How a number inside becomes a figure in `text`: 0.202 is 20.2 percent."""
        factor = self._split(text)[1]
        return unchanged if factor == 1 else partial(_parted, factor)

    def multiply(self, one: Unit, other: Unit) -> Unit | None:
        """The unit of a product; None where it has no end (an exponent over 12)."""
        return self._combine("*", one, other)

    def divide(self, one: Unit, other: Unit) -> Unit | None:
        """The unit of a quotient; None likewise."""
        return self._combine("/", one, other)

    def _combine(self, operator: str, one: Unit, other: Unit) -> Unit | None:
        key = (operator, one.text, other.text)
        if key not in self._combined:
            try:
                made = (self._table.multiply if operator == "*" else self._table.divide)(one, other)
            except UnreadableInput:
                made = None
            self._combined[key] = made
        return self._combined[key]

    def power(self, unit: Unit, exponent: int) -> Unit | None:
        """The unit of a power; None where its exponent is over 12."""
        if unit == PLAIN or not exponent:
            return PLAIN
        try:
            return self._table.power(unit, exponent)
        except UnreadableInput:
            return None

    def conversion(self, source: Unit, target: Unit) -> Change | None:
        """How a number in `source` becomes one in `target`; None where they differ in kind."""
        key = (source.text, target.text)
        if key not in self._changes:
            self._changes[key] = self._conversion(source, target)
        return self._changes[key]

    def _conversion(self, source: Unit, target: Unit) -> Change | None:
        if not self._table.same_kind(source, target):
            return None
        factor, inverse = self._table.ratio(source, target), self._table.ratio(target, source)
        if factor == 1:
            return unchanged
        # Of 3600 and 1/3600 the whole one loses no digit.
        return partial(_parted, inverse) if inverse == inverse.to_integral_value() else partial(_scaled, factor)

    @staticmethod
    def name(unit: Unit | None) -> str:
        """The unit as text, nothing for a plain number."""
        return "" if unit is None else unit.text

    def describe(self, unit: Unit | None) -> str:
        """The unit as messages give it."""
        return "no unit" if unit is None else self._table.describe(unit)

    @staticmethod
    def differ_in_currency(one: Unit, other: Unit) -> bool:
        """Whether both are amounts of money, in two currencies."""
        return bool(one.currency and other.currency) and one.currency != other.currency

    @staticmethod
    def currency(unit: Unit) -> str:
        """The one currency that figures in `unit` are amounts of; nothing for none or several."""
        return unit.currency

    @staticmethod
    def is_time(unit: Unit) -> bool:
        """Whether figures in `unit` are years, quarters or months."""
        return unit.dimension == (("month", 1),)

    def countable(self, text: str) -> bool:
        """Whether a whole figure in `text`, written in full, is exact."""
        return self._table.parse(text).counts


@lru_cache(maxsize=64)
def _kinds(own: tuple[tuple[str, str], ...]) -> Kinds:
    return Kinds(unit_table(dict(own)))


def kinds_of(own: Mapping[str, str]) -> Kinds:
    """The units of a task whose own are `own`; raises UnreadableInput where those cannot be read."""
    return _kinds(tuple(sorted(own.items())))

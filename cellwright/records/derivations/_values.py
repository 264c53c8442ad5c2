"""The arithmetic of nodes: plain functions on Decimals, and failures that travel as values.

A failure is a value, so that the branch that `if` does not take, or one bad cell, spoils nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, DecimalException, DivisionByZero, InvalidOperation, Overflow, Underflow
from functools import reduce
from typing import Any

from cellwright.records.decimals import CONTEXT as VALUE_CONTEXT
from cellwright.records.errors import ExpressionError, Place

CONTEXT = VALUE_CONTEXT.copy()
CONTEXT.traps[Underflow] = True
"""A number too small to hold is told, like one too large: it would silently be 0."""

ZERO, ONE, TWO = Decimal(0), Decimal(1), Decimal(2)
MAX_EXPONENT = 100


class MissingFact(ExpressionError):
    """An operand is not there: no fact gives it for this entity and period, or its cell is not available."""


@dataclass(frozen=True, slots=True, eq=False)
class Failure:
    """Why a node has no value, kept until somebody asks for it."""

    what: str
    place: Place
    seen: str = ""
    expected: str = ""
    fix: str = ""
    missing: bool = False

    def error(self) -> ExpressionError:
        """The failure as the exception to raise."""
        kind = MissingFact if self.missing else ExpressionError
        return kind(self.what, self.place, seen=self.seen, expected=self.expected, fix=self.fix)


Value = Decimal | Failure
Operation = Callable[..., Any]


class Impossible(Exception):
    """An operation has no result for these operands; the message says why."""


NO_RESULT = (DecimalException, Impossible, TypeError)
"""What an operation may raise; a TypeError only where an operand is a failure."""


def reason(error: Exception) -> str:
    """Why an operation gave no result, in a few words."""
    if isinstance(error, Impossible):
        return str(error)
    if isinstance(error, DivisionByZero):
        return "division by zero"
    if isinstance(error, Overflow):
        return "the number is too large to hold"
    if isinstance(error, Underflow):
        return "the number is too small to hold"
    if isinstance(error, InvalidOperation):
        return "0 divided by 0 has no value"
    return "the number cannot be held"


def truth(holds: bool) -> Decimal:
    """1 or 0."""
    return ONE if holds else ZERO


def divide(left: Decimal, right: Decimal) -> Decimal:
    """`left / right`; a zero divisor is told as such, also under a zero."""
    if right == 0:
        raise Impossible("division by zero")
    return CONTEXT.divide(left, right)


def power(base: Decimal, exponent: Decimal) -> Decimal:
    """`base ** exponent`, the exponent between -100 and 100."""
    if CONTEXT.compare(CONTEXT.abs(exponent), MAX_EXPONENT_VALUE) > 0:
        raise Impossible(f"the exponent is over {MAX_EXPONENT}")
    whole = exponent == exponent.to_integral_value()
    if not base and exponent <= 0:
        raise Impossible("division by zero" if exponent else "0 ** 0 has no value")
    if base < 0 and not whole:
        raise Impossible("a negative number has no broken power")
    return CONTEXT.power(base, exponent)


MAX_EXPONENT_VALUE = Decimal(MAX_EXPONENT)

COMPARE: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
    "==": lambda a, b: truth(CONTEXT.compare(a, b) == 0),
    "!=": lambda a, b: truth(CONTEXT.compare(a, b) != 0),
    "<": lambda a, b: truth(CONTEXT.compare(a, b) < 0),
    "<=": lambda a, b: truth(CONTEXT.compare(a, b) <= 0),
    ">": lambda a, b: truth(CONTEXT.compare(a, b) > 0),
    ">=": lambda a, b: truth(CONTEXT.compare(a, b) >= 0),
}
"""Through the context's `compare`, which refuses a failure; `==` itself would call it unequal."""

ARITHMETIC: dict[str, Operation] = {
    "+": CONTEXT.add,
    "-": CONTEXT.subtract,
    "*": CONTEXT.multiply,
    "/": divide,
    "**": power,
    **COMPARE,
}


def total(*numbers: Decimal) -> Decimal:
    """Their sum."""
    return reduce(CONTEXT.add, numbers)


def mean(*numbers: Decimal) -> Decimal:
    """Their arithmetic mean."""
    return CONTEXT.divide(reduce(CONTEXT.add, numbers), Decimal(len(numbers)))


def median(*numbers: Decimal) -> Decimal:
    """The middle one; of an even count the mean of the middle two."""
    ordered = sorted(numbers)
    half = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[half]
    return CONTEXT.divide(CONTEXT.add(ordered[half - 1], ordered[half]), TWO)


def least(*numbers: Decimal) -> Decimal:
    """The smallest."""
    return reduce(CONTEXT.min, numbers)


def greatest(*numbers: Decimal) -> Decimal:
    """The largest."""
    return reduce(CONTEXT.max, numbers)


def count(*numbers: Value) -> Value:
    """How many there are; each must have a value."""
    for number in numbers:
        if isinstance(number, Failure):
            return number
    return Decimal(len(numbers))


def share(part: Decimal, *whole: Decimal) -> Decimal:
    """`part` over the sum of `whole`."""
    return divide(part, reduce(CONTEXT.add, whole))


def cagr(first: Decimal, last: Decimal, years: Decimal) -> Decimal:
    """Compound annual growth: (last / first) ** (1 / years) - 1."""
    if CONTEXT.compare(first, ZERO) <= 0 or CONTEXT.compare(last, ZERO) <= 0:
        raise Impossible("compound growth needs two positive figures")
    if CONTEXT.compare(years, ZERO) <= 0:
        raise Impossible("compound growth needs a positive number of years")
    return CONTEXT.subtract(power(CONTEXT.divide(last, first), CONTEXT.divide(ONE, years)), ONE)


def rank_descending(number: Decimal, *others: Decimal) -> Decimal:
    """1 for the largest; equal numbers share the better rank (1, 2, 2, 4)."""
    return Decimal(1 + sum(CONTEXT.compare(other, number) > 0 for other in others))


def rank_ascending(number: Decimal, *others: Decimal) -> Decimal:
    """1 for the smallest; equal numbers share the better rank."""
    return Decimal(1 + sum(CONTEXT.compare(other, number) < 0 for other in others))


def choose(condition: Value, then: Value, otherwise: Value) -> Value:
    """`then` where the condition is not 0, else `otherwise`; the other one may be a failure."""
    if isinstance(condition, Failure):
        return condition
    return then if condition else otherwise


def is_there(value: Value) -> Value:
    """1 for a value, 0 for one that is missing; any other failure stays one."""
    if isinstance(value, Failure):
        return ZERO if value.missing else value
    return ONE


def negate(number: Decimal) -> Decimal:
    """`-number`."""
    return CONTEXT.minus(number)


FUNCTIONS: dict[str, Operation] = {
    "sum": total,
    "mean": mean,
    "median": median,
    "min": least,
    "max": greatest,
    "count": count,
    "abs": CONTEXT.abs,
    "share": share,
    "cagr": cagr,
}

"""Exact numbers: one decimal context, one canonical way to write a number down.

Design, section 3: numbers are Decimal with 34 digits, rounded half-even, published unrounded.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Clamped, Context, Decimal, DivisionByZero, InvalidOperation, Overflow

CONTEXT = Context(
    prec=34,
    rounding=ROUND_HALF_EVEN,
    Emin=-6143,
    Emax=6144,
    capitals=1,
    clamp=0,
    traps=[InvalidOperation, DivisionByZero, Overflow, Clamped],
)
"""Decimal128's size. A result that does not fit is an error, never an infinity or a NaN."""

MAX_EXPONENT = 60
"""No quantity of a task needs more digits before or after the point; what does is a mistake or an attack."""


def canonical(value: Decimal) -> str:
    """`value` in plain digits: no exponent, no trailing zeros after a point, no negative zero.

    Raises ValueError for what has no finite plain form within `MAX_EXPONENT` places.
    """
    if not value.is_finite():
        raise ValueError(f"{value} is not a finite number")
    if not value:
        return "0"
    if abs(value.adjusted()) > MAX_EXPONENT:
        raise ValueError(f"a number with an exponent of {value.adjusted()} is out of bounds")
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def parse_canonical(text: str) -> Decimal:
    """The number a tool wrote: an optional minus, digits, an optional point and digits.

    Raises ValueError for anything else (a grouping mark, an exponent, a blank, over 100 characters).
    """
    body = text[1:] if text.startswith("-") else text
    whole, point, part = body.partition(".")
    plain = whole.isascii() and whole.isdigit() and (not point or (part.isascii() and part.isdigit()))
    if not plain or len(text) > 100:
        raise ValueError("not a plain decimal number")
    return Decimal(text)

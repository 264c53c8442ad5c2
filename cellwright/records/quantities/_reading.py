"""What one written number says: `Reading`, its interval, and the error for text that is none."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from cellwright.records.decimals import CONTEXT
from cellwright.records.errors import UnreadableInput

MAX_TEXT = 200
"""No written number of a filing is longer; what is longer is refused before it is looked at."""

MAX_DIGITS = 34
"""As many digits as a value holds (design, section 3)."""

MAX_SCALE = 30
"""The largest power of ten a scale may have, either way."""


class QuantityError(UnreadableInput):
    """A text cannot be read as one number, or can be read as more than one; the message names them."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One number as it is printed, its parts kept apart so that nothing printed is lost."""

    text: str
    """As given, without blanks at the ends."""
    magnitude: Decimal
    """The printed digits: no sign, no scale word applied."""
    negative: bool
    """A minus, brackets, △ or ▲ stood with the digits."""
    scale: int
    """The power of ten of the scale words in the text ("602 billion" 9); 0 without."""
    place: int
    """The power of ten of the last written digit: 0 for "383,285", -1 for "20.2"."""
    unit: str
    """percent, permille, bp, pp, a currency code, or nothing."""
    dash: bool = False
    """A lone dash in a table cell, read as zero."""

    @property
    def signed(self) -> Decimal:
        """The printed digits with their sign."""
        return self.magnitude.copy_negate() if self.negative and self.magnitude else self.magnitude

    @property
    def value(self) -> Decimal:
        """The printed digits with sign and scale word applied. A percentage stays as printed."""
        return self.signed.scaleb(self.scale, CONTEXT) if self.scale else self.signed

    @property
    def half_digit(self) -> Decimal:
        """Half a unit of the last written digit, at the scale of the scale word."""
        return Decimal((0, (5,), self.place - 1 + self.scale))


def printed_interval(reading: Reading, *, scale: int | None = None, counted: bool = False) -> tuple[Decimal, Decimal]:
    """The lowest and highest value that `reading` stands for (design, section 5).

    That is half a unit of the last written digit on both sides. `scale` replaces the scale of the text,
    for a figure whose table says "in millions". A count written in full is exact: with `counted` (the
    unit is a countable thing) and no scale and no decimals both ends are the value itself.
    """
    power = reading.scale if scale is None else scale
    value = reading.signed.scaleb(power, CONTEXT) if power else reading.signed
    if counted and power == 0 and reading.place == 0 and not reading.dash:
        return value, value
    half = Decimal((0, (5,), reading.place - 1 + power))
    return CONTEXT.subtract(value, half), CONTEXT.add(value, half)

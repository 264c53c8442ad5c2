"""Numbers for people: grouped, rounded for reading, with their unit. What is published is never changed.

One form everywhere: `28,479 CNY/vehicle`, `44.1 %`, and `383.3 bn USD` where there is little room.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal

from cellwright.records.decimals import canonical, parse_canonical
from cellwright.views.safe import one_line

_WIDE = Context(prec=200, rounding=ROUND_HALF_EVEN)
"""Wide enough to round any number that `canonical` writes to any place of it."""
HUNDREDTHS = ("percent", "pp")
SIGNS = ("percent", "permille")
"""Units that are one sign, short enough to stand beside every number."""
PLAIN = ("rank", "count", "yes_no", "day")
_LABELS = {"percent": "%", "rank": "", "count": "", "yes_no": "", "day": "", "1": "", "bp": "bp", "permille": "‰"}
_SHORT = ((12, "tn"), (9, "bn"), (6, "m"))
SHORT_DIGITS = 4


def read(text: str) -> Decimal | None:
    """The number in a table's text; None where it is empty or no plain number."""
    try:
        return parse_canonical(text)
    except ValueError:
        return None


def grouped(value: Decimal) -> str:
    """Every digit of `value`, thousands grouped: `28479.156908665105` is `28,479.156908665105`."""
    return f"{Decimal(canonical(value)):,f}"


def number(value: Decimal, unit: str = "") -> str:
    """`value` rounded for reading, without its unit.

    Percent and percentage points have one decimal, ranks and counts none; else whole from 1,000,
    one decimal from 100, two from 1, three significant digits below. A whole number stays one.
    """
    if unit == "yes_no" and value in (0, 1):
        return "yes" if value else "no"
    places = _places(value, unit)
    rounded = value.quantize(Decimal(1).scaleb(-places), context=_WIDE)
    return _without_minus_zero(f"{rounded:,.{places}f}")


def short(value: Decimal, unit: str = "") -> str:
    """`value` as `number` gives it, in millions, billions or trillions where it is that large: `383.3 bn`."""
    if unit in (*HUNDREDTHS, *PLAIN) or abs(value) < 1_000_000:
        return number(value, unit)
    rounded = _WIDE.copy()
    rounded.prec = SHORT_DIGITS
    few = rounded.plus(value)
    power, word = next((item for item in _SHORT if few.adjusted() >= item[0]), _SHORT[-1])
    mantissa = few.scaleb(-power)
    places = max(0, SHORT_DIGITS - 1 - mantissa.adjusted())
    text = f"{mantissa:,.{places}f}"
    if few == value and "." in text:  # nothing was rounded away: 55 bn, not 55.00 bn
        text = text.rstrip("0").rstrip(".")
    return f"{text} {word}"


def unit_label(unit: str) -> str:
    """The unit as it stands after a number; nothing for ranks, counts, yes/no and dates."""
    return _LABELS.get(unit, one_line(unit))


def with_unit(text: str, unit: str) -> str:
    """A number's text and its unit."""
    label = unit_label(unit)
    return f"{text} {label}" if label else text


def amount(value: Decimal, unit: str) -> str:
    """`value` rounded for reading, with its unit: `28,479 CNY/vehicle`."""
    return with_unit(number(value, unit), unit)


def amount_of(text: str, unit: str) -> str:
    """A table's number as `amount` gives it; what is no number is shown as it stands."""
    value = read(text)
    return amount(value, unit) if value is not None else one_line(text)


def exact_of(text: str, unit: str) -> str:
    """A table's number with every digit and its unit; what is no number is shown as it stands."""
    value = read(text)
    return with_unit(grouped(value), unit) if value is not None else one_line(text)


def spread_of(low: str, high: str, unit: str) -> str:
    """Two ends of a range as one text: `2.9 to 6.1 %`; equal ends as one number."""
    ends = [number(value, unit) if (value := read(text)) is not None else one_line(text) for text in (low, high)]
    if read(low) is not None and read(low) == read(high):
        return with_unit(ends[0], unit)
    return with_unit(" to ".join(ends), unit)


def compact_of(text: str, unit: str) -> str:
    """A table's number as `short` gives it, without its unit; what is no number is shown as it stands."""
    value = read(text)
    return short(value, unit) if value is not None else one_line(text)


def compact_spread_of(low: str, high: str, unit: str) -> str:
    """Two ends of a range as `compact_of` gives each; equal ends as one number."""
    ends = [compact_of(low, unit), compact_of(high, unit)]
    return ends[0] if low == high else " to ".join(ends)


def interval_of(low: str, high: str, unit: str) -> str:
    """The two ends of an interval with as many digits as tell them apart; one number where they are equal."""
    first, last = read(low), read(high)
    if first is None or last is None or first == last:
        return spread_of(low, high, unit)
    places = max(_places(first, unit), _places(last, unit), min(60, 1 - (last - first).adjusted()))
    step = Decimal(1).scaleb(-places)
    ends = (f"{end.quantize(step, context=_WIDE):,.{places}f}" for end in (first, last))
    return with_unit(" to ".join(_without_minus_zero(end) for end in ends), unit)


def distance(value: Decimal, reference: Decimal) -> str:
    """How far `value` lies from `reference`, relative to its size: `29 % above`; nothing where it is 0."""
    if not reference:
        return ""
    share = _WIDE.divide(abs(value - reference) * 100, abs(reference))
    if not share:
        return "the same"
    places = 0 if share >= 10 else 1 if share >= 1 else min(40, 1 - share.adjusted())
    size = f"{share.quantize(Decimal(1).scaleb(-places), context=_WIDE):,.{places}f} %"
    return f"{size} {'above' if value > reference else 'below'}"


def _places(value: Decimal, unit: str) -> int:
    if unit in HUNDREDTHS:
        return 1 if not value or abs(value) >= Decimal("0.1") else min(60, 1 - value.adjusted())
    if value == value.to_integral_value(context=_WIDE):
        return 0
    if abs(value) >= 1000:
        return 0
    if abs(value) >= 100:
        return 1
    return 2 if abs(value) >= 1 else min(62, 2 - value.adjusted())


def _without_minus_zero(text: str) -> str:
    return text[1:] if text.startswith("-") and not any(char in "123456789" for char in text) else text

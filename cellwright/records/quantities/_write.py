"""Numbers written so that reading them back is the identity, and the scale of a `scale` column."""

from __future__ import annotations

from decimal import Decimal

from cellwright.records.decimals import CONTEXT, MAX_EXPONENT
from cellwright.records.quantities._locale import Marks, marks
from cellwright.records.quantities._reading import MAX_DIGITS, MAX_SCALE, QuantityError
from cellwright.records.quantities._words import EAST_ASIAN, SCALES


def write_number(value: Decimal, *, locale: str = "en", places: int | None = None, brackets: bool = False) -> str:
    """`value` as the locale writes it; `read_number` under the same locale gives it back.

    `places` decimals (half-even) are written, or without it as many as `value` holds. A negative number
    gets a minus, or brackets with `brackets`. Under an unknown locale ("") nothing is grouped, and three
    decimals become four where a decimal point could be taken for grouping.
    Raises QuantityError for a number that is not finite or out of bounds.
    """
    known = marks(locale)
    if not value.is_finite() or (value and abs(value.adjusted()) > MAX_EXPONENT):
        raise QuantityError("a number that is not finite, or beyond 60 digits, cannot be written", seen=str(value))
    if places is not None:
        if not 0 <= places <= MAX_DIGITS:
            raise QuantityError("decimals to write", seen=str(places), expected=f"0 to {MAX_DIGITS}")
        if value and value.adjusted() + places >= MAX_DIGITS:
            raise QuantityError(f"a number of more than {MAX_DIGITS} digits cannot be written", seen=str(value))
        value = value.quantize(Decimal((0, (1,), -places)), context=CONTEXT)
    whole, _, part = format(value.copy_abs(), "f").partition(".")  # abs() would round to the ambient context
    if (0 if whole == "0" else len(whole)) + len(part) > MAX_DIGITS:
        raise QuantityError(f"a number of more than {MAX_DIGITS} digits cannot be written", seen=str(value))
    if not known.decimal and len(part) == 3 and len(whole) <= 3 and whole != "0":
        part += "0"
    text = _group(whole, known) + ((known.decimal or ".") + part if part else "")
    if not value.is_signed() or not value:
        return text
    return f"({text})" if brackets else f"-{text}"


def _group(whole: str, known: Marks) -> str:
    if not known.group or len(whole) <= 3:
        return whole
    size = 2 if known.indian else 3
    head, tail = whole[:-3], [whole[-3:]]
    while head:
        tail.append(head[-size:])
        head = head[:-size]
    return known.group.join(reversed(tail))


def parse_scale(text: str) -> int:
    """The power of ten that a `scale` says: "" 0, "6", "-2", "thousand" to "trillion", "Mrd", "lakh", "万".

    Raises QuantityError for any other word and for a power beyond 30 either way.
    """
    bare = text.strip() if len(text) <= 40 else text
    digits = bare[1:] if bare[:1] in {"-", "+"} else bare
    if not bare:
        return 0
    if digits.isascii() and digits.isdigit() and len(digits) <= 3 and int(digits) <= MAX_SCALE:
        return int(bare)
    folded = bare.casefold().rstrip(".") if len(bare) <= 40 else ""
    power = SCALES.get(folded) if len(folded) > 1 else None
    if power is None:
        power = EAST_ASIAN.get(bare)
    if power is None:
        raise QuantityError(
            "this is not a scale",
            seen=bare,
            fix="write it as the power",
            expected="a power of ten from -30 to 30, or thousand, million, billion, trillion",
        )
    return power

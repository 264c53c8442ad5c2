"""A fact held against what the page prints: digits, brackets, scale, value under its sign."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from cellwright.documents.wanted import Wanted
from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.quantities import QuantityError, Reading, read_number


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as the page prints it, with the scale that the page gives it."""

    text: str
    reading: Reading
    scale: int
    scale_told: bool

    @property
    def value(self) -> Decimal:
        """With the printed sign and the scale applied."""
        return self.reading.signed.scaleb(self.scale, CONTEXT) if self.scale else self.reading.signed

    @property
    def sign(self) -> str:
        """`negative` where a minus, brackets or a triangle is printed."""
        return "negative" if self.reading.negative else "positive"


def conflicts(wanted: Wanted, printed: Printed) -> list[str]:
    """What the fact says otherwise than the page, each as a part of a sentence; empty where all agrees."""
    found = [*_written(wanted, printed)]
    if wanted.scale is not None and wanted.scale != printed.scale:
        told = f"the document says {printed.scale}" if printed.scale_told else "nothing in the document tells a scale"
        found.append(f"the fact's scale is {wanted.scale} and {told}")
    if wanted.value is not None:
        found.extend(_value(wanted, wanted.value, printed))
    return found


def _written(wanted: Wanted, printed: Printed) -> list[str]:
    """How `as_written` differs from the print: its digits, its sign or brackets, a scale word."""
    if not wanted.as_written.strip():
        return []
    try:
        mine = read_number(wanted.as_written, locale=wanted.locale, table_cell=True)
    except QuantityError as error:
        return [f"`as_written` cannot be read as a number ({error.problems[0].what})"]
    other = printed.reading
    if mine.magnitude != other.magnitude or (mine.place != other.place and not other.dash):
        return [f"the fact is written {wanted.as_written!r} and printed is {printed.text!r}"]
    if mine.negative != other.negative and mine.magnitude:
        marks = "brackets or a minus" if other.negative else "neither brackets nor a minus"
        return [f"the fact is written {wanted.as_written!r} and {printed.text!r} is printed with {marks}"]
    if mine.scale and mine.scale != printed.scale:
        return [f"the fact is written {wanted.as_written!r} and the scale of the document is {printed.scale}"]
    return []


def _value(wanted: Wanted, value: Decimal, printed: Printed) -> list[str]:
    expected = -printed.value if wanted.sign == "reversed" else printed.value
    if value == expected:
        return []
    if value == -expected and not wanted.sign:
        return [
            f"the fact's value is {canonical(value)}, {canonical(printed.value)} is printed, and `sign` is empty: "
            f"write `reversed` if the value is minus what is printed"
        ]
    told = f" under the sign `{wanted.sign}`" if wanted.sign else ""
    return [f"the fact's value is {canonical(value)} and the document gives {canonical(expected)}{told}"]


def question(wanted: Wanted, printed: Printed) -> str:
    """What only the curator can say: whether a number in brackets is a size or really negative."""
    if not printed.reading.negative or not printed.reading.magnitude or wanted.sign or wanted.value is not None:
        return ""
    return (
        f"{printed.text} is printed as negative: is the fact really negative (`sign` shown), "
        f"or is it the size of an outflow (`sign` reversed)?"
    )

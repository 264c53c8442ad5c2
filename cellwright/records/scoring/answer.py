"""The reference of a cell and an answer to it, as plain numbers in the cell's unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import cast

from cellwright.records.decimals import parse_canonical
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.fields import AnswerType


@dataclass(frozen=True, slots=True)
class Reference:
    """What is right in a cell; every number in `unit`."""

    answer_type: AnswerType
    unit: str
    value: Decimal | None = None
    """Of a precise cell."""
    low: Decimal | None = None
    """Of a range: its low end."""
    high: Decimal | None = None
    """Of a range: its high end."""
    interval: tuple[Decimal, Decimal] | None = None
    """The least and greatest value that the facts' last digits allow."""
    method: str = ""
    """How a range follows."""

    def __post_init__(self) -> None:
        whole = {
            "precise": self.value is not None,
            "range": self.low is not None and self.high is not None,
            "not_available": True,
        }[self.answer_type]
        if not whole:
            raise UnreadableInput(
                f"a {self.answer_type} cell has no reference",
                expected="`low` and `high`" if self.answer_type == "range" else "`value`",
            )
        if self.low is not None and self.high is not None and self.low > self.high:
            raise UnreadableInput("the low end of a reference is above its high end", seen=f"{self.low} to {self.high}")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a submission says in a cell, read; every number in the cell's unit."""

    type: AnswerType
    value: Decimal | None = None
    """Of a precise answer."""
    low: Decimal | None = None
    """Of a range: its low end."""
    high: Decimal | None = None
    """Of a range: its high end."""
    unit: str = ""
    """The unit of the numbers: the cell's."""
    confidence: Decimal | None = None
    """0 to 1, where one was given."""
    method: str = ""
    """How a range follows; empty where the answer says nothing of it."""
    reason: str = ""
    """Why nothing is available; empty where the answer says nothing of it."""
    digit: Decimal = Decimal(0)
    """One unit of the last digit that a precise answer wrote, in the cell's unit."""
    span: str = ""
    """The words that were read."""
    other_unit: str = ""
    """The unit it is given in where that is of another kind than the cell's: no number of it counts."""


def answer_of(reference: Reference) -> Answer:
    """The reference given as an answer, with a method and a reason: what a perfect submission says."""
    return Answer(
        reference.answer_type,
        reference.value,
        reference.low,
        reference.high,
        reference.unit,
        method=reference.method or "as the reference",
        reason="as the reference",
    )


def reference_of(cell: Mapping[str, str], place: Place | None = None) -> Reference:
    """The reference in a row of the bundle's table `cells`. Raises UnreadableInput for a row that holds none."""
    where = place or Place(record=f"{cell.get('entity', '')}/{cell.get('dimension', '')}")

    def number(column: str) -> Decimal | None:
        text = cell.get(column, "")
        try:
            return parse_canonical(text) if text else None
        except ValueError as error:
            raise UnreadableInput(f"`{column}` is {error}", where, seen=text) from None

    answer_type = cell.get("answer_type", "")
    if answer_type not in ("precise", "range", "not_available"):
        raise UnreadableInput(
            "the answer type is unknown", where, seen=answer_type, expected="precise, range or not_available"
        )
    low, high = number("interval_low"), number("interval_high")
    try:
        return Reference(
            cast(AnswerType, answer_type),
            cell.get("unit", ""),
            number("value"),
            number("low"),
            number("high"),
            (low, high) if low is not None and high is not None else None,
            cell.get("method", ""),
        )
    except UnreadableInput as error:
        problem = error.problems[0]
        raise UnreadableInput(
            problem.what, problem.place if str(problem.place) else where, seen=problem.seen, expected=problem.expected
        ) from None

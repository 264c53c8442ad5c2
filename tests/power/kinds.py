"""A kind of fault: what goes wrong, the rule that must tell it, and the function that plants it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from tests.power.draft import Draft, Row

READING = "reading"
"""In the place of a rule: the file cannot be read at all, and the reader says so."""

Plant = Callable[[Draft, random.Random], bool]
T = TypeVar("T")


@dataclass(frozen=True)
class Kind:
    """One kind of fault."""

    name: str
    rule: str
    says: str
    plant: Plant
    """Plants one into a draft; False where the draft has no place for it."""


KINDS: dict[str, Kind] = {}


def add(name: str, rule: str, says: str, plant: Plant) -> None:
    """Write a kind down."""
    assert name not in KINDS, name
    KINDS[name] = Kind(name, rule, says, plant)


def kind(rule: str, says: str) -> Callable[[Plant], Plant]:
    """Write the decorated function down as a kind named as itself."""

    def note(plant: Plant) -> Plant:
        add(plant.__name__, rule, says, plant)
        return plant

    return note


def choose(rng: random.Random, items: Sequence[T]) -> T | None:
    """One of the items; None of none."""
    return rng.choice(items) if items else None


def _set_field(table: str, column: str, text: str, where: Callable[[Draft, Row], bool], d: Draft, r: Any) -> bool:
    row = choose(r, [row for row in d.tables[table] if where(d, row)])
    if row is None:
        return False
    row[column] = text
    return True


def always(draft: Draft, row: Row) -> bool:
    """Any row."""
    return True


def setting(table: str, column: str, text: str, where: Callable[[Draft, Row], bool] = always) -> Plant:
    """Set a column of one row."""
    return partial(_set_field, table, column, text, where)


def is_primary(draft: Draft, row: Row) -> bool:
    """A primary fact."""
    return row["rank"] == "primary"


def mistyped(rng: random.Random, text: str) -> str:
    """The text with one of its digits another; never the first, so that a number stays as long."""
    places = [place for place, char in enumerate(text) if char.isdigit()]
    place = rng.choice(places[1:] or places)
    other = rng.choice([digit for digit in "123456789" if digit != text[place]])
    return text[:place] + other + text[place + 1 :]


def steps_of(draft: Draft) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Every dimension with each of its steps."""
    return [(item, step) for item in draft.task["dimensions"] for step in item.get("steps", ())]


def end_step(item: dict[str, Any]) -> dict[str, Any]:
    """The last step of a dimension."""
    last: dict[str, Any] = item["steps"][-1]
    return last


def answered(draft: Draft, row: Row) -> bool:
    """A cell with an answer."""
    return row["answer_type"] != "not_available"


def fresh_steps(item: dict[str, Any], *steps: tuple[str, str]) -> None:
    """Give a dimension other steps, for all its entities."""
    item["steps"] = [{"id": name, "expr": expr} for name, expr in steps]

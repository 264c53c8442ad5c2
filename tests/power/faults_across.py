"""Faults between two tasks: each is planted into the task that stands beside a clean one."""

from __future__ import annotations

import random
from decimal import Decimal

from tests.power.draft import Draft, Row
from tests.power.kinds import choose, kind
from tests.power.neighbour import TAIL, neighbour


def _beside(draft: Draft) -> Draft:
    draft.beside = [neighbour(draft)]
    return draft.beside[0]


def _lonely(other: Draft) -> list[Row]:
    """Primary figures of which the task has no other reading, which would say that both values are known."""
    primaries = other.facts_where(rank="primary")
    return [
        row
        for row in primaries
        if row["entity"] != "*"
        and sum(_thing(fact) == _thing(row) for fact in other.facts) == 1
        and row["value"] != "0"
    ]


def _thing(row: Row) -> tuple[str, str, str]:
    return row["entity"], row["name"], row["period"]


def _another_value(draft: Draft, rng: random.Random, document: bool) -> bool:
    """Another value of one figure in the second task, and also in the first no other reading of it."""
    known = {_thing(row) for row in _lonely(draft)}
    other = _beside(draft)
    rows = [row for row in _lonely(other) if (row["entity"].removesuffix(TAIL), *_thing(row)[1:]) in known]
    row = choose(rng, rows)
    if row is None:
        return False
    row["value"] = str(Decimal(row["value"]) * 3)
    row["as_written"] = ""
    if not document:
        source = other.source(row["source"])
        source["url"] += "?edition=later"
        source["capture"] = "f" * 64
    return True


@kind("C4-TASKS-CONTRADICT", "two tasks read one line of one document differently")
def line_read_differently(draft: Draft, rng: random.Random) -> bool:
    return _another_value(draft, rng, document=True)


@kind("C4-TASKS-DIFFER", "two tasks take different values for one figure from two documents")
def figure_of_another_edition(draft: Draft, rng: random.Random) -> bool:
    return _another_value(draft, rng, document=False)


@kind("C5-CELL-ASKED-TWICE", "two tasks ask one question in the same words")
def question_copied(draft: Draft, rng: random.Random) -> bool:
    other = _beside(draft)
    place = rng.randrange(len(other.task["dimensions"]))
    mine, theirs = draft.task["dimensions"][place], other.task["dimensions"][place]
    theirs["ask"] = mine["ask"]
    return True


@kind("C5-CELL-ASKED-TWICE", "two tasks derive one answer from the same figures, in other words")
def derivation_copied(draft: Draft, rng: random.Random) -> bool:
    other = _beside(draft)
    pairs = [
        (mine, theirs)
        for mine, theirs in zip(draft.task["dimensions"], other.task["dimensions"], strict=True)
        if mine.get("steps") and not mine.get("overrides") and mine["answer_type"] == "precise"
    ]
    pair = choose(rng, pairs)
    if pair is None:
        return False
    pair[1]["steps"] = [dict(step) for step in pair[0]["steps"]]
    return True


@kind("C1-IDENTITY-DIFFERS", "an identifier mistyped in one of two tasks")
def identifier_mistyped(draft: Draft, rng: random.Random) -> bool:
    place = rng.randrange(len(draft.task["entities"]))
    draft.task["entities"][place]["identifiers"] = {"lei": "549300HRY7AMVK1XTC05"}
    other = _beside(draft)
    other.task["entities"][place]["identifiers"] = {"LEI": "549300HRY7AMVK1XTC50"}
    return True

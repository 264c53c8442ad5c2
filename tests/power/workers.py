"""What one process measures: found by name, since kinds are functions and functions do not travel."""

from __future__ import annotations

from collections import Counter
from functools import cache

from tests.power.clean_tasks import clean_task
from tests.power.draft import Draft, shipped
from tests.power.measure import all_kinds, drafts_of, false_alarms, measure

CHUNK = 20
"""How many clean tasks one process makes and audits at a time."""


def alarms_in(first: int, count: int) -> list[tuple[str, str]]:
    """Task and rule of each finding in some clean tasks."""
    return list(false_alarms([clean_task(seed) for seed in range(first, first + count)]))


def alarms_of(clean: int) -> list[tuple[str, str]]:
    """The same of the shipped task and so many clean ones."""
    found = [alarm for first in range(0, clean, CHUNK) for alarm in alarms_in(first, min(CHUNK, clean - first))]
    return [*found, *false_alarms([shipped()])]


def measured(name: str, times: int) -> tuple[str, int, int, Counter[str], int]:
    """The counts of one kind: its name, planted, caught by the rule meant, by others, missed."""
    count = measure(next(kind for kind in all_kinds() if kind.name == name), times, _drafts())
    return name, count.planted, count.meant, count.other, count.missed


@cache
def _drafts() -> tuple[Draft, ...]:
    return tuple(drafts_of(30))

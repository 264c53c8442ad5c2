"""Trial runs: which lines of `pilots.csv` say something, and of what kind of run."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from cellwright.records.folder import TaskFolder
from cellwright.records.rows import Pilot

YES = ("yes", "true", "1", "y")
NO = ("", "no", "false", "0", "n")


class Scored(NamedTuple):
    """A trial run's score of a cell."""

    run: str
    entity: str
    dimension: str
    score: Decimal


def is_closed(pilot: Pilot) -> bool:
    """Whether the agent had no sources."""
    return pilot.closed_book.strip().lower() in YES


def is_plain(pilot: Pilot) -> bool:
    """Whether `closed_book` says yes or no."""
    return pilot.closed_book.strip().lower() in (*YES, *NO)


def open_book(folder: TaskFolder) -> Iterator[Scored]:
    """The scores of runs that had their sources."""
    return _scores(folder, closed=False)


def closed_book(folder: TaskFolder) -> Iterator[Scored]:
    """The scores of runs that had none."""
    return _scores(folder, closed=True)


def _scores(folder: TaskFolder, *, closed: bool) -> Iterator[Scored]:
    seen: set[tuple[str, str, str]] = set()
    for pilot in folder.pilots:
        key = (pilot.run, pilot.entity, pilot.dimension)
        counts = pilot.score is not None and 0 <= pilot.score <= 1 and is_plain(pilot) and key not in seen
        if counts and is_closed(pilot) is closed:
            assert pilot.score is not None
            seen.add(key)
            yield Scored(*key, pilot.score)

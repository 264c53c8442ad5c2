"""`capture --accept`: what a pin's move means for the facts is told first, and then the pin is moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cellwright.authoring.captures.book import CaptureBook
from cellwright.authoring.captures.drifting import Step, TaskDrift, task_drift
from cellwright.authoring.captures.pins import accept, newest
from cellwright.authoring.loading import load_task
from cellwright.clients.repository import Repository
from cellwright.records.errors import NotSettled, Place, UnreadableInput
from cellwright.records.repository_rows import CaptureRow

ALL = "all"
"""Stands for every source whose newest capture is not the pinned one."""


@dataclass(frozen=True)
class Acceptance:
    """The pins of a task that would move, and what would become of the facts."""

    task: str
    steps: tuple[Step, ...]
    drift: TaskDrift

    @property
    def moving(self) -> tuple[Step, ...]:
        """The steps that move a pin."""
        return tuple(step for step in self.steps if step.before != step.after)


def plan_acceptance(repository: Repository, task: str, sources: Sequence[str]) -> Acceptance:
    """What accepting the newest captures of the sources would do; nothing is written.

    Raises UnreadableInput for a source that is not there, NotSettled for one without a capture.
    """
    book = CaptureBook(repository, task)
    known = {source.id for source in book.sources}
    if ALL in sources and ALL not in known:
        chosen = [(source, "") for source in book.sources if source.capture and book.captures_of(source.id)]
    else:
        named = {name.partition("@")[0]: name.partition("@")[2] for name in sources}
        chosen = [(book.chosen([name])[0], sha256) for name, sha256 in named.items()]
    steps = []
    for source, begins in chosen:
        rows = book.captures_of(source.id)
        if not rows:
            raise NotSettled(
                "the source has no capture",
                Place(f"tasks/{task}/sources.csv", source.line, "capture", source.id),
                fix=f"`cellwright capture {task}` fetches it",
            )
        new = _named(rows, source.id, begins) if begins else newest(rows, source.capture)
        step = Step(source.id, source.capture, new.sha256)
        if step.before != step.after or ALL not in sources:
            steps.append(step)
    # A pin that was not set has nothing to be compared with.
    compared = [Step(step.source, step.before or step.after, step.after) for step in steps]
    return Acceptance(task, tuple(steps), task_drift(repository, load_task(repository, task), compared))


def _named(rows: Sequence[CaptureRow], source: str, begins: str) -> CaptureRow:
    """The capture whose sha256 begins so."""
    found = [row for row in rows if row.sha256.startswith(begins.lower())]
    if len(found) != 1:
        raise UnreadableInput(
            "the source has no such capture" if not found else "several captures of the source begin so",
            Place("sources/captures.csv", record=source),
            seen=begins,
            expected=f"the beginning of one of {', '.join(row.sha256[:12] for row in rows)}",
        )
    return found[0]


def carry_out(repository: Repository, acceptance: Acceptance) -> None:
    """Moves the pins and marks the captures before them as superseded. Raises DiskFailed."""
    for step in acceptance.moving:
        accept(repository, acceptance.task, step.source, sha256=step.after)

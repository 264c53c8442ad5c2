"""Moves the pin of a source to another capture: the one way in which a filled pin changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cellwright.authoring.captures.book import CaptureBook
from cellwright.clients.repository import Repository
from cellwright.records.errors import NotSettled, Place, UnreadableInput
from cellwright.records.repository_rows import CaptureRow


@dataclass(frozen=True, slots=True)
class Accepted:
    """A source's pin before and after; `moved` tells whether they differ."""

    task: str
    source: str
    old: str
    new: str

    @property
    def moved(self) -> bool:
        """Whether the pin now names another capture."""
        return self.old != self.new


def tasks_with_source(repository: Repository, source: str) -> tuple[str, ...]:
    """The ids of the tasks whose `sources.csv` names the source, sorted."""
    return tuple(
        task for task in repository.task_ids() if any(row.id == source for row in CaptureBook(repository, task).sources)
    )


def accept(repository: Repository, task_id: str, source_id: str, *, sha256: str = "") -> Accepted:
    """Pins the source to its newest capture, or to the one named by `sha256`.

    Raises UnreadableInput for a source or capture that is not there, NotSettled where the source has no
    capture, DiskFailed where the table cannot be written.
    """
    book = CaptureBook(repository, task_id)
    source = book.chosen([source_id])[0]
    rows = book.captures_of(source_id)
    if not rows:
        raise NotSettled(
            "the source has no capture",
            Place(f"tasks/{task_id}/sources.csv", source.line, "capture", source_id),
            fix=f"`cellwright capture {task_id}` fetches it",
        )
    known = [row.sha256 for row in rows]
    if sha256 and sha256 not in known:
        raise UnreadableInput(
            "the source has no such capture",
            Place("sources/captures.csv", record=source_id),
            seen=sha256,
            expected=f"one of {', '.join(known)}",
        )
    new = sha256 or newest(rows, source.capture).sha256
    book.move_pin(source, new)
    book.mark_superseded(source, new)
    book.save()
    return Accepted(task_id, source_id, source.capture, new)


def newest(rows: Sequence[CaptureRow], pin: str) -> CaptureRow:
    """The capture that a source would be pinned to: a document before its stand-in, then the one fetched last.

    Of two fetched in one second the one not pinned yet is the news, unless a person has left it behind already.
    """
    return max(
        rows, key=lambda row: (row.via != "stand-in", row.fetched, not row.superseded_by, row.sha256 != pin, row.sha256)
    )

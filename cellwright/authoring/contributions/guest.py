"""A repository with a guest: one task that is not in it, read from wherever it lies, beside all that is.

Registry, profiles and thresholds stay the repository's own, and so do the other tasks: so is a contribution audited
before any of it is put in place. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from cellwright.clients.repository import Repository
from cellwright.records.errors import Problem

CaptureOf = Callable[[str], bytes | None]
"""The WARC of a capture of the guest by its sha256, None where it is not there."""


@dataclass(frozen=True, slots=True)
class GuestRepository(Repository):
    """The repository at `root` with the task `guest`, whose files are `files` and whose captures `capture_of` gives.

    `captures_csv` stands for `sources/captures.csv` where it is given.
    """

    guest: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    captures: tuple[str, ...] = ()
    capture_of: CaptureOf = field(default=lambda _: None, repr=False)
    captures_csv: bytes | None = field(default=None, repr=False)

    def tasks_found(self) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
        """The ids of all tasks and of the guest."""
        found, problems = Repository.tasks_found(self)
        return tuple(sorted({*found, self.guest})), problems

    def task_folder(self, task: str) -> dict[str, bytes]:
        """The files of a task."""
        if task == self.guest:
            return dict(sorted(self.files.items()))
        return Repository.task_folder(self, task)

    def file(self, *parts: str) -> bytes | None:
        """The bytes of a file of the repository."""
        if parts == ("sources", "captures.csv") and self.captures_csv is not None:
            return self.captures_csv
        return Repository.file(self, *parts)

    def capture_names(self, task: str) -> tuple[str, ...]:
        """The sha256 of each capture of a task."""
        return self.captures if task == self.guest else Repository.capture_names(self, task)

    def capture_bytes(self, task: str, sha256: str) -> bytes | None:
        """The WARC of a capture."""
        return self.capture_of(sha256) if task == self.guest else Repository.capture_bytes(self, task, sha256)

"""One capture at a time in a repository: two would ask hosts twice, and each would write tables the other read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cellwright.clients.locks import folder_lock
from cellwright.clients.repository import Repository
from cellwright.records.errors import NotSettled, Place


@contextmanager
def capture_lock(repository: Repository) -> Iterator[None]:
    """Held while captures are made. Raises NotSettled where another process holds it."""
    folder = repository.path("sources")
    busy = NotSettled(
        "another capture is at work in this repository",
        Place("sources"),
        fix="wait until it has ended, then run this again: it goes on with what is left",
    )
    with folder_lock(folder if folder.is_dir() else repository.root, busy):
        yield

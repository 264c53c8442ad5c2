"""One capture at a time in a repository: two would ask hosts twice, and each would write tables the other read.

The lock is the system's own on the folder `sources`, so that nothing is left behind by a run that was killed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from cellwright.clients.repository import Repository
from cellwright.records.errors import NotSettled, Place

if sys.platform != "win32":
    import fcntl


@contextmanager
def capture_lock(repository: Repository) -> Iterator[None]:
    """Held while captures are made. Raises NotSettled where another process holds it.

    On a disk that knows no locks, and on Windows, where folders cannot be locked, it holds nothing up.
    """
    if sys.platform == "win32":
        yield
        return
    folder = repository.path("sources")
    folder = folder if folder.is_dir() else repository.root
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            _take(descriptor)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise NotSettled(
            "another capture is at work in this repository",
            Place("sources"),
            fix="wait until it has ended, then run this again: it goes on with what is left",
        ) from None

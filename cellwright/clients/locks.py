"""A lock that the system itself holds for a process: nothing is left behind by a run that was killed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cellwright.records.errors import NotSettled

if sys.platform != "win32":
    import fcntl


@contextmanager
def folder_lock(folder: Path, busy: NotSettled) -> Iterator[None]:
    """Held on a folder that is there; raises `busy` where another process holds it.

    On a disk that knows no locks, and on Windows, where folders cannot be locked, it holds nothing up.
    """
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            _take(descriptor, busy)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int, busy: NotSettled) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise busy from None

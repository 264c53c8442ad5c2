"""A random text of the user's own, by which this machine knows again what it wrote itself.

What lies in a repository may come from anybody who handed it over; what is marked with this secret does not. It lies
in the user's folder for state (`XDG_STATE_HOME`, else `~/.local/state`), readable by the user alone, and protects
nothing else: when it is lost, what was kept is worked out anew.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

LENGTH = 32
"""Bytes."""


def user_secret() -> bytes | None:
    """The secret, made where there is none yet; None where there is no place for one of the user's own."""
    try:
        home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        path = Path(home) / "cellwright" / "kept.key"
        if not path.is_absolute():
            return None
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _read(path) or _made(path)
    except (OSError, RuntimeError):  # no home, no leave to write there: then nothing is kept
        return None


def _read(path: Path) -> bytes | None:
    """The secret in the file; None where there is no file. Raises OSError for one that others may have written."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(handle, "rb") as file:
        state = os.fstat(file.fileno())
        data = file.read(LENGTH + 1)
    foreign = state.st_uid != os.geteuid() or stat.S_IMODE(state.st_mode) & 0o077 or not stat.S_ISREG(state.st_mode)
    if foreign or len(data) != LENGTH:
        raise PermissionError(f"{path} is not the user's own")
    return data


def _made(path: Path) -> bytes | None:
    """A new secret. Whoever else makes one at the same moment is told it by the file that came first."""
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(os.urandom(LENGTH))
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(beside, path)
    finally:
        beside.unlink()
    return _read(path)

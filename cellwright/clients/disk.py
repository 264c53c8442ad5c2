"""The disk: bytes read with every fault told in a sentence, files replaced whole or not at all.

A file is written beside its target as `.name.tmp-<16 hex digits>`, flushed to the disk and then put in the
target's place, so that a kill at any moment leaves the old bytes or the new ones, never a part. What a
killed write leaves behind is removed at the next write into the same folder and is never read as data.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cellwright.records.errors import DiskFailed, Place, UnreadableInput

if sys.platform != "win32":
    import fcntl

MAX_READ = 64_000_000
"""Bytes read from one file when the caller sets no limit of its own."""

_TEMPORARY = re.compile(r"\..+\.tmp-[0-9a-f]{16}")
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)


def is_temporary(name: str) -> bool:
    """Whether a file name is one that a write uses before its bytes are in place."""
    return _TEMPORARY.fullmatch(name) is not None


def read_bytes(path: Path, *, limit: int = MAX_READ, name: str = "") -> bytes:
    """The bytes of a regular file of at most `limit` bytes; `name` stands for the path in messages.

    Raises UnreadableInput where the file is missing, a folder, not a regular file, larger than `limit`,
    or may not be read.
    """
    place = Place(name or str(path))
    try:
        # O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
        descriptor = os.open(path, os.O_RDONLY | _NONBLOCK | _BINARY)
    except FileNotFoundError:
        raise UnreadableInput("the file is missing", place, fix="check the name and the folder") from None
    except NotADirectoryError:
        raise UnreadableInput("a part of the path is a file and not a folder", place) from None
    except IsADirectoryError:
        raise _is_folder(place) from None
    except PermissionError:
        if path.is_dir():
            raise _is_folder(place) from None
        raise UnreadableInput(
            "the file may not be read", place, fix="give yourself the permission to read it"
        ) from None
    except (OSError, ValueError) as error:
        raise UnreadableInput("the file cannot be opened", place, seen=_reason(error)) from None
    try:
        return _read_regular(descriptor, limit, place)
    except OSError as error:
        raise UnreadableInput("the file cannot be read", place, seen=_reason(error)) from None
    finally:
        os.close(descriptor)


def write_atomic(path: Path, data: bytes) -> None:
    """Puts `data` in the place of the file: afterwards it holds the old bytes or the new ones, never a part.

    Missing folders are made, an existing file's mode is kept, a symbolic link is followed. Raises
    DiskFailed, the old file as it was, where the disk is full, read-only or does not permit it.
    """
    write_all_atomic({path: data})


def write_all_atomic(files: Mapping[Path, bytes]) -> None:
    """`write_atomic` for several files that belong together: all are on the disk before the first is replaced.

    Where a replacement fails, those made before it are taken back. Raises DiskFailed.
    """
    staged: list[_Staged] = []
    cleaned: set[Path] = set()
    try:
        for path, data in files.items():
            target = _target(path)
            if target.parent not in cleaned:
                remove_stale_temporaries(target.parent)
                cleaned.add(target.parent)
            staged.append(_stage(target, data))
        _replace_all(staged)
    finally:
        for item in staged:
            item.discard()
    for folder in cleaned:
        sync_folder(folder)


def write_beside(path: Path, data: bytes) -> None:
    """A new file, one of thousands in a folder, in place whole or not at all after a kill: the folder is neither
    made, searched nor flushed for each, and no other process may write into it meanwhile.

    Whoever writes them calls `prepare_folder` before the first and `sync_written` after the last; until then a
    machine that loses its power may lose them or leave some of them cut short. Raises DiskFailed.
    """
    temporary = f"{path.parent}{os.sep}.{path.name}.tmp-{secrets.token_hex(8)}"
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
        try:
            _write_all(descriptor, data)
            if _flush_at_once() is None:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(temporary, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise _failed(path, error) from None


def prepare_folder(folder: Path) -> None:
    """Makes the folder and removes what killed writes left in it. Raises DiskFailed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _failed(folder, error) from None
    remove_stale_temporaries(folder)


def remove_stale_temporaries(folder: Path) -> None:
    """Removes what killed writes left in `folder`; files that another write holds open stay."""
    try:
        names = sorted(name for name in os.listdir(folder) if is_temporary(name))
    except OSError:
        return  # A folder that cannot be listed fails at the write, with a sentence that fits.
    for name in names:
        with contextlib.suppress(OSError):
            _remove_unless_held(folder / name)


@dataclass(slots=True)
class _Staged:
    """New bytes on the disk beside their target; `descriptor` stays open to hold the lock."""

    target: Path
    temporary: Path
    descriptor: int | None
    old: bytes | None = None
    in_place: bool = False

    def replace(self) -> None:
        if sys.platform == "win32":
            self._close()  # An open file cannot be renamed there.
        os.replace(self.temporary, self.target)
        self.in_place = True
        self._close()

    def discard(self) -> None:
        self._close()
        if not self.in_place:
            with contextlib.suppress(OSError):
                self.temporary.unlink(missing_ok=True)

    def _close(self) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None


def _target(path: Path) -> Path:
    """Where the bytes go: links followed, missing folders made; raises DiskFailed where it cannot be replaced."""
    try:
        target = Path(os.path.realpath(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_dir():
            raise DiskFailed(
                "a folder stands where the file is to be written", Place(str(path)), fix="move the folder away"
            )
        if target.exists() and not os.access(target, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            if _on_read_only_disk(target):
                raise _failed(path, OSError(errno.EROFS, os.strerror(errno.EROFS)))
            raise DiskFailed("the file is write-protected", Place(str(path)), fix="permit writing to it")
    except (OSError, ValueError) as error:
        raise _failed(path, error) from None
    return target


def _on_read_only_disk(path: Path) -> bool:
    """Whether the whole disk is read-only: then no permission of the file helps."""
    return hasattr(os, "statvfs") and bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def _stage(target: Path, data: bytes) -> _Staged:
    """`data` flushed to a new temporary file beside `target`, with the mode of the file that it will replace."""
    staged: _Staged | None = None
    try:
        staged = _open_temporary(target)
        descriptor = staged.descriptor
        assert descriptor is not None
        _write_all(descriptor, data)
        if hasattr(os, "fchmod") and target.exists():
            os.fchmod(descriptor, stat.S_IMODE(target.stat().st_mode))
        os.fsync(descriptor)
    except OSError as error:
        if staged is not None:
            staged.discard()
        raise _failed(target, error) from None
    return staged


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view[: 1 << 20]) :]


def _open_temporary(target: Path) -> _Staged:
    """A new locked temporary file. Tried again where another write took it for a leftover before it was locked."""
    while True:
        temporary = target.with_name(f".{target.name}.tmp-{secrets.token_hex(8)}")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
        staged = _Staged(target, temporary, descriptor)
        try:
            if sys.platform == "win32":
                return staged
            with contextlib.suppress(OSError):  # Some network disks know no locks.
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(descriptor).st_nlink:
                return staged
        except OSError:
            staged.discard()
            raise
        staged.discard()


def _remove_unless_held(path: Path) -> None:
    if sys.platform == "win32":
        path.unlink()  # Refused there while another process has it open.
        return
    descriptor = os.open(path, os.O_RDONLY | _NONBLOCK | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink()
    finally:
        os.close(descriptor)


def _replace_all(staged: list[_Staged]) -> None:
    done: list[_Staged] = []
    for item in staged:
        try:
            if len(staged) > 1 and item.target.exists():
                item.old = item.target.read_bytes()
            item.replace()
        except OSError as error:
            _take_back(done)
            raise _failed(item.target, error) from None
        done.append(item)


def _take_back(done: list[_Staged]) -> None:
    """The old bytes in the place of the new ones, for the files replaced before one failed."""
    for item in reversed(done):
        try:
            if item.old is None:
                item.target.unlink()
                continue
            back = _stage(item.target, item.old)
            try:
                back.replace()
            finally:
                back.discard()
        except OSError as error:
            raise _failed(item.target, error) from None


def _read_regular(descriptor: int, limit: int, place: Place) -> bytes:
    status = os.fstat(descriptor)
    if stat.S_ISDIR(status.st_mode):
        raise _is_folder(place)
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableInput("this is not a regular file", place, expected="a file that holds bytes")
    parts: list[bytes] = []
    size = 0
    while part := os.read(descriptor, 1 << 20):
        parts.append(part)
        size += len(part)
        if size > limit:
            raise UnreadableInput(
                "the file is too large", place, seen=f"{max(size, status.st_size)} bytes", expected=f"at most {limit}"
            )
    return b"".join(parts)


def sync_folder(folder: Path) -> None:
    """Makes the replaced names last; not every file system can, and the bytes are safe either way."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def sync_written(folder: Path) -> None:
    """Makes all that `write_beside` put into the folder last: bytes and names. Raises DiskFailed.

    One flush of the folder's disk for all of them: a flush for each file takes longer than fetching it.
    """
    flush = _flush_at_once()
    if flush is not None:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            flush(descriptor)
        except OSError as error:
            raise _failed(folder, error) from None
        finally:
            os.close(descriptor)
    sync_folder(folder)


@cache
def _flush_at_once() -> Callable[[int], None] | None:
    """Flushes the whole disk that an open folder lies on (`syncfs`, Linux); None where the system has no such call."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        import ctypes

        syncfs = ctypes.CDLL(None, use_errno=True).syncfs
    except (ImportError, OSError, AttributeError):
        return None

    def flush(descriptor: int) -> None:
        if syncfs(descriptor):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))

    return flush


def _is_folder(place: Place) -> UnreadableInput:
    return UnreadableInput("this is a folder", place, expected="a file")


def _failed(path: Path, error: Exception) -> DiskFailed:
    return DiskFailed(
        "the file cannot be written, and is as it was",
        Place(str(path)),
        seen=_reason(error),
        fix="make room or permit writing, then run it again",
    )


def _reason(error: Exception) -> str:
    return (error.strerror or type(error).__name__) if isinstance(error, OSError) else str(error)

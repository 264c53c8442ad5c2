"""Folders made whole: every file is written beside the place, then the folder is put there in one rename."""

from __future__ import annotations

import ctypes
import os
import secrets
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from cellwright.clients.disk import is_temporary
from cellwright.records.errors import DiskFailed, Place, UnreadableInput


def replace_folder(folder: Path, files: Mapping[str, bytes], *, mark: str) -> None:
    """Make `folder` hold exactly `files` (relative path with slashes → bytes), replacing what it held.

    A folder that holds something else than an earlier one of its kind, told by the file `mark`, is refused with
    UnreadableInput: nothing of a person's is ever removed. Raises DiskFailed where writing fails; the folder is
    then as it was. A kill leaves the old folder or the new one; only where the system cannot exchange two
    folders in one step can it leave the name free, and the next call makes it anew.
    """
    check_place(folder, mark=mark)
    fresh = _beside(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(folder)
        for name, data in files.items():
            _write(fresh / PurePosixPath(name), data)
        if not folder.exists():
            fresh.rename(folder)
        elif _exchange(fresh, folder):
            shutil.rmtree(fresh)
        else:
            _replace_in_two_steps(folder, fresh)
    except OSError as error:
        shutil.rmtree(fresh, ignore_errors=True)
        raise DiskFailed(
            "the folder could not be written", Place(str(folder)), seen=error.strerror or str(error)
        ) from None


def _exchange(one: Path, other: Path) -> bool:
    """Swap the names of two folders in one step, by what Linux (`renameat2`) and macOS (`renamex_np`) have for it.

    Python has no call for it. False where the system or the disk does not know how.
    """
    libc = ctypes.CDLL(None, use_errno=True) if sys.platform != "win32" else None
    here, exchange = -100, 2  # AT_FDCWD; RENAME_EXCHANGE there, RENAME_SWAP here.
    paths = os.fsencode(one), os.fsencode(other)
    if hasattr(libc, "renameat2"):
        return libc is not None and libc.renameat2(here, paths[0], here, paths[1], exchange) == 0
    if hasattr(libc, "renamex_np"):
        return libc is not None and libc.renamex_np(*paths, exchange) == 0
    return False


def _replace_in_two_steps(folder: Path, fresh: Path) -> None:
    old = _beside(folder)
    folder.rename(old)
    try:
        fresh.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old)


def check_place(folder: Path, *, mark: str) -> None:
    """Refuses, with UnreadableInput, a place where `replace_folder` would remove what is a person's."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UnreadableInput(
            "the place of the folder is taken by a file or a link", Place(str(folder)), fix="name another folder"
        )
    if folder.is_dir() and any(folder.iterdir()) and not (folder / mark).is_file():
        raise UnreadableInput(
            "the folder holds something else",
            Place(str(folder)),
            expected=f"an empty folder, or one that holds `{mark}`",
            fix="name another folder",
        )


def _beside(folder: Path) -> Path:
    return folder.parent / f".{folder.name}.tmp-{secrets.token_hex(8)}"


def _remove_leftovers(folder: Path) -> None:
    for entry in folder.parent.glob(f".{folder.name}.tmp-*"):
        if is_temporary(entry.name) and entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as handle:
        handle.write(data)
        handle.flush()
        os.fsync(handle.fileno())

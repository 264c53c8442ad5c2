"""Who holds what stands in the way: DVC's locks (`.dvc/tmp/lock`, `.dvc/tmp/rwlock`) and git's `index.lock`.

DVC writes its process into both files; a lock whose process has ended, or whose number another process has by now,
is told as left behind.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellwright.records.errors import Place, WorldFailed, clip

MAX_LOCK = 1_000_000
"""Bytes of a lock file that are read."""
SHOWN_WORDS = 4
"""Words of a command that are shown: what follows may be a credential, as in `dvc remote modify NAME KEY VALUE`."""
_LOCK, _RWLOCK, _GIT_LOCK = ".dvc/tmp/lock", ".dvc/tmp/rwlock", ".git/index.lock"


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that a lock names; `alive` is false where it has ended or its number is another's by now."""

    pid: int
    command: str
    alive: bool

    def __str__(self) -> str:
        return f"process {self.pid}" + (f", `{self.command}`" if self.command else "")


def locked(repository: Any) -> AbstractContextManager[None]:
    """DVC's own lock on a repository that is open, held while the block runs."""
    from dvc.repo import lock_repo

    lock: AbstractContextManager[None] = lock_repo(repository)
    return lock


def lock_told(root: Path, what: str, error: BaseException) -> WorldFailed | None:
    """What a person is told where DVC was kept from its work by a lock; None where it was something else."""
    names = {kind.__name__ for kind in type(error).__mro__}
    if names & {"RWLockFileCorruptedError", "RWLockFileFormatError"}:
        return WorldFailed(
            f"DVC could not {what}: its note of which process uses which file is cut short, as a process that was"
            " killed leaves it",
            Place(_RWLOCK),
            fix=f"when no other DVC command runs in this repository, remove {_RWLOCK} and run it again",
        )
    if "LockError" not in names:
        return None
    shared = "being blocked by" in str(error)
    place = _RWLOCK if shared else _LOCK
    holders = _in_rwlock(root) if shared else _in_lock(root)
    living = [holder for holder in holders if holder.alive]
    if living:
        return WorldFailed(
            f"DVC could not {what}: another DVC command is at work in this repository",
            Place(place),
            seen=_shown(living),
            fix="wait until it has ended, then run this again; end it first if it hangs",
        )
    if holders:
        return WorldFailed(
            f"DVC could not {what}: a lock is left of a process that has ended",
            Place(place),
            seen=_shown(holders),
            fix=f"when no other DVC command runs in this repository (nor on another machine that shares its disk),"
            f" remove {place} and run it again",
        )
    return WorldFailed(
        f"DVC could not {what}: another DVC command is at work in this repository, and does not say which",
        Place(place),
        fix="wait until it has ended, then run this again",
    )


def require_git_unlocked(root: Path) -> None:
    """Raises WorldFailed where git's `index.lock` is there: a commit, merge or checkout is under way, or was killed."""
    lock = _git_folder(root) / "index.lock"
    if not os.path.lexists(lock):
        return
    working = _git_at_work(root)
    if working:
        raise WorldFailed(
            "git is at work in this repository",
            Place(_GIT_LOCK),
            seen=_shown(working),
            fix="wait until it has ended (an editor may be open for a commit's message), then run this again",
        )
    raise WorldFailed(
        "git's lock is left of a process that has ended: no git is at work here",
        Place(_GIT_LOCK),
        fix=f"when no editor or other program uses git here, remove {lock} and run this again",
    )


def _shown(holders: list[Holder]) -> str:
    more = f", and {len(holders) - 3} more" if len(holders) > 3 else ""
    return clip("; ".join(map(str, holders[:3])) + more, 300)


def _in_lock(root: Path) -> list[Holder]:
    """The process that `.dvc/tmp/lock` names."""
    path = root / _LOCK
    found = re.fullmatch(rb"\s*(\d{1,9})\s*", _read(path))
    if found:
        return [_holder(int(found[1]), "", path)]
    # With `core.hardlink_lock`, the file names a claim: path|host|process|number.
    claim = _read(path).decode("utf-8", "replace").strip().split("|")
    return [_holder(int(claim[2]), "", path)] if len(claim) == 4 and re.fullmatch(r"\d{1,9}", claim[2]) else []


def _in_rwlock(root: Path) -> list[Holder]:
    """The processes that `.dvc/tmp/rwlock` names, this one left out, each once."""
    path = root / _RWLOCK
    try:
        told = json.loads(_read(path))
    except (ValueError, RecursionError):
        return []
    found: dict[int, str] = {}
    for kind in ("write", "read"):
        listed = told.get(kind) if isinstance(told, dict) else None
        for infos in listed.values() if isinstance(listed, dict) else ():
            for info in infos if isinstance(infos, list) else [infos]:
                if isinstance(info, dict) and isinstance(info.get("pid"), int) and info["pid"] != os.getpid():
                    found.setdefault(info["pid"], str(info.get("cmd", "")))
    return [_holder(pid, command, path) for pid, command in sorted(found.items())]


def _holder(pid: int, command: str, lock: Path) -> Holder:
    """The process by its number, as far as the system still knows it."""
    import psutil  # type: ignore[import-untyped]

    alive = False
    with suppress(psutil.Error, OSError, ValueError, OverflowError):
        process = psutil.Process(pid)
        # A process that began after the lock was written has the number of one that has ended.
        alive = process.status() != psutil.STATUS_ZOMBIE and process.create_time() <= lock.stat().st_mtime + 1
        if alive and not command:
            command = " ".join(process.cmdline())
    return Holder(pid, _short(command), alive)


def _short(command: str) -> str:
    words = [os.path.basename(word) if "/" in word else word for word in command.split()[:SHOWN_WORDS]]
    return clip(" ".join(words), 80)


def _read(path: Path) -> bytes:
    with suppress(OSError), path.open("rb") as file:
        return file.read(MAX_LOCK)
    return b""


def _git_folder(root: Path) -> Path:
    """Where git keeps this work tree's index; `.git` is a file in a work tree that was added to another."""
    for folder in (root, *root.parents):
        git = folder / ".git"
        if git.is_dir():
            return git
        if git.is_file():
            told = _read(git).decode("utf-8", "replace").strip()
            return folder / told.removeprefix("gitdir: ") if told.startswith("gitdir: ") else git
    return root / ".git"


def _git_at_work(root: Path) -> list[Holder]:
    """The git processes whose folder is this repository."""
    try:
        import psutil
    except ImportError:
        return []
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.name() == "git" and Path(process.cwd()).is_relative_to(root.resolve()):
                found.append(Holder(process.pid, _short(" ".join(process.cmdline())), True))
    return sorted(found, key=lambda holder: holder.pid)

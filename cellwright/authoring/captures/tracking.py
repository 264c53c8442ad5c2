"""Hands a task's captures to DVC: one pointer file a task, `sources/captures/<task>.dvc`.

Only where the repository has a `.dvc` folder. Nothing is sent anywhere: DVC's own library is called, not its
command, which would report its use; a push stays the person's own act.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cellwright.authoring.captures.book import CaptureBook
from cellwright.clients.disk import read_bytes
from cellwright.clients.dvc import dvc_repository
from cellwright.clients.repository import open_repository
from cellwright.records.errors import NotSettled, Place


@dataclass(frozen=True, slots=True)
class Tracked:
    """A task's pointer file, from the root; `changed` tells whether it was written anew."""

    pointer: str
    captures: int
    changed: bool


def track_captures(root: Path, task: str) -> Tracked | None:
    """Puts the task's captures under DVC; None where the repository has no `.dvc` or the task no captures.

    The same captures give the same pointer. Raises NotSettled where captures that the table tells of are not
    here (the pointer would forget them), WorldFailed where DVC is not installed or fails.
    """
    repository = open_repository(root)
    names = repository.capture_names(task)
    if not (repository.root / ".dvc").is_dir() or not names:
        return None
    missing = sorted(CaptureBook(repository, task).known_names() - set(names))
    pointer = repository.path("sources", "captures", f"{task}.dvc")
    shown = repository.shown(pointer)
    if missing:
        raise NotSettled(
            "captures of the task are not here, and the pointer would forget them",
            Place(f"sources/captures/{task}"),
            seen=f"{len(missing)} missing, the first {missing[0]}",
            fix=f"`dvc pull {shown}` brings them, or `cellwright capture {task}` fetches them again",
        )
    before = read_bytes(pointer, name=shown) if pointer.exists() else b""
    _add(repository.root, repository.captures_folder(task))
    return Tracked(shown, len(names), read_bytes(pointer, name=shown) != before)


def _add(root: Path, folder: Path) -> None:
    with dvc_repository(root, "take the captures up") as repository:
        repository.add(str(folder))

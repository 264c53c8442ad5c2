"""The folder that people work in: where it begins, its tasks and its sources, read as bytes.

Layout: `tasks/<task-id>/`, `sources/registry.csv`, `sources/captures.csv`,
`sources/captures/<task-id>/<sha256>.warc.gz` (design, section 3). A symbolic link that leads out of the
repository is refused: a cloned repository must not read or write files elsewhere.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from cellwright.clients.disk import MAX_READ, read_bytes
from cellwright.records.errors import Place, Problem, UnreadableInput
from cellwright.records.fields import SOURCE_ID_PATTERN
from cellwright.records.suggest import did_you_mean

MAX_FILES = 200
"""Files in one task's folder."""
MAX_FOLDER = 256_000_000
"""Bytes in one task's folder."""

TASK_ID_WORDS = "small letters, digits, _, - and . that begin with a letter, as in ev-makers-2023"
"""What a task's id is made of, in words."""

_TASK_ID = re.compile(SOURCE_ID_PATTERN)
_SHA256 = re.compile(r"[0-9a-f]{64}")


def repository_root(start: Path) -> Path:
    """The nearest folder at or above `start` with `tasks` and `sources`, else one with `.dvc` or `pyproject.toml`.

    Raises UnreadableInput where there is none.
    """
    folders = [start.resolve(), *start.resolve().parents]
    for folder in folders:
        if (folder / "tasks").is_dir() and (folder / "sources").is_dir():
            return folder
    for folder in folders:
        if (folder / ".dvc").is_dir() or (folder / "pyproject.toml").is_file():
            return folder
    raise UnreadableInput(
        "no repository is here or above",
        Place(str(start)),
        expected="a folder that holds `tasks` and `sources`",
        fix="go to it, name it with `--root DIR`, or make the two folders",
    )


def open_repository(root: Path) -> Repository:
    """The repository at `root` itself. Raises UnreadableInput where `root` is not a folder."""
    if not root.is_dir():
        raise UnreadableInput(
            "the repository is not a folder" if root.exists() else "the repository is missing",
            Place(str(root)),
            expected="a folder that holds `tasks` and `sources`",
            fix="name another one, or make it with these two folders",
        )
    return Repository(root.resolve())


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository by its `root`, a resolved path. Paths given out lie inside it."""

    root: Path

    def task_ids(self) -> tuple[str, ...]:
        """The ids of all tasks, sorted. Raises UnreadableInput for a task folder whose name is no id."""
        found, problems = self.tasks_found()
        if problems:
            raise UnreadableInput(problems)
        return found

    def tasks_found(self) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
        """The ids of all tasks, sorted, and what is wrong with the names of other folders that hold a task."""
        tasks = self.path("tasks")
        if not tasks.is_dir():
            return (), ()
        with os.scandir(tasks) as entries:
            names = sorted(entry.name for entry in entries if not entry.name.startswith(".") and entry.is_dir())
        found = [name for name in names if _TASK_ID.fullmatch(name)]
        misnamed = [_misnamed(name) for name in names if name not in found and (tasks / name / "task.yaml").exists()]
        return tuple(found), tuple(misnamed)

    def task_path(self, task: str, name: str = "") -> Path:
        """The folder of a task, or a file in it. Raises UnreadableInput for what is no task id."""
        return self.path("tasks", _task_id(task), *([name] if name else []))

    def task_folder(self, task: str) -> dict[str, bytes]:
        """All files of `tasks/<task>/`, name to bytes, sorted; hidden, lock and temporary files are left out.

        Raises UnreadableInput where the task is missing, or a file cannot be read or is too large.
        """
        folder = self.task_path(task)
        if not folder.is_dir():
            known = self.task_ids()
            shown = ", ".join(known[:20]) + (", …" if len(known) > 20 else "")
            raise UnreadableInput(
                f"there is no task `{task}`",
                Place(f"tasks/{task}"),
                expected=f"one of {shown}" if known else "",
                fix=f"{did_you_mean(task, known)}`cellwright new {task}` makes it",
            )
        # `~$…` is Excel's lock file, `.~lock.…#` LibreOffice's.
        with os.scandir(folder) as found:
            entries = sorted(
                (entry for entry in found if not entry.name.startswith((".", "~$")) and not entry.is_dir()),
                key=lambda entry: entry.name,
            )
        if len(entries) > MAX_FILES:
            raise UnreadableInput(
                "the task's folder holds too many files",
                Place(f"tasks/{task}"),
                seen=str(len(entries)),
                expected=f"at most {MAX_FILES}",
            )
        files: dict[str, bytes] = {}
        room = MAX_FOLDER
        for entry in entries:
            path = self.task_path(task, entry.name) if entry.is_symlink() else folder / entry.name
            files[entry.name] = read_bytes(path, limit=min(MAX_READ, room), name=f"tasks/{task}/{entry.name}")
            room -= len(files[entry.name])
        return files

    def file(self, *parts: str) -> bytes | None:
        """The bytes of a file such as `params.yaml`, or None where it is absent."""
        path = self.path(*parts)
        return read_bytes(path, name="/".join(parts)) if os.path.lexists(path) else None

    def names(self, folder: str) -> tuple[str, ...]:
        """The names of what lies in a folder, sorted; none where it is absent."""
        path = self.path(folder)
        return tuple(sorted(os.listdir(path))) if path.is_dir() else ()

    def sources_path(self, name: str) -> Path:
        """A file in `sources/`."""
        return self.path("sources", name)

    def sources_file(self, name: str) -> bytes | None:
        """The bytes of a file in `sources/` (`registry.csv`, `captures.csv`), or None where it is absent."""
        return self.file("sources", name)

    def captures_folder(self, task: str) -> Path:
        """The folder of a task's captures."""
        return self.path("sources", "captures", _task_id(task))

    def capture_path(self, task: str, sha256: str) -> Path:
        """Where a capture lies or will lie: `sources/captures/<task>/<sha256>.warc.gz`."""
        if not _SHA256.fullmatch(sha256):
            raise UnreadableInput("this is no capture's name", seen=sha256, expected="the sha256 in 64 hex digits")
        return self.path("sources", "captures", _task_id(task), f"{sha256}.warc.gz")

    def capture_names(self, task: str) -> tuple[str, ...]:
        """The sha256 of each capture that lies in the task's folder, sorted, as the file names say it."""
        folder = self.captures_folder(task)
        if not folder.is_dir():
            return ()
        names = (name.removesuffix(".warc.gz") for name in os.listdir(folder) if name.endswith(".warc.gz"))
        return tuple(sorted(name for name in names if _SHA256.fullmatch(name)))

    def capture_bytes(self, task: str, sha256: str) -> bytes | None:
        """The WARC of a capture, or None where it is not here."""
        path = self.capture_path(task, sha256)
        return read_bytes(path, name=self.shown(path)) if os.path.lexists(path) else None

    def path(self, *parts: str) -> Path:
        """A path inside the repository. Raises UnreadableInput where a link or `..` leads out of it."""
        path = self.root.joinpath(*parts)
        try:
            real = Path(os.path.realpath(path))
        except (OSError, ValueError) as error:
            raise UnreadableInput("the path cannot be followed", Place("/".join(parts)), seen=str(error)) from None
        if not real.is_relative_to(self.root):
            raise UnreadableInput(
                "the path leads out of the repository",
                Place("/".join(parts)),
                seen=str(real),
                expected="a file inside the repository",
                fix="put a copy in the place of the symbolic link",
            )
        return path

    def shown(self, path: Path) -> str:
        """The path as messages show it: from the root, with slashes."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)


def _misnamed(name: str) -> Problem:
    return Problem(
        "the folder's name is no task id",
        Place(f"tasks/{name}"),
        seen=name,
        expected=TASK_ID_WORDS,
        fix="rename the folder",
    )


def is_task_id(text: str) -> bool:
    """Whether the text may be a task's id."""
    return _TASK_ID.fullmatch(text) is not None


def _task_id(text: str) -> str:
    if not is_task_id(text):
        raise UnreadableInput("this is no task id", seen=text or "nothing", expected=TASK_ID_WORDS)
    return text

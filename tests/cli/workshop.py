"""A copy of the shipped task to work in, and the program run on it as people run it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TASK = "us-large-caps-fy2023"
MIRROR = f"sources/stand-ins/{TASK}"
ESCAPE = "\x1b"
# What the machine that runs the tests has set for itself must not reach the program.
_NOT_PASSED_ON = ("CELLWRIGHT_", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "COLUMNS", "LINES", "TTY_")


@dataclass(frozen=True)
class Result:
    """What a run of the program gave."""

    code: int
    out: str
    err: str

    @property
    def sentences(self) -> list[str]:
        """The faults that were told, one a line."""
        return [line.removeprefix("error: ") for line in self.err.splitlines() if line.startswith("error: ")]

    @property
    def json(self) -> Any:
        """The standard output, which must be one JSON value and nothing else."""
        return json.loads(self.out)


def environment(extra: dict[str, str] | None = None) -> dict[str, str]:
    """This environment without what would change what the program says, and `extra`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_NOT_PASSED_ON)}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", **(extra or {})}


def run(
    *arguments: str | Path,
    cwd: Path,
    env: dict[str, str] | None = None,
    before: Callable[[], None] | None = None,
    program: Iterable[str] = ("-m", "cellwright"),
) -> Result:
    """Run the real program to its end; `before` runs in the new process first."""
    command = [sys.executable, *program, *map(str, arguments)]
    done = subprocess.run(
        command, cwd=cwd, env=environment(env), capture_output=True, timeout=300, check=False, preexec_fn=before
    )
    return Result(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


@dataclass(frozen=True)
class Workshop:
    """A repository of its own below a temporary folder, with one task whose sources are captured."""

    root: Path

    @property
    def task(self) -> Path:
        """The folder of the shipped task."""
        return self.root / "tasks" / TASK

    def run(self, *arguments: str | Path, env: dict[str, str] | None = None) -> Result:
        """Run the program in the workshop's root."""
        return run(*arguments, cwd=self.root, env=env)

    def copied_task(self, name: str) -> Path:
        """A second task, the same but for its id, with captures of its own."""
        folder = self.root / "tasks" / name
        shutil.copytree(self.task, folder)
        edit(folder / "task.yaml", f"id: {TASK}", f"id: {name}")
        captures = self.root / "sources" / "captures"
        shutil.copytree(captures / TASK, captures / name)
        return folder


def edit(file: Path, old: str, new: str) -> None:
    """Replace a text that stands in the file once or oftener; one that does not is the test's own fault."""
    text = file.read_text(encoding="utf-8")
    assert old in text, f"{old!r} is not in {file.name}"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def snapshot(folder: Path) -> dict[str, str]:
    """sha256 of every file by its path, what `audit` keeps for itself left out."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".cellwright" not in path.relative_to(folder).parts
    }

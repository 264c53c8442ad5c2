"""A task's folder as records."""

from __future__ import annotations

from pathlib import Path

import pytest

from cellwright.records.errors import UnreadableInput
from cellwright.records.folder import read_folder

TASK = "us-large-caps-fy2023"


def files_of(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((root / "tasks" / TASK).iterdir())}


def test_the_shipped_task_is_read_without_a_problem(root: Path) -> None:
    folder = read_folder(files_of(root), f"tasks/{TASK}")
    assert (len(folder.facts), len(folder.cells), len(folder.sources)) == (236, 64, 11)
    assert folder.problems == ()
    assert folder.warnings == ()


def test_every_file_that_cannot_be_read_is_told_at_once(root: Path) -> None:
    files = files_of(root)
    del files["cells.csv"]
    files["facts.csv"] = b""
    files["sources.csv"] = files["sources.csv"].replace(b"publisher", b"publishr", 1)
    with pytest.raises(UnreadableInput) as raised:
        read_folder(files, f"tasks/{TASK}")
    told = str(raised.value)
    assert all(
        words in told for words in ("cells.csv: the file is missing", "facts.csv:1: the file is empty", "publishr")
    )


def test_a_folder_of_another_name_is_refused(root: Path) -> None:
    with pytest.raises(UnreadableInput, match="not its folder's name"):
        read_folder(files_of(root), "tasks/other")

"""A copy of the repository's data to work in, and the program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TASK = "us-large-caps-fy2023"
Run = Callable[..., str]


def copy_workshop(root: Path, folder: Path) -> Path:
    """What the write side works on: data, settings and pipeline; captures are left to be fetched."""
    for name in ("tasks", "sources", "releases"):
        shutil.copytree(root / name, folder / name)
    shutil.rmtree(folder / "sources" / "captures" / TASK, ignore_errors=True)
    for name in ("params.yaml", "dvc.yaml", ".dvcignore"):
        shutil.copy(root / name, folder / name)
    return folder


def run_program(*arguments: str | Path, cwd: Path, code: int = 0, env: dict[str, str] | None = None) -> str:
    """What the program prints; the exit code must be `code`."""
    command = [sys.executable, "-m", "cellwright", *map(str, arguments)]
    result = subprocess.run(
        command, cwd=cwd, env={**os.environ, **(env or {})}, capture_output=True, text=True, timeout=300, check=False
    )
    assert result.returncode == code, f"{arguments}: {result.stdout[-2000:]}{result.stderr[-2000:]}"
    return result.stdout


@pytest.fixture
def workshop(root: Path, tmp_path: Path) -> Path:
    """A copy of the repository's data with the stand-ins captured."""
    folder = copy_workshop(root, tmp_path / "workshop")
    run_program("capture", TASK, "--mirror", f"sources/stand-ins/{TASK}", cwd=folder)
    return folder

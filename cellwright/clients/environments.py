"""A Python environment of its own made of a pinned file, with uv where it is there, else with venv and pip."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from cellwright.records.errors import Place, WorldFailed, clip

WAIT = 1800
"""Seconds that installing may take."""


def pinned_environment(lock: bytes, folder: Path, python: str = sys.executable) -> Path:
    """An environment in `folder` with exactly what `lock` pins, each file held against its hash; gives its Python.

    Where the files come from is the user's own setting: a mirror cannot give others than those of the hashes.

    Raises WorldFailed where it cannot be installed.
    """
    folder.mkdir(parents=True)
    file = folder / "requirements.lock"
    file.write_bytes(lock)
    target = folder / "venv"
    made = target / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    uv = _uv()
    if uv:
        _run([uv, "venv", "-q", "--no-project", "--python", python, str(target)])
        _run([uv, "pip", "sync", "-q", "--python", str(made), "--require-hashes", str(file)])
    else:
        _run([python, "-m", "venv", str(target)])
        _run(
            [
                str(made),
                "-m",
                "pip",
                "install",
                "-q",
                "--disable-pip-version-check",
                "--require-hashes",
                "-r",
                str(file),
            ]
        )
    return made


def _uv() -> str:
    """uv where it is installed and works: a version manager may put a name there that leads nowhere."""
    found = shutil.which("uv")
    if not found:
        return ""
    try:
        done = subprocess.run([found, "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return found if done.returncode == 0 else ""


def _run(command: Sequence[str]) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    try:
        done = subprocess.run(command, capture_output=True, env=environment, timeout=WAIT, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _failed(str(error)) from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {done.returncode}"]
        raise _failed(lines[-1])


def _failed(seen: str) -> WorldFailed:
    return WorldFailed(
        "the libraries that the pinned file names could not be installed",
        Place("requirements.lock"),
        seen=clip(seen, 200),
        fix="leave `--pinned` out to rebuild with the libraries that are here",
    )

"""Other Pythons of this machine, each with an environment made of the pinned file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from cellwright.clients.environments import pinned_environment
from cellwright.records.errors import WorldFailed
from tests.conftest import ROOT, missing


def python_with_libraries(version: str, folder: Path) -> str:
    """A Python `version` (as 3.13) with the pinned libraries; the running one where it is that. Skips without."""
    if f"{sys.version_info[0]}.{sys.version_info[1]}" == version:
        return sys.executable
    found = next((path for path in _candidates(version) if _says(path) == version), "")
    if not found:
        missing(f"no Python {version} on the path, below `pyenv root` or known to uv")
    try:
        return str(pinned_environment((ROOT / "requirements.lock").read_bytes(), folder / version, found))
    except WorldFailed as error:
        missing(f"the pinned libraries could not be installed for Python {version}: {error}")
        raise


def _candidates(version: str) -> Iterator[str]:
    yield shutil.which(f"python{version}") or ""
    top = _said(["pyenv", "root"])
    if top:
        yield from sorted(str(path) for path in Path(top).glob(f"versions/{version}*/bin/python"))
    yield _said(["uv", "python", "find", version])


def _says(python: str) -> str:
    return _said([python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]) if python else ""


def _said(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=dict(os.environ))
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""

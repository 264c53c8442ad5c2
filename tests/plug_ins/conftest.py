"""Wheels of real distributions, built without any network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.cli.workshop import environment


def built_wheel(folder: Path, out: Path) -> Path:
    """The wheel of the distribution in `folder`."""
    command = [sys.executable, "-m", "build", "-n", "-w", "-o", str(out), str(folder)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return next(out.glob("*.whl"))

"""The floors of the house hold, and the tool that holds them sees a breach."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BREACHES = {
    "records look up": ("records/decimals.py", "import cellwright.documents", "floors"),
    "records touch the disk": ("records/decimals.py", "import pathlib", "pure"),
    "documents tell the time": ("documents/model.py", "import time", "pure"),
    "documents ask the clients": ("documents/model.py", "import cellwright.clients.disk", "floors"),
    "validators ask the clients": ("validators/owners.py", "import cellwright.clients.disk", "floors"),
    "validators go to the network": ("validators/owners.py", "import httpx", "pure"),
    "clients judge": ("clients/disk.py", "import cellwright.validators.owners", "floors"),
    "harness judges": ("harness/__init__.py", "import cellwright.validators.owners", "harness"),
    "harness writes": ("harness/__init__.py", "import cellwright.authoring.settings", "harness"),
    "authoring grades": ("authoring/settings.py", "import cellwright.harness", "floors"),
    "a room nobody planned": ("kitchen.py", "x = 1", "floors"),
}


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-c", code, "--no-cache"],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def copy(root: Path, tmp_path: Path) -> Path:
    shutil.copytree(root / "cellwright", tmp_path / "cellwright", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "pyproject.toml", tmp_path)
    return tmp_path


def test_every_room_imports_only_from_the_floors_below(root: Path) -> None:
    result = lint(root)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("name", sorted(BREACHES))
def test_a_planted_breach_is_told(copy: Path, name: str) -> None:
    file, line, contract = BREACHES[name]
    path = copy / "cellwright" / file
    path.write_text((path.read_text(encoding="utf-8") if path.exists() else "") + f"\n{line}\n", encoding="utf-8")
    result = lint(copy)
    names = {
        "floors": "A room imports only from the floors below it",
        "harness": "The harness reads bundles",
        "pure": "touch no network, disk, clock or environment",
    }
    assert result.returncode == 1, result.stdout
    broken = [text for text in result.stdout.splitlines() if "BROKEN" in text]
    assert any(names[contract] in text for text in broken), result.stdout

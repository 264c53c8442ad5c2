"""`dvc repro` of a repository of many tasks: all of it, one task changed, and nothing changed.

Seconds are processor time of the whole command with its stages, starts and imports included. 100 tasks with
`--all`; 10 without.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.bench.repositories import write_repository
from tests.data_repository import under_dvc

ROOT = Path(__file__).resolve().parents[2]
FEW, MANY = 10, 100


@dataclass(frozen=True)
class Run:
    """One `dvc repro`: processor seconds, and the stages whose commands were run."""

    seconds: float
    ran: tuple[str, ...]


def prepare(root: Path, count: int) -> None:
    """A repository of `count` tasks with the shipped pipeline, under git and DVC, its captures tracked."""
    from cellwright.authoring.captures.tracking import track_captures

    write_repository(root, count)
    shutil.copy(ROOT / "sources" / "registry.csv", root / "sources" / "registry.csv")
    for name in ("dvc.yaml", "params.yaml", ".dvcignore"):
        shutil.copy(ROOT / name, root / name)
    shutil.copytree(ROOT / "releases", root / "releases")
    shutil.copytree(ROOT / "cellwright", root / "cellwright", ignore=shutil.ignore_patterns("__pycache__"))
    under_dvc(root)
    for number in range(count):
        track_captures(root, f"copy-{number}")


def repro(root: Path) -> Run:
    """Run `dvc repro`, which must succeed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "DVC_NO_ANALYTICS": "1", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-m", "dvc", "repro"]
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, cwd=root, env=env, stdout=said, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode("utf-8", "replace")
    assert child.returncode == 0, text
    return Run(used.ru_utime + used.ru_stime, tuple(re.findall(r"Running stage '(\w+)'", text)))


def change(root: Path, number: int) -> None:
    """Change one word of one task."""
    _replace(root, number, "annual reports", f"yearly reports {number}")


def changed_back(root: Path, number: int) -> None:
    """Take that change back."""
    _replace(root, number, f"yearly reports {number}", "annual reports")


def _replace(root: Path, number: int, old: str, new: str) -> None:
    path = root / "tasks" / f"copy-{number}" / "searches.csv"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def measure(root: Path, count: int) -> None:
    """One line: one task changed against all of it."""
    prepare(root, count)
    full = repro(root)
    still = repro(root)
    change(root, count // 2)
    changed = repro(root)
    changed_back(root, count // 2)
    back = repro(root)
    assert (still.ran, back.ran) == ((), ()), "nothing runs where nothing changed, or what was built before is there"
    print(
        f"dvc repro, one task of {count} changed             {changed.seconds / full.seconds * 100:5.1f} %   "
        f"({changed.seconds:.1f} s to {full.seconds:.1f} s; runs {', '.join(changed.ran)}; "
        f"nothing changed: {still.seconds:.1f} s; changed back: {back.seconds:.1f} s)",
        flush=True,
    )


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder) / "repository", MANY if "--all" in sys.argv else FEW)


if __name__ == "__main__":
    main()

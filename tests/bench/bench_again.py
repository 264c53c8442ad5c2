"""The audit through the command line: a second run with one task of 100 changed, and memory with 50 and 500 tasks.

Seconds are processor time of the whole command, start and imports included. Each run is a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.bench.repositories import write_repository

TASKS = 100
ROUNDS = 3
FEW, MANY = 50, 500


@dataclass(frozen=True)
class Run:
    """What one run of the command cost."""

    seconds: float
    megabytes: float


def audit(root: Path, *options: str) -> Run:
    """Run `cellwright audit` on a repository; every task must be admitted."""
    return run(root, "audit", "--format", "json", *options)


def run(root: Path, *arguments: str) -> Run:
    """Run a command on a repository in a process of its own; it must succeed."""
    command = [sys.executable, "-m", "cellwright", *arguments, "--root", str(root)]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, child.returncode
    kilobytes = used.ru_maxrss / 1_000 if sys.platform == "darwin" else used.ru_maxrss
    return Run(used.ru_utime + used.ru_stime, kilobytes / 1_000)


def change(root: Path, number: int) -> None:
    """Change one word of one task."""
    path = root / "tasks" / f"copy-{number}" / "searches.csv"
    text = path.read_text(encoding="utf-8")
    assert "annual reports" in text
    path.write_text(text.replace("annual reports", f"annual reports {number}", 1), encoding="utf-8")


def second_run(root: Path) -> None:
    """One task of many changed, against the full run; the best of several, as a shared machine only adds time."""
    write_repository(root, TASKS)
    full = audit(root, "--no-cache").seconds
    first = audit(root).seconds
    again, unchanged = [], []
    for number in range(ROUNDS):
        change(root, number)
        again.append(audit(root).seconds)
        unchanged.append(audit(root).seconds)
    best, still = min(again), min(unchanged)
    print(
        f"audit again, one task of {TASKS} changed            {best / first * 100:5.1f} %   ({best:.2f} s to "
        f"{first:.1f} s with the cache empty, {full:.1f} s without it; goal ≤ 5 %; nothing changed: {still:.2f} s)",
        flush=True,
    )


def memory(root: Path) -> None:
    """The most memory of an audit of few tasks and of many."""
    write_repository(root / "few", FEW)
    write_repository(root / "many", MANY)
    few, many = audit(root / "few"), audit(root / "many")
    again = audit(root / "many")
    print(
        f"peak memory of an audit of {MANY} tasks to {FEW}         {many.megabytes / few.megabytes:5.2f} ×   "
        f"({many.megabytes:.0f} MB to {few.megabytes:.0f} MB; goal flat; again, nothing changed: "
        f"{again.megabytes:.0f} MB, {again.seconds:.2f} s)",
        flush=True,
    )


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        second_run(Path(folder) / "hundred")
        if "--no-memory" not in sys.argv:
            memory(Path(folder))


if __name__ == "__main__":
    main()

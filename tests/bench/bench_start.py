"""`cellwright --help` against `python -c "import typer"`: what a start costs."""

from __future__ import annotations

import resource
import subprocess
import sys

from tests.bench.measure import tell


def child_seconds(*arguments: str) -> float:
    """Processor time of one run of this Python with these arguments."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Ten interleaved runs of each, the best."""
    pairs = [(child_seconds("-m", "cellwright", "--help"), child_seconds("-c", "import typer")) for _ in range(10)]
    tell("cellwright --help / import typer", min(a for a, _ in pairs), min(b for _, b in pairs), "≤ 1.5 ×")


if __name__ == "__main__":
    main()

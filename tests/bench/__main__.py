"""`make bench`: what Cellwright costs beside the bare library doing the same work, as ratios, from one run.

Each measurement runs in a process of its own, so that its peak memory is its own. Times are the best of several
interleaved rounds: a shared machine only ever adds time.
"""

from __future__ import annotations

import subprocess
import sys

PARTS = (
    "bench_start",
    "bench_documents",
    "bench_locate",
    "bench_audit",
    "bench_again",
    "bench_bundle",
    "bench_repro",
    "bench_capture",
)


def main() -> int:
    """Run every part, or those named; gives 1 when one of them failed to run (never because of a time)."""
    failed = 0
    for part in sys.argv[1:] or PARTS:
        failed |= subprocess.run([sys.executable, "-m", f"tests.bench.{part}"], check=False).returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

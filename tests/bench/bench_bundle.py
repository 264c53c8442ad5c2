"""The bundle of 100 tasks: putting it together against bare Parquet and hashing, and one task of 100 changed.

Seconds are processor time. The bare library writes the same Arrow tables with the same settings, hashes the files,
and digests each table's canonical JSON lines with the standard library, as the bundle's form asks. A harder baseline
hashes the files alone.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from cellwright.authoring.auditing import admitted_tasks
from cellwright.authoring.bundles.bundle import bundle_files
from cellwright.authoring.settings import load_bundle_settings
from cellwright.clients.repository import open_repository
from tests.bench.bench_again import Run, change, run
from tests.bench.repositories import write_repository

TASKS = 100
ROUNDS = 3


def timed(work: Callable[[], object]) -> float:
    """Seconds of processor time that `work` takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def bare_parquet(frames: dict[str, pa.Table]) -> None:
    """The tables as Parquet, each file hashed."""
    for frame in frames.values():
        out = io.BytesIO()
        pq.write_table(
            frame, out, compression="zstd", compression_level=9, version="2.6", use_dictionary=True,
            write_statistics=False, store_schema=False, row_group_size=1_000_000,
        )  # fmt: skip
        hashlib.sha256(out.getvalue()).hexdigest()


def bare_digests(rows: dict[str, list[dict[str, str]]]) -> None:
    """The digest of each table's sorted canonical JSON lines."""
    for table in rows.values():
        lines = sorted(json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":")) for row in table)
        hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def together(root: Path) -> None:
    """From what the tasks bring to the files of the bundle."""
    repository = open_repository(root)
    settings = load_bundle_settings(repository)
    admitted = admitted_tasks(repository, None, cached=True)
    files, _ = bundle_files(admitted, settings)
    frames = {name: pq.read_table(io.BytesIO(data)) for name, data in files.items() if name.endswith(".parquet")}
    rows = {name: frame.to_pylist() for name, frame in frames.items()}
    ours, parquet, digests = [], [], []
    for _ in range(ROUNDS):
        ours.append(timed(lambda: bundle_files(admitted, settings)))
        parquet.append(timed(lambda: bare_parquet(frames)))
        digests.append(timed(lambda: bare_digests(rows)))
    best, bare, hard = min(ours), min(parquet) + min(digests), min(parquet)
    print(
        f"bundle of {TASKS} tasks to bare Parquet and hashing    {best / bare:5.2f} ×   ({best:.2f} s to {bare:.2f} s; "
        f"goal ≤ 2; {best / hard:.2f} × where the files alone are hashed, {hard:.2f} s)",
        flush=True,
    )


def rebuilt(root: Path) -> None:
    """Through the command line: everything, then with one task of many changed, then with nothing changed."""

    def bundle(*options: str) -> Run:
        return run(root, "bundle", "--out", str(root / "build" / "bundle"), *options)

    full = bundle("--no-cache").seconds
    first = bundle().seconds
    again, still = [], []
    for number in range(ROUNDS):
        change(root, number)
        again.append(bundle().seconds)
        still.append(bundle().seconds)
    part = min(again) / full * 100
    print(
        f"bundle again, one task of {TASKS} changed            {part:5.1f} %   ({min(again):.2f} s to {full:.1f} s; "
        f"goal ≤ 10 %; nothing changed: {min(still):.2f} s; the first time, with keeping: {first:.1f} s)",
        flush=True,
    )


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "hundred"
        write_repository(root, TASKS)
        rebuilt(root)
        together(root)


if __name__ == "__main__":
    sys.exit(main())

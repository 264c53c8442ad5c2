"""`release diff` of two bundles of 100 tasks, against pyarrow reading the same files and comparing their rows.

Seconds are processor time of the whole process, start and imports included, on both sides. Of the 100 tasks ten
have a corrected fact, whose cells and dependents are evaluated anew; one left and one joined.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from cellwright.authoring.bundles.parquet import parquet_bytes
from cellwright.authoring.bundles.tables import TaskContent, bundle_tables
from cellwright.records.bundle import SCHEMA, Rows, table_digest
from cellwright.records.rows import Fact
from cellwright.records.tables import write_table
from cellwright.validators.context import AuditContext
from cellwright.validators.profiles import Profile, read_profile
from cellwright.validators.thresholds import Thresholds
from tests.bench.task_copies import Copy, copies
from tests.conftest import ROOT

TASKS = 100
CORRECTED = range(0, TASKS, 10)
GONE = 5
ROUNDS = 5
BARE = """
import sys
import pyarrow.parquet as pq

names = ("tasks", "entities", "dimensions", "cells", "sources", "facts", "steps", "near_misses", "changes")
keys = {"cells": 3, "steps": 5, "near_misses": 4, "tasks": 1}
unlike = 0
for name in names:
    sides = []
    for folder in sys.argv[1:]:
        columns = [column.to_pylist() for column in pq.read_table(f"{folder}/{name}.parquet").columns]
        sides.append({row[: keys.get(name, 2)]: row for row in zip(*columns)})
    unlike += sum(sides[0].get(key) != sides[1].get(key) for key in sides[0].keys() | sides[1].keys())
assert unlike > 100, unlike
"""


def content(copy: Copy, profile: Profile) -> TaskContent:
    """A copy with its replayed answers."""
    given = copy.input(profile)
    return TaskContent(given.folder, AuditContext(given.folder, given.evidence, profile, Thresholds()).answers)


def corrected(copy: Copy) -> Copy:
    """The copy with the revenue of one company read anew."""
    rows = list(csv.DictReader(io.StringIO(copy.files["facts.csv"].decode())))
    for row in rows:
        if row["id"].startswith("a.revenue.fy2023"):
            value = int(row["value"]) // 1_000_000 + 1_234
            row |= {"value": f"{value}000000", "as_written": f"{value:,}"}
    table = write_table(rows, Fact.columns())
    assert table != copy.files["facts.csv"]
    return replace(copy, files={**copy.files, "facts.csv": table})


def write_bundle(folder: Path, tables: dict[str, Rows], version: str) -> None:
    """The tables as a bundle that can be opened."""
    folder.mkdir()
    files = {f"{name}.parquet": parquet_bytes(name, rows) for name, rows in tables.items()}
    cells = "".join(f"{row['digest']}\n" for row in tables["cells"])
    manifest = {
        "name": "bench",
        "version": version,
        "schema": SCHEMA,
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
        "tables": {name: table_digest(rows) for name, rows in tables.items()},
        "cells": {"digest": hashlib.sha256(cells.encode()).hexdigest()},
        "advisories": [],
    }
    for name, data in {**files, "bundle.json": json.dumps(manifest).encode()}.items():
        (folder / name).write_bytes(data)


def write_both(folder: Path) -> tuple[Path, Path]:
    """Both bundles, evaluated by the engine as `bundle` would."""
    profile = read_profile((ROOT / "cellwright/validators/profiles/deepweb-8x8.yaml").read_bytes(), "deepweb-8x8.yaml")
    made = list(copies(TASKS + 1))
    old = [content(copy, profile) for copy in made[:TASKS]]
    new = [content(corrected(copy), profile) if at in CORRECTED else old[at] for at, copy in enumerate(made[:TASKS])]
    del new[GONE]
    new.append(content(made[TASKS], profile))
    write_bundle(folder / "old", bundle_tables(old), "1.0.0")
    write_bundle(folder / "new", bundle_tables(new), "1.1.0")
    return folder / "old", folder / "new"


def seconds(*arguments: str | Path) -> float:
    """Processor seconds of a Python process that must end well."""
    child = subprocess.Popen([sys.executable, *map(str, arguments)], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, child.returncode
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        pair = write_both(Path(name))
        best = {"text": float("inf"), "json": float("inf"), "bare": float("inf")}
        for _ in range(ROUNDS):
            for form in ("text", "json"):
                command = ("-m", "cellwright", "release", "diff", *pair, "--format", form)
                best[form] = min(best[form], seconds(*command))
            best["bare"] = min(best["bare"], seconds("-c", BARE, *pair))
    print(
        f"release diff of two bundles of {TASKS} tasks           {best['text'] / best['bare']:6.2f} ×   "
        f"({best['text']:.2f} s of CPU, as JSON {best['json']:.2f} s, to {best['bare']:.2f} s of reading and comparing "
        f"rows; goal ≤ 2 s)",
        flush=True,
    )


if __name__ == "__main__":
    main()

"""`contribute accept --yes`: a contribution put in its place, the task's folder last and in one rename.

The order makes it all or nothing: captures first, which harm nobody, then the lines that tell of them, then the
folder. A kill before the rename leaves no task, and the next run goes over the same bytes.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cellwright.authoring.captures.lock import capture_lock
from cellwright.authoring.captures.tracking import track_captures
from cellwright.authoring.contributions.recapture import Plan
from cellwright.clients.disk import write_atomic
from cellwright.clients.folders import replace_folder
from cellwright.clients.repository import Repository
from cellwright.clients.warc import read_capture
from cellwright.records.contribution import CAPTURES
from cellwright.records.errors import NotSettled, Place, UnreadableInput
from cellwright.records.fields import write_field
from cellwright.records.repository_rows import CaptureRow
from cellwright.records.tables import read_table, write_table

MARK = "task.yaml"
MOST_LINES = 200
"""Lines of differences that are shown."""
MOST_COMPARED = 10_000
"""Lines of a file, before and after, up to which its differences are worked out."""


@dataclass(frozen=True)
class Placed:
    """What was put in place: captures that are new here, and DVC's pointer where the repository has DVC."""

    captures: int
    pointer: str


def place(repository: Repository, plan: Plan, *, replace: bool) -> Placed:
    """Puts the plan's task in place. Raises NotSettled where the task has come to be there meanwhile or something
    speaks against the plan, DiskFailed where writing fails, WorldFailed where DVC does."""
    if plan.refusals:
        raise NotSettled(plan.refusals)
    task = repository.task_path(plan.task)
    with capture_lock(repository):
        if task.exists() and not replace:
            raise NotSettled("a task of this id is there", Place(repository.shown(task)), fix="`--replace`")
        added = sum(_put_capture(repository, plan, name) for name in sorted({row.sha256 for row in plan.rows}))
        lines = merged_lines(repository.sources_file(CAPTURES), plan.rows)
        write_atomic(repository.sources_path(CAPTURES), lines)
        replace_folder(task, plan.files, mark=MARK)
        tracked = track_captures(repository.root, plan.task)
    return Placed(added, tracked.pointer if tracked is not None else "")


def _put_capture(repository: Repository, plan: Plan, name: str) -> bool:
    """Whether the capture was not here. Raises UnreadableInput where other bytes stand in its place."""
    path = repository.capture_path(plan.task, name)
    held = repository.capture_bytes(plan.task, name)
    if held is not None:
        if read_capture(held, file=repository.shown(path)).sha256 != name:
            raise UnreadableInput("the capture does not hold what its name says", Place(repository.shown(path)))
        return False
    data = plan.capture_of(name)
    if data is None or read_capture(data, file=repository.shown(path)).sha256 != name:
        # A folder that was handed in may change while it is looked at.
        raise UnreadableInput("the capture is not the one checked", Place(repository.shown(path)), fix="run it again")
    write_atomic(path, data)
    return True


def merged_lines(data: bytes | None, rows: Iterable[CaptureRow]) -> bytes:
    """`captures.csv` with the rows added that it lacks, in its order; lines that are there stay as they are."""
    table = read_table(data, CaptureRow.table, f"sources/{CAPTURES}") if data else None
    # A column that the file lacks gets what its absence meant, as `capture` does it.
    columns = table.columns if table else CaptureRow.columns()
    lacking = tuple(name for name in CaptureRow.columns() if name not in columns)
    meant = {name: write_field(CaptureRow.model_fields[name].get_default()) for name in lacking}
    known = [{**meant, **row} for row in (table.rows if table else ())]
    present = {(row["task"], row["source"], row["sha256"]) for row in known}
    new = [row.texts() for row in rows if (row.task, row.source, row.sha256) not in present]
    columns += lacking
    merged = [*known, *new]
    if not any(row.get("superseded_by") for row in merged) and not (table and "superseded_by" in table.columns):
        columns = tuple(name for name in columns if name != "superseded_by")
    order = ("task", "source", "fetched", "sha256")
    return write_table(sorted(merged, key=lambda row: tuple(row.get(name, "") for name in order)), columns)


def differences(repository: Repository, task: str, files: Mapping[str, bytes]) -> list[str]:
    """What would change in a task that is there, as lines of a unified difference; none where it is not there."""
    if not repository.task_path(task).exists():
        return []
    old = repository.task_folder(task)
    told: list[str] = []
    for name in sorted({*old, *files}):
        before, after = (_lines(found.get(name)) for found in (old, files))
        to = name if name in files else "removed"
        if len(before) + len(after) > MOST_COMPARED:
            told.append(f"{name}: {len(before)} lines, then {len(after)}: too many to show what differs")
            continue
        told += difflib.unified_diff(before, after, name if name in old else "new", to, n=0, lineterm="")
    if len(told) > MOST_LINES:
        return [*told[:MOST_LINES], f"… and {len(told) - MOST_LINES} more lines"]
    return told


def _lines(data: bytes | None) -> list[str]:
    return data.decode("utf-8", "replace").splitlines() if data is not None else []

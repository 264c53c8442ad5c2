"""`contribute pack`: a task with its captures in one file, the same bytes each time, that others can check."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from cellwright import __version__
from cellwright.authoring.auditing import audit_tasks
from cellwright.authoring.loading import load_owners, load_readable_task
from cellwright.clients.repository import Repository
from cellwright.clients.warc import read_capture
from cellwright.clients.zip_layout import write_container
from cellwright.records.contribution import (
    CAPTURES,
    MANIFEST,
    MAX_MEMBER,
    MAX_MEMBERS,
    MAX_TOTAL,
    PROFILES_FOLDER,
    REGISTRY,
    SCHEMA,
    TASK_FOLDER,
    Manifest,
    PackedFile,
)
from cellwright.records.errors import NotSettled, Place, Problem, UnreadableInput
from cellwright.records.folder import TaskFolder
from cellwright.records.names import company_key
from cellwright.records.repository_rows import CaptureRow, RegistryRow
from cellwright.records.tables import Table, read_table, records_of, write_table
from cellwright.validators.contributions.captures import capture_file
from cellwright.validators.contributions.names import is_known


@dataclass(frozen=True)
class Packed:
    """The file's bytes, what is in it, and what was left out; `findings` counts errors and warnings of the audit."""

    data: bytes
    manifest: Manifest
    left_out: tuple[str, ...]
    findings: tuple[int, int]
    stand_ins: int


def pack(repository: Repository, task: str, *, draft: bool = False, day: date | None = None) -> Packed:
    """The contribution of a task.

    Raises NotSettled where the task is not admitted and no `draft` is meant, or where captures are missing or are not
    what they are named, each told; UnreadableInput for what cannot be read.
    """
    folder = load_readable_task(repository, task)
    table, rows = _capture_rows(repository, task)
    names = sorted({row.sha256 for row in rows})
    captures, stand_ins = _captures(repository, folder, names, draft)
    audit = audit_tasks(repository, [task], draft=draft, day=day).audit.tasks[0]
    errors = sum(item.severity == "error" and not item.waived for item in audit.findings)
    if not draft and not audit.admitted:
        failed = ", ".join(name.value for name, state in audit.conditions.items() if state != "met")
        raise NotSettled(
            "the task is not admitted, and a contribution has to be",
            Place(f"tasks/{task}"),
            seen=f"{failed}: {errors} error{'s' if errors != 1 else ''}",
            expected="five conditions met",
            fix=f"`cellwright audit {task}` tells what to mend; `--draft` packs it as a draft to talk about",
        )
    files, left_out = _task_files(repository, folder)
    files[CAPTURES] = _lines(table, rows)
    files |= {capture_file(name): data for name, data in captures.items()}
    files |= _proposed(repository, folder)
    _check_size(files)
    manifest = Manifest(
        schema_=SCHEMA,
        tool=f"cellwright {__version__}",
        task=task,
        admitted=audit.admitted,
        files=tuple(
            PackedFile(file=name, bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
            for name, data in sorted(files.items())
        ),
        pins={source.id: source.capture for source in sorted(folder.sources, key=lambda one: one.id) if source.capture},
    )
    files[MANIFEST] = manifest.as_bytes()
    warnings = sum(item.severity == "warning" and not item.waived for item in audit.findings)
    return Packed(write_container(files), manifest, left_out, (errors, warnings), stand_ins)


def _capture_rows(repository: Repository, task: str) -> tuple[Table | None, tuple[CaptureRow, ...]]:
    data = repository.sources_file(CAPTURES)
    if data is None:
        return None, ()
    table = read_table(data, CaptureRow.table, f"sources/{CAPTURES}")
    records = records_of(table, CaptureRow)
    mine = tuple(row for row in records.rows if row.task == task and row.sha256)
    if problems := [item for item in records.problems if item.place.record.startswith(f"{task}/")]:
        raise UnreadableInput(problems)
    return table, mine


def _lines(table: Table | None, rows: Iterable[CaptureRow]) -> bytes:
    """The task's lines of `captures.csv`, as the model writes them."""
    columns = CaptureRow.columns()
    if table is None or "superseded_by" not in table.columns:
        columns = tuple(name for name in columns if name != "superseded_by")
    return write_table([row.texts() for row in rows], columns)


def _captures(
    repository: Repository, folder: TaskFolder, names: Iterable[str], draft: bool
) -> tuple[dict[str, bytes], int]:
    """Each capture by its name, and how many are stand-ins."""
    task = folder.task.id
    fix = f"`dvc pull` brings captures that others made, `cellwright capture {task}` fetches them"
    problems = []
    found: dict[str, bytes] = {}
    stand_ins = 0
    for name in names:
        data = repository.capture_bytes(task, name)
        place = Place(repository.shown(repository.capture_path(task, name)))
        if data is None:
            problems.append(Problem("the capture is not here", place, fix=fix))
            continue
        capture = read_capture(data, file=place.file)
        if capture.sha256 != name:
            problems.append(
                Problem("the capture does not hold what its name says", place, seen=capture.sha256, fix=fix)
            )
        stand_ins += capture.via == "stand-in"
        found[name] = data
    for source in folder.sources:
        place = folder.place(source, "capture")
        if not source.capture and not draft:
            problems.append(Problem("the source has no capture", place, fix=fix))
        elif source.capture and source.capture not in found:
            told = "captures.csv does not tell of the capture that the source is pinned to"
            problems.append(Problem(told, place, seen=source.capture, fix=fix))
    if problems:
        raise NotSettled(problems)
    return found, stand_ins


def _task_files(repository: Repository, folder: TaskFolder) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """The files of the task's folder, and the names of those that no contribution has."""
    files = {f"{TASK_FOLDER}{name}": data for name, data in repository.task_folder(folder.task.id).items()}
    known = {name: data for name, data in files.items() if is_known(name)}
    return known, tuple(sorted(name.removeprefix(TASK_FOLDER) for name in files.keys() - known.keys()))


def _proposed(repository: Repository, folder: TaskFolder) -> dict[str, bytes]:
    """What the task rests on of the repository itself: lines of the registry for its publishers, its own profile."""
    publishers = {company_key(source.publisher) for source in folder.sources}
    rows = [row for row in load_owners(repository) if company_key(row.publisher) in publishers]
    files = {REGISTRY: write_table([row.texts() for row in rows], RegistryRow.columns())} if rows else {}
    profile = repository.file("profiles", f"{folder.task.profile}.yaml")
    if profile is not None:
        files[f"{PROFILES_FOLDER}{folder.task.profile}.yaml"] = profile
    return files


def _check_size(files: dict[str, bytes]) -> None:
    total = sum(map(len, files.values()))
    largest = max(files, key=lambda name: len(files[name]))
    if total > MAX_TOTAL or len(files) > MAX_MEMBERS or len(files[largest]) > MAX_MEMBER:
        raise NotSettled(
            "the task is too large for one contribution",
            seen=f"{len(files)} files, {total} bytes, the largest {largest}",
            expected=f"at most {MAX_MEMBERS} files, {MAX_TOTAL} bytes, {MAX_MEMBER} in one",
        )

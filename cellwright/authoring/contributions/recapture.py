"""`contribute accept --recapture`: every source of a contribution fetched again, and what became of its figures.

What others captured is not taken on trust: the documents are fetched into a folder of their own, compared with those
handed in, and the facts are looked for in ours. Nothing is written into the repository here.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Literal

from cellwright.authoring.auditing import audit_tasks
from cellwright.authoring.captures.arrival import text_sha256, typed
from cellwright.authoring.captures.book import CaptureBook
from cellwright.authoring.captures.capture import CaptureSummary, SourceOutcome, capture_task
from cellwright.authoring.captures.command import text_of
from cellwright.authoring.captures.drifting import HELD, Step, TaskDrift, task_drift
from cellwright.authoring.captures.fetching import Fetcher
from cellwright.authoring.contributions.guest import GuestRepository
from cellwright.authoring.contributions.reading import Contribution
from cellwright.clients.disk import write_all_atomic
from cellwright.clients.repository import Repository
from cellwright.clients.warc import read_capture
from cellwright.records.errors import CellwrightError, Place, Problem, UnreadableInput
from cellwright.records.findings import TaskAudit
from cellwright.records.folder import TaskFolder, read_folder
from cellwright.records.repository_rows import CaptureRow
from cellwright.records.rows import Source
from cellwright.records.suggest import did_you_mean
from cellwright.records.tables import read_records, read_table, updated_table, write_table
from cellwright.validators.contributions.captures import capture_file

Progress = Callable[[int, int, str], None]
Became = Literal["same", "same text", "changed", "unreachable"]
SOURCES = "sources.csv"


@dataclass(frozen=True)
class Recaptured:
    """What became of one source: `theirs` is the capture handed in, `ours` the one fetched now ("" where none came).

    `holds` tells whether each fact of it is the same or has only moved; `trusted` that a person takes the capture
    handed in all the same, which is then pinned.
    """

    source: str
    became: Became
    theirs: str
    ours: str = ""
    note: str = ""
    holds: bool = True
    trusted: bool = False

    @property
    def good(self) -> bool:
        """Whether nothing speaks against it."""
        return self.became in ("same", "same text") or (self.became == "changed" and self.holds) or self.trusted

    @property
    def pin(self) -> str:
        """The capture that is pinned: ours, unless it lacks what the task says and a person trusts theirs."""
        return self.ours if self.ours and self.holds else self.theirs


@dataclass(frozen=True)
class Plan:
    """What would be put in place: the task's files, its captures and their lines; `refusals` keep it from being done.

    `left` counts sources that were not come to because a person stopped it.
    """

    task: str
    sources: tuple[Recaptured, ...]
    drift: TaskDrift
    files: dict[str, bytes]
    rows: tuple[CaptureRow, ...]
    capture_of: Callable[[str], bytes | None] = field(repr=False)
    audit: TaskAudit | None = None
    refusals: tuple[Problem, ...] = ()
    left: int = 0


@contextmanager
def recaptured(
    repository: Repository,
    found: Contribution,
    fetcher: Fetcher,
    *,
    trusted: Collection[str] = (),
    draft: bool = False,
    day: date | None = None,
    progress: Progress | None = None,
) -> Iterator[Plan]:
    """The plan of accepting a contribution that was checked and whose container is open; it holds in the block.

    Raises UnreadableInput for a trusted source that is not there, DiskFailed where the documents cannot be kept.
    """
    assert found.folder is not None
    _known(found.folder, trusted)
    with tempfile.TemporaryDirectory(prefix="cellwright-contribution-") as folder:
        staging = _staging(Path(folder), found)
        summary = capture_task(staging, found.task, fetcher=fetcher, text_of=text_of, progress=progress)
        yield _plan(repository, staging, found, found.folder, summary, trusted, draft, day)


def _known(folder: TaskFolder, trusted: Collection[str]) -> None:
    for name in trusted:
        if name not in folder.source_by_id:
            raise UnreadableInput(
                f"the contribution has no source `{name}`",
                Place("task/sources.csv"),
                seen=name,
                expected="the id of a source",
                fix=did_you_mean(name, folder.source_by_id).strip(),
            )


def _staging(folder: Path, found: Contribution) -> Repository:
    """A repository that holds the task and none of its captures, its sources pinned to nothing."""
    staging = Repository(folder.resolve())
    table = read_table(found.task_files[SOURCES], Source.table, SOURCES)
    bare = updated_table(table, {line: {"capture": ""} for line in table.lines})
    files = {**found.task_files, SOURCES: bare}
    staging.sources_path("captures").mkdir(parents=True)
    write_all_atomic({staging.task_path(found.task, name): data for name, data in files.items()})
    return staging


def _plan(
    repository: Repository,
    staging: Repository,
    found: Contribution,
    folder: TaskFolder,
    summary: CaptureSummary,
    trusted: Collection[str],
    draft: bool,
    day: date | None,
) -> Plan:
    def capture_of(sha256: str) -> bytes | None:
        mine = staging.capture_bytes(found.task, sha256)
        if mine is not None or capture_file(sha256) not in found.container.sizes:
            return mine
        return found.container.read(capture_file(sha256))

    book = CaptureBook(staging, found.task)
    compared = [_compared(found, folder, book, outcome) for outcome in summary.outcomes]
    both = GuestRepository(repository.root, guest=found.task, files=found.task_files, capture_of=capture_of)
    steps = [Step(one.source, one.theirs, one.ours) for one in compared if one.became == "changed"]
    drift = task_drift(both, folder, steps)
    lost = {item.fact.source for item in drift.facts if item.drift.status not in HELD}
    sources = tuple(replace(one, holds=one.source not in lost, trusted=one.source in trusted) for one in compared)
    refusals = [problem for one in sources if (problem := _refusal(found.task, one, drift)) is not None]
    if summary.left:
        return Plan(found.task, sources, drift, {}, (), capture_of, None, tuple(refusals), summary.left)
    files = _files(staging, found, folder, sources)
    rows = _rows(found, folder, book, sources)
    audit = None
    if not refusals:
        guest = replace(
            both,
            files=files,
            captures=tuple(sorted({row.sha256 for row in rows})),
            captures_csv=write_table([row.texts() for row in rows], CaptureRow.columns()),
        )
        audit = audit_tasks(guest, [found.task], draft=draft, day=day).audit.tasks[0]
        if not audit.passed:
            refusals.append(_not_admitted(found.task, audit))
    return Plan(found.task, sources, drift, files, rows, capture_of, audit, tuple(refusals))


def _compared(found: Contribution, folder: TaskFolder, book: CaptureBook, outcome: SourceOutcome) -> Recaptured:
    source = folder.source_by_id[outcome.source]
    if outcome.action == "failed":
        note = f"{outcome.status}: {outcome.note}" if outcome.status else outcome.note
        return Recaptured(source.id, "unreachable", source.capture, note=note)
    if outcome.sha256 == source.capture:
        return Recaptured(source.id, "same", source.capture, outcome.sha256)
    ours = next(row.text_sha256 for row in book.captures_of(source.id) if row.sha256 == outcome.sha256)
    same_text = bool(ours) and ours == _their_text(found, source, source.capture)
    return Recaptured(source.id, "same text" if same_text else "changed", source.capture, outcome.sha256)


def _their_text(found: Contribution, source: Source, sha256: str) -> str:
    """The digest of the text of a capture handed in, read here: what their table says of it is not looked at."""
    try:
        capture = read_capture(found.container.read(capture_file(sha256)), file=source.id)
    except (CellwrightError, KeyError):
        return ""
    kind = typed(source.media_type or capture.media_type, capture.charset)
    return text_sha256(text_of, capture.body, kind)[0]


def _refusal(task: str, one: Recaptured, drift: TaskDrift) -> Problem | None:
    """Why a source keeps the contribution out, and what a person can say to take it all the same."""
    if one.good:
        return None
    place = Place(f"tasks/{task}/{SOURCES}", record=one.source)
    fix = f"ask the contributor; `--trust {one.source}` takes the capture that was handed in"
    if one.became == "unreachable":
        return Problem("the source could not be fetched again", place, seen=one.note, fix=fix)
    lost = [item for item in drift.facts if item.fact.source == one.source and item.drift.status not in HELD]
    first = lost[0]
    became = f"{first.drift.old} → {first.drift.new}" if first.drift.new else first.drift.why
    seen = f"{first.fact.id} {first.drift.status}: {became}"
    more = f" and {len(lost) - 1} more" if lost[1:] else ""
    return Problem(
        "the published document does not say what the contribution reads from it", place, seen + more, fix=fix
    )


def _not_admitted(task: str, audit: TaskAudit) -> Problem:
    failed = ", ".join(name.value for name, state in audit.conditions.items() if state != "met")
    return Problem(
        "with the documents fetched now, the audit does not admit the task",
        Place(f"tasks/{task}"),
        seen=failed,
        expected="five conditions met",
        fix="the audit's findings tell what to mend; `--draft` accepts it as a draft",
    )


def _files(
    staging: Repository, found: Contribution, folder: TaskFolder, sources: Sequence[Recaptured]
) -> dict[str, bytes]:
    """The task's files as they will stand: the pins are ours, media types filled where they were empty."""
    data = staging.task_folder(found.task)[SOURCES]
    table = read_table(data, Source.table, SOURCES)
    lines = {row.id: row.line for row in read_records(data, Source, SOURCES).rows}
    pins = {lines[one.source]: {"capture": one.pin} for one in sources}
    files = {**found.task_files, SOURCES: updated_table(table, pins)}
    read_folder(files, f"tasks/{found.task}")  # What is put in place can be read: raises UnreadableInput.
    return dict(sorted(files.items()))


def _rows(
    found: Contribution, folder: TaskFolder, book: CaptureBook, sources: Sequence[Recaptured]
) -> tuple[CaptureRow, ...]:
    """The lines of the captures that will be kept: ours, and those handed in of sources that a person trusts."""
    rows: dict[tuple[str, str], CaptureRow] = {}
    for one in sources:
        for row in book.captures_of(one.source):
            rows[row.source, row.sha256] = row
        for row in found.rows if one.pin != one.ours else ():
            if row.source == one.source:
                text = _their_text(found, folder.source_by_id[one.source], row.sha256)
                rows.setdefault((row.source, row.sha256), row.model_copy(update={"text_sha256": text}))
    return tuple(rows[key] for key in sorted(rows))

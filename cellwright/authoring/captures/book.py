"""What is known of a task's captures: `sources/captures.csv` and the pins in the task's `sources.csv`.

Changes are gathered and written at the end, both tables together. They are laid over the files as they are at
that moment, so that a person's edit in between is kept. Rows of captures are only ever added.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from cellwright.clients.disk import write_all_atomic
from cellwright.clients.repository import Repository
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.fields import write_field
from cellwright.records.repository_rows import CaptureRow
from cellwright.records.rows import Source
from cellwright.records.suggest import did_you_mean
from cellwright.records.tables import Table, read_records, read_table, records_of, updated_table, write_table

CAPTURES = "captures.csv"
SOURCES = "sources.csv"


class CaptureBook:
    """The sources of a task and the captures known of them. Raises UnreadableInput where a table is at fault."""

    def __init__(self, repository: Repository, task: str) -> None:
        self.repository = repository
        self.task = task
        self._sources_file = f"tasks/{task}/{SOURCES}"
        self.sources = read_records(self._sources_bytes(), Source, self._sources_file).rows
        rows = [row for row in _capture_rows(self._captures_table()) if row.task == task]
        self._captures: dict[str, dict[str, CaptureRow]] = {}
        for row in rows:
            if row.sha256:
                self._captures.setdefault(row.source, {}).setdefault(row.sha256, row)
        self._in_vain = {row.source: row for row in rows if not row.sha256}
        self._tried: dict[str, CaptureRow | None] = {}
        self._added: list[CaptureRow] = []
        self._marks: dict[tuple[str, str], str] = {}
        self._changes: dict[str, dict[str, str]] = {}

    def chosen(self, names: Sequence[str] | None) -> tuple[Source, ...]:
        """The sources by these ids in the file's order, all where none are named; raises UnreadableInput for others."""
        if names is None:
            return self.sources
        known = {source.id for source in self.sources}
        for name in names:
            if name not in known:
                raise UnreadableInput(
                    f"the task has no source `{name}`",
                    Place(self._sources_file),
                    seen=name,
                    expected="the id of a source in this file",
                    fix=did_you_mean(name, known).strip(),
                )
        wanted = set(names)
        return tuple(source for source in self.sources if source.id in wanted)

    def captures_of(self, source: str) -> tuple[CaptureRow, ...]:
        """The captures known of a source, oldest first."""
        return tuple(sorted(self._captures.get(source, {}).values(), key=lambda row: (row.fetched, row.sha256)))

    def pin_of(self, source: Source) -> str:
        """The capture that a source is pinned to, "" where it is not."""
        return self._changes.get(source.id, {}).get("capture", source.capture)

    def known_names(self) -> frozenset[str]:
        """The sha256 of every capture of the task that a row tells of."""
        return frozenset(sha256 for known in self._captures.values() for sha256 in known)

    def figures_of(self) -> dict[str, tuple[str, ...]]:
        """The figures that the task's facts read from each source, as printed; none where the facts cannot be read:
        that is another command's to tell."""
        data = self.repository.task_folder(self.task).get("facts.csv")
        found: dict[str, list[str]] = {}
        with suppress(UnreadableInput):
            for row in read_table(data, "facts", "facts.csv").rows if data else ():
                if row.get("source") and row.get("as_written"):
                    found.setdefault(row["source"].strip(), []).append(row["as_written"])
        return {source: tuple(figures) for source, figures in found.items()}

    def is_here(self, sha256: str) -> bool:
        """Whether the capture's file is in the repository."""
        return self.repository.capture_path(self.task, sha256).exists()

    def add(self, row: CaptureRow) -> None:
        """Takes a capture up, unless it is known already; what is told of an attempt in vain before goes."""
        known = self._captures.setdefault(row.source, {})
        if row.sha256 not in known:
            known[row.sha256] = row
            self._added.append(row)
        if self._tried.get(row.source) or row.source in self._in_vain:
            self._tried[row.source] = None

    def add_attempt(self, row: CaptureRow) -> None:
        """Tells that a source was asked for and no new document came: a row without `sha256`."""
        self._tried[row.source] = row

    def fill(self, source: Source, sha256: str, media_type: str) -> None:
        """Fills the pin and the media type where they are empty."""
        if not self.pin_of(source):
            self.move_pin(source, sha256)
        if media_type and not source.media_type:
            self._changes.setdefault(source.id, {}).setdefault("media_type", media_type)

    def move_pin(self, source: Source, sha256: str) -> None:
        """Pins the source to a capture."""
        self._changes.setdefault(source.id, {})["capture"] = sha256

    def mark_superseded(self, source: Source, sha256: str) -> None:
        """Marks the source's captures before `sha256`, and its pin, as superseded by it; `sha256` itself is not."""
        rows = self.captures_of(source.id)
        fetched = next((row.fetched for row in rows if row.sha256 == sha256), "")
        for row in rows:
            if row.sha256 == sha256:
                self._marks[source.id, sha256] = ""
            elif row.sha256 == source.capture or (row.fetched < fetched and not row.superseded_by):
                self._marks[source.id, row.sha256] = sha256

    def save(self) -> tuple[str, ...]:
        """Writes what changed; gives the names of the files written. Raises DiskFailed, both files as they were."""
        old_sources = self._sources_bytes()
        old_captures = self.repository.sources_file(CAPTURES)
        files = {}
        if self._changes and (sources := self._changed_sources(old_sources)) != old_sources:
            files[self.repository.task_path(self.task, SOURCES)] = sources
        if self._added or self._tried or self._marks:
            captures = self._changed_captures(old_captures)
            if captures != old_captures:
                files[self.repository.sources_path(CAPTURES)] = captures
        write_all_atomic(files)
        self._added.clear()
        self._tried.clear()
        self._marks.clear()
        return tuple(self.repository.shown(path) for path in files)

    def _changed_sources(self, data: bytes) -> bytes:
        table = read_table(data, Source.table, self._sources_file)
        records = records_of(table, Source).rows
        changes = {source.line: self._changes[source.id] for source in records if source.id in self._changes}
        return updated_table(table, changes)

    def _changed_captures(self, data: bytes | None) -> bytes:
        table = self._captures_table() if data else None
        known = table.columns if table else CaptureRow.columns()
        columns = known + tuple(name for name in CaptureRow.columns() if name not in known)
        # A column that the file lacked gets what its absence meant: an empty `via` could not be read back.
        meant = {name: write_field(CaptureRow.model_fields[name].get_default()) for name in columns[len(known) :]}
        replaced = {(self.task, source, "") for source in self._tried}
        rows = [
            {**meant, **row}
            for row in (table.rows if table else ())
            if (row["task"], row["source"], row["sha256"]) not in replaced
        ]
        present = {(row["task"], row["source"], row["sha256"]) for row in rows}
        rows += [row.texts() for row in self._added if (row.task, row.source, row.sha256) not in present]
        rows += [row.texts() for row in self._tried.values() if row is not None]
        for row in rows:
            if row["task"] == self.task and (mark := self._marks.get((row["source"], row["sha256"]))) is not None:
                row["superseded_by"] = mark
        if not any(row.get("superseded_by") for row in rows) and not (table and "superseded_by" in table.columns):
            columns = tuple(name for name in columns if name != "superseded_by")
        order = ("task", "source", "fetched", "sha256")
        return write_table(sorted(rows, key=lambda row: tuple(row.get(name, "") for name in order)), columns)

    def _sources_bytes(self) -> bytes:
        files = self.repository.task_folder(self.task)
        if SOURCES not in files:
            raise UnreadableInput(
                "the file is missing", Place(self._sources_file), fix="`cellwright new` writes one to start from"
            )
        return files[SOURCES]

    def _captures_table(self) -> Table | None:
        data = self.repository.sources_file(CAPTURES)
        return read_table(data, CaptureRow.table, f"sources/{CAPTURES}") if data is not None else None


def _capture_rows(table: Table | None) -> tuple[CaptureRow, ...]:
    if table is None:
        return ()
    records = records_of(table, CaptureRow)
    if records.problems:
        raise UnreadableInput(records.problems)
    return records.rows

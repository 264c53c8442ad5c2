"""A task with its evidence, from the repository: what every command of the write side begins with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cellwright.clients.repository import Repository
from cellwright.records.errors import CellwrightError, NotSettled, Place, UnreadableInput
from cellwright.records.folder import TaskFolder, read_folder
from cellwright.records.repository_rows import RegistryRow
from cellwright.records.rows import Source
from cellwright.records.tables import read_records
from cellwright.validators.evidence import NOT_HERE, Evidence

if TYPE_CHECKING:  # reading WARCs and documents is slow to import, and not every command does
    from cellwright.clients.warc import Capture
    from cellwright.documents.model import Document


def load_task(repository: Repository, task: str) -> TaskFolder:
    """The task's folder as records. Raises UnreadableInput with every fault of every file."""
    return read_folder(repository.task_folder(task), f"tasks/{task}")


def load_readable_task(repository: Repository, task: str) -> TaskFolder:
    """The task's folder, refused when any single field cannot be read."""
    folder = load_task(repository, task)
    if folder.problems:
        raise UnreadableInput(folder.problems)
    return folder


def chosen_tasks(repository: Repository, tasks: Sequence[str] | None) -> tuple[str, ...]:
    """The tasks named, or all. Raises NotSettled where there are none."""
    chosen = tuple(dict.fromkeys(tasks)) if tasks else repository.task_ids()
    if not chosen:
        raise NotSettled("there is no task yet", Place("tasks"), fix="`cellwright new TASK` makes one")
    return chosen


def load_owners(repository: Repository) -> tuple[RegistryRow, ...]:
    """The publishers of `sources/registry.csv`; none where the file is not there."""
    data = repository.sources_file("registry.csv")
    return read_records(data, RegistryRow, "sources/registry.csv").rows if data is not None else ()


@dataclass(frozen=True, slots=True)
class Opened:
    """A pinned capture with the document that it holds."""

    capture: Capture
    document: Document


def open_pinned(repository: Repository, task: str, source: Source) -> Opened | None:
    """The pinned capture of a source, read; None where it is not here.

    Raises UnreadableInput for a capture or a document that cannot be read.
    """
    from cellwright.clients.warc import read_capture
    from cellwright.documents.reading import read_document

    data = repository.capture_bytes(task, source.capture)
    if data is None:
        return None
    capture = read_capture(data, file=repository.shown(repository.capture_path(task, source.capture)))
    charset = capture.charset or None
    return Opened(
        capture, read_document(capture.body, capture.media_type, locale=source.locale, charset=charset, name=source.id)
    )


class PinnedEvidence(Mapping[str, Evidence]):
    """The pinned capture of each source, read when first asked for; what is wrong with one is in its `problem`.

    Documents are the most of an audit's memory: they are there while their task is audited, and no longer.
    """

    def __init__(self, repository: Repository, folder: TaskFolder) -> None:
        self._repository, self._folder = repository, folder
        self._pinned = {source.id: source for source in folder.sources if source.capture}
        self._superseded = {fact.source for fact in folder.facts if fact.rank == "superseded"}
        self._read: dict[str, Evidence] = {}

    def __getitem__(self, source: str) -> Evidence:
        if source not in self._read:
            self._read[source] = self._evidence(source)
        return self._read[source]

    def _evidence(self, source: str) -> Evidence:
        """The evidence, for the source of a superseded fact with the texts of its earlier captures."""
        found = _evidence(self._repository, self._folder.task.id, self._pinned[source])
        if source not in self._superseded:
            return found
        from cellwright.authoring.captures.earlier_evidence import earlier_texts

        return replace(found, earlier=tuple(earlier_texts(self._repository, self._folder, source)))

    def __iter__(self) -> Iterator[str]:
        return iter(self._pinned)

    def __len__(self) -> int:
        return len(self._pinned)


def load_evidence(repository: Repository, folder: TaskFolder) -> PinnedEvidence:
    """The pinned capture of each source of the task."""
    return PinnedEvidence(repository, folder)


def _evidence(repository: Repository, task: str, source: Source) -> Evidence:
    try:
        opened = open_pinned(repository, task, source)
    except CellwrightError as error:
        return Evidence(source.id, "", problem=error.problems[0].sentence())
    if opened is None:
        return Evidence(source.id, "", problem=f"{NOT_HERE}; `dvc pull` or `cellwright capture` brings it")
    capture, document = opened.capture, opened.document
    return Evidence(
        source.id,
        capture.sha256,
        document.text,
        capture.via,
        str(capture.http_status or 200),
        capture.media_type,
        url=capture.url,
        document=document,
    )

"""A task with its evidence, from the repository: what every command of the write side begins with."""

from __future__ import annotations

from collections.abc import Sequence

from cellwright.clients.repository import Repository
from cellwright.records.errors import CellwrightError, NotSettled, Place, UnreadableInput
from cellwright.records.folder import TaskFolder, read_folder
from cellwright.records.rows import RegistryRow
from cellwright.records.tables import read_records
from cellwright.validators.evidence import NOT_HERE, Evidence


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
    chosen = tuple(tasks or repository.task_ids())
    if not chosen:
        raise NotSettled("there is no task yet", Place("tasks"), fix="`cellwright new TASK` makes one")
    return chosen


def load_owners(repository: Repository) -> tuple[RegistryRow, ...]:
    """The publishers of `sources/registry.csv`; none where the file is not there."""
    data = repository.sources_file("registry.csv")
    return read_records(data, RegistryRow, "sources/registry.csv").rows if data is not None else ()


def load_evidence(repository: Repository, folder: TaskFolder) -> dict[str, Evidence]:
    """The pinned capture of each source, read; what is wrong with one is said in its `problem`."""
    from cellwright.authoring.earlier_evidence import with_earlier

    found = {
        source.id: _evidence(repository, folder, source.id, source.capture, source.locale)
        for source in folder.sources
        if source.capture
    }
    return with_earlier(repository, folder, found)


def _evidence(repository: Repository, folder: TaskFolder, source: str, sha256: str, locale: str) -> Evidence:
    from cellwright.clients.warc import read_capture
    from cellwright.documents.reading import read_document

    try:
        data = repository.capture_bytes(folder.task.id, sha256)
        if data is None:
            return Evidence(source, "", problem=f"{NOT_HERE}; `dvc pull` or `cellwright capture` brings it")
        capture = read_capture(data, file=repository.shown(repository.capture_path(folder.task.id, sha256)))
        document = read_document(capture.body, capture.media_type, locale=locale, charset=capture.charset or None)
    except CellwrightError as error:
        return Evidence(source, "", problem=error.problems[0].sentence())
    return Evidence(
        source,
        capture.sha256,
        document.text,
        capture.via,
        str(capture.http_status or 200),
        capture.media_type,
        document=document,
    )

"""The captures before the pinned one: where a superseded fact was read, its page has another figure today."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cellwright.authoring.capture_book import CaptureBook
from cellwright.clients.repository import Repository
from cellwright.clients.warc import read_capture
from cellwright.documents.reading import read_document
from cellwright.records.errors import CellwrightError
from cellwright.records.folder import TaskFolder
from cellwright.validators.evidence import Evidence


def with_earlier(repository: Repository, folder: TaskFolder, found: dict[str, Evidence]) -> dict[str, Evidence]:
    """The evidence, and for sources of superseded facts the texts of their other captures that are here."""
    wanted = {fact.source for fact in folder.facts if fact.rank == "superseded"} & found.keys()
    if not wanted:
        return found
    earlier = {source: replace(found[source], earlier=tuple(_texts(repository, folder, source))) for source in wanted}
    return {source: earlier.get(source, evidence) for source, evidence in found.items()}


def _texts(repository: Repository, folder: TaskFolder, source: str) -> Iterator[str]:
    pin, task = folder.source_by_id[source].capture, folder.task.id
    try:
        rows = CaptureBook(repository, task).captures_of(source)
    except CellwrightError:
        return  # without the table nothing tells of other captures: the quote is then told as absent
    for row in reversed(rows):
        try:
            data = repository.capture_bytes(task, row.sha256) if row.sha256 != pin else None
            if data is not None:
                capture = read_capture(data, file=row.sha256)
                yield read_document(capture.body, capture.media_type, charset=capture.charset or None).text
        except CellwrightError:
            continue  # an earlier capture that no reader reads shows no quote

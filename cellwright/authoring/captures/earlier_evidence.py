"""The captures before the pinned one: where a superseded fact was read, its page has another figure today."""

from __future__ import annotations

from collections.abc import Iterator

from cellwright.authoring.captures.book import CaptureBook
from cellwright.clients.repository import Repository
from cellwright.clients.warc import read_capture
from cellwright.documents.reading import read_document
from cellwright.records.errors import CellwrightError
from cellwright.records.folder import TaskFolder


def earlier_texts(repository: Repository, folder: TaskFolder, source: str) -> Iterator[str]:
    """The texts of the source's captures that are here and not pinned, the newest first."""
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

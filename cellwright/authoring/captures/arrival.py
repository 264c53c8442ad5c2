"""What arrives is judged and kept: the right kind of document, not the page before it, as a WARC on the disk.

All of it may be done by several threads at once; nothing here touches a table.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from cellwright.authoring.captures.document_kind import shown_kind, wrong_kind
from cellwright.clients.coding import CodingError, CutShort, TooLarge, members
from cellwright.clients.disk import write_beside
from cellwright.clients.fetched import Fetched, charset_of
from cellwright.clients.repository import Repository
from cellwright.clients.warc import MAX_WARC, read_capture, sha256_hex, write_capture
from cellwright.documents.gates import gate_of
from cellwright.documents.quotes import normalise
from cellwright.records.errors import CellwrightError, NotSettled, Place, UnreadableInput
from cellwright.records.repository_rows import CaptureRow
from cellwright.records.rows import Source

TextOf = Callable[[bytes, str], str]
"""The text of a document, from its bytes and media type. Raises CellwrightError where it cannot be read."""

# PDFium is not made for several threads, and one large document in memory at a time is enough.
_READING = threading.Lock()
_GZIP_MAGIC = 2
_SMALL = 1_000_000
"""Bytes of a page up to which several are read at a time."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """What came of asking for a source, without its bytes.

    `row` tells the attempt, `row.sha256` being "" where there is no document to keep; None where there was nothing
    to ask. `was_here` tells that the capture's file was here before.
    """

    source: Source
    status: str
    note: str = ""
    row: CaptureRow | None = None
    media_type: str = ""
    was_here: bool = False

    @property
    def sha256(self) -> str:
        """The capture that is at hand, "" where none came."""
        return self.row.sha256 if self.row is not None else ""


def arrive(
    repository: Repository,
    task: str,
    folder: Path,
    source: Source,
    answer: Fetched | CellwrightError,
    text_of: TextOf,
    figures: Sequence[str] = (),
    held: str = "",
) -> Arrival:
    """Judges an answer and keeps its document in `folder`, the task's.

    `figures` are those that the task reads from the source, as printed; `held` is the capture that an answer of
    `not_modified` confirms. Raises DiskFailed.
    """
    if isinstance(answer, CellwrightError):
        return Arrival(source, "absent" if isinstance(answer, NotSettled) else "unreadable", str(answer))

    def attempt(status: str, note: str, sha256: str = "") -> Arrival:
        return Arrival(source, status, f"{answer.final_url}: {note}", _row(task, source, answer, status, sha256))

    if answer.status == "not_modified":
        return attempt(answer.status, answer.note, held)
    if not answer.has_document:
        return attempt(answer.status, answer.note)
    media_type = source.media_type or answer.media_type
    text, fault = _text(text_of, answer.body, typed(media_type, charset_of(answer.headers)))
    wrong = wrong_kind(source.media_type, answer.media_type, answer.body, answer.url)
    if answer.via != "upload" and shown_kind(answer.body) in ("HTML", ""):
        gate = gate_of(answer.body, text, figures) if text or "html" in answer.media_type else None
        if gate is not None and not (wrong and gate.kind == "paywalled"):
            return attempt(gate.kind, f"this is not the document: {gate.told_by}")
    if wrong:
        return attempt("wrong_type", wrong)
    try:
        sha256, was_here = _write_once(repository, task, folder, answer)
    except UnreadableInput as error:
        return Arrival(source, "unreadable", str(error))
    row = _row(task, source, answer, answer.status, sha256, "" if fault else _digest(text))
    note = "; ".join(filter(None, (fault, answer.note)))
    return Arrival(source, answer.status, note, row, answer.media_type, was_here)


def text_sha256(text_of: TextOf, body: bytes, media_type: str) -> tuple[str, str]:
    """The sha256 of the document's text, and "" with a sentence where it has none that can be read."""
    text, fault = _text(text_of, body, media_type)
    return ("", fault) if fault else (_digest(text), "")


def typed(media_type: str, charset: str) -> str:
    """The media type with the charset that the server stated: the text must be the one that quotes are found in."""
    return f"{media_type}; charset={charset}" if media_type and charset else media_type


def _row(task: str, source: Source, answer: Fetched, status: str, sha256: str, text: str = "") -> CaptureRow:
    return CaptureRow(
        task=task,
        source=source.id,
        sha256=sha256,
        url=source.url,
        final_url=answer.final_url,
        fetched=answer.fetched_at,
        status=status,
        via=answer.via,
        text_sha256=text,
    )


def _write_once(repository: Repository, task: str, folder: Path, fetched: Fetched) -> tuple[str, bool]:
    """Writes the WARC unless it is here; gives its name and whether it was.

    A file that a machine without power left empty or cut short is written anew. Raises UnreadableInput where
    other bytes stand there.
    """
    sha256 = sha256_hex(fetched.body)
    path = folder / f"{sha256}.warc.gz"
    if not os.path.lexists(path):
        write_beside(path, write_capture(fetched))
        return sha256, False
    data = repository.capture_bytes(task, sha256) or b""
    if _is_cut(data):
        write_beside(path, write_capture(fetched))
        return sha256, False
    if read_capture(data, file=repository.shown(path)).sha256 != sha256:
        raise UnreadableInput(
            "the capture does not hold what its name says",
            Place(repository.shown(path)),
            fix="remove the file and run it again",
        )
    return sha256, True


def _is_cut(data: bytes) -> bool:
    """Whether the bytes are the beginning of a WARC and not its end, or none at all."""
    try:
        members(data, MAX_WARC)
    except CutShort:
        return True
    except (CodingError, TooLarge):
        return len(data) < _GZIP_MAGIC
    return False


def _text(text_of: TextOf, body: bytes, media_type: str) -> tuple[str, str]:
    """The document's text, and "" with a sentence where it has none that can be read."""
    alone = len(body) > _SMALL or shown_kind(body) != "HTML"
    try:
        with _READING if alone else nullcontext():
            return text_of(body, media_type), ""
    except CellwrightError as error:
        return "", f"its text cannot be read: {error}"


def _digest(text: str) -> str:
    """Of the text in the normal form of quotes: blanks and kinds of dashes are no change."""
    return hashlib.sha256(normalise(text).encode("utf-8", "surrogatepass")).hexdigest()

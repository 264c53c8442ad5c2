"""Captures the sources of a task: what is not held yet is fetched, kept as a WARC, and told in the tables.

The WARC is written first and the tables last, so that a run that was cut off loses nothing: the next one
finds the files without a row, takes them up, and goes on. Captures are only ever added, and a pin that is
filled moves by `accept` alone (design, section 3).
"""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Protocol

from cellwright.authoring.capture_book import CaptureBook
from cellwright.authoring.document_kind import wrong_kind
from cellwright.authoring.handed_in import hand_in
from cellwright.clients.disk import write_atomic
from cellwright.clients.fetched import Fetched, Headers, charset_of
from cellwright.clients.repository import Repository
from cellwright.clients.warc import read_capture, sha256_hex, write_capture
from cellwright.documents.quotes import normalise
from cellwright.records.errors import CellwrightError, NotSettled, Place, UnreadableInput
from cellwright.records.rows import CaptureRow, Source

TextOf = Callable[[bytes, str], str]
"""The text of a document, from its bytes and media type. Raises CellwrightError where it cannot be read."""
Progress = Callable[[int, int, str], None]
"""Called with the number of sources done, of all, and the id of the one done last."""
Action = Literal["captured", "kept", "restored", "same", "unchanged text", "changed", "failed"]


class Fetcher(Protocol):
    """What documents come from: HTTP or a mirror. `concurrency` is how many fetches are sensible at a time."""

    concurrency: int

    def fetch(self, url: str, *, held: Headers = ()) -> Fetched | None:
        """What the address answers; None where this fetcher knows nothing of it.

        `held` are the headers that came with the capture at hand (ETag, Last-Modified), for a conditional
        request; a fetcher may pass over them.
        """
        ...


@dataclass(frozen=True, slots=True)
class SourceOutcome:
    """What came of one source.

    `action`: captured (new), kept (held already), restored (known, and its file was not here), same, unchanged
    text (other bytes, the same text) or changed (asked again), failed.
    `status` is the outcome of the fetch, "" where none was made. `sha256` is
    the capture now at hand, `before` the one it is compared with, `pin` the one that the source is pinned to
    afterwards, `note` a sentence where there is more to say. `known`: the page is as an earlier capture has it.
    """

    source: str
    action: Action
    status: str = ""
    sha256: str = ""
    before: str = ""
    pin: str = ""
    note: str = ""
    known: bool = False


@dataclass(frozen=True, slots=True)
class CaptureSummary:
    """What came of a task's sources, in the order of `sources.csv`; `written` names the tables that changed."""

    task: str
    outcomes: tuple[SourceOutcome, ...]
    written: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many sources each action befell, by name."""
        return dict(sorted(Counter(outcome.action for outcome in self.outcomes).items()))

    @property
    def failed(self) -> tuple[SourceOutcome, ...]:
        """The sources without the document that was asked for."""
        return tuple(outcome for outcome in self.outcomes if outcome.action == "failed")

    @property
    def questions(self) -> tuple[str, ...]:
        """What a person has to decide, a sentence each."""
        return tuple(
            f"{outcome.source}: the document is not the one captured before ({outcome.before[:12]} → "
            f"{outcome.sha256[:12]}); `cellwright capture {self.task} --accept {outcome.source}"
            f"{f'@{outcome.sha256[:12]}' if outcome.known else ''}` takes the new one"
            for outcome in self.outcomes
            if outcome.action == "changed" and outcome.pin != outcome.sha256
        )


def capture_task(
    repository: Repository,
    task_id: str,
    *,
    fetcher: Fetcher,
    text_of: TextOf,
    refresh: bool = False,
    sources: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> CaptureSummary:
    """Fetches the sources that have no capture here (`refresh`: all of them) and takes them up.

    `sources` limits it to these ids. A source that cannot be fetched is an outcome, not an error. Raises
    UnreadableInput for tables that cannot be read, DiskFailed where a file cannot be written.
    """
    book = CaptureBook(repository, task_id)
    chosen = book.chosen(sources)
    found, warnings = _take_up_leftovers(book, chosen, text_of)
    outcomes: dict[str, SourceOutcome] = {}
    wanted: list[Source] = []
    for source in chosen:
        row = None if refresh else _held(book, source)
        if row is None:
            wanted.append(source)
            continue
        book.fill(source, row.sha256, "")
        outcomes[source.id] = SourceOutcome(
            source.id,
            "captured" if source.id in found else "kept",
            "",
            row.sha256,
            pin=book.pin_of(source),
            note=found.get(source.id, ""),
        )
    total = len(chosen)
    for source, answer in _fetch_each(fetcher, wanted, lambda source: _validators(book, source)):
        outcomes[source.id] = _settle(book, source, answer, text_of)
        if progress:
            progress(len(outcomes), total, source.id)
    written = book.save()
    return CaptureSummary(task_id, tuple(outcomes[source.id] for source in chosen), written, warnings)


def capture_files(
    repository: Repository, task_id: str, files: Sequence[tuple[Path, str]], *, fetched_at: str, text_of: TextOf
) -> CaptureSummary:
    """Takes files from the disk up as captures, each for the source named beside it; see `handed_in.hand_in`.

    All files are read before any is kept. Raises UnreadableInput for a file or source that cannot be read or is
    named twice, NotSettled where an archive lacks the address, DiskFailed where a file cannot be written.
    """
    book = CaptureBook(repository, task_id)
    for name, count in Counter(name for _, name in files).items():
        if count > 1:
            raise UnreadableInput("a source is given two files", seen=name, expected="one file a source")
    sources = [book.chosen([name])[0] for _, name in files]
    given = [hand_in(source, file, at=fetched_at) for source, (file, _) in zip(sources, files, strict=True)]
    outcomes = []
    for source, one in zip(sources, given, strict=True):
        outcome = _settle(book, source, one.fetched, text_of)
        outcomes.append(replace(outcome, note="; ".join(filter(None, (outcome.note, *one.notes)))))
    return CaptureSummary(task_id, tuple(outcomes), book.save())


def capture_file(
    repository: Repository, task_id: str, source_id: str, file: Path, *, fetched_at: str, text_of: TextOf
) -> CaptureSummary:
    """Takes one file up as `capture_files` does."""
    return capture_files(repository, task_id, [(file, source_id)], fetched_at=fetched_at, text_of=text_of)


def _held(book: CaptureBook, source: Source) -> CaptureRow | None:
    """The capture that makes a fetch needless: the pinned one, or the newest of this address, with its file here.

    A stand-in counts only while it is pinned: where the pin was taken off, the document itself is asked for.
    """
    rows = book.captures_of(source.id)
    pin = book.pin_of(source)
    fitting = [row for row in rows if row.url == source.url and book.is_here(row.sha256)]
    pinned = [row for row in fitting if row.sha256 == pin]
    if pinned:
        return pinned[0]
    if pin and not any(row.sha256 == pin and row.url != source.url for row in rows):
        return None
    # No pin, or the pin is of an earlier address: a capture of the present address will do.
    own = [row for row in fitting if row.via != "stand-in"]
    return own[-1] if own else None


def _take_up_leftovers(
    book: CaptureBook, chosen: Sequence[Source], text_of: TextOf
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Rows for the WARCs that a run left when it was cut off: notes by source, warnings for files that do not fit."""
    notes: dict[str, str] = {}
    warnings: list[str] = []
    known = book.known_names()
    for name in book.repository.capture_names(book.task):
        if name in known:
            continue
        shown = book.repository.shown(book.repository.capture_path(book.task, name))
        try:
            capture = read_capture(book.repository.capture_bytes(book.task, name) or b"", file=shown)
        except UnreadableInput as error:
            warnings.append(str(error))
            continue
        mine = [source for source in chosen if source.url == capture.url]
        if capture.sha256 != name:
            warnings.append(f"{shown}: the capture does not hold what its name says; remove it")
            continue
        for source in mine:
            text, _ = _text_sha256(
                text_of, capture.body, _typed(source.media_type or capture.media_type, capture.charset)
            )
            book.add(
                CaptureRow(
                    task=book.task,
                    source=source.id,
                    sha256=name,
                    url=capture.url,
                    final_url=capture.final_url,
                    fetched=capture.fetched,
                    status=capture.status,
                    via=capture.via,
                    text_sha256=text,
                )
            )
            book.fill(source, name, capture.media_type)
            notes[source.id] = "found from a run that was cut off"
    return notes, tuple(warnings)


def _validators(book: CaptureBook, source: Source) -> Headers:
    """What the server said of the pinned document, by which it can tell whether it has changed."""
    pin = book.pin_of(source)
    data = book.repository.capture_bytes(book.task, pin) if pin else None
    if data is None:
        return ()
    try:
        headers = read_capture(data, file=pin).headers
    except UnreadableInput:
        return ()  # told where the capture is compared
    return tuple(pair for pair in headers if pair[0].lower() in ("etag", "last-modified"))


def _fetch_each(
    fetcher: Fetcher, sources: Sequence[Source], held: Callable[[Source], Headers]
) -> Iterator[tuple[Source, Fetched | CellwrightError]]:
    """Each source with its answer, in order; no more than `concurrency` answers are held at a time."""
    if fetcher.concurrency <= 1:
        for source in sources:
            yield source, _fetch(fetcher, source, held(source))
        return
    waiting = deque(sources)
    running: deque[tuple[Source, Future[Fetched | CellwrightError]]] = deque()
    with ThreadPoolExecutor(fetcher.concurrency) as pool:
        while waiting or running:
            while waiting and len(running) < fetcher.concurrency:
                source = waiting.popleft()
                running.append((source, pool.submit(_fetch, fetcher, source, held(source))))
            source, future = running.popleft()
            yield source, future.result()


def _fetch(fetcher: Fetcher, source: Source, held: Headers) -> Fetched | CellwrightError:
    url = source.url
    if not url.startswith(("http://", "https://")) or not url.isprintable() or " " in url:
        return UnreadableInput(
            "the address cannot be fetched",
            Place(column="url", record=source.id),
            seen=url,
            expected="an address that begins with http:// or https://",
        )
    try:
        return fetcher.fetch(url, held=held) or NotSettled(
            "the mirror has no line for the address", Place(column="url", record=source.id), seen=url
        )
    except CellwrightError as error:
        return error


def _settle(book: CaptureBook, source: Source, answer: Fetched | CellwrightError, text_of: TextOf) -> SourceOutcome:
    """Keeps the document of an answer, or tells why there is none."""
    if isinstance(answer, CellwrightError):
        return SourceOutcome(
            source.id, "failed", "absent" if isinstance(answer, NotSettled) else "unreadable", note=str(answer)
        )
    pin = book.pin_of(source)
    if str(answer.status) == "not_modified" and pin:
        return SourceOutcome(source.id, "same", "not_modified", pin, pin, pin)
    if not answer.has_document:
        return SourceOutcome(source.id, "failed", answer.status, note=f"{answer.final_url}: {answer.note}")
    if fault := wrong_kind(source.media_type, answer.media_type, answer.body):
        return SourceOutcome(source.id, "failed", "wrong_type", note=f"{answer.final_url}: {fault}")
    try:
        return _keep(book, source, answer, text_of)
    except UnreadableInput as error:
        return SourceOutcome(source.id, "failed", "unreadable", note=str(error))


def _keep(book: CaptureBook, source: Source, fetched: Fetched, text_of: TextOf) -> SourceOutcome:
    sha256 = sha256_hex(fetched.body)
    own = [row.sha256 for row in book.captures_of(source.id) if row.via != "stand-in"]
    before = book.pin_of(source) or (own[-1] if own else "")
    was_here = _write_once(book, sha256, fetched)
    known = any(row.sha256 == sha256 for row in book.captures_of(source.id))
    text, note = _text_sha256(
        text_of, fetched.body, _typed(source.media_type or fetched.media_type, charset_of(fetched.headers))
    )
    book.add(
        CaptureRow(
            task=book.task,
            source=source.id,
            sha256=sha256,
            url=source.url,
            final_url=fetched.final_url,
            fetched=fetched.fetched_at,
            status=fetched.status,
            via=fetched.via,
            text_sha256=text,
        )
    )
    book.fill(source, sha256, fetched.media_type)
    if not before:
        action: Action = "captured"
    elif before != sha256:
        action = "unchanged text" if text and text == _text_of_capture(book, source, before, text_of) else "changed"
    else:
        action = "same" if was_here else "restored"
    note = "; ".join(filter(None, (note, fetched.note)))
    return SourceOutcome(source.id, action, fetched.status, sha256, before, book.pin_of(source), note, known)


def _write_once(book: CaptureBook, sha256: str, fetched: Fetched) -> bool:
    """Writes the WARC unless it is here; gives whether it was. Raises UnreadableInput where other bytes stand there."""
    path = book.repository.capture_path(book.task, sha256)
    shown = book.repository.shown(path)
    data = book.repository.capture_bytes(book.task, sha256)
    if data is None:
        write_atomic(path, write_capture(fetched))
        return False
    if read_capture(data, file=shown).sha256 != sha256:
        raise UnreadableInput(
            "the capture does not hold what its name says", Place(shown), fix="remove the file and run it again"
        )
    return True


def _typed(media_type: str, charset: str) -> str:
    """The media type with the charset that the server stated: the text must be the one that quotes are found in."""
    return f"{media_type}; charset={charset}" if media_type and charset else media_type


def _text_sha256(text_of: TextOf, body: bytes, media_type: str) -> tuple[str, str]:
    """The sha256 of the text in the normal form of quotes, and "" with a sentence where none can be read."""
    try:
        text = text_of(body, media_type)
    except CellwrightError as error:
        return "", f"its text cannot be read: {error}"
    return hashlib.sha256(normalise(text).encode("utf-8", "surrogatepass")).hexdigest(), ""


def _text_of_capture(book: CaptureBook, source: Source, sha256: str, text_of: TextOf) -> str:
    """The sha256 of a capture's text as it is read today; that of the table where its file is not here."""
    data = book.repository.capture_bytes(book.task, sha256)
    if data is None:
        return next((row.text_sha256 for row in book.captures_of(source.id) if row.sha256 == sha256), "")
    try:
        capture = read_capture(data, file=sha256)
    except UnreadableInput:
        return ""
    return _text_sha256(text_of, capture.body, _typed(source.media_type or capture.media_type, capture.charset))[0]

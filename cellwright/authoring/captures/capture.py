"""Captures the sources of a task: what is not held yet is fetched, kept as a WARC, and told in the tables.

The WARC is written first and the tables last, so that a run that was cut off loses nothing: the next one
finds the files without a row, takes them up, and goes on. Captures are only ever added, and a pin that is
filled moves by `accept` alone (design, section 3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from cellwright.authoring.captures.arrival import Arrival, TextOf, arrive, text_sha256, typed
from cellwright.authoring.captures.book import CaptureBook
from cellwright.authoring.captures.fetching import Fetcher, each_done
from cellwright.authoring.captures.handed_in import hand_in
from cellwright.clients.disk import prepare_folder, sync_written
from cellwright.clients.fetched import Fetched, Validators, validators_of
from cellwright.clients.repository import Repository
from cellwright.clients.warc import read_capture
from cellwright.records.errors import CellwrightError, NotSettled, Place, UnreadableInput
from cellwright.records.repository_rows import CaptureRow
from cellwright.records.rows import Source

Progress = Callable[[int, int, str], None]
"""Called with the number of sources done, of all, and the id of the one done last."""
Action = Literal["captured", "kept", "restored", "same", "unchanged text", "changed", "failed"]


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
    """What came of a task's sources, in the order of `sources.csv`; `written` names the tables that changed.

    `left` counts the sources that were not come to because a person stopped the run.
    """

    task: str
    outcomes: tuple[SourceOutcome, ...]
    written: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    left: int = 0

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

    `sources` limits it to these ids. A source that cannot be fetched is an outcome, not an error. Where a person
    stops it (KeyboardInterrupt), what is done is kept and told. Raises UnreadableInput for tables that cannot be
    read, DiskFailed where a file cannot be written.
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
    folder = repository.captures_folder(task_id)
    if wanted:
        prepare_folder(folder)
    with suppress(KeyboardInterrupt):  # What is done is kept below, and the summary tells what is left.
        for arrival in each_done(fetcher, wanted, _work(book, fetcher, text_of, refresh)):
            outcomes[arrival.source.id] = _settle(book, arrival, text_of)
            if progress:
                progress(len(outcomes), total, arrival.source.id)
    if wanted:
        sync_written(folder)
    written = book.save()
    told = tuple(outcomes[source.id] for source in chosen if source.id in outcomes)
    return CaptureSummary(task_id, told, written, warnings, total - len(told))


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
    folder = repository.captures_folder(task_id)
    prepare_folder(folder)
    outcomes = []
    for source, one in zip(sources, given, strict=True):
        outcome = _settle(book, arrive(repository, task_id, folder, source, one.fetched, text_of), text_of)
        outcomes.append(replace(outcome, note="; ".join(filter(None, (outcome.note, *one.notes)))))
    sync_written(folder)
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
            text, _ = text_sha256(
                text_of, capture.body, typed(source.media_type or capture.media_type, capture.charset)
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


def _work(book: CaptureBook, fetcher: Fetcher, text_of: TextOf, refresh: bool) -> Callable[[Source], Arrival]:
    """What is done for one source, by whatever thread: fetched, judged and kept."""
    figures = book.figures_of()
    folder = book.repository.captures_folder(book.task)

    def work(source: Source) -> Arrival:
        held, validators = _confirmable(book, source) if refresh else ("", None)
        answer = _fetch(fetcher, source, validators)
        return arrive(book.repository, book.task, folder, source, answer, text_of, figures.get(source.id, ()), held)

    return work


def _confirmable(book: CaptureBook, source: Source) -> tuple[str, Validators | None]:
    """The newest capture of the source from the web, and the validators its server gave; "" where it gave none."""
    for row in reversed(book.captures_of(source.id)):
        if row.via != "live" or row.url != source.url or not book.is_here(row.sha256):
            continue
        path = book.repository.capture_path(book.task, row.sha256)
        try:
            capture = read_capture(
                book.repository.capture_bytes(book.task, row.sha256) or b"", file=book.repository.shown(path)
            )
        except UnreadableInput:
            break  # A capture that is broken confirms nothing: the document itself is asked for.
        validators = validators_of(capture.headers, capture.final_url)
        if capture.sha256 == row.sha256 and (validators.etag or validators.last_modified):
            return row.sha256, validators
        break
    return "", None


def _fetch(fetcher: Fetcher, source: Source, held: Validators | None) -> Fetched | CellwrightError:
    url = source.url
    if not url.startswith(("http://", "https://")) or not url.isprintable() or " " in url:
        return UnreadableInput(
            "the address cannot be fetched",
            Place(column="url", record=source.id),
            seen=url,
            expected="an address that begins with http:// or https://",
        )
    try:
        answer = fetcher.fetch(url, conditional=held) if held is not None else fetcher.fetch(url)
        return answer or NotSettled(
            "the mirror has no line for the address", Place(column="url", record=source.id), seen=url
        )
    except CellwrightError as error:
        return error


def _settle(book: CaptureBook, arrival: Arrival, text_of: TextOf) -> SourceOutcome:
    """Tells the tables what came of a source."""
    source, row = arrival.source, arrival.row
    own = [known.sha256 for known in book.captures_of(source.id) if known.via != "stand-in"]
    before = book.pin_of(source) or (own[-1] if own else "")
    known = any(held.sha256 == arrival.sha256 for held in book.captures_of(source.id))
    if row is not None and (not row.sha256 or arrival.status == "not_modified"):
        book.add_attempt(row.model_copy(update={"sha256": ""}))
    elif row is not None:
        book.add(row)
        book.fill(source, row.sha256, arrival.media_type)
    if not arrival.sha256:
        return SourceOutcome(source.id, "failed", arrival.status, note=arrival.note)
    if not before:
        action: Action = "captured"
    elif before != arrival.sha256:
        text = row.text_sha256 if row is not None else ""
        action = "unchanged text" if text and text == _text_of_capture(book, source, before, text_of) else "changed"
    else:
        action = "same" if arrival.was_here or arrival.status == "not_modified" else "restored"
    note = "" if arrival.status == "not_modified" else arrival.note
    return SourceOutcome(source.id, action, arrival.status, arrival.sha256, before, book.pin_of(source), note, known)


def _text_of_capture(book: CaptureBook, source: Source, sha256: str, text_of: TextOf) -> str:
    """The sha256 of a capture's text as it is read today; that of the table where its file is not here."""
    data = book.repository.capture_bytes(book.task, sha256)
    if data is None:
        return next((row.text_sha256 for row in book.captures_of(source.id) if row.sha256 == sha256), "")
    try:
        capture = read_capture(data, file=sha256)
    except UnreadableInput:
        return ""
    return text_sha256(text_of, capture.body, typed(source.media_type or capture.media_type, capture.charset))[0]

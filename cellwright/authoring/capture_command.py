"""`capture`: what the options mean, and what is told of what came of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cellwright.authoring.capture import CaptureSummary, capture_file, capture_task
from cellwright.authoring.capture_lock import capture_lock
from cellwright.authoring.capture_told import counts, remarks, stopped, unusable
from cellwright.authoring.fetching import Fetcher
from cellwright.authoring.loading import chosen_tasks
from cellwright.authoring.pins import accept as accept_capture
from cellwright.authoring.pins import tasks_with_source
from cellwright.authoring.tracking import track_captures
from cellwright.clients.fetched import now_utc
from cellwright.clients.repository import Repository
from cellwright.documents.reading import read_text
from cellwright.records.errors import UnreadableInput


@dataclass(frozen=True)
class CaptureReport:
    """What is told to the person, line by line, whether every source has a usable capture, and whether the person
    stopped the run."""

    lines: tuple[str, ...]
    usable: bool
    stopped: bool = False


def run_capture(
    repository: Repository,
    tasks: Sequence[str] | None,
    *,
    mirror: Path | None = None,
    from_file: tuple[Path, str] | None = None,
    refresh: bool = False,
    accept: str = "",
    allow_private: bool = False,
    ignore_robots: bool = False,
    progress: Callable[[int, int, str], None] | None = None,
) -> CaptureReport:
    """Do what `cellwright capture` was asked for. Raises UnreadableInput for options that do not go together,
    NotSettled where another capture is at work in the repository."""
    _check_options({"--mirror": mirror, "--from": from_file, "--accept": accept, "--refresh": refresh})
    with capture_lock(repository):
        if from_file is not None:
            file, source = from_file
            task = _task_of(repository, tasks, source)
            uploaded = capture_file(repository, task, source, file, fetched_at=now_utc(), text_of=text_of)
            return _told(repository, [uploaded])
        if accept:
            task = _task_of(repository, tasks, accept)
            moved = accept_capture(repository, task, accept)
            return CaptureReport((f"{task}/{accept}: {moved.old[:12] or 'no pin'} → {moved.new[:12]}",), usable=True)
        fetcher = _fetcher(mirror, allow_private, ignore_robots)
        return _told(repository, _each_task(repository, tasks, fetcher, refresh, progress))


def _each_task(
    repository: Repository,
    tasks: Sequence[str] | None,
    fetcher: Fetcher,
    refresh: bool,
    progress: Callable[[int, int, str], None] | None,
) -> Iterator[CaptureSummary]:
    """Task by task, until a person stops one."""
    for task in chosen_tasks(repository, tasks):
        summary = capture_task(repository, task, fetcher=fetcher, text_of=text_of, refresh=refresh, progress=progress)
        yield summary
        if summary.left:
            return


def _check_options(options: Mapping[str, object]) -> None:
    """Refuses options of which one would be passed over; only --mirror and --refresh go together."""
    given = [name for name, value in options.items() if value]
    if len(given) > 1 and given != ["--mirror", "--refresh"]:
        raise UnreadableInput("the options do not go together", seen=" and ".join(given), expected="one of them")


def text_of(body: bytes, media_type: str) -> str:
    """The text of a document as it is quoted from."""
    return read_text(body, media_type)


def _fetcher(mirror: Path | None, allow_private: bool, ignore_robots: bool) -> Fetcher:
    if mirror is not None:
        from cellwright.clients.mirror import Mirror

        return Mirror(mirror)
    from cellwright.authoring.capture_settings import http_fetcher

    return http_fetcher(os.environ, allow_private=allow_private, ignore_robots=ignore_robots)


def _task_of(repository: Repository, tasks: Sequence[str] | None, source: str) -> str:
    """The one task named, or the only one that has the source."""
    named = list(tasks or tasks_with_source(repository, source))
    if len(named) != 1:
        raise UnreadableInput(
            f"it is not told which task's source `{source}` is meant",
            seen=", ".join(named) or "no task has it",
            expected="one task",
            fix=f"name it: `cellwright capture TASK … {source}`",
        )
    return named[0]


def _told(repository: Repository, summaries: Iterable[CaptureSummary]) -> CaptureReport:
    lines: list[str] = []
    usable = True
    for summary in summaries:
        lines += [*unusable(summary), *remarks(summary), *summary.questions]
        if summary.left:
            return CaptureReport((*lines, counts(summary), stopped(summary)), False, stopped=True)
        lines.append(counts(summary))
        usable = usable and not summary.failed
        tracked = track_captures(repository.root, summary.task) if not summary.failed else None
        if tracked is not None and tracked.changed:
            lines.append(f"{tracked.pointer}: {tracked.captures} captures are tracked; `dvc push` shares them")
    return CaptureReport(tuple(lines), usable)

"""`capture`: what the options mean, and what is told of what came of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from cellwright.authoring.captures.capture import CaptureSummary, capture_files, capture_task
from cellwright.authoring.captures.drifting import TaskDrift, drift_json, steps_of, task_drift
from cellwright.authoring.captures.fetching import Fetcher
from cellwright.authoring.captures.gone_pages import Lookup, with_archive
from cellwright.authoring.captures.lock import capture_lock
from cellwright.authoring.captures.merging import require_settled
from cellwright.authoring.captures.pins import tasks_with_source
from cellwright.authoring.captures.told import counts, remarks, stopped, unusable
from cellwright.authoring.captures.tracking import track_captures
from cellwright.authoring.loading import chosen_tasks, load_readable_task
from cellwright.clients.fetched import now_utc
from cellwright.clients.repository import Repository
from cellwright.documents.reading import read_text
from cellwright.records.errors import UnreadableInput

MEMENTO = "CELLWRIGHT_MEMENTO"
"""The setting that names an archive to look in where a page is gone; unset, no archive is asked."""


@dataclass(frozen=True)
class CaptureReport:
    """What came of each task's sources, and, after a refresh, of its facts.

    `lines` is told to the person, `usable` says whether every source has a usable capture, `stopped` whether the
    person stopped the run.
    """

    summaries: tuple[CaptureSummary, ...]
    lines: tuple[str, ...]
    usable: bool
    drifts: tuple[TaskDrift, ...] = ()
    stopped: bool = False

    @property
    def good(self) -> bool:
        """Whether every source is usable and every fact asked for is the same or has only moved."""
        return self.usable and all(drift.holds for drift in self.drifts)


def run_capture(
    repository: Repository,
    tasks: Sequence[str] | None,
    *,
    mirror: Path | None = None,
    from_files: Sequence[tuple[Path, str]] = (),
    refresh: bool = False,
    memento: str = "",
    allow_private: bool = False,
    ignore_robots: bool = False,
    progress: Callable[[int, int, str], None] | None = None,
) -> CaptureReport:
    """Do what `cellwright capture` was asked for. Raises UnreadableInput for what cannot be read, NotSettled where
    another capture is at work in the repository."""
    with capture_lock(repository):
        require_settled(repository)
        if from_files:
            by_task: dict[str, list[tuple[Path, str]]] = {}
            for file, source in from_files:
                by_task.setdefault(task_of(repository, tasks, source), []).append((file, source))
            taken = (
                capture_files(repository, task, files, fetched_at=now_utc(), text_of=text_of)
                for task, files in by_task.items()
            )
            return _told(repository, taken)
        chosen = chosen_tasks(repository, tasks)
        # Tables at fault are told before anything is fetched.
        folders = {task: load_readable_task(repository, task) for task in chosen} if refresh else {}
        fetcher = fetcher_of(mirror, allow_private, ignore_robots)
        lookup = _lookup(memento, allow_private) if memento and mirror is None else None
        report = _told(repository, _each_task(repository, chosen, fetcher, lookup, refresh, progress))
        drifts = (
            task_drift(repository, folders[summary.task], steps_of(summary.outcomes), progress)
            for summary in report.summaries
            if summary.task in folders and not summary.left
        )
        return replace(report, drifts=tuple(drifts))


def _each_task(
    repository: Repository,
    tasks: Sequence[str],
    fetcher: Fetcher,
    lookup: Lookup | None,
    refresh: bool,
    progress: Callable[[int, int, str], None] | None,
) -> Iterator[CaptureSummary]:
    """Task by task, until a person stops one."""
    for task in tasks:
        asking = with_archive(repository, task, fetcher, lookup, text_of) if lookup else fetcher
        summary = capture_task(repository, task, fetcher=asking, text_of=text_of, refresh=refresh, progress=progress)
        yield summary
        if summary.left:
            return


def check_options(options: Mapping[str, object]) -> None:
    """Refuses options of which one would be passed over; only --mirror and --refresh go together."""
    given = [name for name, value in options.items() if value]
    if len(given) > 1 and given != ["--mirror", "--refresh"]:
        raise UnreadableInput("the options do not go together", seen=" and ".join(given), expected="one of them")


def report_json(report: CaptureReport) -> dict[str, object]:
    """The shape of `capture --format json`: a task's sources with what came of each, and its facts after a refresh."""
    drifts = {drift.task: drift_json(drift) for drift in report.drifts}
    return {
        "tasks": [
            {
                "task": summary.task,
                "counts": summary.counts,
                "sources": [asdict(outcome) for outcome in summary.outcomes],
                **({"drift": drifts[summary.task]} if summary.task in drifts else {}),
            }
            for summary in report.summaries
        ]
    }


def text_of(body: bytes, media_type: str) -> str:
    """The text of a document as it is quoted from."""
    return read_text(body, media_type)


def fetcher_of(mirror: Path | None, allow_private: bool, ignore_robots: bool) -> Fetcher:
    """What documents come from: the mirror where one is named, else the web as the settings ask for it."""
    if mirror is not None:
        from cellwright.clients.mirror import Mirror

        return Mirror(mirror)
    from cellwright.authoring.captures.settings import http_fetcher

    return http_fetcher(os.environ, allow_private=allow_private, ignore_robots=ignore_robots)


def _lookup(archive: str, allow_private: bool) -> Lookup:
    """The archive at an address. Raises UnreadableInput for what is no address."""
    from cellwright.authoring.captures.settings import http_fetcher
    from cellwright.clients.addresses import checked_url
    from cellwright.clients.memento import Archive

    checked_url(archive)
    return Archive(
        archive,
        # An archive is asked by its own interface, which its robots.txt is not about.
        lambda headers: http_fetcher(os.environ, allow_private=allow_private, ignore_robots=True, headers=headers),
    )


def task_of(repository: Repository, tasks: Sequence[str] | None, source: str) -> str:
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
    done: list[CaptureSummary] = []
    lines: list[str] = []
    usable = True
    for summary in summaries:
        done.append(summary)
        lines += [*unusable(summary), *remarks(summary), *summary.questions]
        if summary.left:
            return CaptureReport((*done,), (*lines, counts(summary), stopped(summary)), False, stopped=True)
        lines.append(counts(summary))
        usable = usable and not summary.failed
        tracked = track_captures(repository.root, summary.task) if not summary.failed else None
        if tracked is not None and tracked.changed:
            lines.append(f"{tracked.pointer}: {tracked.captures} captures are tracked; `dvc push` shares them")
    return CaptureReport(tuple(done), tuple(lines), usable)

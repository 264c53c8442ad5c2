"""The captures of a contribution held against its sources and its lines of `captures.csv`.

What a capture holds is handed in as it was read; nothing here opens a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from cellwright.records.contribution import CAPTURES, CheckFinding, finding
from cellwright.records.errors import Problem
from cellwright.records.repository_rows import CaptureRow
from cellwright.records.rows import Source

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@dataclass(frozen=True, slots=True)
class CaptureSeen:
    """A capture as it was read: `name` is the sha256 in its file's name, `sha256` that of its document.

    `problem` says why it cannot be read; `odd` what its file holds besides the one capture.
    """

    name: str
    sha256: str = ""
    url: str = ""
    final_url: str = ""
    fetched: str = ""
    via: str = ""
    status: str = ""
    problem: Problem | None = None
    odd: str = ""
    size: int = 0
    """Bytes of the document."""


def capture_file(name: str) -> str:
    """The path of a capture in a contribution."""
    return f"captures/{name}.warc.gz"


def capture_findings(
    task: str,
    sources: Sequence[Source],
    rows: Sequence[CaptureRow],
    captures: Mapping[str, CaptureSeen],
    day: date | None,
) -> Iterator[CheckFinding]:
    """What is wrong with the captures; `day` is the day of the check, None where time is not looked at."""
    by_id = {source.id: source for source in sources}
    told = {(row.source, row.sha256) for row in rows if row.sha256}
    shared = {(source.capture, source.url) for source in sources}
    for source in sources:
        yield from _pinned(source, captures, told, shared)
    asked = {(row.sha256, row.url) for row in rows}
    for row in rows:
        yield from _row(task, row, by_id, captures, asked, day)
    wanted = {row.sha256 for row in rows if row.sha256 and row.source in by_id}
    for name, seen in captures.items():
        file = capture_file(name)
        if name not in wanted:
            yield finding("K-CAPTURE-EXTRA", file, fix="leave it out, or give it its line in captures.csv")
        if seen.problem is not None:
            problem = seen.problem
            yield finding("K-CAPTURE-BROKEN", file, what=problem.what, observed=problem.seen, expected=problem.expected)
        elif seen.sha256 != name:
            yield finding("K-CAPTURE-SUM", file, observed=seen.sha256, expected=name, fix="capture the source again")
        elif seen.odd:
            yield finding("K-CAPTURE-BROKEN", file, what=seen.odd, expected="one answer and nothing else")


def _pinned(
    source: Source, captures: Mapping[str, CaptureSeen], told: set[tuple[str, str]], shared: set[tuple[str, str]]
) -> Iterator[CheckFinding]:
    """`shared` holds capture and address of every source: two addresses may give the same bytes, kept once."""
    place = ("task/sources.csv", source.line)
    if not source.capture:
        yield finding(
            "K-CAPTURE-ABSENT",
            *place,
            record=source.id,
            field="capture",
            what="the source has no capture",
            fix="`cellwright capture` fetches it",
        )
    elif source.capture not in captures:
        yield finding("K-CAPTURE-ABSENT", *place, record=source.id, field="capture", observed=source.capture)
    elif (source.id, source.capture) not in told:
        yield finding(
            "K-CAPTURE-LINE",
            *place,
            record=source.id,
            field="capture",
            what="no line of captures.csv tells of the capture that the source is pinned to",
            observed=source.capture,
        )
    else:
        seen = captures[source.capture]
        if seen.problem is None and seen.url != source.url:
            yield finding(
                "K-CAPTURE-ADDRESS",
                *place,
                record=source.id,
                field="url",
                observed=seen.url,
                expected=source.url,
                severity="warning" if (source.capture, seen.url) in shared else "error",
            )


def _row(
    task: str,
    row: CaptureRow,
    sources: Mapping[str, Source],
    captures: Mapping[str, CaptureSeen],
    asked: set[tuple[str, str]],
    day: date | None,
) -> Iterator[CheckFinding]:
    def told(check: str, field: str, **more: str) -> CheckFinding:
        return finding(check, CAPTURES, row.line or None, record=row.source, field=field, **more)  # type: ignore[arg-type]

    if row.task != task:
        yield told("K-CAPTURE-LINE", "task", what="the line is of another task", observed=row.task, expected=task)
    if row.source not in sources:
        yield told("K-CAPTURE-LINE", "source", what="the task has no such source", observed=row.source)
    if not row.sha256:
        yield told("K-CAPTURE-LINE", "sha256", what="the line tells of no capture", fix="leave it out")
        return
    if not _TIME.fullmatch(row.fetched):
        yield told("K-CAPTURE-LINE", "fetched", what="this is no time", observed=row.fetched, expected="2024-01-31T…Z")
    elif day is not None and row.fetched[:10] > day.isoformat():
        yield told("K-CAPTURE-TIME", "fetched", observed=row.fetched, expected=f"{day} at the latest")
    seen = captures.get(row.sha256)
    if seen is None:
        yield told("K-CAPTURE-ABSENT", "sha256", observed=row.sha256)
        return
    if seen.problem is not None or seen.sha256 != row.sha256:
        return  # told of the capture itself
    if row.url != seen.url and (row.sha256, seen.url) in asked:
        return  # the same bytes of another address, kept once
    for field, says, holds in (
        ("url", row.url, seen.url),
        ("final_url", row.final_url, seen.final_url),
        ("fetched", row.fetched, seen.fetched),
        ("via", row.via, seen.via),
        ("status", row.status, seen.status),
    ):
        if says != holds and (says or field not in ("final_url", "status")):
            yield told(
                "K-CAPTURE-LINE",
                field,
                what="the line says another thing than the capture",
                observed=says,
                expected=holds,
                fix="capture the source again: lines are written by the tool",
            )

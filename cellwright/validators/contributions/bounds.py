"""How much a contributed task may ask of the audit: many times what any profile has, and no more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cellwright.records.contribution import MAX_LINES, CheckFinding, finding
from cellwright.records.folder import TaskFolder
from cellwright.records.task import Task
from cellwright.validators.contributions.captures import CaptureSeen

MAX_SIDE = 60
"""Entities, and dimensions, of a task; profiles ask for 6 to 10."""
MAX_PARTS = 60
"""Steps, near misses, checks or overrides of a dimension."""


MAX_SEARCHED = 20_000_000_000
"""Bytes that an audit looks through: each fact is looked for in its document. A task of 250 facts in documents of 5 MB
has a sixteenth of it; 5,000 facts in one of 4 MB, all of it, took a quarter of a minute."""


def search_finding(folder: TaskFolder, seen: Mapping[str, CaptureSeen]) -> CheckFinding | None:
    """Whether the facts and their documents are together more than an audit should be asked to look through."""
    size = {source.id: seen[source.capture].size for source in folder.sources if source.capture in seen}
    searched = sum(size.get(fact.source, 0) for fact in folder.facts)
    if searched <= MAX_SEARCHED:
        return None
    return finding(
        "K-LINES",
        "task/facts.csv",
        what="the facts and their documents are more than an audit can look through",
        observed=f"{len(folder.facts)} facts, {searched} bytes to be looked through",
        expected=f"at most {MAX_SEARCHED}",
    )


def line_finding(name: str, data: bytes) -> CheckFinding | None:
    """Whether a table has too many lines; counted before anything of it is read."""
    lines = max(data.count(b"\n"), data.count(b"\r"))
    if lines <= MAX_LINES:
        return None
    return finding("K-LINES", name, observed=f"{lines} lines", expected=f"at most {MAX_LINES}")


def task_bounds(task: Task, file: str) -> Iterator[CheckFinding]:
    """Where the task is larger than any audit should be asked to look at."""
    counted = {"entities": len(task.entities), "dimensions": len(task.dimensions)}
    for name, count in counted.items():
        if count > MAX_SIDE:
            yield _too_many(file, name, count, MAX_SIDE)
    for dimension in task.dimensions[:MAX_SIDE]:
        for name in ("steps", "near_misses", "checks", "overrides"):
            count = len(getattr(dimension, name))
            if count > MAX_PARTS:
                yield _too_many(file, f"dimensions.{dimension.id}.{name}", count, MAX_PARTS)


def _too_many(file: str, field: str, count: int, most: int) -> CheckFinding:
    return finding(
        "K-LINES",
        file,
        field=field,
        what="the task is larger than any profile",
        observed=str(count),
        expected=f"at most {most}",
    )

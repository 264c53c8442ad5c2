"""How much a contributed task may ask of the audit: many times what any profile has, and no more."""

from __future__ import annotations

from collections.abc import Iterator

from cellwright.records.contribution import MAX_LINES, CheckFinding, finding
from cellwright.records.task import Task

MAX_SIDE = 60
"""Entities, and dimensions, of a task; profiles ask for 6 to 10."""
MAX_PARTS = 60
"""Steps, near misses, checks or overrides of a dimension."""


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

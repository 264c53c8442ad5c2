"""Which tasks a bundle takes: those under review and the admitted; drafts, quarantined and retired ones stay out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from cellwright.clients.repository import Repository
from cellwright.records.errors import CellwrightError, NotSettled, Place, UnreadableInput
from cellwright.records.releases.telling import Standing
from cellwright.records.yaml_text import read_yaml

LEFT_OUT = ("draft", "quarantined", "retired")
"""The statuses of tasks that no bundle holds."""


def standing_of(repository: Repository, task: str) -> Standing:
    """The status that the task's file says; `draft` where it says none.

    A file that cannot be read says `review`, so that the audit tells what is wrong with it.
    """
    file = f"tasks/{task}/task.yaml"
    try:
        data = repository.file("tasks", task, "task.yaml")
        raw = read_yaml(data, file)[0] if data is not None else None
    except CellwrightError:
        raw = None
    if not isinstance(raw, dict):
        return Standing("review")
    status, reason = raw.get("status", "draft"), raw.get("status_reason", "")
    return Standing(status if isinstance(status, str) else "review", reason if isinstance(reason, str) else "")


def tasks_to_release(repository: Repository) -> tuple[tuple[str, ...], dict[str, Standing]]:
    """The tasks that a bundle takes, sorted, and why each of the others stays out.

    Raises UnreadableInput for folders that are no task's, NotSettled where no task is left.
    """
    found, misnamed = repository.tasks_found()
    if misnamed:
        raise UnreadableInput(misnamed)
    standing = {task: standing_of(repository, task) for task in found}
    left_out = {task: item for task, item in standing.items() if item.status in LEFT_OUT}
    chosen = tuple(task for task in found if task not in left_out)
    if not chosen:
        raise NotSettled(
            "there is no task to be bundled" if found else "there is no task yet",
            Place("tasks"),
            seen=told_left_out(left_out),
            expected="`status: review` or `status: admitted` in a task.yaml" if found else "",
            fix="set it where a task is ready" if found else "`cellwright new TASK` makes one",
        )
    return chosen, left_out


def told_left_out(left_out: Mapping[str, Standing]) -> str:
    """`1 quarantined (a), 2 draft (b, c)`; empty where none is left out."""
    by_status: dict[str, list[str]] = defaultdict(list)
    for task, item in sorted(left_out.items()):
        by_status[item.status].append(task)
    return ", ".join(f"{len(names)} {status} ({', '.join(names[:8])})" for status, names in sorted(by_status.items()))

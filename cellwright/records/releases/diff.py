"""Two releases compared, cell by cell: what changed, why, and what rests on it. Pure."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from cellwright.records.bundle import TABLE_COLUMNS
from cellwright.records.releases.cell_changes import TaskCells, TaskSide, near_miss_changes
from cellwright.records.releases.changes import (
    CellChange,
    Commit,
    FactChange,
    FieldChange,
    ReleaseDiff,
    Side,
    TaskChange,
    field_change,
    field_changes,
)
from cellwright.records.releases.fact_changes import Sources, fact_changes
from cellwright.records.releases.origins import Place, Steps
from cellwright.records.releases.reasons import Reasons, advisory_reasons, reasons_between

Row = Mapping[str, str]
TASK_FIELDS = tuple(name for name in TABLE_COLUMNS["tasks"] if name not in ("task", "assumptions", "periods"))


def compare(old: Side, new: Side, commits: Mapping[str, Sequence[Commit]] | None = None) -> ReleaseDiff:
    """Everything that changed from `old` to `new`, which may be the earlier one.

    `commits` are those that touched a task between the two, where a repository knows them.
    """
    reasons = reasons_between(old, new, commits or {})
    titles = [{row["task"]: row for row in side.tables["tasks"]} for side in (old, new)]
    both = titles[0].keys() & titles[1].keys()
    facts = fact_changes(_of(old, "facts", both), _of(new, "facts", both), reasons)
    cells = tuple(_cell_changes(old, new, sorted(both), titles, facts, reasons))
    return ReleaseDiff(old, new, tuple(_task_changes(old, new, titles, reasons)), facts, cells)


def only_tasks(diff: ReleaseDiff, tasks: Collection[str]) -> ReleaseDiff:
    """What a comparison says of some tasks alone."""
    return replace(
        diff,
        tasks=tuple(change for change in diff.tasks if change.task in tasks),
        facts=tuple(change for change in diff.facts if change.task in tasks),
        cells=tuple(change for change in diff.cells if change.task in tasks),
    )


def _of(side: Side, table: str, tasks: Collection[str]) -> list[Row]:
    return [row for row in side.tables[table] if row["task"] in tasks]


def _cell_changes(
    old: Side,
    new: Side,
    tasks: Sequence[str],
    titles: Sequence[Mapping[str, Row]],
    facts: Sequence[FactChange],
    reasons: Reasons,
) -> Iterable[CellChange]:
    sources = Sources(old.tables["sources"], new.tables["sources"])
    near_misses = near_miss_changes(old, new)
    by_task: dict[str, list[FactChange]] = defaultdict(list)
    for fact in facts:
        by_task[fact.task].append(fact)
    sides = [_by_task(side) for side in (old, new)]
    for task in tasks:
        pair = [_task_side(sides[at], task, titles[at][task]) for at in (0, 1)]
        compared = TaskCells(task, pair[0], pair[1], by_task[task], sources, near_misses.get(task, {}), reasons)
        yield from compared.changes()


def _by_task(side: Side) -> dict[str, Mapping[str, list[Row]]]:
    found: dict[str, Mapping[str, list[Row]]] = {}
    for name in ("cells", "steps"):
        rows: dict[str, list[Row]] = defaultdict(list)
        for item in side.tables[name]:
            rows[item["task"]].append(item)
        found[name] = rows
    return found


def _task_side(rows: Mapping[str, Mapping[str, list[Row]]], task: str, title: Row) -> TaskSide:
    cells: dict[Place, Row] = {(row["entity"], row["dimension"]): row for row in rows["cells"].get(task, [])}
    return TaskSide(cells, Steps(rows["steps"].get(task, [])), _named(title["assumptions"]))


def _named(text: str) -> dict[str, object]:
    """The assumptions of a task by id; none where they cannot be read."""
    try:
        items = json.loads(text or "[]")
    except (ValueError, RecursionError):
        return {}
    if not isinstance(items, list):
        return {}
    return {str(item.get("id", "")): item for item in items if isinstance(item, dict)}


def _task_changes(old: Side, new: Side, titles: Sequence[Mapping[str, Row]], reasons: Reasons) -> Iterable[TaskChange]:
    counts = [Counter(row["task"] for row in side.tables["cells"]) for side in (old, new)]
    for task in sorted(titles[0].keys() | titles[1].keys()):
        before, after = titles[0].get(task), titles[1].get(task)
        size = counts[0][task], counts[1][task]
        told = advisory_reasons(task, (old, new))
        if before is None or after is None:
            row = after if after is not None else before or {}
            change = "added" if before is None else "quarantined" if told else "removed"
            why = told or reasons.of_task(task)
            yield TaskChange(task, row.get("title", ""), change, *size, reasons=why)  # type: ignore[arg-type]
            continue
        fields = _task_fields(before, after)
        if fields:
            yield TaskChange(task, after["title"], "changed", *size, fields, reasons.of_task(task))


def _task_fields(before: Row, after: Row) -> tuple[FieldChange, ...]:
    found = list(field_changes(TASK_FIELDS, before, after))
    for column, read in (("assumptions", _named), ("periods", _labels)):
        if before[column] == after[column]:
            continue
        old, new = read(before[column]), read(after[column])
        for name in sorted(old.keys() | new.keys()):
            change = field_change(f"{column}.{name}", _said(old.get(name)), _said(new.get(name)))
            if change is not None:
                found.append(change)
    return tuple(found)


def _labels(text: str) -> dict[str, object]:
    try:
        labels = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return dict(labels) if isinstance(labels, dict) else {}


def _said(value: object) -> str:
    """An assumption or the dates of a label in words: `10 percent (scenario given in the question)`."""
    if not isinstance(value, dict):
        return _leaf(value)
    if {"unit", "reason"} <= value.keys():
        amount = value.get("value", value.get("values"))
        shown = _listed(amount) if isinstance(amount, dict) else _leaf(amount)
        return f"{shown} {_leaf(value['unit'])} ({_leaf(value['reason'])})"
    return _listed(value)


def _listed(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {_leaf(said)}" for name, said in sorted(values.items()))


def _leaf(value: object) -> str:
    """A text as it stands. Nothing else belongs there, and what does stand there may be nested without end."""
    return value if isinstance(value, str) else "" if value is None else "…"

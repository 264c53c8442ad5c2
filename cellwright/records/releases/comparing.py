"""What two releases' tables have in common and what not, as far as a score can tell.

Source of the rule: design, section 7. A score is moved by a cell's digest (ask, unit, period, assumptions, reference,
rule), by what a sound derivation must show, and by the prompt that an agent is asked with.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cellwright.records.bundle import Rows
from cellwright.records.prompt import task_prompt
from cellwright.records.scoring import Evidence, build_evidence

Tables = Mapping[str, Rows]
Key = tuple[str, str, str]
"""Task, entity, dimension."""


def cell_name(key: Key) -> str:
    """`task entity/dimension`, as messages show a cell."""
    return f"`{key[0]}` {key[1]}/{key[2]}"


@dataclass(frozen=True)
class Comparison:
    """The tables of an older and a newer release, compared; every list is sorted."""

    old: Tables
    new: Tables

    @cached_property
    def added(self) -> tuple[str, ...]:
        """Tasks that only the newer one has."""
        return tuple(sorted(self._tasks[1].keys() - self._tasks[0].keys()))

    @cached_property
    def gone(self) -> tuple[str, ...]:
        """Tasks that only the older one has."""
        return tuple(sorted(self._tasks[0].keys() - self._tasks[1].keys()))

    @cached_property
    def kept(self) -> tuple[str, ...]:
        """Tasks of both."""
        return tuple(sorted(self._tasks[0].keys() & self._tasks[1].keys()))

    @cached_property
    def not_comparable(self) -> tuple[tuple[str, str, str], ...]:
        """Task, old and new `comparability`, where its author says that scores cannot be compared."""
        old, new = self._tasks
        return tuple(
            (task, old[task]["comparability"], new[task]["comparability"])
            for task in self.kept
            if old[task]["comparability"] != new[task]["comparability"]
        )

    @cached_property
    def cells_added(self) -> tuple[Key, ...]:
        """Cells that only the newer one has, in tasks of both."""
        return tuple(sorted(key for key in self._cells[1].keys() - self._cells[0].keys() if key[0] in self.kept))

    @cached_property
    def cells_gone(self) -> tuple[Key, ...]:
        """Cells that only the older one has, in tasks of both."""
        return tuple(sorted(key for key in self._cells[0].keys() - self._cells[1].keys() if key[0] in self.kept))

    @cached_property
    def cells_changed(self) -> tuple[Key, ...]:
        """Cells of both with another digest."""
        old, new = self._cells
        return tuple(sorted(key for key in old.keys() & new.keys() if old[key]["digest"] != new[key]["digest"]))

    @cached_property
    def other_form(self) -> tuple[tuple[Key, str, str], ...]:
        """Cell, old and new form, where it is graded by other lines of the scoring table than before."""
        old, new = self._cells
        return tuple(
            (key, before, after)
            for key in self.cells_changed
            if (before := _form(old[key])) != (after := _form(new[key]))
        )

    @cached_property
    def other_evidence(self) -> tuple[Key, ...]:
        """Cells with the digest of before, of which a sound derivation must now show something else."""
        others = {task for task in self.kept if self._evidence[0].rows(task) != self._evidence[1].rows(task)}
        kept = self._cells[0].keys() & self._cells[1].keys() - set(self.cells_changed)
        same = sorted(key for key in kept if key[0] in others)
        return tuple(key for key in same if self._evidence[0].shown(key) != self._evidence[1].shown(key))

    @cached_property
    def other_prompt(self) -> tuple[str, ...]:
        """Tasks whose prompt reads otherwise."""
        return tuple(task for task in self.kept if task_prompt(self.old, task) != task_prompt(self.new, task))

    def value(self, key: Key, *, newer: bool) -> str:
        """A cell's reference in words."""
        return reference_words(self._cells[newer][key])

    def rests_on(self, key: Key, fact: str) -> bool:
        """Whether the cell, in either release, rests on the fact."""
        rows = (cells.get(key) for cells in self._cells)
        return any(fact in json.loads(row["inputs"] or "[]") for row in rows if row is not None)

    @cached_property
    def _tasks(self) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]]:
        return _by_task(self.old), _by_task(self.new)

    @cached_property
    def _cells(self) -> tuple[dict[Key, dict[str, str]], dict[Key, dict[str, str]]]:
        return _by_cell(self.old), _by_cell(self.new)

    @cached_property
    def _evidence(self) -> tuple[_Shown, _Shown]:
        return _Shown(self.old), _Shown(self.new)


def reference_words(row: Mapping[str, str]) -> str:
    """A cell's reference as a reader says it: `12.5 percent`, `3 to 4 USD`, `not available`."""
    if row["answer_type"] == "not_available":
        return "not available"
    value = f"{row['low']} to {row['high']}" if row["answer_type"] == "range" else row["value"]
    return f"{value} {row['unit']}".strip()


class _Shown:
    """What a sound derivation of each cell must show, by the scorer's own reading of the tables."""

    def __init__(self, tables: Tables) -> None:
        self._cells = _by_cell(tables)
        self._steps: dict[str, dict[tuple[str, str], list[dict[str, str]]]] = defaultdict(lambda: defaultdict(list))
        for row in tables["steps"]:
            self._steps[row["task"]][row["entity"], row["dimension"]].append(row)
        self._facts: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
        for row in tables["facts"]:
            self._facts[row["task"]][row["fact"]] = row
        self._near: dict[Key, Rows] = defaultdict(list)
        for row in tables["near_misses"]:
            self._near[row["task"], row["entity"], row["dimension"]].append(row)
        self._rows: dict[str, Rows] = defaultdict(list)
        for name in ("cells", "steps", "facts", "near_misses"):
            for row in tables[name]:
                self._rows[row["task"]].append(row)

    def rows(self, task: str) -> Rows:
        """Everything that a task's evidence is built of: tasks that have the same need not be built."""
        return self._rows[task]

    def shown(self, key: Key) -> object:
        """What is wanted, what may stand for it and what must not; names that no score hangs on are left out."""
        task = key[0]
        found: Evidence = build_evidence(self._cells[key], self._steps[task], self._facts[task], self._near[key])
        return found.wanted, dict(found.nodes), sorted(set(found.traps.values())), found.computes


def _by_task(tables: Tables) -> dict[str, dict[str, str]]:
    return {row["task"]: row for row in tables["tasks"]}


def _by_cell(tables: Tables) -> dict[Key, dict[str, str]]:
    return {(row["task"], row["entity"], row["dimension"]): row for row in tables["cells"]}


def _form(cell: Mapping[str, str]) -> str:
    """By which lines of the scoring table a cell is graded: its answer type and its rule without the sizes."""
    try:
        rule: Any = json.loads(cell["rule"])
    except ValueError:
        return f"{cell['answer_type']}, {cell['rule'][:60]}"
    if not isinstance(rule, dict):
        return f"{cell['answer_type']}, {cell['rule'][:60]}"
    full = rule.get("full")
    kind = full.get("kind", "") if isinstance(full, dict) else "no"
    known = {"full", "partial", "order", "overlap", "max_width", "derivation"}
    others = "".join(f", {key}" for key in sorted(rule.keys() ^ known))
    return f"{cell['answer_type'].replace('_', ' ')}, {kind} tolerance{others}"

"""Why a score changed between two releases: a bridge from the old total to the new whose parts add up exactly.

The total is the mean of the tasks, a task the mean of its cells (design, section 8). The bridge goes from the one
to the other in steps, each of which changes one kind of thing and is reckoned in fractions: what a step adds is
the total after it less the total before it, so that the parts sum to the whole whatever their order. The order
decides only how what two steps share is split: corrections are weighed among the old tasks, rules and judges
among the new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from cellwright.records.errors import UnreadableInput
from cellwright.records.releases.changes import CellChange, CellKey, ReleaseDiff

Kind = Literal[
    "corrected",
    "dependents",
    "evidence",
    "quarantined",
    "removed",
    "run_failed",
    "added",
    "run_counted",
    "cells_added",
    "cells_removed",
    "rules",
    "judge",
    "answers",
    "code",
    "unchanged",
]
FIRST: tuple[Kind, ...] = ("corrected", "dependents", "evidence")
LEAVING: tuple[Kind, ...] = ("quarantined", "removed", "run_failed")
JOINING: tuple[Kind, ...] = ("added", "run_counted")
LAST: tuple[Kind, ...] = ("rules", "judge", "answers", "code", "unchanged")
STILL = frozenset({"judge", "answers", "code", "unchanged"})
"""Kinds of cells that the releases have alike."""
Bounds = tuple[Fraction, Fraction]
NOTHING: Bounds = (Fraction(0), Fraction(0))


@dataclass(frozen=True, slots=True)
class CellResult:
    """What a cell earned in one of the two results. `lower` and `upper` are equal where the score is decided."""

    lower: Decimal
    upper: Decimal
    outcome: str
    judge: tuple[str, str] = ("", "")
    """The judge's model and the digest of its prompt; empty where the rule decided."""
    said: str = ""
    """The answer as it was read."""

    @property
    def bounds(self) -> Bounds:
        """Both bounds as fractions."""
        return Fraction(self.lower), Fraction(self.upper)


Results = Mapping[CellKey, CellResult]


@dataclass(frozen=True, slots=True)
class CellPart:
    """A cell's share of a part: its scores, its weight in the total, and what it adds."""

    key: CellKey
    old: Bounds | None
    """None where the cell is not in the older results."""
    new: Bounds | None
    """None where the cell is not in the newer results."""
    weight: Fraction
    adds: Bounds
    note: str = ""

    @property
    def moved(self) -> bool:
        """Whether the cell's score is another, or there was none before or is none after."""
        return self.old != self.new


@dataclass(frozen=True, slots=True)
class TaskPart:
    """A task's share of a part that tasks leave or join: its mean, and what its leaving or joining adds."""

    task: str
    mean: Bounds
    cells: int
    adds: Bounds


@dataclass(frozen=True, slots=True)
class Part:
    """One step of the bridge."""

    kind: Kind
    adds: Bounds
    """To the lower and to the upper bound of the total."""
    total: Bounds
    """The total after it."""
    cells: tuple[CellPart, ...] = ()
    tasks: tuple[TaskPart, ...] = ()


@dataclass(frozen=True, slots=True)
class Total:
    """A total with what it is the mean of."""

    bounds: Bounds
    tasks: int
    cells: int


@dataclass(frozen=True)
class Bridge:
    """From the old total to the new. `old.bounds` and the `adds` of all parts sum to `new.bounds`, exactly."""

    old: Total
    new: Total
    parts: tuple[Part, ...]
    shared: tuple[Total, Total] | None
    """Both totals over the tasks that both count; None where they count the same, or share none."""
    still: tuple[Total, Total] | None
    """Both totals over the cells that the releases have alike; None where there are none."""

    @property
    def open(self) -> bool:
        """Whether a total is known by its bounds only."""
        return any(low != high for low, high in (self.old.bounds, self.new.bounds))


@dataclass
class _State:
    """The scores that a total is taken over, by task and cell."""

    tasks: dict[str, dict[CellKey, Bounds]] = field(default_factory=dict)

    def mean_of(self, task: str) -> Bounds:
        cells = self.tasks[task].values()
        return _mean(list(cells))

    def total(self) -> Bounds:
        return _mean([self.mean_of(task) for task in self.tasks])

    def told(self) -> Total:
        return Total(self.total(), len(self.tasks), sum(len(cells) for cells in self.tasks.values()))


def bridge(diff: ReleaseDiff, old: Results, new: Results) -> Bridge:
    """The bridge from the results on the older release to those on the newer, of one submission.

    Each results hold every cell of their release. Raises UnreadableInput where either counts no task.
    """
    before, after = _counted(old), _counted(new)
    if not before.tasks or not after.tasks:
        raise UnreadableInput("there is no score to explain: no task is counted", expected="a task whose run went well")
    kinds = _kinds(diff, old, new, before, after)
    return _Builder(diff, old, new, before, after, kinds).build()


def _counted(results: Results) -> _State:
    """The scores of the tasks that are counted: those of which no cell's run failed."""
    failed = {key[0] for key, result in results.items() if result.outcome == "run_failed"}
    state = _State()
    for key in sorted(results):
        if key[0] not in failed:
            state.tasks.setdefault(key[0], {})[key] = results[key].bounds
    return state


def _kinds(diff: ReleaseDiff, old: Results, new: Results, before: _State, after: _State) -> dict[CellKey, Kind]:
    """What moved each cell that both count."""
    changes = {cell.key: cell for cell in diff.cells}
    return {
        key: _kind(changes.get(key), old[key], new[key])
        for task in before.tasks.keys() & after.tasks.keys()
        for key in before.tasks[task].keys() & after.tasks[task].keys()
    }


def _kind(change: CellChange | None, old: CellResult, new: CellResult) -> Kind:
    if change is not None and change.answer_changed:
        return "corrected" if change.direct else "dependents"
    if change is not None and change.rule:
        return "rules"
    if change is not None and change.score_may_move:
        return "evidence"
    if old.bounds == new.bounds:
        return "unchanged"
    if old.judge != new.judge:
        return "judge"
    return "answers" if old.said != new.said else "code"


class _Builder:
    """Walks the bridge: `state` is what the total is taken over at each step."""

    def __init__(
        self,
        diff: ReleaseDiff,
        old: Results,
        new: Results,
        before: _State,
        after: _State,
        kinds: Mapping[CellKey, Kind],
    ) -> None:
        self.results = old, new
        self.before, self.after, self.kinds = before, after, kinds
        self.changes = {cell.key: cell for cell in diff.cells}
        self.quarantined = {task.task for task in diff.tasks if task.change == "quarantined"}
        self.state = _State({task: dict(cells) for task, cells in before.tasks.items()})
        self.total = self.state.total()
        self.parts: list[Part] = []

    def build(self) -> Bridge:
        """The bridge, its parts that hold nothing left out."""
        old = self.state.told()
        for kind in FIRST:
            self._replace(kind)
        moves: list[Callable[[], None]] = [self._leave, self._join]
        # Where no task stays, those that join come first: a mean over nothing is none.
        for move in moves if self.before.tasks.keys() & self.after.tasks.keys() else reversed(moves):
            move()
        self._cells("cells_added")
        self._cells("cells_removed")
        for kind in LAST:
            self._replace(kind)
        return Bridge(old, self.after.told(), tuple(self.parts), self._shared(), self._still())

    def _replace(self, kind: Kind) -> None:
        """Cells of one kind get their new scores."""
        cells = []
        for key in sorted(key for key, found in self.kinds.items() if found == kind):
            task = self.state.tasks[key[0]]
            weight = Fraction(1, len(task) * len(self.state.tasks))
            old, new = task[key], self.after.tasks[key[0]][key]
            task[key] = new
            adds = _scaled(_less(new, old), weight)
            cells.append(CellPart(key, old, new, weight, adds, self._note(kind, key)))
        self._end(kind, cells)

    def _note(self, kind: Kind, key: CellKey) -> str:
        """What else changed of a cell that is told under one kind."""
        change, old, new = self.changes.get(key), self.results[0][key], self.results[1][key]
        told = ["its rule changed too"] if kind in FIRST and change is not None and change.rule else []
        if kind not in ("judge", "unchanged") and old.judge != new.judge:
            told.append("judged by another judge or prompt too")
        return ", ".join(told)

    def _leave(self) -> None:
        gone = self.state.tasks.keys() - self.after.tasks.keys()
        left = {task: self._why_left(task) for task in gone}
        for kind in LEAVING:
            chosen = sorted(task for task in gone if left[task] == kind)
            stay = len(self.state.tasks) - len(chosen)
            tasks = []
            for task in chosen:
                mean = self.state.mean_of(task)
                adds = _scaled(_less(self.total, mean), Fraction(1, stay))
                tasks.append(TaskPart(task, mean, len(self.state.tasks[task]), adds))
            for task in chosen:
                del self.state.tasks[task]
            self._end(kind, tasks=tasks)

    def _why_left(self, task: str) -> Kind:
        if any(key[0] == task for key in self.results[1]):
            return "run_failed"
        return "quarantined" if task in self.quarantined else "removed"

    def _join(self) -> None:
        fresh = self.after.tasks.keys() - self.before.tasks.keys()
        known = {key[0] for key in self.results[0]}
        for kind in JOINING:
            chosen = sorted(task for task in fresh if (task in known) == (kind == "run_counted"))
            tasks = []
            for task in chosen:
                mean = self.after.mean_of(task)
                adds = _scaled(_less(mean, self.total), Fraction(1, len(self.state.tasks) + len(chosen)))
                tasks.append(TaskPart(task, mean, len(self.after.tasks[task]), adds))
            for task in chosen:
                self.state.tasks[task] = dict(self.after.tasks[task])
            self._end(kind, tasks=tasks)

    def _cells(self, kind: Literal["cells_added", "cells_removed"]) -> None:
        """Cells that joined or left tasks which both count."""
        cells = []
        for name in sorted(self.before.tasks.keys() & self.after.tasks.keys()):
            task, goal = self.state.tasks[name], self.after.tasks[name]
            chosen = sorted(goal.keys() - task.keys() if kind == "cells_added" else task.keys() - goal.keys())
            mean = self.state.mean_of(name)
            size = len(task) + (len(chosen) if kind == "cells_added" else -len(chosen))
            weight = Fraction(1, size * len(self.state.tasks))
            for key in chosen:
                if kind == "cells_added":
                    task[key] = goal[key]
                    cells.append(CellPart(key, None, goal[key], weight, _scaled(_less(goal[key], mean), weight)))
                else:
                    old = task.pop(key)
                    cells.append(CellPart(key, old, None, weight, _scaled(_less(mean, old), weight)))
        self._end(kind, cells)

    def _end(self, kind: Kind, cells: Sequence[CellPart] = (), tasks: Sequence[TaskPart] = ()) -> None:
        """Write down what a step added; a step that touched nothing is none."""
        if cells or tasks:
            total = self.state.total()
            self.parts.append(Part(kind, _less(total, self.total), total, tuple(cells), tuple(tasks)))
            self.total = total

    def _shared(self) -> tuple[Total, Total] | None:
        both = self.before.tasks.keys() & self.after.tasks.keys()
        if not both or (both == self.before.tasks.keys() and both == self.after.tasks.keys()):
            return None
        pair = [_State({task: state.tasks[task] for task in sorted(both)}) for state in (self.before, self.after)]
        return pair[0].told(), pair[1].told()

    def _still(self) -> tuple[Total, Total] | None:
        keys = [key for key, kind in sorted(self.kinds.items()) if kind in STILL]
        pair = _State(), _State()
        for state, scores in zip(pair, (self.before, self.after), strict=True):
            for key in keys:
                state.tasks.setdefault(key[0], {})[key] = scores.tasks[key[0]][key]
        return (pair[0].told(), pair[1].told()) if keys else None


def _mean(numbers: Sequence[Bounds]) -> Bounds:
    return _sum(low for low, _ in numbers) / len(numbers), _sum(high for _, high in numbers) / len(numbers)


def _sum(numbers: Iterable[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0))


def _less(one: Bounds, other: Bounds) -> Bounds:
    return one[0] - other[0], one[1] - other[1]


def _scaled(bounds: Bounds, weight: Fraction) -> Bounds:
    return bounds[0] * weight, bounds[1] * weight

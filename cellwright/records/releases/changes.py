"""What changed between two releases, as plain records: tasks, facts and cells, each field old → new, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from cellwright.records.bundle import Rows
from cellwright.records.decimals import CONTEXT, canonical, parse_canonical

if TYPE_CHECKING:
    from cellwright.records.repository_rows import Advisory

CellKey = tuple[str, str, str]
"""Task, entity, dimension."""
Change = Literal["added", "removed", "changed"]
PERCENT_PLACES = Decimal("0.0001")


@dataclass(frozen=True)
class Side:
    """One of two releases: what is compared of it.

    `tables` are the bundle's (`records.bundle.TABLE_COLUMNS`). Rows that both releases have alike may be left out
    of `facts`, `near_misses` and `changes`, and tasks that are alike of every table: `tasks` and `cells` count all.
    """

    name: str
    version: str
    cells_digest: str
    tables: Mapping[str, Rows] = field(repr=False)
    tasks: int
    cells: int
    advisories: tuple[Advisory, ...] = ()


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that touched a task between two releases."""

    sha: str
    subject: str


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field, old → new. `by` and `percent` are set where both are numbers: new − old, and that of |old|."""

    field: str
    old: str
    new: str
    by: str = ""
    percent: str = ""


@dataclass(frozen=True, slots=True)
class PartChange:
    """A step, source or near miss of a cell: added, removed, or with fields that changed."""

    id: str
    change: Change
    fields: tuple[FieldChange, ...] = ()
    note: str = ""
    """Of a source: its tier and publisher; else nothing."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something changed: a correction that was written down, an advisory, or a commit that touched the task."""

    kind: Literal["correction", "advisory", "commit"]
    id: str
    """Of a correction or advisory its id, of a commit the first twelve digits of its hash."""
    words: str
    """What it says: `fact: old → new`, the advisory's sentence, or the commit's subject."""
    code: str = ""
    """Of a correction: the kind of mistake."""
    evidence: str = ""
    """Of a correction: the address where the right figure stands."""
    undone: bool = False
    """Only the older side of the comparison has it: the comparison goes backwards."""


@dataclass(frozen=True, slots=True)
class Chain:
    """How a cell rests on something that changed: from it, link by link, to a step of the cell.

    The first link is `fact:<id>`, `assumption:<id>` or a changed step; the others are steps,
    `entity/dimension.step`.
    """

    links: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FactChange:
    """A fact that was added, removed or read anew."""

    task: str
    fact: str
    entity: str
    change: Change
    fields: tuple[FieldChange, ...]
    counts: bool
    """Whether a derivation can tell: value, unit, period, rank, entity or name, not only words of the quote."""
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class CellChange:
    """A cell that was added, removed, changed, or rests on something that changed."""

    task: str
    entity: str
    dimension: str
    change: Change
    unit: str
    """The unit of its numbers, the newer one."""
    fields: tuple[FieldChange, ...] = ()
    rule: tuple[FieldChange, ...] = ()
    steps: tuple[PartChange, ...] = ()
    sources: tuple[PartChange, ...] = ()
    near_misses: tuple[PartChange, ...] = ()
    """Those of people and witnesses; those that the tool makes for diagnosis touch no score."""
    facts_added: tuple[str, ...] = ()
    facts_removed: tuple[str, ...] = ()
    chains: tuple[Chain, ...] = ()
    reasons: tuple[Reason, ...] = ()
    answer_changed: bool = False
    """Whether the reference itself is another: answer type, value, ends, unit, ask or period."""
    direct: bool = True
    """Changed itself; else only because something that it rests on changed elsewhere."""
    score_may_move: bool = True
    """Whether a score can tell."""

    @property
    def key(self) -> CellKey:
        """Task, entity, dimension."""
        return self.task, self.entity, self.dimension


@dataclass(frozen=True, slots=True)
class TaskChange:
    """A task that joined, left, or whose own fields changed."""

    task: str
    title: str
    change: Literal["added", "removed", "quarantined", "changed"]
    old_cells: int
    new_cells: int
    fields: tuple[FieldChange, ...] = ()
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True)
class ReleaseDiff:
    """Everything that changed from one release to another, sorted by task, then cell."""

    old: Side
    new: Side
    tasks: tuple[TaskChange, ...] = ()
    facts: tuple[FactChange, ...] = ()
    cells: tuple[CellChange, ...] = ()

    @property
    def same(self) -> bool:
        """Whether nothing changed."""
        return not (self.tasks or self.facts or self.cells)

    def counts(self) -> dict[str, int]:
        """How many of each: tasks and cells by what became of them."""
        stayed = [cell for cell in self.cells if cell.change == "changed"]
        corrected = [cell for cell in stayed if cell.answer_changed]
        told = {kind: sum(task.change == kind for task in self.tasks) for kind in ("added", "removed", "quarantined")}
        return {
            **{f"tasks_{kind}": count for kind, count in told.items()},
            "tasks_changed": sum(task.change == "changed" for task in self.tasks),
            "cells_added": sum(cell.change == "added" for cell in self.cells),
            "cells_removed": sum(cell.change == "removed" for cell in self.cells),
            "references_changed": len(corrected),
            "references_changed_directly": sum(cell.direct for cell in corrected),
            "references_changed_as_dependents": sum(not cell.direct for cell in corrected),
            "rules_changed": sum(bool(cell.rule) for cell in stayed),
            "dependents_unmoved": sum(bool(cell.chains) and not cell.answer_changed for cell in stayed),
            "cells_whose_score_may_move": sum(cell.score_may_move for cell in stayed),
            "facts_changed": len(self.facts),
        }


def field_change(name: str, old: str, new: str) -> FieldChange | None:
    """The change of a field; None where it is the same text or the same number."""
    if old == new:
        return None
    numbers = _number(old), _number(new)
    if numbers[0] is None or numbers[1] is None:
        return FieldChange(name, old, new)
    if numbers[0] == numbers[1]:
        return None
    by = CONTEXT.subtract(numbers[1], numbers[0])
    percent = CONTEXT.divide(CONTEXT.multiply(by, Decimal(100)), abs(numbers[0])) if numbers[0] else None
    return FieldChange(name, old, new, canonical(by), _rounded(percent))


def field_changes(names: tuple[str, ...], old: Mapping[str, str], new: Mapping[str, str]) -> tuple[FieldChange, ...]:
    """The changes of several columns of a row, in the order of `names`."""
    found = (field_change(name, old.get(name, ""), new.get(name, "")) for name in names)
    return tuple(change for change in found if change is not None)


def _rounded(percent: Decimal | None) -> str:
    """A percentage to four decimals; nothing where there is none, or where it is beyond telling."""
    if percent is None or percent.adjusted() > 20:
        return ""
    return canonical(percent.quantize(PERCENT_PLACES, context=CONTEXT))


def _number(text: str) -> Decimal | None:
    try:
        return parse_canonical(text)
    except ValueError:
        return None

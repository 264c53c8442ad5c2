"""The bridge from an old score to a new one for people: the table first, then the cells behind each part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from typing import Protocol

from cellwright.records.releases.bridge import Bounds, Bridge, CellPart, Kind, Part, TaskPart, Total
from cellwright.records.releases.changes import CellChange, CellKey, Reason, ReleaseDiff
from cellwright.views.change_report import ChangeReport, Grid, Item, Line, Section
from cellwright.views.finding_view import count_words
from cellwright.views.release_diff_view import answer_lines, why_lines

NAMES: Mapping[Kind, tuple[str, str]] = {
    "corrected": ("references corrected", "The reference of the cell itself is another one."),
    "dependents": ("their dependents", "The reference is another one because of something that the cell rests on."),
    "evidence": ("answer stood, evidence changed", "The reference is the same; what a derivation must show changed."),
    "quarantined": ("tasks quarantined", "The newer release does not have these tasks: the mean is without them."),
    "removed": ("tasks removed", "The newer release does not have these tasks: the mean is without them."),
    "run_failed": ("runs that failed", "Counted before; their run failed in the newer results."),
    "added": ("tasks added", "The mean is taken over these tasks too."),
    "run_counted": ("runs that had failed", "Their run failed in the older results; counted now."),
    "cells_added": ("cells added", "In tasks that both releases have."),
    "cells_removed": ("cells removed", "In tasks that both releases have."),
    "rules": ("rules changed", "The reference is the same, and something else earns the score."),
    "judge": ("judge changed", "The cell is the same; another judge or another prompt decided."),
    "answers": ("answered otherwise", "The cell is the same; the two results read different answers."),
    "code": ("code alone", "Cell, answer and judge are the same: another version of the program scored it."),
    "unchanged": ("unchanged cells", ""),
}
ALWAYS: tuple[Kind, ...] = ("corrected", "dependents", "quarantined", "added", "rules", "judge", "unchanged")
"""Parts that are told even where they hold nothing: a reader looks for them."""
FOOT = (
    "Points of 100, rounded so that the column adds up; `--format json` has the exact fractions. A cell weighs "
    "1/(cells of its task × tasks); a task weighs 1/tasks."
)


class Explained(Protocol):
    """A bridge and where its ends come from; the harness makes it."""

    @property
    def bridge(self) -> Bridge: ...
    @property
    def sources(self) -> tuple[str, str]: ...
    @property
    def open_cells(self) -> int: ...
    @property
    def unanswered(self) -> int: ...


def bridge_report(explained: Explained, diff: ReleaseDiff) -> ChangeReport:
    """What is told of a bridge."""
    bridge = explained.bridge
    changes = {cell.key: cell for cell in diff.cells}
    whys = {task.task: task.reasons for task in diff.tasks}
    sections = [Section("The bridge", grid=_grid(bridge, diff))]
    for part in bridge.parts:
        items = (*(_task(task, whys) for task in part.tasks), *_cells(part, bridge, changes))
        if items:
            name, intro = NAMES[part.kind]
            sections.append(Section(name.capitalize(), intro, items=items))
    title = f"{diff.new.name} {diff.old.version} → {diff.new.version}: why the score changed"
    return ChangeReport(title, tuple(_lead(explained, diff)), tuple(sections), FOOT)


def _lead(explained: Explained, diff: ReleaseDiff) -> Iterator[str]:
    bridge, open_cells = explained.bridge, explained.open_cells
    ends = ((diff.old, bridge.old), (diff.new, bridge.new))
    for (side, total), source in zip(ends, explained.sources, strict=True):
        yield f"{side.version}: {_points(total.bounds)} of 100, the mean of {_over(total)}; from {source}."
    if bridge.open:
        said = f"{count_words(open_cells, 'cell')} could not be graded again for certain" if open_cells else ""
        said = said or "Some cells have no decided score"
        mend = " Give `--submission FILE` to close them." if open_cells else ""
        yield f"{said}: bounds are told, least to greatest.{mend}"
    if explained.unanswered:
        count = count_words(explained.unanswered, "cell")
        yield f"{count} joined after these results were made: they are not answered, and count 0."
    if bridge.shared is not None:
        old, new = bridge.shared
        yield f"Over {_over(new)} that both count: {_points(old.bounds)} → {_points(new.bounds)}."
    if bridge.still is not None:
        old, new = bridge.still
        both = f"{_points(old.bounds)} → {_points(new.bounds)}" if old.bounds != new.bounds else _points(new.bounds)
        yield f"On the {count_words(new.cells, 'cell')} that are alike in both: {both}."


def _over(total: Total) -> str:
    return f"{count_words(total.tasks, 'task')} ({count_words(total.cells, 'cell')})"


def _grid(bridge: Bridge, diff: ReleaseDiff) -> Grid:
    """Each part's points are the difference of the rounded totals around it, so that the column adds up as printed."""
    shown = {part.kind: part for part in bridge.parts}
    both = bridge.open
    rows = [(f"score on {diff.old.version}", _size(bridge.old), "", _points(bridge.old.bounds))]
    before = bridge.old.bounds
    for kind in NAMES:
        part = shown.get(kind)
        if part is None and kind not in ALWAYS:
            continue
        after = part.total if part is not None else before
        rows.append((NAMES[kind][0], _held(part), _step(before, after, both), _points(after)))
        before = after
    rows.append((f"score on {diff.new.version}", _size(bridge.new), "", _points(bridge.new.bounds)))
    return Grid(
        "From the old score to the new, part by part.",
        ("part", "cells", "adds", "total"),
        tuple(rows),
        frozenset({1, 2, 3}),
        frozenset({0, len(rows) - 1}),
    )


def _held(part: Part | None) -> str:
    if part is None:
        return "0"
    if part.tasks:
        return f"{sum(task.cells for task in part.tasks):,} in {count_words(len(part.tasks), 'task')}"
    moved = sum(cell.moved for cell in part.cells)
    return f"{moved:,} of {len(part.cells):,} moved" if part.kind != "unchanged" else f"{len(part.cells):,}"


def _size(total: Total) -> str:
    return f"{total.cells:,} in {count_words(total.tasks, 'task')}"


def _task(task: TaskPart, whys: Mapping[str, tuple[Reason, ...]]) -> Item:
    lines = [Line("score", f"{_points(task.mean)} of 100 over {count_words(task.cells, 'cell')}")]
    lines.append(Line("adds", _signed_bounds(task.adds)))
    return Item(task.task, lines=(*lines, *why_lines(whys.get(task.task, ()))))


def _cells(part: Part, bridge: Bridge, changes: Mapping[CellKey, CellChange]) -> Iterator[Item]:
    for cell in part.cells:
        if cell.moved:
            yield _cell(cell, changes.get(cell.key))


def _cell(cell: CellPart, change: CellChange | None) -> Item:
    task, entity, dimension = cell.key
    lines = [
        Line("score", "", _score(cell.old), _score(cell.new)),
        Line("adds", f"{_signed_bounds(cell.adds)}, at a weight of {cell.weight}"),
    ]
    if change is not None:
        lines += answer_lines(change)
    if cell.note:
        lines.append(Line("note", cell.note))
    if change is not None:
        lines += why_lines(change.reasons)
    return Item(f"{task} {entity}/{dimension}", lines=tuple(lines))


def _score(bounds: Bounds | None) -> str:
    if bounds is None:
        return "not in it"
    low, high = (format(_decimal(bound, 2), "f").rstrip("0").rstrip(".") for bound in bounds)
    return low if low == high else f"{low} to {high}"


def _points(bounds: Bounds) -> str:
    low, high = (f"{_rounded(bound):.2f}" for bound in bounds)
    return low if low == high else f"{low} to {high}"


def _step(before: Bounds, after: Bounds, both: bool) -> str:
    low, high = (_signed(_rounded(after[at]) - _rounded(before[at])) for at in (0, 1))
    return low if low == high or not both else f"{low} / {high}"


def _signed_bounds(bounds: Bounds) -> str:
    """Points with as many decimals as a small share of a large benchmark needs."""
    low, high = (_signed(_decimal(bound * 100, 4)) for bound in bounds)
    return f"{low} points" if low == high else f"{low} / {high} points (by the lower / the upper bound)"


def _signed(value: Decimal) -> str:
    return f"{value:+f}".replace("-", "−") if value else f"{abs(value):f}"


def _rounded(share: Fraction) -> Decimal:
    return _decimal(share * 100, 2)


def _decimal(number: Fraction, places: int) -> Decimal:
    """A fraction rounded half-even to a number of decimals, without ever being a binary float."""
    scaled = round(number * 10**places)
    return Decimal(scaled).scaleb(-places).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)

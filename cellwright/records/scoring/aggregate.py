"""Cell scores into means of tasks, families and the benchmark; every mean carries its denominators.

A task's score is the mean of its cells, the benchmark's the mean of its tasks, also over the tasks that all
runs share (design, section 8). Outcomes stay apart: `scored`; `unparsed` and `no_answer` count 0;
`judge_failed` has bounds only; `run_failed` takes the task out of this run's means, and is named and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, get_args

from cellwright.records.decimals import CONTEXT

Outcome = Literal["scored", "unparsed", "no_answer", "judge_failed", "run_failed"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class CellScore:
    """What one cell earned, and how it came about; `lower` and `upper` bound what is undecided."""

    task: str
    entity: str
    dimension: str
    family: str
    outcome: Outcome
    lower: Decimal
    upper: Decimal

    @property
    def score(self) -> Decimal | None:
        """The score, None where only its bounds are known or the run failed."""
        if self.outcome in ("judge_failed", "run_failed") or self.lower != self.upper:
            return None
        return self.lower


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with what it was taken over. Scores are 0 to 1.

    `lower` and `upper` are the means of the bounds, None where nothing was counted.
    """

    lower: Decimal | None
    upper: Decimal | None
    members: int
    """How many numbers it is the mean of: cells of a task or family, tasks of a benchmark."""
    cells: int
    """Cells counted, of all outcomes but `run_failed`."""
    counts: Mapping[Outcome, int]
    """Cells by outcome; `run_failed` are not in `cells`."""
    bounds_only: int = 0
    """Cells counted of which only bounds are known."""

    @property
    def score(self) -> Decimal | None:
        """The mean, None where a cell's bounds leave it open or nothing was counted."""
        return self.lower if self.lower == self.upper else None


@dataclass(frozen=True, slots=True)
class Totals:
    """All means of one run on one bundle."""

    tasks: Mapping[str, Mean]
    """By task: the mean of its cells."""
    families: Mapping[str, Mean]
    """By capability family: the mean over the tasks of the mean of the family's cells in each."""
    dimensions: Mapping[tuple[str, str], Mean]
    """By task and dimension: the mean of its cells."""
    benchmark: Mean
    """The mean of the tasks."""
    run_failed: tuple[tuple[str, int], ...]
    """Tasks whose run failed, with the cells that are therefore counted nowhere."""


def total_scores(cells: Iterable[CellScore], only: Iterable[str] | None = None) -> Totals:
    """The means of `cells`; with `only`, over those tasks alone (`shared_tasks` gives them)."""
    chosen = None if only is None else set(only)
    asked = [cell for cell in cells if chosen is None or cell.task in chosen]
    failed = sorted({cell.task for cell in asked if cell.outcome == "run_failed"})
    kept = [cell for cell in asked if cell.task not in failed]
    by_task = _group(kept, lambda cell: cell.task)
    tasks = {task: mean_of_scores(group) for task, group in by_task.items()}
    families: dict[str, Mean] = {}
    for family, group in _group(kept, lambda cell: cell.family).items():
        families[family] = mean_of_means(
            [mean_of_scores(part) for part in _group(group, lambda cell: cell.task).values()]
        )
    dimensions = {(cell.task, cell.dimension): cell for cell in kept}
    return Totals(
        tasks,
        families,
        {
            key: mean_of_scores([cell for cell in by_task[key[0]] if cell.dimension == key[1]])
            for key in sorted(dimensions)
        },
        mean_of_means(list(tasks.values())),
        tuple((task, sum(cell.task == task for cell in asked)) for task in failed),
    )


def mean_of_scores(cells: Sequence[CellScore]) -> Mean:
    """The mean of cells; those whose run failed are counted apart."""
    counted = [cell for cell in cells if cell.outcome != "run_failed"]
    counts: dict[Outcome, int] = {outcome: sum(cell.outcome == outcome for cell in cells) for outcome in OUTCOMES}
    return Mean(
        _mean([cell.lower for cell in counted]),
        _mean([cell.upper for cell in counted]),
        len(counted),
        len(counted),
        counts,
        sum(cell.score is None for cell in counted),
    )


def mean_of_means(means: Sequence[Mean]) -> Mean:
    """The plain mean of means, each of equal weight; means of nothing are left out."""
    full = [mean for mean in means if mean.lower is not None]
    return Mean(
        _mean([mean.lower for mean in full if mean.lower is not None]),
        _mean([mean.upper for mean in full if mean.upper is not None]),
        len(full),
        sum(mean.cells for mean in full),
        {outcome: sum(mean.counts.get(outcome, 0) for mean in means) for outcome in OUTCOMES},
        sum(mean.bounds_only for mean in full),
    )


def shared_tasks(runs: Iterable[Iterable[CellScore]]) -> tuple[str, ...]:
    """The tasks of which every run has counted cells and none whose run failed, sorted."""
    shared: set[str] | None = None
    for run in runs:
        cells = list(run)
        failed = {cell.task for cell in cells if cell.outcome == "run_failed"}
        tasks = {cell.task for cell in cells} - failed
        shared = tasks if shared is None else shared & tasks
    return tuple(sorted(shared or ()))


def _group(cells: Iterable[CellScore], key: Callable[[CellScore], str]) -> dict[str, list[CellScore]]:
    groups: dict[str, list[CellScore]] = {}
    for cell in cells:
        groups.setdefault(key(cell), []).append(cell)
    return dict(sorted(groups.items()))


def _mean(numbers: Sequence[Decimal]) -> Decimal | None:
    if not numbers:
        return None
    total = NOTHING
    for number in numbers:
        total = CONTEXT.add(total, number)
    return CONTEXT.divide(total, Decimal(len(numbers)))

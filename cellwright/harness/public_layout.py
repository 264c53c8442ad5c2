"""Runs on a bundle ↔ the records of the public layout: a pure mapping, there and back.

`layout_of` gives the records of any number of runs, `runs_of` the runs that records tell. Percentages are exact:
the mean of the cells, times a hundred, in 34 digits, never rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from cellwright.harness.public_models import (
    ModelAnswer,
    ModelResult,
    ModelSummary,
    Pair,
    ScoredCell,
    ScoreDetail,
    Status,
    Summary,
    pair_id,
)
from cellwright.records.decimals import CONTEXT
from cellwright.records.scoring.aggregate import CellScore, Mean, mean_of_scores

PASS_PCT = Decimal(50)
"""The percentage from which a case counts as passed, where nobody says another: half of what it can earn.

The public benchmark tells how many cases a model passed and not from which score on, so each line of ours does."""
HUNDRED = Decimal(100)
NOTHING = Decimal(0)


@dataclass(frozen=True)
class Run:
    """One model on a benchmark. A case that is in `cells` was run."""

    model: str
    cells: Mapping[str, Sequence[ScoredCell]]
    """By case: all its cells, in the order of its matrix."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """By case: the text of the answer, where it is known."""


@dataclass(frozen=True)
class ExportSettings:
    """What a layout says of itself, and from which percentage on a case is passed."""

    dataset_id: str | None = None
    dataset_url: str | None = None
    code_url: str | None = None
    exported_at: str | None = None
    pass_pct: Decimal = PASS_PCT

    def named(self, name: str) -> ExportSettings:
        """The same, with `name` for the dataset's id where none was said."""
        return self if self.dataset_id is not None else replace(self, dataset_id=name)


@dataclass(frozen=True)
class Layout:
    """All records. `cases` are as they are written; the others in the order of model and case."""

    cases: Sequence[Mapping[str, Any]]
    results: Sequence[ModelResult]
    answers: Sequence[ModelAnswer]
    details: Sequence[ScoreDetail]
    summary: Summary

    @property
    def case_ids(self) -> list[str]:
        """The cases' ids, in their order."""
        return [str(case["case_id"]) for case in self.cases]


def layout_of(cases: Sequence[Mapping[str, Any]], runs: Iterable[Run], settings: ExportSettings) -> Layout:
    """The layout of these runs: a line for each model and case in each table, null where there is no run."""
    ordered = sorted(runs, key=lambda run: run.model)
    names = [str(case["case_id"]) for case in cases]
    pairs = [(run, case) for run in ordered for case in names]
    results = [_result(run, case, settings.pass_pct) for run, case in pairs]
    answers = [ModelAnswer(**_names(run, case), answer=run.answers.get(case) or None) for run, case in pairs]
    details = [
        ScoreDetail(**_names(run, case), cells=list(run.cells[case]) if case in run.cells else None)
        for run, case in pairs
    ]
    models = [run.model for run in ordered]
    return Layout(cases, results, answers, details, summary_of(len(names), models, results, answers, details, settings))


def summary_of(
    n_cases: int,
    models: Sequence[str],
    results: Sequence[ModelResult],
    answers: Sequence[ModelAnswer],
    details: Sequence[ScoreDetail],
    settings: ExportSettings,
) -> Summary:
    """The counts and averages that the tables give."""
    return Summary(
        dataset_id=settings.dataset_id,
        dataset_url=settings.dataset_url,
        code_url=settings.code_url,
        exported_at=settings.exported_at,
        n_cases=n_cases,
        n_models=len(models),
        n_model_case_pairs=len(results),
        n_scored=sum(item.overall_pct is not None for item in results),
        n_model_answer_records=len(answers),
        n_model_answers_with_text=sum(bool(item.answer) for item in answers),
        n_score_detail_records=len(details),
        by_model=_by_model(models, results, n_cases),
    )


def _by_model(models: Sequence[str], results: Sequence[ModelResult], expected: int) -> dict[str, ModelSummary]:
    mine: dict[str, list[ModelResult]] = {model: [] for model in models}
    for item in results:
        mine.setdefault(item.model, []).append(item)
    found = {}
    for model, items in mine.items():
        scores = [item.overall_pct for item in items if item.overall_pct is not None]
        found[model] = ModelSummary(
            scored=len(scores),
            expected=expected,
            avg_overall_pct=_average(scores),
            pass_count=sum(item.passed is True for item in items),
        )
    return found


def runs_of(layout: Layout) -> list[Run]:
    """The runs that a layout tells, sorted by model; a pair whose cells are null was not run."""
    found: dict[str, tuple[dict[str, list[ScoredCell]], dict[str, str]]] = {
        model: ({}, {}) for model in sorted({item.model for item in layout.results})
    }
    for detail in layout.details:
        if detail.cells is not None:
            found[detail.model][0][detail.case_id] = detail.cells
    for answer in layout.answers:
        if answer.answer:
            found[answer.model][1][answer.case_id] = answer.answer
    return [Run(model, cells, answers) for model, (cells, answers) in found.items()]


def mean_of_cells(cells: Sequence[ScoredCell], case: str = "") -> Mean:
    """The mean of a case's cells with its denominators."""
    return mean_of_scores(
        [
            CellScore(case, cell.entity, cell.dimension, "", cell.outcome, cell.lower or NOTHING, cell.upper or NOTHING)
            for cell in cells
        ]
    )


def percent(share: Decimal | None) -> Decimal | None:
    """A share of 1 as a percentage, exactly."""
    return None if share is None else CONTEXT.multiply(share, HUNDRED)


def status_of(cells: Sequence[ScoredCell] | None) -> Status:
    """How a run with these cells stands; None where there is no run."""
    if cells is None:
        return "missing"
    if any(cell.outcome == "run_failed" for cell in cells):
        return "run_failed"
    return "open" if mean_of_cells(cells).score is None else "scored"


def _result(run: Run, case: str, pass_pct: Decimal) -> ModelResult:
    cells = run.cells.get(case)
    status = status_of(cells)
    mean = mean_of_cells(cells, case) if cells is not None and status in ("scored", "open") else None
    overall = percent(mean.score) if mean else None
    return ModelResult(
        **_names(run, case),
        status=status,
        overall_pct=overall,
        lower_pct=percent(mean.lower) if mean else None,
        upper_pct=percent(mean.upper) if mean else None,
        passed=None if overall is None else overall >= pass_pct,
        pass_pct=pass_pct,
    )


def _names(run: Run, case: str) -> dict[str, Any]:
    return Pair(id=pair_id(run.model, case), model=run.model, case_id=case).model_dump()


def _average(scores: Sequence[Decimal]) -> Decimal | None:
    if not scores:
        return None
    total = NOTHING
    for score in scores:
        total = CONTEXT.add(total, score)
    return CONTEXT.divide(total, Decimal(len(scores)))

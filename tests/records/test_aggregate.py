"""Means of cells, tasks, families and the benchmark, each with its denominators."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.scoring import CellScore, Outcome, mean_of_scores, shared_tasks, total_scores

D = Decimal


def cell(
    task: str,
    entity: str,
    dimension: str,
    score: str = "1",
    *,
    family: str = "derivation",
    outcome: Outcome = "scored",
    upper: str = "",
) -> CellScore:
    return CellScore(task, entity, dimension, family, outcome, D(score), D(upper or score))


def test_published_family_means_give_the_published_overall() -> None:
    """Eight dimensions: one of retrieval, four of derivation, one of calibration, two of reasoning."""
    split = {
        "retrieval": ("37.84", 1),
        "derivation": ("32.55", 4),
        "calibration": ("34.16", 1),
        "reasoning": ("32.38", 2),
    }
    cells = [
        cell("t", entity, f"{family}_{index}", str(D(mean) / 100), family=family)
        for family, (mean, count) in split.items()
        for index in range(count)
        for entity in "abcdefgh"
    ]
    totals = total_scores(cells)
    assert {family: 100 * mean.score for family, mean in totals.families.items() if mean.score is not None} == {
        family: D(mean) for family, (mean, _) in split.items()
    }
    assert totals.benchmark.score is not None
    assert (100 * totals.benchmark.score).quantize(D("0.01"), ROUND_HALF_EVEN) == D("33.37")
    assert (totals.benchmark.cells, totals.families["derivation"].cells) == (64, 32)


def test_the_benchmark_is_the_mean_of_tasks_however_many_cells_each_has() -> None:
    cells = [cell("a", "x", "d1"), cell("b", "x", "d1", "0"), cell("b", "x", "d2", "0.5"), cell("b", "y", "d1", "0.25")]
    totals = total_scores(cells)
    assert (totals.tasks["a"].score, totals.tasks["b"].score) == (1, D("0.25"))
    assert (totals.benchmark.score, totals.benchmark.members, totals.benchmark.cells) == (D("0.625"), 2, 4)


def test_answers_that_are_missing_or_unread_count_nothing_and_are_counted_apart() -> None:
    mean = mean_of_scores(
        [
            cell("a", "x", "d1"),
            cell("a", "y", "d1", "0", outcome="no_answer"),
            cell("a", "z", "d1", "0", outcome="unparsed"),
        ]
    )
    assert (mean.members, mean.counts["scored"], mean.counts["no_answer"], mean.counts["unparsed"]) == (3, 1, 1, 1)
    assert mean.lower == mean.upper == CONTEXT_THIRD


CONTEXT_THIRD = D("0.3333333333333333333333333333333333")


def test_bounds_go_into_the_bounds_of_the_mean_and_leave_no_score() -> None:
    mean = mean_of_scores([cell("a", "x", "d1", "0.5", upper="1", outcome="judge_failed"), cell("a", "y", "d1")])
    assert (mean.lower, mean.upper, mean.score, mean.bounds_only) == (D("0.75"), D(1), None, 1)


def test_a_failed_run_takes_its_whole_task_out_and_is_named_with_its_cells() -> None:
    cells = [cell("a", "x", "d1"), cell("b", "x", "d1", "0", outcome="run_failed"), cell("b", "y", "d1", "0.5")]
    totals = total_scores(cells)
    assert (totals.benchmark.score, totals.benchmark.members, totals.run_failed) == (1, 1, (("b", 2),))
    assert list(totals.tasks) == ["a"]


def test_runs_are_compared_over_the_tasks_that_all_of_them_share() -> None:
    first = [cell("a", "x", "d1"), cell("b", "x", "d1", "0"), cell("c", "x", "d1")]
    second = [cell("a", "x", "d1", "0"), cell("b", "x", "d1", "0"), cell("c", "x", "d1", "0", outcome="run_failed")]
    shared = shared_tasks([first, second])
    assert shared == ("a", "b")
    assert total_scores(first, shared).benchmark.score == D("0.5")
    assert total_scores(second, shared).benchmark.members == 2


def test_a_family_is_the_mean_over_tasks() -> None:
    cells = [cell("a", "x", "d1"), cell("b", "x", "d1", "0"), cell("b", "y", "d1", "0"), cell("b", "z", "d1", "0")]
    assert total_scores(cells).families["derivation"].score == D("0.5")


def test_nothing_has_no_mean() -> None:
    totals = total_scores([])
    assert (totals.benchmark.score, totals.benchmark.members) == (None, 0)
    assert shared_tasks([]) == ()


scores = st.sampled_from(["0", "0.25", "0.5", "1"])


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9), scores), min_size=1, unique_by=lambda item: item[:2])
)
def test_every_mean_lies_between_its_least_and_greatest_cell(found: list[tuple[str, int, str]]) -> None:
    totals = total_scores(cell(task, f"e{number}", "d1", score) for task, number, score in found)
    values = [D(score) for _, _, score in found]
    assert totals.benchmark.score is not None
    assert min(values) <= totals.benchmark.score <= max(values)
    assert totals.benchmark.cells == len(found)


@pytest.mark.parametrize("outcome", ["judge_failed", "run_failed"])
def test_a_cell_without_a_verdict_has_no_score(outcome: Outcome) -> None:
    assert cell("a", "x", "d1", outcome=outcome).score is None

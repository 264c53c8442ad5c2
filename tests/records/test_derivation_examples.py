"""Worked examples with known figures: the field's own, published means, and the draft of the shipped task."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from cellwright.records.derivations import CellResult, Evaluator, static_problems
from cellwright.records.folder import TaskFolder, read_folder
from tests.conftest import missing
from tests.records.derivation_task import dimension, fact, task

# -- gross profit per vehicle

PER_VEHICLE = dimension(
    "gross_profit_per_vehicle",
    "auto_gross_profit: auto_revenue * auto_gross_margin",
    "answer: auto_gross_profit / vehicles_delivered",
    unit="CNY/vehicle",
)
MAKER = [
    fact("auto_revenue", "602 billion", unit="CNY", scale=9),
    fact("auto_gross_margin", "20.2", unit="percent"),
    fact("vehicles_delivered", "4.27 million", unit="vehicle", scale=6),
    fact("total_revenue", "777 billion", unit="CNY", scale=9),
]


def test_gross_profit_per_vehicle_is_28479() -> None:
    cell = Evaluator(task(PER_VEHICLE), MAKER).cell("a", "gross_profit_per_vehicle")
    assert cell.value is not None
    assert round(cell.value) == 28479
    assert cell.steps[0].value == Decimal("121604000000")
    assert cell.steps[0].unit == "CNY"
    assert cell.interval is not None
    assert [round(end) for end in cell.interval] == [28351, 28606]


def test_the_total_for_the_segment_gives_29_percent_more() -> None:
    made = Evaluator(task(PER_VEHICLE), MAKER)
    value = made.cell("a", "gross_profit_per_vehicle").value
    miss = made.expression("total_revenue * auto_gross_margin / vehicles_delivered", "a", "gross_profit_per_vehicle")
    assert value is not None
    assert round(miss.value) == 36757
    assert round((miss.value / value - 1) * 100) == 29
    assert miss.interval is not None
    assert miss.interval[0] > made.cell("a", "gross_profit_per_vehicle").interval[1]  # type: ignore[index]


def test_published_family_means_give_the_published_mean_of_all() -> None:
    """37.84, 32.55 (four dimensions), 34.16 and 32.38 (two) over eight dimensions are published as 33.37."""
    facts = [
        fact(name, written, unit="ratio")
        for name, written in (
            ("retrieval.d1", "37.84"),
            ("derivation.d1", "32.55"),
            ("derivation.d2", "32.55"),
            ("derivation.d3", "32.55"),
            ("derivation.d4", "32.55"),
            ("calibration.d1", "34.16"),
            ("reasoning.d1", "32.38"),
            ("reasoning.d2", "32.38"),
        )
    ]
    found = Evaluator(
        task(dimension("d", "mean(retrieval.*, derivation.*, calibration.*, reasoning.*)", unit="ratio")), facts
    ).cell("a", "d")
    assert found.value is not None
    assert round(found.value, 2) == Decimal("33.37")


# -- the draft of the shipped task


@pytest.fixture(scope="module")
def draft(shared_data: Path) -> TaskFolder:
    folder = shared_data.parent / "examples" / "us-large-caps-fy2023"
    if not folder.is_dir():
        missing(f"no draft of the shipped task at {folder}")
    return read_folder({path.name: path.read_bytes() for path in folder.iterdir()}, "tasks/us-large-caps-fy2023")


@pytest.fixture(scope="module")
def evaluator(draft: TaskFolder) -> Evaluator:
    return Evaluator(draft.task, draft.facts)


def test_no_expression_of_the_draft_is_at_fault(draft: TaskFolder) -> None:
    assert static_problems(draft.task, draft.facts) == ()


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("gross_margin", "44.131 46.982 56.625 33.379 80.757 72.718 62.897 24.375"),
        ("fcf_margin", "25.982 5.605 22.608 11.755 32.503 44.353 7.700 2.333"),
        ("revenue_growth", "-2.800 11.830 8.683 -3.008 15.687 125.855 -12.527 6.026"),
        ("effective_tax_rate", "14.719 18.958 13.909 23.996 17.563 12.000 12.240 25.531"),
    ],
)
def test_the_draft_gives_the_checked_percentages(
    draft: TaskFolder, evaluator: Evaluator, name: str, figures: str
) -> None:
    found = [evaluator.cell(entity, name).value for entity in draft.task.entity_ids]
    assert [str(round(value, 3)) for value in found if value is not None] == figures.split()


def test_every_cell_of_the_draft_is_derived(draft: TaskFolder, evaluator: Evaluator) -> None:
    cells = evaluator.all_cells()
    assert len(cells) == 64
    assert all(isinstance(cell, CellResult) for cell in cells.values())
    ranks = {entity: evaluator.cell(entity, "research_rank").value for entity in draft.task.entity_ids}
    assert ranks == {"aapl": 3, "amzn": None, "goog": 1, "hd": None, "meta": 2, "nvda": 4, "txn": 5, "wmt": None}


def test_the_ends_of_the_draft_s_range_rest_on_the_facts_of_three_dimensions(evaluator: Evaluator) -> None:
    cell = evaluator.cell("aapl", "stressed_fcf_margin")
    assert cell.low is not None
    assert cell.high is not None
    assert (round(cell.low, 3), round(cell.high, 3)) == (Decimal("23.965"), Decimal("26.417"))
    assert cell.inputs == (
        "aapl.capex.fy2023",
        "aapl.cost_of_revenue.fy2023",
        "aapl.operating_cash_flow.fy2023",
        "aapl.revenue.fy2023",
    )
    assert cell.steps[0].inputs == ("fact:aapl.revenue.fy2023", "assumption:revenue_shock", "cell:aapl/gross_margin")


def test_the_checks_of_the_draft_tie_out(draft: TaskFolder, evaluator: Evaluator) -> None:
    held = [
        evaluator.check(check, spec.entity, spec.dimension).holds
        for spec in draft.task.cells()
        for check in spec.checks
    ]
    assert held == [True] * 16


def test_the_draft_s_divergent_witnesses_give_other_answers(draft: TaskFolder, evaluator: Evaluator) -> None:
    later = draft.fact_by_id["meta.capex.fy2023.later"]
    other = evaluator.substituted({"meta.capex.fy2023": later}).cell("meta", "fcf_margin")
    first = evaluator.cell("meta", "fcf_margin")
    assert first.value is not None
    assert other.value is not None
    assert (round(first.value, 3), round(other.value, 3)) == (Decimal("32.503"), Decimal("32.667"))
    split = draft.fact_by_id["nvda.eps_diluted.fy2023.later"]
    other = evaluator.substituted({"nvda.eps_diluted.fy2023": split}).cell("nvda", "diluted_eps")
    assert other.value == Decimal("1.19")

"""Known missteps made in a cell's own derivation: which there are, what they give and what they are called."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.derivations import Evaluator, Misstep
from cellwright.records.derivations._missteps import MOST
from cellwright.records.missteps import MISSTEPS
from cellwright.records.rows import Fact
from tests.records.derivation_task import dimension, evaluator, fact, task


def number(name: str, value: str, entity: str = "a", **more: Any) -> Fact:
    """A fact in full with its value."""
    more = {"unit": "USD", "id": f"{entity}.{name}.{more.get('period', 'FY2023').lower()}", **more}
    return fact(name, value, entity, value=value, **more)


def missteps(facts: Sequence[Fact], *steps: str, unit: str = "USD", **more: Any) -> dict[str, Misstep]:
    """The missteps of the cell a/d by their id."""
    return {found.id: found for found in evaluator(facts, *steps, unit=unit, **more).missteps("a", "d")}


def named(found: dict[str, Misstep], name: str) -> list[Decimal]:
    """The values of the missteps of one name, sorted."""
    return sorted(item.value for item in found.values() if item.name == name and item.value is not None)


NOW, BEFORE = number("revenue", "120"), number("revenue", "100", period="FY2022")


@pytest.mark.parametrize(
    ("name", "unit", "steps", "values"),
    [
        ("reversed_difference", "percent", ("revenue / revenue[-1] - 1",), ["-16.7"]),
        ("reversed_difference", "USD", ("revenue - revenue[-1]",), ["-20.0"]),
        ("reversed_difference", "percent", ("change: revenue - revenue[-1]", "change / revenue[-1]"), ["-20.0"]),
        ("wrong_base", "percent", ("revenue / revenue[-1] - 1",), ["16.7"]),
        ("wrong_base", "percent", ("change: revenue - revenue[-1]", "change / revenue[-1]"), ["16.7"]),
        ("step_dropped", "percent", ("revenue / revenue[-1] - 1",), ["120.0"]),
        ("step_dropped", "USD", ("both: sum(revenue, revenue[-1])", "both / two"), ["220.0"]),
        ("ratio_inverted", "percent", ("revenue / revenue[-1]",), ["83.3"]),
        ("percent_for_fraction", "percent", ("revenue / revenue[-1]",), ["12000.0"]),
        ("fraction_for_percent", "percent", ("revenue / revenue[-1]",), ["1.2"]),
        ("wrong_scale", "USD", ("revenue",), ["0.0", "0.1", "120000.0", "120000000.0"]),
        ("wrong_period", "USD", ("revenue",), ["100.0"]),
        ("sign_lost", "USD", ("revenue[-1] * loss",), ["50.0"]),
    ],
)
def test_a_misstep_gives_what_a_solver_would(name: str, unit: str, steps: tuple[str, ...], values: list[str]) -> None:
    assumed = [{"id": "two", "value": "2", "reason": "two years"}, {"id": "loss", "value": "-0.5", "reason": "a loss"}]
    found = missteps([NOW, BEFORE], *steps, unit=unit, assumptions=assumed)
    assert [f"{value:.1f}" for value in named(found, name)] == values


def test_the_total_taken_for_the_segment_gives_36_757_in_the_worked_example() -> None:
    maker = [
        fact("auto_revenue", "602", unit="CNY", scale=9, value="602000000000"),
        fact("total_revenue", "777", unit="CNY", scale=9, value="777000000000"),
        fact("auto_gross_margin", "20.2", unit="percent", value="20.2"),
        fact("vehicles_delivered", "4.27", unit="vehicle", scale=6, value="4270000"),
    ]
    steps = ("auto_gross_profit: auto_revenue * auto_gross_margin", "auto_gross_profit / vehicles_delivered")
    found = missteps(maker, *steps, unit="CNY/vehicle")
    miss = found["computed_total_for_segment_total_revenue_for_auto_revenue"]
    assert miss.value is not None
    assert round(miss.value) == 36757
    assert miss.why == "`a.total_revenue.fy2023` in the place of `a.auto_revenue.fy2023`"
    assert miss.inputs == ("a.auto_gross_margin.fy2023", "a.total_revenue.fy2023", "a.vehicles_delivered.fy2023")
    assert miss.interval is not None
    assert [round(end) for end in miss.interval] == [36600, 36915]


@pytest.mark.parametrize(
    ("used", "other", "more", "name"),
    [
        ("revenue.cars", "revenue", {}, "total_for_segment"),
        ("revenue", "revenue.cars", {}, "segment_for_total"),
        ("net_income", "pretax_income", {}, "gross_for_net"),
        ("gross_profit", "operating_profit", {}, "net_for_gross"),
        ("revenue", "revenue", {"rank": "witness", "id": "w"}, "witness_for_primary"),
        ("revenue", "revenue", {"rank": "trap", "id": "w"}, "trap_for_primary"),
        ("revenue", "revenue", {"rank": "context", "id": "w"}, "other_reading"),
        ("revenue", "revenue", {"rank": "superseded", "id": "w"}, "other_reading"),
        ("revenue", "staff_cost", {}, "other_figure"),
    ],
)
def test_another_figure_is_named_by_what_it_is_beside_the_one_used(
    used: str, other: str, more: dict[str, Any], name: str
) -> None:
    found = missteps([number(used, "120"), number(other, "90", **more)], used)
    assert named(found, name) == [Decimal(90)]


def test_a_figure_of_another_unit_or_period_or_of_the_same_value_takes_no_place() -> None:
    others = [number("staff", "90", unit="employee"), number("cost", "80", period="FY2022"), number("sales", "120")]
    found = missteps([number("revenue", "120"), *others], "revenue")
    assert {item.name for item in found.values()} == {"wrong_scale"}


def test_no_figure_takes_the_place_of_another_that_the_answer_rests_on() -> None:
    found = missteps([NOW, BEFORE, number("cost", "70")], "(revenue - cost) / revenue", unit="percent")
    assert not any("cost_for_revenue" in name or "revenue_for_cost" in name for name in found)


def test_the_year_before_is_taken_of_every_figure_or_of_one() -> None:
    facts = [NOW, BEFORE, number("cost", "70"), number("cost", "65", period="FY2022")]
    found = missteps(facts, "(revenue - cost) / revenue", unit="percent")
    whole, revenue = found["computed_wrong_period"], found["computed_wrong_period_revenue"]
    assert (whole.value, revenue.value) == (Decimal(35), Decimal(30))
    assert whole.why == "the figures of the year before"


def test_a_change_is_not_taken_of_one_year_alone() -> None:
    found = missteps([NOW, BEFORE], "revenue / revenue[-1] - 1", unit="percent")
    assert named(found, "wrong_period") == []


@pytest.mark.parametrize(
    ("steps", "value"),
    [(("mean(x, y, z)",), "15"), (("total: sum(x, y, z)", "total / three"), "15"), (("mean(x, y)",), None)],
)
def test_a_mean_over_one_figure_less(steps: tuple[str, ...], value: str | None) -> None:
    facts = [number("x", "5"), number("y", "10"), number("z", "15")]
    assumed = [{"id": "three", "value": "3", "reason": "three figures"}]
    found = missteps(facts, *steps, assumptions=assumed)
    assert named(found, "wrong_divisor") == ([] if value is None else [Decimal(value)])


def test_a_rank_is_counted_from_the_other_end_and_nothing_else_is_said_of_it() -> None:
    facts = [number("x", "5"), number("x", "9", "b"), number("x", "7", "c")]
    found = missteps(facts, "rank(x, all.x, descending)", unit="rank")
    assert [(item.name, item.value) for item in found.values()] == [("reversed_rank", Decimal(1))]


def test_the_nearest_two_of_the_other_entities_are_kept() -> None:
    facts = [number("x", value, entity) for entity, value in zip("abcd", ("50", "90", "58", "40"), strict=True)]
    found = missteps(facts, "x", entities=("a", "b", "c", "d"))
    assert sorted(name for name in found if "entity" in name) == ["computed_other_entity_c", "computed_other_entity_d"]


def test_a_range_has_missteps_with_two_ends() -> None:
    made = dimension("d", "low: revenue - cost", "high: revenue - cost / two", unit="USD", answer_type="range")
    assumed = [{"id": "two", "value": "2", "reason": "half of it"}]
    facts = [NOW, BEFORE, number("cost", "40"), number("cost", "30", period="FY2022")]
    found = Evaluator(task(made, assumptions=assumed), facts).missteps("a", "d")
    earlier = next(item for item in found if item.id == "computed_wrong_period")
    assert (earlier.value, earlier.low, earlier.high) == (None, Decimal(70), Decimal(85))
    assert all(item.low is not None and item.high is not None and item.low <= item.high for item in found)


def test_of_very_many_figures_few_are_tried() -> None:
    parts = [number(f"cost.p{place}", str(100 + place)) for place in range(400)]
    kin = [number(f"cost.p{place}.q", str(1000 + place)) for place in range(400)]
    made = evaluator([*parts, *kin], "sum(cost.*)", unit="USD")
    assert len(made.missteps("a", "d")) <= MOST


@pytest.mark.parametrize("unit", ["rank", "count", "yes_no"])
def test_a_whole_answer_has_no_scale(unit: str) -> None:
    assert missteps([number("x", "5", unit="count")], "x", unit=unit) == {}


def test_a_cell_without_an_answer_has_none() -> None:
    assert missteps([NOW], "revenue / (1 - 1)") == {}
    assert missteps([NOW], "revenue", answer_type="not_available") == {}


def test_a_misstep_that_gives_no_number_is_left_out() -> None:
    facts = [NOW, BEFORE, number("cost", "0", period="FY2022"), number("cost", "5")]
    found = missteps(facts, "revenue / cost", unit="percent")
    assert "computed_wrong_period" not in found
    assert "computed_wrong_period_revenue" in found


figures = st.integers(-10_000, 10_000).map(str)
expressions = st.sampled_from(
    ["x", "x - y", "x / z", "(x - y) / y", "x / y - 1", "mean(x, y, z)", "x * y / z", "sum(x, y) / z", "abs(x - y)"]
)


@given(expressions, figures, figures, figures, figures)
def test_missteps_are_few_named_and_neither_the_answer_nor_twice_the_same(
    expr: str, x: str, y: str, z: str, before: str
) -> None:
    facts = [number("x", x, unit=""), number("y", y, unit=""), number("z", z, unit="")]
    facts += [number("x", before, unit="", period="FY2022"), number("x", y, unit="", rank="trap", id="t")]
    made = evaluator(facts, expr, unit="ratio")
    found = made.missteps("a", "d")
    own = made.try_cell("a", "d")
    assert len(found) <= MOST
    assert {item.name for item in found} <= set(MISSTEPS)
    assert len({item.id for item in found}) == len(found)
    values = [f"{item.value:.20e}" for item in found]
    assert len(set(values)) == len(values)
    assert getattr(own, "value", None) not in [item.value for item in found]
    for item in found:
        assert item.interval is None or item.value is None or item.interval[0] <= item.value <= item.interval[1]
    assert found == evaluator(facts, expr, unit="ratio").missteps("a", "d")

"""Slips of a derivation that arithmetic cannot see, and the right expressions that look like them."""

from __future__ import annotations

import pytest

from .clean_task import Parts, clean

ANSWER = "      - {id: answer, expr: revenue}\n"
PERIODS = "  FY2022: {default: 2022-01-01/2022-12-31}\n"
EARLIER = "".join(f"  FY{year}: {{default: {year}-01-01/{year}-12-31}}\n" for year in (2019, 2020, 2021))
FIVE = "revenue, revenue[-1], revenue[-2], revenue[-3], revenue[-4]"


def with_steps(*steps: tuple[str, str], ask: str = "Revenue of the fiscal year", **assumptions: int) -> Parts:
    """The clean task with other steps for revenue; only the linter looks at them, so figures may lack."""
    parts = clean()
    lines = "".join(f'      - {{id: {name}, expr: "{expr}"}}\n' for name, expr in steps)
    parts.say(ANSWER, lines)
    parts.say("ask: Revenue of the fiscal year as first reported.", f"ask: {ask}.")
    parts.say(PERIODS, PERIODS + EARLIER)
    stated = "".join(f"  - {{id: {name}, value: {value}, reason: stated}}\n" for name, value in assumptions.items())
    parts.say("assumptions:\n", f"assumptions:\n{stated}")
    return parts


@pytest.mark.parametrize(
    ("steps", "count"),
    [
        ([("answer", f"sum({FIVE}) / n")], 4),
        ([("answer", f"({FIVE.replace(', ', ' + ')}) / n")], 4),
        ([("total", f"sum({FIVE})"), ("answer", "total / n")], 6),
        ([("first", "revenue + revenue[-1]"), ("total", "first + revenue[-2]"), ("answer", "total / n")], 2),
        ([("answer", "sum(revenue, cost, research) / n")], 2),
        ([("answer", "sum(all.revenue) / n")], 2),
        ([("answer", "sum(all.revenue) / count(others.revenue)")], 0),
    ],
)
def test_a_mean_divided_by_another_count_is_told(steps: list[tuple[str, str]], count: int) -> None:
    assert with_steps(*steps, n=count).findings("C3-MEAN-DIVISOR")


@pytest.mark.parametrize(
    ("steps", "count"),
    [
        ([("answer", f"sum({FIVE}) / n")], 5),
        ([("first", "revenue + revenue[-1]"), ("total", "first + revenue[-2]"), ("answer", "total / n")], 3),
        ([("answer", "(revenue + revenue[-1]) / 2")], 0),
        ([("answer", "(revenue * 2 + revenue[-1]) / n")], 3),  # a weighted mean
        ([("answer", "sum(revenue, revenue[-1]) / n")], 12),  # a mean month
        ([("answer", "(revenue + cost) / n")], 7),  # a split into seven parts
        ([("answer", "sum(all.revenue) / count(all.revenue)")], 0),
        ([("answer", "sum(all.revenue) / n")], 3),
        ([("answer", "mean(revenue, revenue[-1])")], 0),
    ],
)
def test_a_mean_divided_by_its_count_and_what_is_no_mean_are_told_nothing(
    steps: list[tuple[str, str]], count: int
) -> None:
    assert with_steps(*steps, n=count).findings("C3-MEAN-DIVISOR") == []


def test_an_asked_mean_that_nothing_divides_is_told() -> None:
    ask = "Average revenue of the two fiscal years"
    assert with_steps(("answer", "revenue + revenue[-1]"), ask=ask).findings("C3-MEAN-DIVISOR")
    assert with_steps(("answer", "revenue"), ask=ask).findings("C3-MEAN-DIVISOR") == []


@pytest.mark.parametrize(
    "steps",
    [
        [("answer", "revenue[-1] - revenue")],
        [("answer", "revenue['FY2021'] - revenue['FY2022']")],
        [("ratio", "revenue[-1] / revenue"), ("answer", "ratio - 1")],
        [("now", "revenue - cost"), ("before", "revenue[-1] - cost[-1]"), ("answer", "before - now")],
    ],
)
def test_a_reversed_change_is_told(steps: list[tuple[str, str]]) -> None:
    assert with_steps(*steps).findings("C3-CHANGE-REVERSED")


@pytest.mark.parametrize(
    ("steps", "ask"),
    [
        ([("answer", "revenue - revenue[-1]")], "Change of revenue"),
        ([("answer", "revenue[-1] - revenue")], "Decline of revenue on the year before"),
        ([("answer", "revenue[-1] - cost")], "Revenue"),
        ([("answer", "1 - revenue[-1] / revenue")], "Share"),
        ([("answer", "revenue / revenue[-1] - 1")], "Growth"),
    ],
)
def test_a_change_the_right_way_round_and_a_fall_are_told_nothing(steps: list[tuple[str, str]], ask: str) -> None:
    assert with_steps(*steps, ask=ask).findings("C3-CHANGE-REVERSED") == []


@pytest.mark.parametrize(
    ("expr", "told"),
    [
        ("(revenue - revenue[-1]) / revenue", True),
        ("(revenue - revenue[-1]) / revenue[-2]", True),
        ("(revenue - revenue[-1]) / revenue[-1]", False),
        ("(revenue - revenue[-1]) / ((revenue + revenue[-1]) / 2)", False),
        ("(revenue - cost) / revenue", False),
    ],
)
def test_a_change_is_divided_by_the_earlier_figure(expr: str, told: bool) -> None:
    assert bool(with_steps(("answer", expr)).findings("C3-CHANGE-BASE")) is told


def test_an_opening_balance_may_be_of_another_day_than_what_it_is_divided_into() -> None:
    parts = with_steps(("answer", "revenue / assets[-1]"))
    assert parts.findings("C3-RATIO-PERIODS")
    balance = {"entity": "alfa", "name": "assets", "source": "alfa-report", "label": "Assets"}
    parts.add_fact("9,000", **balance, period="2022-12-31", id="alfa.assets.opening")
    assert parts.findings("C3-RATIO-PERIODS") == []

"""The interval that the last written digits of the facts leave (design, section 5)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.decimals import CONTEXT
from cellwright.records.derivations import Evaluator
from tests.records.derivation_task import dimension, evaluated, evaluator, fact, task


def D(text: str) -> Decimal:
    return Decimal(text)


@pytest.mark.parametrize(
    ("written", "more", "low", "high"),
    [
        ("383,285", {"scale": 6}, "383284500000", "383285500000"),
        ("383,285", {}, "383284.5", "383285.5"),
        ("6.13", {"unit": "USD/share"}, "6.125", "6.135"),
        ("2.90", {}, "2.895", "2.905"),
        ("(10,959)", {"scale": 6, "sign": "reversed"}, "10958500000", "10959500000"),
        ("(2,722)", {"scale": 6}, "-2722500000", "-2721500000"),
        ("602 billion", {"scale": 9}, "601500000000", "602500000000"),
        ("1.61", {"scale": -2}, "0.01605", "0.01615"),
        ("20.2", {"unit": "percent"}, "20.15", "20.25"),
        ("4.27", {"scale": 6, "unit": "vehicle"}, "4265000", "4275000"),
        ("4,274,123", {"unit": "vehicle"}, "4274123", "4274123"),
        ("12", {"unit": "count"}, "12", "12"),
        ("12.5", {"unit": "count"}, "12.45", "12.55"),
        ("1", {"unit": "yes_no"}, "1", "1"),
        ("", {"value": "383285000000", "scale": 6}, "383284999999.5", "383285000000.5"),
        ("", {"value": "6.13"}, "6.125", "6.135"),
        ("", {"value": "250", "unit": "vehicle"}, "250", "250"),
        ("see note 3", {"value": "7.5"}, "7.45", "7.55"),
        ("1.234,5", {"value": "1234500000", "scale": 6}, "1234450000", "1234550000"),
        ("1.234", {"value": "1234000000", "scale": 6}, "1233500000", "1234500000"),
        ("1.234", {"value": "1234"}, "1233.5", "1234.5"),
        ("1.200", {"value": "1200"}, "1199.5", "1200.5"),
    ],
)
def test_a_fact_stands_for_half_a_unit_of_its_last_digit_on_both_sides(
    written: str, more: dict[str, Any], low: str, high: str
) -> None:
    found = evaluated("x", [fact("x", written, **more)], more.get("unit", "USD"))
    assert found.interval == (D(low), D(high))


def test_a_filled_value_comes_before_what_is_written() -> None:
    assert evaluated("x", [fact("x", "12", value="13")], "USD").value == 13


def test_the_locale_of_the_source_reads_what_is_written() -> None:
    made = Evaluator(task(dimension("d", "x", unit="EUR")), [fact("x", "1.234,5", unit="EUR")], locales={"s": "de"})
    assert made.cell("a", "d").value == D("1234.5")


PLAIN = [
    fact("x", "10", unit="ratio"),
    fact("y", "5", unit="ratio"),
    fact("x2", "10", unit="ratio"),
    fact("e", "3", unit="count"),
]


@pytest.mark.parametrize(
    ("expr", "low", "high"),
    [
        ("x + y", "14", "16"),
        ("x - y", "4", "6"),
        ("x * y", "42.75", "57.75"),
        ("x / y", CONTEXT.divide(D("9.5"), D("5.5")), CONTEXT.divide(D("10.5"), D("4.5"))),
        ("x - x", "0", "0"),
        ("x / x", "1", "1"),
        ("x * x", "90.25", "110.25"),
        ("x ** 2 - x * x", "0", "0"),
        ("sum(x, y, e)", "17", "19"),
        ("e * x", "28.5", "31.5"),
        ("max(x, y)", "9.5", "10.5"),
        ("abs(y - x)", "4", "6"),
        ("x > y", "1", "1"),
        ("x > x2", "0", "1"),
        ("if(x > x2, x, y)", "4.5", "10.5"),
        ("2", "2", "2"),
        ("e / e", "1", "1"),
    ],
)
def test_each_fact_is_moved_alone_and_then_all_in_one_direction(expr: str, low: object, high: object) -> None:
    assert evaluated(expr, PLAIN).interval == (Decimal(str(low)), Decimal(str(high)))


def test_a_fact_named_twice_is_one_fact() -> None:
    """Taken as two, revenue less a part of revenue would be as wide as two figures."""
    facts = [fact("x", "100", unit="ratio"), fact("y", "40", unit="ratio")]
    found = evaluated("(x - y) / x", facts)
    assert found.interval == (CONTEXT.divide(D("59.0"), D("99.5")), CONTEXT.divide(D("61.0"), D("100.5")))


def test_a_result_that_does_not_rise_or_fall_throughout_keeps_the_ends_that_were_reached() -> None:
    facts = [fact("x", "0", unit="ratio"), fact("y", "3", unit="ratio")]
    assert evaluated("x * x", facts).interval == (0, D("0.25"))
    assert evaluated("x * x + y", facts).interval == (D("2.5"), D("3.75"))


def test_an_assumption_is_exact() -> None:
    assumptions = [{"id": "cut", "value": "10", "unit": "percent", "reason": "?"}]
    assert evaluated("cut", [], "percent", assumptions=assumptions).interval == (10, 10)


def test_steps_have_intervals_of_their_own() -> None:
    cell = evaluator(PLAIN, "both: x + y", "answer: both / e").cell("a", "d")
    assert [(step.low, step.high) for step in cell.steps] == [
        (14, 16),
        (CONTEXT.divide(D(14), D(3)), CONTEXT.divide(D(16), D(3))),
    ]


def test_the_facts_of_other_cells_move_with_the_same_facts_here() -> None:
    made = Evaluator(task(dimension("p", "x + y"), dimension("q", "cells.p - x")), PLAIN)
    assert made.cell("a", "q").interval == (D("4.5"), D("5.5"))


def test_a_range_spans_from_its_lows_to_its_highs() -> None:
    cell = evaluator(PLAIN, "low: x - y", "high: x + y", answer_type="range").cell("a", "d")
    assert (cell.value, cell.low, cell.high) == (None, 5, 15)
    assert cell.ends == ((4, 6), (14, 16))
    assert cell.interval == (4, 16)


def test_digits_that_may_make_a_divisor_zero_set_no_bound_and_a_note_says_so() -> None:
    facts = [fact("x", "10", unit="ratio"), fact("y", "0.5", unit="ratio"), fact("z", "0", unit="ratio")]
    cell = evaluator(facts, "x / (y - z)").cell("a", "d")
    assert cell.value == 20
    assert cell.interval is None
    assert cell.steps[0].low is None
    assert cell.notes == ("`answer`: the last written digits set no bound (division by zero in `x / (y - z)`)",)


# -- ranks


def ranked(*written: str, direction: str = "descending", unit: str = "ratio") -> Any:
    entities = "abcd"[: len(written)]
    facts = [fact("x", text, entity, unit=unit) for entity, text in zip(entities, written, strict=True)]
    made = Evaluator(task(dimension("d", f"rank(x, all.x, {direction})", unit="rank"), entities=entities), facts)
    return made.cell("a", "d")


@pytest.mark.parametrize(
    ("written", "value", "low", "high"),
    [
        (("10", "20", "30"), 3, 3, 3),
        (("10", "10.3", "30"), 3, 2, 3),
        (("10", "9.7", "30"), 2, 2, 3),
        (("10", "10", "10"), 1, 1, 3),
        (("10", "11", "30"), 3, 3, 3),
        (("30", "20", "10"), 1, 1, 1),
    ],
)
def test_a_rank_compares_the_operands_intervals(written: tuple[str, ...], value: int, low: int, high: int) -> None:
    cell = ranked(*written)
    assert (cell.value, cell.interval) == (value, (low, high))


def test_an_ascending_rank_does_too() -> None:
    cell = ranked("10", "10.3", "5", direction="ascending")
    assert (cell.value, cell.interval) == (2, (2, 3))


def test_exact_counts_that_are_equal_cannot_flip() -> None:
    assert ranked("10", "10", "11", unit="count").interval == (2, 2)


def test_a_rank_that_could_flip_is_told() -> None:
    assert ranked("10", "10.3").notes == ("the rank 2 could flip: within the last written digits it is 1 to 2",)
    assert ranked("10", "20").notes == ()


# -- whatever the expression

OPERATORS = st.sampled_from(["+", "-", "*"])
NAMES = st.sampled_from(["x", "y", "x2", "e", "1", "2"])


@st.composite
def expressions(draw: st.DrawFn, depth: int = 4) -> str:
    if depth == 0 or draw(st.booleans()):
        return draw(NAMES)
    kind = draw(st.sampled_from(["binary", "max", "abs", "if"]))
    left, right = draw(expressions(depth=depth - 1)), draw(expressions(depth=depth - 1))
    return {
        "binary": f"({left}) {draw(OPERATORS)} ({right})",
        "max": f"max({left}, {right})",
        "abs": f"abs({left})",
        "if": f"if({left} > {right}, {left}, {right})",
    }[kind]


@given(expressions())
def test_an_interval_holds_its_value_and_every_fact_s_ends(expr: str) -> None:
    found = evaluated(expr, PLAIN)
    assert found.interval is not None
    low, high = found.interval
    assert low <= found.value <= high
    for moved in ("x", "y", "x2"):
        for shift in ("-0.5", "0.5"):
            facts = [
                item
                if item.name != moved
                else item.model_copy(update={"as_written": str(D(item.as_written) + D(shift))})
                for item in PLAIN
            ]
            assert low <= evaluated(expr, facts).value <= high

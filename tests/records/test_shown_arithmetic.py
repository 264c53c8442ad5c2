"""The arithmetic that an answer shows: read safely, and computed again."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.scoring.arithmetic import evaluate, interval
from cellwright.records.scoring.arithmetic_text import ArithmeticProblem, literals_in, parse_expression
from cellwright.records.scoring.replay import meet_at_some_scale, replay
from cellwright.records.scoring.submitted import ShownStep


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 3 × 4", "14"),
        ("(2 + 3) * 4", "20"),
        ("2 - 3 - 4", "-5"),
        ("24 / 4 / 2", "3"),
        ("-2^2", "-4"),
        ("2^3^2", "512"),
        ("2**-2", "0.25"),
        ("1 − 10%", "0.9"),
        ("100 ÷ 8", "12.5"),
        ("5 bp * 2", "0.001"),
        ("1.5 million + 500 thousand", "2000000"),
        ("$5.2bn - $1.1bn", "4100000000"),
        ("602 billion revenue × 20% margin", "120400000000"),
        ("3x4", "12"),
        ("8 CNY/vehicle * 2", "16"),
        ("[1 + 2] * 3", "9"),
        ("1,234 + 1", "1235"),
        ("1e3 * 2", "2000"),
        ("+5", "5"),
        ("--5", "5"),
    ],
)
def test_an_expression_is_computed_by_the_usual_rules(text: str, value: str) -> None:
    assert evaluate(parse_expression(text)) == Decimal(value)


def test_names_stand_for_values_shown_before() -> None:
    expression = parse_expression("revenue * margin", ("revenue", "margin"))
    assert expression.names == ["revenue", "margin"]
    assert evaluate(expression, {"revenue": Decimal(10), "margin": Decimal("0.2")}) == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "ends in nothing"),
        ("2 3", "two numbers without a sign"),
        ("2 +", "ends in nothing"),
        ("* 2", "a sign without a number"),
        ("(2", "not closed"),
        ("2)", "not opened"),
        ("()", "closes on nothing"),
        ("2 (3)", "a bracket after a number"),
        ("(" * 40 + "1" + ")" * 40, "brackets deeper than 32"),
        ("1+" * 500 + "1", "more than 400 words and signs"),
        ("1" * 3000, "more than 2000 characters"),
        ("2; 3", "`;` in an expression"),
        ("__import__('os')", "in an expression"),
        ("-" * 1000 + "1", "more than 400 words"),
    ],
)
def test_what_is_no_expression_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(ArithmeticProblem, match=why):
        parse_expression(text)


@pytest.mark.parametrize(
    ("text", "unclear"),
    [("1/0", False), ("2^9999999", True), ("(0-8)^0.5", False), ("9^9^9^9", True), ("(10^90)^90", False)],
)
def test_what_cannot_be_computed_is_refused(text: str, unclear: bool) -> None:
    with pytest.raises(ArithmeticProblem) as caught:
        evaluate(parse_expression(text))
    assert caught.value.unclear is unclear


def test_each_number_stands_for_half_a_unit_of_its_last_digit() -> None:
    assert interval(parse_expression("10.0 + 20.0")) == (Decimal("29.9"), Decimal("30.1"))
    assert interval(parse_expression("20.0 - 10.0")) == (Decimal("9.9"), Decimal("10.1"))


def test_the_constants_of_a_formula_are_exact() -> None:
    assert interval(parse_expression("100 * 2")) == (Decimal(200), Decimal(200))


@given(st.text(alphabet="0123456789+-*/^()., %=e×x aAb$", max_size=120))
def test_no_text_breaks_the_reader_of_expressions(text: str) -> None:
    try:
        low, high = interval(parse_expression(text))
    except ArithmeticProblem:
        return
    assert low <= high


@given(st.integers(100, 10**9), st.integers(100, 10**9), st.sampled_from("+*"))
def test_an_equation_that_is_right_agrees_and_one_half_above_differs(left: int, right: int, sign: str) -> None:
    true = left + right if sign == "+" else left * right
    assert replay(f"{left:,} {sign} {right:,} = {true:,}")[0].verdict == "agrees"
    assert replay(f"{left:,} {sign} {right:,} = {true * 3 // 2:,}")[0].verdict == "differs"


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("602 billion × 20.2% / 4.27 million = 28,479", ["agrees"]),
        ("602 × 20.2% / 4.27 = 28.479", ["agrees"]),
        ("602 × 20.2% / 4.27 = 28.5 thousand", ["agrees"]),
        ("602 × 20.2% / 4.27 = 31,000", ["differs"]),
        ("602 × 20.2% = 121.6 = 602 × 0.202", ["agrees", "agrees"]),
        ("Gross profit = 602 × 20.2% = 121.6; per vehicle: 121.6 / 4.27 = 28.48", ["agrees", "agrees"]),
        ("602 × 20.2% ≈ 122", ["agrees"]),
        ("602 × 20.2% ≈ 124", ["differs"]),
        ("121.6 = 602 × 20.2%", ["agrees"]),
        ("131.6 = 602 × 20.2%", ["differs"]),
        ("(391,035 - 383,285) / 383,285 = 2.02%", ["agrees"]),
        ("383,285 - 391,035 = -7,750", ["agrees"]),
        ("383,285 - 391,035 = 7,750", ["differs"]),
        ("\\frac{602 \\times 0.202}{4.27} = 28.479", ["agrees"]),
        ("**602** × **20.2%** = **121.6**", ["agrees"]),
        ("602 * 20.2% = 121.6 (rounded)", ["agrees"]),
        ("| 602 × 20.2% = 121.6 |", ["agrees"]),
        ("average of 602 + 604 = 603", ["unclear"]),
        ("602 × 20.2% = unknown", ["unclear"]),
        ("revenue = 602", []),
        ("no arithmetic", []),
        ("", []),
        ("1/0 = 5", ["differs"]),
    ],
)
def test_equations_in_a_text_are_found_and_computed_again(text: str, verdicts: list[str]) -> None:
    assert [equation.verdict for equation in replay(text)] == verdicts


def test_a_list_of_steps_is_computed_with_the_values_before() -> None:
    steps = [
        ShownStep("revenue", "", "602 billion", "CNY"),
        ShownStep("margin", "", "20.2", "percent"),
        ShownStep("profit", "revenue * margin", "121.6 billion", "CNY"),
        ShownStep("half", "profit / 2"),
        ShownStep("wrong", "profit / 2", "71.5"),
    ]
    assert [equation.verdict for equation in replay(steps)] == ["agrees", "agrees", "differs"]


def test_intervals_meet_at_any_scale_of_the_same_sign() -> None:
    span = Decimal("28.4"), Decimal("28.6")
    assert meet_at_some_scale(span, (Decimal(28479), Decimal(28479)))
    assert not meet_at_some_scale(span, (Decimal(-28479), Decimal(-28479)))
    assert not meet_at_some_scale(span, (Decimal(29479), Decimal(29479)))
    assert meet_at_some_scale((Decimal("9.99"), Decimal("10.01")), (Decimal(1), Decimal(1)))


def test_figures_within_words_are_no_numbers() -> None:
    assert [number.value for number in literals_in("FY2023 revenue of 602 billion, 20.2% and x1")] == [
        Decimal("602E9"),
        Decimal("0.202"),
    ]


def test_long_derivations_are_read_to_a_bound() -> None:
    assert len(replay("1.5 + 1.5 = 3\n" * 5_000)) == 100
    assert len(literals_in("7 " * 50_000)) == 2_000
    assert replay(" " * 20_000 + "= 5") == []


@pytest.mark.parametrize("sign", ["", "-"])
def test_a_result_keeps_all_its_digits_whatever_its_sign(sign: str) -> None:
    """Python's own minus and `abs` round to 28 digits, and results have 34."""
    digits = f"{sign}0.1234567890123456789012345678901234"
    (equation,) = replay(f"{sign}0.6172839450617283945061728394506170 / 5 = {digits}")
    assert equation.result[0] <= Decimal(digits) <= equation.result[1]

"""«Sound by rule»: inputs or intermediates shown, no near miss's input in their place, arithmetic that replays."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from cellwright.records.errors import UnreadableInput
from cellwright.records.scoring import Answer, Evidence, ShownStep, build_evidence, judge_by_rule
from cellwright.records.scoring.arithmetic_text import literals_in
from cellwright.records.scoring.evidence import Node, fact_node
from cellwright.records.scoring.soundness import shows

FACTS = {
    "auto_revenue": {"as_written": "602", "scale": "9", "value": "602000000000"},
    "margin": {"as_written": "20.2", "scale": "0", "value": "20.2"},
    "vehicles": {"as_written": "4.27", "scale": "6", "value": "4270000"},
    "total_revenue": {"as_written": "777", "scale": "9", "value": "777000000000"},
}
CELL = {"entity": "byd", "dimension": "profit"}
STEPS = {
    ("byd", "profit"): [
        {
            **CELL,
            "step": "auto_profit",
            "expr": "auto_revenue * margin",
            "value": "121604000000",
            "inputs": json.dumps(["fact:auto_revenue", "fact:margin"]),
        },
        {
            **CELL,
            "step": "answer",
            "expr": "auto_profit / vehicles",
            "value": "28478.6885",
            "inputs": json.dumps(["step:auto_profit", "fact:vehicles", "assumption:none"]),
        },
    ]
}
NEAR_MISSES = [{"near_miss": "total_for_segment", "inputs": json.dumps(["total_revenue", "margin", "vehicles"])}]
ANSWER = Answer("precise", Decimal(28479), digit=Decimal(1))


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    return build_evidence(CELL, STEPS, FACTS, NEAR_MISSES)


@pytest.mark.parametrize(
    "shown",
    [
        "602 billion × 20.2% / 4.27 million = 28,479",
        "602 × 0.202 / 4.27 = 28.479",
        "Gross profit 121.6 bn / 4.27 m vehicles = 28,478",
        "Revenue CNY 602.0bn, margin 20.2%: 602 × 20.2% = 121.6; 121.6 / 4.27 = 28.48 thousand",
        "602,000 million × 20.20 % ÷ 4,270,000 = 28,479",
        "Not 777 billion, which is the total, but 602 billion × 20.2% / 4.27 million = 28,479",
    ],
)
def test_inputs_or_intermediates_with_arithmetic_that_gives_the_answer_are_sound(
    evidence: Evidence, shown: str
) -> None:
    found = judge_by_rule(evidence, shown, ANSWER)
    assert (found.sound, found.missing) == (True, ())


@pytest.mark.parametrize(
    ("shown", "why"),
    [
        ("", "no derivation is shown"),
        ("computed from the annual report", "no numbers are shown"),
        ("the report gives CNY 28,479 per vehicle", "none of the inputs is shown"),
        ("602 × 20.2% / 4.27 = 31,000", "the shown arithmetic does not replay: 602 × 20.2% / 4.27 = 31,000"),
        ("in FY2023 and 2022, about 20% of 4 million", "none of the inputs is shown"),
    ],
)
def test_nothing_shown_or_arithmetic_that_does_not_replay_is_unsound(evidence: Evidence, shown: str, why: str) -> None:
    found = judge_by_rule(evidence, shown, ANSWER)
    assert (found.sound, found.why) == (False, why)


def test_the_input_of_a_near_miss_in_the_place_of_the_cells_own_is_unsound_and_named(evidence: Evidence) -> None:
    found = judge_by_rule(evidence, "777 billion × 20.2% / 4.27 million = 36,757", ANSWER)
    assert (found.sound, found.near_miss, found.missing) == (False, "total_for_segment", ("fact:auto_revenue",))
    assert found.why == "fact:total_revenue stands where fact:auto_revenue should"


@pytest.mark.parametrize(
    ("shown", "why"),
    [
        ("Revenue 602 billion, margin 20.2%, 4.27 million vehicles", "no shown arithmetic that could be read"),
        ("602 billion at 20.2% = 28,479", "not shown: fact:vehicles"),
        (
            "602 billion × 20.2% / 4.27 million = 28,479 less 5 (5 other things)",
            "no shown arithmetic that could be read",
        ),
    ],
)
def test_what_the_rule_cannot_decide_is_left_to_a_judge(evidence: Evidence, shown: str, why: str) -> None:
    found = judge_by_rule(evidence, shown, ANSWER)
    assert found.sound is None
    assert why in found.why


@pytest.mark.parametrize(
    "equation",
    [
        "28,479 × 1 = 28,479",
        "28,479 + 0 = 28,479",
        "28,479 = 28,479",
        "28.479 × 1,000 = 28,479",
        "28,479 × 4.27 / 4.27 = 28,479",
        "14,239.5 × 2 = 28,479",
        "28,000 + 479 = 28,479",
        "602 × 20.2% = 121.6; 28,000 + 479 = 28,479",
    ],
)
def test_inputs_named_beside_arithmetic_that_does_not_use_them_are_left_to_a_judge(
    evidence: Evidence, equation: str
) -> None:
    shown = f"602 billion; 20.2%; 4.27 million; {equation}"
    assert judge_by_rule(evidence, shown, ANSWER).sound is None
    listed = tuple(ShownStep(str(index), "", value) for index, value in enumerate(("602", "20.2%", "4.27")))
    expr = equation.split("; ")[-1].split(" = ")[0]
    assert judge_by_rule(evidence, (*listed, ShownStep("answer", expr, "28,479")), ANSWER).sound is None


def test_an_intermediate_leads_back_to_the_inputs_it_was_computed_from(evidence: Evidence) -> None:
    shown = "602 / 4.27 = 140.98; 140.98 × 20.2% = 28.478"
    assert judge_by_rule(evidence, shown, ANSWER).sound is True


def test_right_inputs_are_for_a_judge_to_confirm_only_where_every_input_is_shown(evidence: Evidence) -> None:
    assert judge_by_rule(evidence, "602 × 20.2% / 4.27 = 31,000", ANSWER).right_inputs is None
    assert judge_by_rule(evidence, "602 billion at 20.2%", ANSWER).right_inputs is False


def test_arithmetic_that_ends_elsewhere_than_in_the_answer_is_undecided(evidence: Evidence) -> None:
    other = Answer("precise", Decimal(36757), digit=Decimal(1))
    assert judge_by_rule(evidence, "602 × 20.2% / 4.27 = 28.479", other).sound is None


def test_a_list_of_steps_is_judged_like_text(evidence: Evidence) -> None:
    steps = (
        ShownStep("r", "", "602 billion"),
        ShownStep("m", "", "20.2%"),
        ShownStep("v", "", "4.27 million"),
        ShownStep("answer", "r * m / v", "28,479"),
    )
    assert judge_by_rule(evidence, steps, ANSWER).sound is True


def test_a_cell_that_needs_no_arithmetic_is_sound_when_its_inputs_are_shown() -> None:
    steps = {
        ("byd", "profit"): [
            {
                **CELL,
                "step": "answer",
                "expr": "rank(vehicles, all.vehicles, descending)",
                "value": "1",
                "inputs": json.dumps(["fact:vehicles", "fact:margin"]),
            }
        ]
    }
    evidence = build_evidence(CELL, steps, FACTS, [])
    assert judge_by_rule(evidence, "4.27 million against 20.2", Answer("precise", Decimal(1))).sound is True


@pytest.mark.parametrize(
    ("expr", "computes"),
    [
        ("revenue", False),
        ("revenue[-1]", False),
        ("rank(x, all.x, descending)", False),
        ("max(all.x)", False),
        ("a / b", True),
        ("sum(capex.*)", True),
        ("share(x, all.x)", True),
        ("a - b[-1]", True),
    ],
)
def test_arithmetic_is_asked_for_where_the_expression_computes(expr: str, computes: bool) -> None:
    steps = {("byd", "profit"): [{**CELL, "step": "answer", "expr": expr, "value": "1", "inputs": "[]"}]}
    assert build_evidence(CELL, steps, FACTS, []).computes is computes


def test_a_step_of_another_cell_is_followed_to_its_facts() -> None:
    steps = {
        **STEPS,
        ("byd", "stress"): [
            {
                "entity": "byd",
                "dimension": "stress",
                "step": "answer",
                "value": "25000",
                "expr": "cells.profit * 2",
                "inputs": json.dumps(["cell:byd/profit"]),
            }
        ],
    }
    evidence = build_evidence({"entity": "byd", "dimension": "stress"}, steps, FACTS, [])
    answer = Answer("precise", Decimal(25000))
    assert judge_by_rule(evidence, "602, 20.2% and 4.27", answer).missing == ()
    assert judge_by_rule(evidence, "28,479", answer).missing == ()
    assert judge_by_rule(evidence, "602 and 4.27", answer).missing == ("fact:margin",)


def test_steps_that_go_in_a_circle_end(evidence: Evidence) -> None:
    steps = {
        ("byd", "profit"): [
            {**CELL, "step": name, "expr": "x", "value": "777", "inputs": json.dumps([f"step:{other}"])}
            for name, other in (("a", "answer"), ("answer", "a"))
        ]
    }
    assert judge_by_rule(build_evidence(CELL, steps, FACTS, []), "602", ANSWER).sound is False


@pytest.mark.parametrize(
    ("as_written", "scale", "value", "low", "high", "digits"),
    [
        ("383,285", "6", "383285000000", "383284500000", "383285500000", 6),
        ("1.234,5", "0", "1234.5", "1234.45", "1234.55", 5),
        ("(20.2)", "0", "-20.2", "-20.25", "-20.15", 3),
        ("1,61", "-2", "0.0161", "0.01605", "0.01615", 3),
        ("٦٠٢", "9", "602000000000", "601500000000", "602500000000", 3),
        ("—", "6", "0", "-500000", "500000", 1),
        ("twelve", "0", "12", "12", "12", 2),
        ("500", "0", "500", "499.5", "500.5", 3),
    ],
)
def test_a_fact_stands_for_half_a_unit_of_its_last_written_digit_under_any_locale(
    as_written: str, scale: str, value: str, low: str, high: str, digits: int
) -> None:
    assert fact_node({"as_written": as_written, "scale": scale, "value": value}) == Node(
        Decimal(low), Decimal(high), digits
    )


@pytest.mark.parametrize(
    ("number", "low", "high", "digits", "expected"),
    [
        ("602", "601.5", "602.5", 3, True),
        ("603", "601.5", "602.5", 3, True),
        ("604", "601.5", "602.5", 3, False),
        ("0.602", "601500", "602500", 6, True),
        ("60", "601.5", "602.5", 3, False),
        ("60", "59.5", "60.5", 2, True),
        ("-602", "601.5", "602.5", 3, True),
        ("602", "-602.5", "-601.5", 3, True),
        ("28,500", "28478", "28479", 5, True),
        ("28,600", "28478", "28479", 5, False),
        ("999", "999.6", "1000.4", 4, True),
        ("100", "99.96", "100.04", 4, True),
        ("2023", "20.15", "20.25", 3, False),
        ("2023", "2022.5", "2023.5", 4, True),
        ("20.23", "20.15", "20.25", 3, True),
    ],
)
def test_a_shown_number_is_taken_at_any_scale_within_its_own_last_digit(
    number: str, low: str, high: str, digits: int, expected: bool
) -> None:
    assert shows(literals_in(number)[0], Node(Decimal(low), Decimal(high), digits)) is expected


@pytest.mark.parametrize("inputs", ["{", "{}", "[1]", "[" * 3000])
def test_inputs_that_are_no_list_of_names_are_told(inputs: str) -> None:
    with pytest.raises(UnreadableInput, match="`inputs` is not a list of names"):
        build_evidence(CELL, {("byd", "profit"): [{**STEPS["byd", "profit"][1], "inputs": inputs}]}, FACTS, [])


@pytest.mark.parametrize(
    "hostile",
    ["1.5+" * 480 + "1.5 = 3\n", "(" * 20_000, "= " * 10_000, "602 × " * 5_000, "1" * 20_000, "a=b;" * 5_000,
     "9^9^" * 5_000, "\\frac{" * 3_000, "\x00" * 20_000, "=1+1" * 5_000, "10^90*" * 3_000, "1/0 = " * 3_000],
)  # fmt: skip
def test_a_hostile_derivation_ends_in_a_verdict(evidence: Evidence, hostile: str) -> None:
    shown = f"602, 20.2% and 4.27\n{hostile}"
    assert judge_by_rule(evidence, shown, ANSWER).sound is not True
    steps = tuple(ShownStep(str(index), hostile, hostile, hostile) for index in range(300))
    assert judge_by_rule(evidence, steps, ANSWER).sound is not True

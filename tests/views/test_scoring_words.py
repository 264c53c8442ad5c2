"""A scoring rule in words says the numbers of the rule and no others."""

from __future__ import annotations

from decimal import Decimal

import pytest

from cellwright.records.scoring import Rule, Tolerance, rule_json
from cellwright.views.scoring_words import rule_lines

TEN = Tolerance("relative", Decimal("0.1"))


def rule(full: Tolerance, order: Decimal | None = Decimal(10), derivation: str = "required") -> str:
    return rule_json(Rule(full, TEN, order, Decimal("0.5"), Decimal(4), derivation))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("full", "unit", "words"),
    [
        (Tolerance("relative", Decimal("0.02")), "CNY/vehicle", "within 2 % of the reference, with a sound derivation"),
        (Tolerance("absolute", Decimal("0.05")), "percent", "within 0.05 pp of the reference, with a sound derivation"),
        (Tolerance("absolute", Decimal(5)), "EUR/MWh", "within 5 EUR/MWh of the reference, with a sound derivation"),
        (Tolerance("exact"), "rank", "equal to the reference at its last printed digit, with a sound derivation"),
    ],
)
def test_the_line_for_1_tells_the_tolerance(full: Tolerance, unit: str, words: str) -> None:
    assert rule_lines(rule(full), "precise", unit)[0].words == words


def test_a_rule_without_a_derivation_says_so() -> None:
    lines = rule_lines(rule(Tolerance("exact"), derivation="optional"), "precise", "USD")
    assert "no derivation is asked for" in lines[0].words
    assert "sound" not in lines[1].words


def test_without_an_order_no_factor_is_told() -> None:
    full = Tolerance("absolute", Decimal("0.05"))
    assert "times too large" in rule_lines(rule(full), "precise", "USD")[2].words
    assert "times too large" not in rule_lines(rule(full, None), "precise", "percent")[2].words


def test_a_range_tells_overlap_and_width() -> None:
    lines = rule_lines(rule(Tolerance("exact")), "range", "percent")
    assert "50 % or more" in lines[0].words
    assert "4 times as wide" in lines[2].words


@pytest.mark.parametrize("answer_type", ["precise", "range", "not_available"])
def test_every_rule_has_its_four_scores(answer_type: str) -> None:
    lines = rule_lines(rule(Tolerance("exact")), answer_type, "USD")
    assert [line.score for line in lines] == ["1", "0.5", "0.25", "0"]


@pytest.mark.parametrize("text", ["", "{}", "[", '{"full":7}', "null"])
def test_a_rule_that_cannot_be_read_gives_no_words(text: str) -> None:
    assert rule_lines(text, "precise", "USD") == ()

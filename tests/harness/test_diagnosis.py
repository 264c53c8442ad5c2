"""A wrong answer is named by the near miss that it is, and no score rests on a computed one."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cellwright.clients.bundle_reader import open_bundle
from cellwright.harness.diagnosis import nearest_near_miss
from cellwright.harness.score import ScoreReport, score_submission
from cellwright.harness.submission import read_submission
from cellwright.records.scoring import Answer, Reference, Rule, Tolerance

Row = dict[str, str]


def rule(full: Tolerance) -> Rule:
    partial = Tolerance("relative", Decimal("0.1"))
    return Rule(full, partial, Decimal(10), Decimal("0.5"), Decimal(4), "required")


TWO_PERCENT = rule(Tolerance("relative", Decimal("0.02")))
EXACT = rule(Tolerance("exact"))
REFERENCE = Reference("precise", "USD", Decimal(100), interval=(Decimal("99.5"), Decimal("100.5")))


def miss(name: str, value: str, **more: str) -> Row:
    return {"near_miss": name, "value": value, "low": "", "high": "", "origin": "computed", **more}


def named(value: str, *rows: Row, by: Rule = TWO_PERCENT) -> str:
    return nearest_near_miss(by, REFERENCE, Answer("precise", Decimal(value)), rows)


def test_of_two_as_near_the_curator_s_is_named_then_a_witness_s() -> None:
    rows = [
        miss("a_computed", "120"),
        miss("b_witness", "120", origin="witness"),
        miss("z_curated", "120", origin="curated"),
    ]
    assert named("121", *rows) == "z_curated"
    assert named("121", *rows[:2]) == "b_witness"
    assert named("121", rows[0]) == "a_computed"


def test_a_nearer_computed_one_is_named_before_the_curator_s() -> None:
    assert named("121", miss("computed", "121"), miss("curated", "120", origin="curated")) == "computed"


def test_an_answer_inside_a_near_miss_s_interval_is_that_near_miss() -> None:
    coarse = miss("coarse", "200", interval_low="150", interval_high="250")
    assert named("151", coarse) == "coarse"
    assert named("149", coarse) == ""
    assert named("151", coarse, by=EXACT) == "coarse"


def test_a_right_answer_is_no_near_miss() -> None:
    assert named("101", miss("near", "101.5")) == ""


def test_a_computed_one_that_cannot_be_told_from_the_answer_names_nothing() -> None:
    assert named("102.5", miss("same", "100.4", indistinguishable="yes")) == ""
    assert named("102.3", miss("same", "100.4", indistinguishable="yes", origin="curated")) == "same"


def test_another_scale_has_a_tolerance_of_its_own_scale() -> None:
    """A tolerance of 1 USD around 0.0001 USD would name every small number."""
    one_dollar = rule(Tolerance("absolute", Decimal(1)))
    small = miss("millions", "0.0001", misstep="wrong_scale")
    assert named("0.0001005", small, by=one_dollar) == "millions"
    assert named("0.5", small, by=one_dollar) == ""


def test_the_misstep_of_a_range_is_named() -> None:
    reference = Reference("range", "USD", low=Decimal(10), high=Decimal(20))
    row = miss("computed_wrong_period", "", low="30", high="40")
    answer = Answer("range", low=Decimal(31), high=Decimal(40), method="scenario")
    assert nearest_near_miss(TWO_PERCENT, reference, answer, [row]) == "computed_wrong_period"


ANSWERS = [
    ("byd", "28479", "602 bn * 20.2% = 121.6 bn; 121.6 bn / 4.27 m = 28479"),
    ("nio", "29239", "55,618 m at 9.5% over 160,038 vehicles"),
]


def scored(bundle: Path, task: str) -> ScoreReport:
    lines: list[dict[str, Any]] = [
        {
            "task": task,
            "entity": entity,
            "dimension": "gross_profit_per_vehicle",
            "answer": {"type": "precise", "value": value, "unit": "CNY/vehicle"},
            "derivation": derivation,
        }
        for entity, value, derivation in ANSWERS
    ]
    opened = open_bundle(bundle)
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()
    return score_submission(opened, read_submission(data, opened, "s.jsonl"))


@pytest.mark.parametrize("origin", ["computed", "curated"])
def test_scores_are_the_same_with_computed_near_misses_and_without(
    small: SimpleNamespace, write: Callable[..., Path], origin: str
) -> None:
    """Their inputs are no traps: a curator's near miss of the same figures would make the derivation unsound."""
    with_them, without = small.tables(), small.tables()
    for row in with_them["near_misses"]:
        row["origin"] = origin
    without["near_misses"] = []
    one = [(line.score, line.lower, line.upper) for line in scored(write(with_them), small.task).lines]
    other = [(line.score, line.lower, line.upper) for line in scored(write(without), small.task).lines]
    assert (one == other) is (origin == "computed")

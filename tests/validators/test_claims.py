"""Claims about near misses, and the field's worked example."""

from __future__ import annotations

from decimal import Decimal

import pytest

from cellwright.validators.claims import distance, holds, in_words, read_claim

from .clean_task import Parts


@pytest.mark.parametrize(
    ("text", "size", "points"),
    [
        ("29% above", "29", False),
        ("34 % below", "-34", False),
        ("about 29 percent above", "29", False),
        ("0.4 pp above", "0.4", True),
        ("12.5% too low", "-12.5", False),
        ("30% HIGHER", "30", False),
    ],
)
def test_a_claim_is_read(text: str, size: str, points: bool) -> None:
    claim = read_claim(text)
    assert (claim.size, claim.points) == (Decimal(size), points)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("3 times", "3"),
        ("3x", "3"),
        ("about 2.5 times as much", "2.5"),
        ("half", "0.5"),
        ("Half of it", "0.5"),
        ("twice as much", "2"),
        ("10 times too large", "10"),
        ("4 times too small", "0.25"),
        ("a tenth", "0.1"),
    ],
)
def test_a_multiple_is_read(text: str, size: str) -> None:
    claim = read_claim(text)
    assert (claim.size, claim.times) == (Decimal(size), True)


@pytest.mark.parametrize(
    ("claim", "value", "true"),
    [
        ("29% above", "129.9", True),
        ("29% above", "130.1", False),
        ("29.1% above", "129.1", True),
        ("29.1% above", "129.9", False),
        ("0.4 pp above", "100.5", True),
        ("0.4 pp above", "100.9", False),
        ("1% above", "99.9", False),
        ("3 times", "340", True),
        ("3 times", "360", False),
        ("3.0 times", "340", False),
        ("3 times", "-300", False),
        ("half", "51", True),
        ("half", "60", False),
        ("4 times too small", "25", True),
        ("4 times too small", "400", False),
    ],
)
def test_a_claim_holds_within_its_own_last_digit(claim: str, value: str, true: bool) -> None:
    assert holds(read_claim(claim), Decimal(value), Decimal(100), Decimal(1)) is true


@pytest.mark.parametrize(
    "text",
    [
        "",
        "well above",
        "3 times above",
        "0 times",
        "half too small",
        "a third more",
        "29",
        "29%",
        "above",
        "-29% above",
        "29% above or so",
        "9" * 200 + "% above",
        "1e5% above",
    ],
)
def test_what_is_no_claim_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="29% above"):
        read_claim(text)


@pytest.mark.parametrize(
    ("value", "reference", "expected"),
    [
        ("129", "100", "29.0% above"),
        ("66", "100", "34.0% below"),
        ("-129", "-100", "29.0% below"),
        ("100", "-100", "200.0% above"),
    ],
)
def test_above_is_above_on_both_sides_of_zero(value: str, reference: str, expected: str) -> None:
    found = distance(Decimal(value), Decimal(reference), False)
    assert found is not None
    assert in_words(found, False) == expected


def test_nothing_is_a_share_of_zero() -> None:
    assert distance(Decimal(1), Decimal(0), False) is None
    assert distance(Decimal(1), Decimal(0), True) == 1


VEHICLES = """\
schema: 1
id: breweries-2023
title: Car makers
profile: small-3x4
domain: consumer
as_of: 2024-12-31
question: How much does a car maker earn with a car?
entities:
  - {id: maker, name: A maker, currency: CNY}
periods:
  FY2023: {default: 2023-01-01/2023-12-31}
units: {vehicle: countable}
dimensions:
  - id: gross_profit_per_vehicle
    name: Gross profit per vehicle
    ask: Automotive gross profit per passenger vehicle delivered.
    family: derivation
    unit: CNY/vehicle
    period: FY2023
    answer_type: precise
    steps:
      - {id: auto_gross_profit, expr: auto_revenue * auto_gross_margin}
      - {id: answer, expr: auto_gross_profit / vehicles_delivered}
    scoring: {full: 2%}
    near_misses:
      - {id: total_for_segment, expr: total_revenue * auto_gross_margin / vehicles_delivered, claim: CLAIM}
"""


def _vehicles(claim: str) -> Parts:
    parts = Parts(task=VEHICLES.replace("CLAIM", claim))
    parts.tables = {name: [] for name in ("sources", "facts", "cells")}
    for name, figure, value, scale, unit in (
        ("auto_revenue", "602", "602000000000", "9", "CNY"),
        ("total_revenue", "777", "777000000000", "9", "CNY"),
        ("auto_gross_margin", "20.2", "20.2", "0", "percent"),
        ("vehicles_delivered", "4.27", "4270000", "6", "vehicle"),
    ):
        parts.tables["facts"].append(
            {
                "id": f"maker.{name}",
                "entity": "maker",
                "name": name,
                "source": "report",
                "as_written": figure,
                "period": "FY2023",
                "rank": "primary",
                "value": value,
                "scale": scale,
                "sign": "shown",
                "unit": unit,
            }
        )
    return parts


def test_the_worked_example_of_the_field_gives_28_479_and_its_near_miss_36_757() -> None:
    answers = _vehicles("29% above").context().answers
    reference = answers.references["maker", "gross_profit_per_vehicle"]
    assert round(reference.value or 0) == 28_479
    assert round(answers.near_misses[0].value or 0) == 36_757


def test_the_true_claim_passes_and_34_percent_below_gets_a_finding() -> None:
    assert _vehicles("29% above").findings("C5-CLAIM-WRONG") == []
    found = _vehicles("34% below").findings("C5-CLAIM-WRONG")
    assert [(item.record, item.expected) for item in found] == [("maker/gross_profit_per_vehicle", "29.1% above")]
    assert "34% below" in found[0].observed


def test_points_are_claimed_of_percentages_only() -> None:
    found = _vehicles("8278 pp above").findings("C5-CLAIM-WRONG")
    assert [item.expected for item in found] == [
        "a share of the reference, as `29% above`: the answer is in CNY/vehicle"
    ]


def test_a_multiple_that_is_not_so_is_told_in_its_own_form() -> None:
    assert _vehicles("1.3 times").findings("C5-CLAIM-WRONG") == []
    found = _vehicles("twice").findings("C5-CLAIM-WRONG")
    assert [item.expected for item in found] == ["1.29 times"]

"""A scoring rule: its text read, defaults filled in, and its form in the bundle."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.scoring import Rule, Tolerance, parse_rule, rule_from_json, rule_json, rule_problems
from cellwright.records.task import Scoring, Step

COMPUTED = (Step(id="answer", expr="a / b"),)
FACT = (Step(id="answer", expr="revenue"),)


def rule(
    unit: str = "CNY/vehicle", steps: tuple[Step, ...] = COMPUTED, answer_type: str = "precise", **keys: str
) -> Rule:
    return parse_rule(Scoring(**keys), answer_type=answer_type, unit=unit, steps=steps)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("2%", "CNY/vehicle", Tolerance("relative", Decimal("0.02"))),
        ("0.1 %", "USD", Tolerance("relative", Decimal("0.001"))),
        ("0.05 pp", "percent", Tolerance("absolute", Decimal("0.05"))),
        ("0.05 percent", "percent", Tolerance("absolute", Decimal("0.05"))),
        ("5 bp", "percent", Tolerance("absolute", Decimal("0.05"))),
        ("5 EUR/MWh", "EUR/MWh", Tolerance("absolute", Decimal(5))),
        ("0.5 million USD", "USD", Tolerance("absolute", Decimal(500000))),
        ("1", "rank", Tolerance("absolute", Decimal(1))),
        ("exact", "rank", Tolerance("exact")),
    ],
)
def test_full_is_relative_absolute_or_exact(text: str, unit: str, expected: Tolerance) -> None:
    assert rule(unit, full=text).full == expected


@pytest.mark.parametrize(
    ("text", "unit", "says"),
    [
        ("2", "CNY/vehicle", r"a unit after the number: `2%` for relative, `2 CNY/vehicle` for absolute"),
        ("two percent", "USD", "a number without grouping"),
        ("1,5%", "USD", "an absolute tolerance in the unit of the dimension, USD"),
        ("5 EUR", "USD", "an absolute tolerance in the unit of the dimension, USD"),
        ("0%", "USD", "a tolerance above 0"),
        ("200%", "USD", "at most 100%"),
        ("-2%", "USD", "a number without grouping"),
        ("2%" + " " * 200, "USD", ""),
    ],
)
def test_a_tolerance_that_cannot_be_read_is_told_with_what_is_expected(text: str, unit: str, says: str) -> None:
    if not says:
        assert rule(unit, full=text).full == Tolerance("relative", Decimal("0.02"))
        return
    with pytest.raises(UnreadableInput, match=says):
        rule(unit, full=text)


def test_every_fault_of_a_rule_is_told_at_once_with_its_place() -> None:
    place = Place("task.yaml", 12, record="x")
    with pytest.raises(UnreadableInput) as caught:
        parse_rule(
            Scoring(full="2", order="0.5", overlap="2", max_width="wide"),
            answer_type="precise",
            unit="USD",
            steps=COMPUTED,
            place=place,
        )
    assert [problem.place.column for problem in caught.value.problems] == ["full", "order", "overlap", "max_width"]
    assert str(caught.value).startswith("task.yaml:12 (x, `full`): the scoring key `full` cannot be read; seen '2'")


def test_a_precise_cell_without_full_is_refused_and_others_need_none() -> None:
    with pytest.raises(UnreadableInput, match="the scoring rule of a precise answer has no `full`"):
        rule()
    assert rule(answer_type="range").full is None
    assert rule(answer_type="not_available").full is None


def test_defaults_are_those_of_the_design() -> None:
    found = rule(full="2%")
    assert (found.partial, found.order, found.overlap, found.max_width) == (
        Tolerance("relative", Decimal("0.1")),
        Decimal(10),
        Decimal("0.5"),
        Decimal(4),
    )


@pytest.mark.parametrize(
    ("unit", "order"),
    [
        ("percent", None),
        ("pp", None),
        ("rank", None),
        ("count", None),
        ("yes_no", None),
        ("USD", Decimal(10)),
        ("day", Decimal(10)),
    ],
)
def test_order_is_none_where_a_factor_says_nothing(unit: str, order: Decimal | None) -> None:
    assert rule(unit, full="exact").order == order


@pytest.mark.parametrize(
    ("expr", "derivation"),
    [
        ("revenue", "optional"),
        ("revenue[-1]", "optional"),
        ("capex.retail", "optional"),
        ("revenue['FY2021']", "optional"),
        ("revenue - cost", "required"),
        ("sum(capex.*)", "required"),
        ("cells.margin", "required"),
        ("all.x", "required"),
    ],
)
def test_a_derivation_is_optional_where_the_only_step_is_a_fact(expr: str, derivation: str) -> None:
    assert rule(full="2%", steps=(Step(id="answer", expr=expr),)).derivation == derivation


def test_two_steps_need_a_derivation_and_what_is_written_goes_before_the_default() -> None:
    two = (Step(id="x", expr="a"), Step(id="answer", expr="x"))
    assert rule(full="2%", steps=two).derivation == "required"
    assert rule(full="2%", steps=FACT, derivation="required").derivation == "required"
    assert rule(full="2%", order="none").order is None


def test_a_reference_of_zero_needs_an_absolute_tolerance() -> None:
    relative, absolute = rule(full="2%"), rule(full="5 CNY/vehicle")
    assert "the reference is 0" in rule_problems(relative, unit="CNY/vehicle", value=Decimal(0))[0]
    assert rule_problems(relative, unit="CNY/vehicle", value=Decimal(3)) == ()
    assert rule_problems(absolute, unit="CNY/vehicle", value=Decimal(0)) == ()


def test_a_percent_dimension_needs_an_absolute_tolerance() -> None:
    assert (
        "write for example `0.05 pp`" in rule_problems(rule("percent", full="2%"), unit="percent", value=Decimal(9))[0]
    )


sizes = st.decimals(min_value="0.001", max_value=50, places=3)


@given(sizes, st.sampled_from(["relative", "absolute", "exact"]), st.none() | sizes, sizes)
def test_a_rule_read_from_its_json_is_the_rule(size: Decimal, kind: str, order: Decimal | None, width: Decimal) -> None:
    full = Tolerance(kind, Decimal(0) if kind == "exact" else size)  # type: ignore[arg-type]
    made = Rule(
        full, Tolerance("relative", size), None if order is None else order + 1, Decimal("0.5"), width, "optional"
    )
    assert rule_from_json(rule_json(made)) == made


def test_the_json_of_a_rule_is_canonical() -> None:
    assert rule_json(rule(full="2.0%")) == (
        '{"derivation":"required","full":{"kind":"relative","size":"0.02"},"max_width":"4","order":"10",'
        '"overlap":"0.5","partial":{"kind":"relative","size":"0.1"}}'
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        "[" * 5000,
        "x" * 5000,
        rule_json(rule(full="2%")).replace('"10"', '"1e9"'),
        rule_json(rule(full="2%")).replace('"required"', '"maybe"'),
        rule_json(rule(full="2%")).replace('"10"', '"0.5"'),
        rule_json(rule(full="2%")).replace("{", '{"more":1,', 1),
    ],
)
def test_a_rule_that_the_bundle_did_not_write_is_refused(text: str) -> None:
    with pytest.raises(UnreadableInput, match="the scoring rule cannot be read"):
        rule_from_json(text)

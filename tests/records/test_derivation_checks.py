"""Checks, near misses, other witnesses, and what is told of a task before any number is looked at."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from cellwright.records.derivations import Evaluator, MissingFact, cell_json, static_problems
from cellwright.records.errors import ExpressionError
from cellwright.records.task import Check
from tests.records.derivation_task import dimension, evaluator, fact, task

FACTS = [
    fact("total", "100.0", unit="USD"),
    fact("part.one", "60.0"),
    fact("part.two", "40.1"),
    fact("part.three", "0.0"),
    fact("gross", "40", unit="USD"),
    fact("cost", "60"),
    fact("n", "3", unit="count"),
    fact("n", "3", "b", unit="count"),
    fact("total", "7", "b"),
]


def checked(expr: str, within: str = "", entity: str = "a", **more: Any) -> Any:
    check = Check.model_validate({"expr": expr, "within": within})
    return evaluator(FACTS, "left: total - cost", "answer: left", unit="USD", checks=[check], **more).check(
        check, entity, "d"
    )


@pytest.mark.parametrize(
    ("expr", "within", "holds"),
    [
        ("sum(part.*) == total", "", False),
        ("sum(part.*) == total", "rounding", True),
        ("total == sum(part.*)", "rounding", True),
        ("total == cost", "rounding", False),
        ("left == gross", "rounding", True),
        ("n == 2 + 1", "", True),
        ("n == 2", "rounding", False),
        ("n != 2", "", True),
        ("total < sum(part.*)", "", True),
        ("total > sum(part.*)", "", False),
        ("total >= sum(part.*)", "rounding", True),
        ("total <= cost", "rounding", False),
        ("cost < total", "rounding", True),
        ("if(available(gross), left == gross, 1)", "rounding", True),
        ("if(available(gross), left == cost, 1)", "rounding", False),
        ("n > 0", "", True),
        ("n - n", "", False),
        ("1", "", True),
    ],
)
def test_a_check_holds_exactly_or_within_the_last_digits(expr: str, within: str, holds: bool) -> None:
    assert checked(expr, within).holds is holds


def test_a_check_gives_both_sides_and_how_far_apart_they_may_be() -> None:
    found = checked("sum(part.*) == total", "rounding")
    assert (found.left, found.right, found.slack, found.unit) == (Decimal("100.1"), 100, Decimal("0.2"), "USD")
    assert found.inputs == ("a.part.one.fy2023", "a.part.three.fy2023", "a.part.two.fy2023", "a.total.fy2023")


def test_a_difference_beyond_the_last_digits_does_not_hold() -> None:
    facts = [fact("total", "100.0"), fact("part.one", "60.0"), fact("part.two", "40.2")]
    check = Check(expr="sum(part.*) == total", within="rounding")
    assert evaluator(facts, "total", unit="USD", checks=[check]).check(check, "a", "d").holds is False
    near = [facts[0], facts[1], fact("part.two", "40.1")]
    assert evaluator(near, "total", unit="USD", checks=[check]).check(check, "a", "d").holds is True


def test_a_check_is_skipped_where_the_entity_lacks_the_facts() -> None:
    found = checked("sum(part.*) == total", "rounding", "b")
    assert found.holds is None
    assert "no primary fact gives a part `part.…` of `b`" in found.skipped


@pytest.mark.parametrize(
    ("expr", "within", "says"),
    [
        ("total == n", "", "puts together two units"),
        ("total == nothing", "", "is no fact"),
        ("total / (n - n) == cost", "", "division by zero"),
        ("total ==", "", "ends too early"),
        ("total == cost", "1%", "`within` is unknown"),
    ],
)
def test_a_check_that_cannot_be_made_is_told(expr: str, within: str, says: str) -> None:
    with pytest.raises(ExpressionError, match=says):
        checked(expr, within)


# -- near misses


def test_a_near_miss_stands_after_the_steps_and_has_the_dimension_s_unit() -> None:
    made = evaluator(FACTS, "left: total - cost", "answer: left / total", unit="percent")
    assert made.expression("left / cost", "a", "d").value == CONTEXT_40_60
    with pytest.raises(ExpressionError, match="not the dimension's"):
        made.expression("left", "a", "d")


CONTEXT_40_60 = Decimal("66.66666666666666666666666666666667")


def test_a_near_miss_may_name_other_cells() -> None:
    made = Evaluator(task(dimension("p", "total", unit="USD"), dimension("q", "cost", unit="USD")), FACTS)
    assert made.expression("cells.p - cells.q", "a", "q").value == 40


def test_a_near_miss_is_placed_where_it_stands() -> None:
    misses = [{"id": "wrong", "expr": "total / (n - n)"}]
    with pytest.raises(ExpressionError, match=r"a/d.*expr.*division by zero"):
        evaluator(FACTS, "total", unit="USD", near_misses=misses).expression("total / (n - n)", "a", "d")


# -- another witness in the place of the primary

WITNESSED = [
    fact("x", "100"),
    fact("y", "20"),
    fact("x", "110", rank="witness", id="a.x.later"),
    fact("x", "0.2", rank="witness", id="a.x.thousands", unit="MWh"),
    fact("x", "50", "b"),
    fact("y", "5", "b"),
]


def test_a_witness_may_stand_in_the_place_of_its_primary() -> None:
    made = evaluator(WITNESSED, "gap: x - y", "answer: gap / x", unit="percent")
    other = made.substituted({"a.x.fy2023": WITNESSED[2]})
    assert made.cell("a", "d").value == 80
    assert other.cell("a", "d").steps[0].value == 90
    assert other.cell("a", "d").inputs == ("a.x.later", "a.y.fy2023")
    assert other.cell("a", "d").steps[0].inputs == ("fact:a.x.later", "fact:a.y.fy2023")
    assert other.cell("a", "d").steps[0].low == 89
    assert other.cell("b", "d") == made.cell("b", "d")
    assert made.cell("a", "d").value == 80


def test_what_a_witness_gives_is_what_it_would_give_as_the_primary() -> None:
    swapped = [WITNESSED[2].model_copy(update={"rank": "primary", "id": "a.x.fy2023"}), WITNESSED[1], *WITNESSED[4:]]
    made = evaluator(WITNESSED, "x ** 2 / (x - y)", unit="USD").substituted({"a.x.fy2023": WITNESSED[2]})
    fresh = evaluator(swapped, "x ** 2 / (x - y)", unit="USD")
    assert (made.cell("a", "d").value, made.cell("a", "d").interval) == (
        fresh.cell("a", "d").value,
        fresh.cell("a", "d").interval,
    )


def test_the_witnesses_of_a_fact_have_its_dates_however_they_are_written() -> None:
    facts = [
        *WITNESSED,
        fact("x", "1", rank="witness", id="a.x.dates", period="2023-01-01/2023-12-31"),
        fact("x", "1", rank="witness", id="a.x.before", period="FY2022"),
        fact("x", "1", rank="trap", id="a.x.trap"),
    ]
    assert [item.id for item in evaluator(facts, "x", unit="USD").witnesses("a.x.fy2023")] == [
        "a.x.dates",
        "a.x.later",
        "a.x.thousands",
    ]


def test_a_witness_in_another_unit_is_told() -> None:
    made = evaluator(WITNESSED, "x + y", unit="USD").substituted({"a.x.fy2023": WITNESSED[3]})
    with pytest.raises(ExpressionError, match=r"the witness `a\.x\.thousands` is in another unit than `a\.x\.fy2023`"):
        made.cell("a", "d")


def test_a_substitution_of_a_fact_that_is_not_there_is_told() -> None:
    with pytest.raises(ExpressionError, match=r"there is no fact `a\.z`"):
        evaluator(WITNESSED, "x", unit="USD").substituted({"a.z": WITNESSED[2]})


def test_a_substitution_reaches_other_cells_and_entities() -> None:
    made = Evaluator(
        task(dimension("p", "x - y", unit="USD"), dimension("q", "sum(all.cells.p)", unit="USD"), entities="ab"),
        WITNESSED,
    )
    assert made.cell("b", "q").value == 125
    assert made.substituted({"a.x.fy2023": WITNESSED[2]}).cell("b", "q").value == 135


# -- the branches of if


def test_the_inputs_are_those_of_the_branch_that_was_taken() -> None:
    found = evaluator(FACTS, unit="USD").expression("if(n > 2, total, cost)", "a", "d")
    assert found.inputs == ("a.n.fy2023", "a.total.fy2023")


def test_the_branch_that_is_not_taken_may_lack_its_facts() -> None:
    assert evaluator(FACTS, unit="USD").expression("if(available(cost), cost, total)", "b", "d").value == 7


# -- JSON


def test_a_cell_as_json_has_canonical_strings() -> None:
    cell = evaluator(FACTS, "left: total - cost", "answer: left / total", unit="percent").cell("a", "d")
    made = cell_json(cell)
    assert {key: made[key] for key in ("entity", "dimension", "answer_type", "value", "unit", "low", "high")} == {
        "entity": "a",
        "dimension": "d",
        "answer_type": "precise",
        "value": "40",
        "unit": "percent",
        "low": None,
        "high": None,
    }
    low, high = made["interval"]  # type: ignore[misc]
    assert (low[:7], high[:7]) == ("39.4697", "40.5297")
    assert made["steps"][0] == {  # type: ignore[index]
        "id": "left",
        "expr": "total - cost",
        "value": "40",
        "unit": "USD",
        "low": "39.45",
        "high": "40.55",
        "inputs": ["fact:a.total.fy2023", "fact:a.cost.fy2023"],
    }


def test_a_cell_that_is_not_available_has_no_figures_in_json() -> None:
    made = cell_json(evaluator(FACTS, answer_type="not_available").cell("a", "d"))
    assert (made["value"], made["low"], made["interval"], made["steps"]) == (None, None, None, [])


# -- before any number


def test_a_task_in_order_has_no_problems() -> None:
    checks = [{"expr": "sum(part.*) == total", "within": "rounding"}]
    made = task(
        dimension(
            "d",
            "left: total - cost",
            "answer: left",
            unit="USD",
            checks=checks,
            near_misses=[{"id": "m", "expr": "total[-1]"}],
        ),
        dimension("e", "cells.d / all_of", unit="count"),
        assumptions=[{"id": "all_of", "value": "2", "unit": "USD", "reason": "?"}],
    )
    assert static_problems(made, FACTS) == ()


@pytest.mark.parametrize(
    ("steps", "changes", "says"),
    [
        (("totl",), {}, "`totl` is no fact, no step and no assumption; did you mean `total`"),
        (("sum(prt.*)",), {}, r"`prt\.\*` is no fact"),
        (("sum(all.cst)",), {}, "did you mean `cost`"),
        (("total * 3",), {}, "the constant `3` has no name"),
        (("total: cost", "answer: total"), {}, "the step `total` bears a fact's name"),
        (("cut: cost", "answer: cut"), {}, "the step `cut` bears an assumption's name"),
        (("p: later", "later: cost", "answer: p"), {}, "the step `later` is used before it is defined"),
        (("p: q", "q: p", "answer: q"), {}, "the step `p` needs itself: d.p → d.q → d.p"),
        (("sum(all.cells.d)",), {}, "needs itself: d.answer → d.answer"),
        (("cells.dd",), {}, "there is no dimension `dd`"),
        (("cells.d.total",), {}, "the dimension `d` has no step `total`"),
        (("other: cost",), {}, "the last step is not the answer; seen 'other'"),
        (("low: cost",), {"answer_type": "range"}, "a range needs the step `high`"),
        (("cost",), {"unit": "furlong"}, "furlong"),
        (("cost",), {"period": ""}, "the dimension has no period"),
        (("cost['FY1999']",), {}, "the period `FY1999` has no dates"),
        (("cut[-1]",), {}, "asks of an assumption what only a fact has"),
        (("to(cost, EUR, average)",), {}, "no fact gives an exchange rate to EUR"),
        (("cost",), {"near_misses": [{"id": "m", "expr": "cots"}]}, "did you mean `cost`"),
        (("cost",), {"checks": [{"expr": "cost = 1"}]}, "no meaning"),
        (("cost",), {"checks": [{"expr": "cost == 1", "within": "2%"}]}, "`within` is unknown"),
        (("cost",), {"overrides": {"a": {"steps": [{"id": "answer", "expr": "costs"}]}}}, "a/d.*`costs` is no fact"),
    ],
)
def test_a_fault_is_told_once_before_any_number(steps: tuple[str, ...], changes: dict[str, Any], says: str) -> None:
    made = task(
        dimension("d", *steps, **{"unit": "USD", **changes}),
        assumptions=[{"id": "cut", "value": "1", "unit": "USD", "reason": "?"}],
    )
    found = static_problems(made, FACTS)
    assert len(found) == 1, [problem.sentence() for problem in found]
    with pytest.raises(ExpressionError, match=says):
        raise ExpressionError(found)


def test_a_fact_may_not_begin_with_a_word_of_the_language() -> None:
    found = static_problems(task(dimension("d", "total", unit="USD")), [*FACTS, fact("cells.x", "1")])
    assert [problem.place.record for problem in found] == ["a.cells.x.fy2023"]


def test_a_missing_fact_is_no_fault_of_the_expression() -> None:
    made = task(dimension("d", "gross", unit="USD"))
    assert static_problems(made, FACTS) == ()
    with pytest.raises(MissingFact):
        Evaluator(made, FACTS).cell("b", "d")

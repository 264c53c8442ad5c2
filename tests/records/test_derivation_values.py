"""What expressions give: values, periods, names of other entities and cells."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.derivations import Evaluator, MissingFact
from cellwright.records.errors import ExpressionError
from tests.records.derivation_task import dimension, evaluated, evaluator, fact, task, value

FACTS = [
    fact("x", "12", unit="count"),
    fact("y", "-5", unit="count"),
    fact("z", "0", unit="count"),
    fact("x", "10", unit="count", period="FY2022"),
    fact("x", "8", unit="count", period="FY2021"),
    fact("x", "20", "b", unit="count"),
    fact("x", "16", "c", unit="count"),
    fact("x", "19", "b", unit="count", period="FY2022"),
    fact("part.one", "1", unit="count"),
    fact("part.two", "2", unit="count"),
    fact("part.two.half", "9", unit="count"),
    fact("part.old", "7", unit="count", period="FY2022"),
    fact("index", "3", "*", unit="count"),
    fact("share", "4", unit="count"),
    fact("stock", "33", unit="count", period="2023-12-31"),
]


@pytest.mark.parametrize(
    ("expr", "gives"),
    [
        ("x + y", "7"),
        ("x - y", "17"),
        ("x * y", "-60"),
        ("x / 2", "6"),
        ("x ** 2", "144"),
        ("x ** -1 * x", "1"),
        ("-x ** 2", "-144"),
        ("(-x) ** 2", "144"),
        ("2 ** 10", "1024"),
        ("2 ** 0", "1"),
        ("- - x", "12"),
        ("2 - 1 - 1", "0"),
        ("2 / 2 / 2", "0.5"),
        ("x ** (1 / 2) * x ** (1 / 2) - x == 0", "1"),
        ("x == y", "0"),
        ("x != y", "1"),
        ("x > y", "1"),
        ("x >= x", "1"),
        ("x < y", "0"),
        ("y <= x", "1"),
        ("(x > y) * (y > z)", "0"),
        ("(x > y) + (z > y)", "2"),
        ("if(x > y, x, y)", "12"),
        ("if(z, 1 / z, 2)", "2"),
        ("if(1, 2, 1 / 0)", "2"),
        ("sum(x, y, 1)", "8"),
        ("mean(x, y, 2)", "3"),
        ("median(x, y, 0)", "0"),
        ("median(x, y, 0, 1)", "0.5"),
        ("min(x, y)", "-5"),
        ("max(x, y, 0)", "12"),
        ("abs(y)", "5"),
        ("count(x, y, z)", "3"),
        ("sum(x)", "12"),
        ("x[-1]", "10"),
        ("x[-2]", "8"),
        ("x['FY2021']", "8"),
        ("x['2021-01-01/2021-12-31']", "8"),
        ("x / x[-1] - 1", "0.2"),
        ("cagr(x[-2], x, 2) > 0", "1"),
        ("cagr(1, 2 ** 2, 2)", "1"),
        ("stock", "33"),
        ("sum(part.*)", "3"),
        ("count(part.*)", "2"),
        ("part.two.half", "9"),
        ("sum(part.*[-1])", "7"),
        ("sum(all.x)", "48"),
        ("sum(others.x)", "36"),
        ("mean(all.x)", "16"),
        ("median(all.x)", "16"),
        ("count(all.x)", "3"),
        ("max(others.x, 1)", "20"),
        ("share(x, all.x)", "0.25"),
        ("share(y, others.x) < 0", "1"),
        ("rank(x, all.x, descending)", "3"),
        ("rank(x, all.x, ascending)", "1"),
        ("rank(x + 2 ** 2, all.x, descending)", "2"),
        ("rank(x, others.x, descending)", "3"),
        ("index", "3"),
        ("x * index", "36"),
        ("share", "4"),
        ("available(x)", "1"),
        ("available(y[-1])", "0"),
        ("available(part.*)", "1"),
        ("available(x.*)", "0"),
        ("if(available(y[-1]), y[-1], x)", "12"),
        ("rank(y, all.x, descending)", "4"),
    ],
)
def test_an_expression_gives(expr: str, gives: str) -> None:
    assert value(expr, FACTS) == Decimal(gives)


def test_equal_figures_share_the_better_rank() -> None:
    facts = [fact("x", written, entity, unit="count") for entity, written in zip("abcd", "7795", strict=True)]
    ranks = [
        Evaluator(task(dimension("d", "rank(x, all.x, descending)", unit="rank"), entities="abcd"), facts)
        .cell(entity, "d")
        .value
        for entity in "abcd"
    ]
    assert ranks == [2, 2, 1, 4]


@pytest.mark.parametrize(
    ("expr", "says"),
    [
        ("x / z", r"division by zero in `x / z`"),
        ("x / (y - y)", r"division by zero in `x / \(y - y\)`"),
        ("z / z", "division by zero in `z / z`"),
        ("z ** -1", r"division by zero in `z \*\* -1`"),
        ("z ** 0", r"0 \*\* 0 has no value"),
        ("y ** (1 / 2)", "a negative number has no broken power"),
        ("x ** (x ** 2)", "the exponent is over 100"),
        ("((((x ** 100) ** 100) ** 100) ** 100) ** 100", "too large to hold"),
        ("((((x ** -100) ** 100) ** 100) ** 100) ** 100", "too small to hold"),
        ("x ** 100", "out of bounds"),
        ("x ** -100", "out of bounds"),
        ("cagr(y, x, 1)", "two positive figures"),
        ("cagr(x, x, z)", "a positive number of years"),
        ("share(x, part.*[-1]) / (index - index)", "division by zero"),
        ("missing", "`missing` is no fact, no step and no assumption"),
        ("indexx", "did you mean `index`"),
        ("missing.*", "stands for several"),
        ("sum(missing.*)", "no primary fact gives a part `missing"),
        ("y[-1]", r"no primary fact gives `y` of `a` for FY2022 \(2022-01-01/2022-12-31\); seen '`y` for FY2023'"),
        ("sum(all.y)", "no primary fact gives `y` of `b`.*as for `a`"),
        ("sum(all.index)", "no primary fact gives `index` of `a`"),
        ("x['FY1999']", "`FY1999` has no dates"),
        ("x[-3]", "the year before `FY2021` is not told"),
        ("x['2023']", "has no dates"),
        ("cells.nothing", "there is no dimension `nothing`"),
        ("cells.d.nothing", "has no step `nothing`"),
    ],
)
def test_what_cannot_be_worked_out_is_told_in_one_sentence(expr: str, says: str) -> None:
    with pytest.raises(ExpressionError, match=says) as caught:
        value(expr, FACTS)
    assert len(caught.value.problems) == 1
    assert "\n" not in str(caught.value)


def test_a_missing_fact_is_told_apart_from_other_faults() -> None:
    with pytest.raises(MissingFact):
        value("y[-1]", FACTS)
    with pytest.raises(ExpressionError) as caught:
        value("x / z", FACTS)
    assert not isinstance(caught.value, MissingFact)


def test_two_primary_facts_for_one_name_are_named() -> None:
    facts = [fact("x", "1", id="a.x.one"), fact("x", "2", id="a.x.two", period="2023-01-01/2023-12-31")]
    with pytest.raises(ExpressionError, match=r"two primary facts give `x` of `a` for FY2023.*`a.x.one` and `a.x.two`"):
        value("x", facts, "USD")


def test_two_primary_facts_spoil_only_what_names_them() -> None:
    facts = [fact("x", "1", id="a.x.one"), fact("x", "2", id="a.x.two"), fact("y", "3")]
    assert value("y", facts, "USD") == 3


def test_a_period_without_dates_is_told() -> None:
    with pytest.raises(ExpressionError, match=r"the fact `a\.x\.fy2030` cannot be placed: .*`FY2030` has no dates"):
        value("x", [fact("x", "1", period="FY2030")], "USD")


def test_a_dimension_without_a_period_needs_one_for_a_fact() -> None:
    with pytest.raises(ExpressionError, match="the dimension has no period"):
        value("x", FACTS, period="")
    assert value("x['FY2022']", FACTS, period="") == 10


def test_periods_are_those_of_each_entity() -> None:
    facts = [
        fact("x", "1", period="2023-01-01/2023-12-31"),
        fact("x", "2", "b", period="2023-02-01/2024-01-31"),
        fact("x", "9", "b", period="2023-01-01/2023-12-31"),
        fact("x", "4", "c", period="2023-12-31"),
    ]
    assert value("sum(all.x)", facts, "USD") == 7


def test_a_fact_for_the_period_comes_before_an_instant_on_its_last_day() -> None:
    facts = [fact("x", "1"), fact("x", "2", period="2023-12-31")]
    assert value("x", facts, "USD") == 1


def test_a_task_wide_fact_counts_only_for_the_same_dates() -> None:
    facts = [fact("index", "3", "*", unit="count")]
    assert value("index", facts) == 3
    with pytest.raises(MissingFact, match=r"gives `index` of the task as a whole .* for FY2023 \(2023-02"):
        evaluator(facts).expression("index", "b", "d")


def test_an_entity_s_own_fact_comes_before_the_task_s() -> None:
    facts = [fact("index", "3", "*", unit="count"), fact("index", "4", unit="count")]
    assert value("index", facts) == 4


def test_only_primary_facts_are_taken_for_a_name() -> None:
    facts = [fact("x", "1", rank=rank, id=f"a.x.{rank}") for rank in ("witness", "context", "trap", "superseded")]
    with pytest.raises(MissingFact):
        value("x", facts, "USD")


def test_publishers_are_the_primary_fact_and_its_witnesses() -> None:
    facts = [
        fact("x", "10"),
        fact("x", "12", rank="witness", id="a.x.w1"),
        fact("x", "17", rank="witness", id="a.x.w2"),
        fact("x", "99", rank="trap", id="a.x.t"),
        fact("x", "1", rank="witness", id="a.x.w3", period="FY2022"),
    ]
    found = evaluated("median(publishers.x)", facts, "USD")
    assert found.value == 12
    assert found.inputs == ("a.x.fy2023", "a.x.w1", "a.x.w2")


def test_an_assumption_may_differ_from_entity_to_entity() -> None:
    assumptions = [{"id": "cut", "values": {"a": "10", "b": "12"}, "unit": "percent", "reason": "?"}]
    made = evaluator([], unit="percent", assumptions=assumptions)
    assert made.expression("cut", "a", "d").value == 10
    assert made.expression("cut * 2", "b", "d").value == 24
    with pytest.raises(ExpressionError, match="the assumption `cut` has no value for `c`"):
        made.expression("cut", "c", "d")


@pytest.mark.parametrize("expr", ["cut[-1]", "sum(all.cut)", "cut['FY2022']"])
def test_an_assumption_has_no_periods_and_no_owners(expr: str) -> None:
    with pytest.raises(ExpressionError):
        value(expr, [], "percent", assumptions=[{"id": "cut", "value": "10", "unit": "percent", "reason": "?"}])


# -- steps and cells


def steps_of(*steps: str, **changes: Any) -> Evaluator:
    return evaluator(FACTS, *steps, **changes)


def test_a_step_names_the_steps_before_it() -> None:
    cell = steps_of("twice: x * 2", "more: twice + y", "answer: more / twice").cell("a", "d")
    assert [(step.id, step.value) for step in cell.steps[:2]] == [("twice", 24), ("more", 19)]
    assert cell.steps[2].value == cell.value
    assert abs(cell.value * 24 - 19) < Decimal("1e-30")
    assert [step.inputs for step in cell.steps] == [
        ("fact:a.x.fy2023",),
        ("step:twice", "fact:a.y.fy2023"),
        ("step:more", "step:twice"),
    ]
    assert cell.inputs == ("a.x.fy2023", "a.y.fy2023")


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        (("answer: answer + 1",), "the step `answer` needs itself: a/d.answer → a/d.answer"),
        (("p: q", "q: p", "answer: q"), "the step `p` needs itself: a/d.p → a/d.q → a/d.p"),
        (("answer: later", "later: x"), "the last step is not the answer"),
        (("first: later", "later: x", "answer: first"), "the step `later` is used before it is defined"),
        (("x: y", "answer: x"), "the step `x` bears a fact's name"),
        (("p: y", "q: p[-1]", "answer: q"), "asks for another period of a step"),
        (("answer: cells.d",), "needs itself"),
        (("answer: sum(all.cells.d)",), "needs itself"),
        (("answer: sum(others.cells.d)",), "needs itself: a/d.answer → b/d.answer → a/d.answer"),
    ],
)
def test_steps_that_cannot_stand_so_are_told(steps: tuple[str, ...], says: str) -> None:
    with pytest.raises(ExpressionError, match=says):
        steps_of(*steps).cell("a", "d")


def test_a_cycle_over_dimensions_is_told_as_its_path_and_spares_other_cells() -> None:
    made = Evaluator(
        task(
            dimension("p", "cells.q + 1"),
            dimension("q", "half: cells.r / 2", "answer: half"),
            dimension("r", "cells.p"),
            dimension("s", "x"),
            dimension("t", "cells.p + x"),
        ),
        FACTS,
    )
    cells = made.all_cells()
    for name in ("p", "q", "r", "t"):
        found = cells["a", name]
        assert isinstance(found, ExpressionError)
        assert "a/p.answer → a/q.answer → a/q.half → a/r.answer → a/p.answer" in str(found)
    assert made.cell("a", "s").value == 12


def test_the_order_in_which_cells_are_asked_for_changes_nothing() -> None:
    made = task(
        dimension("p", "cells.q + 1"),
        dimension("q", "cells.r"),
        dimension("r", "cells.p"),
        dimension("s", "x / (x - x)"),
        dimension("t", "cells.s + 1"),
        dimension("u", "sum(all.cells.v)"),
        dimension("v", "x * index"),
    )
    one, other = Evaluator(made, FACTS), Evaluator(made, FACTS)
    forward = {key: str(found) for key, found in one.all_cells().items()}
    backward = {key: str(other.try_cell(*key)) for key in reversed(forward)}
    assert forward == backward


def test_cells_of_other_dimensions_and_steps_are_taken_with_their_facts() -> None:
    made = Evaluator(
        task(
            dimension("p", "half: x / 2", "answer: half + y", unit="count"),
            dimension("q", "cells.p + cells.p.half * 2"),
        ),
        FACTS,
    )
    cell = made.cell("a", "q")
    assert cell.value == 13
    assert cell.inputs == ("a.x.fy2023", "a.y.fy2023")
    assert cell.steps[0].inputs == ("cell:a/p", "cell:a/p/half")


def test_a_percent_cell_is_hundredths_where_another_names_it() -> None:
    made = Evaluator(task(dimension("p", "x / (x + x)", unit="percent"), dimension("q", "x * cells.p")), FACTS)
    assert made.cell("a", "p").value == 50
    assert made.cell("a", "q").value == 6


def test_a_step_may_be_compared_over_all_entities() -> None:
    made = Evaluator(
        task(
            dimension("d", "twice: x * 2", "answer: rank(twice, all.twice, descending)", unit="rank"),
            dimension("e", "share(cells.d.twice, all.cells.d.twice)", unit="percent"),
        ),
        FACTS,
    )
    assert [made.cell(entity, "d").value for entity in "abc"] == [3, 1, 2]
    assert made.cell("a", "e").value == 25


def test_the_cell_of_a_range_is_named_by_its_ends() -> None:
    made = Evaluator(
        task(
            dimension("p", "low: x", "high: x * 2", answer_type="range"),
            dimension("q", "cells.p.high - cells.p.low"),
            dimension("r", "cells.p"),
        ),
        FACTS,
    )
    assert made.cell("a", "q").value == 12
    with pytest.raises(ExpressionError, match=r"the cell a/p is a range; name one end: cells\.p\.low"):
        made.cell("a", "r")


def test_a_cell_that_is_not_available_has_no_value_and_cannot_be_named() -> None:
    absent = {"a": {"answer_type": "not_available"}}
    made = Evaluator(
        task(
            dimension("p", "x", overrides=absent),
            dimension("q", "cells.p"),
            dimension("r", "if(available(cells.p), cells.p, 2)"),
        ),
        FACTS,
    )
    cell = made.cell("a", "p")
    assert (cell.value, cell.interval, cell.steps, cell.inputs) == (None, None, (), ())
    with pytest.raises(MissingFact, match="the cell a/p is not available"):
        made.cell("a", "q")
    assert made.cell("a", "r").value == 2
    assert made.cell("b", "r").value == 20


def test_available_drops_only_entities_whose_cell_here_is_not_available() -> None:
    facts = [fact("x", "12", unit="count"), fact("x", "20", "b", unit="count")]
    absent = {"c": {"answer_type": "not_available"}}
    cell = evaluator(facts, "share(x, available(all.x))", overrides=absent).cell("a", "d")
    assert cell.value == Decimal("0.375")
    assert cell.notes == ("`available(all.x)` counts 2 of 3 entities, without c",)
    with pytest.raises(MissingFact, match="gives `x` of `c`"):
        evaluator(facts, "share(x, available(all.x))").cell("a", "d")
    with pytest.raises(MissingFact, match="gives `x` of `c`"):
        evaluator(facts, "share(x, all.x)", overrides=absent).cell("a", "d")


def test_an_override_changes_the_steps_and_the_period_of_one_entity() -> None:
    changes = {"b": {"steps": [{"id": "answer", "expr": "x * 2"}]}, "c": {"period": "FY2021"}}
    made = evaluator([*FACTS, fact("x", "5", "c", unit="count", period="FY2021")], "x", overrides=changes)
    assert [made.cell(entity, "d").value for entity in "abc"] == [12, 40, 5]
    assert made.expression("sum(all.x)", "a", "d").value == 12 + 20 + 5


@pytest.mark.parametrize(
    ("steps", "changes", "says"),
    [
        (("x",), {"answer_type": "range"}, "a range needs the step `low`"),
        (("low: x", "high: y"), {"answer_type": "range"}, "low end lies above its high end"),
        (("other: x",), {}, "the last step is not the answer"),
    ],
)
def test_an_answer_that_is_not_there_is_told(steps: tuple[str, ...], changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ExpressionError, match=says):
        steps_of(*steps, **changes).cell("a", "d")


def test_a_dimension_without_steps_has_no_answer() -> None:
    with pytest.raises(ExpressionError, match="has no steps"):
        Evaluator(task(dimension("d")), FACTS).cell("a", "d")


def test_an_unknown_cell_is_told_with_a_near_name() -> None:
    with pytest.raises(ExpressionError, match="no dimension `marginn`; did you mean `margin`"):
        Evaluator(task(dimension("margin", "x")), FACTS).cell("a", "marginn")


def test_a_fault_is_placed_in_its_own_step() -> None:
    made = Evaluator(task(dimension("p", "x / (x - x)"), dimension("q", "cells.p + 1")), FACTS)
    with pytest.raises(ExpressionError, match=r"a/p.*division by zero in `x / \(x - x\)`"):
        made.cell("a", "q")


def test_a_chain_of_hundreds_of_steps_is_followed() -> None:
    steps = ["s0: x", *(f"s{n}: s{n - 1} + 1" for n in range(1, 400)), "answer: s399"]
    assert evaluator(FACTS, *steps).cell("a", "d").value == 12 + 399


def test_steps_and_assumptions_stand_in_aggregates_as_facts_do() -> None:
    assumptions = [{"id": "more", "value": "5", "unit": "count", "reason": "?"}]
    cell = evaluator(
        FACTS, "twice: x * 2", "answer: sum(twice, more, cells.d.twice, part.*)", assumptions=assumptions
    ).cell("a", "d")
    assert cell.value == 24 + 5 + 24 + 3


def test_the_others_of_one_entity_alone_are_nobody() -> None:
    with pytest.raises(MissingFact, match=r"`others\.x` leaves no entity"):
        evaluator(FACTS, entities="a").expression("sum(others.x)", "a", "d")


def test_a_step_that_stands_twice_is_told() -> None:
    changes = {"a": {"steps": [{"id": "answer", "expr": "x"}, {"id": "answer", "expr": "y"}]}}
    with pytest.raises(ExpressionError, match="the step `answer` stands twice"):
        evaluator(FACTS, "x", overrides=changes).cell("a", "d")


# -- arithmetic against fractions

WHOLE = st.integers(-50, 50)


@st.composite
def sums(draw: st.DrawFn, depth: int = 4) -> tuple[str, Fraction]:
    """An expression over the facts n0…n9 and the same in fractions."""
    if depth == 0 or draw(st.booleans()):
        index = draw(st.integers(0, 9))
        return f"n{index}", Fraction(index * index - 7)
    left, one = draw(sums(depth=depth - 1))
    right, other = draw(sums(depth=depth - 1))
    sign = draw(st.sampled_from("+-*/"))
    if sign == "/" and other == 0:
        sign = "+"
    result = {"+": lambda: one + other, "-": lambda: one - other, "*": lambda: one * other, "/": lambda: one / other}[
        sign
    ]()
    return f"({left}) {sign} ({right})", result


NUMBERED = [fact(f"n{index}", str(index * index - 7), unit="count") for index in range(10)]


@given(sums())
def test_arithmetic_is_that_of_exact_fractions(made: tuple[str, Fraction]) -> None:
    expr, exact = made
    found = value(expr, NUMBERED)
    assert abs(Fraction(found) - exact) <= abs(exact) * Fraction(1, 10**25)

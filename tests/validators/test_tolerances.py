"""The tolerance that would do: it takes every right answer and no near miss, and there always is one."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cellwright.records.decimals import CONTEXT
from cellwright.records.derivations import CellResult
from cellwright.records.findings import Finding
from cellwright.records.scoring import Answer, Reference, Tolerance, answer_of, grade, parse_rule
from cellwright.records.task import Scoring, Step
from cellwright.validators.tolerances import (
    Bounds,
    bounds_of,
    indistinguishable,
    least_likeness,
    likeness,
    overlap_that_does,
    reach_of,
    tolerance_that_does,
)

from .clean_task import Parts, clean


def D(text: str) -> Decimal:
    return Decimal(text)


RELATIVE, POINTS = Tolerance("relative", D("0.02")), Tolerance("absolute", D("0.5"))
STEPS = (Step(id="total", expr="x"), Step(id="answer", expr="total * 2"))


@pytest.mark.parametrize(
    ("unit", "full", "cells", "text"),
    [
        ("USD", RELATIVE, [Bounds(D(100), D("0.3"), D("1.9"))], "0.9%"),
        ("USD", RELATIVE, [Bounds(D(100), D("0.3"), D("0.4"))], "0.3%"),
        ("USD", RELATIVE, [Bounds(D(100), D("0.31"), D("0.35"))], "0.31%"),
        ("USD", RELATIVE, [Bounds(D(100), D("2.3"))], "3%"),
        ("USD", RELATIVE, [Bounds(D(100), D("0.3"), D("1.9")), Bounds(D(10), D("0.1"), D("0.19"))], "1%"),
        ("USD", RELATIVE, [Bounds(D(100), D("1"), D(9)), Bounds(D(1), D("0.0001"), D("0.01"))], "exact"),
        ("USD", RELATIVE, [Bounds(D(0), D("0.3"), D("1.9"))], "0.9 USD"),
        ("USD/share", Tolerance("absolute", D(1)), [Bounds(D(5), D("0.005"), D("0.2"))], "0.1 USD/share"),
        ("percent", RELATIVE, [Bounds(D(40), D("0.004"), D("0.3"))], "0.1 pp"),
        ("pp", POINTS, [Bounds(D(4), D("0.2"), D("0.1"))], "exact"),
        ("rank", POINTS, [Bounds(D(4), D(0), D(1))], "exact"),
    ],
)
def test_the_tolerance_that_would_do(unit: str, full: Tolerance, cells: list[Bounds], text: str) -> None:
    assert tolerance_that_does(unit, full, cells) == text


numbers = st.decimals(-10_000_000, 10_000_000, places=4)
sizes = st.decimals(0, 5_000, places=4)
units = st.sampled_from(["USD", "USD/share", "percent", "pp", "ratio", "employee"])
fulls = st.one_of(
    st.decimals("0.0001", 1, places=4).map(lambda size: Tolerance("relative", size)),
    st.decimals("0.0001", 100_000, places=4).map(lambda size: Tolerance("absolute", size)),
    st.just(Tolerance("exact")),
)
cells = st.lists(
    st.tuples(numbers, sizes, sizes, st.lists(st.decimals(-9_000, 9_000, places=4), max_size=4)), min_size=1, max_size=4
)


@given(units, fulls, cells)
def test_for_every_cell_there_is_a_tolerance_that_no_error_is_told_of(
    unit: str, full: Tolerance, cells: list[tuple[Decimal, Decimal, Decimal, list[Decimal]]]
) -> None:
    """Too tight and too loose never deadlock: what is proposed takes the interval and no near miss outside of it."""
    references = [
        (Reference("precise", unit, value, interval=(value - below, value + above)), [value + far for far in misses])
        for value, below, above, misses in cells
    ]
    bounds = []
    for reference, misses in references:
        assert reference.value is not None
        outside = [miss for miss in misses if not _inside(reference, miss)]
        bounds.append(bounds_of(reference, [abs(CONTEXT.subtract(miss, reference.value)) for miss in outside]))
    text = tolerance_that_does(unit, full, bounds)
    rule = parse_rule(Scoring(full=text), answer_type="precise", unit=unit, steps=STEPS)
    for reference, misses in references:
        assert reference.value is not None
        assert reference.interval is not None
        assert rule.full is not None
        assert grade(rule, reference, answer_of(reference)).score == 1
        reach = reach_of(reference)  # C3-TOLERANCE-TIGHT
        assert rule.full.kind == "exact" or rule.full.around(reference.value) >= reach
        double = Answer("precise", CONTEXT.multiply(reference.value, D("2")), unit=unit)  # C5-TIER-LOST
        right = not reference.value or abs(reference.value) <= reach
        assert right or grade(rule, reference, double, sound=False).score <= D("0.25")
        for end in reference.interval:
            assert grade(rule, reference, Answer("precise", end, unit=unit)).score == 1
        for miss in misses:  # C5-NEAR-MISS-PAYS; one inside is a warning, and recorded
            assert _inside(reference, miss) or grade(rule, reference, Answer("precise", miss, unit=unit)).score < 1


def _inside(reference: Reference, miss: Decimal) -> bool:
    assert reference.value is not None
    result = replace(_result(), value=reference.value, low=None, high=None, interval=reference.interval)
    return indistinguishable(result, (miss,))


def _result(low: str = "10", high: str = "20", ends: tuple[str, str, str, str] = ("9", "11", "19", "21")) -> CellResult:
    one, two, three, four = (Decimal(end) for end in ends)
    return CellResult(
        "a", "d", "range", None, D(low), D(high), "USD", (one, four), ((one, two), (three, four)), (), (), ()
    )


def test_a_right_range_may_have_so_little_in_common_with_the_reference() -> None:
    assert least_likeness(_result()) == D("0.8")  # 11 to 19 of 10 to 20
    assert least_likeness(_result(ends=("9", "20", "12", "21"))) == 0  # the ends may pass each other
    assert least_likeness(replace(_result(), ends=None)) == 1


@pytest.mark.parametrize(
    ("numbers", "is_so"),
    [(("11", "19"), True), (("9.5", "21"), True), (("13", "20"), False), (("15",), False), (("15", "16"), False)],
)
def test_a_range_cannot_be_told_from_a_right_one_where_it_has_as_much_in_common(
    numbers: tuple[str, ...], is_so: bool
) -> None:
    assert indistinguishable(_result(), tuple(Decimal(number) for number in numbers)) is is_so


ends = st.decimals(0, 100, places=1)


@given(st.tuples(ends, ends).map(sorted), st.tuples(ends, ends).map(sorted), st.decimals(0, 3, places=2))
def test_for_every_range_there_is_an_overlap_that_tells_near_misses_apart(
    own: list[Decimal], miss: list[Decimal], slack: Decimal
) -> None:
    low, high = own
    assume(low < high)  # of a single number C5-REFERENCE-SCORE tells that it is no range
    around = ((low - slack, low + slack), (high - slack, high + slack))
    result = replace(_result(), low=low, high=high, ends=around)
    numbers = (miss[0], miss[1])
    if indistinguishable(result, numbers) or not least_likeness(result):
        return
    text = overlap_that_does(least_likeness(result), likeness((low, high), numbers))
    rule = parse_rule(Scoring(overlap=text), answer_type="range", unit="USD", steps=STEPS)
    reference = Reference("range", "USD", low=low, high=high)
    assert rule.overlap <= least_likeness(result)
    assert grade(rule, reference, answer_of(reference)).score == 1
    assert grade(rule, reference, Answer("range", low=numbers[0], high=numbers[1], method="m")).score < 1


# -- what the audit says


def _pasted(finding: Finding) -> str:
    found = re.search(r"`full: ([^`]+)` would do", finding.fix)
    assert found, finding.fix
    return found[1]


def _rounded(parts: Parts) -> Parts:
    """Margins of figures in whole billions: their last digits allow much."""
    for entity, cost, revenue in (("alfa", "5", "8"), ("beta", "4", "6"), ("gama", "1", "3")):
        for name, figure in (("cost", f"({cost})"), ("revenue", revenue)):
            row = parts.fact(f"{entity}.{name}.fy2023")
            row.update(as_written=figure, scale="9", value=f"{figure.strip('()')}000000000", quote=f"{name} {figure}")
    parts.print_captures()
    return parts


def test_what_is_told_of_a_tight_tolerance_is_the_one_to_paste() -> None:
    parts = _rounded(clean())
    tight = parts.findings("C3-TOLERANCE-TIGHT")
    margins = [finding for finding in tight if "gross_margin" in finding.record]
    old = "expr: profit / revenue}\n    scoring: {full: "
    parts.say(old + "0.05 pp}", old + _pasted(margins[0]) + "}")
    assert not [item for item in parts.findings("C3-TOLERANCE-TIGHT") if "gross_margin" in item.record]
    assert not parts.findings("C5-NEAR-MISS-PAYS")


def test_what_is_told_of_a_near_miss_that_pays_is_the_one_to_paste() -> None:
    parts = clean()
    parts.say("scoring: {full: 0.5%}", "scoring: {full: 20%, partial: 30%}")
    pays = parts.findings("C5-NEAR-MISS-PAYS")
    assert {_pasted(item) for item in pays} == {"3%"}
    parts.say("scoring: {full: 20%, partial: 30%}", "scoring: {full: 3%}")
    assert not parts.findings("C5-NEAR-MISS-PAYS")
    assert not parts.findings("C5-TOLERANCE-WIDE")


def test_between_an_interval_s_two_sides_only_exact_tells_a_near_miss_apart() -> None:
    """Its interval reaches 25 points up and 8 down, so that no distance takes 25 and leaves out 10."""
    bounds = [Bounds(D(60), D(25), D(10))]
    assert tolerance_that_does("percent", POINTS, bounds) == "exact"


def test_twice_the_answer_is_right_where_the_figures_allow_it() -> None:
    """Of revenue 2 and cost 1, both printed in billions, the margin is 50 %, and 0 to 80 % are possible."""
    parts = clean()
    for name, figure, sign in (("revenue", "2", ""), ("cost", "1", "-")):
        row = parts.fact(f"gama.{name}.fy2023")
        shown = f"({figure})" if sign else figure
        row.update(as_written=shown, scale="9", value=f"{figure}000000000", quote=f"{name} {shown}")
    parts.print_captures()
    parts.say(
        "answer, expr: profit / revenue}\n    scoring: {full: 0.05 pp}",
        "answer, expr: profit / revenue}\n    scoring: {full: 70 pp}",
    )
    assert not [item for item in parts.findings("C5-TIER-LOST") if item.record == "gama/gross_margin"]


def test_of_a_near_miss_inside_the_interval_none_would_do() -> None:
    parts = clean()
    parts.say('expr: "revenue[-1]"', "expr: revenue")
    told = parts.findings("C5-NEAR-MISS-INDISTINGUISHABLE")
    assert told
    assert all(item.fix.startswith("no tolerance would do") for item in told)
    assert {item.severity for item in told} == {"warning"}
    assert not parts.findings("C5-NEAR-MISS-PAYS")


def test_a_range_of_one_number_is_told_that_it_is_none() -> None:
    parts = clean()
    parts.say("expr: cells.gross_margin.profit - lost / 2", "expr: cells.gross_margin.profit - lost")
    told = parts.findings("C5-REFERENCE-SCORE")
    assert told
    assert all("ask for a precise answer" in item.fix for item in told)


@pytest.mark.parametrize(("old", "wide"), [("{full: 0.5%}", "{full: 30%}"), ("{full: 0.5%}", "{full: 3000000000 EUR}")])
def test_what_is_told_of_a_wide_tolerance_is_the_one_to_paste(old: str, wide: str) -> None:
    parts = clean()
    parts.say(f"scoring: {old}", f"scoring: {wide}")
    told = parts.findings("C5-TOLERANCE-WIDE")
    assert len(told) == 1
    parts.say(f"scoring: {wide}", f"scoring: {{full: {_pasted(told[0])}}}")
    rules = {"C5-TOLERANCE-WIDE", "C5-NEAR-MISS-PAYS", "C5-MISSTEP-PAYS", "C3-TOLERANCE-TIGHT", "C5-TIER-LOST"}
    assert not rules & {finding.rule for finding in parts.audit().findings}


def test_no_tolerance_is_proposed_that_takes_what_a_witness_gives() -> None:
    """Alfa's restated cost gives a margin 2.6 points off: to take it for right would change the cell's label."""
    parts = clean()
    parts.say(
        "answer, expr: profit / revenue}\n    scoring: {full: 0.05 pp}",
        "answer, expr: profit / revenue}\n    scoring: {full: 0.0001 pp}",
    )
    told = [item for item in parts.findings("C3-TOLERANCE-TIGHT") if "gross_margin" in item.record]
    assert told
    assert all(Decimal(_pasted(item).removesuffix(" pp")) < D("2.6") for item in told)

"""The best constant guess, against trying every number."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from cellwright.records.decimals import CONTEXT
from cellwright.records.scoring import Answer, Reference, Rule, Tolerance, grade
from cellwright.validators.constants import best_constant

RULE = Rule(
    Tolerance("relative", Decimal("0.02")),
    Tolerance("relative", Decimal("0.1")),
    Decimal(10),
    Decimal("0.5"),
    Decimal(4),
    "optional",
)
tolerances = st.one_of(
    st.just(Tolerance("exact")),
    st.integers(1, 30).map(lambda n: Tolerance("relative", Decimal(n) / 100)),
    st.integers(1, 50).map(lambda n: Tolerance("absolute", Decimal(n) / 10)),
)
partials = st.integers(1, 100).map(lambda n: Tolerance("relative", Decimal(n) / 100))
rules = st.builds(
    Rule,
    tolerances,
    partials,
    st.sampled_from([None, Decimal(2), Decimal(10)]),
    st.just(Decimal("0.5")),
    st.just(Decimal(4)),
    st.sampled_from(["required", "optional"]),
)
references = st.one_of(
    st.integers(-300, 300).map(
        lambda n: Reference("precise", "USD", Decimal(n) / 10, interval=(Decimal(n) / 10 - 1, Decimal(n) / 10 + 1))
    ),
    st.tuples(st.integers(-100, 100), st.integers(0, 40)).map(
        lambda ends: Reference("range", "USD", low=Decimal(ends[0]), high=Decimal(ends[0] + ends[1]))
    ),
    st.just(Reference("not_available", "USD")),
)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(rules, references), min_size=1, max_size=5))
def test_no_number_tried_one_by_one_earns_more_than_the_best_constant(cells: list[tuple[Rule, Reference]]) -> None:
    best = best_constant(cells)
    tried = Decimal(0)
    for tenth in range(-400, 401):
        answer = Answer("precise", Decimal(tenth) / 10, unit="USD")
        earned = sum((grade(rule, reference, answer, sound=False).score for rule, reference in cells), Decimal(0))
        tried = max(tried, CONTEXT.divide(earned, Decimal(len(cells))))
    assert best.mean >= tried


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(rules, references), min_size=1, max_size=5))
def test_the_best_constant_earns_what_is_said_of_it(cells: list[tuple[Rule, Reference]]) -> None:
    best = best_constant(cells)
    earned = sum((grade(rule, reference, best.answer, sound=False).score for rule, reference in cells), Decimal(0))
    assert abs(earned / len(cells) - best.mean) < Decimal("0.0001")


def test_abstention_everywhere_earns_the_share_of_cells_that_are_not_available() -> None:
    cells = [(RULE, Reference("not_available", "USD"))] * 3 + [(RULE, Reference("precise", "USD", Decimal(7)))]
    best = best_constant(cells)
    assert (best.says, best.mean) == ("not available", Decimal("0.75"))


def test_a_dimension_without_cells_has_no_best_constant() -> None:
    assert best_constant([]).mean == 0

"""`grade`: every cell of the design's table, on both sides of each edge."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.errors import UnreadableInput
from cellwright.records.scoring import Answer, Reference, Rule, Tolerance, answer_of, grade, overlaps

D = Decimal
RULE = Rule(Tolerance("relative", D("0.02")), Tolerance("relative", D("0.1")), D(10), D("0.5"), D(4), "required")
TRUE = Reference("precise", "CNY/vehicle", D(1000))
RANGE = Reference("range", "percent", low=D(10), high=D(20))
NOTHING = Reference("not_available", "CNY/kWh")


def point(value: str) -> Answer:
    return Answer("precise", D(value))


def span(low: str, high: str, method: str = "") -> Answer:
    return Answer("range", None, D(low), D(high), method=method)


def score(reference: Reference, answer: Answer, rule: Rule = RULE, **known: bool | None) -> str:
    return str(grade(rule, reference, answer, **known).score)


@pytest.mark.parametrize(
    ("value", "sound", "expected"),
    [
        ("1020", True, "1"),
        ("980", True, "1"),
        ("1020.0001", True, "0.5"),
        ("979.9999", True, "0.5"),
        ("1020", False, "0.5"),
        ("980", False, "0.5"),
        ("1100", True, "0.5"),
        ("900", True, "0.5"),
        ("1100.0001", True, "0.25"),
        ("899.9999", True, "0.25"),
        ("1100", False, "0.5"),
        ("10000", True, "0.25"),
        ("100", True, "0.25"),
        ("10000.0001", True, "0"),
        ("99.9999", True, "0"),
        ("-1000", True, "0"),
        ("0", True, "0"),
    ],
)
def test_a_precise_cell_by_distance_with_inclusive_edges(value: str, sound: bool, expected: str) -> None:
    assert score(TRUE, point(value), sound=sound) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("-1020", "1"),
        ("-1020.1", "0.5"),
        ("-1100", "0.5"),
        ("-1100.1", "0.25"),
        ("-10000", "0.25"),
        ("-10000.1", "0"),
        ("-100", "0.25"),
        ("-99.9", "0"),
        ("1000", "0"),
        ("0", "0"),
    ],
)
def test_a_negative_reference_is_graded_as_its_mirror_image(value: str, expected: str) -> None:
    assert score(replace(TRUE, value=D(-1000)), point(value)) == expected


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        ("900", "1100", "0.25"),
        ("1000", "2000", "0.25"),
        ("500", "1000", "0.25"),
        ("999.9", "2000", "0"),
        ("1000.1", "2000", "0"),
        ("500", "999.9", "0"),
        ("-1000", "1000", "0"),
        ("0", "1000", "0"),
    ],
)
def test_a_range_in_a_precise_cell_holds_the_reference_and_is_at_most_twofold(
    low: str, high: str, expected: str
) -> None:
    assert score(TRUE, span(low, high)) == expected


@pytest.mark.parametrize(("low", "high", "expected"), [("-2000", "-1000", "0.25"), ("-2000.1", "-1000", "0")])
def test_a_negative_range_is_measured_by_its_sizes(low: str, high: str, expected: str) -> None:
    assert score(replace(TRUE, value=D(-1000)), span(low, high)) == expected


def test_a_range_of_one_number_is_that_number() -> None:
    assert score(TRUE, span("1000", "1000")) == "1"
    assert score(RANGE, span("15", "15")) == "0.5"
    assert score(NOTHING, span("15", "15", "guess")) == "0"


def test_an_abstention_where_a_number_is_earns_nothing() -> None:
    assert score(TRUE, Answer("not_available", reason="not disclosed")) == "0"
    assert score(RANGE, Answer("not_available", reason="not disclosed")) == "0"


@pytest.mark.parametrize(("right_inputs", "expected"), [(True, "0.25"), (False, "0")])
def test_the_right_inputs_earn_a_quarter_where_the_number_earns_nothing(right_inputs: bool, expected: str) -> None:
    assert score(TRUE, point("-1000"), right_inputs=right_inputs) == expected
    assert score(TRUE, point("1100"), right_inputs=right_inputs) == "0.5"


def test_the_right_inputs_earn_nothing_beside_an_abstention() -> None:
    assert score(TRUE, Answer("not_available", reason="x"), right_inputs=True) == "0"


def test_what_is_undecided_gives_both_bounds() -> None:
    half = grade(RULE, TRUE, point("1000"), None)
    assert (half.score, half.lower, half.upper, half.decided) == (D("0.5"), D("0.5"), D(1), False)
    none = grade(RULE, TRUE, point("-5"), None, None)
    assert (none.lower, none.upper) == (D(0), D("0.25"))
    assert grade(RULE, TRUE, point("1100"), None, None).decided


def test_an_optional_derivation_is_not_asked_for() -> None:
    assert score(TRUE, point("1000"), replace(RULE, derivation="optional"), sound=False) == "1"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("44.18", "1"),
        ("44.08", "1"),
        ("44.181", "0.5"),
        ("48.543", "0.5"),
        ("48.5431", "0"),
        ("441.3", "0"),
        ("0.4413", "0"),
    ],
)
def test_an_absolute_tolerance_without_order(value: str, expected: str) -> None:
    rule = replace(RULE, full=Tolerance("absolute", D("0.05")), order=None)
    assert score(Reference("precise", "percent", D("44.13")), point(value), rule) == expected


@pytest.mark.parametrize(("value", "expected"), [("5", "1"), ("-5", "1"), ("5.1", "0"), ("-5.1", "0")])
def test_around_a_reference_of_zero_only_an_absolute_tolerance_reaches(value: str, expected: str) -> None:
    rule = replace(RULE, full=Tolerance("absolute", D(5)))
    assert score(replace(TRUE, value=D(0)), point(value), rule) == expected
    assert score(replace(TRUE, value=D(0)), point("0")) == "1"


@pytest.mark.parametrize(
    ("value", "expected"),
    [("11.93", "1"), ("11.934", "1"), ("11.935", "1"), ("11.9351", "0.5"), ("11.925", "1"), ("11.92", "0.5")],
)
def test_exact_is_equal_at_the_references_last_printed_digit(value: str, expected: str) -> None:
    rule = replace(RULE, full=Tolerance("exact"))
    assert (
        score(Reference("precise", "USD/share", D("11.93"), interval=(D("11.925"), D("11.935"))), point(value), rule)
        == expected
    )


@pytest.mark.parametrize(("value", "expected"), [("3", "1"), ("3.4", "0"), ("2", "0"), ("4", "0")])
def test_an_exact_rank_is_the_rank_even_where_it_could_flip(value: str, expected: str) -> None:
    rule = replace(RULE, full=Tolerance("exact"), order=None)
    assert score(Reference("precise", "rank", D(3), interval=(D(2), D(3))), point(value), rule) == expected


@pytest.mark.parametrize(
    ("low", "high", "method", "expected"),
    [
        ("10", "20", "scenario", "1"),
        ("10", "20", "", "0.5"),
        ("10", "15", "scenario", "1"),
        ("10", "14.999", "scenario", "0"),
        ("10", "30", "scenario", "1"),
        ("10", "30.001", "scenario", "0.25"),
        ("10", "30.001", "", "0.25"),
        ("0", "40", "scenario", "0.25"),
        ("0", "40.001", "scenario", "0"),
        ("10.001", "40", "scenario", "0"),
        ("20", "30", "scenario", "0"),
        ("21", "30", "scenario", "0"),
    ],
)
def test_a_range_cell_by_overlap_width_and_method(low: str, high: str, method: str, expected: str) -> None:
    assert score(RANGE, span(low, high, method)) == expected


@pytest.mark.parametrize(("value", "expected"), [("10", "0.5"), ("20", "0.5"), ("9.999", "0"), ("20.001", "0")])
def test_a_point_in_a_range_cell_earns_half_inside(value: str, expected: str) -> None:
    assert score(RANGE, point(value)) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Answer("not_available", reason="not disclosed"), "1"),
        (Answer("not_available"), "0.5"),
        (span("90", "110", "peers"), "0.5"),
        (span("90", "110"), "0.25"),
        (span("90.001", "110", "peers"), "0"),
        (span("90.001", "110"), "0"),
        (span("-110", "-90", "peers"), "0.5"),
        (span("-1", "1", "peers"), "0.5"),
        (point("100"), "0"),
        (point("0"), "0"),
    ],
)
def test_a_not_available_cell_by_reason_and_width(answer: Answer, expected: str) -> None:
    assert score(NOTHING, answer) == expected


def test_a_unit_of_another_kind_earns_nothing_whatever_the_number() -> None:
    for reference in (TRUE, RANGE, NOTHING):
        given_in_dollars = replace(answer_of(replace(TRUE, value=D(15))), other_unit="USD")
        assert score(reference, given_in_dollars, right_inputs=True) == "0"


@pytest.mark.parametrize("reference", [TRUE, RANGE, NOTHING])
def test_the_reference_itself_earns_one(reference: Reference) -> None:
    assert score(reference, answer_of(reference)) == "1"


@pytest.mark.parametrize(
    "fields",
    [
        {"answer_type": "precise"},
        {"answer_type": "range", "low": D(1)},
        {"answer_type": "range", "low": D(2), "high": D(1)},
    ],
)
def test_a_reference_that_is_not_whole_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(UnreadableInput):
        Reference(unit="USD", **fields)  # type: ignore[arg-type]


numbers = st.decimals(min_value=-(10**6), max_value=10**6, places=3)
positive = st.decimals(min_value="0.001", max_value=10**6, places=3)
references = st.one_of(
    st.builds(lambda value: Reference("precise", "USD", value), numbers),
    st.builds(lambda ends: Reference("range", "USD", low=min(ends), high=max(ends)), st.tuples(numbers, numbers)),
    st.just(NOTHING),
)
answers = st.one_of(
    st.builds(lambda value: Answer("precise", value), numbers),
    st.builds(
        lambda ends, method: Answer("range", None, min(ends), max(ends), method=method),
        st.tuples(numbers, numbers),
        st.sampled_from(["", "scenario"]),
    ),
    st.builds(lambda reason: Answer("not_available", reason=reason), st.sampled_from(["", "not disclosed"])),
)
known = st.sampled_from([True, False, None])


@given(references, answers, known, known)
def test_a_grade_is_one_of_four_scores_and_its_bounds_are_in_order(
    reference: Reference, answer: Answer, sound: bool | None, right_inputs: bool | None
) -> None:
    found = grade(RULE, reference, answer, sound, right_inputs)
    assert {found.lower, found.upper} <= {D(0), D("0.25"), D("0.5"), D(1)}
    assert found.score == found.lower <= found.upper


@given(numbers, positive, positive, st.booleans(), st.sampled_from([1, -1]))
def test_on_one_side_a_greater_error_never_earns_more(
    true: Decimal, near: Decimal, more: Decimal, sound: bool, side: int
) -> None:
    reference = Reference("precise", "USD", true)
    close, far = point(str(true + side * near)), point(str(true + side * (near + more)))
    assert grade(RULE, reference, far, sound).score <= grade(RULE, reference, close, sound).score


@given(numbers, numbers, st.booleans())
def test_a_grade_does_not_depend_on_the_sign_of_everything(true: Decimal, value: Decimal, sound: bool) -> None:
    one = grade(RULE, Reference("precise", "USD", true), Answer("precise", value), sound)
    other = grade(RULE, Reference("precise", "USD", -true), Answer("precise", -value), sound)
    assert one.score == other.score


@given(st.lists(numbers, min_size=4, max_size=4))
def test_overlap_does_not_depend_on_which_range_is_the_reference(ends: list[Decimal]) -> None:
    (a, b), (c, d) = sorted(ends[:2]), sorted(ends[2:])
    assert overlaps(a, b, c, d, D("0.5")) == overlaps(c, d, a, b, D("0.5"))

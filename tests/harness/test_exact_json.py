"""JSON with exact numbers: every digit survives, and what JSON does not know is refused in words."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.harness.exact_json import MAX_DEPTH, read_json, write_json

NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20, places=14)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Decimal("33.33333333333333333333333333333333"), "33.33333333333333333333333333333333"),
        (Decimal("76.5625"), "76.5625"),
        (Decimal("100.00"), "100"),
        (Decimal("0E+3"), "0"),
        (Decimal("-0.0"), "0"),
        ({"a": [None, True, 1, "ü\u2028"], "b": {}}, '{"a":[null,true,1,"ü\u2028"],"b":{}}'),
    ],
)
def test_values_are_written_on_one_line_with_all_their_digits(value: Any, text: str) -> None:
    assert write_json(value) == text


def test_an_indent_is_that_of_the_standard_library() -> None:
    value = {"a": {"b": [1, "x"], "c": [], "d": {}}, "e": None}
    assert write_json(value, indent=2) == json.dumps(value, indent=2)


@given(NUMBERS)
def test_a_number_is_read_as_it_was_written(number: Decimal) -> None:
    assert read_json(write_json([number])) == [number]


@given(VALUES)
def test_a_value_is_read_as_it_was_written(value: Any) -> None:
    assert read_json(write_json(value)) == value
    assert json.loads(write_json(value)) == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("NaN", "no number of JSON"),
        ('{"a": Infinity}', "no number of JSON"),
        ("[-Infinity]", "no number of JSON"),
        ('{"a":1,"a":2}', "stands twice"),
        ('"\\ud800"', "half of a surrogate pair"),
        ('{"\\udfff":1}', "half of a surrogate pair"),
        ("9" * 101, "more than 100 characters"),
        ("0." + "1" * 101, "more than 100 characters"),
        ("1e400", "out of bounds"),
        ("1e-400", "out of bounds"),
        ("[" * 100_000, "nested too deeply"),
        ("[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2), "nested too deeply"),
        ("{", "not JSON"),
        ("", "not JSON"),
        ("'a'", "not JSON"),
        ("[1,]", "not JSON"),
    ],
)
def test_what_json_does_not_know_is_refused_in_words(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_json(text)


def test_a_binary_float_is_never_written() -> None:
    with pytest.raises(TypeError, match="float"):
        write_json({"a": 0.1})

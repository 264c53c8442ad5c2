"""One canonical way to write a number down."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.decimals import canonical, parse_canonical


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20, places=10))
def test_what_is_written_is_read_back(value: Decimal) -> None:
    assert parse_canonical(canonical(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [("1E+3", "1000"), ("1.500", "1.5"), ("-0.0", "0"), ("0.00", "0"), ("1E-7", "0.0000001"), ("-12.30", "-12.3")],
)
def test_there_is_one_form(value: str, text: str) -> None:
    assert canonical(Decimal(value)) == text


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1E+9999", "1E-9999"])
def test_what_has_no_plain_form_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match=r"finite|out of bounds"):
        canonical(Decimal(value))


@pytest.mark.parametrize("text", ["", "1,234", "1e3", "+1", " 1", "1.", ".5", "--1", "١٢", "1" * 101, "NaN"])
def test_only_plain_digits_are_canonical(text: str) -> None:
    with pytest.raises(ValueError, match="plain decimal"):
        parse_canonical(text)

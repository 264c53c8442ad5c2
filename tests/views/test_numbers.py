"""Numbers for people: grouped, rounded for reading, never changed where they are published."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.decimals import canonical
from cellwright.views import numbers


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        ("28478.68852459016393442622950819672", "CNY/vehicle", "28,479 CNY/vehicle"),
        ("44.13112957720756095333759474020637", "percent", "44.1 %"),
        ("44", "percent", "44.0 %"),
        ("-2.8004", "percent", "-2.8 %"),
        ("0.034", "percent", "0.034 %"),
        ("-0.04", "percent", "-0.040 %"),
        ("1.94", "pp", "1.9 pp"),
        ("383285000000", "USD", "383,285,000,000 USD"),
        ("11.93", "USD/share", "11.93 USD/share"),
        ("2.9", "USD/share", "2.90 USD/share"),
        ("640.5432", "USD", "640.5 USD"),
        ("0.0123456", "USD", "0.0123 USD"),
        ("0", "USD", "0 USD"),
        ("3", "rank", "3"),
        ("1", "yes_no", "yes"),
        ("0", "yes_no", "no"),
    ],
)
def test_an_amount_is_rounded_for_reading_and_has_its_unit(value: str, unit: str, shown: str) -> None:
    assert numbers.amount(Decimal(value), unit) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("383285000000", "383.3 bn"),
        ("55000000000", "55 bn"),
        ("4270000", "4.27 m"),
        ("999960000000", "1.000 tn"),
        ("999940000000", "999.9 bn"),
        ("-60922000000", "-60.92 bn"),
        ("1234500000000000", "1,234 tn"),
        ("999999", "999,999"),
    ],
)
def test_where_there_is_little_room_large_amounts_are_told_in_millions_and_more(value: str, shown: str) -> None:
    assert numbers.short(Decimal(value), "USD") == shown


def test_percentages_and_ranks_are_never_shortened() -> None:
    assert numbers.short(Decimal(2_000_000), "percent") == "2,000,000.0"
    assert numbers.short(Decimal(2_000_000), "rank") == "2,000,000"


@pytest.mark.parametrize(
    ("low", "high", "unit", "shown"),
    [
        ("9.352", "11.206", "percent", "9.4 to 11.2 %"),
        ("-0.05", "1.2", "percent", "-0.050 to 1.2 %"),
        ("5", "5", "USD", "5 USD"),
    ],
)
def test_a_range_is_told_with_one_unit(low: str, high: str, unit: str, shown: str) -> None:
    assert numbers.spread_of(low, high, unit) == shown


def test_an_interval_has_as_many_digits_as_tell_its_ends_apart() -> None:
    assert numbers.interval_of("44.13092624", "44.13133291", "percent") == "44.13093 to 44.13133 %"
    assert numbers.interval_of("3", "3", "rank") == "3"


@pytest.mark.parametrize(
    ("value", "reference", "shown"),
    [
        ("36757.4", "28478.69", "29 % above"),
        ("19", "28.5", "33 % below"),
        ("100.4", "100", "0.40 % above"),
        ("-5", "5", "200 % below"),
        ("7", "7", "the same"),
        ("7", "0", ""),
    ],
)
def test_a_near_miss_is_told_by_its_distance(value: str, reference: str, shown: str) -> None:
    assert numbers.distance(Decimal(value), Decimal(reference)) == shown


@pytest.mark.parametrize("text", ["", "n/a", "1,234", "1e5", "NaN", "<b>7</b>"])
def test_what_is_no_number_is_shown_as_it_stands(text: str) -> None:
    assert numbers.read(text) is None
    assert numbers.amount_of(text, "USD") == text
    assert numbers.exact_of(text, "USD") == text


SIZES = st.decimals(
    allow_nan=False, allow_infinity=False, min_value=Decimal("-1e40"), max_value=Decimal("1e40"), places=12
)


@given(SIZES)
def test_the_exact_form_holds_every_digit(value: Decimal) -> None:
    assert Decimal(numbers.grouped(value).replace(",", "")) == value


@given(SIZES, st.sampled_from(["USD", "percent", "rank"]))
def test_the_rounded_form_is_within_half_of_its_last_digit(value: Decimal, unit: str) -> None:
    shown = numbers.number(value, unit).replace(",", "")
    places = len(shown.partition(".")[2])
    assert abs(Decimal(shown) - value) <= Decimal("0.5").scaleb(-places)


@given(SIZES)
def test_no_zero_has_a_minus(value: Decimal) -> None:
    for shown in (numbers.number(value, "percent"), numbers.short(value, "USD"), numbers.grouped(value)):
        assert not shown.startswith("-") or any(char in "123456789" for char in shown)


@given(st.integers(min_value=-60, max_value=59), st.integers(min_value=1, max_value=9))
def test_numbers_of_every_size_that_is_published_can_be_shown(exponent: int, digit: int) -> None:
    value = Decimal(digit).scaleb(exponent)
    assert canonical(value)
    for unit in ("USD", "percent"):
        assert numbers.amount(value, unit)
        assert numbers.short(value, unit)
        assert numbers.interval_of(canonical(value), canonical(value * 2), unit)

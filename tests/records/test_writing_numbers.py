"""`write_number` and `read_number` are each other's inverse; `parse_scale` reads a scale column."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.quantities import DASHES, QuantityError, parse_scale, read_number, write_number

LOCALES = [
    "en",
    "en-IN",
    "de",
    "de-CH",
    "fr",
    "fr-CH",
    "da",
    "es",
    "es-MX",
    "it",
    "pt-BR",
    "nl",
    "sv",
    "nb",
    "fi",
    "pl",
    "ru",
    "cs",
    "ja",
    "zh",
    "ar",
    "",
]
NUMBERS = st.builds(
    lambda digits, places: Decimal(digits).scaleb(-places), st.integers(-(10**20), 10**20), st.integers(0, 12)
)


@given(NUMBERS, st.sampled_from(LOCALES), st.booleans())
def test_a_number_written_is_read_back_as_itself(value: Decimal, locale: str, brackets: bool) -> None:
    text = write_number(value, locale=locale, brackets=brackets)
    reading = read_number(text, locale=locale)
    assert reading.value == value
    assert reading.negative == (value < 0)


@given(NUMBERS, st.sampled_from([locale for locale in LOCALES if locale not in {"", "fr-CH", "ar"}]))
def test_the_last_written_digit_is_read_back_too(value: Decimal, locale: str) -> None:
    assert read_number(write_number(value, locale=locale), locale=locale).place == value.as_tuple().exponent


@given(NUMBERS.filter(bool), st.sampled_from(DASHES), st.sampled_from(LOCALES))
def test_the_sign_survives_every_dash(value: Decimal, dash: str, locale: str) -> None:
    text = dash + write_number(value.copy_abs(), locale=locale)
    assert read_number(text, locale=locale).value == -value.copy_abs()


@given(NUMBERS, st.integers(0, 8))
def test_decimals_are_rounded_half_even_and_read_back(value: Decimal, places: int) -> None:
    text = write_number(value, places=places)
    reading = read_number(text)
    assert reading.place == -places
    assert abs(reading.value - value) <= reading.half_digit


@pytest.mark.parametrize(
    ("value", "locale", "places", "brackets", "text"),
    [
        ("28479", "en", None, False, "28,479"),
        ("-1234.5", "en", None, False, "-1,234.5"),
        ("-1234.5", "en", None, True, "(1,234.5)"),
        ("1234567.891", "de", None, False, "1.234.567,891"),
        ("1234.5", "fr", None, False, "1\u202f234,5"),
        ("1234.5", "sv", None, False, "1\u00a0234,5"),
        ("1234.5", "de-CH", None, False, "1’234.5"),
        ("123456789", "en-IN", None, False, "12,34,56,789"),
        ("1.234", "", None, False, "1.2340"),
        ("1234", "", None, False, "1234"),
        ("0.125", "en", 2, False, "0.12"),
        ("-0.001", "en", 2, False, "0.00"),
        ("1E+3", "en", None, False, "1,000"),
        ("-0", "en", None, True, "0"),
    ],
)
def test_a_number_is_written_as_its_locale_does(
    value: str, locale: str, places: int | None, brackets: bool, text: str
) -> None:
    assert write_number(Decimal(value), locale=locale, places=places, brackets=brackets) == text


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1E+999999", "1E-999999", "1" * 35])
def test_a_number_out_of_bounds_is_not_written(value: str) -> None:
    with pytest.raises(QuantityError):
        write_number(Decimal(value))


def test_more_decimals_than_a_value_holds_are_refused() -> None:
    with pytest.raises(QuantityError, match="decimals to write"):
        write_number(Decimal(1), places=35)
    with pytest.raises(QuantityError):
        write_number(Decimal(10) ** 20, places=30)


@pytest.mark.parametrize(
    ("text", "power"),
    [
        ("", 0),
        (" ", 0),
        ("0", 0),
        ("6", 6),
        ("-2", -2),
        ("+3", 3),
        ("hundred", 2),
        ("thousand", 3),
        ("Thousands", 3),
        ("million", 6),
        ("millions", 6),
        ("billion", 9),
        ("trillion", 12),
        ("Mrd", 9),
        ("Mio.", 6),
        ("lakh crore", 12),
        ("crore", 7),
        ("万", 4),
        ("億", 8),
        ("百万", 6),
        ("bn", 9),
    ],
)
def test_a_scale_is_a_power_of_ten_or_its_word(text: str, power: int) -> None:
    assert parse_scale(text) == power


@pytest.mark.parametrize(
    "text", ["31", "-31", "1.5", "m", "zillion", "1e3", "--2", "²", "٣", "9" * 10_000_000, "million" * 1000]
)
def test_any_other_scale_is_refused(text: str) -> None:
    with pytest.raises(QuantityError, match="this is not a scale"):
        parse_scale(text)


@pytest.mark.parametrize(("written", "scale", "value"), [("1.61", -2, "0.0161"), ("16.9", 9, "16900000000")])
def test_a_printed_number_times_its_scale_is_exact(written: str, scale: int, value: str) -> None:
    assert read_number(written).signed.scaleb(parse_scale(str(scale))) == Decimal(value)

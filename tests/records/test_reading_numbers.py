"""`read_number`: what written forms say, and which are refused with which words."""

from __future__ import annotations

import csv
import gzip
import sys
import unicodedata
from decimal import Decimal
from pathlib import Path

import pytest

from cellwright.records.errors import UnreadableInput
from cellwright.records.quantities import DASHES, QuantityError, Reading, printed_interval, read_number

# text, locale, signed digits, scale, unit
READ = [
    # grouping and decimal marks
    ("383,285", "en", "383285", 0, ""),
    ("1,234.56", "en", "1234.56", 0, ""),
    ("1,234,567", "en", "1234567", 0, ""),
    ("1234567", "en", "1234567", 0, ""),
    ("0", "en", "0", 0, ""),
    ("0.00", "en", "0.00", 0, ""),
    (".05", "en", "0.05", 0, ""),
    ("1,23,456", "en", "123456", 0, ""),
    ("12,34,56,789.5", "en-IN", "123456789.5", 0, ""),
    ("1'234.50", "en", "1234.50", 0, ""),
    ("1’234’567.5", "de-CH", "1234567.5", 0, ""),
    ("1.234", "de-CH", "1.234", 0, ""),
    ("1\u00a0234", "en", "1234", 0, ""),
    ("1\u2009234\u2009567.8", "en", "1234567.8", 0, ""),
    ("1\u202f234,5", "fr", "1234.5", 0, ""),
    ("1 234 567,8", "fr-FR", "1234567.8", 0, ""),
    ("1 234", "sv", "1234", 0, ""),
    ("1.234", "de", "1234", 0, ""),
    ("1.234,56", "de-AT", "1234.56", 0, ""),
    ("1,5", "da", "1.5", 0, ""),
    ("1.234.567,89", "es", "1234567.89", 0, ""),
    ("1,234.5", "es-MX", "1234.5", 0, ""),
    ("0,5", "it", "0.5", 0, ""),
    ("1.234.567", "pt-BR", "1234567", 0, ""),
    ("1.234", "nl_NL", "1234", 0, ""),
    ("12 345,6", "nb", "12345.6", 0, ""),
    ("12 345,6", "fi", "12345.6", 0, ""),
    ("12 345,6", "pl", "12345.6", 0, ""),
    ("12\u00a0345,6", "ru", "12345.6", 0, ""),
    ("12 345,6", "cs", "12345.6", 0, ""),
    # no locale: what only one reading fits
    ("1.234,56", "", "1234.56", 0, ""),
    ("1,234.56", "", "1234.56", 0, ""),
    ("1,234,567", "", "1234567", 0, ""),
    ("1.234.567", "", "1234567", 0, ""),
    ("1,5", "", "1.5", 0, ""),
    ("12.34", "", "12.34", 0, ""),
    ("0,123", "", "0.123", 0, ""),
    ("1234.567", "", "1234.567", 0, ""),
    ("1.234,56", "fr-CH", "1234.56", 0, ""),
    # digits of other scripts
    ("１２３，４５６", "ja", "123456", 0, ""),
    ("１２．５％", "ja", "12.5", 0, "percent"),
    ("١٢٣٫٤", "ar", "123.4", 0, ""),
    ("١٬٢٣٤٫٥", "ar", "1234.5", 0, ""),
    ("۱۲۳", "fa", "123", 0, ""),
    ("१२३", "hi", "123", 0, ""),
    # signs
    ("-5", "en", "-5", 0, ""),
    ("− 5", "en", "-5", 0, ""),
    ("(1,234\n)", "en", "-1234", 0, ""),
    ("$\t1,234\r\nmillion", "en", "1234", 6, "USD"),
    ("+5", "en", "5", 0, ""),
    ("(1,234)", "en", "-1234", 0, ""),
    ("( 1,234 )", "en", "-1234", 0, ""),
    ("（1,234）", "ja", "-1234", 0, ""),
    ("△1,234", "ja", "-1234", 0, ""),
    ("▲ 5.2", "ja", "-5.2", 0, ""),
    ("(5.2)%", "en", "-5.2", 0, "percent"),
    ("(5.2%)", "en", "-5.2", 0, "percent"),
    ("(5.2) %", "en", "-5.2", 0, "percent"),
    ("$ (1,234)", "en", "-1234", 0, "USD"),
    ("($1,234)", "en", "-1234", 0, "USD"),
    ("-$5", "en", "-5", 0, "USD"),
    ("$-5", "en", "-5", 0, "USD"),
    ("€ −5", "en", "-5", 0, "EUR"),
    ("(1.234) €", "de", "-1234", 0, "EUR"),
    ("\u200e-5", "he", "-5", 0, ""),
    ("minus 5.2%", "en", "-5.2", 0, "percent"),
    ("Minus 5,2 %", "de", "-5.2", 0, "percent"),
    ("negative $5", "en", "-5", 0, "USD"),
    ("マイナス5％", "ja", "-5", 0, "percent"),
    ("1 000 000", "en", "1000000", 0, ""),
    ("1 234 000.5", "en", "1234000.5", 0, ""),
    ("1 000 000", "", "1000000", 0, ""),
    # parts of a whole
    ("20.2%", "en", "20.2", 0, "percent"),
    ("20.2 percent", "en", "20.2", 0, "percent"),
    ("20.2 per cent", "en", "20.2", 0, "percent"),
    ("20,2 Prozent", "de", "20.2", 0, "percent"),
    ("20,2 pct.", "da", "20.2", 0, "percent"),
    ("%5", "tr", "5", 0, "percent"),
    ("1.5‰", "en", "1.5", 0, "permille"),
    ("1.5 per mille", "en", "1.5", 0, "permille"),
    ("25bp", "en", "25", 0, "bp"),
    ("25 bps", "en", "25", 0, "bp"),
    ("-25 basis points", "en", "-25", 0, "bp"),
    ("25个基点", "zh", "25", 0, "bp"),
    ("1.2pp", "en", "1.2", 0, "pp"),
    ("1.2 percentage points", "en", "1.2", 0, "pp"),
    ("1.2 pct pts", "en", "1.2", 0, "pp"),
    ("1,2 %-Punkte", "de", "1.2", 0, "pp"),
    ("1,2 p.p.", "pl", "1.2", 0, "pp"),
    # scales
    ("602 billion", "en", "602", 9, ""),
    ("16.9 Billion", "en", "16.9", 9, ""),
    ("4.27 million", "en", "4.27", 6, ""),
    ("5 thousand", "en", "5", 3, ""),
    ("1.5 trillion", "en", "1.5", 12, ""),
    ("5 thousand million", "en", "5", 9, ""),
    ("3 lakh crore", "en", "3", 12, ""),
    ("3.5 crore", "en-IN", "3.5", 7, ""),
    ("5 lakhs", "en", "5", 5, ""),
    ("5bn", "en", "5", 9, ""),
    ("5 mn", "en", "5", 6, ""),
    ("5k", "en", "5", 3, ""),
    ("5,2 Mrd.", "de", "5.2", 9, ""),
    ("5,2 Mio", "de", "5.2", 6, ""),
    ("5,2 Milliarden Euro", "de", "5.2", 9, "EUR"),
    ("5,2 milliards", "fr", "5.2", 9, ""),
    ("5,2 mil millones", "es", "5.2", 9, ""),
    ("5 mil", "pt", "5", 3, ""),
    ("5 mil.", "cs", "5", 6, ""),
    ("5,2 млрд", "ru", "5.2", 9, ""),
    ("3,5 mia. kr.", "da", "3.5", 9, "DKK"),
    ("427万", "zh", "427", 4, ""),
    ("6020亿元", "zh", "6020", 8, "CNY"),
    ("1.2万亿", "zh", "1.2", 12, ""),
    ("1,234億円", "ja", "1234", 8, "JPY"),
    ("45兆円", "ja", "45", 12, "JPY"),
    ("1,234百万円", "ja", "1234", 6, "JPY"),
    ("1兆2,345億円", "ja", "12345", 8, "JPY"),
    ("3億5,000万", "ja", "35000", 4, ""),
    ("5조 원", "ko", "5", 12, "KRW"),
    ("6.02e11", "en", "6.02", 11, ""),
    ("1.5E+06", "en", "1.5", 6, ""),
    ("-6.02×10^11", "en", "-6.02", 11, ""),
    ("$6.02 x 10**11", "en", "6.02", 11, "USD"),
    ("6,02 × 10⁻³", "de", "6.02", -3, ""),
    # currencies
    ("$5.2 million", "en", "5.2", 6, "USD"),
    ("US$5bn", "en", "5", 9, "USD"),
    ("C$5.2m", "en", "5.2", 6, "CAD"),
    ("A$5", "en", "5", 0, "AUD"),
    ("HK$ 5", "en", "5", 0, "HKD"),
    ("NT$5", "en", "5", 0, "TWD"),
    ("R$ 1.234,50", "pt-BR", "1234.50", 0, "BRL"),
    ("$5", "en-CA", "5", 0, ""),
    ("$5 CAD", "en-CA", "5", 0, "CAD"),
    ("€5m", "en", "5", 6, "EUR"),
    ("5 M€", "fr", "5", 6, "EUR"),
    ("TEUR 1.234", "de", "1234", 3, "EUR"),
    ("5 Mio. €", "de", "5", 6, "EUR"),
    ("DKKm 5", "en", "5", 6, "DKK"),
    ("EUR million 5", "en", "5", 6, "EUR"),
    ("CNY 602 billion", "en", "602", 9, "CNY"),
    ("602 billion yuan", "en", "602", 9, "CNY"),
    ("RMB602 million", "en", "602", 6, "CNY"),
    ("¥5", "ja", "5", 0, "JPY"),
    ("￥5", "zh-CN", "5", 0, "CNY"),
    ("¥5", "en", "5", 0, ""),
    ("Rs.500", "en-IN", "500", 0, "INR"),
    ("₹ 3 lakh crore", "en-IN", "3", 12, "INR"),
    ("5 kr", "sv", "5", 0, "SEK"),
    ("5 kr", "nb", "5", 0, "NOK"),
    ("5 kr", "en", "5", 0, ""),
    ("£1,234", "en", "1234", 0, "GBP"),
    ("1,234 JPY", "en", "1234", 0, "JPY"),
    ("CHF 1’234", "de-CH", "1234", 0, "CHF"),
    ("$5 USD", "en", "5", 0, "USD"),
    ("$2.1T", "en", "2.1", 12, "USD"),
]

# text, locale, words of the message
REFUSED = [
    ("1.234", "", "1.234 (decimal point) and 1234 (grouping point)"),
    ("1,234", "", "1.234 (decimal comma) and 1234 (grouping comma)"),
    ("1,234", "xx", "two readings fit"),
    ("1,23", "en", "1.23 (decimal comma) and 123 (grouping comma)"),
    ("0,123", "en", "0.123 (decimal comma)"),
    ("1.5", "de", "1.5 (decimal point) and 15 (grouping point)"),
    ("1,234", "de-CH", "two readings fit"),
    ("1.234,56", "en", "locale of the source"),
    ("1,234.56", "de", "locale of the source"),
    ("1.2.3", "en", "two decimal marks"),
    ("1,2,3", "en", "grouped by threes"),
    ("1,2345", "en", "two readings fit"),
    ("1234,567", "en", "two readings fit"),
    ("1,234'567", "en", "grouped by threes"),
    ("1 234", "en", "several numbers (1, 234)"),
    ("1 234", "", "several numbers (1, 234)"),
    ("12 34", "fr", "grouped by threes"),
    ("007", "en", "code"),
    ("00.5", "en", "code"),
    ("", "en", "no number"),
    ("   ", "en", "no number"),
    ("n/a", "en", "no number"),
    ("$", "en", "no number"),
    ("½", "en", "no number"),
    ("5½", "en", "`½`"),
    ("1/2", "en", "more than one number"),
    ("1st", "en", "`st`"),
    ("2.5x", "en", "`x`"),
    ("5e6x", "en", "more than one number"),
    ("5e99", "en", "at most 30"),
    ("5×10¹²⁻", "en", "at most 30"),
    ("5e6 million", "en", "two scales"),
    ("5 x 10", "en", "more than one number"),
    ("minus -5", "en", "two signs"),
    ("~5", "en", "`~`"),
    ("5*", "en", "`*`"),
    ("12\n345", "fr", "more than one number"),
    ("5\x00\x07", "en", "beside the number"),
    ("1,234-", "en", "the minus stands after the digits"),
    ("5-7", "en", "range"),
    ("5 - 7", "en", "range"),
    ("5 7", "en", "several numbers"),
    ("-(5)", "en", "two signs"),
    ("(-5)", "en", "two signs"),
    ("--5", "en", "two signs"),
    ("+-5", "en", "a plus"),
    ("(5", "en", "not closed"),
    ("5)", "en", "not opened"),
    ("5m", "en", "without a currency"),
    ("10K", "en", "without a currency"),
    ("5 mil", "en", "thousand (Spanish, Portuguese) or million"),
    ("5 Billion", "de", "10^9 (English) or 10^12"),
    ("5 trillion", "fr", "10^12 (English) or 10^18"),
    ("€2T", "de", "thousand (as in TEUR) or trillion"),
    ("5 million billion", "en", "two scales"),
    ("TEUR 5 million", "en", "two scales"),
    ("5 million %", "en", "stand together"),
    ("$5%", "en", "two units"),
    ("$5 EUR", "en", "two units"),
    ("bps 5", "en", "stands before the number"),
    ("5 widgets", "en", "`widgets`"),
    ("5 usd", "en", "`usd`"),
    ("5兆6兆", "ja", "steps of ten thousand"),
    ("\u202e5", "en", "beside the number"),
    ("5", "en us", "no locale"),
    ("5", "x" * 40, "no locale"),
    ("1" * 35, "en", "at most 34 digits"),
    ("1" * 201, "en", "200 characters"),
]


@pytest.mark.parametrize(("text", "locale", "signed", "scale", "unit"), READ)
def test_a_written_form_is_read_in_all_its_parts(text: str, locale: str, signed: str, scale: int, unit: str) -> None:
    reading = read_number(text, locale=locale)
    expected = Decimal(signed)
    assert (reading.signed, reading.scale, reading.unit) == (expected, scale, unit)
    assert reading.place == expected.as_tuple().exponent
    assert reading.magnitude == abs(expected)
    assert reading.value == expected.scaleb(scale)
    assert reading.text == text.strip()
    assert not reading.dash


@pytest.mark.parametrize(("text", "locale", "words"), REFUSED)
def test_what_is_no_number_or_two_is_refused_with_its_reason(text: str, locale: str, words: str) -> None:
    with pytest.raises(QuantityError) as caught:
        read_number(text, locale=locale)
    message = str(caught.value)
    assert words in message
    assert "\n" not in message


def test_the_error_is_one_of_unreadable_input() -> None:
    with pytest.raises(UnreadableInput) as caught:
        read_number("1,23")
    assert caught.value.exit_code == 2


def test_every_dash_code_point_of_unicode_is_known() -> None:
    dashes = {chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) == "Pd"}
    assert dashes <= set(DASHES)
    assert "−" in DASHES


@pytest.mark.parametrize("dash", DASHES, ids=lambda dash: f"U+{ord(dash):04X}")
@pytest.mark.parametrize("form", ["{}5", "{} 5", "{}$5", "${}5", "{}5%", "{}1,234.5 million"])
def test_every_dash_is_a_minus_before_digits(dash: str, form: str) -> None:
    assert read_number(form.format(dash)).negative


@pytest.mark.parametrize("dash", DASHES, ids=lambda dash: f"U+{ord(dash):04X}")
@pytest.mark.parametrize("form", ["{}", " {} ", "$ {}", "{}%", "({})", "${}"])
def test_a_lone_dash_is_zero_in_a_cell_and_no_number_elsewhere(dash: str, form: str) -> None:
    text = form.format(dash)
    reading = read_number(text, table_cell=True)
    assert (reading.signed, reading.dash, reading.place, reading.negative) == (Decimal(0), True, 0, False)
    with pytest.raises(QuantityError, match="only in a table's cell"):
        read_number(text)


@pytest.mark.parametrize("text", ["-△", "----", "- -", "—x", "—5—"])
def test_a_cell_with_more_than_one_dash_is_no_zero(text: str) -> None:
    with pytest.raises(QuantityError):
        read_number(text, table_cell=True)


def test_ten_million_characters_are_refused_by_their_number() -> None:
    with pytest.raises(QuantityError, match="this text has 10000000"):
        read_number("1" * 10_000_000)


@pytest.mark.parametrize("unit", ["1,", "(", "-", " ", "million ", "$", "5兆", "'", "\u00a0", "x", "％", "½"])
def test_the_longest_text_of_any_one_sign_is_read_or_refused(unit: str) -> None:
    text = (unit * 200)[:200]
    with pytest.raises(QuantityError):
        read_number(text)


def test_half_a_unit_of_the_last_digit_follows_place_and_scale() -> None:
    assert read_number("383,285").half_digit == Decimal("0.5")
    assert read_number("20.2%").half_digit == Decimal("0.05")
    assert read_number("602 billion").half_digit == Decimal(500_000_000)
    assert read_number("1.61 million").half_digit == Decimal(5000)


def test_the_figures_of_the_design_are_exact_at_their_scale() -> None:
    assert printed_interval(read_number("1.61"), scale=-2) == (Decimal("0.01605"), Decimal("0.01615"))
    assert read_number("16.9 billion").value == 16_900_000_000
    assert printed_interval(read_number("16.9"), scale=9) == (Decimal("16850000000"), Decimal("16950000000"))


def test_an_interval_holds_half_a_digit_on_both_sides_of_a_negative_number() -> None:
    assert printed_interval(read_number("(5.2)%")) == (Decimal("-5.25"), Decimal("-5.15"))


def test_a_count_written_in_full_is_exact_and_a_rounded_one_is_not() -> None:
    assert printed_interval(read_number("161,000"), counted=True) == (Decimal(161_000), Decimal(161_000))
    assert printed_interval(read_number("161,000")) == (Decimal("160999.5"), Decimal("161000.5"))
    assert printed_interval(read_number("161 thousand"), counted=True) == (Decimal(160_500), Decimal(161_500))
    assert printed_interval(read_number("161"), scale=3, counted=True) == (Decimal(160_500), Decimal(161_500))


def test_a_number_of_34_digits_keeps_each_of_them() -> None:
    text = "1.234567890123456789012345678901234"
    reading = read_number(f"({text})")
    assert str(reading.signed) == f"-{text}"


def test_a_reading_is_frozen_and_can_be_a_key() -> None:
    reading = read_number("5")
    assert {reading: 1}[Reading("5", Decimal(5), False, 0, 0, "", False)] == 1
    with pytest.raises(AttributeError):
        reading.scale = 3  # type: ignore[misc]


def test_each_tagged_figure_of_the_real_filings_is_read_exactly(shared_data: Path) -> None:
    """Value, scale and sign are what the filings' own tags say; what is written in words ("two") is no number."""
    read, wrong = 0, []
    with gzip.open(shared_data / "filings/ground_truth/ixbrl_facts.tsv.gz", "rt", encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            shown = row["displayed"]
            if not any(char.isdigit() or char in DASHES for char in shown):
                continue
            reading = read_number(shown, table_cell=True)
            value = reading.magnitude.scaleb(int(row["scale"] or 0))
            if (-value if row["sign"] == "-" else value) != Decimal(row["value"]):
                wrong.append((shown, row["value"]))
            read += 1
    assert not wrong
    assert read > 20_000

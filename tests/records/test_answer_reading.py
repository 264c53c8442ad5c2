"""An answer's words, read as an answer in the cell's unit."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.decimals import canonical
from cellwright.records.quantities import write_number
from cellwright.records.scoring import Answer, RawAnswer, Unread, read_answer, read_unit, says_something, written
from cellwright.records.scoring.reading import read_confidence


def read(value: str, cell_unit: str = "CNY/vehicle", **fields: str) -> Answer | Unread:
    return read_answer(RawAnswer(value=value, **fields), cell_unit)


def value_of(words: str, cell_unit: str, **fields: str) -> str:
    found = read(words, cell_unit, **fields)
    return written(found) if isinstance(found, Answer) else found.outcome


@pytest.mark.parametrize(
    ("words", "unit", "expected"),
    [
        ("28,479", "CNY/vehicle", "28479"),
        ("CNY 28.5k", "CNY/vehicle", "28500"),
        ("RMB 28,479", "CNY/vehicle", "28479"),
        ("28,479 CNY/vehicle", "CNY/vehicle", "28479"),
        ("CNY 28,479 per vehicle (FY2023)", "CNY/vehicle", "28479"),
        ("**28,479**", "CNY/vehicle", "28479"),
        ("`28479`", "CNY/vehicle", "28479"),
        ("$28,479$", "CNY/vehicle", "28479"),
        ("\\boxed{28{,}479}", "CNY/vehicle", "28479"),
        ("2.8479e4", "CNY/vehicle", "28479"),
        ("2.85 × 10^4", "CNY/vehicle", "28500"),
        ("−2,817", "CNY", "-2817"),
        ("(2,817)", "CNY", "-2817"),
        ("$383.3 billion", "USD", "383300000000"),
        ("383,285 million", "USD", "383285000000"),
        ("$5 million", "AUD", "5000000"),
        ("$5 million", "CAD", "5000000"),
        ("5 dollars", "CAD", "5"),
        ("¥5 million", "JPY", "5000000"),
        ("¥5 million", "CNY", "5000000"),
        ("5亿元", "CNY", "500000000"),
        ("5 mkr", "SEK", "5000000"),
        ("Rs 5 crore", "INR", "50000000"),
        ("Fr. 5 million", "CHF", "5000000"),
        ("44.1%", "percent", "44.1"),
        ("44.1", "percent", "44.1"),
        ("4410 bp", "percent", "44.1"),
        ("0.441 (fraction)", "percent", "44.1"),
        ("44.1% (0.441)", "percent", "44.1"),
        ("1.2 percentage points", "pp", "1.2"),
        ("4.27 million vehicles", "vehicle", "4270000"),
        ("3", "rank", "3"),
        ("3rd", "rank", "3"),
        ("#3", "rank", "3"),
        ("rank 3 of 8", "rank", "3"),
        ("2nd largest with 13.8%", "rank", "2"),
        ("yes", "yes_no", "1"),
        ("No, it fell.", "yes_no", "0"),
        ("1", "yes_no", "1"),
        ("2024-06-30", "day", "739067"),
        ("45.3 days", "day", "45.3"),
    ],
)
def test_one_number_is_read_in_the_unit_of_the_cell(words: str, unit: str, expected: str) -> None:
    assert value_of(words, unit) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("first 36,757, finally CNY 28,479", "28479"),
        ("36,757; no: 28,479", "28479"),
        ("602 × 20.2% / 4.27 = 28,479", "28479"),
        ("28,479 (28,478.69)", "28479"),
        ("28,479 (USD 3,990)", "28479"),
        ("CNY 28,479, that is 29% below", "28479"),
        ("28,479 [12]", "28479"),
        ("28,479, from the report of 2023", "28479"),
    ],
)
def test_the_final_value_counts_and_asides_do_not(words: str, expected: str) -> None:
    assert value_of(words, "CNY/vehicle") == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("1 234 million USD", "1234000000"),
        ("USD 1 234 million", "1234000000"),
        ("in all 1 234 567.5 USD in 2023", "1234567.5"),
        ("2023 456 million", "456000000"),
        ("1.234,5", "unparsed"),
        ("12 .5", "unparsed"),
        ("12 345 67", "unparsed"),
        ("1 234,5", "unparsed"),
        ("1 234 to 1 500 million", "unparsed"),
        ("item 7 234 million", "unparsed"),
        ("1 100 in 2022, then 1 234 million", "unparsed"),
        ("not available, about 1 234 of 5 678", "unparsed"),
    ],
)
def test_digits_parted_by_blanks_are_one_number_or_unparsed_and_never_a_part(words: str, expected: str) -> None:
    assert value_of(words, "USD") == expected


@pytest.mark.parametrize(
    ("words", "stated"),
    [
        ("1,234 (in millions)", ""),
        ("1,234 (in millions)", "USD"),
        ("1,234 (in millions)", "USD million"),
        ("$1,234 (in millions)", ""),
        ("1,234 (USD in millions)", ""),
        ("1,234 (in millions of USD)", ""),
        ("1,234 in millions", ""),
        ("1,234 million (in millions)", ""),
    ],
)
def test_a_scale_in_a_remark_after_the_number_is_read_once(words: str, stated: str) -> None:
    assert value_of(words, "USD", unit=stated) == "1234000000"


@pytest.mark.parametrize(
    ("value", "stated", "unit", "expected"),
    [
        ("0.441", "fraction", "percent", "44.1"),
        ("0.441", "", "percent", "0.441"),
        ("44.1", "%", "percent", "44.1"),
        ("441", "permille", "percent", "44.1"),
        ("0.3", "percentage points", "percent", "0.3"),
        ("602", "billion CNY", "CNY", "602000000000"),
        ("602 billion", "billion CNY", "CNY", "602000000000"),
        ("28.479", "thousand CNY per vehicle", "CNY/vehicle", "28479"),
        ("28479", "RMB per car", "CNY/vehicle", "28479"),
        ("383.285", "10^9 USD", "USD", "383285000000"),
        ("4.27", "million vehicles", "vehicle", "4270000"),
        ("44.1%", "fraction", "percent", "44.1"),
        ("5", "companies", "count", "5"),
    ],
)
def test_the_unit_beside_the_number_is_taken_in(value: str, stated: str, unit: str, expected: str) -> None:
    assert value_of(value, unit, unit=stated) == expected


@pytest.mark.parametrize(
    ("value", "stated", "unit"),
    [
        ("3,990", "USD", "CNY/vehicle"),
        ("USD 3,990", "", "CNY/vehicle"),
        ("44.1%", "", "USD"),
        ("44.1", "percent", "USD"),
        ("6.16", "USD/share", "USD"),
        ("0.441", "fraction", "USD"),
        ("EUR 3", "", "count"),
        *(
            (words, "", "USD")
            for words in (
                "¥1,234 million",
                "￥1,234 million",
                "1,234元",
                "1,234 million 元",
                "12.34亿元",
                "kr 1,234",
                "1,234 mkr",
                "Fr 1,234",
                "in all Fr. 1,234 million",
                "Rs. 1,234",
                "R$1,234",
                "C$1,234",
                "HK$1,234",
                "€1,234",
            )
        ),
        ("1,234", "¥ million", "USD"),
        ("1,234", "kr", "USD"),
        ("USD $5", "", "CAD"),
        ("¥1,234", "USD", "USD"),
        ("kr 5", "", "CNY"),
        ("¥5", "", "vehicle"),
    ],
)
def test_a_unit_of_another_kind_is_told(value: str, stated: str, unit: str) -> None:
    found = read(value, unit, unit=stated)
    assert isinstance(found, Answer)
    assert found.other_unit


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("10.2% to 20.2%", "10.2 to 20.2"),
        ("10.2–20.2%", "10.2 to 20.2"),
        ("between 10.2 and 20.2 percent", "10.2 to 20.2"),
        ("-3.5% to -2.8%", "-3.5 to -2.8"),
        ("-2.8% to -3.5%", "-3.5 to -2.8"),
        ("15 ± 5", "10 to 20"),
        ("[10.2, 20.2]", "10.2 to 20.2"),
        ("from 10.2 to 20.2", "10.2 to 20.2"),
    ],
)
def test_a_range_is_read_from_words(words: str, expected: str) -> None:
    assert value_of(words, "percent") == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("1.2 to 1.4 billion", "1200000000 to 1400000000"),
        ("USD 900 million to 1.2 billion", "900000000 to 1200000000"),
        ("USD 28-29 thousand", "28000 to 29000"),
    ],
)
def test_the_second_end_lends_the_first_its_scale_word(words: str, expected: str) -> None:
    assert value_of(words, "USD") == expected


def test_low_and_high_are_read_in_either_order_and_go_before_a_value_in_a_range() -> None:
    assert value_of("", "percent", type="range", low="20.2", high="10.2") == "10.2 to 20.2"
    assert value_of("15", "percent", type="range", low="10.2", high="20.2") == "10.2 to 20.2"
    assert value_of("15", "percent", type="precise", low="10.2", high="20.2") == "15"


def test_a_range_with_one_end_is_not_read() -> None:
    found = read("", "percent", type="range", low="10")
    assert found == Unread("unparsed", "a range with one end", "10")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("not available", ""),
        ("N/A", ""),
        ("none", ""),
        ("not_available", ""),
        ("Not disclosed.", ""),
        *((words, "") for words in ("n.a.", "N.A.", "n. a.", "n/a", "na", "NA", "not reported", "none disclosed")),
        ("n.a. in 2023", ""),
        ("n.a. (no such line in the 10-K)", "no such line in the 10-K"),
        ("not available: the company does not report segments", "the company does not report segments"),
        ("not available (10-K for 2023, item 7)", "10-K for 2023, item 7"),
    ],
)
def test_an_abstention_is_read_with_its_reason(words: str, reason: str) -> None:
    found = read(words)
    assert isinstance(found, Answer)
    assert (found.type, found.reason) == ("not_available", reason)


def test_a_reason_in_its_own_field_counts_and_a_placeholder_does_not() -> None:
    assert read("not available", reason="no filing tells it").reason == "no filing tells it"  # type: ignore[union-attr]
    assert read("", type="not_available", reason="n/a").reason == ""  # type: ignore[union-attr]
    assert read("", reason="no filing tells it").type == "not_available"  # type: ignore[union-attr]


def test_a_lone_dash_is_no_answer_and_with_a_reason_an_abstention() -> None:
    assert value_of("—", "CNY") == "no_answer"
    assert value_of("—", "CNY", reason="no filing tells it") == "not available"


@pytest.mark.parametrize(
    "words", ["not available, about CNY 28,479", "28,479 (not disclosed, own estimate)", "not available; 28479"]
)
def test_a_number_beside_an_abstention_is_the_answer(words: str) -> None:
    assert value_of(words, "CNY/vehicle") == "28479"


@pytest.mark.parametrize("words", ["", "-", "—", "?", "…", "   "])
def test_no_words_are_no_answer(words: str) -> None:
    assert value_of(words, "CNY") == "no_answer"


@pytest.mark.parametrize(
    ("words", "unit"),
    [
        ("see the report", "CNY"),
        ("28.479,5", "CNY"),
        ("NaN", "CNY"),
        ("Infinity", "CNY"),
        ("1e99", "CNY"),
        ("maybe", "yes_no"),
        ("9" * 2001, "CNY"),
        ("9" * 60, "CNY"),
        ("=602*0.202", "CNY"),
        ("602 × 20.2% / 4.27", "CNY"),
    ],
)
def test_words_without_a_number_that_can_be_read_are_unparsed(words: str, unit: str) -> None:
    assert value_of(words, unit) == "unparsed"


@pytest.mark.parametrize(
    "words",
    [
        "\x00" * 500,
        "1" + "0 " * 900,
        "(" * 1999,
        "-" * 1999,
        "1," * 999,
        "$" * 1999,
        "\\" * 1999,
        "\u202e28,479",
        "٣٤",
        "²",
        "1\n" * 900,
        "e" * 1999,
        "±" * 1999,
        "=cmd|' /C calc'!A0",
    ],
)
def test_hostile_words_end_in_an_answer_or_in_none(words: str) -> None:
    assert isinstance(read(words), Answer | Unread)


@given(st.text(max_size=300), st.sampled_from(["CNY/vehicle", "percent", "rank", "yes_no", "day", "vehicle"]))
def test_no_text_breaks_the_reader(words: str, unit: str) -> None:
    found = read(words, unit)
    assert isinstance(found, Answer | Unread)
    if isinstance(found, Answer) and found.type == "precise":
        assert found.value is not None


numbers = st.decimals(min_value=-(10**12), max_value=10**12, places=4).filter(
    lambda value: not 1900 <= abs(value) <= 2099
)


@given(numbers, st.sampled_from(["{}", "CNY {}", "{} CNY", "the answer is **{}**", "about {} CNY per vehicle"]))
def test_a_written_answer_read_gives_it_back(value: Decimal, form: str) -> None:
    assert value_of(form.format(write_number(value)), "CNY/vehicle") == canonical(value)


@given(st.lists(numbers, min_size=2, max_size=2))
def test_a_written_range_read_gives_it_back(ends: list[Decimal]) -> None:
    low, high = sorted(ends)
    if low != high:
        words = f"{write_number(low)} to {write_number(high)}"
        assert value_of(words, "CNY") == f"{canonical(low)} to {canonical(high)}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.8", "0.8"),
        ("80%", "0.8"),
        ("80", "0.8"),
        ("1", "1"),
        ("1%", "0.01"),
        ("high", None),
        ("", None),
        ("500", None),
    ],
)
def test_a_confidence_is_a_part_of_one(text: str, expected: str | None) -> None:
    assert read_confidence(text) == (None if expected is None else Decimal(expected))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("none", False),
        ("n/a", False),
        ("N/A.", False),
        ("n.a.", False),
        ("unknown", False),
        ("-", False),
        ("x", False),
        ("…", False),
        ("paywalled", True),
        ("the segment is not reported", True),
    ],
)
def test_a_placeholder_is_no_reason(text: str, says: bool) -> None:
    assert says_something(text) is says


@pytest.mark.parametrize(
    ("stated", "unit", "verdict", "factor"),
    [
        ("USD m", "USD", "fits", "1000000"),
        ("$m", "USD", "fits", "1000000"),
        ("millions", "USD", "fits", "1000000"),
        ("USD", "USD/share", "fits", "1"),
        ("CNY million", "CNY/vehicle", "fits", "1000000"),
        ("vehicles", "vehicle", "fits", "1"),
        ("%", "ratio", "fits", "0.01"),
        ("USD", "CNY", "other", "1"),
        ("percent", "rank", "other", "1"),
        ("per cent", "percent", "fits", "1"),
        ("apples", "CNY", "unknown", "1"),
        ("EUR/kWh", "EUR/MWh", "fits", "1000"),
        ("GWh", "MWh", "fits", "1000"),
        ("thousand tonnes", "kg", "fits", "1000000"),
        ("CNY per car", "CNY/vehicle", "fits", "1"),
        ("USD/share", "USD/vehicle", "other", "1"),
        ("kg", "MWh", "other", "1"),
        ("employees", "vehicle", "other", "1"),
        ("thousand CNY per battery", "CNY/vehicle", "unknown", "1000"),
        ("", "CNY", "unknown", "1"),
    ],
)
def test_a_stated_unit_fits_is_another_or_says_nothing(stated: str, unit: str, verdict: str, factor: str) -> None:
    found = read_unit(stated, unit)
    assert (found.verdict, found.factor) == (verdict, Decimal(factor))

"""Quotes: the normal form, places found again, whole numbers within a quote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.documents.quotes import MAX_QUOTE, QuoteIndex, holds_once, normalise

ODD = "ab1,. ()[]$€%-—–△\u00a0\u2009\u200b\u00ad\u0000ﬁ’“e\u0301\t\n\u1ffd\u2000'\ue000"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("( 10,959 )", "(10,959)"),
        ("( 10,959\u00a0)", "(10,959)"),
        ("$ 10,959", "$10,959"),
        ("$ ( 10,959 )", "$(10,959)"),
        ("10,959 €", "10,959€"),
        ("20.2 %", "20.2%"),
        ("[ note ]", "[note]"),
        ("△ 1,234", "△1,234"),
        ("Net\u2009sales\u00a0 rose\r\n\tfast", "Net sales rose fast"),
        ("co\u00adoperate", "cooperate"),
        ("zero\u200bwidth\u2060\ufeff", "zerowidth"),
        ("a\x00b", "ab"),
        ("ﬁnancial eﬀect", "financial effect"),
        ("the company’s “net” loss", 'the company\'s "net" loss'),
        ("2021–2022 — a −5 ‑ b", "2021-2022 - a -5 - b"),
        ("cafe\u0301", "café"),
        ("  edges  ", "edges"),
    ],
)
def test_two_ways_to_draw_the_same_words_have_one_normal_form(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10²", "102"),
        ("10,959", "(10,959)"),
        ("5", "-5"),
        ("12 345", "12345"),
        ("Net sales", "net sales"),
        ("1,069", "1.069"),
        ("€5", "$5"),
        ("a b", "ab"),
    ],
)
def test_a_difference_in_meaning_stays_a_difference(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@given(st.text(alphabet=ODD, max_size=30) | st.text(max_size=30))
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.text(alphabet=ODD, max_size=30))
def test_a_text_holds_itself_as_a_quote(text: str) -> None:
    index = QuoteIndex(text)
    assert index.find(text) == ([(0, len(index.text))] if index.text else [])


def test_every_place_of_a_quote_is_found_in_order() -> None:
    index = QuoteIndex("Net sales 5. Net  sales 6. Net\u00a0sales 5.")
    assert [index.text[start:end] for start, end in index.find("Net sales 5")] == ["Net sales 5"] * 2
    assert index.find("Net sales 7") == []
    assert index.find("  ") == []


def test_prefix_and_suffix_choose_between_several_places() -> None:
    index = QuoteIndex("In 2022: total 5 units. In 2023: total 5 pieces.")
    first, second = index.find("total 5")
    assert index.find("total 5", prefix="In 2023: ") == [second]
    assert index.find("total 5", suffix=" units") == [first]
    assert index.find("total 5", prefix="2022:", suffix="units") == [first]


def test_a_prefix_that_fits_nowhere_rejects_no_place() -> None:
    index = QuoteIndex("In 2022: total 5. In 2023: total 5.")
    assert len(index.find("total 5", prefix="In 1999: ")) == 2
    assert len(QuoteIndex("only total 5 here").find("total 5", prefix="never")) == 1


@pytest.mark.parametrize(
    ("page", "quote"),
    [
        ("sales of 31,069 units", "069 units"),
        ("sales of 31,069 units", "sales of 31"),
        ("a rate of 11.93 percent", "1.93 percent"),
        ("loss of (10,959) in all", "10,959"),
        ("loss of (10,959) in all", "loss of (10,959"),
        ("loss of ($ 10,959) in all", "$10,959"),
        ("change was -5 in all", "5 in all"),
        ("change was △ 5 in all", "5 in all"),
    ],
)
def test_a_quote_may_not_cut_a_number_of_the_page(page: str, quote: str) -> None:
    assert QuoteIndex(page).find(quote) == []


@pytest.mark.parametrize(
    ("page", "quote"),
    [
        ("years 2021-2022 were good", "2022 were"),
        ("sales, 5, and more", "5"),
        ("(in 2023) sales rose", "in 2023"),
        ("ends with 1,069.", "ends with 1,069"),
        ("Revenue grew", "venue"),
    ],
)
def test_a_quote_may_begin_and_end_anywhere_else(page: str, quote: str) -> None:
    assert len(QuoteIndex(page).find(quote)) == 1


@pytest.mark.parametrize(
    ("quote", "as_written"),
    [
        ("Net sales 1,069 in all", "1,069"),
        ("loss ( 10,959 )", "(10,959)"),
        ("loss (10,959)", "( 10,959 )"),
        ("Net loss $ (10,959) 5,000", "$(10,959)"),
        ("Net loss $ (10,959) 5,000", "(10,959)"),
        ("Net sales $ 10,959", "10,959"),
        ("US$10,959", "10,959"),
        ("RMB602 billion", "602"),
        ("约602亿元", "602"),
        ("4.27 million vehicles", "4.27"),
        ("4.27 million vehicles", "4.27 million"),
        ("a gain of 20.2 %", "20.2%"),
        ("a gain of 20.2%", "20.2"),
        ("ends with 1,069.", "1,069"),
        ("in FY2023 it was 2023", "2023"),
        ("fiscal 2021-2022", "2022"),
        ("fell by −5.1 points", "-5.1"),
        ("△ 1,234 百万円", "△1,234"),
        ("5,000 (5,000)", "5,000"),
        ("5,000 (5,000)", "(5,000)"),
        ("Deferred — 5", "—"),
        ("31\u202f069 units", "31 069"),
        ("31 069 units", "31\u00a0069"),
        ("a 10-year note", "10"),
        ("10² metres", "10"),
        ("Rs.5 crore", "5"),
        ("a loss (5.2% in 2022)", "5.2%"),
    ],
)
def test_a_quote_holds_its_number(quote: str, as_written: str) -> None:
    assert holds_once(quote, as_written)


@pytest.mark.parametrize(
    ("quote", "as_written"),
    [
        ("31,069", "1,069"),
        ("11.93", "1.9"),
        ("1.93", "1.9"),
        ("1.93", "93"),
        ("( 5 )", "5"),
        ("( 10,959 )", "10,959"),
        ("10,959", "(10,959)"),
        ("($ 10,959)", "10,959"),
        ("(US$10,959)", "$10,959"),
        ("(5.2%)", "5.2"),
        ("( 10,959", "10,959"),
        ("10,959 )", "10,959"),
        ("-5", "5"),
        ("−$5", "5"),
        ("△ 5", "5"),
        ("2021-5", "-5"),
        ("31\u202f069", "069"),
        ("31\u00a0069", "31"),
        ("1'234", "234"),
        ("5 and 5", "5"),
        ("FY2023", "2023"),
        ("CO2 emissions", "2"),
        ("Q4 revenue", "4"),
        ("1,069.5", "1,069"),
        (".5", "5"),
        ("— and —", "—"),
        ("no number", "5"),
        ("5", ""),
        ("5", " "),
    ],
)
def test_a_part_of_a_number_or_another_sign_is_not_held(quote: str, as_written: str) -> None:
    assert not holds_once(quote, as_written)


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_a_grouped_number_is_held_by_a_row_unless_the_row_has_it_twice(one: int, other: int) -> None:
    row = f"Total {one:,} {other:,}"
    assert holds_once(row, f"{one:,}") == (one != other)


@given(st.decimals(0, 10**6, places=2), st.sampled_from("123456789"))
def test_a_number_with_a_digit_more_on_either_side_is_not_held(number: object, digit: str) -> None:
    assert not holds_once(f"sum {digit}{number} in all", str(number))
    assert not holds_once(f"sum {number}{digit} in all", str(number))


@given(st.text(alphabet=ODD, max_size=40), st.text(alphabet=ODD, max_size=8))
def test_holding_is_told_for_any_text(quote: str, as_written: str) -> None:
    assert holds_once(quote, as_written) in (True, False)


def test_the_longest_quote_is_the_design_s() -> None:
    assert MAX_QUOTE == 300

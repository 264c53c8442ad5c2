"""`find_numbers`: the numbers of running text and their spans."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.quantities import DASHES, find_numbers, read_number

# text, locale, what is found: span text -> signed number with its scale and unit
FOUND = [
    ("Revenue was $383,285 million in 2023.", "en", ["$383,285 million=383285e6USD", "2023=2023"]),
    ("a loss of $(1,234) million", "en", ["$(1,234) million=-1234e6USD"]),
    ("other income (565) (334) 59", "en", ["(565)=-565", "(334)=-334", "59=59"]),
    ("( 1,234 ) and $ ( 5 )", "en", ["( 1,234 )=-1234", "$ ( 5 )=-5USD"]),
    (
        "down 5.2%, up 20.2 percent or 25 basis points",
        "en",
        ["5.2%=5.2percent", "20.2 percent=20.2percent", "25 basis points=25bp"],
    ),
    ("1.2 percentage points, 3pp, 4 %-pts", "en", ["1.2 percentage points=1.2pp", "3pp=3pp", "4 %-pts=4pp"]),
    (
        "CNY 602 billion; US$5.2bn; €5m; C$ 7",
        "en",
        ["CNY 602 billion=602e9CNY", "US$5.2bn=5.2e9USD", "€5m=5e6EUR", "C$ 7=7CAD"],
    ),
    ("5,2 Mio. € und 3 Mrd. Euro", "de", ["5,2 Mio. €=5.2e6EUR", "3 Mrd. Euro=3e9EUR"]),
    ("売上高1,234億円、前年比△5.2％", "ja", ["1,234億円=1234e8JPY", "△5.2％=-5.2percent"]),
    ("营业收入6020亿元，同比增长20.2%", "zh", ["6020亿元=6020e8CNY", "20.2%=20.2percent"]),
    ("利益は1兆2,345億円", "ja", ["1兆2,345億円=12345e8JPY"]),
    ("1\u202f234 et 5 678 salariés", "fr", ["1\u202f234=1234", "5 678=5678"]),
    ("(2022: $394,328)", "en", ["2022=2022", "$394,328=394328USD"]),
    ("($1,234 in 2022)", "en", ["$1,234=1234USD", "2022=2022"]),
    ("it fell (-5%)", "en", ["-5%=-5percent"]),
    (
        "in 2022 $5, in 2023 $ ( 6 ), in 2024 $ — $ 7",
        "en",
        ["2022=2022", "$5=5USD", "2023=2023", "$ ( 6 )=-6USD", "2024=2024", "$ 7=7USD"],
    ),
    ("4.1 % $ 500", "en", ["4.1 %=4.1percent", "$ 500=500USD"]),
    ('of 17. Then 3, or 4; "5"', "en", ["17=17", "3=3", "4=4", "5=5"]),
    ("EPS of $.05 and .5", "en", ["$.05=0.05USD", ".5=0.5"]),
    ("grew—5% more", "en", ["5%=5percent"]),
    ("a 5kg box, 20MW", "en", ["5=5", "20=20"]),
    (
        "it fell minus 5% and negative 7, while 20 minus 5 is 15",
        "en",
        ["minus 5%=-5percent", "negative 7=-7", "20=20", "5=5", "15=15"],
    ),
    (
        "6.02e11 or 6.02×10^11 or 1 000 000 or 59 36 12; 6.02e3.",
        "en",
        ["6.02e11=6.02e11", "6.02×10^11=6.02e11", "1 000 000=1000000", "59=59", "36=36", "12=12", "6.02e3=6.02e3"],
    ),
    # ranges: the dash between two figures is no minus
    ("2022-2023", "en", ["2022=2022", "2023=2023"]),
    ("5-7%", "en", ["5=5", "7%=7percent"]),
    ("5% – 7%", "en", ["5%=5percent", "7%=7percent"]),
    ("$5-$7", "en", ["$5=5USD", "$7=7USD"]),
    # glued into words
    ("FY2023 Q3 COVID-19 10-K 12-month 3D B2B v2 F5's", "en", []),
    ("1st 2nd 10x S&P500 80's x_5 #5 Fig.5 §5", "en", []),
    ("section 401(k) of ASC(5)", "en", []),
    # chains of figures that are dates, times, versions, numbers of things
    ("2023-12-31 31.12.2023 12/31/2023 12/31 12:30 1.2.3 0001326801-25-000017", "en", []),
    # what two readings fit
    ("1,23 and 5m and 5 mil and 1,234-", "en", []),
    ("1,234 and 1.234", "", []),
    ("007 5½ 5² ±3 10^9 m^2", "en", []),
    ("no number at all", "en", []),
    ("", "en", []),
]


@pytest.mark.parametrize(("text", "locale", "expected"), FOUND)
def test_the_numbers_of_a_text_are_found_with_what_belongs_to_them(text: str, locale: str, expected: list[str]) -> None:
    found = []
    for start, end, reading in find_numbers(text, locale=locale):
        scale = f"e{reading.scale}" if reading.scale else ""
        found.append(f"{text[start:end]}={reading.signed}{scale}{reading.unit}")
    assert found == expected


@pytest.mark.parametrize("dash", DASHES, ids=lambda dash: f"U+{ord(dash):04X}")
def test_every_dash_is_a_minus_at_the_beginning_and_a_range_between_figures(dash: str) -> None:
    assert [reading.signed for _, _, reading in find_numbers(f"from {dash}5 to")] == [-5]
    assert [reading.signed for _, _, reading in find_numbers(f"from 5{dash}7 to")] == [5, 7]


PIECES = st.sampled_from(
    [
        *"0123456789 .,()-–—−%$€¥'’/:\n\t\u00a0\u202f+△½²_#",
        "million",
        " billion",
        "bn",
        "m",
        "K",
        "pp",
        " bps",
        "USD ",
        " EUR",
        "兆",
        "億",
        "万",
        "円",
        "１",
        "٣",
        "FY",
        "x",
        "Mio. ",
        "kr",
        "Rs.",
        " basis points",
        "% points",
        "US$",
        "亿美元",
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from(["en", "de", "fr", "ja", "zh", "de-CH", "sv", ""]))
def test_each_span_reads_as_the_number_that_was_found_in_it(text: str, locale: str) -> None:
    last = 0
    for start, end, reading in find_numbers(text, locale=locale):
        assert last <= start < end <= len(text)
        assert read_number(text[start:end], locale=locale) == reading
        last = end


@given(st.text(max_size=200))
def test_any_text_at_all_can_be_searched(text: str) -> None:
    for start, end, reading in find_numbers(text):
        assert reading.text == text[start:end].strip()


@pytest.mark.parametrize(
    "piece", ["1", "1,", "1-", "1/", "(", "$", "5兆", "1 ", "1\u00a0", "111\u00a0", "(-$1.5bn) ", "5 million "]
)
def test_a_long_text_of_one_piece_comes_to_an_end(piece: str) -> None:
    numbers = sum(1 for _ in find_numbers(piece * 20_000))
    assert numbers in {0, 20_000} or piece == "5兆"

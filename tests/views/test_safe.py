"""Text from outside made fit to be shown, addresses that may be links, and figures marked in quotes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.views.highlight import marked_parts
from cellwright.views.safe import anchor, fit, one_line, web_address


@pytest.mark.parametrize("text", ["\x1b[31mred", "a\x00b", "a\u202eb", "a\ud800b", "a\u2066b", "a\x9bb", "a\x08b"])
def test_characters_that_move_hide_or_reverse_text_are_replaced(text: str) -> None:
    assert "\ufffd" in fit(text)
    assert fit(text).encode("utf-8")


@given(st.text())
def test_fit_text_can_always_be_encoded_and_stays_so(text: str) -> None:
    assert fit(fit(text)) == fit(text)
    assert one_line(text).encode("utf-8").count(b"\n") == 0


@pytest.mark.parametrize(
    "text",
    ["https://www.sec.gov/Archives/a.htm", "http://example.org:8080/x?y=1&z=%20#top", "https://例え.example/年報"],
)
def test_http_addresses_with_a_host_may_be_links(text: str) -> None:
    assert web_address(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,<script>1</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "//example.org",
        "/relative",
        "https:",
        "https://",
        "https:///x",
        "http://[::1",
        "http://host:port/",
        "https://user@evil.example/",
        "https://a b.example/",
        "https://example.org/\u202egpj",
        "https://example.org\\@evil.example",
        "https://example.org/\x00",
        "mailto:a@b.example",
        "https://example.org/" + "x" * 2001,
    ],
)
def test_every_other_address_is_never_a_link(text: str) -> None:
    assert web_address(text) == ""


def test_an_anchor_has_no_blank_and_no_quotation_mark() -> None:
    assert anchor("us-large-caps-fy2023", "aapl", "gross_margin") == "us-large-caps-fy2023/aapl/gross_margin"
    assert anchor('x" onclick="y', "") == "x-onclick-y/-"


@pytest.mark.parametrize(
    ("quote", "figure", "marked"),
    [
        ("Total net sales 391,035 383,285 394,328", "383,285", "383,285"),
        ("Payments ( 9,447 ) ( 10,959 ) ( 10,708 )", "(10,959)", "( 10,959 )"),
        ("Diluted $ 11.93 $ 1.74", "11.93", "11.93"),
        ("margin of 20.2% in 2023", "20.2", "20.2"),
        ("loss of −1,234 in all", "-1,234", "−1,234"),
        ("31,069 and 1,069", "1,069", "1,069"),
        ("11.93 and 1.9", "1.9", "1.9"),
        ("population 1 234 567 in all", "1 234 567", "1 234 567"),
    ],
)
def test_the_figure_is_marked_within_its_quote(quote: str, figure: str, marked: str) -> None:
    parts = marked_parts(quote, figure)
    assert [part.text for part in parts if part.marked] == [marked]
    assert "".join(part.text for part in parts) == quote


@pytest.mark.parametrize(
    ("quote", "figure"),
    [
        ("31,069", "1,069"),
        ("11.93", "1.9"),
        ("1.95", "1.9"),
        ("3,597,000", "3,597"),
        ("nothing", "5"),
        ("5 apples", ""),
    ],
)
def test_a_figure_that_is_only_a_part_of_a_number_is_not_marked(quote: str, figure: str) -> None:
    assert not any(part.marked for part in marked_parts(quote, figure))


@given(st.text(alphabet=" 1,.()$-", max_size=300), st.text(alphabet=" 1,.()$-", max_size=90))
def test_marking_loses_no_character(quote: str, figure: str) -> None:
    assert "".join(part.text for part in marked_parts(quote, figure)) == quote

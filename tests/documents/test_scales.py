"""Scales and units read from the words around figures."""

from __future__ import annotations

import pytest

from cellwright.documents import scales
from cellwright.documents.defaults import default_scales
from cellwright.documents.scales import Scales, read_scales


@pytest.mark.parametrize(
    ("text", "money", "shares"),
    [
        ("(In millions, except number of shares, which are reflected in thousands, and per-share amounts)", 6, 3),
        ("(in millions, except per share data)", 6, 6),
        ("(In millions, except for number of shares and par value)", 6, 0),
        ("(in thousands, except share and per share amounts)", 3, 0),
        ("(Shares in millions)", None, 6),
        ("Consolidated Statements - USD ($) $ in Millions", 6, 6),
        ("USD million", 6, 6),
        ("EUR m", 6, 6),
        ("€m", 6, 6),
        ("Mio. €", 6, 6),
        ("in € millions", 6, 6),
        ("CNY billion", 9, 9),
        ("TEUR", 3, 3),
        ("(£'000)", 3, 3),
        ("DKK'000", 3, 3),
        ("All figures in USD ‘000, except rate per day", 3, 3),
        ("RMB’Million", 6, 6),
        ("USDm", 6, 6),
        ("EURbn", 9, 9),
        ("Number of shares (thousands)", 3, 3),
        ("Payments due by period (in thousands)", 3, 3),
        ("USDA reports", None, None),
        ("(000s)", 3, 3),
        ("単位:百万円", 6, 6),
        ("千円", 3, 3),
        ("亿元", 8, 8),
        ("milliers d'euros", 3, 3),
        ("million vehicles", 6, 6),
        ("more than 9,000 contracts", None, None),
        ("USD/share", None, None),
        ("Net sales", None, None),
    ],
)
def test_the_scale_of_money_and_of_shares_is_read(text: str, money: int | None, shares: int | None) -> None:
    read = read_scales(text)
    assert (read.money, read.shares) == (money, shares)


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("USD million", "USD"),
        ("in € millions", "EUR"),
        ("C$", "CAD"),
        ("$ in thousands", "$"),
        ("US$", "USD"),
        ("(in thousands of U.S. dollars)", "USD"),
        ("€ and £", ""),
        ("RMB", "CNY"),
        ("Net sales", ""),
    ],
)
def test_the_currency_is_read_and_two_are_none(text: str, currency: str) -> None:
    assert scales.currency_in(text) == currency


@pytest.mark.parametrize("text", ["USD million", "percent", "%", "USD/share", "million vehicles", "TEUR", "百万円"])
def test_a_cell_of_a_unit_is_known(text: str) -> None:
    assert scales.is_unit(text)


@pytest.mark.parametrize("text", ["Total net sales", "383,285", "2023-09-30", "", "Cost of sales in Europe"])
def test_other_cells_are_no_units(text: str) -> None:
    assert not scales.is_unit(text)


@pytest.mark.parametrize(
    "text",
    [
        "Earnings per share:",
        "per diluted common share",
        "EPS",
        "USD/share",
        "Net income per share of Class A and Class B stock",
    ],
)
def test_amounts_per_share_are_known(text: str) -> None:
    assert scales.is_per_share(text)


@pytest.mark.parametrize(
    "text", ["Shares used in computing earnings per share:", "Weighted-average shares outstanding", "Number of shares"]
)
def test_numbers_of_shares_are_known(text: str) -> None:
    assert scales.is_shares(text)


@pytest.mark.parametrize(
    ("text", "money"),
    [
        ("All dollar amounts in the tables are stated in millions of U.S. dollars.", 6),
        (
            "The dollar and share amounts in the tables, except per-share amounts, are presented in millions unless "
            "otherwise indicated.",
            6,
        ),
        ("Sales rose in millions of ways.", None),
        ("In thousands, unless otherwise noted.\nIn millions, unless otherwise noted.", None),
    ],
)
def test_what_a_document_says_of_all_its_tables_is_found(text: str, money: int | None) -> None:
    assert default_scales(text).money == money


def test_nothing_said_is_nothing() -> None:
    assert default_scales("") == Scales()

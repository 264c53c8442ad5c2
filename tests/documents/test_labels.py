"""Row labels compared."""

from __future__ import annotations

import pytest

from cellwright.documents.labels import level, without_figures, words


@pytest.mark.parametrize(
    ("asked", "label", "expected"),
    [
        ("Total net sales", "TOTAL NET SALES:", 0),
        ("Shareholders' equity", "Shareholders’ equity (1)", 0),
        ("Net income", "Net income (loss)", 1),
        ("Diluted net income per share", "Diluted net income per share of Class A stock", 2),
        ("Gross profit margin", "Margin of gross profit", 3),
        ("Net income", "Net income before tax and other things", 2),
        ("Prepaid expenses included an inventory of drugs and supplies", "Prepaid expenses", None),
        ("Revenue", "Cost of revenue", None),
        ("GDP", "GDP per head", None),
    ],
)
def test_how_well_a_label_fits(asked: str, label: str, expected: int | None) -> None:
    assert level(asked, label) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Total net sales 391,035 383,285 394,328", "Total net sales"),
        ("Net income $ 93,736 $ 96,995", "Net income"),
        ("Payments for property ( 9,447 ) ( 10,959 )", "Payments for property"),
        ("Balance at December 31, 2021 482 3,278", "Balance at December 31, 2021"),
        ("Balances, Jan 30, 2022 2,506 3 — ( 11 ) 26,612", "Balances, Jan 30, 2022"),
        ("Total assets", "Total assets"),
        ("391,035 383,285", "391,035 383,285"),
    ],
)
def test_the_figures_at_the_end_of_a_rows_text_are_cut_off(text: str, expected: str) -> None:
    assert without_figures(text) == expected


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("revenue", "Total net sales"),
        ("capex", "Purchases of property and equipment"),
        ("eps_diluted", "Diluted EPS"),
        ("cost_of_revenue", "Cost of sales"),
        ("rnd_expense", "Research and development"),
        ("net_income", "Net earnings"),
        ("stockholders_equity", "Total shareowners' equity"),
        ("long_term_debt_noncurrent", "Non-current liabilities"),
    ],
)
def test_short_names_and_labels_share_words(name: str, label: str) -> None:
    assert words(name) & words(label)

"""Figures in a row of cells: split ones are put together, words and dates are none."""

from __future__ import annotations

import pytest

from cellwright.documents.figures import figures_of


def texts(*cells: str) -> list[str]:
    return [figure.text for figure in figures_of([(cell, column, 1) for column, cell in enumerate(cells)])]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("Net income", "$", "93,736", "$", "96,995"), ["$93,736", "$96,995"]),
        (("Capex", "(9,447", ")", "(10,959", ")"), ["(9,447)", "(10,959)"]),
        (("x", "$", "(", "10,959", ")", "%"), ["$(10,959)%"]),
        (("x", "( 12 )", "$ ( 3 )"), ["(12)", "$ (3)"]),
        (("x", "12.5", "%", "(3)", "%", "100 %"), ["12.5%", "(3)%", "100 %"]),
        (("x", "$", "—", "–", "-"), ["$—", "–", "-"]),
        (("x", "△1,234", "−5", "▲ 7"), ["△1,234", "−5", "▲ 7"]),
        (("x", "1 234 567", "1'234.50", "1.234,5"), ["1 234 567", "1'234.50", "1.234,5"]),
        (("x", "€ 5", "5 €", "USD 7", "$2.8 billion"), ["€ 5", "5 €", "USD 7", "$2.8 billion"]),
        (("x", "1,234 (1)", "5,678*", "1,234 1"), ["1,234", "5,678", "1,234"]),
        (("x", "5", "(1)", "3"), ["5", "(1)", "3"]),
    ],
)
def test_figures_are_put_together(cells: tuple[str, ...], expected: list[str]) -> None:
    assert texts(*cells) == expected


@pytest.mark.parametrize(
    "cell",
    [
        "NM",
        "30.09.2023",
        "2023-09-30",
        "2.3 - 4.5",
        "EPS",
        "MAY 2023",
        "Note 5",
        "n/a",
        "December 31, 2023",
        "",
        "USD million",
        "Q1 2023",
        "x" * 200,
    ],
)
def test_words_dates_and_ranges_are_no_figures(cell: str) -> None:
    assert texts("label", cell) == []


def test_a_figure_knows_the_columns_of_all_its_parts() -> None:
    (figure,) = figures_of([("Net loss", 0, 3), ("$", 3, 1), ("(10", 4, 2), (")", 6, 1)])
    assert (figure.first, figure.column, figure.last) == (3, 4, 6)
    assert figure.spaced == "$ (10 )"


def test_a_currency_sign_belongs_to_the_figure_at_its_right() -> None:
    assert texts("x", "5", "$", "6") == ["5", "$6"]


@pytest.mark.parametrize(("text", "year"), [("2023", True), ("2,023", False), ("$2023", False), ("1776", False)])
def test_four_plain_digits_may_be_a_year(text: str, year: bool) -> None:
    (figure,) = figures_of([(text, 1, 1)])
    assert figure.is_year is year

"""`locate` on PDFs: rows, columns and scales told from the lines of a page, and never guessed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cellwright.documents.locate import Located, Locator
from cellwright.documents.model import Document
from cellwright.documents.pdf_figures import read_line
from cellwright.documents.pdf_lines import line_tables
from cellwright.documents.quotes import QuoteIndex, holds_once
from cellwright.documents.reading import read_document
from tests.documents.pdf_statement_figures import Printed, printed
from tests.documents.small_files import pdf_of
from tests.documents.test_locate import wanted

YEAR = "2022-01-01/2022-12-31"
BEFORE = "2021-01-01/2021-12-31"


@pytest.fixture(scope="module")
def reports(shared_data: Path) -> Callable[[str], Locator]:
    """The real reports, each read once."""

    @cache
    def report(name: str) -> Locator:
        data = (shared_data / "pdf_financebench" / f"{name}.pdf").read_bytes()
        return Locator(read_document(data, "application/pdf"))

    return report


UNTOLD = {"Repurchase of common shares"}
"""Rows of money whose label reads like a number of shares: they are not found, and none is found wrongly."""


def filled_in(figure: Printed) -> dict[str, Any]:
    """What a curator writes of the figure."""
    return {"as_written": figure.text, "value": figure.value, "scale": figure.scale, "sign": "shown"}


def test_blind_the_figures_of_statements_come_back_with_value_scale_and_page(reports: Callable[[str], Locator]) -> None:
    figures = list(printed())
    wrong: list[tuple[object, ...]] = []
    missed: set[str] = set()
    for figure in figures:
        found = reports(figure.document).locate(figure.wanted())
        if found.status != "exact":
            missed.add(figure.row)
        elif (found.value_read, found.scale_read) != (figure.value, figure.scale) or found.page is None:
            wrong.append((figure, found))
    assert len(figures) == 459
    assert wrong == []
    assert missed == UNTOLD


def test_filled_in_as_printed_they_stay_exact_and_their_quotes_hold_the_figure(
    reports: Callable[[str], Locator],
) -> None:
    indexes: dict[str, QuoteIndex] = {}
    repeated = 0
    for figure in printed():
        if figure.row in UNTOLD:
            continue
        locator = reports(figure.document)
        found = locator.locate(figure.wanted(**filled_in(figure)))
        index = indexes.setdefault(figure.document, QuoteIndex(locator.document.text))
        assert (found.status, holds_once(found.quote, found.as_written)) == ("exact", True), figure
        places = index.find(found.quote, found.prefix, found.suffix)
        assert places, (figure, found.quote)
        repeated += len(places) > 1
    assert repeated < 12  # a statement that stands twice, word for word


def one_digit_changed(figure: Printed) -> Printed | None:
    places = [index for index, char in enumerate(figure.text) if char.isdigit()]
    if not places:
        return None
    at = places[-1]
    return replace(figure, text=f"{figure.text[:at]}{(int(figure.text[at]) + 1) % 10}{figure.text[at + 1 :]}")


def of_another_period(figure: Printed) -> Printed | None:
    same = (figure.document, figure.page, figure.row, figure.unit)
    others = [
        other
        for other in printed()
        if (other.document, other.page, other.row, other.unit) == same
        and (other.end, other.months) != (figure.end, figure.months)
        and other.text != figure.text
    ]
    return replace(figure, text=others[0].text) if others else None


def a_thousand_times(figure: Printed) -> Printed | None:
    return replace(figure, scale=figure.scale + 3)


@pytest.mark.parametrize("change", [one_digit_changed, of_another_period, a_thousand_times])
def test_tempted_none_comes_back_exact(
    reports: Callable[[str], Locator], change: Callable[[Printed], Printed | None]
) -> None:
    tempted = [other for figure in printed() if (other := change(figure)) is not None]
    assert len(tempted) > 400
    assert [
        figure
        for figure in tempted
        if reports(figure.document).locate(figure.wanted(**filled_in(figure))).status == "exact"
    ] == []


def page(*lines: str) -> Document:
    """A PDF of one page that shows the lines."""
    return read_document(
        pdf_of([[(50, 760 - 14 * number, line) for number, line in enumerate(lines)]]), "application/pdf"
    )


def find(document: Document, period: str = YEAR, **fields: Any) -> Located:
    return Locator(document).locate(wanted(period, **fields))


HEADS: dict[str, tuple[str, ...]] = {
    "years in one line": ("Years ended December 31, 2022 2021",),
    "the day above the years": ("Year Ended December 31,", "2022 2021"),
    "full dates": ("Fiscal Years Ended December 31, 2022 December 31, 2021",),
    "days above years": ("Years Ended", "December 31, December 31,", "2022 2021"),
    "dates broken over lines": ("Years Ended", "December 31,", "2022", "December 31,", "2021"),
    "a change behind the years": ("Years ended December 31,", "2022 2021 % Change"),
}


@pytest.mark.parametrize("name", sorted(HEADS))
def test_columns_are_told_by_the_lines_above(name: str) -> None:
    change = " 20 %" if "change" in name else ""
    document = page(
        "ACME CORP.",
        "(In millions)",
        *HEADS[name],
        f"Revenue $ 1,200 $ 1,000{change}",
        f"Cost of sales (700) (600){change}",
    )
    values = [
        str(find(document, period, row=row, unit="USD").value_read)
        for row in ("Revenue", "Cost of sales")
        for period in (YEAR, BEFORE)
    ]
    assert [int(float(value)) for value in values] == [1_200_000_000, 1_000_000_000, -700_000_000, -600_000_000]


def test_the_page_and_the_words_around_are_told() -> None:
    document = read_document(
        pdf_of(
            [
                [(50, 700, "Cover")],
                [
                    (50, 760, "(In millions)"),
                    (50, 740, "Years ended December 31, 2022 2021"),
                    (50, 720, "Revenue 1,200 1,000"),
                    (50, 700, "Costs 900 800"),
                ],
            ]
        ),
        "application/pdf",
    )
    found = find(document, row="Revenue", unit="USD")
    assert (found.status, found.page, found.quote, found.column) == ("exact", 2, "Revenue 1,200 1,000", "2022")
    assert found.suffix.startswith("Costs 900")


def test_a_label_broken_over_lines_is_one() -> None:
    document = page(
        "(In millions)",
        "Years ended December 31, 2022 2021",
        "Adjustments, net of amounts attributable to",
        "other interests 10 20",
        "Total 30 40",
    )
    found = find(document, row="Adjustments, net of amounts attributable to other interests", unit="USD")
    assert (found.status, found.as_written) == ("exact", "10")
    assert QuoteIndex(document.text).find(found.quote)


def test_numbers_that_belong_to_the_label_are_no_figures_of_it() -> None:
    read = read_line("Net loss arising during the period, net of tax of $12, ($16) and ($4) (40) 55 14")
    assert read.figures == ("(40)", "55", "14")
    assert read_line("Notes due 2026 1,000 900").figures == ("1,000", "900")
    assert read_line("Other income (expense), net 41 — 42").figures == ("41", "—", "42")


def test_notes_numbers_are_told_from_figures() -> None:
    document = page(
        "(In millions)", "Years ended December 31,", "Note 2022 2021", "Revenue 5 1,200 1,000", "Costs 900 800"
    )
    assert [find(document, row=row, unit="USD").as_written for row in ("Revenue", "Costs")] == ["1,200", "900"]


def test_a_row_with_a_blank_cell_is_not_guessed() -> None:
    document = page(
        "(In millions)",
        "Years ended December 31, 2022 2021 2020",
        "Revenue 1,200 1,000 900",
        "Impairments 50 40",
        "Costs 9 8 7",
    )
    found = find(document, row="Impairments", unit="USD")
    assert (found.status, found.value_read) == ("ambiguous", None)


def test_heads_that_name_no_period_end_the_table_above() -> None:
    document = page(
        "(In millions)",
        "Years ended December 31, 2022 2021",
        "Revenue 1,200 1,000",
        "Costs 9 8",
        "(In millions)",
        "Europe Asia",
        "Employees 12 30",
    )
    assert find(document, row="Employees").status != "exact"


def test_a_period_is_told_by_the_group_over_its_columns() -> None:
    document = page(
        "(In millions)",
        "Three Months Ended Six Months Ended",
        "June 30, 2022 June 30, 2021 June 30, 2022 June 30, 2021",
        "Revenue 1 2 3 4",
        "Costs 5 6 7 8",
    )
    periods = ("2022-04-01/2022-06-30", "2021-04-01/2021-06-30", "2022-01-01/2022-06-30", "2021-01-01/2021-06-30")
    assert [find(document, period, row="Revenue", unit="USD").as_written for period in periods] == list("1234")


def test_the_years_twice_without_a_group_are_not_guessed() -> None:
    document = page("(In millions)", "Revenue Earnings", "2022 2021 2022 2021", "Software 1 2 3 4", "Hardware 5 6 7 8")
    assert find(document, row="Software", unit="USD").status != "exact"


def test_amounts_with_their_shares_in_percent_stand_under_one_head_each() -> None:
    document = page(
        "(In thousands)",
        "Years ended December 31, 2022 2021",
        "Revenue $ 1,200 100.0% $ 1,000 100.0%",
        "Costs 600 50.0% 700 70.0%",
        "Profit per share 2.10 1.90",
    )
    assert [find(document, period, row="Costs", unit="USD").as_written for period in (YEAR, BEFORE)] == ["600", "700"]
    assert find(document, BEFORE, row="Costs", unit="percent").as_written == "70.0%"


def test_a_sentence_broken_over_lines_carries_its_page() -> None:
    document = page(
        "Liquidity",
        "As of December 31, 2022, the carrying value of our long term obligations was $500",
        "million, net of the related discount.",
    )
    found = find(document, "2022-12-31", row="carrying value of our long term obligations", unit="USD")
    assert (found.status, str(found.value_read), found.page) == ("exact", "5.00E+8", 1)
    assert QuoteIndex(document.text).find(found.quote)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n" * 500,
        "2022 2021\n" * 400,
        "( " * 300,
        "$ " * 299 + "5",
        "1 " * 300,
        "December 31,\n" * 200,
        "Note " * 100,
    ],
)
def test_odd_pages_are_read_without_complaint(text: str) -> None:
    assert all(table.page == 1 for table in line_tables((text,)))

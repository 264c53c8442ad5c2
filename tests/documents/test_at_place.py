"""The figure at one place, from the visible text alone: its scale, its sign, its kind."""

from __future__ import annotations

from decimal import Decimal

import pytest

from cellwright.documents.at_place import PrintedFigure, figure_in_table, figure_in_text
from cellwright.documents.html import read_html
from cellwright.documents.locate import Locator

NOTED = "<p>(Dollars in millions, except per-share amounts or unless otherwise noted)</p>"
SENTENCES = {  # what a page says, where the number begins → value, kind
    ("Costs were $2.6 billion.", "$2.6"): ("2600000000", "money"),
    ("Costs were (in millions): 2023–$41.7; 2022–$63.8.", "$63.8"): ("63800000", "money"),
    ("Costs were (in millions) high. We paid $41 once.", "$41"): ("41", "money"),
    ("Rents (in millions): 2023–$56.1. Other rents: 2023–$261.4.", "$261.4"): ("261400000", "money"),
    ("Options were (in millions of shares): 2023–4.4; 2022–4.8.", "4.8"): ("4800000", "count"),
    ("Fees range between 1.5 and 4.0 basis points.", "1.5"): ("1.5", "percent"),
    ("Targets were 40-70% equities.", "40"): ("40", "percent"),
    ("We effected a 20-for-1 split.", "20"): ("20", "count"),
    ("Units settle one-for-one in shares.", "one"): ("1", "count"),
    ("We have two segments.", "two"): ("2", "count"),
    ("We recorded no impairment.", "no"): ("0", "count"),
    (f"{NOTED}<p>Expense was $510 in 2023.</p>", "$510"): ("510000000", "money"),
    (f"{NOTED}<p>Expense was $510 or $0.24 a share.</p>", "$0.24"): ("0.24", "money"),
    (f"{NOTED}<p>We paid $1,250,000 to one person.</p>", "$1,250,000"): ("1250000", "money"),
    ("<p>Tabular dollars in millions, unless otherwise noted.</p><p>We paid $510 once.</p>", "$510"): ("510", "money"),
}


def in_text(page: str, number: str) -> PrintedFigure | None:
    locator = Locator(read_html(f"<html><body>{page}</body></html>".encode()))
    return figure_in_text(locator, locator.document.text.rindex(number))


@pytest.mark.parametrize(("page", "number"), SENTENCES)
def test_a_number_in_a_sentence_has_the_scale_that_is_said_of_it(page: str, number: str) -> None:
    found = in_text(page, number)
    assert found is not None
    value, kind = SENTENCES[page, number]
    assert (found.value, found.kind) == (Decimal(value), kind)


def test_where_no_number_stands_none_is_read() -> None:
    assert in_text("Impairments were not material.", "not") is None


def table(*rows: str, before: str = "") -> Locator:
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row.split('|'))}</tr>" for row in rows)
    return Locator(read_html(f"<html><body><p>{before}</p><table>{lines}</table></body></html>".encode()))


MILLIONS = "(In millions, except number of shares, which are in thousands, and per share data)"
CELLS = {  # the rows of a table below `MILLIONS`, row and column and the words there → value, kind
    (("|2023", "Sales|1,200"), 1, 1, ""): ("1200000000", "money"),
    (("|2023", "Sales|(1,200)"), 1, 1, ""): ("-1200000000", "money"),
    (("|2023", "Sales|—"), 1, 1, ""): ("0", "money"),
    (("|2023", "Earnings per share|1.20"), 1, 1, ""): ("1.20", "per_share"),
    (("|2023", "Margin|20.2%"), 1, 1, ""): ("20.2", "percent"),
    (("|2023", "Shares outstanding|500"), 1, 1, ""): ("500000", "shares"),
    (("|2023", "Tax, net of benefit of $47|819"), 1, 0, "$47"): ("47000000", "money"),
    (("|2023", "Stock, $0.01 par value: 900 shares authorized|16"), 1, 0, "900"): ("900000", "shares"),
    (("|2023", "Stock, $0.01 par value: 900 shares authorized|16"), 1, 0, "$0.01"): ("0.01", "per_share"),
    (("|2023", "Stock, $0.01 par value: 900 shares authorized|16"), 1, 1, ""): ("16000000", "money"),
    (("|2023", "Stock, authorized – 3,000 shares|16"), 1, 0, "3,000"): ("3000000", "shares"),
    (("|Net income|Shares|EPS", "Allocated to stock|6,476|908|7.13"), 1, 1, ""): ("6476000000", "money"),
    (("|Net income|Shares|EPS", "Allocated to stock|6,476|908|7.13"), 1, 2, ""): ("908000", "shares"),
    (("|Net income|Shares|EPS", "Allocated to stock|6,476|908|7.13"), 1, 3, ""): ("7.13", "per_share"),
    (("|Shares in millions|Price", "Granted|1.2|266.70"), 1, 1, ""): ("1200000", "shares"),
    (("|2023", "Volatility|22.7-22.9%"), 1, 1, "22.7"): ("22.7", "percent"),
    (("|2023", "Value (billions)|1.34"), 1, 1, ""): ("1340000000", "money"),
    (("In Shares and Dollars|Shares Under Option", "Granted|1,549,440"), 1, 1, ""): ("1549440", "shares"),
}


@pytest.mark.parametrize(("rows", "row", "column", "words"), CELLS)
def test_a_figure_in_a_table_has_the_scale_of_its_kind(
    rows: tuple[str, ...], row: int, column: int, words: str
) -> None:
    locator = table(*rows, before=MILLIONS)
    cell = locator.document.tables[0].grid[row][column]
    assert cell is not None
    found = figure_in_table(locator, 0, row, column, cell.text.index(words) if words else 0)
    value, kind = CELLS[rows, row, column, words]
    assert found is not None
    assert (found.value, found.kind) == (Decimal(value), kind)


def test_what_a_declaration_excepts_it_does_not_scale() -> None:
    rows = ("|Shares Outstanding|Conversion Rate", "Class B|5|1.5653")
    locator = table(*rows, before="(in millions, except conversion rate)")
    rate, shares = figure_in_table(locator, 0, 1, 2), figure_in_table(locator, 0, 1, 1)
    assert rate is not None
    assert rate.value == Decimal("1.5653")
    assert shares is not None
    assert shares.value == 5_000_000


def test_a_continued_table_has_the_scale_of_the_one_before_it_and_another_has_not() -> None:
    page = "<p>(in millions)</p>{0}<p>{1}</p>{0}"
    rows = "<table><tr><td></td><td>2023</td></tr><tr><td>Notes payable</td><td>7</td></tr>{}</table>"
    rows = rows.format("<tr><td>Bonds</td><td>1,234,567</td></tr>" * 4)  # a smaller one would be taken for a title
    for between, value in (("(1) Gross of fees.</p><p>64", 7_000_000), ("Other matters are told next. " * 9, 7)):
        locator = Locator(read_html(f"<html><body>{page.format(rows, between)}</body></html>".encode()))
        found = figure_in_table(locator, 1, 1, 1)
        assert found is not None
        assert found.value == value

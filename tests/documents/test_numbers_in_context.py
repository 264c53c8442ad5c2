"""What stands around a figure belongs to it: notes, signs, scales by kind, periods, dashes."""

from __future__ import annotations

from datetime import date

import pytest

from cellwright.documents.html import read_html
from cellwright.documents.locate import Locator
from cellwright.records.fields import dates_meant
from cellwright.records.quantities import QuantityError, read_number

Told = tuple[str, str, str, int]
"""Label, figure as printed, kind, scale."""


def told(page: str, locale: str = "en") -> list[Told]:
    around = Locator(read_html(page.encode())).around(0, locale)
    return [
        (part.label, figure.text, around.meaning(row, figure).kind, around.meaning(row, figure).scale)
        for row, part in enumerate(around.table.parts)
        for figure in part.figures
    ]


STATEMENT = """<p>($ in millions, except per-share data; shares in thousands)</p><table>
<tr><td></td><td>Three months ended March 31, 2024</td></tr>
<tr><td>Revenue</td><td>1,234<sup>3</sup></td></tr>
<tr><td>Net loss</td><td>(45)</td></tr>
<tr><td>Diluted earnings per share</td><td>$1.23</td></tr>
<tr><td>Weighted average shares outstanding</td><td>123,456</td></tr>
<tr><td>Gross margin (%)</td><td>45.6</td></tr>
<tr><td>Other</td><td>—</td></tr></table>"""


def test_a_scale_is_that_of_the_kind_of_figure_it_is_said_of() -> None:
    assert told(STATEMENT) == [
        ("Revenue", "1,234", "money", 6),
        ("Net loss", "(45)", "money", 6),
        ("Diluted earnings per share", "$1.23", "per_share", 0),
        ("Weighted average shares outstanding", "123,456", "shares", 3),
        ("Gross margin (%)", "45.6", "percent", 0),
        ("Other", "—", "money", 6),
    ]


def test_a_scale_alone_in_a_row_of_heads_is_the_whole_table_s() -> None:
    page = (
        "<table><tr><td></td><td>2023</td><td>2022</td></tr><tr><td></td><td></td><td>(in millions)</td></tr>"
        "<tr><td>Sales</td><td>5</td><td>4</td></tr></table>"
    )
    assert told(page) == [("Sales", "5", "money", 6), ("Sales", "4", "money", 6)]


def test_two_scales_over_two_columns_are_each_its_own_column_s() -> None:
    page = (
        "<table><tr><td></td><td>(in millions)</td><td>(in thousands)</td></tr>"
        "<tr><td>Sales</td><td>5</td><td>4</td></tr></table>"
    )
    assert told(page) == [("Sales", "5", "money", 6), ("Sales", "4", "money", 3)]


def test_rates_above_amounts_do_not_make_them_percentages() -> None:
    page = (
        "<table><tr><td></td><td>$'000</td></tr><tr><td>Expected loss rate</td><td>1.0%</td></tr>"
        "<tr><td>Gross carrying amount</td><td>23,762</td></tr><tr><td>Allowance</td><td>238</td></tr>"
        "<tr><td>Expected term (in years)</td><td>6</td></tr></table>"
    )
    assert [(label, kind) for label, _, kind, _ in told(page)][:3] == [
        ("Expected loss rate", "percent"),
        ("Gross carrying amount", "money"),
        ("Allowance", "money"),
    ]


def test_a_scale_said_once_above_the_notes_is_that_of_all_tables() -> None:
    page = (
        "<p>NOTES TO CONSOLIDATED FINANCIAL STATEMENTS (in thousands, except per share data)</p>"
        + "<p>Words between.</p>" * 60
        + "<table><tr><td></td><td>2023</td></tr><tr><td>Deferred taxes</td><td>22,201</td></tr></table>"
    )
    assert told(page) == [("Deferred taxes", "22,201", "money", 3)]


@pytest.mark.parametrize(
    ("text", "locale", "value"),
    [
        ("(1,234)", "en", "-1234"),
        ("△1,234", "ja", "-1234"),
        ("▲1,234", "ja", "-1234"),
        ("—", "en", "0"),
        ("1.234,5", "de", "1234.5"),
        ("1 234,5", "fr", "1234.5"),
        ("1'234.50", "de-CH", "1234.50"),
        ("3万", "zh", "30000"),
        ("3億", "ja", "300000000"),
        ("1,030百万円", "ja", "1030000000"),
        ("12千円", "ja", "12000"),
    ],
)
def test_signs_and_scales_of_many_countries_are_read(text: str, locale: str, value: str) -> None:
    assert format(read_number(text, locale=locale, table_cell=True).value, "f") == value


@pytest.mark.parametrize(
    ("text", "unit"), [("1.2%", "percent"), ("1.2 pp", "pp"), ("120 bp", "bp"), ("1‰", "permille")]
)
def test_percent_points_and_basis_points_are_three_units(text: str, unit: str) -> None:
    assert read_number(text).unit == unit


@pytest.mark.parametrize(("text", "locale"), [("3.597", ""), ("1,234", ""), ("1,2343", "en"), ("1.2343", "de")])
def test_a_number_of_two_readings_is_an_error_that_names_both(text: str, locale: str) -> None:
    with pytest.raises(QuantityError, match=r"two readings fit: \S+ \(decimal \w+\) and \S+ \(grouping \w+\)"):
        read_number(text, locale=locale)


def test_a_dash_is_zero_in_a_cell_of_figures_only() -> None:
    with pytest.raises(QuantityError, match="only in a table's cell"):
        read_number("—")


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("03/04/2024", "; 03/04/2024 is 2024-03-04 or 2024-04-03"),
        ("13/04/2024", "; 13/04/2024 is 2024-04-13"),
        ("04.04.2024", "; 04.04.2024 is 2024-04-04"),
        ("99/99/2024", ""),
        (str(date(2024, 4, 3)), ""),
    ],
)
def test_a_date_in_figures_is_told_with_the_days_it_may_be(text: str, both: str) -> None:
    assert dates_meant(text) == both

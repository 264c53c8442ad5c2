"""`locate` on small made-up documents: what is read, what is refused, and when it asks."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from cellwright.documents.html import read_html
from cellwright.documents.locate import Located, Locator, Wanted, locate
from cellwright.documents.model import Document, table_of

YEAR = "2023-01-01/2023-12-31"
BEFORE = "2022-01-01/2022-12-31"
STATEMENT = """<p>ACME Corp.</p><p>CONSOLIDATED STATEMENTS OF OPERATIONS</p><p>(in thousands, except per share data)</p>
<table><tr><td></td><td colspan=6>Year Ended December 31,</td></tr>
<tr><td></td><td colspan=3>2023</td><td colspan=3>2022</td></tr>
<tr><td>Revenue</td><td>$</td><td>12,345</td><td></td><td>$</td><td>11,000</td><td></td></tr>
<tr><td>Cost of revenue</td><td></td><td>8,000</td><td></td><td></td><td>7,500</td><td></td></tr>
<tr><td>Net income (loss)</td><td>$</td><td>(1,234</td><td>)</td><td>$</td><td>567</td><td></td></tr>
<tr><td colspan=7>Net income (loss) per share:</td></tr>
<tr><td>Diluted</td><td>$</td><td>(0.12</td><td>)</td><td>$</td><td>0.05</td><td></td></tr>
<tr><td colspan=7>Shares used in computing net income (loss) per share:</td></tr>
<tr><td>Diluted</td><td></td><td>10,283</td><td></td><td></td><td>10,100</td><td></td></tr></table>"""
SHEET = """<h1>ACME, annual report</h1><table><tr><th>line</th><th>figure</th><th>unit</th><th>period</th></tr>
<tr><td>Total net sales</td><td>383,285</td><td>USD million</td><td>2022-09-25/2023-09-30</td></tr>
<tr><td>Total net sales</td><td>394,328</td><td>USD million</td><td>2021-09-26/2022-09-24</td></tr>
<tr><td>Payments for property</td><td>(10,959)</td><td>USD million</td><td>2022-09-25/2023-09-30</td></tr>
<tr><td>Diluted earnings per share</td><td>6.13</td><td>USD/share</td><td>2022-09-25/2023-09-30</td></tr>
<tr><td>Total assets</td><td>352,583</td><td>USD million</td><td>2023-09-30</td></tr>
<tr><td>Gross margin</td><td>44.1</td><td>percent</td><td>2022-09-25/2023-09-30</td></tr>
<tr><td>Vehicles delivered</td><td>4.27</td><td>million vehicles</td><td>2022-09-25/2023-09-30</td></tr></table>"""
FISCAL = "2022-09-25/2023-09-30"


def wanted(period: str, **fields: Any) -> Wanted:
    first, _, last = period.rpartition("/")
    fields = {"id": "x", "entity": "acme", "name": "", **fields}
    return Wanted(
        period_start=date.fromisoformat(first) if first else None, period_end=date.fromisoformat(last), **fields
    )


def find(html: str, period: str = YEAR, **fields: Any) -> Located:
    return locate(read_html(html.encode()), wanted(period, **fields))


@pytest.mark.parametrize(
    ("row", "unit", "value", "scale", "sign", "as_written"),
    [
        ("Revenue", "USD", "12345000", 3, "positive", "12,345"),
        ("Net income (loss)", "USD", "-1234000", 3, "negative", "(1,234)"),
        ("Diluted", "USD/share", "-0.12", 0, "negative", "(0.12)"),
        ("Diluted", "share", "10283000", 3, "positive", "10,283"),
    ],
)
def test_value_scale_and_sign_are_read_from_a_statement(
    row: str, unit: str, value: str, scale: int, sign: str, as_written: str
) -> None:
    found = find(STATEMENT, row=row, unit=unit)
    assert (found.status, found.value_read, found.scale_read, found.sign_read, found.as_written) == (
        "exact",
        Decimal(value),
        scale,
        sign,
        as_written,
    )
    assert found.period_read == YEAR


def test_the_excerpt_is_the_rows_text_with_its_neighbours() -> None:
    found = find(STATEMENT, row="Cost of revenue", unit="USD")
    assert found.quote == "Cost of revenue 8,000 7,500"
    assert found.prefix.endswith("Revenue $ 12,345 $ 11,000")
    assert found.suffix.startswith("Net income (loss) $ (1,234 )")
    assert found.column == "Year Ended December 31, > 2023"


@pytest.mark.parametrize(
    ("row", "period", "unit", "value"),
    [
        ("Total net sales", FISCAL, "USD", "383285000000"),
        ("Total net sales", "2021-09-26/2022-09-24", "USD", "394328000000"),
        ("Payments for property", FISCAL, "USD", "-10959000000"),
        ("Diluted earnings per share", FISCAL, "USD/share", "6.13"),
        ("Total assets", "2023-09-30", "USD", "352583000000"),
        ("Gross margin", FISCAL, "percent", "44.1"),
        ("Vehicles delivered", FISCAL, "vehicle", "4270000"),
    ],
)
def test_a_figure_sheet_tells_unit_and_period_in_columns_of_their_own(
    row: str, period: str, unit: str, value: str
) -> None:
    found = find(SHEET, period, row=row, unit=unit)
    assert (found.status, found.value_read) == ("exact", Decimal(value))


TRUE = {
    "row": "Total net sales",
    "unit": "USD",
    "as_written": "383,285",
    "value": Decimal("383285000000"),
    "scale": 6,
    "sign": "shown",
}
OUTFLOW = {
    "row": "Payments for property",
    "unit": "USD",
    "as_written": "(10,959)",
    "value": Decimal("10959000000"),
    "scale": 6,
    "sign": "reversed",
}


@pytest.mark.parametrize(
    "fact", [TRUE, OUTFLOW, {**TRUE, "row": "", "name": "revenue"}, {**OUTFLOW, "row": "", "name": "capex"}]
)
def test_a_true_fact_is_exact(fact: dict[str, Any]) -> None:
    assert find(SHEET, FISCAL, **fact).status == "exact"


@pytest.mark.parametrize(
    ("fact", "lie"),
    [
        (TRUE, {"as_written": "383,286"}),
        (TRUE, {"as_written": "394,328"}),
        (TRUE, {"value": Decimal("383286000000")}),
        (TRUE, {"scale": 9}),
        (TRUE, {"value": Decimal("383285000000000")}),
        (TRUE, {"as_written": "(383,285)"}),
        (TRUE, {"value": Decimal("-383285000000")}),
        (TRUE, {"sign": "reversed"}),
        (TRUE, {"as_written": "lots"}),
        (TRUE, {"as_written": "383.285"}),
        (TRUE, {"as_written": "383,285 billion"}),
        (OUTFLOW, {"as_written": "10,959"}),
        (OUTFLOW, {"sign": "shown"}),
        (OUTFLOW, {"value": Decimal("-10959000000")}),
        (OUTFLOW, {"sign": ""}),
    ],
)
def test_a_fact_that_says_otherwise_than_the_page_is_a_mismatch(fact: dict[str, Any], lie: dict[str, Any]) -> None:
    found = find(SHEET, FISCAL, **{**fact, **lie})
    assert found.status == "mismatch"
    assert found.value_read == (fact["value"] if fact is TRUE else -fact["value"])


def test_another_periods_number_is_a_mismatch_that_names_the_period() -> None:
    found = find(SHEET, "2020-09-27/2021-09-25", **TRUE)
    assert found.status == "mismatch"
    assert "2022-09-25/2023-09-30 and not of 2020-09-27/2021-09-25" in found.why


def test_hints_never_make_a_wrong_number_exact() -> None:
    hints = {"quote": "Total net sales 394,328 USD million", "prefix": "Total net sales", "column": "figure", "page": 1}
    assert find(SHEET, FISCAL, **{**TRUE, "as_written": "394,328", **hints}).status == "mismatch"


def test_a_number_in_brackets_without_a_sign_is_asked_about() -> None:
    found = find(SHEET, FISCAL, row="Payments for property", unit="USD")
    assert found.status == "exact"
    assert "really negative" in found.asks
    assert find(SHEET, FISCAL, **OUTFLOW).asks == ""


def test_a_row_that_is_not_there_is_absent() -> None:
    found = find(SHEET, FISCAL, row="Sales of dogs", name="revenue", unit="USD")
    assert (found.status, found.value_read) == ("absent", None)


def test_a_period_that_is_not_there_is_absent() -> None:
    assert find(STATEMENT, "2020-01-01/2020-12-31", row="Revenue", unit="USD").status == "absent"


def test_a_quarter_is_not_the_year_that_ends_with_it() -> None:
    quarters = (
        "<table><tr><td>(in millions)</td><td>Three Months Ended December 31, 2023</td>"
        "<td>Twelve Months Ended December 31, 2023</td></tr>"
        "<tr><td>Sales</td><td>10</td><td>40</td></tr></table>"
    )
    assert find(quarters, row="Sales", unit="USD").value_read == Decimal(40_000_000)
    assert find(quarters, "2023-10-01/2023-12-31", row="Sales", unit="USD").value_read == Decimal(10_000_000)


TWICE = """<table><tr><td>(in millions)</td><td>2023</td><td>2022</td></tr><tr><td>Revenue</td><td>100</td><td>90</td>
</tr></table><p>And once more, in another light, which takes a sentence that is long enough to stand between:</p>
<table><tr><td>(in millions)</td><td>2023</td><td>2022</td></tr><tr><td>Revenue</td><td>105</td><td>90</td></tr>
</table>"""


def test_places_that_show_the_same_figure_are_one_answer() -> None:
    assert find(TWICE, BEFORE, row="Revenue", unit="USD").value_read == Decimal(90_000_000)


def test_places_that_show_different_figures_are_ambiguous_and_shown() -> None:
    found = find(TWICE, row="Revenue", unit="USD")
    assert (found.status, found.value_read) == ("ambiguous", None)
    assert [candidate.as_written for candidate in found.candidates] == ["100", "105"]
    assert found.asks


def test_the_primary_statement_is_believed_before_other_tables() -> None:
    note = (
        "<p>Sales by channel (in thousands):</p><table><tr><td></td><td>2023</td><td>2022</td></tr>"
        "<tr><td>Revenue</td><td>77</td><td>66</td></tr></table>"
    )
    assert find(note + STATEMENT, row="Revenue", unit="USD").value_read == Decimal(12_345_000)


def test_the_parents_own_statements_are_not_the_groups() -> None:
    parent = STATEMENT.replace("CONSOLIDATED STATEMENTS", "(Parent Company Only)</p><p>CONDENSED STATEMENTS")
    found = find(parent.replace("12,345", "55") + STATEMENT, row="Revenue", unit="USD")
    assert found.value_read == Decimal(12_345_000)


def test_the_whole_is_taken_before_its_parts() -> None:
    segments = (
        "<table><tr><td>(in millions)</td><td>North</td><td>South</td><td>Total</td></tr>"
        "<tr><td>Balance at December 31, 2023</td><td>30</td><td>12</td><td>42</td></tr></table>"
    )
    found = find(segments, "2023-12-31", row="Balance at December 31, 2023", unit="USD")
    assert found.value_read == Decimal(42_000_000)


def test_parts_without_a_whole_are_ambiguous() -> None:
    segments = (
        "<table><tr><td>(in millions)</td><td>North</td><td>South</td></tr>"
        "<tr><td>Balance at December 31, 2023</td><td>30</td><td>12</td></tr></table>"
    )
    assert find(segments, "2023-12-31", row="Balance at December 31, 2023", unit="USD").status == "ambiguous"


@pytest.mark.parametrize(("label", "value"), [("end of year", "20"), ("beginning of year", "16")])
def test_opening_and_closing_balances_stand_in_the_years_column(label: str, value: str) -> None:
    day = "2023-12-31" if value == "20" else "2022-12-31"
    flows = (
        "<p>for the years ended December 31, 2023, 2022 and 2021</p><table>"
        "<tr><td>(in millions)</td><td>2023</td><td>2022</td></tr>"
        "<tr><td>Cash, beginning of year</td><td>16</td><td>11</td></tr>"
        "<tr><td>Cash, end of year</td><td>20</td><td>16</td></tr></table>"
    )
    assert find(flows, day, row=f"Cash, {label}", unit="USD").value_read == Decimal(value) * 1_000_000


def test_a_change_in_a_cash_flow_statement_is_no_balance() -> None:
    flows = (
        "<p>CONSOLIDATED STATEMENTS OF CASH FLOWS</p><table><tr><td>(in millions)</td>"
        "<td>Year ended December 31, 2023</td></tr><tr><td>Inventories</td><td>(5)</td></tr></table>"
    )
    assert find(flows, "2023-12-31", row="Inventories", unit="USD").status != "exact"


def test_changes_between_two_balances_are_of_the_time_between_them() -> None:
    equity = (
        "<table><tr><td>(in millions)</td><td>Total</td></tr>"
        "<tr><td>Balance at December 31, 2022</td><td>10</td></tr><tr><td>Net income</td><td>3</td></tr>"
        "<tr><td>Balance at December 31, 2023</td><td>13</td></tr></table>"
    )
    assert find(equity, row="Net income", unit="USD").value_read == Decimal(3_000_000)
    assert find(equity, BEFORE, row="Net income", unit="USD").status == "absent"


def test_a_row_above_all_sections_is_of_the_whole() -> None:
    rows = "".join(
        f"<tr><td>{label}</td>{cells}</tr>"
        for label, cells in (
            ("Net sales", "<td>100</td>"),
            ("Products", ""),
            ("Net sales", "<td>60</td>"),
            ("Services", ""),
            ("Net sales", "<td>40</td>"),
        )
    )
    html = f"<table><tr><td>$ in Millions</td><td>12 Months Ended Dec. 31, 2023</td></tr>{rows}</table>"
    assert find(html, row="Net sales", unit="USD").value_read == Decimal(100_000_000)


EUROPEAN = """<h2>Konzern-Gewinn- und Verlustrechnung</h2><p>in Mio. €</p><table>
<tr><td></td><td>2023</td><td>2022</td></tr>
<tr><td>Umsatzerlöse</td><td>1.234,5</td><td>1.100,0</td></tr>
<tr><td>Herstellungskosten</td><td>−800,1</td><td>−700,2</td></tr>
<tr><td>Ergebnis je Aktie (in €)</td><td>1,23</td><td>1,10</td></tr></table>"""
JAPANESE = """<p>連結損益計算書</p><p>(単位:百万円)</p><table><tr><th></th>
<th>前連結会計年度 (自 2022年4月1日 至 2023年3月31日)</th>
<th>当連結会計年度 (自 2023年4月1日 至 2024年3月31日)</th></tr>
<tr><td>売上高</td><td>1,234,567</td><td>1,345,678</td></tr>
<tr><td>営業損失</td><td>△5,432</td><td>△1,234</td></tr></table>"""


@pytest.mark.parametrize(
    ("html", "locale", "row", "period", "unit", "value"),
    [
        (EUROPEAN, "de", "Umsatzerlöse", YEAR, "EUR", "1234500000"),
        (EUROPEAN, "de", "Herstellungskosten", YEAR, "EUR", "-800100000"),
        (EUROPEAN, "de", "Ergebnis je Aktie", YEAR, "EUR/share", "1.23"),
        (JAPANESE, "ja", "売上高", "2023-04-01/2024-03-31", "JPY", "1345678000000"),
        (JAPANESE, "ja", "営業損失", "2022-04-01/2023-03-31", "JPY", "-5432000000"),
    ],
)
def test_other_languages_separators_and_scales_are_read(
    html: str, locale: str, row: str, period: str, unit: str, value: str
) -> None:
    found = find(html, period, row=row, unit=unit, locale=locale)
    assert (found.status, found.value_read) == ("exact", Decimal(value))


def test_another_currency_is_not_taken() -> None:
    assert find(EUROPEAN, row="Umsatzerlöse", unit="USD", locale="de").status == "absent"


PROSE = """<p>In 2023, ACME sold 3.02 million vehicles. Segment revenue was CNY 602 billion in 2023, up from CNY 424
billion in 2022. Gross margin of the segment was 20.2% in 2023. Other current assets included an inventory of drugs
of $ 2.8 billion and $ 3.5 billion as of December 31, 2023 and 2022, respectively.</p>"""


@pytest.mark.parametrize(
    ("row", "period", "unit", "value"),
    [
        ("Segment revenue", YEAR, "CNY", "602000000000"),
        ("Segment revenue", BEFORE, "CNY", "424000000000"),
        ("Gross margin of the segment", YEAR, "percent", "20.2"),
        ("ACME sold vehicles", YEAR, "vehicle", "3020000"),
        ("inventory of drugs", "2023-12-31", "USD", "2800000000"),
        ("inventory of drugs", "2022-12-31", "USD", "3500000000"),
    ],
)
def test_a_sentence_tells_the_figure_of_its_date(row: str, period: str, unit: str, value: str) -> None:
    found = find(PROSE, period, row=row, unit=unit)
    assert (found.status, found.value_read) == ("exact", Decimal(value))


def entities() -> Document:
    table = table_of(
        [
            ["Entity", "Year", "GDP (USD billion)", "Growth (%)"],
            ["Germany", "2022", "4,082", "1.8"],
            ["Germany", "2023", "4,456", "-0.3"],
            ["France", "2023", "3,030", "0.7"],
        ],
        heads=1,
    )
    return Document(
        kind="html",
        media_type="text/html",
        text="\n".join(table.row_text(row) for row in range(4)),
        read_tables=lambda: (table,),
    )


@pytest.mark.parametrize(
    ("entity", "row", "unit", "value"),
    [
        ("Germany", "GDP", "USD", "4456000000000"),
        ("France", "GDP", "USD", "3030000000000"),
        ("Germany", "Growth (%)", "percent", "-0.3"),
        ("Germany", "Germany", "USD", "4456000000000"),
    ],
)
def test_a_table_of_entities_has_the_names_of_figures_in_its_heads(
    entity: str, row: str, unit: str, value: str
) -> None:
    found = locate(entities(), wanted(YEAR, entity=entity.lower(), entity_names=(entity,), row=row, unit=unit))
    assert (found.status, found.value_read) == ("exact", Decimal(value))


def test_an_entity_that_the_table_does_not_name_is_not_guessed() -> None:
    assert (
        locate(entities(), wanted(YEAR, entity="spain", entity_names=("Spain",), row="GDP", unit="USD")).status
        == "ambiguous"
    )


def test_a_number_in_a_row_that_speaks_of_something_else_is_asked_about() -> None:
    found = find(SHEET, FISCAL, name="headcount", unit="USD", as_written="383,285")
    assert (found.status, found.candidates[0].row) == ("ambiguous", "Total net sales")


def test_one_locator_answers_many_facts_as_each_alone_would() -> None:
    document = read_html(STATEMENT.encode())
    facts = [wanted(YEAR, row=row, unit="USD") for row in ("Revenue", "Cost of revenue", "Net income (loss)")]
    together = Locator(document)
    assert [together.locate(fact) for fact in facts] == [locate(document, fact) for fact in facts]


def test_a_long_row_is_quoted_around_the_figure() -> None:
    cells = "".join(f"<td>{number}</td>" for number in range(1_000, 1_100))
    html = f"<table><tr><td>(in millions)</td>{'<td>2022</td>' * 100}</tr><tr><td>Sales</td>{cells}</tr></table>"
    found = find(html.replace("<td>2022</td></tr>", "<td>2023</td></tr>"), row="Sales", unit="USD")
    assert found.as_written == "1,099".replace(",", "")
    assert len(found.quote) <= 300
    assert "1099" in found.quote


def test_a_figure_that_stands_twice_in_its_row_is_quoted_once() -> None:
    html = (
        "<table><tr><td>(in millions)</td><td>2023</td><td>2022</td></tr>"
        "<tr><td>Sales</td><td>50</td><td>50</td></tr></table>"
    )
    assert find(html, row="Sales", unit="USD").quote == "Sales 50"

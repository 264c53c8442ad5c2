"""`locate` in long tables: CSV, workbooks and JSON whose rows are records of entity, name, period and value."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from cellwright.documents.locate import Located, Locator
from cellwright.documents.locators import value_at
from cellwright.documents.long_tables import role_of, split_unit
from cellwright.documents.model import Document
from cellwright.documents.quotes import QuoteIndex, holds_once
from cellwright.documents.reading import read_document
from tests.documents.test_locate import wanted

YEAR = "2023-01-01/2023-12-31"
RECORDS = (
    "Company,Metric,Year,Value (USD million)\nAcme Corp,Cost of revenue,2023,700\nAcme Corp,Revenue,2023,1200\n"
    "Beta Inc,Revenue,2023,900\nAcme Corp,Revenue,2022,1100\nAcme Corp,Net income,2023,-50\n"
)
ACME: dict[str, Any] = {"entity": "acme", "entity_names": ("Acme Corporation", "Acme"), "unit": "USD"}


def csv_of(text: str) -> Document:
    return read_document(text.encode(), "text/csv")


def find(document: Document, period: str = YEAR, **fields: Any) -> Located:
    return Locator(document).locate(wanted(period, **fields))


@pytest.mark.parametrize(
    ("fields", "value", "locator"),
    [
        ({"name": "revenue"}, "1200000000", "D3"),
        ({"row": "Revenue"}, "1200000000", "D3"),
        ({"row": "Cost of revenue"}, "700000000", "D2"),
        ({"name": "net_income"}, "-50000000", "D6"),
    ],
)
def test_a_record_is_found_by_entity_name_and_period(fields: dict[str, str], value: str, locator: str) -> None:
    document = csv_of(RECORDS)
    found = find(document, **ACME, **fields)
    assert (found.status, f"{found.value_read:f}", found.scale_read, found.locator) == ("exact", value, 6, locator)
    assert value_at(document, found.locator) == found.as_written
    assert holds_once(found.quote, found.as_written)
    assert len(QuoteIndex(document.text).find(found.quote, found.prefix, found.suffix)) == 1


def test_two_companies_are_told_apart_by_the_entitys_names() -> None:
    names: dict[str, Any] = {"entity": "b", "entity_names": ("Beta",), "unit": "USD"}
    assert find(csv_of(RECORDS), row="Revenue", **names).as_written == "900"


def test_companies_that_the_names_do_not_tell_apart_are_asked_about() -> None:
    found = find(csv_of(RECORDS), row="Revenue", entity="zeta", entity_names=("Zeta",), unit="USD")
    assert (found.status, len(found.candidates)) == ("ambiguous", 2)


def test_the_very_name_is_preferred_to_one_that_contains_it() -> None:
    statement = csv_of("USD million,2023,2022\nCost of revenue,700,650\nRevenue,1200,1100\n")
    assert find(statement, row="Revenue", unit="USD", label="2023").as_written == "1200"
    assert find(statement, name="revenue", unit="USD", label="2023").as_written == "1200"


@pytest.mark.parametrize(
    "change",
    [
        {"as_written": "1201"},
        {"as_written": "1100"},
        {"scale": 3},
        {"as_written": "900"},
        {"locator": "D5"},
        {"locator": "D4"},
        {"locator": "D2"},
        {"unit": "EUR"},
        {"as_written": "(1200)"},
    ],
)
def test_tempted_a_record_is_not_exact(change: dict[str, Any]) -> None:
    assert find(csv_of(RECORDS), row="Revenue", **{**ACME, **change}).status != "exact"


def test_a_locator_finds_the_cell_where_the_name_does_not() -> None:
    document = csv_of(RECORDS)
    assert find(document, name="turnover_of_the_group", locator="D3", **ACME).status == "exact"
    assert find(document, name="turnover_of_the_group", locator="D4", **ACME).status != "exact"
    assert find(document, name="turnover_of_the_group", locator="D5", **ACME).status != "exact"


@pytest.mark.parametrize(
    "text",
    [
        "Year,Value (USD million),Metric,Company\n2023,1200,Revenue,Acme\n2022,1100,Revenue,Acme\n",
        "ticker;indicator;period;amount;unit\nACME;Revenue;2023-01-01/2023-12-31;1,200;USD million\n",
        "company|tag|start|end|val|uom\nAcme|Revenue|2023-01-01|2023-12-31|1200|USD million\n"
        "Acme|Revenue|2023-10-01|2023-12-31|300|USD million\n",
        "Entity,Code,Year,Revenue (USD million),Staff\nAcme,ACM,2023,1200,77\nAcme,ACM,2022,1100,70\n"
        "Beta,BET,2023,9,5\n",
        "Company name,Metric,2022,2023\nAcme,Revenue (USD million),1100,1200\nBeta,Revenue (USD million),5,6\n",
    ],
)
def test_columns_may_have_other_names_and_another_order(text: str) -> None:
    found = find(csv_of(text), row="Revenue", entity="acme", entity_names=("Acme",), unit="USD", label="2023")
    assert (found.status, f"{found.value_read or 0:f}") == ("exact", "1200000000")


@pytest.mark.parametrize(
    "text",
    [
        "Company,Metric,Period end,Value\nAcme,Revenue,2023-12-31,300\nAcme,Revenue,2023-09-30,290\n",
        "Company,Metric,Year,Quarter,Value\nAcme,Revenue,2023,Q4,300\n",
        "adsh\ttag\tddate\tqtrs\tuom\tvalue\nacme\tRevenue\t20231231\t1\tUSD\t300\n",
        "Company,Metric,Year,Value\nAcme,Revenue,FY2022,300\n",
        "Company,Metric,Year,Value (EUR)\nAcme,Revenue,2023,300\n",
        "Company,Metric,Year,Value (USD)\nAcme,Cost of revenue,2023,300\n",
    ],
)
def test_a_record_of_another_length_period_unit_or_name_is_not_taken(text: str) -> None:
    assert find(csv_of(text), name="revenue", entity="acme", unit="USD").status != "exact"


def test_the_data_sets_of_statements_tell_length_by_quarters() -> None:
    document = csv_of(
        "adsh\ttag\tddate\tqtrs\tuom\tvalue\nx\tRevenues\t20231231\t4\tUSD\t1200\n"
        "x\tRevenues\t20231231\t1\tUSD\t300\nx\tAssets\t20231231\t0\tUSD\t5000\n"
    )
    assert find(document, row="Revenues", unit="USD").as_written == "1200"
    assert find(document, "2023-12-31", row="Assets", unit="USD").as_written == "5000"


def test_a_german_file_is_read_in_its_locale() -> None:
    document = csv_of(
        "Unternehmen;Kennzahl;Jahr;Wert;Einheit\nMuster AG;Umsatz;2023;1.234,5;EUR Mio\n"
        "Muster AG;Umsatz;2022;1.100,0;EUR Mio\n"
    )
    found = find(document, row="Umsatz", entity="muster", entity_names=("Muster",), unit="EUR", locale="de")
    assert (found.status, found.as_written, f"{found.value_read:f}", found.locator) == (
        "exact",
        "1.234,5",
        "1234500000",
        "D2",
    )


def test_a_figure_whose_record_does_not_say_what_it_is_needs_the_column() -> None:
    document = csv_of("Country Name,Country Code,Year,Value\nAtlantis,ATL,2023,5.5\nAtlantis,ATL,2022,4.4\n")
    names: dict[str, Any] = {"entity": "atlantis", "name": "gdp", "unit": "USD"}
    assert find(document, **names).status == "ambiguous"
    assert find(document, column="Value", **names).as_written == "5.5"


def test_a_quarter_named_in_the_head_is_not_the_year() -> None:
    document = csv_of('Entity,Year,"Growth, 2023 Q2"\nAcme,2023,1.5\nBeta,2023,2.5\n')
    assert find(document, row="Growth", entity="acme", unit="percent").status != "exact"


def workbook(*sheets: tuple[str, list[list[object]]]) -> Document:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return read_document(out.getvalue(), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")


def test_a_workbooks_statement_and_list_each_give_their_locator() -> None:
    document = workbook(
        ("Income", [["USD million", "2023", "2022"], ["Revenue", 1200.5, 1100], ["Net income", -50, 20]]),
        ("Grids", [["Company", "Metric", "Year", "Value"], ["Acme", "Stores", 2023, 77], ["Acme", "Stores", 2022, 70]]),
    )
    revenue = find(document, row="Revenue", unit="USD", label="2023")
    stores = find(document, row="Stores", entity="acme", unit="store", locale="de")
    assert (revenue.status, f"{revenue.value_read:f}", revenue.locator) == ("exact", "1200500000", "Income!B2")
    assert (stores.status, stores.as_written, stores.locator) == ("exact", "77", "Grids!D2")


def company_facts(*items: dict[str, object], unit: str = "USD", label: str = "Revenues") -> Document:
    facts = {
        "us-gaap": {
            "Revenues": {"label": label, "units": {unit: list(items)}},
            "CostOfRevenue": {
                "label": "Cost of Revenue",
                "units": {unit: [{"start": "2023-01-01", "end": "2023-12-31", "val": 7, "accn": "z"}]},
            },
        }
    }
    return read_document(json.dumps({"entityName": "ACME CORP", "facts": facts}).encode(), "application/json")


def item(
    end: str, val: object, *, start: str = "2023-01-01", accn: str = "0001-24-1", fy: int = 2024
) -> dict[str, object]:
    return {"start": start, "end": end, "val": val, "accn": accn, "fy": fy, "form": "10-K"}


def test_company_facts_are_read_by_concept_and_days_and_not_by_the_year_of_the_filing() -> None:
    document = company_facts(
        item("2023-12-31", 1200, fy=2023),
        item("2022-12-31", 1100, start="2022-01-01", fy=2023),
        item("2023-12-31", 300, start="2023-10-01", fy=2023),
    )
    found = find(document, row="Revenues", unit="USD")
    assert (found.status, str(found.value_read), found.locator) == (
        "exact",
        "1200",
        "/facts/us-gaap/Revenues/units/USD/0/val",
    )
    assert value_at(document, found.locator) == "1200"
    assert len(QuoteIndex(document.text).find(found.quote, found.prefix, found.suffix)) == 1


def test_two_vintages_of_one_period_are_asked_about_until_the_locator_tells() -> None:
    document = company_facts(item("2023-12-31", 1200), item("2023-12-31", 1250, accn="0001-25-1", fy=2025))
    asked = find(document, row="Revenues", unit="USD")
    told = find(document, row="Revenues", unit="USD", locator="/facts/us-gaap/Revenues/units/USD/1/val")
    assert (asked.status, len(asked.candidates)) == ("ambiguous", 2)
    assert (told.status, told.as_written) == ("exact", "1250")


def test_the_same_figure_in_two_filings_is_one_answer() -> None:
    document = company_facts(item("2023-12-31", 1200), item("2023-12-31", 1200, accn="0001-25-1", fy=2025))
    assert find(document, row="Revenues", unit="USD").status == "exact"


def test_json_numbers_are_read_the_same_in_every_locale() -> None:
    document = company_facts(item("2023-12-31", 1.234), unit="USD/shares")
    assert str(find(document, row="Revenues", unit="USD/share", locale="de").value_read) == "1.234"


REAL = [
    ("AAPL_companyfacts_trimmed", "AccountsPayableCurrent", "2024-09-28", "USD", "68960000000"),
    (
        "AAPL_companyfacts_trimmed",
        "RevenueFromContractWithCustomerExcludingAssessedTax",
        "2024-09-29/2025-09-27",
        "USD",
        "416161000000",
    ),
    ("AAPL_companyfacts_trimmed", "Earnings Per Share, Diluted", "2024-09-29/2025-09-27", "USD/share", "7.46"),
    ("SNOW_companyfacts", "Assets", "2021-01-31", "USD", "5921739000"),
    ("SNOW_companyfacts", "NetIncomeLoss", "2022-02-01/2023-01-31", "USD", "-796705000"),
]


@pytest.mark.parametrize(("name", "row", "period", "unit", "value"), REAL)
def test_real_company_facts_are_found(
    shared_data: Path, name: str, row: str, period: str, unit: str, value: str
) -> None:
    data = gzip.decompress((shared_data / "company_facts" / f"{name}.json.gz").read_bytes())
    document = read_document(data, "application/json")
    found = find(document, period, row=row, unit=unit)
    assert (found.status, f"{found.value_read:f}") == ("exact", value)
    assert holds_once(found.quote, found.as_written)
    assert QuoteIndex(document.text).find(found.quote, found.prefix, found.suffix)


def test_real_datasets_of_entities_by_year_are_read(shared_data: Path) -> None:
    text = (shared_data / "owid" / "eu_vehicle_sales_icct_2021.csv").read_bytes()
    locator = Locator(read_document(text, "text/csv"))
    found = [
        locator.locate(wanted("2002-01-01/2002-12-31", entity="austria", row=row, unit=unit))
        for row, unit in (("total_passenger_vehicle_sales", "vehicle"), ("diesel_share", "percent"))
    ]
    assert [(one.status, one.as_written, one.locator) for one in found] == [
        ("exact", "279493", "C3"),
        ("exact", "69.60997234", "F3"),
    ]


@pytest.mark.parametrize(
    ("head", "role"),
    [
        ("Value (USD million)", "value"),
        ("Country Name", "entity"),
        ("Time Period", "period"),
        ("fy", "year"),
        ("end", "end"),
        ("Indicator Name", "metric"),
        ("Unit of measure", "unit"),
        ("Revenue", ""),
    ],
)
def test_a_column_is_told_by_its_head(head: str, role: str) -> None:
    assert role_of(head) == role


def test_a_unit_at_the_end_of_a_head_is_set_apart() -> None:
    assert split_unit("Value (USD million)") == ("Value", "USD million")
    assert split_unit("Revenue") == ("Revenue", "")

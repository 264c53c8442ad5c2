"""Real PDFs, CSV and JSON: what is printed on the page is in the text, and where it is said to be."""

from __future__ import annotations

import csv
import gzip
import json
from functools import cache
from pathlib import Path

import pytest

from cellwright.documents.locators import value_at
from cellwright.documents.model import Document
from cellwright.documents.pdf import read_pdf
from cellwright.documents.pdf_tables import page_tables
from cellwright.documents.quotes import QuoteIndex, holds_once
from cellwright.documents.reading import read_document
from cellwright.records.errors import UnreadableInput


@cache
def pdf(path: Path) -> Document:
    return read_pdf(path.read_bytes())


def test_a_pdf_with_a_password_is_told(shared_data: Path) -> None:
    data = (shared_data / "pdf_other" / "password-example.pdf").read_bytes()
    with pytest.raises(UnreadableInput, match="needs a password"):
        read_pdf(data)
    with pytest.raises(UnreadableInput, match="without a password"):
        page_tables(data, 1)


def test_a_pdf_encrypted_with_an_empty_password_is_read(shared_data: Path) -> None:
    data = (shared_data / "pdf_financebench" / "BESTBUY_2024Q2_10Q.pdf").read_bytes()
    assert b"/Encrypt" in data
    document = read_document(data, "application/octet-stream")
    assert len(document.pages) == 30
    assert QuoteIndex(document.pages[3]).find("Diluted 219.0 226.1 219.5 227.2")


def test_characters_drawn_twice_are_read_once(shared_data: Path) -> None:
    text = pdf(shared_data / "pdf_other" / "issue-71-duplicate-chars.pdf").text
    assert "项目描述" in text
    assert "项项目目" not in text


def test_the_columns_of_a_page_are_read_one_after_the_other(shared_data: Path) -> None:
    page = pdf(shared_data / "pdf_other" / "federal-register-2020-17221.pdf").pages[1]
    assert max(len(line) for line in page.split("\n")) < 150


def test_each_figure_of_the_filings_is_held_once_by_its_row_and_with_one_sign_only(shared_data: Path) -> None:
    with (shared_data / "filings" / "ground_truth" / "matrix.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    held = [
        [holds_once(row["row_text"], form.format(row["displayed"])) for form in ("{}", "({})", "-{}")] for row in rows
    ]
    assert len(held) == 624
    assert all(sum(forms) == 1 for forms in held)
    assert sum(forms[1] for forms in held) == 66


def test_a_real_csv_and_its_cells(shared_data: Path) -> None:
    data = (shared_data / "owid" / "gdp_growth_2020q2.csv").read_bytes()
    document = read_document(data, "text/plain", name="gdp_growth_2020q2.csv")
    table = document.tables[0]
    assert document.kind == "csv"
    lines = data.decode("utf-8-sig").splitlines()
    assert table.rows == len(lines)
    assert value_at(document, f"A{len(lines)}") == lines[-1].split(",")[0].strip('"')


def test_each_value_of_real_company_facts_is_under_its_pointer(shared_data: Path) -> None:
    data = gzip.decompress((shared_data / "company_facts" / "AAPL_companyfacts_trimmed.json.gz").read_bytes())
    document = read_document(data, "application/json")
    facts = json.loads(data, parse_float=str, parse_int=str)["facts"]
    checked = 0
    for taxonomy, names in facts.items():
        for name, fact in names.items():
            for unit, values in fact["units"].items():
                unit_key = unit.replace("~", "~0").replace("/", "~1")
                for index, value in enumerate(values):
                    pointer = f"/facts/{taxonomy}/{name}/units/{unit_key}/{index}/val"
                    assert value_at(document, pointer) == value["val"]
                    checked += 1
    assert checked > 100


def test_the_table_of_a_page_equals_the_csv_of_it_in_every_row_and_shared_column(shared_data: Path) -> None:
    folder = shared_data / "web_open"
    page = read_document(gzip.decompress((folder / "wikipedia_list_of_sp500.html.gz").read_bytes()), "text/html")
    table = page.tables[0]
    heads = [cell.text if cell else "" for cell in table.grid[0]]
    shared = {"Symbol": "Symbol", "Security": "Name", "GICS Sub-Industry": "Sector"}  # the page's head, the CSV's
    drawn = [tuple(row[heads.index(head)].text for head in shared) for row in table.grid[1:]]  # type: ignore[union-attr]
    for name in ("sp500_constituents.csv", "sp500_constituents-financials.csv"):
        sheet = read_document((folder / name).read_bytes(), "text/csv").tables[0]
        names = [cell.text if cell else "" for cell in sheet.grid[0]]
        rows = [tuple(row[names.index(head)].text for head in shared.values()) for row in sheet.grid[1:]]  # type: ignore[union-attr]
        assert len(rows) == 503
        assert sorted(drawn) == sorted(rows)

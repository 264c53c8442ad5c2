"""Locators: cells of sheets and CSV files, and what a wrong one is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.documents.csv_sheet import read_csv
from cellwright.documents.locators import column_name, locator_of, parse_cell, value_at
from cellwright.documents.model import Document, table_of
from cellwright.documents.xlsx import read_xlsx
from cellwright.records.errors import UnreadableInput
from tests.documents.small_files import xlsx_of


@pytest.mark.parametrize(
    ("locator", "parts"),
    [
        ("F14", ("", 13, 5)),
        ("Grids!F14", ("Grids", 13, 5)),
        ("Grids!$F$14", ("Grids", 13, 5)),
        ("grids!f14", ("grids", 13, 5)),
        ("'My Sheet'!AA1", ("My Sheet", 0, 26)),
        ("'It''s 5!'!A1", ("It's 5!", 0, 0)),
        ("総括表!B2", ("総括表", 1, 1)),
        (" Grids!F14 ", ("Grids", 13, 5)),
    ],
)
def test_a_locator_names_a_sheet_a_row_and_a_column(locator: str, parts: tuple[str, int, int]) -> None:
    assert parse_cell(locator) == parts


@pytest.mark.parametrize(
    "locator",
    [
        "",
        "F",
        "14",
        "F0",
        "F14:G15",
        "!F14",
        "''!F14",
        "'a'b'!F14",
        "it's!F14",
        "ABCD1",
        "F99999999",
        "R1C1",
        "F14!",
        "/facts/0",
    ],
)
def test_another_form_is_told(locator: str) -> None:
    with pytest.raises(UnreadableInput, match="not a cell's locator"):
        parse_cell(locator)


@pytest.mark.parametrize(
    ("column", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA"), (16383, "XFD")]
)
def test_columns_are_named_as_in_a_spreadsheet(column: int, name: str) -> None:
    assert column_name(column) == name
    assert parse_cell(f"{name}1") == ("", 0, column)


SHEETS = st.text(alphabet="aB1 '!.-é総", min_size=1, max_size=8).filter(lambda name: name.strip() == name)


@given(SHEETS, st.integers(0, 60), st.integers(0, 800))
def test_the_locator_of_a_cell_is_parsed_back(sheet: str, row: int, column: int) -> None:
    table = table_of([["x"]], name=sheet)
    document = Document(kind="xlsx", media_type="", text="")
    assert parse_cell(locator_of(document, table, row, column)) == (sheet, row, column)


def test_a_sheet_is_found_in_any_case_and_a_single_one_without_its_name() -> None:
    two = read_xlsx(xlsx_of({"Grids": {"B2": 5}, "Notes": {"A1": "x"}}))
    assert value_at(two, "GRIDS!B2") == "5"
    assert value_at(two, "Grids!A1") == ""
    assert value_at(read_xlsx(xlsx_of({"Grids": {"B2": 5}})), "B2") == "5"


@pytest.mark.parametrize(
    ("locator", "said"),
    [
        ("B2", "names no sheet of several; seen 'B2', expected one of Grids, Notes"),
        ("Other!B2", "has no sheet 'Other'"),
        ("Grids!C2", "expected A1 to B2"),
        ("Notes!A9", "expected A1 to A1"),
    ],
)
def test_a_cell_that_is_not_there_is_told(locator: str, said: str) -> None:
    with pytest.raises(UnreadableInput, match=said):
        value_at(read_xlsx(xlsx_of({"Grids": {"B2": 5}, "Notes": {"A1": "x"}})), locator)


def test_a_csv_has_no_sheets() -> None:
    with pytest.raises(UnreadableInput, match="no sheets"):
        value_at(read_csv(b"a,b\n1,2\n"), "Grids!B2")


@pytest.mark.parametrize("kind", ["html", "pdf", "text"])
def test_other_documents_are_quoted_by_their_words(kind: str) -> None:
    document = Document(kind=kind, media_type="", text="Sales 5")  # type: ignore[arg-type]
    with pytest.raises(UnreadableInput, match="quote its words"):
        value_at(document, "A1")
    assert locator_of(document, table_of([["x"]]), 0, 0) == ""

"""Spreadsheets: stored values, never formulas; hostile workbooks are refused in a sentence."""

from __future__ import annotations

import datetime
import io
import zipfile
from decimal import Decimal

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cellwright.documents import archive
from cellwright.documents.locators import value_at
from cellwright.documents.xlsx import read_xlsx
from cellwright.records.errors import UnreadableInput
from tests.documents.small_files import part_of, repacked, with_shared_strings, xlsx_of

SHEET = "xl/worksheets/sheet1.xml"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5, "5"),
        (-5, "-5"),
        (1.20, "1.2"),
        (0.1 + 0.2, "0.3"),
        (16.9e9, "16900000000"),
        (1e-7, "0.0000001"),
        (1.61, "1.61"),
        (-0.0, "0"),
        (True, "TRUE"),
        (False, "FALSE"),
        ("two\nlines", "two lines"),
        ("1-Mar", "1-Mar"),
        (datetime.date(2023, 3, 1), "2023-03-01"),
        (datetime.datetime(2023, 3, 1, 12, 30), "2023-03-01 12:30:00"),
        (datetime.time(12, 30), "12:30:00"),
    ],
)
def test_a_stored_value_is_plain_text(value: object, text: str) -> None:
    assert value_at(read_xlsx(xlsx_of({"Grids": {"F14": value}})), "Grids!F14") == text


@given(st.decimals(-(10**9), 10**9, places=4))
@settings(max_examples=25)
def test_a_number_of_up_to_15_digits_is_read_back_exactly(number: Decimal) -> None:
    assert Decimal(value_at(read_xlsx(xlsx_of({"S": {"A1": number}})), "S!A1")) == number


def test_each_sheet_is_a_table_from_a1_on_with_its_name() -> None:
    document = read_xlsx(xlsx_of({"One": {"B2": "x", "C3": 5}, "My 'Sheet": {"A1": "y"}, "Empty": {}}))
    assert [(table.name, table.rows, table.columns) for table in document.tables] == [
        ("One", 3, 3),
        ("My 'Sheet", 1, 1),
        ("Empty", 0, 0),
    ]
    assert document.tables[0].grid[0] == (None, None, None)
    assert value_at(document, "'My ''Sheet'!A1") == "y"


def test_the_text_has_each_row_on_one_line_as_the_table_has_it() -> None:
    document = read_xlsx(xlsx_of({"One": {"A1": "Sales", "C1": 5, "A2": "Cost", "C2": 6}, "Two": {"A1": "x"}}))
    assert document.text == "One\nSales 5\nCost 6\nTwo\nx"
    for table in document.tables:
        assert document.text[table.offset :].startswith(table.row_text(0))


def test_texts_that_the_sheets_share_are_read() -> None:
    made = with_shared_strings(xlsx_of({"S": {"A1": "Sales", "B1": 5, "A2": "Cost &amp; more"}}))
    assert part_of(made, "xl/sharedStrings.xml").count(b"<si>") == 2
    assert read_xlsx(made).text == "S\nSales 5\nCost &amp; more"


def test_a_formula_is_not_computed_and_its_missing_value_is_told() -> None:
    document = read_xlsx(xlsx_of({"S": {"A1": 1, "A2": "=A1+1", "A3": "=1+1"}}))
    assert value_at(document, "S!A1") == "1"
    assert "2" not in document.text
    assert any("2 formulas have no stored value" in warning for warning in document.warnings)


def test_a_formula_s_stored_value_is_read() -> None:
    made = xlsx_of({"S": {"A1": "=40+2"}})
    sheet = part_of(made, SHEET).replace(b"<v></v>", b"<v>42</v>").replace(b"<v />", b"<v>42</v>")
    sheet = sheet.replace(b"<v/>", b"<v>42</v>")
    document = read_xlsx(repacked(made, {SHEET: sheet}))
    assert value_at(document, "S!A1") == "42"
    assert document.warnings == ()


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (0.202, "0.0%", "20.2%"),
        (0.2023, "0%", "20.23%"),
        (-0.05, "0.00%;[Red]-0.00%", "-5%"),
        (1, "0%", "100%"),
        (0.202, '0.000" % of sales"', "0.202"),
        (10959, "#,##0", "10959"),
    ],
)
def test_only_a_percentage_is_written_as_its_format_says(value: object, number_format: str, text: str) -> None:
    book = openpyxl.Workbook()
    book.active["A1"] = value
    book.active["A1"].number_format = number_format
    out = io.BytesIO()
    book.save(out)
    assert value_at(read_xlsx(out.getvalue()), "A1") == text


def test_a_merged_cell_stands_in_each_place_and_once_in_the_text() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["", "2023", "", "2022"])
    sheet.append(["Sales", 5, 6, 7])
    sheet.merge_cells("B1:C1")
    out = io.BytesIO()
    book.save(out)
    document = read_xlsx(out.getvalue())
    table = document.tables[0]
    assert [cell.text if cell else None for cell in table.grid[0]] == [None, "2023", "2023", "2022"]
    assert document.text == "Sheet\n2023 2022\nSales 5 6 7"
    assert table.row_text(0) == "2023 2022"
    assert value_at(document, "C1") == "2023"


def test_a_hidden_sheet_is_read_and_told() -> None:
    document = read_xlsx(xlsx_of({"S": {"A1": 1}, "H": {"A1": 2}}, hidden=["H"]))
    assert document.warnings == ("the sheet 'H' is hidden",)


def test_hidden_rows_and_columns_are_read_and_told() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["Sales", 5, 6], ["Cost", 7, 8], ["Tax", 1, 2]):
        sheet.append(row)
    sheet.row_dimensions[2].hidden = True
    sheet.row_dimensions[9].hidden = True
    sheet.column_dimensions["C"].hidden = True
    sheet.column_dimensions["F"].hidden = True
    out = io.BytesIO()
    book.save(out)
    document = read_xlsx(out.getvalue())
    assert value_at(document, "B2") == "7"
    assert document.warnings == ("the sheet 'Sheet' has hidden rows: 2", "the sheet 'Sheet' has hidden columns: C")


def test_a_cell_that_holds_an_error_has_no_value_and_is_told() -> None:
    made = xlsx_of({"S": {"A1": "Sales", "B1": "#REF!", "C1": "#REF! is not an error here", "B2": "#DIV/0!"}})
    document = read_xlsx(made)
    assert document.warnings == ("cells of the sheet 'S' hold an error and no value: B1 #REF!, B2 #DIV/0!",)


ENTITIES = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">'
    b'<c r="A1" t="inlineStr"><is><t>&b;</t></is></c></row></sheetData></worksheet>'
)


@pytest.mark.parametrize(
    "part",
    [
        ENTITIES,
        ENTITIES.decode().encode("utf-16"),
        ENTITIES.replace(b'"1.0"', b'"1.0" encoding="utf-7"').replace(b"<!", b"+ADwAIQ-"),
        ENTITIES.decode().encode("cp037"),
    ],
)
def test_entities_are_refused_in_whatever_encoding_they_hide(part: bytes) -> None:
    with pytest.raises(UnreadableInput, match=r"declares a document type|no plain XML"):
        read_xlsx(repacked(xlsx_of({"S": {"A1": 1}}), {SHEET: part}))


def test_a_zip_bomb_is_refused_by_its_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_UNPACKED", 1_000_000)
    bomb = repacked(xlsx_of({"S": {"A1": 1}}), {"xl/bomb.bin": bytes(2_000_000)})
    assert len(bomb) < 20_000
    with pytest.raises(UnreadableInput, match="too large unpacked"):
        read_xlsx(bomb)


def test_a_directory_that_understates_a_part_is_not_believed() -> None:
    made = bytearray(repacked(xlsx_of({"S": {"A1": 1}}), {SHEET: b"<worksheet/>" + b" " * 100_000}))
    at = made.rfind(SHEET.encode())  # the directory's entry: the size stands 22 bytes before the name
    made[at - 22 : at - 18] = (10).to_bytes(4, "little")
    with pytest.raises(UnreadableInput, match="damaged"):
        read_xlsx(bytes(made))


def sheet_with(cells: str) -> bytes:
    """A workbook whose sheet `S` holds the rows `cells` (XML)."""
    body = (
        f'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{cells}</sheetData>'
    )
    return repacked(xlsx_of({"S": {"A1": 1}}), {SHEET: (body + "</worksheet>").encode()})


@pytest.mark.parametrize(
    "cells",
    [
        '<row r="99999999999"><c r="A99999999999"><v>1</v></c></row>',
        '<row r="1"><c r="XFDXFD1"><v>1</v></c></row>',
        "".join(f'<row r="{n}"><c r="XFD{n}"><v>1</v></c></row>' for n in range(1, 200)),
        '<row r="1"><c r="A1" t="s"><v>77</v></c></row>',
        '<row r="1"><c r="A1"><v>five</v></c></row>',
        '<row r="x"><c r="A1"><v>5</v></c></row>',
        f'<row r="1"><c r="A1"><v>{"9" * 5000}</v></c></row>',
    ],
)
def test_impossible_cells_are_one_sentence(cells: str) -> None:
    with pytest.raises(UnreadableInput, match=r"XLSX|sheet") as caught:
        read_xlsx(sheet_with(cells))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("number", ["1E400", "-1e400", "1e-300"])
def test_a_number_out_of_all_bounds_stays_text(number: str) -> None:
    text = value_at(read_xlsx(sheet_with(f'<row r="1"><c r="A1"><v>{number}</v></c></row>')), "S!A1")
    assert not text.isdigit()


def test_a_zip_archive_that_is_no_workbook_is_told() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("a.txt", "x")
    with pytest.raises(UnreadableInput, match="no XLSX workbook"):
        read_xlsx(out.getvalue())


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no zip"])
def test_what_is_no_zip_archive_is_told(data: bytes) -> None:
    with pytest.raises(UnreadableInput, match="XLSX"):
        read_xlsx(data)

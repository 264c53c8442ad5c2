"""CSV: the delimiter, encodings, blank lines, quotation marks, and cells by locator."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.documents.csv_sheet import delimiter_of, read_csv
from cellwright.documents.locators import locator_of, value_at
from cellwright.records.errors import UnreadableInput


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n", ";"),
        ("a\tb\n1,5\t2;5\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ("country;year\nDE;1,5\nFR;2,5\n", ";"),
        ("one column\nonly\n", ","),
        ("Title of the sheet, with a comma\n\nland;2022;2023\nDE;1,5;2\nFR;2,5;3\n", ";"),
        ('"a;b",c\n"d;e",f\n', ","),
    ],
)
def test_the_delimiter_is_the_one_that_makes_regular_rows(text: str, delimiter: str) -> None:
    assert delimiter_of(text) == delimiter


def test_a_semicolon_file_in_cp1252_is_read_and_the_guess_is_told() -> None:
    document = read_csv('Land;Umsatz\r\nDänemark;"1.234,5"\r\n'.encode("cp1252"))
    assert document.kind == "csv"
    assert document.encoding == "cp1252"
    assert value_at(document, "A2") == "Dänemark"
    assert value_at(document, "B2") == "1.234,5"
    assert any("read as cp1252" in warning for warning in document.warnings)


def test_the_text_has_each_row_on_one_line_as_the_table_has_it() -> None:
    document = read_csv(b'name,note\nx,"two\nlines"\n')
    assert document.text == "name note\nx two lines"
    assert [document.tables[0].row_text(row) for row in range(2)] == document.text.split("\n")


def test_blank_lines_count_as_in_a_spreadsheet() -> None:
    document = read_csv(b"a,b\n\n1,2\n")
    assert value_at(document, "B3") == "2"
    assert value_at(document, "A2") == ""


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_each_kind_of_line_end_is_read(ends: str) -> None:
    assert value_at(read_csv(f"a,b{ends}1,2{ends}".encode()), "B2") == "2"


def test_a_quotation_mark_inside_a_cell_is_kept_and_told() -> None:
    document = read_csv(b'size,n\n"12" screen",5\n6" pipe,7\n')
    assert value_at(document, "B2") == "5"
    assert document.warnings == ("a quotation mark stands inside a cell and was kept",)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b" \n ", "only white space"),
        (b'a,b\n"never closed,2\n', "inside quotation marks"),
        (b'a"b,' + b"x" * 200_000, "field larger"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(data: bytes, said: str) -> None:
    with pytest.raises(UnreadableInput, match=said):
        read_csv(data)


def test_a_file_of_too_many_cells_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cellwright.documents.limits.MAX_CELLS", 5)
    with pytest.raises(UnreadableInput, match="6 cells or more"):
        read_csv(b"a,b,c\n1\n")


CELLS = st.text(alphabet="abc 1,;.\t\"'\n|é", max_size=6)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=5), st.sampled_from(",;\t"))
def test_every_cell_of_a_written_file_is_found_by_its_locator(rows: list[list[str]], delimiter: str) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows(rows)
    document = read_csv(out.getvalue().encode())
    table = document.tables[0]
    if delimiter_of(out.getvalue()) != delimiter:  # a cell full of commas can look more regular than the file
        return
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            assert value_at(document, locator_of(document, table, number, column)) == " ".join(cell.split())

"""The table model of HTML: spans resolved, nested tables apart, a row's text a line of the document's text."""

from __future__ import annotations

import pytest

from cellwright.documents.html import read_html, tables_of
from cellwright.documents.model import Table, table_of
from cellwright.records.errors import UnreadableInput

STATEMENT = """<p>ACME Corp.</p><p>CONSOLIDATED STATEMENTS OF OPERATIONS</p><p>(in millions)</p><table>
<tr><td></td><td colspan="6">Years ended December 31,</td></tr>
<tr><td></td><td colspan="3">2023</td><td colspan="3">2022</td></tr>
<tr><td colspan="7">Earnings per share:</td></tr>
<tr><td>Basic</td><td>$</td><td>(1.10</td><td>)</td><td>$</td><td>2.00</td><td></td></tr>
<tr><td>Margin</td><td></td><td>12.5</td><td>%</td><td></td><td>(3)</td><td>%</td></tr></table>"""


def table(html: str) -> Table:
    return tables_of(html.encode())[0]


def grid(found: Table) -> list[list[str]]:
    return [[cell.text if cell else "" for cell in row] for row in found.grid]


def test_a_cell_stands_in_each_place_it_reaches() -> None:
    found = table("<table><tr><td rowspan=2>a</td><td colspan=2>b</td></tr><tr><td>c</td><td>d</td></tr></table>")
    assert grid(found) == [["a", "b", "b"], ["a", "c", "d"]]
    assert found.grid[0][0] is found.grid[1][0]


def test_a_cell_that_reaches_down_belongs_to_the_text_of_its_first_row() -> None:
    found = table("<table><tr><td rowspan=2>a</td><td>b</td></tr><tr><td>c</td></tr></table>")
    assert [found.row_text(row) for row in range(2)] == ["a b", "c"]


@pytest.mark.parametrize("span", ["1000000000", "-3", "0", "x", "", "2.5", "9" * 50])
def test_hostile_spans_are_clamped(span: str) -> None:
    found = table(f'<table><tr><td colspan="{span}" rowspan="{span}">a</td><td>b</td></tr></table>')
    assert found.rows == 1
    assert found.columns <= 1001


def test_spans_that_fill_the_memory_are_refused() -> None:
    rows = "<tr><td colspan=1000>a</td></tr>" * 3_000
    with pytest.raises(UnreadableInput, match="tables of the HTML document are too large"):
        table(f"<table>{rows}</table>")


def test_a_nested_table_is_a_table_of_its_own() -> None:
    found = tables_of(b"<table><tr><td>outer<table><tr><td>inner</td></tr></table>rest</td></tr></table>")
    assert [grid(each) for each in found] == [[["outer rest"]], [["inner"]]]


def test_the_text_before_a_table_is_kept() -> None:
    assert table(STATEMENT).before.split("\n")[-2:] == ["CONSOLIDATED STATEMENTS OF OPERATIONS", "(in millions)"]


def test_a_title_laid_out_as_a_table_belongs_to_the_table_that_follows() -> None:
    title = "<table><tr><td>Balance Sheets</td></tr><tr><td>(in thousands)</td></tr></table>"
    found = tables_of(f"{title}<table><tr><td>Cash</td><td>5</td></tr></table>".encode())
    assert found[1].before == "Balance Sheets\n(in thousands)"


def test_a_caption_is_kept() -> None:
    assert (
        table("<table><caption>Sales <b>by region</b></caption><tr><td>a</td></tr></table>").caption
        == "Sales by region"
    )


def test_each_row_is_a_line_of_the_text_behind_the_tables_offset() -> None:
    document = read_html(STATEMENT.encode())
    lines = document.text[document.tables[0].offset :].split("\n")
    rows = [document.tables[0].row_text(row) for row in range(document.tables[0].rows)]
    assert lines == [row for row in rows if row]


def test_a_figure_split_over_cells_is_one_figure() -> None:
    found = table(STATEMENT)
    assert [[figure.text for figure in found.figures[row]] for row in (3, 4)] == [
        ["$(1.10)", "$2.00"],
        ["12.5%", "(3)%"],
    ]


def test_labels_sections_and_heads_are_told() -> None:
    found = table(STATEMENT)
    assert found.head_rows == 3
    assert found.row_label(3) == "Basic"
    assert found.row_path(3) == ("Earnings per share:",)
    assert found.column_path(2) == ("Years ended December 31,", "2023")


@pytest.mark.parametrize(("row", "kind"), [(0, "head"), (1, "head"), (2, "section"), (3, "body")])
def test_rows_are_heads_sections_or_body(row: int, kind: str) -> None:
    assert table(STATEMENT).parts[row].kind == kind


def test_a_year_at_the_left_of_a_row_is_its_label() -> None:
    found = table_of([["Fiscal year", "Payments"], ["2025", "1,100"], ["2026", "900"]])
    assert [(found.row_label(row), found.parts[row].figures[0].text) for row in (1, 2)] == [
        ("2025", "1,100"),
        ("2026", "900"),
    ]


def test_a_column_of_years_tells_the_time_of_each_row() -> None:
    found = table_of([["Entity", "Year", "GDP"], ["Chad", "2023", "13.2"]])
    assert (found.parts[1].label, found.parts[1].when, found.parts[1].figures[0].text) == ("Chad", "2023", "13.2")


def test_rows_of_unequal_length_are_filled_up() -> None:
    found = table_of([["a", "1"], ["b"]], name="Sheet1", page=3)
    assert grid(found) == [["a", "1"], ["b", ""]]
    assert (found.name, found.page) == ("Sheet1", 3)

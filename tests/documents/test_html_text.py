"""The visible text of HTML: a line a block, a line a table's row, nothing that no reader sees."""

from __future__ import annotations

import pytest

from cellwright.documents.html import read_html, text_of
from cellwright.records.errors import UnreadableInput

XHTML = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">{}</html>'


def text(body: str) -> str:
    return text_of(body.encode())


def test_blocks_stand_on_lines_of_their_own() -> None:
    assert text("<h1>Report</h1><p>One</p><div>Two<p>Three</p>Four</div>") == "Report\nOne\nTwo\nThree\nFour"


def test_white_space_of_the_source_is_one_space() -> None:
    assert text("<p>Net\n   sales \t of&nbsp;&nbsp;the <b>year</b></p>") == "Net sales of the year"


def test_a_tables_row_is_one_line_with_one_space_between_cells() -> None:
    row = "<tr><td><p>Net<br>income</p></td><td></td><td>$</td><td>(10</td><td>)</td></tr>"
    assert text(f"<table>{row}{row}</table>") == "Net income $ (10 )\nNet income $ (10 )"


def test_words_of_inline_elements_are_not_torn_apart() -> None:
    assert text("<p>Con<span>solid</span>ated 12<i>,345</i></p>") == "Consolidated 12,345"


def test_a_notes_number_behind_a_figure_does_not_become_its_last_digit() -> None:
    assert text("<table><tr><td>2023<sup>1</sup></td><td>m<sup>2</sup></td></tr></table>") == "2023 1 m2"


def test_line_ends_of_preformatted_text_stay() -> None:
    assert text("<p>a\nb</p><pre>Sales  10\nCosts   9</pre>") == "a b\nSales 10\nCosts 9"


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>var x = 7</script>",
        "<style>p { width: 7px }</style>",
        "<template>7</template>",
        "<!-- 7 -->",
        "<p hidden>7</p>",
        '<p style="color:red; display : none">7</p>',
        '<P STYLE="Display:None">7</P>',
        '<div style="display:none"><table><tr><td>7</td></tr></table></div>',
        "<ix:header>7</ix:header>",
    ],
)
def test_what_no_reader_sees_is_left_out_and_what_follows_stays(hidden: str) -> None:
    assert text(f"<body><p>before</p>{hidden}after</body>") == "before\nafter"


def test_hidden_parts_of_a_cell_are_left_out() -> None:
    cells = '<td><span style="display:none">7</span>5</td><td><b><i hidden>7</i>6</b></td><td><script>7</script></td>'
    assert text(f"<table><tr>{cells}</tr></table>") == "5 6"


def test_hidden_facts_of_inline_xbrl_are_left_out_of_well_formed_pages() -> None:
    body = (
        '<head><title>7</title></head><body><div style="display:none">'
        '<ix:header xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"><ix:hidden>7</ix:hidden></ix:header></div>'
        '<p>Sales <ix:nonFraction xmlns:ix="http://www.xbrl.org/2013/inlineXBRL">5</ix:nonFraction></p></body>'
    )
    assert text(XHTML.format(body)) == "Sales 5"


def test_a_well_formed_page_and_its_sloppy_twin_read_the_same() -> None:
    body = "<body><p>Sales<br/>of 2023</p><table><tr><td>a</td><td>5</td></tr></table></body>"
    sloppy = body.replace("</td>", "").replace("</tr>", "").replace("</p>", "")
    assert text(XHTML.format(body)) == text(f"<html>{sloppy}</html>") == "Sales\nof 2023\na 5"


@pytest.mark.parametrize(
    "data",
    [
        "<p>é 5</p>".encode("utf-16"),
        "\ufeff<p>é 5</p>".encode(),
        "<meta charset=iso-8859-1><p>é 5</p>".encode("cp1252"),
        "<?xml version='1.0' encoding='iso-8859-1'?><p>é 5</p>".encode("latin-1"),
    ],
)
def test_the_encoding_is_found(data: bytes) -> None:
    assert text_of(data) == "é 5"


def test_reading_twice_gives_the_same_document() -> None:
    data = b"<h1>T</h1><table><tr><td>a<td>5</table>"
    assert read_html(data) == read_html(data)
    assert read_html(data).tables == read_html(data).tables


def test_the_marks_we_draw_tables_with_cannot_be_smuggled_in() -> None:
    document = read_html("<p>\ue000\ue0035\ue007</p><table><tr><td>\ue004x\ue001</td></tr></table>".encode())
    assert document.text == "5\nx"
    assert [table.row_text(0) for table in document.tables] == ["x"]


def test_entities_are_never_expanded_from_a_pages_own_declarations() -> None:
    lines = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    bomb = (
        f'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "xxxxxxxxxx">{lines}]>'
        '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>&i;</p></body></html>'
    )
    assert len(text(bomb)) < 100


def test_no_file_or_address_is_opened_for_an_entity() -> None:
    page = (
        '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>[&x;]</p></body></html>'
    )
    assert "root" not in text(page)


def test_tags_that_are_never_closed_do_not_hide_the_rest() -> None:
    assert text("<font>x " * 5_000 + "<p>after</p>").endswith("after")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"   ", "nothing to read"),
        (b"<div>" * 5_000 + b"7", "nested too deep"),
        (b"<table><tr><td>" * 1_000 + b"7", "nested too deep"),
        (b"<p>" + b"x" * 50_000_001, "too"),
    ],
    ids=["empty", "blank", "deep", "deep tables", "long"],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(data: bytes, message: str) -> None:
    with pytest.raises(UnreadableInput, match=message):
        text_of(data)

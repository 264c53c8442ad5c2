"""PDFs made by the tests: text by page, broken words, scans, damaged files, tables of one page."""

from __future__ import annotations

import pytest

from cellwright.documents import pdf as pdf_module
from cellwright.documents.pdf import read_pdf
from cellwright.documents.pdf_tables import page_tables, page_words
from cellwright.documents.quotes import normalise
from cellwright.records.errors import UnreadableInput
from tests.documents.small_files import Line, pdf_of

STATEMENT: list[Line] = [
    (72, 720, "Income statement of the whole group for the years ended"),
    (300, 700, "2023"),
    (400, 700, "2022"),
    (72, 680, "Sales"),
    (290, 680, "$"),
    (310, 680, "5,000"),
    (390, 680, "$"),
    (410, 680, "4,000"),
    (72, 660, "Cost of sales"),
    (305, 660, "(3,000)"),
    (405, 660, "(2,500)"),
]


def test_page_one_is_the_first_of_the_pages() -> None:
    document = read_pdf(pdf_of([[(72, 700, "Sales 5")], [(72, 700, "Cost (6)")]]))
    assert document.kind == "pdf"
    assert document.pages == ("Sales 5", "Cost (6)")
    assert document.text == "Sales 5\fCost (6)"
    assert document.warnings == ()


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_a_page_shown_rotated_has_the_same_words_in_the_same_order(rotate: int) -> None:
    rotated, upright = read_pdf(pdf_of([STATEMENT], rotate=rotate)), read_pdf(pdf_of([STATEMENT]))
    assert normalise(rotated.text) == normalise(upright.text)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Total reve-", "nue; the revenue rose"], "Total revenue; the revenue rose"),
        (
            ["a non-", "controlling interest, a non-controlling share"],
            "a non-controlling interest, a non-controlling share",
        ),
        (["the cloud-", "based part; the cloud is based"], "the cloud-based part; the cloud is based"),
        (["years 2021-", "2022"], "years 2021-\n2022"),
    ],
)
def test_a_word_broken_at_a_line_s_end_is_made_whole_as_the_document_has_it(lines: list[str], expected: str) -> None:
    placed = [(72, 700 - 14 * number, line) for number, line in enumerate(lines)]
    assert read_pdf(pdf_of([placed])).text == expected


def test_a_soft_hyphen_drawn_between_digits_is_a_dash() -> None:
    assert read_pdf(pdf_of([[(72, 700, "sentences of 1\xad12 months")]])).text == "sentences of 1-12 months"


@pytest.mark.parametrize("rotate", [0, 90, 270])
@pytest.mark.parametrize(
    ("drawn", "text"),
    [
        ("Sales 1,234^{3} 1,111", "Sales 1,234 3 1,111"),
        ("in 2010.^{12} Were", "in 2010. 12 Were"),
        ("Sales 1,2343 1,111", "Sales 1,2343 1,111"),
        ("10^{6} tons", "10 6 tons"),
        ("5^{1}", "5 1"),
    ],
)
def test_a_small_digit_behind_a_figure_is_set_apart_from_it(rotate: int, drawn: str, text: str) -> None:
    assert read_pdf(pdf_of([[(72, 700, drawn)]], rotate=rotate)).text == text


def test_a_scanned_page_is_told_from_an_empty_one() -> None:
    scanned = read_pdf(pdf_of([[(72, 700, "Sales 5")], [], [], []], images=[0, 2, 3]))
    assert scanned.warnings == ("pages 3-4 of 4 without text, an image only (scanned): no quote can be found there",)
    assert scanned.pages == ("Sales 5", "", "", "")
    assert read_pdf(pdf_of([[]])).warnings == ("the PDF holds no text",)


@pytest.mark.parametrize("data", [b"", b"%PDF-1.4", b"%PDF-1.7\ntrailer\n%%EOF", b"no pdf at all"])
def test_what_is_no_pdf_is_one_sentence(data: bytes) -> None:
    with pytest.raises(UnreadableInput, match="PDF") as caught:
        read_pdf(data)
    assert "\n" not in str(caught.value)


def test_a_pdf_of_too_many_pages_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_module, "MAX_PAGES", 2)
    with pytest.raises(UnreadableInput, match="3 pages"):
        read_pdf(pdf_of([[], [], []]))


def test_a_pdf_of_too_much_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cellwright.documents.limits.MAX_CHARACTERS", 10)
    with pytest.raises(UnreadableInput, match="too long"):
        read_pdf(pdf_of([[(72, 700, "more than ten letters")]]))


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_lines_of_figures_without_rulings_are_a_table(rotate: int) -> None:
    (table,) = page_tables(pdf_of([STATEMENT], rotate=rotate), 1)
    assert [[cell.text for cell in row if cell] for row in table.grid][1:] == [
        ["", "2023", "2022"],
        ["Sales", "$ 5,000", "$ 4,000"],
        ["Cost of sales", "(3,000)", "(2,500)"],
    ]
    assert table.page == 1


def test_a_page_of_prose_has_no_table() -> None:
    assert page_tables(pdf_of([[(72, 700, "In 2023 sales rose.")]]), 1) == ()


def test_a_character_drawn_twice_is_one() -> None:
    twice = [(72, 700, "Sales 55"), (72, 700, "Sales 55"), (72, 680, "Cost")]
    assert [word.text for word in page_words(pdf_of([twice]), 1)] == ["Sales", "55", "Cost"]


@pytest.mark.parametrize("page", [0, 2, -1])
def test_a_page_that_is_not_there_is_one_sentence(page: int) -> None:
    with pytest.raises(UnreadableInput, match=f"page {page}"):
        page_tables(pdf_of([[(72, 700, "Sales 5")]]), page)

"""Which decimal mark a document writes, and when a figure may be two numbers."""

from __future__ import annotations

import pytest

from cellwright.documents.number_marks import decimal_mark, two_readings
from cellwright.documents.pdf import read_pdf


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("12.5 and 3.75, 0.125, 1,234.5 of 1,234,567", "point"),
        ("12,5 und 3,75; 0,125 und 1.234,5 von 1.234.567", "comma"),
        ("3.597 1.847 1.783 1.726 1.451", ""),
        ("12.5 and 3.75", ""),
        ("12.5 3.75 1.5 2.5 3.5 but 12,5 3,75 1,5", ""),
        ("31.12.2023 30.06.2023 1.1.2023 2.2.2022 3.3.2021", ""),
        ("10:30.5 1/2.5 v1.2.3 1.2.3 4.5.6", ""),
    ],
)
def test_numbers_that_are_read_in_one_way_only_tell_the_decimal_mark(text: str, mark: str) -> None:
    assert decimal_mark(text) == mark


@pytest.mark.parametrize(
    ("figure", "locale", "told", "doubtful"),
    [
        ("3.597", "", "", True),
        ("3.597", "", "comma", True),
        ("3.597", "", "point", False),
        ("3.597", "en", "", True),
        ("3.597", "en", "comma", True),
        ("3.597", "en", "point", False),
        ("3.597", "de", "", False),
        ("3.597", "de", "point", True),
        ("1,234", "", "", True),
        ("1,234", "en", "", False),
        ("1,234", "en", "comma", True),
        ("1,234", "de", "", True),
        ("1,234", "de", "comma", False),
        ("(1,234)", "de", "", True),
        ("1,234.5", "", "", False),
        ("1.5", "", "", False),
        ("0.597", "", "", False),
        ("1,234,567", "", "", False),
        ("383285", "", "", False),
        ("not a number", "", "", False),
    ],
)
def test_a_figure_may_be_two_numbers_where_neither_locale_nor_document_tells(
    figure: str, locale: str, told: str, doubtful: bool
) -> None:
    both = two_readings(figure, locale, told)  # type: ignore[arg-type]
    assert bool(both) is doubtful
    if doubtful:
        assert both.startswith("two readings fit: ")
        assert " (decimal " in both
        assert " (grouping " in both


def test_a_table_of_thousands_in_a_pdf_without_decimals_tells_nothing(shared_data) -> None:  # type: ignore[no-untyped-def]
    text = read_pdf((shared_data / "pdf_tables_icdar2013" / "eu-015.pdf").read_bytes()).text
    assert decimal_mark(text) == ""
    assert two_readings("3.597", "", "") == (
        "two readings fit: 3.597 (decimal point) and 3597 (grouping point): its source has no locale"
    )

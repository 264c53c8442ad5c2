"""A quick look before a slow pattern changes no answer: what it passes over is what the pattern passes over too."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.documents import companies, fiscal, scales
from cellwright.documents.figures import figures_of
from cellwright.documents.labels import plain

SAID = (
    *(
        "in millions",
        "(Billions)",
        "$ in thousands",
        "US$ m",
        "€mn",
        "Mio",
        "Tds.",
        "TEUR",
        "t€",
        "t. kr",
        "000s",
        "'000",
    ),
    *(
        "百万円",
        "億元",
        "milhões",
        "Milliarden",
        "except per share data",
        "excluding shares",
        "other than number of shares",
    ),
    *(
        "in whole dollars",
        "In Shares",
        "$ k",
        "K",
        "USDm",
        "k",
        "MM",
        "Total net sales",
        "Acme",
        "Gain",
        "2023",
        "5.0",
        "km",
        "cm",
    ),
)
TIMES = (
    *("fiscal 2023", "Fiscal year '24", "FY23", "FYE 2022", "fiscal years 2024, 2023", "2017/18", "ended", "refers to"),
    *(
        "(December 31, 2023)",
        "January 28, 2024 and January 29, 2023",
        "2024",
        "our fiscal year",
        "consists",
        "\n",
        "end",
    ),
)
NAMES = (
    "Acme",
    "Acme Inc.",
    "The Acme",
    "Acme (a)",
    "Acme 2023",
    "ACME, INC.",
    "Acme and Subsidiaries",
    "Total",
    "Macme",
)
OWN = frozenset({"acme", "a"})


def joined(parts: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Texts of several of the parts."""
    return st.lists(st.sampled_from((*parts, " ", ", ", "(", ")", ".")), max_size=8).map(" ".join)


@given(joined(SAID))
def test_a_text_without_a_stem_gives_no_scale(text: str) -> None:
    with patch.object(scales, "_holds_a_stem", return_value=True):
        slow = scales.read_scales.__wrapped__(text)
    assert scales.read_scales.__wrapped__(text) == slow


@given(joined(TIMES))
def test_a_line_that_numbers_no_fiscal_year_labels_none(text: str) -> None:
    with patch.object(fiscal, "_may_label", return_value=True):
        slow = fiscal.fiscal_years(text)
    assert fiscal.fiscal_years(text) == slow


@pytest.mark.parametrize("text", NAMES)
def test_a_text_that_lacks_the_name_is_not_the_entitys(text: str) -> None:
    with patch.object(companies, "_is_plain", return_value=False):
        slow = companies.is_own(text, OWN)
    assert companies.is_own(text, OWN) == slow


@given(st.text(alphabet="aB nzé’'-–\u00a05%&_", min_size=1, max_size=20))
def test_a_label_of_letters_alone_is_compared_as_one_with_a_notes_mark_behind_it(label: str) -> None:
    assert plain(label) == plain(f"{label} (1)")


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("5,000", "5,000"),
        ("5,000 (a)", "5,000"),
        ("5,000¹", "5,000"),
        ("5,000\u00a01", "5,000"),
        ("12.5%", "12.5%"),
        ("(12.5 %)", "(12.5 %)"),
        ("( 5 )", "(5)"),
    ],
)
def test_a_figure_is_told_without_its_notes_mark(cell: str, shown: str) -> None:
    assert [figure.text for figure in figures_of([("Sales", 0, 1), (cell, 1, 1)])] == [shown]

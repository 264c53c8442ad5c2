"""`locate` never says `exact` of another year's, another company's or another row's figure, nor of a scale in doubt."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from cellwright.documents.locate import Located
from tests.documents.test_locate import BEFORE, YEAR, find

NAMES = ("Acme Inc.", "acme")
YEARS = "<p>For the years ended December 31, 2023 and 2022</p>"
GERMAN = "<p>Das Geschäftsjahr endet am 31. Dezember 2023</p>"
HEAD = ("(in millions)", "2023", "2022")
JANUARY = "2022-01-30/2023-01-28"
FEBRUARY = "2023-01-29/2024-02-03"


def drawn(*rows: tuple[str, ...]) -> str:
    lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def ask(html: str, period: str = YEAR, **fields: Any) -> Located:
    return find(html, period, **{"entity_names": NAMES, "unit": "USD", "name": "revenue", **fields})


def said(located: Located) -> tuple[str, Decimal | None]:
    return located.status, located.value_read


UP = "In 2023, net revenue was $12.5 billion, up from $11.0 billion in 2022."
AND_IN = "In 2023 net revenue was $12.5 billion and in 2022 $11.0 billion."
FROM_TO = "In 2023, net revenue increased from $11.0 billion in 2022 to $12.5 billion."
DATED = "For the year ended December 31, 2023, net revenue was $12.5 billion, compared with $11.0 billion in 2022."


BRACKETS = "Net revenue was $12.5 billion (2022: $11.0 billion) in 2023."
EXCEEDED = "2023 net revenue of $12.5 billion exceeded 2022 net revenue of $11.0 billion."


@pytest.mark.parametrize(
    "sentence", [UP, AND_IN, FROM_TO, DATED, BRACKETS, EXCEEDED, UP.replace("net revenue", "Net Revenue")]
)
@pytest.mark.parametrize(("period", "written", "other"), [(YEAR, "12.5", "11.0"), (BEFORE, "11.0", "12.5")])
def test_a_year_belongs_to_the_figure_of_its_own_clause(sentence: str, period: str, written: str, other: str) -> None:
    right = ask(f"<p>{sentence}</p>", period, name="net_revenue", as_written=written)
    assert said(right) == ("exact", Decimal(written).scaleb(9))
    assert ask(f"<p>{sentence}</p>", period, name="net_revenue", as_written=other).status != "exact"


def test_respectively_pairs_figures_and_years_on_either_side() -> None:
    for sentence in (
        "Net product revenue was $12.5 billion and $11.0 billion in 2023 and 2022, respectively.",
        "In 2023 and 2022, net product revenue was $12.5 billion and $11.0 billion, respectively.",
    ):
        found = ask(f"<p>{sentence}</p>", BEFORE, row="Net product revenue")
        assert said(found) == ("exact", Decimal("11.0E+9"))


@pytest.mark.parametrize(
    "sentence",
    [
        "We expect net revenue of $13 billion in 2023.",
        "Our outlook for 2023 is net revenue of $13 billion.",
        "Net revenue in 2023 will be $13 billion.",
        "Net revenue is estimated at $13 billion for 2023.",
    ],
)
def test_what_is_expected_is_never_exact(sentence: str) -> None:
    found = ask(f"<p>{sentence}</p>", name="net_revenue", as_written="13")
    assert found.status == "ambiguous"
    assert "expected" in found.why


def test_a_word_of_outlook_in_the_next_clause_takes_nothing_away() -> None:
    found = ask(
        "<p>Net revenue in 2023 was $13 billion, and we expect growth in 2024.</p>", name="net_revenue", as_written="13"
    )
    assert found.status == "exact"


@pytest.mark.parametrize(
    ("sentence", "status"),
    [
        ("Net revenue for Beta Inc. in 2023 was $7.0 billion.", "ambiguous"),
        ("Beta Inc.'s net revenue in 2023 was $7.0 billion.", "ambiguous"),
        ("Beta's net revenue in 2023 was $7.0 billion.", "ambiguous"),
        ("Net revenue for Beta in 2023 was $7.0 billion.", "ambiguous"),
        ("Net revenue for Fiscal 2023 was $7.0 billion.", "exact"),
        ("Acme's net revenue in 2023 was $7.0 billion.", "exact"),
        ("Net revenue for Acme Inc. in 2023 was $7.0 billion.", "exact"),
        ("After we acquired Beta Inc., our net revenue in 2023 was $7.0 billion.", "exact"),
    ],
)
def test_a_sentence_about_another_company_is_not_the_entitys(sentence: str, status: str) -> None:
    assert ask(f"<p>{sentence}</p>", name="net_revenue", as_written="7.0").status == status


BY_COLUMN = YEARS + drawn(("(in millions)", "Acme Inc. 2023", "Beta Inc. 2023"), ("Revenue", "60", "70"))
BY_SHORT_COLUMN = YEARS + drawn(("(in millions)", "Beta 2023", "Acme 2023"), ("Revenue", "70", "60"))
BY_ROW = YEARS + drawn(
    ("(in millions) Company", "Revenue 2023", "Revenue 2022"), ("Beta Inc.", "70", "65"), ("Acme Inc.", "60", "50")
)
BY_SECTION = YEARS + drawn(
    HEAD, ("Beta Inc.", "", ""), ("Revenue", "70", "65"), ("Acme Inc.", "", ""), ("Revenue", "60", "50")
)
BY_SHORT_SECTION = YEARS + drawn(
    HEAD, ("Acme", "", ""), ("Revenue", "60", "50"), ("Beta", "", ""), ("Revenue", "70", "65")
)
BY_TITLE = (
    YEARS
    + "<p>Beta Inc.</p>"
    + drawn(HEAD, ("Revenue", "70", "65"))
    + "<p>Acme Inc.</p>"
    + drawn(HEAD, ("Revenue", "60", "50"))
)
COMPANIES = [BY_COLUMN, BY_SHORT_COLUMN, BY_ROW, BY_SECTION, BY_SHORT_SECTION, BY_TITLE]


@pytest.mark.parametrize("page", COMPANIES)
def test_the_place_under_the_entitys_own_name_is_taken(page: str) -> None:
    assert said(ask(page, row="Revenue")) == ("exact", Decimal(60_000_000))


@pytest.mark.parametrize("page", COMPANIES)
def test_another_companys_figure_is_never_exact(page: str) -> None:
    assert ask(page, as_written="70").status in ("ambiguous", "mismatch")
    assert ask(page, as_written="70", row="Revenue").status in ("ambiguous", "mismatch")


def test_a_table_of_other_companies_alone_asks_which_entity_is_meant() -> None:
    found = ask(YEARS + drawn(HEAD, ("Beta Inc.", "", ""), ("Revenue", "70", "65")), row="Revenue")
    assert found.status == "ambiguous"
    assert "aliases" in found.asks


ONE, TWO = drawn(HEAD, ("Revenue", "100", "90")), drawn(HEAD, ("Revenue", "250", "240"))
CONSOLIDATED = "<p>CONSOLIDATED STATEMENTS OF OPERATIONS</p>" + drawn(
    HEAD, ("Revenue", "250", "240"), ("Cost", "1", "1"), ("Research", "2", "2"), ("Tax", "3", "3"), ("Profit", "4", "4")
)


@pytest.mark.parametrize(
    "page",
    [
        ONE + TWO,
        "<p>Segment information: Cloud</p>" + ONE + "<p>Consolidated</p>" + TWO,
        "<p>As previously reported</p>" + ONE + "<p>As restated</p>" + TWO,
    ],
)
def test_of_two_tables_of_equal_standing_none_wins_by_being_first(page: str) -> None:
    found = ask(YEARS + page, row="Revenue")
    assert found.status == "ambiguous"
    assert [candidate.as_written for candidate in found.candidates] == ["100", "250"]


@pytest.mark.parametrize("written", ["100", "250"])
def test_the_number_in_the_fact_tells_which_of_two_tables_is_meant(written: str) -> None:
    assert said(ask(YEARS + ONE + TWO, row="Revenue", as_written=written)) == ("exact", Decimal(written).scaleb(6))


def test_the_primary_statement_wins_over_a_note_and_says_so() -> None:
    found = ask(YEARS + "<p>Segment information: Cloud</p>" + ONE + CONSOLIDATED, row="Revenue")
    assert said(found) == ("exact", Decimal(250_000_000))
    assert "primary statement" in found.why
    assert "another table that shows 100" in found.why


@pytest.mark.parametrize(
    "sentence",
    [
        "For the year ended February 3, 2024 (fiscal 2023) and January 28, 2023 (fiscal 2022)",
        "Fiscal years ended February 3, 2024 and January 28, 2023",
    ],
)
@pytest.mark.parametrize(("period", "right", "wrong"), [(FEBRUARY, "90", "80"), (JANUARY, "80", "90")])
def test_a_sentence_binds_bare_heads_to_years_that_end_in_january(
    sentence: str, period: str, right: str, wrong: str
) -> None:
    page = f"<p>{sentence}</p>" + drawn(HEAD, ("Revenue", "90", "80"))
    assert said(ask(page, period, row="Revenue")) == ("exact", Decimal(right).scaleb(6))
    assert ask(page, period, row="Revenue", as_written=wrong).status == "mismatch"


@pytest.mark.parametrize("label", ["", "FY2022", "FY2023"])
@pytest.mark.parametrize("period", [JANUARY, FEBRUARY])
def test_a_bare_head_is_ambiguous_for_a_year_that_ends_in_january(period: str, label: str) -> None:
    found = ask(drawn(HEAD, ("Revenue", "90", "80")), period, row="Revenue", label=label)
    assert found.status == "ambiguous"
    assert [candidate.as_written for candidate in found.candidates] == ["90", "80"]


@pytest.mark.parametrize("words", ["in Tsd. €", "Tsd. EUR", "T€", "in T€", "TEUR"])
@pytest.mark.parametrize("above", [True, False], ids=["paragraph", "head"])
def test_german_thousands_are_read(words: str, above: bool) -> None:
    page = (
        GERMAN
        + (f"<p>Angaben {words}</p>" if above else "")
        + drawn(("" if above else words, "2023", "2022"), ("Umsatz", "1.234", "1.100"))
    )
    assert said(ask(page, row="Umsatz", unit="EUR", locale="de")) == ("exact", Decimal(1_234_000))


COUNTS = [("Number of employees", "employee"), ("Stores at year end", "store")]


@pytest.mark.parametrize(("row", "unit"), COUNTS)
def test_a_count_in_a_table_in_millions_names_both_readings(row: str, unit: str) -> None:
    page = YEARS + drawn(HEAD, ("Revenue", "1", "2"), (row, "4,200", "4,100"))
    found = ask(page, name=unit, row=row, unit=unit)
    assert found.status == "ambiguous"
    assert [candidate.value_read for candidate in found.candidates] == [Decimal(4_200), Decimal(4_200_000_000)]
    for told in ({"scale": 0}, {"value": Decimal(4_200)}):
        assert said(ask(page, name=unit, row=row, unit=unit, **told)) == ("exact", Decimal(4_200))


@pytest.mark.parametrize(("row", "unit"), COUNTS)
@pytest.mark.parametrize("head", ["($ in millions)", "(dollars in millions)"])
def test_a_scale_that_is_said_of_money_scales_no_count(row: str, unit: str, head: str) -> None:
    page = YEARS + drawn((head, "2023", "2022"), ("Revenue", "1", "2"), (row, "4,200", "4,100"))
    assert said(ask(page, name=unit, row=row, unit=unit)) == ("exact", Decimal(4_200))


@pytest.mark.parametrize("drawn_as", ["100<sup>2</sup>", "100<sup>a</sup>", "100<sup>(2)</sup>", "100²", "100 (2)"])
def test_a_notes_mark_behind_a_figure_is_none_of_its_digits(drawn_as: str) -> None:
    page = YEARS + drawn(HEAD, ("Revenue", drawn_as, "90"))
    for fields in ({"as_written": "100"}, {"row": "Revenue"}):
        found = ask(page, **fields)
        assert (*said(found), found.as_written) == ("exact", Decimal(100_000_000), "100")


BY_SEGMENT = drawn(
    HEAD, ("Revenue:", "", ""), ("North America", "60", "50"), ("Analog", "40", "40"), ("Total revenue", "100", "90")
)


@pytest.mark.parametrize(
    ("name", "written", "status"),
    [
        ("revenue", "60", "ambiguous"),
        ("revenue", "40", "ambiguous"),
        ("revenue", "100", "exact"),
        ("revenue.analog", "40", "exact"),
        ("revenue.north_america", "60", "exact"),
    ],
)
def test_a_segments_row_is_the_total_s_only_where_the_name_says_so(name: str, written: str, status: str) -> None:
    assert ask(YEARS + BY_SEGMENT, name=name, as_written=written).status == status

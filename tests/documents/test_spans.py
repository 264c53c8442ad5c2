"""What heads say of time, and the fiscal years that a document's sentences tell."""

from __future__ import annotations

from datetime import date

import pytest

from cellwright.documents.dates import mentions_in
from cellwright.documents.fiscal import fiscal_years
from cellwright.documents.html import read_html
from cellwright.documents.locate import locate
from cellwright.documents.spans import Span, first_day, is_period, length_in, part_end, read_span
from cellwright.documents.wanted import Wanted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Years ended September 28, 2024", Span(date(2024, 9, 28), months=12, instant=False)),
        ("Fiscal Years Ended January 31, 2024", Span(date(2024, 1, 31), months=12, instant=False)),
        ("Twelve months ended 30 September 2023", Span(date(2023, 9, 30), months=12, instant=False)),
        ("Three Months Ended March 29, 2025", Span(date(2025, 3, 29), months=3, instant=False)),
        ("52 weeks ended January 28, 2024", Span(date(2024, 1, 28), months=12, instant=False)),
        ("Jan 28, 2024", Span(date(2024, 1, 28))),
        ("As of June 30, 2023", Span(date(2023, 6, 30), instant=True)),
        ("31. december 2023", Span(date(2023, 12, 31))),
        ("31.12.2023", Span(date(2023, 12, 31))),
        ("2022-10-01/2023-09-30", Span(date(2023, 9, 30), date(2022, 10, 1), instant=False)),
        ("January 1, 2023 to December 31, 2023", Span(date(2023, 12, 31), date(2023, 1, 1), instant=False)),
        ("自 2023年4月1日 至 2024年3月31日", Span(date(2024, 3, 31), date(2023, 4, 1), instant=False)),
        ("自令和７年 ４月１日 至令和７年 ９月30日", Span(date(2025, 9, 30), date(2025, 4, 1), instant=False)),
        ("前事業年度 (令和８年３月31日)", Span(date(2026, 3, 31), instant=True)),
        ("December 31,", Span(month_day=(12, 31))),
        ("Year ended December 31, 2023 2022", Span(months=12, instant=False, end=date(2023, 12, 31))),
        ("2023", Span(year=2023)),
        ("Fiscal 2023", Span(year=2023, fiscal=True)),
        ("FY23", Span(year=2023, fiscal=True, months=12)),
        ("2017/18", Span(year=2018, fiscal=True)),
        ("2018/2019", Span(year=2019, fiscal=True)),
        ("Q3 2024", Span(year=2024, months=3, instant=False, part=3)),
        ("Third quarter 2024", Span(year=2024, months=3, instant=False, part=3)),
        ("Q3 FY24", Span(year=2024, fiscal=True, months=3, instant=False, part=3)),
        ("H1 2024", Span(year=2024, months=6, instant=False, part=1)),
        ("Halbjahr 2023", Span(year=2023, months=6, instant=False)),
        ("2024 vs. 2023", Span(compares=True)),
        ("% Change", Span(compares=True)),
        ("December 31, 2023 and 2022", Span()),
        ("Total", Span()),
    ],
)
def test_a_head_is_read(text: str, expected: Span) -> None:
    assert read_span(text) == expected


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("Year ended December 31, 2023:", True),
        ("2023", True),
        ("Balance at December 31, 2021", True),
        ("Three months ended", True),
        ("3.5% notes due 2026", False),
        ("Total net sales", False),
        ("", False),
    ],
)
def test_a_text_that_says_nothing_but_a_period_is_known(text: str, period: bool) -> None:
    assert is_period(text) is period


@pytest.mark.parametrize("text", ["Less than 12 months", "12 months or greater"])
def test_a_term_is_no_length_of_a_period(text: str) -> None:
    assert length_in(text) is None


def test_later_years_of_a_list_take_over_month_and_day() -> None:
    assert [mention.date for mention in mentions_in("as of December 31, 2023, 2022 and 2021")] == [
        date(2023, 12, 31),
        date(2022, 12, 31),
        date(2021, 12, 31),
    ]


@pytest.mark.parametrize(
    ("locale", "expected"), [("en", date(2024, 3, 4)), ("en-GB", date(2024, 4, 3)), ("de", date(2024, 4, 3))]
)
def test_numeric_dates_are_read_as_the_locale_writes_them(locale: str, expected: date) -> None:
    assert mentions_in("03/04/2024", locale)[0].date == expected


@pytest.mark.parametrize("text", ["2,023", "12023", "20231", "1.2023", "in 1776"])
def test_other_numbers_are_no_years(text: str) -> None:
    assert mentions_in(text) == []


def test_a_glossary_tells_which_day_a_fiscal_year_ends_on() -> None:
    years = fiscal_years(
        "fiscal 2022 Fiscal year ended January 29, 2023 (52 weeks)\n"
        "fiscal 2023 Fiscal year ended January 28, 2024 (52 weeks)"
    )
    assert years.end_of(2023, fiscal=True) == date(2024, 1, 28)
    assert years.start_of(date(2024, 1, 28)) == date(2023, 1, 30)


def test_years_of_52_and_53_weeks_are_told_by_the_list_of_their_ends() -> None:
    years = fiscal_years("for the years ended September 28, 2024, September 30, 2023 and September 24, 2022")
    assert [years.end_of(year) for year in (2022, 2023, 2024)] == [
        date(2022, 9, 24),
        date(2023, 9, 30),
        date(2024, 9, 28),
    ]


def test_a_year_that_ends_in_january_needs_a_sentence() -> None:
    years = fiscal_years("for the years ended January 28, 2024 and January 29, 2023")
    assert years.end_of(2023) is None
    assert years.end_of(2024, month_day=(1, 31)) == date(2024, 1, 28)


def test_another_reports_year_beside_a_fiscal_year_is_no_definition() -> None:
    years = fiscal_years(
        "Results of fiscal year 2022 can be found in our report for the fiscal year ended "
        "January 29, 2023, filed on February 24, 2023."
    )
    assert years.labelled == {}


@pytest.mark.parametrize(
    ("end", "months", "first"),
    [
        (date(2024, 3, 31), 3, date(2024, 1, 1)),
        (date(2024, 2, 29), 12, date(2023, 3, 1)),
        (date(2024, 6, 30), 6, date(2024, 1, 1)),
        (date(2023, 4, 29), 3, None),
        (date(2023, 12, 31), None, None),
    ],
)
def test_a_period_of_whole_months_has_a_first_day(end: date, months: int | None, first: date | None) -> None:
    assert first_day(end, months) == first


@pytest.mark.parametrize(
    ("year_end", "part", "months", "end"),
    [
        (date(2024, 12, 31), 3, 3, date(2024, 9, 30)),
        (date(2024, 9, 30), 1, 3, date(2023, 12, 31)),
        (date(2024, 6, 30), 4, 3, date(2024, 6, 30)),
        (date(2024, 3, 31), 1, 6, date(2023, 9, 30)),
        (date(2024, 12, 31), 3, 6, None),
    ],
)
def test_a_quarter_or_half_ends_within_its_year(year_end: date, part: int, months: int, end: date | None) -> None:
    assert part_end(year_end, part, months) == end


QUARTERS = (
    "<p>{}</p><table><tr><td>$ in millions</td><td>Q3 2024</td></tr><tr><td>Revenue</td><td>1,234</td></tr></table>"
)


@pytest.mark.parametrize(
    ("says", "period", "status"),
    [
        ("Results", (date(2024, 7, 1), date(2024, 9, 30)), "exact"),
        ("Results", (date(2024, 1, 1), date(2024, 3, 31)), "absent"),
        ("Our fiscal year ended June 30, 2024.", (date(2024, 1, 1), date(2024, 3, 31)), "exact"),
        ("Our fiscal year ended June 30, 2024.", (date(2024, 7, 1), date(2024, 9, 30)), "absent"),
    ],
)
def test_a_quarter_is_that_of_the_fiscal_year_and_no_other(says: str, period: tuple[date, date], status: str) -> None:
    wanted = Wanted(
        id="f", entity="e", name="revenue", row="Revenue", period_start=period[0], period_end=period[1], unit="USD"
    )
    found = locate(read_html(QUARTERS.format(says).encode()), wanted)
    assert found.status == status
    if status == "exact":
        assert found.period_read == f"{period[0]}/{period[1]}"

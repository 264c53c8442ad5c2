"""Periods, instants, and the year before."""

from __future__ import annotations

import pytest

from cellwright.records.errors import UnreadableInput
from cellwright.records.periods import Calendar, Period, parse_period

CALENDAR = Calendar(
    {
        "FY2023": {"default": parse_period("2023-01-01/2023-12-31"), "wmt": parse_period("2023-02-01/2024-01-31")},
        "FY2022": {"default": parse_period("2022-01-01/2022-12-31"), "wmt": parse_period("2022-02-01/2023-01-31")},
        "END2023": {"default": parse_period("2023-12-31")},
        "OWN": {"wmt": parse_period("2020-01-01")},
    }
)


def test_a_label_has_the_entitys_dates_or_the_default() -> None:
    assert str(CALENDAR.period("FY2023", "wmt")) == "2023-02-01/2024-01-31"
    assert str(CALENDAR.period("FY2023", "aapl")) == "2023-01-01/2023-12-31"
    assert str(CALENDAR.period("2023-06-30", "aapl")) == "2023-06-30"


@pytest.mark.parametrize("text", ["FY2099", "OWN", "2023", "2023-13-01", "2023-01-01/", "/2023-01-01", "20230101"])
def test_a_period_without_dates_is_refused(text: str) -> None:
    with pytest.raises(UnreadableInput, match="no dates"):
        CALENDAR.period(text, "aapl")


def test_the_year_before_ends_350_to_380_days_earlier() -> None:
    assert CALENDAR.year_before("FY2023", "wmt") == "FY2022"
    with pytest.raises(UnreadableInput, match="year before `FY2022`"):
        CALENDAR.year_before("FY2022", "aapl")


def test_an_instant_on_a_periods_last_day_belongs_to_it() -> None:
    year, end = parse_period("2023-01-01/2023-12-31"), parse_period("2023-12-31")
    assert year.holds(end)
    assert end.holds(year)
    assert not year.holds(parse_period("2023-07-01/2023-12-31"))
    assert Period(end.end) == end

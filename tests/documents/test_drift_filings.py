"""Drift on a real filing: what is done to the page is what is told of its facts, and of those facts alone."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from cellwright.documents.drift import Version, drift_of
from cellwright.documents.mentions import EntityNames
from cellwright.documents.reading import read_document
from cellwright.documents.wanted import Wanted
from cellwright.records.periods import parse_period
from tests.whole_way.filings import Figure, figures

NAMES = EntityNames({"aapl": ("Apple Inc.", "AAPL"), "msft": ("Microsoft Corporation", "MSFT")})


@pytest.fixture(scope="module")
def filing(shared_data: Path) -> tuple[bytes, list[Figure]]:
    found = [figure for figure in figures(shared_data) if figure.entity == "aapl"]
    name = found[0].document
    data = gzip.decompress(next((shared_data / "filings").glob(f"{name}*.gz")).read_bytes())
    return data, [figure for figure in found if figure.document == name]


@pytest.fixture(scope="module")
def before(filing: tuple[bytes, list[Figure]]) -> Version:
    return version(filing[0])


def version(data: bytes) -> Version:
    return Version(read_document(data, "text/html"), NAMES)


def wanted(figure: Figure, located: Version) -> Wanted:
    """The fact as it stands in a task after `locate --write`."""
    period = parse_period(figure.period)
    asked = Wanted(
        id=figure.id,
        entity="aapl",
        entity_names=("Apple Inc.", "AAPL"),
        name=figure.name,
        period_start=period.start,
        period_end=period.end,
        as_written=figure.as_written,
        unit=figure.unit,
        row=figure.row,
    )
    found = located.locator.locate(asked)
    assert found.status == "exact", found
    return replace(asked, quote=found.quote, prefix=found.prefix, suffix=found.suffix, column=found.column)


def test_a_banner_and_a_script_leave_every_fact_of_a_filing_the_same(
    filing: tuple[bytes, list[Figure]], before: Version
) -> None:
    data, facts = filing
    after = version(data.replace(b"<body", b"<script>var build = 20240301</script><body", 1))
    told = [drift_of(before, after, wanted(figure, before)).status for figure in facts]
    assert (len(told) > 20, set(told)) == (True, {"same"})


def test_a_figure_that_was_restated_is_told_and_the_others_stay(
    filing: tuple[bytes, list[Figure]], before: Version
) -> None:
    data, facts = filing
    asked = {figure.id: wanted(figure, before) for figure in facts}
    after = version(data.replace(b">383,285<", b">383,199<"))
    told = {figure.id: drift_of(before, after, asked[figure.id]) for figure in facts}
    changed = {name: (drift.old, drift.new) for name, drift in told.items() if drift.status == "changed"}
    assert set(changed.values()) == {("383,285", "383,199")}
    assert {figure.displayed for figure in facts if figure.id in changed} == {"383,285"}
    assert {drift.status for drift in told.values()} <= {"same", "moved", "changed"}


def test_another_company_s_name_on_the_same_pages_orphans_every_fact(
    filing: tuple[bytes, list[Figure]], before: Version
) -> None:
    data, facts = filing
    after = version(data.replace(b"Apple", b"Microsoft").replace(b"AAPL", b"MSFT"))
    told = {drift_of(before, after, wanted(figure, before)).status for figure in facts}
    assert told == {"orphaned"}

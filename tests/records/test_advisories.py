"""An advisory concerns the release that was yanked, or all before the one that mends it."""

from __future__ import annotations

import pytest

from cellwright.records.releases.advisories import concerns
from cellwright.records.releases.versions import Version
from cellwright.records.repository_rows import Advisory
from cellwright.records.tables import read_records


@pytest.mark.parametrize(
    ("kind", "version", "concerned", "not_concerned"),
    [
        ("yanked", "1.1.0", ["1.1.0"], ["1.0.0", "1.1.1", "1.1.0-rc1"]),
        ("corrected", "1.1.0", ["1.0.0", "0.1.0", "1.1.0-rc1"], ["1.1.0", "1.2.0"]),
        ("quarantined", "1.1.0", ["1.0.9"], ["1.1.0", "2.0.0"]),
    ],
)
def test_an_advisory_concerns_its_versions(
    kind: str, version: str, concerned: list[str], not_concerned: list[str]
) -> None:
    advisory = Advisory(id="A1", kind=kind, version=version, because="a reason")  # type: ignore[arg-type]
    assert all(concerns(advisory, Version.parse(text)) for text in concerned)
    assert not any(concerns(advisory, Version.parse(text)) for text in not_concerned)


def test_advisories_are_read_from_their_table() -> None:
    data = b"id,kind,version,task,entity,dimension,because\nA1,corrected,1.1.0,ev,byd,margin,the segment was meant\n"
    found = read_records(data, Advisory, "releases/advisories.csv")
    assert not found.problems
    assert found.rows[0].texts()["because"] == "the segment was meant"

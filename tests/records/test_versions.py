"""Versions are read strictly, stand in their order, and tell what a change means."""

from __future__ import annotations

import pytest

from cellwright.records.errors import UnreadableInput
from cellwright.records.releases.versions import Level, Version


@pytest.mark.parametrize(
    "text", ["", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.3-rc0", "1.2.3-beta", "1.2.3 ", "١.2.3", "vv1.2.3"]
)
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(UnreadableInput, match="this is no version"):
        Version.parse(text)


@pytest.mark.parametrize("text", ["0.1.0", "1.2.3", "1.2.3-rc1", "10.0.0-rc12"])
def test_a_version_is_written_as_it_is_read(text: str) -> None:
    assert str(Version.parse(text)) == str(Version.parse(f"v{text}")) == text
    assert Version.parse(text).tag == f"v{text}"


def test_versions_stand_in_their_order() -> None:
    texts = ["0.9.9", "1.0.0-rc1", "1.0.0-rc2", "1.0.0-rc10", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0"]
    assert [str(item) for item in sorted(map(Version.parse, reversed(texts)))] == texts


@pytest.mark.parametrize(
    ("before", "level", "after"),
    [
        ("1.2.3", Level.PATCH, "1.2.4"),
        ("1.2.3", Level.MINOR, "1.3.0"),
        ("1.2.3", Level.MAJOR, "2.0.0"),
        ("0.3.1", Level.MINOR, "0.4.0"),
        ("0.3.1", Level.MAJOR, "1.0.0"),
    ],
)
def test_a_change_asks_for_the_least_version_that_tells_it(before: str, level: Level, after: str) -> None:
    assert str(Version.parse(before).after(level)) == after
    assert level.word in ("patch", "minor", "major")

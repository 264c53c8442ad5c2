"""A release's tag tells what it holds, and a tag that does not is no release."""

from __future__ import annotations

import pytest

from cellwright.records.releases.tags import ReleaseMark, read_mark, tag_message
from cellwright.records.releases.versions import Version

MARK = ReleaseMark("a" * 64, "b" * 64, "c" * 64, "cellwright 0.1.0", 3)


@pytest.mark.parametrize("demonstration", [False, True])
def test_what_a_tag_tells_is_read_back(demonstration: bool) -> None:
    mark = ReleaseMark("a" * 64, "b" * 64, "c" * 64, "cellwright 0.1.0", 3, demonstration)
    assert read_mark(tag_message(Version(1, 2, 3, 4), mark)) == mark


def test_the_last_lines_are_bundle_cells_corpus_and_tool() -> None:
    lines = tag_message(Version(1, 0, 0), MARK).splitlines()
    assert lines[0] == "Release 1.0.0"
    assert [line.partition(":")[0] for line in lines[-4:]] == ["bundle", "cells", "corpus", "tool"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a" * 64, "a" * 63),
        ("bundle: ", "bundles: "),
        ("corpus: ", "corpus:"),
        ("tool: cellwright", "tool: another"),
        ("cells: " + "b" * 64, "cells: none"),
    ],
)
def test_a_tag_that_lacks_a_line_is_no_release(old: str, new: str) -> None:
    assert read_mark(tag_message(Version(1, 0, 0), MARK).replace(old, new)) is None


def test_a_tag_of_a_person_is_no_release() -> None:
    assert read_mark("Release 1.0.0\n") is None
    assert read_mark("x" * 200_000) is None

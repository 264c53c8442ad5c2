"""What a tag states is read from its last paragraph and from nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.errors import UnreadableInput
from cellwright.records.releases.tag_trailers import Stated, stated_by

STATED = Stated("a" * 64, "b" * 64, "c" * 64, "cellwright 1.2.3")


@given(st.text().filter(lambda text: "\n\n" not in text))
def test_what_is_written_is_read_whatever_a_person_wrote_above(words: str) -> None:
    assert stated_by(f"{words}\n\n{STATED.lines()}", "v1.0.0") == STATED


def test_other_trailers_between_them_do_no_harm() -> None:
    assert stated_by(f"Release\n\ntasks: 3\n{STATED.lines()}signed: a\n", "v1.0.0") == STATED


@pytest.mark.parametrize(
    ("message", "what"),
    [
        ("", "the tag states no `bundle:`"),
        (STATED.lines() + "\nmore words", "the tag states no `cells:`"),
        (STATED.lines() + f"bundle: {'d' * 64}", "the tag's `bundle:` cannot be read"),
        (STATED.lines().replace("a" * 64, "A" * 64), "the tag's `bundle:` cannot be read"),
        (STATED.lines().replace("cellwright", "something"), "the tag's `tool:` cannot be read"),
    ],
)
def test_a_trailer_that_is_missing_twice_or_odd_is_told(message: str, what: str) -> None:
    with pytest.raises(UnreadableInput, match=what):
        stated_by(message, "v1.0.0")

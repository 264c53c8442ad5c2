"""Git's conflict marks are told as such, and their two sides are taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.conflicts import refuse_conflict, sides
from cellwright.records.errors import UnreadableInput
from cellwright.records.tables import read_table
from cellwright.records.yaml_text import read_yaml

BOTH = "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> side\nd\n"


def test_the_two_sides_are_taken_apart() -> None:
    assert sides(BOTH, "x") == ("a\nb\nd\n", "a\nc\nd\n")


def test_a_common_ancestor_is_left_out() -> None:
    assert sides(BOTH.replace("=======", "||||||| base\nz\n======="), "x") == ("a\nb\nd\n", "a\nc\nd\n")


def test_several_conflicts_are_taken_apart_together() -> None:
    found = sides(BOTH + BOTH, "x")
    assert found == ("a\nb\nd\na\nb\nd\n", "a\nc\nd\na\nc\nd\n")


@pytest.mark.parametrize("text", ["", "a\n", "=======\n", "a <<<<<<< b >>>>>>> c\n", "<<<<<<< only a quote\n"])
def test_what_only_looks_like_marks_is_none(text: str) -> None:
    refuse_conflict(text, "x")
    assert sides(text, "x") is None


@pytest.mark.parametrize(
    "text",
    [
        "<<<<<<< a\n>>>>>>> b\n",
        "<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> c\n",
        "<<<<<<< a\n=======\n>>>>>>> b\n>>>>>>> c\n",
        "<<<<<<< a\n=======\n>>>>>>> b\n<<<<<<< c\n",
    ],
)
def test_marks_that_are_not_whole_are_told(text: str) -> None:
    with pytest.raises(UnreadableInput, match="conflict marks in the file are not whole"):
        sides(text, "x")


PLAIN = st.lists(st.text(alphabet="abc ,:-", max_size=8), max_size=5)


@given(PLAIN, PLAIN, PLAIN, PLAIN)
def test_what_git_writes_is_read_back(before: list[str], ours: list[str], theirs: list[str], after: list[str]) -> None:
    lines = [*before, "<<<<<<< HEAD", *ours, "=======", *theirs, ">>>>>>> x", *after]
    found = sides("".join(f"{line}\n" for line in lines), "x")
    wanted = tuple("".join(f"{line}\n" for line in (*before, *side, *after)) for side in (ours, theirs))
    assert found == wanted


def test_a_table_in_conflict_is_told_with_its_line() -> None:
    data = b"task,source,sha256,url\n<<<<<<< HEAD\na,b,,d\n=======\na,b,,e\n>>>>>>> side\n"
    with pytest.raises(UnreadableInput, match=r"captures\.csv:2: git's conflict marks.*`cellwright merge-captures`"):
        read_table(data, "captures", "sources/captures.csv")
    with pytest.raises(UnreadableInput, match=r"facts\.csv:2: git's conflict marks.*decide which lines stay"):
        read_table(data, "facts", "tasks/t/facts.csv")


def test_a_yaml_file_in_conflict_is_told_with_its_line() -> None:
    with pytest.raises(UnreadableInput, match=r"task\.yaml:2: git's conflict marks.*decide which lines stay"):
        read_yaml(BOTH.encode(), "tasks/t/task.yaml")

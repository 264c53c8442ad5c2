"""A task goes from schema to schema by steps that keep what they do not change, and nowhere without one."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from cellwright.records.errors import UnreadableInput
from cellwright.records.migrations import CHAIN, CURRENT, Migration, migrated, schema_of, with_schema

TASK = b"""# What the makers earn.
schema: 1   # the first
id: makers   # never changes
title: 'Makers: schema: 1'
status: draft
"""


def rename_status(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """A step of a schema that is not there: `status` is called `state`."""
    return {"task.yaml": files["task.yaml"].replace(b"\nstatus: ", b"\nstate: ")}


def add_table(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The step after it, which looks at what the first one did, and adds a file."""
    assert b"\nstate: " in files["task.yaml"]
    return {"notes.csv": b"id,note\n"}


STEPS = (Migration(1, "status is called state", rename_status), Migration(2, "notes have a table", add_table))


def test_there_is_one_schema_and_no_step_yet() -> None:
    assert (CURRENT, CHAIN) == (1, ())
    done = migrated({"task.yaml": TASK}, "tasks/makers")
    assert (done.files, done.steps) == ({"task.yaml": TASK}, ())


def test_steps_are_taken_one_after_the_other_and_each_is_told() -> None:
    done = migrated({"task.yaml": TASK, "facts.csv": b"id\n"}, "tasks/makers", chain=STEPS, current=3)
    assert done.files == {
        "task.yaml": TASK.replace(b"schema: 1   #", b"schema: 3   #").replace(b"\nstatus:", b"\nstate:"),
        "facts.csv": b"id\n",
        "notes.csv": b"id,note\n",
    }
    assert done.steps == ("schema 1 → 2: status is called state", "schema 2 → 3: notes have a table")


def test_comments_order_and_spaces_stay() -> None:
    done = migrated({"task.yaml": TASK}, "t", chain=STEPS, current=2)
    old, new = TASK.decode().splitlines(), done.files["task.yaml"].decode().splitlines()
    assert [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]] == [
        ("schema: 1   # the first", "schema: 2   # the first"),
        ("status: draft", "state: draft"),
    ]


def test_a_second_time_nothing_is_left_to_do() -> None:
    once = migrated({"task.yaml": TASK}, "t", chain=STEPS, current=3)
    again = migrated(once.files, "t", chain=STEPS, current=3)
    assert (again.files, again.steps) == (once.files, ())


def test_it_begins_where_the_task_is() -> None:
    halfway = migrated({"task.yaml": TASK}, "t", chain=STEPS, current=2)
    done = migrated(halfway.files, "t", chain=STEPS, current=3)
    assert done.steps == ("schema 2 → 3: notes have a table",)


REFUSED = [
    (b"schema: 2\n", "is of schema 2, which is later than this version of Cellwright knows", "install a later version"),
    (b"schema: 0\n", "there is no way from schema 0 to schema 1", "a schema that was published: 1"),
    (b"id: makers\n", "does not say its schema", "schema: 1"),
    (b"schema: one\n", "does not say its schema", "a whole number"),
    (b"schema: [1]\n", "does not say its schema", "a whole number"),
    (b"- schema\n", "does not say its schema", "a whole number"),
    (b"a: b: c\n", "not YAML", ""),
]


@pytest.mark.parametrize(("task", "what", "more"), REFUSED, ids=[repr(task) for task, _, _ in REFUSED])
def test_a_task_that_cannot_go_there_is_refused_in_a_sentence(task: bytes, what: str, more: str) -> None:
    with pytest.raises(UnreadableInput) as told:
        migrated({"task.yaml": task}, "tasks/makers")
    assert what in str(told.value)
    assert more in str(told.value)
    assert str(told.value).startswith("tasks/makers/task.yaml")


def test_a_chain_with_a_gap_leads_nowhere() -> None:
    with pytest.raises(UnreadableInput, match="no way from schema 1 to schema 3"):
        migrated({"task.yaml": TASK}, "t", chain=STEPS[1:], current=3)


def test_a_folder_without_a_task_is_refused() -> None:
    with pytest.raises(UnreadableInput, match="the file is missing"):
        migrated({}, "tasks/makers")


@pytest.mark.parametrize("line", ["schema: 1", 'schema: "1"', "schema:   '1'  # said", "schema : 1\r"])
def test_the_number_is_changed_where_it_stands_and_nothing_else(line: str) -> None:
    before = f"# schema: 1\n{line}\nnote: 'schema: 1'\n".encode()
    after = with_schema(before, 7)
    assert schema_of(after, "t") == 7
    assert after == before.replace(f"\n{line}".encode(), f"\n{line.replace('1', '7')}".encode())


def test_a_schema_inside_braces_cannot_be_changed_and_is_told() -> None:
    with pytest.raises(UnreadableInput, match="does not stand on a line of its own"):
        with_schema(b"{schema: 1, id: x}\n", 2)

"""One value of a YAML file is set, and every other character stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.errors import UnreadableInput
from cellwright.records.yaml_edit import set_yaml_text
from cellwright.records.yaml_text import read_yaml

FILE = """\
# Who made it: Ñandú
schema: 1
status: review   # ready, says ben
title: "Größe: a title"
steps: [{id: answer, expr: "a / b"}]   # flow

# the end
"""

CASES = [
    (
        "a bare value",
        "status: review   # ready, says ben",
        ("status",),
        "quarantined",
        "status: quarantined   # ready, says ben",
    ),
    ("a quoted value", 'title: "Größe: a title"', ("title",), "Maße", 'title: "Maße"'),
    ("a text that needs quotes", "status: review   #", ("status",), "no: #1", 'status: "no: #1"   #'),
]


@pytest.mark.parametrize(("name", "old", "path", "value", "new"), CASES, ids=[case[0] for case in CASES])
def test_a_value_is_replaced_in_its_place(name: str, old: str, path: tuple[str, ...], value: str, new: str) -> None:
    assert set_yaml_text(FILE.encode(), path, value, "f").decode() == FILE.replace(old, new)


def test_a_key_that_is_not_there_comes_behind_the_last_value() -> None:
    changed = set_yaml_text(FILE.encode(), ("status_reason",), "it was wrong", "f").decode()
    assert changed == FILE.replace("# flow\n", '# flow\nstatus_reason: "it was wrong"\n')


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("bundle:\n  name: a   # n\n  version: 0.1.0\nx: 1\n", "bundle:\n  name: a   # n\n  version: 1.0.0\nx: 1\n"),
        ("bundle:\n  name: a\n\nx: 1\n", "bundle:\n  name: a\n  version: 1.0.0\n\nx: 1\n"),
        ("x: 1\nbundle:\n    name: a", "x: 1\nbundle:\n    name: a\n    version: 1.0.0\n"),
        ("bundle: {name: a, version: 0.1.0}\n", "bundle: {name: a, version: 1.0.0}\n"),
        ("bundle:\n  version:\n  name: a\n", "bundle:\n  version: 1.0.0\n  name: a\n"),
        ("bundle:\n  version: >-\n    0.1\n    .0\n  name: a\n", "bundle:\n  version: 1.0.0\n  name: a\n"),
        ("\ufeffbundle:\r\n  name: a\r\n", "\ufeffbundle:\r\n  name: a\r\n  version: 1.0.0\r\n"),
    ],
)
def test_a_key_in_a_mapping_is_set_or_added(before: str, after: str) -> None:
    assert set_yaml_text(before.encode(), ("bundle", "version"), "1.0.0", "f").decode() == after


@pytest.mark.parametrize("text", ["bundle: {name: a}\n", "bundle: [1]\n", "x: 1\n", "bundle: a\n"])
def test_what_has_no_place_for_it_is_told_with_the_line_to_write(text: str) -> None:
    with pytest.raises(UnreadableInput, match=r"`bundle\.version` cannot be set.*write `version: 1\.0\.0` by hand"):
        set_yaml_text(text.encode(), ("bundle", "version"), "1.0.0", "f")


@given(st.text(min_size=1, max_size=60).filter(str.isprintable))
def test_any_reason_is_read_back_and_nothing_else_changes(reason: str) -> None:
    changed = set_yaml_text(FILE.encode(), ("status",), reason, "f")
    assert read_yaml(changed, "f")[0] == {**read_yaml(FILE.encode(), "f")[0], "status": reason}
    assert changed.decode().splitlines()[0] == FILE.splitlines()[0]
    assert set_yaml_text(changed, ("status",), "review", "f") == FILE.encode()

"""JSON: numbers as written, pointers, repeated keys, bounded depth, lists of records as tables."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.documents.json_values import MAX_DEPTH, at_pointer, parse_json, pointer_of, read_json, scalar_text
from cellwright.documents.locators import locator_of, value_at
from cellwright.records.errors import UnreadableInput

FACTS = b'{"facts": [{"val": 383285000000, "end": "2023-09-30"}, {"val": 1.20, "note": {"a": 1}}], "a/b": {"m~n": 3e5}}'


@pytest.mark.parametrize(
    ("pointer", "text"),
    [
        ("/facts/0/val", "383285000000"),
        ("/facts/1/val", "1.20"),
        ("/facts/0/end", "2023-09-30"),
        ("/facts/1/note/a", "1"),
        ("/a~1b/m~0n", "3e5"),
    ],
)
def test_a_pointer_gives_the_value_as_it_is_written(pointer: str, text: str) -> None:
    assert value_at(read_json(FACTS), pointer) == text


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"[0.1]", "0.1"),
        (b"[12345678901234567890123]", "12345678901234567890123"),
        (b"[-0]", "-0"),
        (b"[1E400]", "1E400"),
        (b"[true]", "true"),
        (b"[null]", "null"),
        (b'["a\\nb"]', "a b"),
        (b'["\\ud800"]', "\ufffd"),
        (b'["\\ud83d\\ude00"]', "😀"),
    ],
)
def test_a_scalar_is_text_on_one_line(data: bytes, text: str) -> None:
    assert value_at(read_json(data), "/0") == text


@pytest.mark.parametrize(
    ("pointer", "said"),
    [
        ("facts", "not a JSON pointer"),
        ("/facts/~2", "not a JSON pointer"),
        ("/" * 2000, "not a JSON pointer"),
        ("", "a list or an object"),
        ("/facts", "a list or an object"),
        ("/facts/2", "no item '2'"),
        ("/facts/-", "no item '-'"),
        ("/facts/01", "no item '01'"),
        ("/sales", "no key 'sales'"),
        ("/facts/0/val/x", "a single value"),
    ],
)
def test_a_pointer_that_leads_nowhere_is_told(pointer: str, said: str) -> None:
    with pytest.raises(UnreadableInput, match=said):
        value_at(read_json(FACTS), pointer)


def test_a_repeated_key_is_told_and_cannot_be_pointed_to() -> None:
    document = read_json(b'{"a": {"val": 1, "val": 2, "other": 3}}')
    assert document.warnings == ("keys stand more than once in one object: val",)
    assert value_at(document, "/a/other") == "3"
    with pytest.raises(UnreadableInput, match="more than once"):
        value_at(document, "/a/val")


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_deep_nesting_is_refused_before_it_is_parsed(opening: str) -> None:
    with pytest.raises(UnreadableInput, match="nested too deep"):
        read_json((opening * 200_000).encode())
    closing = {"[": "]", '{"a":': "}"}[opening]
    assert read_json((opening * MAX_DEPTH + "1" + closing * MAX_DEPTH).encode()).kind == "json"


def test_brackets_inside_strings_are_no_nesting() -> None:
    assert value_at(read_json(json.dumps({"a": '[{"\\' * 500}).encode()), "/a") == '[{"\\' * 500


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"nul",
        b"[1,]",
        b"[NaN]",
        b"[Infinity]",
        b'{"a" 1}',
        b"[1] 2",
        b'"\\x"',
        b'["unclosed',
        b"'a'",
        b'"' * 100_001,
    ],
)
def test_what_is_no_json_is_one_sentence(data: bytes) -> None:
    with pytest.raises(UnreadableInput, match="JSON") as caught:
        read_json(data)
    assert "\n" not in str(caught.value)


def test_a_list_of_objects_is_a_table_named_by_its_pointer() -> None:
    document = read_json(FACTS)
    (table,) = document.tables
    assert table.name == "/facts"
    assert [[cell.text for cell in row if cell] for row in table.grid] == [
        ["val", "end"],
        ["383285000000", "2023-09-30"],
        ["1.20", ""],
    ]
    assert locator_of(document, table, 2, 0) == "/facts/1/val"
    assert locator_of(document, table, 0, 0) == ""
    assert value_at(document, "/facts/1/val") == "1.20"


def test_a_list_of_lists_is_a_table_too() -> None:
    document = read_json(b'[["year", "value"], [2023, 5]]')
    (table,) = document.tables
    assert table.name == ""
    assert value_at(document, locator_of(document, table, 1, 1)) == "5"


def test_the_text_is_the_source_s_own() -> None:
    assert read_json(b"\xef\xbb\xbf" + FACTS).text == FACTS.decode()


KEYS = st.text(alphabet="ab/~0 é", max_size=4)
VALUES = st.recursive(
    st.integers() | st.booleans() | st.text(alphabet="ab 1", max_size=4) | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
)


def leaves(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], object]]:
    """Each scalar of a value with the keys that lead to it."""
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in leaves(inner, (*path, key))]
    if isinstance(value, list):
        return [leaf for index, inner in enumerate(value) for leaf in leaves(inner, (*path, index))]
    return [(path, value)]


@given(VALUES)
def test_every_scalar_is_found_by_its_pointer(value: object) -> None:
    root = parse_json(json.dumps(value))
    for path, leaf in leaves(value):
        expected = " ".join(leaf.split()) if isinstance(leaf, str) else json.dumps(leaf)
        assert scalar_text(at_pointer(root, pointer_of(*path))) == expected

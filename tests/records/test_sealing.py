"""What a sealed bundle shows: keyed digests, open columns, and a digest of its archive that nobody can try."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.bundle import TABLE_COLUMNS, cell_digest
from cellwright.records.sealing import (
    OPEN_COLUMNS,
    OPEN_COUNTS,
    OPEN_KEYS,
    keyed_cells,
    keyed_digest,
    open_manifest,
    open_rows,
    plaintext_digest,
    salt_for,
)

SECRET, OTHER = b"one secret", b"another"
CELL = {"ask": "Rank by deliveries.", "unit": "rank", "answer_type": "precise", "value": "2", "rule": "{}"}


def test_a_keyed_digest_is_hmac_sha256_under_a_key_of_its_purpose() -> None:
    purpose = hmac.new(SECRET, b"cellwright seal 1: cell", hashlib.sha256).digest()
    wanted = hmac.new(purpose, b"cellwright seal 1: abc", hashlib.sha256).hexdigest()
    assert keyed_digest(SECRET, "cell", "abc") == wanted


def test_one_key_gives_one_digest_and_another_key_or_purpose_another() -> None:
    mine = keyed_digest(SECRET, "cell", "abc")
    assert mine == keyed_digest(SECRET, "cell", "abc")
    assert len({mine, keyed_digest(OTHER, "cell", "abc"), keyed_digest(SECRET, "corpus", "abc")}) == 3


def test_a_reference_that_can_be_guessed_is_found_by_its_plain_digest_and_not_by_the_keyed_one() -> None:
    """The attack: a rank has eight values; whoever has the digest of a result line tries them all."""
    guesses = [cell_digest({**CELL, "value": str(rank)}, []) for rank in range(1, 9)]
    plain = cell_digest(CELL, [])
    assert guesses.index(plain) == 1
    tables = keyed_cells({"cells": [{**CELL, "digest": plain}], "facts": []}, SECRET)
    assert tables["cells"][0]["digest"] not in guesses
    assert {**tables["cells"][0], "digest": plain} == {**CELL, "digest": plain}


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_the_salt_follows_from_the_key_and_the_archive(one: bytes, other: bytes) -> None:
    salt = salt_for(SECRET, one)
    assert salt == salt_for(SECRET, one)
    assert salt != salt_for(OTHER, one)
    assert (salt == salt_for(SECRET, other)) == (one == other)
    assert plaintext_digest(one, salt) == hashlib.sha256(bytes.fromhex(salt) + one).hexdigest()


def test_a_salt_that_is_no_hex_is_refused() -> None:
    with pytest.raises(ValueError, match="hex"):
        plaintext_digest(b"", "salt")


def test_open_tables_have_the_open_columns_in_the_order_of_the_matrix() -> None:
    rows = [
        {**dict.fromkeys(TABLE_COLUMNS["entities"], "x"), "entity": f"e{at}", "position": str(at)} for at in (10, 9)
    ]
    assert [row["entity"] for row in open_rows({"entities": rows, "dimensions": []})["entities"]] == ["e9", "e10"]
    assert all(
        row.keys() == set(OPEN_COLUMNS["entities"])
        for row in open_rows({"entities": rows, "dimensions": []})["entities"]
    )


def test_no_open_column_tells_an_answer_or_its_type() -> None:
    assert {column for columns in OPEN_COLUMNS.values() for column in columns} == {
        "task", "entity", "dimension", "name", "ask", "unit", "period",
    }  # fmt: skip
    assert all(column in TABLE_COLUMNS[table] for table, columns in OPEN_COLUMNS.items() for column in columns)


def test_the_open_manifest_takes_over_what_is_on_its_list_and_nothing_else() -> None:
    inner = {**dict.fromkeys(OPEN_KEYS, "said"), "sealed": False, "secret_new_key": "383285", "files": {"cells": "sum"}}
    inner["counts"] = {**dict.fromkeys(OPEN_COUNTS, 1), "steps": 0, "changes": 1}
    said = open_manifest(inner, files={"README.md": "s"}, tables={}, seal={"file": "f"})
    assert said.keys() == {*OPEN_KEYS, "sealed", "counts", "files", "tables", "seal"}
    assert said["counts"].keys() == set(OPEN_COUNTS)
    assert said["sealed"] is True
    assert said["files"] == {"README.md": "s"}

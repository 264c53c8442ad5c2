"""A bundle is opened only where it is what `bundle.json` says."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cellwright.clients.bundle_reader import open_bundle
from cellwright.harness.prompt import prompt_of
from cellwright.records.bundle import TABLE_COLUMNS, table_digest
from cellwright.records.errors import UnreadableInput


def rewrite(folder: Path, name: str, data: bytes) -> None:
    """Another file in the place of `name`, its sha256 in bundle.json set to fit."""
    manifest = json.loads((folder / "bundle.json").read_bytes())
    (folder / name).write_bytes(data)
    manifest["files"][name] = hashlib.sha256(data).hexdigest()
    (folder / "bundle.json").write_text(json.dumps(manifest))


def test_an_opened_bundle_has_its_cells_in_the_order_of_the_matrix(bundle: Any, small: Any) -> None:
    assert (bundle.name, bundle.version, bundle.tasks) == ("small", "1.0.0", (small.task,))
    assert len(bundle.cells) == 10
    assert [key[1:] for key in bundle.cells_in_order][:2] == [("byd", "vehicles"), ("byd", "gross_profit_per_vehicle")]
    assert bundle.cells[small.task, "byd", "gross_profit_per_vehicle"]["value"].startswith("28478.68852459")


def test_a_changed_file_is_told_with_both_digests(write: Any) -> None:
    folder = write()
    (folder / "cells.parquet").write_bytes(b"other")
    with pytest.raises(UnreadableInput, match=r"cells\.parquet: the file is not the one that was released; seen '"):
        open_bundle(folder)


def test_a_changed_table_is_told_even_where_its_file_fits(write: Any, small: Any) -> None:
    folder = write()
    tables = small.tables()
    tables["cells"][0]["value"] = "1"
    rewrite(folder, "cells.parquet", small.parquet("cells", tables["cells"]))
    with pytest.raises(UnreadableInput, match="the table `cells` is not the one that was released"):
        open_bundle(folder)


@pytest.mark.parametrize(
    ("manifest", "says"),
    [
        ({"schema": 2}, r"the bundle has schema 2, and this reader knows schema 1; install a later cellwright"),
        ({"schema": "1"}, "the bundle says no schema"),
        ({"schema": True}, "the bundle says no schema"),
        ({"schema": 0}, "the bundle says no schema"),
        ({"sealed": True}, "the bundle is sealed"),
        ({"name": ""}, "`name` is missing or no text"),
        ({"version": 1}, "`version` is missing or no text"),
        ({"files": []}, "`files` is missing or not an object of text"),
        ({"tables": {}}, "the table `tasks` is not in the bundle"),
        ({"cells": {"digest": "0" * 64}}, "the digest of the cells is not theirs"),
        ({"cells": None}, "the digest of the cells is not theirs"),
        ({"files": {"../secret": "0" * 64}}, "a file of the bundle has no plain name"),
        ({"files": {"/etc/passwd": "0" * 64}}, "a file of the bundle has no plain name"),
        ({"files": {"a\x00b": "0" * 64}}, "a file of the bundle has no plain name"),
        ({"files": {"tasks.parquet": "short"}}, "a file of the bundle has no plain name or no sha256"),
        ({"files": {"lost.parquet": "0" * 64}}, "lost.parquet: the file is missing"),
    ],
)
def test_a_bundle_json_that_does_not_fit_ends_in_one_sentence(write: Any, manifest: Any, says: str) -> None:
    with pytest.raises(UnreadableInput, match=says):
        open_bundle(write(**manifest))


@pytest.mark.parametrize("data", [b"", b"no JSON", b"[]", b"[" * 100_000, b"\xff\xfe{}", b'{"schema": NaN}', b"null"])
def test_a_bundle_json_that_is_no_json_object_ends_in_one_sentence(write: Any, data: bytes) -> None:
    folder = write()
    (folder / "bundle.json").write_bytes(data)
    with pytest.raises(UnreadableInput, match=r"bundle\.json"):
        open_bundle(folder)


def test_a_missing_folder_or_a_file_in_its_place_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match="the bundle is missing"):
        open_bundle(tmp_path / "none")
    (tmp_path / "file").write_text("x")
    with pytest.raises(UnreadableInput, match="the bundle is not a folder"):
        open_bundle(tmp_path / "file")


def test_a_link_that_leads_out_of_the_bundle_is_refused(write: Any, tmp_path: Path) -> None:
    folder = write()
    (tmp_path / "outside").write_bytes((folder / "tasks.parquet").read_bytes())
    (folder / "tasks.parquet").unlink()
    (folder / "tasks.parquet").symlink_to(tmp_path / "outside")
    with pytest.raises(UnreadableInput, match="leads out of its folder"):
        open_bundle(folder)


@pytest.mark.parametrize("data", [b"", b"PAR1", b"PAR1" + b"\x00" * 400 + b"PAR1", b"x" * 5_000])
def test_bytes_that_are_no_parquet_are_told(write: Any, data: bytes) -> None:
    folder = write()
    rewrite(folder, "facts.parquet", data)
    with pytest.raises(UnreadableInput, match=r"facts\.parquet: the file is not Parquet that can be read"):
        open_bundle(folder)


def as_parquet(table: pa.Table) -> bytes:
    out = pa.BufferOutputStream()
    pq.write_table(table, out)
    return bytes(out.getvalue())


def test_columns_of_another_schema_types_and_missing_values_are_told(write: Any) -> None:
    folder = write()
    columns = list(TABLE_COLUMNS["changes"])
    rewrite(folder, "changes.parquet", as_parquet(pa.table({"more": ["x"], **{name: ["x"] for name in columns}})))
    with pytest.raises(UnreadableInput, match="the columns of the table `changes` are not those of schema 1"):
        open_bundle(folder)
    rewrite(folder, "changes.parquet", as_parquet(pa.table({name: [1] for name in columns})))
    with pytest.raises(UnreadableInput, match="a column of the table `changes` is not text"):
        open_bundle(folder)
    empty = pa.table({name: pa.array([None], pa.string()) for name in columns})
    rewrite(folder, "changes.parquet", as_parquet(empty))
    with pytest.raises(UnreadableInput, match="the table `changes` is too large or has values that are missing"):
        open_bundle(folder)


def test_a_cell_that_stands_twice_and_a_position_that_is_no_number_are_told(write: Any, small: Any) -> None:
    tables = small.tables()
    tables["cells"].append(dict(tables["cells"][-1]))
    with pytest.raises(UnreadableInput, match="stands twice in the table `cells`"):
        open_bundle(write(tables))
    entities = small.tables()["entities"]
    entities[0]["position"] = "first"
    folder = write(tables={name: table_digest(rows) for name, rows in {**small.tables(), "entities": entities}.items()})
    rewrite(folder, "entities.parquet", small.parquet("entities", entities))
    with pytest.raises(UnreadableInput, match="a position is no whole number from 1"):
        open_bundle(folder)


def test_the_prompt_of_a_task_is_what_the_bundle_holds(bundle: Any, small: Any) -> None:
    assert "# Unit economics of electric-vehicle makers" in prompt_of(bundle, small.task)
    with pytest.raises(UnreadableInput, match="did you mean `ev-makers-2023`"):
        prompt_of(bundle, "ev-makers-2024")

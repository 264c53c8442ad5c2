"""The Croissant description: complete, valid JSON-LD, and nothing that a task says is more than text."""

from __future__ import annotations

import json
from typing import Any

from cellwright.authoring.bundles.croissant import croissant
from cellwright.records.bundle import TABLE_COLUMNS, TABLE_KEYS
from tests.authoring.test_bundle_card import EVIL, tables

FILES = {f"{name}.parquet": name[0] * 64 for name in TABLE_COLUMNS}


def described(files: dict[str, str] | None = None, url: str = "", **task: str) -> dict[str, Any]:
    read = json.loads(croissant("demo", "0.1.0", tables(**task), files if files is not None else FILES, url=url))
    assert isinstance(read, dict)
    return read


def test_every_table_is_a_record_set_with_its_key_and_its_count() -> None:
    sets = {item["@id"]: item for item in described()["recordSet"]}
    assert list(sets) == list(TABLE_COLUMNS)
    assert "there are 1." in sets["cells"]["description"]
    assert [item["@id"] for item in sets["cells"]["key"]] == ["cells/task", "cells/entity", "cells/dimension"]


def test_the_keys_are_columns_of_their_tables() -> None:
    assert all(set(TABLE_KEYS[name]) <= set(TABLE_COLUMNS[name]) for name in TABLE_COLUMNS)
    assert set(TABLE_KEYS) == set(TABLE_COLUMNS)


def test_every_file_has_its_sha256() -> None:
    assert {item["@id"]: item["sha256"] for item in described()["distribution"]} == FILES


def test_a_task_is_referenced_from_every_other_table() -> None:
    references = {
        field["@id"]: field["references"]["field"]["@id"]
        for item in described()["recordSet"]
        for field in item["field"]
        if "references" in field
    }
    assert references == {f"{name}/task": "tasks/task" for name in TABLE_COLUMNS if name != "tasks"}


def test_only_tables_that_are_published_are_described() -> None:
    read = described({"entities.parquet": "0" * 64})
    assert [item["@id"] for item in read["recordSet"]] == ["entities"]
    assert all("references" not in field for field in read["recordSet"][0]["field"])


def test_the_day_is_the_latest_as_of_and_said_to_be_so() -> None:
    read = described(as_of="2025-03-31")
    assert read["datePublished"] == "2025-03-31"
    assert "public by 2025-03-31" in read["description"]


def test_people_licences_and_the_address_are_told() -> None:
    read = described(licence="CC-BY-4.0", contributors='["ana"]', url="https://a.example/demo")
    assert read["creator"] == [{"@type": "sc:Person", "name": "ana"}]
    assert read["license"] == ["https://spdx.org/licenses/CC-BY-4.0.html"]
    assert read["url"] == "https://a.example/demo"
    assert read["citeAs"].startswith("@misc{demo-0.1.0,")


def test_a_licence_of_ones_own_is_a_work_of_its_name_and_no_address() -> None:
    assert described()["license"] == [{"@type": "sc:CreativeWork", "name": EVIL}]
    assert "url" not in described()

"""Advisories are read from three kinds of file, strictly and to a bound."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cellwright.clients.advisory_files import MAX_ADVISORIES, advisories_in, read_advisories
from cellwright.clients.bundle_reader import open_bundle
from cellwright.records.errors import Place, UnreadableInput
from tests.releases.small_releases import bundle, quarantine, tables

ONE = {
    "id": "A1",
    "kind": "corrected",
    "version": "1.1.0",
    "task": "ev",
    "entity": "byd",
    "dimension": "margin",
    "because": "the segment was meant",
}
CSV = "id,kind,version,task,entity,dimension,because\n"


def manifest(path: Path, advisories: Any, **more: Any) -> Path:
    path.write_text(json.dumps({"name": "small", "advisories": advisories, **more}), encoding="utf-8")
    return path


def test_a_table_a_newer_bundle_json_and_its_folder_tell_the_same(tmp_path: Path) -> None:
    table = tmp_path / "advisories.csv"
    table.write_text(CSV + ",".join(ONE.values()) + "\n", encoding="utf-8")
    named = manifest(tmp_path / "bundle.json", [ONE])
    found = [read_advisories(path, "small") for path in (table, named, tmp_path)]
    assert [[item.texts() for item in told] for told in found] == [[ONE]] * 3


def test_a_bundle_carries_its_advisories_as_records(tmp_path: Path) -> None:
    opened = open_bundle(bundle(tmp_path / "bundle", tables(), "1.1.0", (quarantine("ev"),)))
    assert opened.advisories == (quarantine("ev"),)


def test_words_of_an_old_bundle_are_passed_over() -> None:
    assert [item.id for item in advisories_in({"advisories": ["some words", ONE]}, Place())] == ["A1"]


@pytest.mark.parametrize(
    ("advisories", "says"),
    [
        ("none", "the advisories are no list"),
        ([["A1"]], "an advisory is no object of text"),
        ([{**ONE, "id": 1}], "an advisory is no object of text"),
        ([{**ONE, "script": "x"}], "an advisory has a key that is unknown; seen 'script'"),
        ([{**ONE, "id": "1"}], r"advisory 1, `id`\): `id` cannot be read"),
        ([{**ONE, "kind": "moved"}], "`kind` cannot be read"),
        ([{**ONE, "because": "x" * 1001}], "at most 1000 characters"),
        ([{**ONE, "version": "soon"}], "this is no version; seen 'soon'"),
        ([{key: ONE[key] for key in ONE if key != "because"}], "`because` is missing"),
        ([ONE, ONE], "the advisory stands twice; seen 'A1'"),
        ([""] * (MAX_ADVISORIES + 1), "there are too many advisories"),
    ],
)
def test_what_is_no_advisory_ends_in_one_sentence(advisories: Any, says: str, tmp_path: Path) -> None:
    path = manifest(tmp_path / "bundle.json", advisories)
    with pytest.raises(UnreadableInput, match=says):
        read_advisories(path, "small")


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"[" * 100_000, b"\xff\xfe", b'{"advisories": NaN}', b"PAR1"])
def test_a_file_that_holds_none_ends_in_one_sentence(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bundle.json"
    path.write_bytes(data)
    with pytest.raises(UnreadableInput, match="the file holds no advisories"):
        read_advisories(path, "small")


def test_a_table_that_is_wrong_is_told_with_its_line(tmp_path: Path) -> None:
    table = tmp_path / "advisories.csv"
    table.write_text(f"{CSV}A1,yanked,1.0,,,,x\n", encoding="utf-8")
    with pytest.raises(UnreadableInput, match=r"advisories\.csv:2 \(A1, `version`\): this is no version"):
        read_advisories(table, "small")


def test_advisories_of_another_benchmark_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match="those of another benchmark; seen 'small', expected large"):
        read_advisories(manifest(tmp_path / "bundle.json", [ONE]), "large")


def test_a_folder_without_a_bundle_and_a_missing_file_are_told(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match="the folder holds no advisories"):
        read_advisories(tmp_path, "small")
    with pytest.raises(UnreadableInput, match="the file is missing"):
        read_advisories(tmp_path / "none.csv", "small")

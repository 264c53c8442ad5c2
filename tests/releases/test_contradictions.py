"""Without any tag: a bundle whose hashes all fit, and which still contradicts itself, is told where."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cellwright.authoring.bundles.bundle import published_json
from cellwright.authoring.bundles.parquet import parquet_bytes
from cellwright.authoring.releases.verifying import verify_folder
from cellwright.clients.bundle_reader import read_table
from cellwright.records.bundle import Rows
from tests.releases.tampering import rehash

pytestmark = pytest.mark.filterwarnings("ignore")


def rewritten(folder: Path, name: str, change: Callable[[Rows], None]) -> None:
    path = folder / f"{name}.parquet"
    rows = read_table(name, path.read_bytes())
    change(rows)
    path.write_bytes(parquet_bytes(name, rows))


def swapped(folder: Path) -> None:
    rewritten(folder, "facts", lambda rows: rows.insert(0, rows.pop()))


def twice(folder: Path) -> None:
    rewritten(folder, "sources", lambda rows: rows.insert(0, dict(rows[0])))


def no_position(folder: Path) -> None:
    rewritten(folder, "entities", lambda rows: rows[0].update(position="first"))


def another_answer(folder: Path) -> None:
    rewritten(folder, "cells", lambda rows: rows[0].update(value="6.14"))


def another_pin(folder: Path) -> None:
    rewritten(folder, "sources", lambda rows: rows[0].update(sha256="0" * 64))


def another_word(folder: Path) -> None:
    page = folder / "README.md"
    page.write_text(page.read_text(encoding="utf-8").replace("URLs", "Addresses"), encoding="utf-8")


def other_bytes(folder: Path) -> None:
    rows = read_table("steps", (folder / "steps.parquet").read_bytes())
    fields = [pa.field(column, pa.string(), nullable=False) for column in rows[0]]
    pq.write_table(pa.Table.from_pylist(rows, pa.schema(fields)), folder / "steps.parquet")


def no_audit(folder: Path) -> None:
    (folder / "audit.json").write_bytes(b'{"tool": 1}\n')


@pytest.mark.parametrize(
    ("change", "check", "told"),
    [
        (swapped, "tables", "facts.parquet: its rows are not in their order"),
        (twice, "tables", "sources.parquet: two rows are the same task/source: us-large-caps-fy2023/aapl-10-k-fy2024"),
        (no_position, "tables", "entities.parquet: a position is no whole number from 1"),
        (another_answer, "digests", "cells.parquet: the digest of the cell us-large-caps-fy2023/aapl/diluted_eps is"),
        (another_answer, "made again", "cases.jsonl: the file is not what the tables and the audit give"),
        (another_pin, "made again", "evidence.html: the file is not what the tables and the audit give"),
        (another_word, "made again", "README.md: the file is not what the tables and the audit give"),
        (other_bytes, "made again", "steps.parquet: the file is not what the tables and the audit give"),
        (no_audit, "made again", "audit.json: the file is no audit"),
    ],
)
def test_what_contradicts_itself_is_told(change: Callable[[Path], None], check: str, told: str, bundle: Path) -> None:
    change(bundle)
    rehash(bundle)
    found = {item.name: item for item in verify_folder(bundle)}
    assert found["files"].state == "met"
    assert found[check].state == "failed"
    assert any(remark.sentence().startswith(told) for remark in found[check].remarks), found[check].remarks


@pytest.mark.parametrize(
    ("key", "value"),
    [("version", "1.0.1"), ("canary", "another one that is long enough"), ("name", "another"), ("demonstration", True)],
)
def test_what_bundle_json_says_of_itself_is_held_against_the_pages(key: str, value: object, bundle: Path) -> None:
    said = json.loads((bundle / "bundle.json").read_bytes())
    (bundle / "bundle.json").write_bytes(published_json({**said, key: value}))
    found = {item.name: item for item in verify_folder(bundle)}
    assert found["made again"].state == "failed"


def test_pages_of_another_version_of_the_program_are_not_judged(bundle: Path) -> None:
    """They follow from the tables by rules that this version does not know."""
    for name in ("bundle.json", "audit.json"):
        said = json.loads((bundle / name).read_bytes())
        (bundle / name).write_bytes(published_json({**said, "tool": "cellwright 9.9.9"}))
    another_word(bundle)
    rehash(bundle)
    found = {item.name: item for item in verify_folder(bundle)}
    assert found["made again"].state == "not checked"
    assert "install those to compare README.md" in found["made again"].remarks[0].what

"""Tables as Arrow has them: the digest and the rows are those of the plain way, and a comparison loses nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.clients.bundle_changes import sides
from cellwright.clients.bundle_reader import open_bundle, open_to_compare
from cellwright.clients.table_frames import Frame, read_frame
from cellwright.records.bundle import TABLE_COLUMNS, canonical_json, table_digest
from cellwright.records.errors import UnreadableInput
from cellwright.records.releases.diff import compare
from tests.harness.conftest import TASK, parquet
from tests.releases.small_releases import (
    CORRECTION,
    FULL,
    assumed,
    bundle,
    corrected,
    edited,
    quarantine,
    rule,
    side,
    tables,
    with_task,
    without,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ['"', "\\", "\n", "\x00", "\x1f\x7f", "日本", '\\"', "é\u2028"]
)
ROWS = st.lists(st.fixed_dictionaries(dict.fromkeys(("b", "a", "c"), TEXT)), max_size=12)


def frame(rows: list[dict[str, str]]) -> Frame:
    columns = {name: pa.array([row[name] for row in rows], pa.string()) for name in ("b", "a", "c")}
    return Frame(pa.table(columns))


@given(ROWS)
def test_lines_digest_and_rows_are_those_of_the_plain_way(rows: list[dict[str, str]]) -> None:
    made = frame(rows)
    assert made.lines == [canonical_json(row) + "\n" for row in rows]
    assert made.digest == table_digest(rows)
    assert made.rows == rows


@given(ROWS, ROWS)
def test_the_rows_that_another_table_lacks_are_found(one: list[dict[str, str]], other: list[dict[str, str]]) -> None:
    assert frame(one).at(frame(one).not_in(frame(other))) == [row for row in one if row not in other]


def test_lines_go_on_over_the_seams_of_the_parts_they_are_made_in() -> None:
    rows = [{"b": str(number), "a": f'"{number}', "c": "\\"} for number in range(9_001)]
    assert frame(rows).digest == table_digest(rows)


def test_text_that_is_no_utf_8_is_refused() -> None:
    rows = [{**dict.fromkeys(TABLE_COLUMNS["changes"], ""), "task": "\x01\x02"}]
    data = parquet("changes", rows).replace(b"\x01\x02", b"\xff\xfe")
    with pytest.raises(UnreadableInput, match=r"changes\.parquet: the file is not Parquet that can be read"):
        read_frame("changes", data)


def test_a_table_whose_digest_alone_is_wrong_is_opened_for_a_comparison_and_for_nothing_else(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bundle", tables())
    manifest = folder / "bundle.json"
    text = manifest.read_text(encoding="utf-8")
    digest = table_digest(tables()["facts"])
    assert digest in text
    manifest.write_text(text.replace(digest, "0" * 64), encoding="utf-8")
    assert open_to_compare(folder).tasks == (TASK,)
    with pytest.raises(UnreadableInput, match="the table `facts` is not the one that was released"):
        open_bundle(folder)


def test_a_changed_file_is_refused_for_a_comparison_too(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bundle", tables())
    (folder / "facts.parquet").write_bytes(b"other")
    with pytest.raises(UnreadableInput, match="the file is not the one that was released"):
        open_to_compare(folder)


OLD = ("ev-a", "ev-b", "ev-c")
NEW: dict[str, Any] = {
    "nothing": lambda old: old,
    "a correction": lambda old: corrected(old, "ev-a", correction=CORRECTION),
    "a rule": lambda old: rule(old, FULL, "ev-b"),
    "an assumption": lambda old: assumed(old, "12", "ev-b"),
    "a near miss": lambda old: edited(
        old, "near_misses", lambda row: row.update(value="1"), task="ev-a", entity="byd", near_miss="total_for_segment"
    ),
    "a near miss made for diagnosis": lambda old: edited(
        old, "near_misses", lambda row: row.update(origin="computed"), task="ev-a", entity="byd"
    ),
    "tasks that join and leave": lambda old: with_task(without(corrected(old, "ev-a"), "ev-c"), "ev-d"),
}


@pytest.mark.parametrize("change", sorted(NEW))
def test_what_is_read_of_two_bundles_gives_the_comparison_of_all_their_rows(change: str, tmp_path: Path) -> None:
    old = tables(*OLD)
    new = NEW[change](old)
    told = (quarantine("ev-c"),)
    pair = open_to_compare(bundle(tmp_path / "a", old)), open_to_compare(bundle(tmp_path / "b", new, "1.1.0", told))
    for one, other in (pair, pair[::-1]):
        whole = {pair[0].version: side(old), pair[1].version: side(new, "1.1.0", told)}
        quick, full = compare(*sides(one, other)), compare(whole[one.version], whole[other.version])
        assert (quick.tasks, quick.facts, quick.cells) == (full.tasks, full.facts, full.cells)
        assert (quick.old.tasks, quick.old.cells) == (full.old.tasks, full.old.cells)


def test_opening_a_bundle_brings_no_pandas(tmp_path: Path) -> None:
    """Arrow asks pandas about every value it is handed: half a second at each start."""
    folder = bundle(tmp_path / "bundle", tables())
    code = f"""
import sys
from pathlib import Path
from cellwright.clients.bundle_changes import sides
from cellwright.clients.bundle_reader import open_bundle, open_to_compare
pair = open_to_compare(Path({str(folder)!r})), open_bundle(Path({str(folder)!r}))
sides(*pair)
print("pandas" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_table_with_more_text_than_arrow_holds_ends_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_much(values: object) -> object:
        raise OverflowError("signed integer is greater than maximum")

    monkeypatch.setattr("cellwright.clients.table_frames._texts", too_much)
    with pytest.raises(UnreadableInput, match="a table of the bundle is too large"):
        _ = frame([{"a": "1", "b": "2", "c": "3"}]).digest

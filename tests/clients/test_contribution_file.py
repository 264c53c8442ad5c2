"""The container of a contribution: what was written is read back, and every lie about it is told."""

from __future__ import annotations

import os
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.clients.contribution_file import open_contribution
from cellwright.clients.zip_layout import write_container
from cellwright.records.errors import UnreadableInput
from tests.contributions.small import Entry, zip_of

NAMES = st.text("abcdefgh/_.", min_size=1, max_size=20).filter(lambda name: not name.endswith("/"))


def checks(path: Path) -> list[str]:
    with open_contribution(path) as container:
        return [item.check for item in container.faults]


@given(st.dictionaries(NAMES, st.binary(max_size=200), max_size=8))
def test_what_is_written_is_read_back(files: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c.zip"
        path.write_bytes(write_container(files))
        with open_contribution(path) as container:
            assert container.faults == ()
            assert container.names == tuple(sorted(files))
            assert {name: container.read(name) for name in container.sizes} == files


def test_other_programs_read_it_too(tmp_path: Path) -> None:
    path = tmp_path / "c.zip"
    path.write_bytes(write_container({"b": b"2", "a": b"1"}))
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert {info.filename: info.date_time for info in archive.infolist()} == {
            "a": (1980, 1, 1, 0, 0, 0),
            "b": (1980, 1, 1, 0, 0, 0),
        }


def test_the_same_files_in_another_order_are_the_same_bytes() -> None:
    assert write_container({"a": b"1", "b": b"2"}) == write_container({"b": b"2", "a": b"1"})


TWO = [Entry(b"a", b"one"), Entry(b"b", b"two")]
LIES = [
    (zip_of(TWO), []),
    (b"", ["K-CONTAINER"]),
    (b"PK\x05\x06", ["K-CONTAINER"]),
    (zip_of(TWO)[:-1], ["K-CONTAINER"]),
    (zip_of(TWO)[:60], ["K-CONTAINER"]),
    (b"\x1f\x8b" + b"x" * 40, ["K-CONTAINER"]),
    (zip_of(TWO, after=b"x"), ["K-HIDDEN-BYTES"]),
    (zip_of(TWO, before=b"x"), ["K-HIDDEN-BYTES"]),
    (zip_of(TWO, comment=b"x"), ["K-HIDDEN-BYTES"]),
    (zip_of([Entry(b"a", b"one"), Entry(b"b", b"two", offset=0)]), ["K-OVERLAP", "K-HEADER", "K-HIDDEN-BYTES"]),
    (zip_of([Entry(b"a", b"one", offset=90_000)]), ["K-HIDDEN-BYTES", "K-CONTAINER", "K-OVERLAP"]),
    (zip_of([Entry(b"a", b"one", local_name=b"b")]), ["K-HEADER"]),
    (zip_of([Entry(b"a", b"one", extra=b"\x01\x00\x00\x00")]), ["K-HEADER", "K-HEADER"]),
    (zip_of([Entry(b"a", b"one", flags=8)]), ["K-HEADER"]),
    (zip_of([Entry(b"a", b"one", flags=1)]), ["K-ENCRYPTED"]),
    (zip_of([Entry(b"a", b"one", method=8)]), ["K-COMPRESSED"]),
    (zip_of([Entry(b"a", b"one", size=4)]), ["K-HEADER"]),
    (zip_of([Entry(b"a/", b"")]), ["K-NOT-A-FILE"]),
    (zip_of([Entry(b"a", b"/etc", mode=0o120777)]), ["K-NOT-A-FILE"]),
]


@pytest.mark.parametrize(("data", "told"), LIES, ids=[str(number) for number in range(len(LIES))])
def test_a_lie_of_the_container_is_told(tmp_path: Path, data: bytes, told: list[str]) -> None:
    path = tmp_path / "c.zip"
    path.write_bytes(data)
    assert checks(path) == told


def test_a_byte_changed_in_a_file_is_told_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "c.zip"
    path.write_bytes(zip_of(TWO).replace(b"two", b"tow"))
    with open_contribution(path) as container:
        assert container.read("a") == b"one"
        with pytest.raises(UnreadableInput, match="damaged in the container"):
            container.read("b")


def test_a_file_is_read_only_up_to_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "c.zip"
    path.write_bytes(zip_of(TWO))
    with open_contribution(path) as container, pytest.raises(UnreadableInput, match="too large"):
        container.read("a", limit=2)


def test_a_link_in_a_folder_is_told_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    folder = tmp_path / "c"
    folder.mkdir()
    (folder / "a").symlink_to(tmp_path / "secret")
    (folder / "b").symlink_to(tmp_path)
    with open_contribution(folder) as container:
        assert dict(container.sizes) == {}
        assert [item.check for item in container.faults] == ["K-NOT-A-FILE"] * 2


def test_a_file_that_becomes_a_link_after_it_was_listed_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    folder = tmp_path / "c"
    folder.mkdir()
    (folder / "a").write_bytes(b"public")
    with open_contribution(folder) as container:
        (folder / "a").unlink()
        (folder / "a").symlink_to(tmp_path / "secret")
        with pytest.raises(UnreadableInput, match="cannot be opened"):
            container.read("a")


def test_a_pipe_in_the_place_of_the_file_does_not_hold_it_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "c.zip")
    with pytest.raises(UnreadableInput, match="not a regular file"), open_contribution(tmp_path / "c.zip"):
        pass

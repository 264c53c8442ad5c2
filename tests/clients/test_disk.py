"""The disk: reading tells every fault, writing is whole or not at all."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cellwright.clients import disk
from cellwright.clients.disk import is_temporary, read_bytes, remove_stale_temporaries, write_all_atomic, write_atomic
from cellwright.records.errors import DiskFailed, UnreadableInput

NOBODY = 65534


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users may enter, which pytest's own are not."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture
def as_nobody() -> Iterator[None]:
    """Runs the test without root's right to write anywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    yield
    os.seteuid(0)


def leftover(folder: Path, name: str = "a.csv") -> Path:
    path = folder / f".{name}.tmp-0123456789abcdef"
    path.write_bytes(b"half a li")
    return path


def test_a_file_reads_as_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\x00\r\n\xff")
    assert read_bytes(tmp_path / "a") == b"\x00\r\n\xff"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: None, "the file is missing"),
        (lambda path: path.mkdir(), "this is a folder; expected a file"),
        (lambda path: path.write_bytes(b"x" * 101), "too large; seen '101 bytes', expected at most 100"),
        (lambda path: os.mkfifo(path), "not a regular file"),
        (lambda path: path.symlink_to(path), "cannot be opened"),
    ],
)
def test_what_cannot_be_read_is_told_in_a_sentence(tmp_path: Path, make: object, says: str) -> None:
    path = tmp_path / "facts.csv"
    make(path)  # type: ignore[operator]
    with pytest.raises(UnreadableInput, match=says) as caught:
        read_bytes(path, limit=100, name="tasks/t/facts.csv")
    assert str(caught.value).startswith("tasks/t/facts.csv: ")


def test_a_path_through_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(UnreadableInput, match="a part of the path is a file"):
        read_bytes(tmp_path / "a" / "b")


def test_a_name_with_a_null_byte_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match="cannot be opened"):
        read_bytes(tmp_path / "a\0b")


def test_a_file_that_may_not_be_read_is_told(open_folder: Path, request: pytest.FixtureRequest) -> None:
    (open_folder / "a").write_bytes(b"x")
    (open_folder / "a").chmod(0)
    request.getfixturevalue("as_nobody")
    with pytest.raises(UnreadableInput, match="may not be read"):
        read_bytes(open_folder / "a")


def test_a_file_of_exactly_the_limit_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 100)
    assert len(read_bytes(tmp_path / "a", limit=100)) == 100


def test_writing_makes_missing_folders_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    path = tmp_path / "b" / "c" / "a.csv"
    write_atomic(path, b"new")
    assert path.read_bytes() == b"new"
    assert os.listdir(path.parent) == ["a.csv"]


def test_an_existing_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_atomic(path, b"new")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", 0o640)


def test_a_new_file_gets_the_mode_that_the_user_set(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_atomic(tmp_path / "a", b"new")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_a_symbolic_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_atomic(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_leftovers_of_a_killed_write_go_at_the_next_write(tmp_path: Path) -> None:
    stale = leftover(tmp_path, "other.csv")
    mine = tmp_path / ".a.csv.tmp-notes"
    mine.write_bytes(b"a person's file")
    write_atomic(tmp_path / "a.csv", b"new")
    assert not stale.exists()
    assert mine.exists()


def test_the_temporary_file_of_a_write_under_way_stays(tmp_path: Path) -> None:
    staged = disk._stage(tmp_path / "a", b"data")
    remove_stale_temporaries(tmp_path)
    assert staged.temporary.exists()
    staged.discard()
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", [".a.csv.tmp-0123456789abcdef", "..x.tmp-ffffffffffffffff"])
def test_temporary_names_are_told_from_data(name: str) -> None:
    assert is_temporary(name)
    assert not is_temporary(name[1:].lstrip("."))


def test_a_folder_in_the_files_place_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    with pytest.raises(DiskFailed, match="a folder stands where the file is to be written"):
        write_all_atomic({tmp_path / "a": b"new", tmp_path / "b": b"new"})
    assert os.listdir(tmp_path) == ["b"]


def test_a_folder_that_may_not_be_written_fails_and_the_old_file_stays(
    open_folder: Path, request: pytest.FixtureRequest
) -> None:
    path = open_folder / "a"
    path.write_bytes(b"old")
    path.chmod(0o666)
    open_folder.chmod(0o555)
    request.getfixturevalue("as_nobody")
    with pytest.raises(DiskFailed, match="cannot be written, and is as it was; seen 'Permission denied'"):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(open_folder) == ["a"]


def test_a_write_protected_file_is_not_replaced(open_folder: Path, request: pytest.FixtureRequest) -> None:
    path = open_folder / "a"
    path.write_bytes(b"old")
    path.chmod(0o444)
    open_folder.chmod(0o777)
    request.getfixturevalue("as_nobody")
    with pytest.raises(DiskFailed, match="write-protected"):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old"


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from cellwright.clients.disk import write_all_atomic
from cellwright.records.errors import DiskFailed
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
folder = Path(sys.argv[1])
try:
    write_all_atomic({folder / "a": b"new", folder / "b": b"n" * 6000})
except DiskFailed as error:
    print(error.exit_code, error)
"""


def test_a_disk_that_takes_no_more_bytes_leaves_every_file_as_it_was(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_bytes(b"old")
    done = subprocess.run([sys.executable, "-c", FULL_DISK, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("4 ")
    assert "cannot be written, and is as it was" in done.stdout
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"old", "b": b"old"}


def test_a_replacement_that_fails_takes_back_those_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"old")
    real = os.replace

    def replace(source: Path, target: Path) -> None:
        if target.name == "c":
            raise OSError(errno.EROFS, "Read-only file system")
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(DiskFailed, match="Read-only file system"):
        write_all_atomic({tmp_path / "a": b"new", tmp_path / "b": b"new", tmp_path / "c": b"new"})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"old"}


WRITER = """
import sys
from pathlib import Path
from cellwright.clients.disk import write_atomic
path = Path(sys.argv[1])
print("ready", flush=True)
number = 0
while True:
    number += 1
    write_atomic(path, (str(number) + "\\n").encode() * 200_000)
"""


def test_a_kill_at_any_moment_leaves_the_old_bytes_or_the_new_ones(tmp_path: Path) -> None:
    path = tmp_path / "facts.csv"
    path.write_bytes(b"0\n" * 200_000)
    moments = random.Random(20240630)
    for _ in range(12):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(moments.uniform(0, 0.05))
            writer.send_signal(signal.SIGKILL)
        data = path.read_bytes()
        lines = data.split(b"\n")
        assert len(set(lines[:-1])) == 1
        assert len(lines) == 200_001
    write_atomic(path, b"done")
    assert os.listdir(tmp_path) == ["facts.csv"]


def test_many_files_of_a_folder_are_each_written_whole_and_its_leftovers_go_once(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    disk.prepare_folder(folder)
    old = leftover(folder)
    disk.write_beside(folder / "a", b"1")
    assert old.exists(), "the folder is not searched at each file"
    disk.prepare_folder(folder)
    disk.write_beside(folder / "b", b"2")
    disk.sync_written(folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"a": b"1", "b": b"2"}


def test_a_file_that_cannot_be_put_in_place_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(DiskFailed, match="No space left on device"):
        disk.write_beside(tmp_path / "a", b"1")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux flushes a whole disk with one call")
def test_many_files_are_flushed_with_one_call_after_the_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", flushed.append)
    for name in "abc":
        disk.write_beside(tmp_path / name, b"1")
    assert flushed == []
    disk.sync_written(tmp_path)
    assert len(flushed) == 1, "the folder's names"


def test_where_no_call_flushes_the_disk_each_file_is_flushed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", flushed.append)
    monkeypatch.setattr(disk, "_flush_at_once", lambda: None)
    for name in "abc":
        disk.write_beside(tmp_path / name, b"1")
    assert len(flushed) == 3


def test_a_disk_that_reports_a_fault_when_it_is_flushed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(disk, "_flush_at_once", lambda: broken)
    with pytest.raises(DiskFailed, match="Input/output error"):
        disk.sync_written(tmp_path)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(DiskFailed):
        disk.prepare_folder(tmp_path / "a" / "b")

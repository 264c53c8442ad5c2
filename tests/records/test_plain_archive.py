"""The plain archive: the same files give the same bytes, and nothing but such an archive is read."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.errors import UnreadableInput
from cellwright.records.plain_archive import archive_of, files_of

PART = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,40}", fullmatch=True)
PATHS = st.lists(PART, min_size=1, max_size=3).map("/".join).filter(lambda path: len(path) <= 100)
FILES = st.dictionaries(PATHS, st.binary(max_size=2_000), max_size=8)
SMALL = {"bundle.json": b"{}", "prompts/a-task.md": b"# A task\n"}


def read(archive: bytes, most_files: int = 100, most_bytes: int = 10_000) -> dict[str, bytes]:
    return files_of(archive, most_files=most_files, most_bytes=most_bytes, name="a.tar")


@given(FILES)
def test_what_is_archived_is_read_again(files: dict[str, bytes]) -> None:
    assert read(archive_of(files)) == files


@given(FILES)
def test_the_order_in_which_files_come_changes_nothing(files: dict[str, bytes]) -> None:
    assert archive_of(dict(reversed(files.items()))) == archive_of(files)


def test_any_tar_program_reads_it() -> None:
    long = f"{'folder' * 20}/{'name' * 20}"
    files = {**SMALL, long: b"x" * 1_000}
    with tarfile.open(fileobj=io.BytesIO(archive_of(files))) as tar:
        members = tar.getmembers()
        assert {member.name: tar.extractfile(member).read() for member in members} == files  # type: ignore[union-attr]
    assert {(item.mode, item.uid, item.gid, item.mtime, item.uname, item.type) for item in members} == {
        (0o644, 0, 0, 0, "", tarfile.REGTYPE)
    }
    assert read(archive_of(files)) == files


def made(change: Callable[[tarfile.TarInfo], None], form: int = tarfile.USTAR_FORMAT) -> bytes:
    """An archive of one file by Python's own writer, its header changed."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as tar:
        info = tarfile.TarInfo("bundle.json")
        info.size = 2
        change(info)
        tar.addfile(info, io.BytesIO(b"{}"))
    return out.getvalue()


def setting(**values: Any) -> Callable[[tarfile.TarInfo], None]:
    return lambda info: [setattr(info, name, value) for name, value in values.items()] and None


GOOD = archive_of(SMALL)
TWICE = archive_of({"a": b"1"})[:-1024] + archive_of({"a": b"2"})
HOSTILE = {
    "empty": (b"", "the archive is cut short"),
    "cut in a header": (GOOD[:300], "the archive is cut short"),
    "cut in a file": (GOOD[:513], "the archive is cut short"),
    "cut before its end": (GOOD[:-1024], "the archive is cut short"),
    "cut in its end": (GOOD[:-512], "the archive does not end where its files do"),
    "going on after its end": (GOOD + b"\0", "the archive does not end where its files do"),
    "a second archive behind it": (GOOD + GOOD, "the archive does not end where its files do"),
    "out of order": (
        archive_of({"c": b""})[:-1024] + GOOD,
        "the archive's files are not in order, or one stands twice",
    ),
    "one file twice": (TWICE, "the archive's files are not in order, or one stands twice"),
    "a path that leads up": (made(setting(name="../../etc/passwd")), "no plain name, or leads out of it"),
    "a path from the top": (made(setting(name="/etc/passwd")), "no plain name, or leads out of it"),
    "a path of Windows": (made(setting(name="c:\\x")), "no plain name, or leads out of it"),
    "a hidden file": (made(setting(name=".netrc")), "no plain name, or leads out of it"),
    "a path up inside": (made(setting(name="prompts/../../x")), "no plain name, or leads out of it"),
    "a name with a line break": (made(setting(name="a\nb")), "no plain name, or leads out of it"),
    "a symbolic link": (made(setting(type=tarfile.SYMTYPE, linkname="/etc/passwd")), "holds a symbolic link"),
    "a hard link": (made(setting(type=tarfile.LNKTYPE, linkname="x")), "the archive holds a hard link"),
    "a folder": (made(setting(type=tarfile.DIRTYPE)), "the archive holds a folder"),
    "a device": (made(setting(type=tarfile.CHRTYPE)), "the archive holds a device"),
    "a pipe": (made(setting(type=tarfile.FIFOTYPE)), "the archive holds a pipe"),
    "a sparse file": (made(setting(type=tarfile.GNUTYPE_SPARSE)), "the archive holds a sparse file"),
    "an owner": (made(setting(uid=1000)), "not of the form that cellwright writes"),
    "a time": (made(setting(mtime=1)), "not of the form that cellwright writes"),
    "another mode": (made(setting(mode=0o755)), "not of the form that cellwright writes"),
    "an extended header": (
        made(setting(pax_headers={"path": "../up"}, name="bundle.json"), tarfile.PAX_FORMAT),
        "no plain name, or leads out of it|not of the form that cellwright writes",
    ),
    "a size that is none": (GOOD[:124] + b"-0000000001\0" + GOOD[136:], "not of the form that cellwright writes"),
    "a size beyond its end": (archive_of({"a": b"x" * 5_000})[:1024] + bytes(1024), "the archive is cut short"),
    "bytes between the files": (GOOD[:600] + b"x" + GOOD[601:], "the archive holds bytes between its files"),
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_what_is_no_such_archive_is_refused_in_a_sentence(name: str) -> None:
    archive, told = HOSTILE[name]
    with pytest.raises(UnreadableInput, match=told) as error:
        read(archive)
    assert len(error.value.problems) == 1


def test_a_name_that_a_reader_could_not_place_is_not_archived() -> None:
    for name in ("../x", "", "a//b", "x" * 101, f"{'x' * 160}/y"):
        with pytest.raises(UnreadableInput, match="name"):
            archive_of({name: b""})


def test_too_many_files_and_too_large_ones_are_refused_before_they_are_taken() -> None:
    with pytest.raises(UnreadableInput, match="the archive is too large; expected at most 1 files"):
        read(GOOD, most_files=1)
    with pytest.raises(UnreadableInput, match="the archive is too large"):
        read(archive_of({"a": b"x" * 1_001}), most_bytes=1_000)


@given(st.integers(0, len(GOOD) - 1), st.integers(1, 255))
def test_a_byte_changed_anywhere_is_another_archive_or_none(place: int, flip: int) -> None:
    damaged = bytearray(GOOD)
    damaged[place] ^= flip
    try:
        found = read(bytes(damaged))
    except UnreadableInput:
        return
    assert archive_of(found) == bytes(damaged)

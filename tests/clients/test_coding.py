"""Content codings are undone with a bound."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.clients.coding import MAX_MEMBERS, CodingError, TooLarge, gunzip, inflate, undo_codings


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=5))
def test_all_members_of_a_gzip_file_are_joined(parts: list[bytes]) -> None:
    packed = b"".join(gzip.compress(part, mtime=0) for part in parts)
    assert gunzip(packed, 10_000) == b"".join(parts)


@pytest.mark.parametrize("tail", [b"", b"\0" * 600, b"x"])
def test_bytes_after_the_last_member_are_passed_over(tail: bytes) -> None:
    assert gunzip(gzip.compress(b"text", mtime=0) + tail, 100) == b"text"


def test_a_large_file_comes_back_whole() -> None:
    data = bytes(range(256)) * 20_000
    assert gunzip(gzip.compress(data, mtime=0), len(data)) == data


@given(st.binary(max_size=500), st.booleans())
def test_deflate_is_read_with_its_frame_and_without(data: bytes, framed: bool) -> None:
    packer = zlib.compressobj(wbits=zlib.MAX_WBITS if framed else -zlib.MAX_WBITS)
    assert inflate(packer.compress(data) + packer.flush(), 1000) == data


def test_codings_on_top_of_each_other_are_undone_from_the_last() -> None:
    assert undo_codings(gzip.compress(zlib.compress(b"text"), mtime=0), "deflate, GZIP", 100) == b"text"


@pytest.mark.parametrize("level", [gzip.compress, zlib.compress])
def test_a_bomb_stops_at_the_bound(level: object) -> None:
    bomb = level(b"\0" * 50_000_000)  # type: ignore[operator]
    assert len(bomb) < 100_000
    with pytest.raises(TooLarge):
        undo_codings(bomb, "gzip" if level is gzip.compress else "deflate", 1_000_000)


def test_a_bomb_of_empty_members_is_refused() -> None:
    with pytest.raises(CodingError, match="members"):
        gunzip(gzip.compress(b"", mtime=0) * (MAX_MEMBERS + 1), 1000)


@pytest.mark.parametrize(
    ("data", "coding"),
    [
        (b"plain", "gzip"),
        (gzip.compress(b"text", mtime=0)[:-3], "gzip"),
        (gzip.compress(b"text" * 99, mtime=0)[:20], "gzip"),
        (b"\x1f\x8b", "gzip"),
        (zlib.compress(b"text")[:-1], "deflate"),
        (b"\xff\xff\xff", "deflate"),
        (b"x", "br"),
        (b"x", "gzip,gzip,gzip,gzip"),
        (gzip.compress(b"a", mtime=0)[:-5] + b"\0" * 5, "gzip"),
    ],
)
def test_bytes_that_do_not_fit_their_coding_are_told(data: bytes, coding: str) -> None:
    with pytest.raises(CodingError):
        undo_codings(data, coding, 1000)


def test_bytes_beyond_the_bound_are_refused_without_a_coding_too() -> None:
    with pytest.raises(TooLarge):
        undo_codings(b"x" * 11, "", 10)
    assert undo_codings(b"x" * 10, "identity", 10) == b"x" * 10

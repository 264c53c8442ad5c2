"""Gzip and deflate undone with a bound, so that a small file cannot fill the memory."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

CODINGS = ("gzip", "deflate")
"""The content codings that are asked for and undone."""

MAX_MEMBERS = 20_000
"""Members of one gzip file; each costs a decompressor."""
_WINDOW = 1 << 16
_STEP = 1 << 20


class CodingError(ValueError):
    """The bytes are not what their coding says, or end before they should."""


class CutShort(CodingError):
    """The bytes end before they should."""


class TooLarge(ValueError):
    """The bytes grow beyond the bound."""


def gunzip(data: bytes, limit: int) -> bytes:
    """All members of a gzip file joined. Raises CodingError where it is broken or cut, TooLarge beyond `limit`."""
    return b"".join(members(data, limit))


def members(data: bytes, limit: int) -> list[bytes]:
    """The members of a gzip file, each unpacked. Raises as `gunzip` does; `limit` is for all of them together.

    Zeros and other bytes after the last member are passed over, as gzip does.
    """
    found: list[bytes] = []
    parts: list[bytes] = []
    size = 0
    for piece in pieces(data):
        if piece is None:
            found.append(b"".join(parts))
            parts.clear()
            continue
        size += len(piece)
        if size > limit:
            raise TooLarge
        parts.append(piece)
    return found


def inflate(data: bytes, limit: int) -> bytes:
    """A deflate body, with its zlib frame or (as some servers send it) without. Raises as `gunzip` does."""
    framed = len(data) >= 2 and data[0] & 0x0F == 8 and (data[0] * 256 + data[1]) % 31 == 0
    return _join(_stream(data, zlib.MAX_WBITS if framed else -zlib.MAX_WBITS), limit)


def undo_codings(payload: bytes, content_encoding: str, limit: int) -> bytes:
    """The document in a payload whose Content-Encoding header is `content_encoding`.

    Raises CodingError for a coding that is not known or does not fit the bytes, TooLarge beyond `limit`.
    """
    names = [name.strip().lower() for name in content_encoding.split(",") if name.strip()]
    if len(names) > 3:
        raise CodingError(f"{len(names)} content codings stand on top of each other")
    for name in reversed(names):
        if name in ("gzip", "x-gzip"):
            payload = gunzip(payload, limit) if payload else b""
        elif name == "deflate":
            payload = inflate(payload, limit) if payload else b""
        elif name != "identity":
            raise CodingError(f"the content coding `{name[:40]}` is unknown")
    if len(payload) > limit:
        raise TooLarge
    return payload


def _join(pieces: Iterator[bytes], limit: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > limit:
            raise TooLarge
        parts.append(piece)
    return b"".join(parts)


def pieces(data: bytes) -> Iterator[bytes | None]:
    """The members' bytes piece by piece, None at the end of each member. Raises CodingError."""
    if data[:2] != b"\x1f\x8b":
        raise CodingError("the bytes are not gzip")
    decompressor = zlib.decompressobj(zlib.MAX_WBITS | 16)
    count, position, pending = 1, 0, b""
    while pending or position < len(data):
        if not pending:
            pending, position = data[position : position + _WINDOW], position + _WINDOW
        yield _step(decompressor, pending)
        pending = decompressor.unconsumed_tail
        if decompressor.eof:
            yield None
            pending = decompressor.unused_data
            if len(pending) < 2:
                pending, position = pending + data[position : position + _WINDOW], position + _WINDOW
            if pending[:2] != b"\x1f\x8b":
                return
            count += 1
            if count > MAX_MEMBERS:
                raise CodingError(f"the gzip file has more than {MAX_MEMBERS} members")
            decompressor = zlib.decompressobj(zlib.MAX_WBITS | 16)
    yield from _rest(decompressor)
    yield None


def _stream(data: bytes, bits: int) -> Iterator[bytes]:
    decompressor = zlib.decompressobj(bits)
    pending = data
    while pending and not decompressor.eof:
        yield _step(decompressor, pending)
        pending = decompressor.unconsumed_tail
    yield from _rest(decompressor)


def _rest(decompressor: zlib._Decompress) -> Iterator[bytes]:
    """What the decompressor still holds when all input is given; raises CodingError where the end is missing."""
    while not decompressor.eof:
        piece = _step(decompressor, b"")
        if not piece:
            raise CutShort("the compressed bytes are cut short")
        yield piece


def _step(decompressor: zlib._Decompress, data: bytes) -> bytes:
    try:
        return decompressor.decompress(data, _STEP)
    except zlib.error as error:
        raise CodingError(f"the compressed bytes are broken ({error})") from None

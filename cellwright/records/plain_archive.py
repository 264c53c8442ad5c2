"""Files as one plain archive: a tar of one form only, so that the same files give the same bytes everywhere.

The form is POSIX ustar (IEEE Std 1003.1-1988): regular files, names sorted, mode 0644, no owner, no time, two empty
blocks at the end. The headers are made here and not by a library, whose bytes differ between versions; the reader
takes nothing but what the writer writes, so that no link, device, extended header or hidden byte gets through.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from cellwright.records.errors import Place, UnreadableInput

PLAIN_PATH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")
"""A name in a bundle: no folder above, nothing hidden, no drive, no blank."""
MAX_NAME = 240

_BLOCK = 512
_END = bytes(2 * _BLOCK)
_NAME, _PREFIX = 100, 155
_LINKS = {b"1": "a hard link", b"2": "a symbolic link"}
_KINDS = {b"3": "a device", b"4": "a device", b"5": "a folder", b"6": "a pipe", b"S": "a sparse file"}


def archive_of(files: Mapping[str, bytes]) -> bytes:
    """The archive of `files`, by path with slashes. Raises UnreadableInput for a path that it cannot hold."""
    parts = []
    for name in sorted(files):
        data = files[name]
        parts += [_header(name, len(data)), data, bytes(-len(data) % _BLOCK)]
    return b"".join([*parts, _END])


def files_of(archive: bytes, *, most_files: int, most_bytes: int, name: str) -> dict[str, bytes]:
    """The files of an archive that `archive_of` made; `name` stands for it in messages.

    Raises UnreadableInput for anything else: more than `most_files` files or a file of more than `most_bytes`
    bytes, a path that leads out, a link, an archive that is cut short or goes on after its end.
    """
    files: dict[str, bytes] = {}
    place, start, last = Place(name), 0, ""
    while archive[start : start + _BLOCK] != _END[:_BLOCK]:
        header = archive[start : start + _BLOCK]
        if len(header) < _BLOCK:
            raise UnreadableInput("the archive is cut short", place, fix="fetch the bundle again")
        path, size = _path_and_size(header, place)
        if len(files) == most_files or size > most_bytes:
            raise UnreadableInput(
                "the archive is too large", place, expected=f"at most {most_files} files of {most_bytes} bytes"
            )
        if path <= last:
            raise UnreadableInput("the archive's files are not in order, or one stands twice", place, seen=path)
        end = start + _BLOCK + size
        if end > len(archive):
            raise UnreadableInput("the archive is cut short", place, fix="fetch the bundle again")
        files[path] = archive[start + _BLOCK : end]
        padding = -size % _BLOCK
        if archive[end : end + padding].strip(b"\0"):
            raise UnreadableInput("the archive holds bytes between its files", place, seen=path)
        start, last = end + padding, path
    if archive[start:] != _END:
        raise UnreadableInput("the archive does not end where its files do", place, fix="fetch the bundle again")
    return files


def _header(path: str, size: int) -> bytes:
    folder, name = _split(path)
    if size >= 8**11:
        raise UnreadableInput("the file is too large for an archive", Place(path), seen=f"{size} bytes")
    fields = (
        name.encode().ljust(_NAME, b"\0"),
        b"0000644\0",
        b"0000000\0" * 2,
        b"%011o\0" % size,
        b"%011o\0" % 0,
        b" " * 8,
        b"0",
        bytes(100),
        b"ustar\x0000",
        bytes(80),
        folder.encode().ljust(_PREFIX, b"\0"),
        bytes(12),
    )
    block = b"".join(fields)
    return block.replace(b" " * 8, b"%06o\0 " % sum(block), 1)


def _split(path: str) -> tuple[str, str]:
    """The path as ustar's prefix and name; a short one has no prefix."""
    if not PLAIN_PATH.fullmatch(path) or len(path) > MAX_NAME:
        raise UnreadableInput("a file of the archive has no plain name", seen=path)
    if len(path) <= _NAME:
        return "", path
    cut = path.find("/", len(path) - _NAME - 1)
    if not 0 < cut <= _PREFIX:
        raise UnreadableInput(
            "a file's name is too long for an archive", seen=path, expected=f"at most {_NAME} characters"
        )
    return path[:cut], path[cut + 1 :]


def _path_and_size(header: bytes, place: Place) -> tuple[str, int]:
    """What a header says, which must be to the byte what `_header` makes of it."""
    kind = header[156:157]
    if kind in _LINKS or kind in _KINDS:
        raise UnreadableInput(
            f"the archive holds {_LINKS.get(kind) or _KINDS[kind]}", place, expected="regular files only"
        )
    name, prefix = (field.rstrip(b"\0").decode("latin-1") for field in (header[:_NAME], header[345:500]))
    path = f"{prefix}/{name}" if prefix else name
    if not PLAIN_PATH.fullmatch(path) or len(path) > MAX_NAME:
        raise UnreadableInput("a file of the archive has no plain name, or leads out of it", place, seen=path)
    size = re.fullmatch(rb"([0-7]{11})\0", header[124:136])
    if not size or _header(path, int(size[1], 8)) != header:
        raise UnreadableInput(
            "the archive is not of the form that cellwright writes",
            place,
            seen=path,
            expected="plain files without owner, time or extended headers",
        )
    return path, int(size[1], 8)

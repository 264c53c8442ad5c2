"""A ZIP file's layout, read strictly: what each member is called, where it lies, and all that is odd about it.

Nothing is unpacked. A contribution's container holds stored members that follow each other without a gap, no
comments and no extra fields (`write_container`), so that what is counted before reading is all there is: no
compression that grows, no bytes that one program sees and another does not. Source of the form: PKWARE's
APPNOTE.TXT 6.3, sections 4.3 and 4.4.
"""

from __future__ import annotations

import io
import os
import stat
import struct
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cellwright.records.contribution import MAX_MEMBER, MAX_MEMBERS, MAX_TOTAL, CheckFinding, finding

_END = struct.Struct("<4s4H2LH")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_END_MARK, _CENTRAL_MARK, _LOCAL_MARK = b"PK\x05\x06", b"PK\x01\x02", b"PK\x03\x04"
MAX_DIRECTORY = 1_000_000
"""Bytes of the list at the end of the file."""
_ENCRYPTED = 0x0001 | 0x0040 | 0x2000
_UTF8 = 0x0800
_UNIX = 3
_EPOCH = (1980, 1, 1, 0, 0, 0)
_OTHERS = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"7z\xbc\xaf": "7-Zip",
    b"Rar!": "RAR",
    b"\x28\xb5\x2f\xfd": "Zstandard",
}


@dataclass(frozen=True, slots=True)
class Member:
    """A file in the container: where its bytes lie."""

    name: str
    offset: int
    size: int
    crc: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The members that can be read, every name as it is written (twice where it stands twice), and what is wrong."""

    members: tuple[Member, ...]
    names: tuple[str, ...]
    faults: tuple[CheckFinding, ...]


@dataclass(frozen=True, slots=True)
class _Entry:
    """A member as the list at the end tells it."""

    name: str
    raw: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    offset: int
    odd: int
    """Bytes of extra fields and comment."""
    mode: int


def write_container(files: Mapping[str, bytes]) -> bytes:
    """The ZIP file of these files, sorted by name, stored, without a date: the same files give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system = _UNIX
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(info, files[name])
    return out.getvalue()


def read_layout(descriptor: int) -> Layout:
    """The layout of the open file. Everything that is wrong is told; nothing is raised for what is in it."""
    size = os.fstat(descriptor).st_size
    if size > MAX_TOTAL:
        return _refused(finding("K-SIZE", observed=f"{size} bytes", expected=f"at most {MAX_TOTAL}"))
    head = read_at(descriptor, 0, 512)
    end = read_at(descriptor, max(0, size - _END.size), _END.size)
    if not head.startswith((_LOCAL_MARK, _END_MARK)) and not end.startswith(_END_MARK):
        return _refused(finding("K-CONTAINER", observed=_kind(head), expected="a file that `contribute pack` made"))
    faults: list[CheckFinding] = []
    if len(end) < _END.size or not end.startswith(_END_MARK):
        end, size = _end_before(descriptor, size, faults)
        if not end:
            return _refused(finding("K-CONTAINER", observed="the end is missing", expected="the whole file"))
    _, disk, first, here, count, length, start, comment = _END.unpack(end)
    if comment:
        faults.append(finding("K-HIDDEN-BYTES", observed=f"a comment of {comment} bytes", expected="none"))
    if disk or first or here != count or count == 0xFFFF or start == 0xFFFFFFFF:
        faults.append(finding("K-CONTAINER", observed="several volumes or the 64-bit form", expected="one plain file"))
        return Layout((), (), tuple(faults))
    if count > MAX_MEMBERS or length > MAX_DIRECTORY:
        faults.append(finding("K-SIZE", observed=f"{count} files", expected=f"at most {MAX_MEMBERS}"))
        return Layout((), (), tuple(faults))
    gap = size - _END.size - length - start
    if gap:
        told = f"{gap} bytes more than the list of files accounts for" if gap > 0 else "the list points beyond the end"
        faults.append(finding("K-HIDDEN-BYTES" if gap > 0 else "K-CONTAINER", observed=told, expected="none"))
    directory_at = max(0, size - _END.size - length)
    entries = list(_entries(read_at(descriptor, directory_at, length), count, faults))
    members = tuple(_members(descriptor, entries, start, faults))
    return Layout(members, tuple(entry.name for entry in entries), tuple(faults))


def _refused(fault: CheckFinding) -> Layout:
    return Layout((), (), (fault,))


def _kind(head: bytes) -> str:
    for mark, name in _OTHERS.items():
        if head.startswith(mark):
            return f"a file of the kind {name}"
    return "a tar file" if head[257:262] == b"ustar" else f"the bytes {head[:4].hex(' ')}" if head else "an empty file"


def _end_before(descriptor: int, size: int, faults: list[CheckFinding]) -> tuple[bytes, int]:
    """The end mark that stands before other bytes, and where the file should have ended."""
    reach = min(size, 0x10000 + _END.size)
    tail = read_at(descriptor, size - reach, reach)
    at = tail.rfind(_END_MARK)
    end = tail[at : at + _END.size] if at >= 0 else b""
    if len(end) < _END.size:
        return b"", size
    ends = size - reach + at + _END.size
    comment = _END.unpack(end)[-1]
    if size - ends != comment:
        faults.append(
            finding("K-HIDDEN-BYTES", observed=f"{size - ends} bytes after the end of the container", expected="none")
        )
    return end, ends


def _entries(directory: bytes, count: int, faults: list[CheckFinding]) -> Iterator[_Entry]:
    at = 0
    for _ in range(count):
        part = directory[at : at + _CENTRAL.size]
        if len(part) < _CENTRAL.size or not part.startswith(_CENTRAL_MARK):
            faults.append(finding("K-CONTAINER", observed="the list of files is broken", expected="the whole list"))
            return
        _, made, _, flags, method, _, _, crc, packed, size, n, e, c, disk, _, attributes, offset = _CENTRAL.unpack(part)
        at += _CENTRAL.size
        raw = directory[at : at + n]
        at += n + e + c
        mode = attributes >> 16 if made >> 8 == _UNIX else stat.S_IFREG
        yield _Entry(_decoded(raw, flags), raw, flags, method, crc, packed, size, offset, e + c + disk, mode)
    if at != len(directory):
        faults.append(finding("K-HIDDEN-BYTES", observed="bytes after the list of files", expected="none"))


def _decoded(raw: bytes, flags: int) -> str:
    """The name as text; what is no UTF-8 is kept apart by the mark that Python has for it."""
    return raw.decode("utf-8", "surrogateescape") if flags & _UTF8 or raw.isascii() else raw.decode("cp437")


def _members(descriptor: int, entries: list[_Entry], start: int, faults: list[CheckFinding]) -> Iterator[Member]:
    total = sum(entry.size for entry in entries)
    if total > MAX_TOTAL:
        faults.append(finding("K-SIZE", observed=f"{total} bytes when taken out", expected=f"at most {MAX_TOTAL}"))
    position = 0
    for entry in sorted(entries, key=lambda entry: (entry.offset, entry.raw)):
        own = list(_faults(entry))
        if entry.offset < position:
            own.append(finding("K-OVERLAP", entry.name, observed=f"it begins at byte {entry.offset}"))
        elif entry.offset > position:
            gap = entry.offset - position
            own.append(finding("K-HIDDEN-BYTES", entry.name, observed=f"{gap} bytes before the file", expected="none"))
        data_at, told = _local(descriptor, entry)
        own += told
        position = max(position, data_at + entry.packed)
        faults += own
        if not own:
            yield Member(entry.name, data_at, entry.size, entry.crc)
    if position > start:
        faults.append(finding("K-OVERLAP", observed="a file reaches into the list of files"))
    elif position < start:
        faults.append(
            finding("K-HIDDEN-BYTES", observed=f"{start - position} bytes after the last file", expected="none")
        )


def _faults(entry: _Entry) -> Iterator[CheckFinding]:
    name = entry.name
    if entry.flags & _ENCRYPTED:
        yield finding("K-ENCRYPTED", name, fix="pack it again: a contribution is open")
    if entry.method:
        ratio = entry.size // max(1, entry.packed)
        yield finding(
            "K-COMPRESSED",
            name,
            observed=f"{entry.packed} bytes that become {entry.size}, {ratio} times as many",
            expected="stored files",
            fix="pack it with `cellwright contribute pack`, which compresses captures alone, each with its bound",
        )
    elif entry.packed != entry.size and not entry.flags & _ENCRYPTED:
        yield finding("K-HEADER", name, observed=f"two sizes, {entry.packed} and {entry.size}")
    if entry.flags & ~(_ENCRYPTED | _UTF8) or entry.odd:
        yield finding("K-HEADER", name, observed="extra fields, a comment or a size that is told later")
    if entry.size > MAX_MEMBER:
        yield finding("K-SIZE", name, observed=f"{entry.size} bytes", expected=f"at most {MAX_MEMBER}")
    kind = kind_of(entry.mode)
    if kind or name.endswith("/"):
        yield finding("K-NOT-A-FILE", name, observed=kind or "a folder", expected="plain files")


def kind_of(mode: int) -> str:
    """What a mode stands for where it is no plain file's, else nothing."""
    kinds = {
        stat.S_IFLNK: "a symbolic link",
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a pipe",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
        stat.S_IFSOCK: "a socket",
    }
    return kinds.get(stat.S_IFMT(mode), "")


def _local(descriptor: int, entry: _Entry) -> tuple[int, list[CheckFinding]]:
    """Where the member's bytes begin, and how its own head differs from the list."""
    head = read_at(descriptor, entry.offset, _LOCAL.size + len(entry.raw))
    after = entry.offset + _LOCAL.size + len(entry.raw)
    if len(head) < _LOCAL.size or not head.startswith(_LOCAL_MARK):
        return after, [finding("K-CONTAINER", entry.name, observed="no file begins where the list says")]
    _, _, flags, method, _, _, crc, packed, size, n, e = _LOCAL.unpack(head[: _LOCAL.size])
    mine = (flags, method, crc, packed, size, head[_LOCAL.size :], n, e)
    listed = (entry.flags, entry.method, entry.crc, entry.packed, entry.size, entry.raw, len(entry.raw), 0)
    if mine == listed:
        return after, []
    seen = head[_LOCAL.size :].decode("utf-8", "replace")
    told = f"a head of its own ({size} bytes, {seen!r}) that is not the list's ({entry.size} bytes, {entry.name!r})"
    return entry.offset + _LOCAL.size + n + e, [finding("K-HEADER", entry.name, observed=told)]


def read_at(descriptor: int, offset: int, size: int) -> bytes:
    """`size` bytes of an open file from `offset` on, fewer where it ends before."""
    os.lseek(descriptor, offset, os.SEEK_SET)  # Not `pread`: Windows has none.
    parts: list[bytes] = []
    while size > 0 and (part := os.read(descriptor, min(size, 1 << 20))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)

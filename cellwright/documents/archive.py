"""Is a zip archive of XML parts safe to unpack and parse: sizes from its directory, no entities, known encodings."""

from __future__ import annotations

import io
import re
import zipfile
import zlib

from cellwright.records.errors import UnreadableInput

MAX_UNPACKED = 200_000_000
"""The most bytes that all parts together may unpack to; zipfile never reads a part beyond its stated size."""
MAX_PARTS = 5000

_BAD_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    RuntimeError,
    UnicodeError,
    OverflowError,
)


def open_archive(data: bytes, kind: str) -> zipfile.ZipFile:
    """The archive, its directory checked: not too many parts, none encrypted, not too large unpacked.

    Raises UnreadableInput, naming `kind` ("XLSX").
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _BAD_ZIP as error:
        raise UnreadableInput(
            f"the {kind} file is damaged or cut off: its directory cannot be read", fix="capture the source again"
        ) from error
    parts = archive.infolist()
    size = sum(part.file_size for part in parts)
    if len(parts) > MAX_PARTS or size > MAX_UNPACKED:
        raise UnreadableInput(
            f"the {kind} file is too large unpacked",
            seen=f"{len(parts)} parts, {size} bytes",
            expected=f"{MAX_PARTS} parts and {MAX_UNPACKED} bytes at most",
        )
    if any(part.flag_bits & 0x1 for part in parts):
        raise UnreadableInput(f"the {kind} file is encrypted", fix="save a copy without the password")
    return archive


def read_part(archive: zipfile.ZipFile, name: str, kind: str) -> bytes:
    """The bytes of one part. Raises UnreadableInput where it is damaged."""
    try:
        return archive.read(name)
    except (*_BAD_ZIP, KeyError) as error:
        raise UnreadableInput(
            f"the {kind} file is damaged: its part {name[:80]!r} cannot be unpacked", fix="capture the source again"
        ) from error


_DECLARED = re.compile(rb"""encoding\s{0,9}=\s{0,9}["']([A-Za-z0-9_.\-]{1,40})["']""")
_PLAIN = frozenset({b"utf-8", b"utf8", b"utf-16", b"us-ascii", b"ascii", b"iso-8859-1", b"windows-1252"})


def check_xml(part: bytes, name: str, kind: str) -> None:
    """Raises UnreadableInput for XML that declares a document type (and with it entities).

    The office formats have none (ECMA-376 part 2, section 8: no DTD declarations); a small file of
    nested entities unpacks to gigabytes. Encodings in which a declaration could hide are refused too.
    """
    head = part[:400]
    wide = b"\0" in head
    text = part.replace(b"\0", b"") if wide else part
    start = text[:400].removeprefix(b"\xef\xbb\xbf").removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff").lstrip()
    declared = _DECLARED.search(start.split(b"?>")[0]) if start.startswith(b"<?xml") else None
    plain = declared is None or declared[1].lower() in _PLAIN
    if not start.startswith(b"<") or not plain:
        raise UnreadableInput(
            f"the part {name[:80]!r} of the {kind} file is no plain XML",
            seen=start[:40].decode("latin-1"),
            expected="XML in UTF-8 or UTF-16",
        )
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
        raise UnreadableInput(
            f"the part {name[:80]!r} of the {kind} file declares a document type or entities",
            expected="none, as in every file of a spreadsheet program",
        )

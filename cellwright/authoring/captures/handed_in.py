"""What a person hands in for a source: a saved page, a document, or an archive that holds its answer."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path

from cellwright.authoring.captures.document_kind import media_type_for
from cellwright.clients.archive import MAX_ARCHIVE, from_archive
from cellwright.clients.coding import CodingError, TooLarge
from cellwright.clients.disk import read_bytes
from cellwright.clients.fetched import MAX_BODY, Fetched, Headers, utc_time
from cellwright.clients.mirror import unpacked_original
from cellwright.clients.same_pages import same_page
from cellwright.clients.saved_page import is_mhtml, read_mhtml, saved_from
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.rows import Source

_ARCHIVES = (b"WARC/", b"filedesc:")


@dataclass(frozen=True, slots=True)
class HandedIn:
    """The document as an answer of the source's address, and sentences about it."""

    fetched: Fetched
    notes: tuple[str, ...] = ()


def hand_in(source: Source, file: Path, *, at: str) -> HandedIn:
    """The source's document in a file: `via` warc from a WARC or ARC file, upload from any other; `at` is now.

    A file that ends in .gz is unpacked; of an MHTML file the page is taken. Raises UnreadableInput for what
    cannot be read, NotSettled where an archive has no document for the source's address.
    """
    data = read_bytes(file, limit=MAX_ARCHIVE)
    if _is_archive(data):
        taken = from_archive(data, source.url, near=source.accessed, file=str(file))
        return HandedIn(taken.fetched, taken.notes)
    if len(data) > MAX_BODY:
        raise UnreadableInput("the file is too large", Place(str(file)), expected=f"at most {MAX_BODY} bytes")
    try:
        body = unpacked_original(data, file.name, source.media_type)
    except (CodingError, TooLarge) as error:
        raise UnreadableInput(
            "the file cannot be unpacked", Place(str(file)), seen=str(error) or f"more than {MAX_BODY} bytes"
        ) from None
    if not body:
        raise UnreadableInput("the file is empty", Place(str(file)), expected="a document")
    if is_mhtml(body):
        page = read_mhtml(body, str(file))
        return _upload(source, page.body, page.headers, page.saved or at, page.address)
    media_type = source.media_type or media_type_for(file.name, body)
    headers: Headers = (("Content-Type", media_type),) if media_type else ()
    return _upload(source, body, headers, at, saved_from(body))


def _upload(source: Source, body: bytes, headers: Headers, at: str, address: str) -> HandedIn:
    if not body:
        raise UnreadableInput("the saved page is empty", Place(record=source.id), expected="a document")
    notes: tuple[str, ...] = ()
    if address.startswith(("http://", "https://")) and not same_page(address, source.url):
        notes = (f"the page was saved from {address}, and the source's address is {source.url}",)
    fetched = Fetched(source.url, source.url, "ok", None, headers, body, body, utc_time(at), via="upload")
    return HandedIn(fetched, notes)


def _is_archive(data: bytes) -> bool:
    """Whether the bytes begin as a WARC or ARC file, packed or not."""
    start = data[:64]
    if data[:2] == b"\x1f\x8b":
        try:
            start = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data[:4096], 64)
        except zlib.error:
            return False
    return start.startswith(_ARCHIVES)

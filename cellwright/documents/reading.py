"""One way in: bytes and a media type to a document, by the reader that fits what the bytes really are."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from cellwright.documents.charset import decode, decode_unchecked
from cellwright.documents.limits import check_bytes, check_characters
from cellwright.documents.model import Document, Kind
from cellwright.records.errors import UnreadableInput

_TYPES: dict[str, Kind] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "application/vnd.wap.xhtml+xml": "html",
    "application/pdf": "pdf",
    "application/x-pdf": "pdf",
    "application/acrobat": "pdf",
    "text/csv": "csv",
    "application/csv": "csv",
    "text/x-csv": "csv",
    "text/comma-separated-values": "csv",
    "text/tab-separated-values": "csv",
    "text/tsv": "csv",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.ms-excel.sheet.macroenabled.12": "xlsx",
    "application/json": "json",
    "text/json": "json",
    "application/ld+json": "json",
    "application/geo+json": "json",
}
_GENERIC = frozenset(
    {
        "",
        "application/octet-stream",
        "binary/octet-stream",
        "application/x-download",
        "text/plain",
        "application/force-download",
        "application/download",
        "application/unknown",
        "*/*",
        "application/zip",
        "application/vnd.ms-excel",
        "application/xml",
        "text/xml",
    }
)
_ENDINGS: dict[str, Kind] = {
    "html": "html",
    "htm": "html",
    "xhtml": "html",
    "pdf": "pdf",
    "csv": "csv",
    "tsv": "csv",
    "xlsx": "xlsx",
    "xlsm": "xlsx",
    "json": "json",
    "txt": "text",
}

_FOREIGN: tuple[tuple[bytes, str], ...] = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old binary Office file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "a zip archive"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"RIFF", "a video"),
    (b"wOF", "a font"),
    (b"{\\rtf", "an RTF document"),
)
_MEND: dict[str, str] = {
    "an old binary Office file": "save it as XLSX or PDF and capture that with --from",
    "a zip archive": "unpack it and capture the file that is cited with --from",
    "a gzip archive": "unpack it and capture the file that is cited with --from",
}


def read_document(
    data: bytes, media_type: str, *, locale: str = "", charset: str | None = None, name: str = ""
) -> Document:
    """The document that `data` is, read by the reader of its kind.

    `media_type` as the server sent it (its `charset` parameter counts where `charset` is None). The bytes
    decide where the type says nothing (`application/octet-stream`, `text/plain`) or is plainly wrong (a
    PDF served as `text/html`, with a warning); the ending of `name` (a file's name or URL) is a hint.
    `locale` changes nothing in the reading: numbers are read by the caller.
    Raises UnreadableInput for what none of the readers reads, and as each reader does.
    """
    plain, said = _parse_type(media_type)
    charset = charset or said
    check_bytes(data, "captured")
    kind, note = _kind(data, plain, name)
    document = _READERS[kind](data, charset)
    if note:
        document = replace(document, warnings=(note, *document.warnings))
    return document


def read_text(data: bytes, media_type: str) -> str:
    """The text of `read_document(data, media_type)`, without what else is made of a page: a third of the time."""
    plain, charset = _parse_type(media_type)
    check_bytes(data, "captured")
    kind, _ = _kind(data, plain, "")
    if kind != "html":
        return _READERS[kind](data, charset).text
    from cellwright.documents.html import read_html_text

    return read_html_text(data, charset=charset)


def _parse_type(media_type: str) -> tuple[str, str | None]:
    """The bare media type in lower case, and its charset parameter."""
    plain, _, parameters = media_type[:300].partition(";")
    match = re.search(r"charset\s{0,9}=\s{0,9}[\"']?([^\s;\"']{1,40})", parameters, re.IGNORECASE)
    return plain.strip().lower(), match[1] if match else None


def _kind(data: bytes, media_type: str, name: str) -> tuple[Kind, str]:
    """The kind of document, and a warning where it is not the one that was said."""
    magic = _by_magic(data)
    said = _TYPES.get(media_type) or ("json" if media_type.endswith("+json") else None)
    ending = _ENDINGS.get(name.partition("?")[0].partition("#")[0].rpartition(".")[2].lower())
    if magic is not None:
        if said not in (None, magic):
            return magic, f"served as {media_type[:60]}, and is {magic.upper()}"
        return magic, ""
    _refuse_foreign(data, media_type)
    if said in ("pdf", "xlsx"):  # they always have their magic bytes
        found = _by_text(data, ending)
        if found == "html":
            return "html", f"served as {media_type[:60]}, and is HTML (often a page that tells an error)"
        raise UnreadableInput(
            f"the document is no {said.upper()}, though it was served as one",
            seen=data[:16].decode("latin-1"),
            fix="capture the source again",
        )
    if said is not None:
        found = _by_text(data, None)
        wrong = (said in ("json", "csv") and found == "html") or (said == "html" and found == "json")
        return (found, f"served as {media_type[:60]}, and is {found.upper()}") if wrong else (said, "")
    if media_type in _GENERIC or media_type.startswith("text/"):
        return _by_text(data, ending), ""
    raise UnreadableInput(
        "no reader for this media type", seen=media_type, expected="HTML, PDF, CSV, XLSX, JSON or plain text"
    )


def _by_magic(data: bytes) -> Kind | None:
    """The kind that its first bytes prove."""
    if b"%PDF-" in data[:1024] and not data[:1024].lstrip(b"\xef\xbb\xbf \r\n\t").startswith((b"<", b"{", b"[")):
        return "pdf"
    if data.startswith(b"PK\x03\x04") and b"xl/" in data and b"[Content_Types].xml" in data:
        return "xlsx"
    return None


def _refuse_foreign(data: bytes, media_type: str) -> None:
    for start, what in _FOREIGN:
        if data.startswith(start):
            raise UnreadableInput(
                f"the document is {what}, which no reader reads",
                seen=media_type,
                expected="HTML, PDF, CSV, XLSX, JSON or plain text",
                fix=_MEND.get(what, ""),
            )


_CONTROLS = bytes({*range(0x09), *range(0x0E, 0x1B), *range(0x1C, 0x20)})


def _is_plain(head: bytes) -> bool:
    """Whether the bytes are ASCII without control characters, as most pages begin: there is nothing odd to count."""
    return head.isascii() and len(head.translate(None, _CONTROLS)) == len(head)


_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body|table|div|p|title|meta)\b", re.IGNORECASE)

_ODD = re.compile("[\ufffd\x00-\x08\x0e-\x1a\x1c-\x1f]")
"""Characters that no text has many of."""


def _by_text(data: bytes, ending: Kind | None) -> Kind:
    """The kind of a text by its beginning, then by its file's ending; `text` where neither says.

    Raises UnreadableInput for bytes that are no text in any encoding.
    """
    head = decode_unchecked(data[:4096]).text
    start = head.lstrip()
    if not _is_plain(data[:4096]) and len(_ODD.findall(head)) * 10 > len(head):
        raise UnreadableInput(
            "the document is binary data that no reader reads",
            seen=data[:16].hex(" "),
            expected="HTML, PDF, CSV, XLSX, JSON or plain text",
        )
    if start.startswith("<") and _HTML.search(start[:2048]):
        return "html"
    if start.startswith(("{", "[")) and ending in (None, "json") and _ends_like_json(data):
        return "json"
    return ending if ending in ("html", "csv", "json") else "text"


def _ends_like_json(data: bytes) -> bool:
    return data[-64:].replace(b"\0", b"").rstrip().endswith((b"}", b"]"))


def _read_text(data: bytes, charset: str | None) -> Document:
    decoded = decode(data, charset=charset)
    check_characters(len(decoded.text), "text")
    text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    return Document(
        kind="text",
        media_type="text/plain",
        text=text,
        encoding=decoded.encoding,
        encoding_by=decoded.how,
        warnings=decoded.warnings,
    )


def _read_html(data: bytes, charset: str | None) -> Document:
    from cellwright.documents.html import read_html

    return read_html(data, charset=charset)


def _read_pdf(data: bytes, charset: str | None) -> Document:
    from cellwright.documents.pdf import read_pdf

    return read_pdf(data)


def _read_csv(data: bytes, charset: str | None) -> Document:
    from cellwright.documents.csv_sheet import read_csv

    return read_csv(data, charset=charset)


def _read_xlsx(data: bytes, charset: str | None) -> Document:
    from cellwright.documents.xlsx import read_xlsx

    return read_xlsx(data)


def _read_json(data: bytes, charset: str | None) -> Document:
    from cellwright.documents.json_values import read_json

    return read_json(data, charset=charset)


_READERS: dict[Kind, Callable[[bytes, str | None], Document]] = {
    "html": _read_html,
    "pdf": _read_pdf,
    "csv": _read_csv,
    "xlsx": _read_xlsx,
    "json": _read_json,
    "text": _read_text,
}

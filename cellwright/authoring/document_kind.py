"""Whether what arrived is the kind of document that the source says it is.

A portal that answers a PDF's address with a page that asks to sign in must not become that PDF's capture.
"""

from __future__ import annotations

_KINDS = {
    "text/html": "HTML",
    "application/xhtml+xml": "HTML",
    "application/pdf": "PDF",
    "text/csv": "CSV",
    "application/json": "JSON",
    "text/plain": "text",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "XLSX",
}
_EXTENSIONS = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".pdf": "application/pdf",
    ".csv": "text/csv",
    ".json": "application/json",
    ".txt": "text/plain",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_NO_DOCUMENT = ("image/", "audio/", "video/", "font/")


def wrong_kind(declared: str, answered: str, body: bytes) -> str:
    """Why `body` is not the document that was declared, "" where nothing speaks against it.

    `declared` is the source's media type, `answered` the answer's; either may be empty. Only what the bytes
    show beyond doubt counts against a declaration: servers label CSV and JSON as they please.
    """
    if not declared and answered.startswith(_NO_DOCUMENT):
        return f"{answered} is no document"
    wanted = _KINDS.get(declared.partition(";")[0].strip().lower())
    shown = shown_kind(body)
    if wanted and shown and wanted != shown:
        return f"the source is declared as {wanted} and the bytes are {shown}"
    if wanted and not shown and answered.startswith(_NO_DOCUMENT):
        return f"the source is declared as {wanted} and the server sent {answered}"
    return ""


def shown_kind(body: bytes) -> str:
    """PDF, XLSX or HTML where the first bytes show it, else ""."""
    head = body[:4096]
    if b"%PDF-" in head[:1024]:
        return "PDF"
    if head.startswith(b"PK\x03\x04"):
        return "XLSX"
    opening = head.lower().lstrip(b"\xef\xbb\xbf \t\r\n")
    if opening.startswith((b"<!doctype html", b"<html")) or (opening.startswith(b"<?xml") and b"<html" in opening):
        return "HTML"
    return ""


def media_type_for(name: str, body: bytes) -> str:
    """The media type of an uploaded file by its name (`.gz` passed over), else by its first bytes, else ""."""
    plain = name.lower().removesuffix(".gz")
    for ending, media_type in _EXTENSIONS.items():
        if plain.endswith(ending):
            return media_type
    shown = shown_kind(body)
    return next((media_type for media_type, kind in _KINDS.items() if kind == shown), "")

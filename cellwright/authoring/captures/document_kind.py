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


def wrong_kind(declared: str, answered: str, body: bytes, url: str = "") -> str:
    """Why `body` is not the document that was declared, "" where nothing speaks against it.

    `declared` is the source's media type, `answered` the answer's; either may be empty. Where nothing is
    declared, an address that ends in .pdf, .xlsx, .csv or .json declares that. Only what the bytes show beyond
    doubt counts against a declaration: servers label CSV and JSON as they please.
    """
    if not declared and (named := _named_by(url)) and (shown := shown_kind(body)) and shown != _KINDS[named]:
        return f"the address names {_KINDS[named]} and the bytes are {shown}"
    if not declared and answered.startswith(_NO_DOCUMENT):
        return f"{answered} is no document"
    wanted = _KINDS.get(declared.partition(";")[0].strip().lower())
    shown = shown_kind(body)
    if wanted and shown and wanted != shown:
        return f"the source is declared as {wanted} and the bytes are {shown}"
    if wanted and not shown and answered.startswith(_NO_DOCUMENT):
        return f"the source is declared as {wanted} and the server sent {answered}"
    return ""


def _named_by(url: str) -> str:
    """The media type that the end of an address names, "" where a page may answer to it as well."""
    path = url.partition("#")[0].partition("?")[0].lower()
    found = next((kind for ending, kind in _EXTENSIONS.items() if path.endswith(ending)), "")
    return found if _KINDS.get(found) in ("PDF", "XLSX", "CSV", "JSON") else ""


def shown_kind(body: bytes) -> str:
    """PDF, XLSX or HTML where the first bytes show it, else ""."""
    head = body[:4096]
    if b"%PDF-" in head[:1024]:
        return "PDF"
    if head.startswith(b"PK\x03\x04"):
        return "XLSX"
    opening = head.lower().lstrip(b"\xef\xbb\xbf \t\r\n")
    if opening.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return "HTML"
    if opening.startswith((b"<?xml", b"<!--", b"<!doctype")) and b"<html" in opening:
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

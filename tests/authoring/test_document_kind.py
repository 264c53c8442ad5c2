"""What arrived must be the kind of document that was declared."""

from __future__ import annotations

import pytest

from cellwright.authoring.captures.document_kind import media_type_for, wrong_kind

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PAGE = b"\xef\xbb\xbf\n<!DOCTYPE html><html>"


@pytest.mark.parametrize(
    ("declared", "answered", "body"),
    [
        ("application/pdf", "text/html", PAGE),
        ("text/csv", "text/html", PAGE),
        ("application/json", "", PAGE),
        ("text/html", "application/pdf", b"%PDF-1.4"),
        (XLSX, "", b"%PDF-1.4"),
        ("application/pdf", "", b"PK\x03\x04"),
        ("", "image/png", b"\x89PNG"),
        ("application/pdf", "image/jpeg", b"\xff\xd8"),
    ],
)
def test_another_kind_of_document_is_told(declared: str, answered: str, body: bytes) -> None:
    assert wrong_kind(declared, answered, body)


@pytest.mark.parametrize(
    ("declared", "answered", "body"),
    [
        ("application/pdf", "application/octet-stream", b"\r\n%PDF-1.4"),
        ("text/html; charset=x", "", PAGE),
        ("application/xhtml+xml", "text/html", b"<?xml version='1.0'?>\n<!-- x --><html>"),
        ("text/csv", "text/plain", b"a,b"),
        ("application/json", "text/javascript", b"{}"),
        (XLSX, "application/zip", b"PK\x03\x04"),
        ("", "", b"?"),
        ("", "text/html", PAGE),
        ("application/xml", "application/xml", b"<?xml version='1.0'?><html>"),
    ],
)
def test_what_may_well_be_the_document_is_let_through(declared: str, answered: str, body: bytes) -> None:
    assert wrong_kind(declared, answered, body) == ""


@pytest.mark.parametrize(
    ("url", "body", "told"),
    [
        ("https://a.example/report.pdf", PAGE, True),
        ("https://a.example/Report.PDF?v=2#page=3", b"<head><title>Sign in</title>", True),
        ("https://a.example/table.csv", b"<!-- x --><html>", True),
        ("https://a.example/data.json", PAGE, True),
        ("https://a.example/book.xlsx", b"%PDF-1.4", True),
        ("https://a.example/report.pdf", b"%PDF-1.4", False),
        ("https://a.example/report.pdf", b"?", False),
        ("https://a.example/report.html", b"%PDF-1.4", False),
        ("https://a.example/show?file=report.pdf", PAGE, False),
        ("https://a.example/", PAGE, False),
    ],
)
def test_an_address_that_names_a_kind_of_document_declares_it(url: str, body: bytes, told: bool) -> None:
    assert bool(wrong_kind("", "text/html", body, url)) == told
    assert wrong_kind("text/html", "text/html", PAGE, url) == "", "what a person declares goes before the address"


@pytest.mark.parametrize(
    ("name", "body", "media_type"),
    [
        ("A.PDF", b"", "application/pdf"),
        ("a.htm.gz", b"", "text/html"),
        ("a.csv", b"", "text/csv"),
        ("a.json", b"", "application/json"),
        ("a.xlsx", b"", XLSX),
        ("a", PAGE, "text/html"),
        ("a", b"%PDF-1", "application/pdf"),
        ("a.bin", b"?", ""),
    ],
)
def test_a_files_media_type_is_told_by_its_name_and_then_by_its_bytes(name: str, body: bytes, media_type: str) -> None:
    assert media_type_for(name, body) == media_type

"""One way in: the media type, the bytes where they know better, and one sentence for everything else."""

from __future__ import annotations

import pytest

from cellwright.documents.reading import read_document, read_text
from cellwright.records.errors import UnreadableInput
from tests.documents.small_files import pdf_of, xlsx_of

PDF = pdf_of([[(72, 700, "Sales 5")]])
XLSX = xlsx_of({"S": {"A1": 5}})
HTML = b"<!DOCTYPE html><html><body><p>Sales 5</p></body></html>"
JSON = b'{"sales": 5}'
CSV = b"name,value\nsales,5\n"


@pytest.mark.parametrize(
    ("data", "media_type", "name", "kind"),
    [
        (PDF, "application/pdf", "", "pdf"),
        (XLSX, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "", "xlsx"),
        (HTML, "text/html; charset=utf-8", "", "html"),
        (HTML, "Application/XHTML+XML", "", "html"),
        (JSON, "application/json", "", "json"),
        (JSON, "application/vnd.api+json", "", "json"),
        (CSV, "text/csv; header=present", "", "csv"),
        (b"a\tb\n1\t5\n", "text/tab-separated-values", "", "csv"),
        (b"Sales 5", "text/plain", "", "text"),
        (PDF, "application/octet-stream", "", "pdf"),
        (XLSX, "application/zip", "", "xlsx"),
        (XLSX, "application/vnd.ms-excel", "", "xlsx"),
        (HTML, "", "", "html"),
        (JSON, "binary/octet-stream", "", "json"),
        (CSV, "text/plain", "https://example.org/data.csv?raw=1", "csv"),
        (JSON, "text/plain", "data.json", "json"),
        (b"{ not json }", "text/plain", "notes.txt", "text"),
        (CSV, "application/octet-stream", "", "text"),
        (b"<xbrl>5</xbrl>", "application/xml", "", "text"),
    ],
)
def test_a_document_is_read_by_the_reader_of_its_kind(data: bytes, media_type: str, name: str, kind: str) -> None:
    document = read_document(data, media_type, name=name)
    assert document.kind == kind
    assert document.warnings == ()
    assert "5" in document.text or "not json" in document.text


@pytest.mark.parametrize(
    ("data", "media_type", "kind"),
    [
        (PDF, "text/html", "pdf"),
        (XLSX, "text/html", "xlsx"),
        (HTML, "application/pdf", "html"),
        (HTML, "application/json", "html"),
        (HTML, "text/csv", "html"),
        (JSON, "text/html", "json"),
    ],
)
def test_a_type_that_is_plainly_wrong_is_told_and_the_bytes_count(data: bytes, media_type: str, kind: str) -> None:
    document = read_document(data, media_type)
    assert document.kind == kind
    assert document.warnings[0].startswith(f"served as {media_type}, and is {kind.upper()}")


def test_the_charset_of_the_media_type_is_the_header_s() -> None:
    data = "Müller 5".encode("cp1252")
    assert read_document(data, "text/plain; charset=iso-8859-1").text == "Müller 5"
    assert read_document(data, 'text/plain; charset="utf-8"', charset="cp1252").text == "Müller 5"


@pytest.mark.parametrize(
    ("data", "media_type", "said"),
    [
        (b"", "text/html", "empty"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "application/vnd.ms-excel", "save it as XLSX or PDF"),
        (b"\x1f\x8b\x08\0\0\0", "text/html", "a gzip archive"),
        (b"PK\x03\x04\x14\0", "application/octet-stream", "a zip archive"),
        (b"\x89PNG\r\n\x1a\n" + bytes(20), "text/html", "an image"),
        (b"{\\rtf1 x}", "text/plain", "an RTF document"),
        (bytes(range(32)) * 9, "", "binary data"),
        (b"plain words", "application/pdf", "no PDF"),
        (b"plain words", "application/x-shockwave-flash", "no reader for this media type"),
        (b"plain words", "image/png", "no reader"),
    ],
)
def test_what_no_reader_reads_is_one_sentence(data: bytes, media_type: str, said: str) -> None:
    with pytest.raises(UnreadableInput, match=said) as caught:
        read_document(data, media_type)
    assert "\n" not in str(caught.value)


def test_a_text_has_line_feeds_only() -> None:
    document = read_document(b"a\r\nb\rc", "text/plain")
    assert document.text == "a\nb\nc"
    assert document.encoding == "utf-8"


TABLE = "<table><tr><th colspan=2>Sales</th></tr><tr><td>2023</td><td>5 <sup>1</sup></td></tr></table>"
MARK, END = chr(0xE003), chr(0xE007)


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (f"<html><body><p>Sales</p>{TABLE}</body></html>".encode(), "text/html"),
        (f"<html><body>{MARK}a{END}b{TABLE}</body></html>".encode(), "text/html"),
        (f"<html><body>&#xE003;a&#XE007;b &#57347;c&#057351;d{TABLE}</body></html>".encode(), "text/html"),
        (b"<html><body><table><tr><td colspan='&#xE007;'>5</td></tr></table></body></html>", "text/html"),
        (b"<html><body><pre>a\n b\x00</pre>c\r\nd</body></html>", "text/html"),
        (b"\xef\xbb\xbf<html><body>5 \xe2\x82\xac</body></html>", "text/html; charset=iso-8859-1"),
        (b"<html><meta charset=utf-8><body>5 \xe2\x82 \xc3\xa2\xe2\x80\x9a\xc2\xac</body></html>", "text/html"),
        ("<html><body>売上高 5</body></html>".encode("cp932"), "text/html; charset=shift_jis"),
        (HTML, "application/octet-stream"),
        (JSON, "application/json"),
        (CSV, "text/csv"),
        (PDF, "text/html"),
        (XLSX, "application/zip"),
        (b"\x01 Sales of 5 in all of the year", "text/plain"),
        ("<html><body>5 €</body></html>".encode("utf-16"), "text/html"),
    ],
)
def test_the_text_alone_is_the_documents_text(data: bytes, media_type: str) -> None:
    assert read_text(data, media_type) == read_document(data, media_type).text


@pytest.mark.parametrize("data", [b"", b"\x01\x02\x03\x04\x05", b"\x89PNG\r\n"], ids=["empty", "binary", "image"])
def test_what_no_reader_reads_has_no_text_either(data: bytes) -> None:
    with pytest.raises(UnreadableInput) as whole:
        read_document(data, "text/plain")
    with pytest.raises(UnreadableInput) as text:
        read_text(data, "text/plain")
    assert str(text.value) == str(whole.value)

"""Captures as WARC: what is written is read back, by us and by warcio; hostile bytes end in a sentence."""

from __future__ import annotations

import contextlib
import gzip
import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.warcwriter import WARCWriter

from cellwright.clients.fetched import Fetched, Hop
from cellwright.clients.warc import read_capture, read_captures, sha256_hex, write_capture
from cellwright.records.errors import UnreadableInput

URL = "https://filings.example/a?b=1"
HTML = ("Content-Type", "Text/HTML; charset=UTF-8")
PACKED = gzip.compress(b"<p>1</p>", mtime=0)
SENT = (("Host", "filings.example"), ("User-Agent", "cellwright/0"))

PLAIN = Fetched(URL, URL, "ok", 200, (HTML,), b"<p>1</p>", b"<p>1</p>", "2024-06-30T12:00:00Z", via="mirror")
LIVE = replace(
    PLAIN,
    url="http://filings.example",
    final_url=URL,
    status="redirected",
    via="live",
    payload=PACKED,
    headers=(HTML, ("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked"), ("Set-Cookie", "id=secret")),
    hops=(
        Hop("http://filings.example/", 301, (("Location", "/b"),), SENT),
        Hop("http://filings.example/b", 302, (("Location", URL + "#top"),), SENT),
    ),
    request_headers=SENT,
)
UPLOAD = replace(PLAIN, http_status=None, via="upload", headers=(("Content-Type", "application/pdf"),))


def records(data: bytes) -> list[tuple[str, str, bytes]]:
    """Type, address and payload of each record, as warcio reads them with its digests checked."""
    return [
        (record.rec_type, record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read())
        for record in ArchiveIterator(io.BytesIO(data), check_digests="raise")
    ]


@pytest.mark.parametrize("fetched", [PLAIN, LIVE, UPLOAD], ids=["plain", "live", "upload"])
def test_what_is_written_is_read_back(fetched: Fetched) -> None:
    capture = read_capture(write_capture(fetched))
    assert (capture.url, capture.final_url, capture.status, capture.http_status, capture.fetched, capture.via) == (
        fetched.url,
        fetched.final_url,
        fetched.status,
        fetched.http_status,
        fetched.fetched_at,
        fetched.via,
    )
    assert (capture.body, capture.sha256) == (fetched.body, sha256_hex(fetched.body))


@pytest.mark.parametrize("fetched", [PLAIN, LIVE, UPLOAD], ids=["plain", "live", "upload"])
def test_the_same_answer_gives_the_same_bytes(fetched: Fetched) -> None:
    assert write_capture(fetched) == write_capture(replace(fetched))


def test_the_bytes_are_those_that_the_writer_of_warcio_makes() -> None:
    data = write_capture(LIVE)
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=True)
    for record in ArchiveIterator(io.BytesIO(data)):
        http_headers, headers = record.http_headers, dict(record.rec_headers.headers)
        payload = record.raw_stream.read()
        named = [name for name in headers if name.startswith(("WARC-", "Cellwright-"))]
        made = {name: headers[name] for name in named if name not in ("WARC-Type", "WARC-Target-URI")}
        made.pop("WARC-Block-Digest")
        if record.rec_type == "request":
            made.pop("WARC-Payload-Digest")
        writer.write_record(
            writer.create_warc_record(
                headers["WARC-Target-URI"],
                record.rec_type,
                payload=io.BytesIO(payload),
                length=len(payload),
                http_headers=http_headers,
                warc_headers_dict=made,
            )
        )
    assert out.getvalue() == data


def test_what_came_over_http_2_says_so_and_is_read_as_any_other() -> None:
    spoken = replace(LIVE, http_version="HTTP/2", hops=tuple(replace(hop, http_version="HTTP/2") for hop in LIVE.hops))
    data = write_capture(spoken)
    assert gzip.decompress(data).count(b"WARC-Protocol: h2\r\n") == 3
    assert read_capture(data) == read_capture(write_capture(LIVE))


def test_every_gzip_member_has_no_time() -> None:
    data = write_capture(LIVE)
    assert data[:8] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00"


def test_warcio_reads_a_plain_capture() -> None:
    assert records(write_capture(PLAIN)) == [("response", URL, b"<p>1</p>")]


def test_warcio_reads_each_redirect_and_each_request() -> None:
    found = records(write_capture(LIVE))
    assert [(kind, url) for kind, url, _ in found] == [
        ("response", "http://filings.example/"),
        ("request", "http://filings.example/"),
        ("response", "http://filings.example/b"),
        ("request", "http://filings.example/b"),
        ("response", URL),
        ("request", URL),
    ]
    assert found[4][2] == b"<p>1</p>"


def test_an_upload_is_a_resource() -> None:
    assert records(write_capture(UPLOAD)) == [("resource", URL, b"<p>1</p>")]
    assert read_capture(write_capture(UPLOAD)).media_type == "application/pdf"


def test_media_type_and_charset_come_from_the_headers() -> None:
    capture = read_capture(write_capture(PLAIN))
    assert (capture.media_type, capture.charset) == ("text/html", "utf-8")


def test_the_payload_stays_as_it_arrived() -> None:
    raw = b"".join(
        record.raw_stream.read()
        for record in ArchiveIterator(io.BytesIO(write_capture(LIVE)))
        if record.rec_type == "response"
    )
    assert raw == PACKED


def test_cookies_and_the_transfer_coding_are_not_kept() -> None:
    plain = gzip.decompress(write_capture(LIVE))
    assert b"secret" not in plain
    assert b"chunked" not in plain
    assert f"Content-Length: {len(PACKED)}\r\n".encode() in plain


def test_a_stated_length_that_is_wrong_is_not_kept() -> None:
    capture = read_capture(write_capture(replace(PLAIN, headers=(HTML, ("Content-Length", "3")))))
    assert capture.body == b"<p>1</p>"
    assert ("Content-Length", "8") in capture.headers


def test_a_redirect_to_its_own_address_reads_back_as_redirected() -> None:
    own = replace(PLAIN, status="redirected", hops=(Hop(URL, 302, (("Location", URL),)),))
    assert read_capture(write_capture(own)).status == "redirected"


def test_an_answer_without_a_document_is_not_captured() -> None:
    with pytest.raises(ValueError, match="no document"):
        write_capture(replace(PLAIN, status="gone", http_status=404))


header_text = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=40).map(str.strip)
header_name = st.from_regex(r"X-[A-Za-z0-9]{1,12}", fullmatch=True)


@settings(max_examples=60)
@given(
    body=st.binary(min_size=1, max_size=400),
    headers=st.lists(st.tuples(header_name, header_text), max_size=4),
    path=st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), max_size=20),
    day=st.dates().map(str),
    live=st.booleans(),
)
def test_any_answer_comes_back(body: bytes, headers: list[tuple[str, str]], path: str, day: str, live: bool) -> None:
    url = f"https://filings.example/{path}"
    fetched = Fetched(
        url,
        url,
        "ok",
        200,
        (HTML, *headers),
        body,
        body,
        f"{day}T00:00:00Z",
        via="live" if live else "mirror",
        request_headers=SENT if live else (),
    )
    capture = read_capture(write_capture(fetched))
    assert (capture.url, capture.body, capture.fetched, capture.via) == (url, body, fetched.fetched_at, fetched.via)
    assert set(headers) <= set(capture.headers)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "holds no record"),
        (b"no warc at all", "cannot be read"),
        (b"\x1f\x8b", "cut short"),
        (b"\x1f\x8b" + b"\0" * 50, "gzip cannot be undone"),
        (gzip.compress(b"x" * 70_000_000, mtime=0), "too large when unpacked"),
        (gzip.compress(b"WARC/1.0\r\n\r\n", mtime=0), "not one capture"),
        (
            gzip.compress(b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 5\r\n\r\nHTTP/", mtime=0),
            "cannot be read",
        ),
        (
            gzip.compress(
                b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\nWARC-Date: 2024-01-01\r\n"
                b"Content-Length: 99999999999\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx",
                mtime=0,
            ),
            "cut short",
        ),
        (
            gzip.compress(
                b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\nWARC-Date: never\r\n"
                b"Content-Length: 20\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx",
                mtime=0,
            ),
            "cannot be read",
        ),
        (
            b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a/\r\nContent-Length: "
            + b"9" * 40
            + b"\r\n\r\nx",
            "cannot be read",
        ),
        (
            b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\nWARC-Date: 2024-01-01\r\n"
            b"Content-Length: 44\r\n\r\nHTTP/1.1 301 Moved\r\nLocation: http://[::1\r\n\r\n\r\n\r\n",
            "Invalid IPv6 URL",
        ),
    ],
)
def test_bytes_that_are_no_capture_end_in_a_sentence(data: bytes, says: str) -> None:
    with pytest.raises(UnreadableInput, match=says) as caught:
        read_capture(data, file="sources/captures/t/x.warc.gz")
    assert str(caught.value).startswith("sources/captures/t/x.warc.gz: ")


def test_a_document_that_unpacks_beyond_the_bound_is_refused() -> None:
    bomb = gzip.compress(b"\0" * 1_000_000, mtime=0)
    data = write_capture(replace(PLAIN, headers=(HTML, ("Content-Encoding", "gzip")), payload=bomb))
    with pytest.raises(UnreadableInput, match="the document in the WARC is too large"):
        read_capture(data, limit=900_000)


def test_a_changed_byte_is_found_by_the_digest() -> None:
    plain = gzip.decompress(write_capture(PLAIN)).replace(b"<p>1</p>", b"<p>2</p>")
    with pytest.raises(UnreadableInput, match="digest failed"):
        read_capture(gzip.compress(plain, mtime=0))


@settings(max_examples=150)
@given(st.integers(0, 10_000), st.binary(max_size=6), st.integers(0, 40))
def test_broken_bytes_never_raise_anything_else(position: int, inserted: bytes, removed: int) -> None:
    plain = gzip.decompress(write_capture(LIVE))
    position %= len(plain)
    broken = plain[:position] + inserted + plain[position + removed :]
    for data in (broken, gzip.compress(broken, mtime=0)):
        with contextlib.suppress(UnreadableInput):
            assert all(sha256_hex(capture.body) == capture.sha256 for capture in read_captures(data))


@pytest.mark.parametrize("keep", range(0, 100, 7))
def test_a_capture_cut_anywhere_is_never_read_as_whole(keep: int) -> None:
    data = write_capture(PLAIN)
    with pytest.raises(UnreadableInput):
        read_capture(data[: len(data) * keep // 100])


def test_several_captures_in_one_file_are_told() -> None:
    data = write_capture(PLAIN) + write_capture(UPLOAD)
    assert len(read_captures(data)) == 2
    with pytest.raises(UnreadableInput, match="not one capture; seen '2 documents'"):
        read_capture(data)


@pytest.mark.parametrize("name", ["example.warc.gz", "example-iana.org-chunked.warc", "example.arc.gz"])
def test_an_archive_of_others_is_read(shared_data: Path, name: str) -> None:
    found = read_captures((shared_data / "warc" / name).read_bytes(), file=name)
    assert found
    for capture in found:
        assert capture.url.startswith("http")
        assert b"<html" in capture.body.lower()
        assert capture.via == "warc"


def test_a_large_archive_gives_its_documents_with_redirects_joined(shared_data: Path) -> None:
    found = read_captures((shared_data / "warc" / "iana.warc.gz").read_bytes())
    assert len(found) > 30
    first = next(capture for capture in found if capture.url == "http://www.iana.org/")
    assert first.media_type == "text/html"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("example-bad.warc.gz.bad", "several records stand in one gzip member"),
        ("example-digest.warc", "payload digest failed"),
    ],
)
def test_an_archive_broken_on_purpose_ends_in_a_sentence(shared_data: Path, name: str, says: str) -> None:
    with pytest.raises(UnreadableInput, match=says):
        read_captures((shared_data / "warc" / name).read_bytes())


def test_a_broken_archive_leaves_standard_error_clean(capsys: pytest.CaptureFixture[str]) -> None:
    plain = gzip.decompress(write_capture(PLAIN)).replace(b"\r\n\r\n", b"\r\n\r\njunk")
    with pytest.raises(UnreadableInput):
        read_capture(plain)
    assert capsys.readouterr().err == ""

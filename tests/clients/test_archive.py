"""One answer out of an archive that others wrote: the right record, its digests verified, nothing guessed."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, strategies
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from cellwright.clients.archive import from_archive
from cellwright.clients.same_pages import same_page
from cellwright.clients.warc import read_capture, write_capture
from cellwright.records.errors import CellwrightError, NotSettled, UnreadableInput

URL = "https://aurel.example/report"
HTML = ("Content-Type", "text/html; charset=utf-8")
OLD, NEW = b"<p>one</p>", b"<p>two</p>"


class Writer:
    """A WARC in the making."""

    def __init__(self, *, packed: bool = True) -> None:
        self.out = io.BytesIO()
        self.writer = WARCWriter(self.out, gzip=packed)

    def add(
        self,
        url: str,
        moment: str,
        body: bytes = b"",
        status: str = "200 OK",
        headers: tuple[tuple[str, str], ...] = (HTML,),
        kind: str = "response",
        **more: str,
    ) -> Writer:
        about = {"WARC-Date": moment, **{name.replace("_", "-"): value for name, value in more.items()}}
        record = self.writer.create_warc_record(
            url,
            kind,
            payload=io.BytesIO(body),
            length=len(body),
            http_headers=StatusAndHeaders(status, list(headers), protocol="HTTP/1.1"),
            warc_headers_dict=about,
        )
        self.writer.write_record(record)
        return self

    @property
    def data(self) -> bytes:
        return self.out.getvalue()


def two() -> Writer:
    return Writer().add(URL, "2024-01-10T00:00:00Z", OLD).add(URL, "2024-06-10T00:00:00Z", NEW)


@pytest.mark.parametrize(
    ("near", "body"),
    [(date(2024, 1, 1), OLD), (date(2024, 3, 1), OLD), (date(2024, 5, 1), NEW), (date(2025, 1, 1), NEW), (None, NEW)],
)
def test_of_several_answers_the_one_nearest_to_the_day_is_taken_and_told(near: date | None, body: bytes) -> None:
    taken = from_archive(two().data, URL, near=near)
    assert taken.fetched.body == body
    assert taken.notes[0].startswith("the archive has 2 answers, 2024-01-10T00:00:00Z to 2024-06-10T00:00:00Z; taken")


def test_the_time_the_headers_and_the_way_are_those_of_the_archive() -> None:
    fetched = from_archive(two().data, URL, near=date(2024, 1, 1)).fetched
    assert (fetched.via, fetched.fetched_at, fetched.http_status) == ("warc", "2024-01-10T00:00:00Z", 200)
    assert fetched.media_type == "text/html"
    kept = read_capture(write_capture(fetched))
    assert (kept.body, kept.via, kept.fetched, kept.url) == (OLD, "warc", "2024-01-10T00:00:00Z", URL)


def test_redirects_are_followed_inside_the_archive_to_the_nearest_answer() -> None:
    way = (("Location", "/new"),)
    data = (
        Writer()
        .add("https://aurel.example/new", "2020-01-01T00:00:00Z", OLD)
        .add(URL, "2024-06-10T00:00:00Z", status="301 Moved Permanently", headers=way)
        .add("https://aurel.example/new", "2024-06-10T00:00:01Z", NEW)
        .data
    )
    fetched = from_archive(data, URL).fetched
    assert (fetched.body, fetched.status, fetched.final_url) == (NEW, "redirected", "https://aurel.example/new")
    assert [hop.url for hop in fetched.hops] == [URL]


def test_a_redirect_that_leads_out_of_the_archive_or_in_a_circle_brings_no_document() -> None:
    for target in ("/gone", "/report", "/other"):
        writer = Writer().add(URL, "2024-06-10T00:00:00Z", status="302 Found", headers=(("Location", target),))
        writer.add("https://aurel.example/other", "2024-06-10T00:00:00Z", b"", "302 Found", (("Location", URL),))
        with pytest.raises(NotSettled, match="no document for the address"):
            from_archive(writer.data, URL)


DIGEST = "sha1:" + "A" * 32


@pytest.mark.parametrize(
    "refers",
    [
        {"WARC_Refers_To": "<urn:uuid:00000000-0000-4000-8000-000000000001>"},
        {"WARC_Refers_To_Target_URI": URL, "WARC_Refers_To_Date": "2024-01-10T00:00:00Z"},
        {},
    ],
)
def test_a_revisit_gets_its_document_from_the_record_it_refers_to(refers: dict[str, str]) -> None:
    import base64
    import hashlib

    digest = "sha1:" + base64.b32encode(hashlib.sha1(OLD).digest()).decode()
    about = {"WARC_Record_ID": "<urn:uuid:00000000-0000-4000-8000-000000000001>", "WARC_Payload_Digest": digest}
    writer = Writer().add(URL, "2024-01-10T00:00:00Z", OLD, **about)
    writer.add(URL, "2024-06-10T00:00:00Z", kind="revisit", WARC_Payload_Digest=digest, **refers)
    taken = from_archive(writer.data, URL, near=date(2024, 7, 1))
    assert (taken.fetched.body, taken.fetched.fetched_at) == (OLD, "2024-06-10T00:00:00Z")
    assert "the payload is that of the earlier record of 2024-01-10T00:00:00Z" in taken.notes[-1]


def test_a_revisit_whose_record_is_not_there_or_has_another_digest_brings_no_document() -> None:
    lone = Writer().add(URL, "2024-06-10T00:00:00Z", kind="revisit", WARC_Payload_Digest=DIGEST)
    with pytest.raises(NotSettled, match="a record that refers to another one, which is not in the file"):
        from_archive(lone.data, URL)
    other = Writer().add("https://aurel.example/x", "2024-01-10T00:00:00Z", OLD, WARC_Record_ID="<urn:uuid:1>")
    other.add(URL, "2024-06-10T00:00:00Z", kind="revisit", WARC_Refers_To="<urn:uuid:1>", WARC_Payload_Digest=DIGEST)
    with pytest.raises(NotSettled, match="refers to another one"):
        from_archive(other.data, URL)


def test_chunks_and_packing_are_undone() -> None:
    packed = gzip.compress(OLD, mtime=0)
    chunks = b"%x;ext=1\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n" % (5, packed[:5], len(packed) - 5, packed[5:])
    headers = (HTML, ("Transfer-Encoding", "chunked"), ("Content-Encoding", "gzip"))
    fetched = from_archive(Writer().add(URL, "2024-01-10T00:00:00Z", chunks, headers=headers).data, URL).fetched
    assert (fetched.body, fetched.payload) == (OLD, packed)
    assert read_capture(write_capture(fetched)).body == OLD


@pytest.mark.parametrize("packed", [True, False])
def test_a_digest_that_does_not_fit_is_refused(packed: bool) -> None:
    for name in ("WARC_Payload_Digest", "WARC_Block_Digest"):
        writer = Writer(packed=packed).add(URL, "2024-01-10T00:00:00Z", OLD, **{name: DIGEST})
        with pytest.raises(UnreadableInput, match="digest failed"):
            from_archive(writer.data, URL)


@pytest.mark.parametrize(
    ("status", "says"),
    [("404 Not Found", "the answer 404"), ("500 Error", "the answer 500"), ("206 Partial Content", "the answer 206")],
)
def test_an_error_that_was_archived_is_no_document(status: str, says: str) -> None:
    writer = Writer().add(URL, "2024-01-10T00:00:00Z", b"nothing", status)
    with pytest.raises(NotSettled, match=says):
        from_archive(writer.data, URL)


def test_an_error_beside_a_document_is_passed_over() -> None:
    writer = two().add(URL, "2024-03-01T00:00:00Z", b"nothing", "404 Not Found")
    assert from_archive(writer.data, URL, near=date(2024, 3, 1)).fetched.body == OLD


def test_an_archive_of_other_pages_names_one() -> None:
    with pytest.raises(NotSettled, match=r"seen '1 other addresses, such as https://aurel\.example/report'"):
        from_archive(two().data, "https://borea.example/")


SAME = [
    ("http://aurel.example/a", "https://www.aurel.example:443/a/"),
    ("https://aurel.example/a%7Eb#x", "https://AUREL.example/a~b"),
    ("https://aurel.example/a?b=1", "http://aurel.example:80/a?b=1"),
]
OTHER = [
    ("https://aurel.example/a", "https://aurel.example/A"),
    ("https://aurel.example/a?b=1", "https://aurel.example/a?b=2"),
    ("https://aurel.example/a", "https://aurel.example:8080/a"),
    ("https://aurel.example/", "https://borea.example/"),
    ("https://[", "https://aurel.example/"),
]


def test_addresses_of_one_page_are_known_as_such() -> None:
    assert [pair for pair in SAME if not same_page(*pair)] == []
    assert [pair for pair in OTHER if same_page(*pair)] == []


def test_an_address_that_is_written_otherwise_is_found_and_told() -> None:
    taken = from_archive(two().data, "http://www.aurel.example/report/", near=date(2024, 1, 1))
    assert taken.fetched.url == "http://www.aurel.example/report/"
    assert taken.notes[-1] == f"the archive has the address as {URL}"


@given(strategies.integers(0, 2_000), strategies.binary(max_size=6), strategies.integers(0, 40))
def test_broken_bytes_never_raise_anything_else(position: int, inserted: bytes, removed: int) -> None:
    plain = Writer(packed=False).add(URL, "2024-01-10T00:00:00Z", OLD).add(URL, "2024-02-10T00:00:00Z", NEW).data
    at = position % len(plain)
    with contextlib.suppress(CellwrightError):
        assert from_archive(plain[:at] + inserted + plain[at + removed :], URL).fetched.body


@pytest.mark.parametrize(
    ("name", "url", "length"),
    [
        ("example.warc.gz", "http://example.com/", 1270),
        ("example-iana.org-chunked.warc", "http://www.iana.org/", 7223),
        ("example.arc.gz", "http://example.com/", 1270),
    ],
)
def test_archives_of_others_give_their_page(shared_data: Path, name: str, url: str, length: int) -> None:
    fetched = from_archive((shared_data / "warc" / name).read_bytes(), url).fetched
    assert (fetched.http_status, len(fetched.body)) == (200, length)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("example-bad.warc.gz.bad", "several records stand in one gzip member"),
        ("example-digest.warc", "payload digest failed"),
    ],
)
def test_archives_that_are_broken_on_purpose_end_in_a_sentence(shared_data: Path, name: str, says: str) -> None:
    with pytest.raises(UnreadableInput, match=says):
        from_archive((shared_data / "warc" / name).read_bytes(), "http://example.com/", file=name)


def test_every_page_that_the_index_of_a_large_archive_names_is_found(shared_data: Path) -> None:
    data = (shared_data / "warc" / "iana.warc.gz").read_bytes()
    lines = gzip.decompress((shared_data / "warc" / "iana.cdxj.gz").read_bytes()).decode().splitlines()
    listed = [json.loads(line.split(" ", 2)[2]) for line in lines if "{" in line]
    pages = sorted({line["url"] for line in listed if line.get("status") == "200" and line.get("mime") == "text/html"})
    assert len(pages) > 5
    for url in pages[:12]:
        assert b"<html" in from_archive(data, url).fetched.body.lower()

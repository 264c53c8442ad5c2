"""A page that a browser saved as one file gives the page's own bytes, however odd the file."""

from __future__ import annotations

import base64
import contextlib
import quopri

import pytest
from hypothesis import given, strategies

from cellwright.clients.saved_page import is_mhtml, read_mhtml, saved_from
from cellwright.records.errors import UnreadableInput

HTML = "<html><head><meta charset='utf-8'></head><body><p>Umsatz = 1.234 €</p></body></html>"
HEAD = """\
From: <Saved by Blink>
Snapshot-Content-Location: https://aurel.example/report
Subject: =?utf-8?Q?Report?=
Date: Fri, 1 Mar 2024 10:00:00 +0100
MIME-Version: 1.0
Content-Type: multipart/related;
\ttype="text/html";
\tboundary="----MultipartBoundary--x----"


"""
STYLE = "------MultipartBoundary--x----\nContent-Type: text/css\nContent-Location: cid:css@x\n\np{}\n"


def saved(coding: str = "quoted-printable", *, head: str = HEAD, first: str = "", charset: str = "utf-8") -> bytes:
    body = {
        "quoted-printable": lambda data: quopri.encodestring(data),
        "base64": lambda data: base64.encodebytes(data),
        "8bit": lambda data: data,
    }[coding](HTML.encode(charset))
    part = (
        "------MultipartBoundary--x----\nContent-Type: text/html; charset=" + charset + "\n"
        f"Content-ID: <frame-1@x>\nContent-Transfer-Encoding: {coding}\n"
        "Content-Location: https://aurel.example/report\n\n"
    )
    end = b"\n" + STYLE.encode() + b"------MultipartBoundary--x------\n"
    return (head + first + part).replace("\n", "\r\n").encode() + body + end


@pytest.mark.parametrize("coding", ["quoted-printable", "base64", "8bit"])
def test_the_page_is_taken_out_byte_for_byte(coding: str) -> None:
    page = read_mhtml(saved(coding))
    assert page.body.decode().strip() == HTML
    assert page.headers == (("Content-Type", "text/html; charset=utf-8"),)
    assert (page.address, page.saved) == ("https://aurel.example/report", "2024-03-01T09:00:00Z")


def test_the_charset_of_the_part_is_kept() -> None:
    page = read_mhtml(saved("base64", charset="cp1252"))
    assert page.headers == (("Content-Type", "text/html; charset=cp1252"),)
    assert "1.234 €" in page.body.decode("cp1252")


def test_the_part_that_the_head_names_is_the_page() -> None:
    frame = "------MultipartBoundary--x----\nContent-Type: text/html\nContent-ID: <frame-0@x>\n\n<p>an advert</p>\n"
    head = HEAD.replace('type="text/html";', 'type="text/html";\n\tstart="<frame-1@x>";')
    assert "Umsatz" in read_mhtml(saved(head=head, first=frame)).body.decode()
    assert "advert" in read_mhtml(saved(first=frame)).body.decode()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (HEAD.encode() + STYLE.encode(), "holds no HTML; seen '1 parts'"),
        (HEAD.replace("boundary", "bound").encode() + STYLE.encode(), "names no boundary"),
        (saved("8bit").replace(b"Encoding: 8bit", b"Encoding: uuencode"), "a coding that is unknown; seen 'uuencode'"),
        (saved("8bit").replace(b"Encoding: 8bit", b"Encoding: base64"), "coding is broken"),
        (HEAD.encode() + b"------MultipartBoundary--x----\n" * 10_001, "too many parts"),
    ],
)
def test_a_file_without_its_page_ends_in_a_sentence(data: bytes, says: str) -> None:
    with pytest.raises(UnreadableInput, match=says):
        read_mhtml(data)


def test_what_is_no_saved_page_is_not_taken_for_one() -> None:
    assert is_mhtml(saved())
    others = (HTML.encode(), b"%PDF-1.7", b"a: 1\n\nb", b"", b"Subject: x\nContent-Type: text/plain\n\nx", b"\xff\xfe:")
    assert [data for data in others if is_mhtml(data)] == []


def test_parts_in_parts_never_make_it_go_deep() -> None:
    nested = b"".join(b"--b\nContent-Type: multipart/related; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(4_000))
    with pytest.raises(UnreadableInput):
        read_mhtml(b"Content-Type: multipart/related; boundary=b\n\n" + nested)


def test_the_address_that_a_browser_writes_above_a_page_is_read() -> None:
    assert saved_from(b"<!-- saved from url=(0028)https://aurel.example/report -->\n<html>") == (
        "https://aurel.example/report"
    )
    assert saved_from(HTML.encode()) == ""


@given(strategies.integers(0, 1_500), strategies.binary(max_size=6), strategies.integers(0, 40))
def test_broken_bytes_end_in_a_page_or_a_sentence(position: int, inserted: bytes, removed: int) -> None:
    data = saved()
    broken = data[:position] + inserted + data[position + removed :]
    with contextlib.suppress(UnreadableInput):
        assert isinstance(read_mhtml(broken).body, bytes)
    assert is_mhtml(broken) in (True, False)

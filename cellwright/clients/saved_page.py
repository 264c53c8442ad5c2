"""A page that a browser saved as one file: the document in an MHTML file (RFC 2557), or HTML as it is.

The parts of an MHTML file are taken apart line by line and not nested, so that no file can make it go deep.
"""

from __future__ import annotations

import binascii
import quopri
import re
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime

from cellwright.clients.fetched import Headers, media_type_of, utc_time
from cellwright.records.errors import Place, UnreadableInput

MAX_PARTS = 10_000
"""Parts of one MHTML file: the page, its images, its styles."""
_HEAD = 64_000
"""Bytes in which the head of a file or of a part must end."""
# Chrome and Internet Explorer write this above a page that they save.
_SAVED_FROM = re.compile(rb"<!--\s{0,9}saved from url=\(\d{1,6}\)(\S{1,4000})\s{0,9}-->")


@dataclass(frozen=True, slots=True)
class SavedPage:
    """The page in the file, its headers, the address it was saved from and when; "" where the file does not say."""

    body: bytes
    headers: Headers
    address: str = ""
    saved: str = ""


def is_mhtml(data: bytes) -> bool:
    """Whether the file begins as a message of several parts."""
    head = data[:_HEAD].lstrip()
    if not re.match(rb"[A-Za-z-]{1,60}:", head):
        return False
    return _head_of(data)[0].get_content_type() in ("multipart/related", "multipart/alternative", "multipart/mixed")


def read_mhtml(data: bytes, file: str = "") -> SavedPage:
    """The page of an MHTML file: the part that the head names, else the first one of HTML.

    Raises UnreadableInput where there is none, or its coding is broken.
    """
    head, begin = _head_of(data)
    boundary = head.get_boundary("")
    if not boundary or len(boundary) > 200:
        raise UnreadableInput("the saved page names no boundary between its parts", Place(file), expected="MHTML")
    parts = _parts(data[begin:], boundary.encode("latin-1", "replace"), file)
    wanted = str(head.get_param("start") or "").strip("<> ")
    pages = [
        (about, body) for about, body in parts if about.get_content_type() in ("text/html", "application/xhtml+xml")
    ]
    named = [part for part in pages if wanted and str(part[0].get("Content-ID", "")).strip("<> ") == wanted]
    if not pages:
        raise UnreadableInput(
            "the saved page holds no HTML", Place(file), seen=f"{len(parts)} parts", fix="save the page again"
        )
    about, coded = (named or pages)[0]
    body = _decoded(coded, str(about.get("Content-Transfer-Encoding", "")).strip().lower(), file)
    address = str(head.get("Snapshot-Content-Location") or about.get("Content-Location") or "").strip()
    content_type = " ".join(str(about.get("Content-Type", "text/html")).split())
    headers: Headers = (("Content-Type", content_type),) if media_type_of((("Content-Type", content_type),)) else ()
    return SavedPage(body, headers, address if address.isprintable() else "", _date(str(head.get("Date", ""))))


def saved_from(data: bytes) -> str:
    """The address that a browser wrote above a page it saved as HTML; "" where none did."""
    found = _SAVED_FROM.search(data[:4096])
    return found.group(1).decode("latin-1") if found else ""


def _head_of(data: bytes) -> tuple[Message, int]:
    """The head of a message or part, and where what follows begins."""
    text = data[:_HEAD]
    lead = len(text) - len(text.lstrip())
    end = min((at for mark in (b"\r\n\r\n", b"\n\n") if (at := text.find(mark, lead)) >= 0), default=-1)
    stop = end if end >= 0 else len(text)
    gap = 4 if text[stop : stop + 4] == b"\r\n\r\n" else 2
    return BytesHeaderParser().parsebytes(text[lead:stop] + b"\r\n\r\n"), stop + gap


def _parts(data: bytes, boundary: bytes, file: str) -> list[tuple[Message, bytes]]:
    """The parts between the lines of the boundary, each with its head."""
    marks = [match.span() for match in re.finditer(rb"(?m)^--" + re.escape(boundary) + rb"(?:--)?[ \t]{0,9}\r?$", data)]
    if len(marks) > MAX_PARTS:
        raise UnreadableInput("the saved page has too many parts", Place(file), expected=f"at most {MAX_PARTS}")
    found: list[tuple[Message, bytes]] = []
    for number, (begin, end) in enumerate(marks):
        if data[begin:end].rstrip().endswith(boundary + b"--"):
            break
        stop = marks[number + 1][0] if number + 1 < len(marks) else len(data)
        part = data[end:stop].lstrip(b"\r").removeprefix(b"\n")
        about, at = _head_of(part)
        body = part[at:]
        found.append((about, body.removesuffix(b"\n").removesuffix(b"\r")))
    return found


def _decoded(coded: bytes, coding: str, file: str) -> bytes:
    if coding == "quoted-printable":
        return quopri.decodestring(coded)
    if coding == "base64":
        try:
            # Without line ends: other characters would be passed over in silence.
            return binascii.a2b_base64(b"".join(coded.split()), strict_mode=True)
        except binascii.Error as error:
            raise UnreadableInput(
                "the saved page's coding is broken", Place(file), seen=str(error), fix="save the page again"
            ) from None
    if coding in ("", "7bit", "8bit", "binary"):
        return coded
    raise UnreadableInput("the saved page has a coding that is unknown", Place(file), seen=coding)


def _date(text: str) -> str:
    try:
        return utc_time(parsedate_to_datetime(text).isoformat())
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""

"""Captures as WARC files: one answer with its redirects and its document, the same bytes for the same answer.

A capture is a gzip member a record (WARC 1.0, ISO 28500): for each redirect and for the answer a `response`,
followed by the `request` where one was sent; an uploaded file is a `resource`. The payload is kept as it
arrived with the transfer coding undone, its content coding (gzip) still on. Record ids come from sha256 of the
record, dates from the fetch. `Cellwright-Via` on the last record tells how the document came here,
`Cellwright-Asked` the address as it was asked for, letter by letter, `Cellwright-Robots: overridden` that
robots.txt was set aside by a person's wish. What came over HTTP/2 is written in the form of HTTP/1.1, as readers
expect it, and says so in `WARC-Protocol`.
"""

from __future__ import annotations

import hashlib
import http
import io
import logging
import uuid
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast
from urllib.parse import quote, urldefrag, urljoin

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders, StatusAndHeadersParserException

from cellwright.clients.coding import CodingError, TooLarge, members, undo_codings
from cellwright.clients.fetched import (
    MAX_BODY,
    VIAS,
    Fetched,
    Headers,
    Status,
    Via,
    charset_of,
    header,
    is_redirect,
    media_type_of,
    status_of,
    utc_time,
)
from cellwright.records.errors import Place, UnreadableInput

MAX_WARC = MAX_BODY + 4_000_000
"""Bytes of one WARC with its own gzip undone: a document with the records around it."""
MAX_RECORDS = 10_000

_VIA = "Cellwright-Via"
_ASKED = "Cellwright-Asked"
_ROBOTS = "Cellwright-Robots"
_UNTRUE = frozenset({"transfer-encoding", "content-length"})
_PRIVATE = frozenset({"set-cookie", "set-cookie2"})


@dataclass(frozen=True, slots=True)
class Capture:
    """A document read back from a WARC: `body` is the document, `sha256` its digest, `headers` the answer's.

    `robots` is `overridden` where robots.txt was set aside.
    """

    url: str
    final_url: str
    status: Status
    http_status: int | None
    fetched: str
    via: Via
    media_type: str
    charset: str
    headers: Headers
    body: bytes
    sha256: str
    robots: str = ""


def sha256_hex(data: bytes) -> str:
    """The sha256 of `data` in 64 hex digits, the name of a capture."""
    return hashlib.sha256(data).hexdigest()


def write_capture(fetched: Fetched) -> bytes:
    """The gzipped WARC of an answer; the same answer gives the same bytes.

    Raises ValueError where the answer has no document, or an address that no WARC can hold.
    """
    if not fetched.has_document:
        raise ValueError(f"an answer that is {fetched.status} has no document to capture")
    date = utc_time(fetched.fetched_at)
    if not fetched.url.isprintable():
        raise ValueError("the address holds control characters")
    own = {_VIA: fetched.via, _ASKED: fetched.url}
    if fetched.robots:
        own[_ROBOTS] = fetched.robots
    if fetched.http_status is None:
        return _resource(fetched, date, own)
    records: list[bytes] = []
    for hop in fetched.hops:
        spoken = _spoken(hop.http_version)
        records += _exchange(hop.url, date, hop.http_status, hop.headers, b"", hop.request_headers, spoken)
    own |= _spoken(fetched.http_version)
    records += _exchange(
        fetched.final_url, date, fetched.http_status, fetched.headers, fetched.payload, fetched.request_headers, own
    )
    return b"".join(records)


def read_capture(data: bytes, *, file: str = "", limit: int = MAX_BODY) -> Capture:
    """The one capture in a WARC: its last answer, the answers before it being the redirects that led there.

    Digests and lengths are checked. Raises UnreadableInput for bytes that are no WARC, are broken, cut short
    or larger than `limit` when unpacked, and for a WARC of several captures.
    """
    found = read_captures(data, file=file, limit=limit)
    if len(found) != 1:
        raise UnreadableInput(
            "the WARC is not one capture",
            Place(file),
            seen=f"{len(found)} documents",
            expected="one document, with the redirects that lead to it",
        )
    return found[0]


def read_captures(data: bytes, *, file: str = "", limit: int = MAX_BODY) -> tuple[Capture, ...]:
    """Every document in a WARC, in order; redirects are joined to the answer they lead to, failures left out.

    Raises UnreadableInput as `read_capture` does.
    """
    plain, packed = unpacked(data, file, limit + MAX_WARC - MAX_BODY, f"a document of at most {limit} bytes")
    found: list[Capture] = []
    begun: dict[str, tuple[str, int]] = {}  # Where a redirect led, the address first asked, redirects so far.
    try:
        for answer in answers(plain, packed, file):
            status, headers = answer.http_status, answer.headers
            first, hops = begun.pop(answer.url, (answer.url, 0))
            if status is not None and is_redirect(status, headers):
                begun[answer.leads_to] = (first, hops + 1)
                continue
            outcome: Status = "ok" if status is None else status_of(status, headers, hops)
            if outcome not in ("ok", "redirected"):
                continue
            body = undo_codings(answer.payload, header(headers, "content-encoding"), limit)
            found.append(
                Capture(
                    answer.asked or first,
                    answer.url,
                    outcome,
                    status,
                    answer.date,
                    answer.via,
                    media_type_of(headers),
                    charset_of(headers),
                    headers,
                    body,
                    sha256_hex(body),
                    answer.robots,
                )
            )
    except CodingError as error:
        raise UnreadableInput("the document in the WARC cannot be unpacked", Place(file), seen=str(error)) from None
    except TooLarge:
        raise UnreadableInput(
            "the document in the WARC is too large", Place(file), expected=f"at most {limit} bytes"
        ) from None
    return tuple(found)


def unpacked(data: bytes, file: str, limit: int, expected: str) -> tuple[bytes, int]:
    """A WARC without its gzip, and of how many members that was. Raises UnreadableInput, which says `expected`."""
    try:
        packed = members(data, limit) if data[:2] == b"\x1f\x8b" else None
    except CodingError as error:
        raise UnreadableInput(
            "the WARC's gzip cannot be undone",
            Place(file),
            seen=str(error),
            expected="the bytes as they were written",
            fix="fetch the file again",
        ) from None
    except TooLarge:
        raise UnreadableInput("the WARC is too large when unpacked", Place(file), expected=expected) from None
    return (data, 0) if packed is None else (b"".join(packed), len(packed))


# Its remarks on broken addresses would reach a terminal where nobody has set logging up.
logging.getLogger("warcio").addHandler(logging.NullHandler())


class _Records(ArchiveIterator):  # type: ignore[misc]
    """warcio's reader, without the remarks that it prints on standard error."""

    INC_RECORD = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """A `response`, `resource` or `revisit` record."""

    url: str
    asked: str
    date: str
    via: Via
    http_status: int | None
    headers: Headers
    payload: bytes
    leads_to: str = ""
    robots: str = ""
    kind: str = "response"
    record: str = ""
    """The record's id."""
    refers_to: tuple[str, str, str] = ("", "", "")
    """Of a `revisit`: the record, or the address and the moment, where the payload was kept before."""
    digest: str = ""
    """The payload's digest as the record states it."""


def answers(
    plain: bytes, packed: int, file: str, kinds: frozenset[str] = frozenset({"response", "resource"})
) -> Iterator[Answer]:
    """Each record of these kinds in a WARC without its gzip, which had `packed` members or was not there.

    Raises UnreadableInput for broken records.
    """
    iterator = _Records(io.BytesIO(plain), check_digests="raise", arc2warc=True)
    count = 0
    # The exceptions that warcio lets through for broken records, found by feeding it broken ones.
    try:
        for record in iterator:
            count += 1
            if count > MAX_RECORDS:
                raise ArchiveLoadFailed(f"more than {MAX_RECORDS} records")
            if packed and count > packed:
                raise ArchiveLoadFailed("several records stand in one gzip member")
            payload = _whole_payload(record)
            if record.rec_type in kinds:
                yield _answer(record, payload)
            if iterator.err_count:
                raise ArchiveLoadFailed("a record's length is wrong")
        if not count:
            raise ArchiveLoadFailed("it holds no record")
    except (
        ArchiveLoadFailed,
        StatusAndHeadersParserException,
        ValueError,
        EOFError,
        AttributeError,
        TypeError,
        OverflowError,
    ) as error:
        if isinstance(error, (CodingError, TooLarge)):
            raise
        raise UnreadableInput(
            "the WARC cannot be read",
            Place(file),
            seen=str(error).strip(),
            expected="whole records whose digests fit",
            fix="fetch the file again",
        ) from None


def _whole_payload(record: ArcWarcRecord) -> bytes:
    raw = cast(bytes, record.raw_stream.read())
    if record.payload_length >= 0 and len(raw) != record.payload_length:
        raise ArchiveLoadFailed("a record is cut short")
    if record.payload_length < 0 and record.length is not None and len(raw) != record.length:
        raise ArchiveLoadFailed("a record is cut short")
    return raw


def _answer(record: ArcWarcRecord, payload: bytes) -> Answer:
    url = record.rec_headers.get_header("WARC-Target-URI") or ""
    date = utc_time(record.rec_headers.get_header("WARC-Date") or "")
    said = record.rec_headers.get_header(_VIA, "warc")
    via = cast(Via, said if said in VIAS else "warc")
    asked = record.rec_headers.get_header(_ASKED, "")
    robots = "overridden" if record.rec_headers.get_header(_ROBOTS, "") else ""

    def stated(name: str) -> str:
        return str(record.rec_headers.get_header(name, "")).strip()

    places = tuple(stated(f"WARC-Refers-To{part}") for part in ("", "-Target-URI", "-Date"))
    about = (record.rec_type, stated("WARC-Record-ID"), cast(tuple[str, str, str], places))
    digest = stated("WARC-Payload-Digest")
    if record.http_headers is None:
        headers: Headers = (("Content-Type", record.content_type or ""),)
        return Answer(url, asked, date, via, None, headers, payload, "", robots, *about, digest)
    headers = tuple((str(name), str(value)) for name, value in record.http_headers.headers)
    if "chunked" in header(headers, "transfer-encoding").lower():
        payload = _unchunked(payload)
    leads_to = urldefrag(urljoin(url, header(headers, "location"))).url
    status = int(record.http_headers.get_statuscode())
    return Answer(url, asked, date, via, status, headers, payload, leads_to, robots, *about, digest)


def _unchunked(payload: bytes) -> bytes:
    """The payload with the chunked coding undone (RFC 9112, section 7.1); as it is where it was undone already."""
    parts: list[bytes] = []
    position = 0
    while True:
        end = payload.find(b"\r\n", position, position + 200)
        size = payload[position:end].partition(b";")[0].strip()
        if end < 0 or not size or size.strip(b"0123456789abcdefABCDEF"):
            if position == 0:
                return payload
            raise ArchiveLoadFailed("the chunked coding is broken")
        length = int(size[:16], 16)
        if not length:
            return b"".join(parts)
        parts.append(payload[end + 2 : end + 2 + length])
        position = end + 2 + length + 2


def _exchange(
    url: str, date: str, status: int, headers: Headers, payload: bytes, sent: Headers, more: dict[str, str]
) -> list[bytes]:
    """The `response` record of one answer, and the `request` where one was sent."""
    kept = [(name, value) for name, value in headers if name.lower() not in _UNTRUE | _PRIVATE]
    kept.append(("Content-Length", str(len(payload))))
    line = f"{status} {_phrase(status)}".strip()
    digest = sha256_hex(payload)
    identifier = _identifier("response", url, date, line, repr(kept), digest)
    named = {"WARC-Record-ID": identifier, "WARC-Date": date, "WARC-Payload-Digest": f"sha256:{digest}", **more}
    head = cast(bytes, StatusAndHeaders(line, kept, protocol="HTTP/1.1").to_ascii_bytes())
    uri = _uri(url)
    records = [_record(named, "response", uri, "application/http; msgtype=response", head, payload)]
    if sent:
        named = {
            "WARC-Record-ID": _identifier("request", url, date, repr(sent)),
            "WARC-Date": date,
            "WARC-Concurrent-To": identifier,
        }
        target = "/" + uri.split("//", 1)[-1].partition("/")[2]
        head = StatusAndHeaders(f"{target} HTTP/1.1", list(sent), protocol="GET").to_ascii_bytes()
        records.append(_record(named, "request", uri, "application/http; msgtype=request", head, b""))
    return records


def _resource(fetched: Fetched, date: str, more: dict[str, str]) -> bytes:
    digest = sha256_hex(fetched.payload)
    named = {
        "WARC-Record-ID": _identifier("resource", fetched.final_url, date, digest),
        "WARC-Date": date,
        "WARC-Payload-Digest": f"sha256:{digest}",
        **more,
    }
    kind = fetched.media_type or "application/octet-stream"
    return _record(named, "resource", _uri(fetched.final_url), kind, b"", fetched.payload)


def _record(named: dict[str, str], kind: str, uri: str, content_type: str, head: bytes, payload: bytes) -> bytes:
    """One record as a gzip member of its own, byte for byte as warcio's writer makes it, in a third of the time."""
    fields = {**named, "WARC-Type": kind, "WARC-Target-URI": uri}
    if "WARC-Payload-Digest" not in fields:
        fields["WARC-Payload-Digest"] = f"sha1:{_base32_sha1(payload)}"
    fields["WARC-Block-Digest"] = f"sha1:{_base32_sha1(head, payload)}"
    fields["Content-Type"] = content_type
    fields["Content-Length"] = str(len(head) + len(payload))
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    plain = b"".join((f"WARC/1.0\r\n{lines}\r\n".encode(), head, payload, b"\r\n\r\n"))
    # In one call: each call lets another thread go on, and getting the turn back costs more than the packing.
    return zlib.compress(plain, 9, zlib.MAX_WBITS + 16)


def _base32_sha1(*parts: bytes) -> str:
    digest = hashlib.sha1(usedforsecurity=False)
    for part in parts:
        digest.update(part)
    number = int.from_bytes(digest.digest(), "big")  # 160 bits are 32 letters, read as 16 pairs.
    return "".join([_PAIRS[number >> shift & 1023] for shift in range(150, -1, -10)])


_BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_PAIRS = tuple(first + second for first in _BASE32 for second in _BASE32)


def _spoken(http_version: str) -> dict[str, str]:
    return {"WARC-Protocol": "h2"} if http_version == "HTTP/2" else {}


def _uri(url: str) -> str:
    """The address in the characters that a URI may have."""
    return quote(url, safe="%/:=&?~#+!$,;'@()*[]")


def _identifier(*parts: str) -> str:
    digest = hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).digest()
    return f"<urn:uuid:{uuid.UUID(bytes=digest[:16], version=5)}>"


def _phrase(status: int) -> str:
    try:
        return http.HTTPStatus(status).phrase
    except ValueError:
        return ""

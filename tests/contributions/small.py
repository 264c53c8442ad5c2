"""A small contribution in memory: one company, one page captured, one figure; real bytes throughout."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cellwright.authoring.captures.arrival import text_sha256
from cellwright.authoring.captures.command import text_of
from cellwright.clients.fetched import Fetched
from cellwright.clients.warc import sha256_hex, write_capture
from cellwright.records.contribution import MANIFEST, Manifest, PackedFile
from cellwright.records.repository_rows import CaptureRow
from cellwright.records.rows import CellRow, Fact, Source
from cellwright.records.tables import write_table

TASK = "makers"
URL = "https://reports.aurel.example.com/2023.html"
FETCHED = "2024-03-01T10:00:00Z"
PAGE = (
    b"<html><body><h1>Aurel Motor Company</h1><p>Fiscal years end on December 31.</p>"
    b"<table><tr><th>(in millions)</th><th>2023</th></tr>"
    b"<tr><td>Total net sales</td><td>383,285</td></tr><tr><td>Cost of sales</td><td>214,137</td></tr></table>"
    b"</body></html>"
)
TASK_YAML = """\
schema: 1
id: makers
title: Makers
domain: industrials_transport
as_of: 2025-12-31
question: Which maker sells most?
entities:
  - {id: aurel, name: Aurel Motor Company, currency: USD}
periods:
  FY2023: {default: 2023-01-01/2023-12-31}
dimensions:
  - {id: revenue, name: Revenue, ask: Revenue., family: retrieval, unit: USD, period: FY2023, answer_type: precise,
     steps: [{id: answer, expr: revenue}], scoring: {full: 1%}}
"""
SOURCE = {
    "id": "aurel-report",
    "url": URL,
    "title": "Report of Aurel",
    "publisher": "Aurel Motor Company",
    "published": "2024-02-01",
    "accessed": "2024-03-01",
    "media_type": "text/html",
    "locale": "en",
    "tier": "T1",
    "tier_reason": "annual report",
}
FACT = {
    "id": "aurel.revenue.fy2023",
    "entity": "aurel",
    "name": "revenue",
    "source": "aurel-report",
    "as_written": "383,285",
    "period": "FY2023",
    "rank": "primary",
    "value": "383285000000",
    "scale": "6",
    "sign": "shown",
    "unit": "USD",
    "quote": "Total net sales 383,285",
    "row": "Total net sales",
    "column": "2023",
}


def capture_of(page: bytes = PAGE, *, url: str = URL, fetched: str = FETCHED, headers: Mapping[str, str] = {}) -> bytes:
    """The WARC of a page, as `capture` writes it."""
    answer = (("Content-Type", "text/html; charset=utf-8"), *headers.items())
    return write_capture(Fetched(url, url, "ok", 200, answer, page, page, fetched))


def row_of(page: bytes = PAGE, **more: str) -> dict[str, str]:
    """The capture's line."""
    text, _ = text_sha256(text_of, page, "text/html; charset=utf-8")
    row = CaptureRow(
        task=TASK,
        source="aurel-report",
        sha256=sha256_hex(page),
        url=URL,
        final_url=URL,
        fetched=FETCHED,
        status="ok",
        via="live",
        text_sha256=text,
    )
    return {**row.texts(), **more}


def files_of(
    *,
    task: str = TASK_YAML,
    page: bytes = PAGE,
    source: Mapping[str, str] = {},
    fact: Mapping[str, str] = {},
    row: Mapping[str, str] = {},
    warc: bytes | None = None,
    more: Mapping[str, bytes] = {},
) -> dict[str, bytes]:
    """The files of the contribution but its list; what is named differs from the good one."""
    name = sha256_hex(page)
    return {
        "task/task.yaml": task.encode(),
        "task/sources.csv": write_table([{**SOURCE, "capture": name, **source}], Source.columns()),
        "task/facts.csv": write_table([{**FACT, **fact}], Fact.columns()),
        "task/cells.csv": write_table([{"entity": "aurel", "dimension": "revenue"}], CellRow.columns()),
        "captures.csv": write_table([row_of(page, **row)], CaptureRow.columns()),
        f"captures/{name}.warc.gz": capture_of(page) if warc is None else warc,
        **more,
    }


def listed(files: Mapping[str, bytes], *, task: str = TASK, pins: Mapping[str, str] | None = None) -> dict[str, bytes]:
    """The files with a list that fits them: what is planted in them is then the only fault."""
    pinned = {
        line.split(",")[0]: line.rstrip("\r").split(",")[-1]
        for line in files.get("task/sources.csv", b"").decode("utf-8", "replace").splitlines()[1:]
    }
    manifest = Manifest(
        schema_=1,
        tool="cellwright test",
        task=task,
        admitted=False,
        files=tuple(
            PackedFile(file=name, bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
            for name, data in sorted(files.items())
            if len(name) <= 120 and name.isascii()
        ),
        pins={source: pin for source, pin in (pinned if pins is None else pins).items() if pin},
    )
    return {**files, MANIFEST: manifest.as_bytes()}


@dataclass(frozen=True)
class Entry:
    """A member of a ZIP file, with whatever lies about it."""

    name: bytes
    data: bytes
    method: int = 0
    flags: int = 0
    mode: int = 0o100644
    size: int | None = None
    """The size that is claimed, where it is not the true one."""
    offset: int | None = None
    """Where the list says that it begins, where that is not the place."""
    local_name: bytes | None = None
    extra: bytes = b""
    written: bool = True
    """Whether it has bytes of its own; else only the list tells of it."""


def entries_of(files: Mapping[str, bytes]) -> list[Entry]:
    """The members of an honest container."""
    return [Entry(name.encode("utf-8", "surrogateescape"), data) for name, data in sorted(files.items())]


def zip_of(entries: Sequence[Entry], *, before: bytes = b"", after: bytes = b"", comment: bytes = b"") -> bytes:
    """A ZIP file byte by byte, so that every lie can be told."""
    out, directory = bytearray(before), bytearray()
    for entry in entries:
        packed = _packed(entry)
        size = len(entry.data) if entry.size is None else entry.size
        crc = zlib.crc32(entry.data)
        at = len(out)
        if entry.written:
            name = entry.name if entry.local_name is None else entry.local_name
            head = (20, entry.flags, entry.method, 0, 33, crc, len(packed), size, len(name), len(entry.extra))
            out += struct.pack("<4s5H3L2H", b"PK\x03\x04", *head) + name + entry.extra + packed
        directory += struct.pack(
            "<4s6H3L5H2L",
            b"PK\x01\x02",
            (3 << 8) | 20,
            20,
            entry.flags,
            entry.method,
            0,
            33,
            crc,
            len(packed),
            size,
            len(entry.name),
            len(entry.extra),
            0,
            0,
            0,
            entry.mode << 16,
            at if entry.offset is None else entry.offset,
        )
        directory += entry.name + entry.extra
    count = len(entries)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(directory), len(out), len(comment))
    return bytes(out + directory + end + comment + after)


def _packed(entry: Entry) -> bytes:
    if entry.method != 8:
        return entry.data
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return deflate.compress(entry.data) + deflate.flush()

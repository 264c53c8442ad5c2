"""The readers under test: what seeds each has, how an input is made of them, and what is called with it.

A reader may refuse an input with a `CellwrightError` or `QuantityError`, which are sentences. Anything else
that it raises is a fault.
"""

from __future__ import annotations

import gzip
import io
import random
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cellwright.authoring.contributions.captures import captures_seen
from cellwright.authoring.contributions.reading import read_contribution
from cellwright.clients.archive import from_archive
from cellwright.clients.contribution_file import open_contribution
from cellwright.clients.saved_page import is_mhtml, read_mhtml, saved_from
from cellwright.clients.warc import read_capture, read_captures
from cellwright.documents.reading import read_document
from cellwright.harness.json_answers import json_cells
from cellwright.records.derivations import format_expression, parse
from cellwright.records.errors import UnreadableInput
from cellwright.records.plain_archive import archive_of
from cellwright.records.plain_archive import files_of as files_of_archive
from cellwright.records.quantities import (
    QuantityError,
    find_numbers,
    parse_scale,
    printed_interval,
    read_number,
    write_number,
)
from cellwright.records.rows import TASK_TABLES
from cellwright.records.tables import read_records
from cellwright.records.task_reading import read_task
from tests.contributions.small import entries_of, files_of, listed, zip_of
from tests.fuzz.damage import damaged
from tests.fuzz.seeds import (
    ANSWERS,
    CSV,
    CSV_TOKENS,
    EXPRESSION,
    HTML,
    HTML_TOKENS,
    JSON,
    JSON_TOKENS,
    LOCALES,
    MHTML,
    MHTML_TOKENS,
    PDF,
    PDF_TOKENS,
    PIECES,
    PLAIN_ARCHIVE_TOKENS,
    PLAIN_ARCHIVES,
    TASK,
    TASK_TOKENS,
    WARC,
    WARC_TOKENS,
    XLSX,
    XML_TOKENS,
    ZIP_TOKENS,
)


@dataclass(frozen=True)
class Reader:
    """One reader: how an input is made from a seeded generator, and what reads it."""

    name: str
    share: int
    """Inputs of this reader in a thousand of all."""
    make: Callable[[random.Random], bytes]
    read: Callable[[bytes], None]
    seconds: float = 10.0
    """Processor time that one input may take."""


# -- documents


def _of(seeds: Sequence[bytes], tokens: Sequence[bytes]) -> Callable[[random.Random], bytes]:
    return lambda rng: damaged(seeds, tokens, rng)


def _workbook(rng: random.Random) -> bytes:
    """A workbook whose archive is sound and one of whose parts is damaged; now and then the archive itself is."""
    seed = rng.choice(XLSX)
    if rng.random() < 0.2:
        return damaged([seed], (), rng)
    with zipfile.ZipFile(io.BytesIO(seed)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    chosen = rng.choice(sorted(parts))
    parts[chosen] = damaged([parts[chosen]], XML_TOKENS, rng)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()


def _document(media_type: str) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        document = read_document(data, media_type)
        for _ in find_numbers(document.text[:5_000]):
            pass

    return read


# -- captures


def _warc(rng: random.Random) -> bytes:
    data = damaged(WARC, WARC_TOKENS, rng)
    return data if rng.random() < 0.3 else gzip.compress(data, compresslevel=1, mtime=0)


def _read_warc(data: bytes) -> None:
    read_capture(data, file="x.warc.gz")
    read_captures(data, file="x.warc.gz")


def _read_archive(data: bytes) -> None:
    from_archive(data, "https://a.example/x", file="x.warc.gz")


def _plain_archive(rng: random.Random) -> bytes:
    """A sealed bundle's archive with one header's sum made right again, so that what it says is looked at."""
    data = bytearray(damaged(PLAIN_ARCHIVES, PLAIN_ARCHIVE_TOKENS, rng))
    if len(data) >= 512 and rng.random() < 0.8:
        data[148:156] = b" " * 8
        data[148:156] = b"%06o\0 " % sum(data[:512])
    return bytes(data)


def _read_plain_archive(data: bytes) -> None:
    files = files_of_archive(data, most_files=20, most_bytes=10_000, name="sealed.tar.age")
    assert archive_of(files) == data


def _read_saved(data: bytes) -> None:
    saved_from(data)
    if is_mhtml(data):
        read_mhtml(data, "x.mhtml")


# -- quantities


def _written(rng: random.Random) -> bytes:
    text = "".join(rng.choice(PIECES) for _ in range(rng.choice((1, 2, 3, 4, 6, 10, 40, 200))))
    return f"{rng.choice(LOCALES)}|{rng.randrange(2)}|{text}".encode("utf-8", "surrogatepass")


def _read_quantity(data: bytes) -> None:
    locale, cell, text = data.decode("utf-8").split("|", 2)
    for _ in find_numbers(text, locale=locale):
        pass
    for read in (lambda: read_number(text, locale=locale, table_cell=cell == "1"), lambda: parse_scale(text)):
        try:
            found = read()
        except QuantityError:
            continue
        if not isinstance(found, int):
            printed_interval(found)
            if found.value is not None:
                write_number(found.value, locale=locale)


# -- what people write


_TABLES = tuple(sorted(TASK_TABLES))


def _table(rng: random.Random) -> bytes:
    name = rng.choice(_TABLES)
    head = ",".join(TASK_TABLES[name].columns()).encode() + b"\n"
    rows = damaged([head.replace(b"_", b"1"), b"1," * head.count(b",") + b"1\n"], CSV_TOKENS, rng)
    return name.encode() + b"|" + (head + rows if rng.random() < 0.7 else damaged([head + rows], CSV_TOKENS, rng))


def _read_rows(data: bytes) -> None:
    name, rows = data.split(b"|", 1)
    read_records(rows, TASK_TABLES[name.decode()], f"{name.decode()}.csv")


def _read_task_file(data: bytes) -> None:
    read_task(data, "task.yaml")


def _expression(rng: random.Random) -> bytes:
    return "".join(rng.choice(EXPRESSION) for _ in range(rng.choice((1, 3, 5, 8, 20, 300)))).encode()


def _read_expression(data: bytes) -> None:
    text = data.decode("utf-8")
    assert parse(format_expression(parse(text))) == parse(text)


def _read_answers(data: bytes) -> None:
    for _ in json_cells(data.decode("utf-8", "replace"), "answers.jsonl"):
        pass


# -- contributions


def _contribution(rng: random.Random) -> bytes:
    """A container that is damaged, or a sound one of which a file is."""
    if rng.random() < 0.6:
        return damaged([zip_of(entries_of(listed(_FILES)))], ZIP_TOKENS, rng)
    name = rng.choice(sorted(_FILES))
    tokens = TASK_TOKENS if name.endswith(".yaml") else CSV_TOKENS
    changed = {**_FILES, name: damaged([_FILES[name]], tokens, rng)}
    return zip_of(entries_of(listed(changed)))


_FILES = files_of()


def _read_contribution(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c.zip"
        path.write_bytes(data)
        with open_contribution(path) as container:
            found = read_contribution(container)
            captures_seen(container, found.captures)
        if found.findings:
            raise UnreadableInput([item.problem() for item in found.findings])


READERS = (
    Reader("quantities", 335, _written, _read_quantity),
    Reader("html", 150, _of(HTML, HTML_TOKENS), _document("text/html")),
    Reader("csv", 80, _of(CSV, CSV_TOKENS), _document("text/csv")),
    Reader("json", 70, _of(JSON, JSON_TOKENS), _document("application/json")),
    Reader("warc", 70, _warc, _read_warc),
    Reader("archive", 30, _warc, _read_archive),
    Reader("mhtml", 20, _of(MHTML, MHTML_TOKENS), _read_saved),
    Reader("tables", 50, _table, _read_rows),
    Reader("expressions", 40, _expression, _read_expression),
    Reader("sealed", 20, _plain_archive, _read_plain_archive),
    Reader("answers", 30, _of(ANSWERS, JSON_TOKENS), _read_answers),
    Reader("task", 30, _of(TASK, TASK_TOKENS), _read_task_file),
    Reader("contribution", 25, _contribution, _read_contribution),
    Reader("pdf", 25, _of(PDF, PDF_TOKENS), _document("application/pdf")),
    Reader("xlsx", 25, _workbook, _document("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")),
)

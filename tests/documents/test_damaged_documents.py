"""Cut and byte-flipped documents: a Document or one sentence, never another exception, never a hang."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

from cellwright.documents.csv_sheet import read_csv
from cellwright.documents.json_values import read_json
from cellwright.documents.model import Document
from cellwright.documents.pdf import read_pdf
from cellwright.documents.pdf_tables import page_tables
from cellwright.documents.reading import read_document
from cellwright.documents.xlsx import read_xlsx
from cellwright.records.errors import UnreadableInput
from tests.documents.small_files import part_of, pdf_of, repacked, with_shared_strings, xlsx_of

TOO_LONG = 120
"""Seconds after which a test that hangs fails; each takes a few."""


@pytest.fixture(autouse=True)
def _no_hang() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        pytest.fail(f"still reading after {TOO_LONG} seconds")

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(TOO_LONG)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def damaged(data: bytes, seed: int) -> bytes:
    """`data` cut off, or with some bytes flipped, dropped or doubled: the same for the same seed."""
    chance = random.Random(seed)
    body = bytearray(data)
    if chance.random() < 0.25:
        return bytes(body[: chance.randrange(len(body))])
    for _ in range(chance.choice((1, 1, 3, 20))):
        at = chance.randrange(len(body))
        match chance.randrange(4):
            case 0 | 1:
                body[at] ^= 1 << chance.randrange(8)
            case 2:
                del body[at : at + chance.randrange(1, 20)]
            case _:
                body[at:at] = body[at : at + chance.randrange(1, 50)]
        if not body:
            return b""
    return bytes(body)


def outcome(read: Callable[[bytes], Document], data: bytes) -> str:
    """`read`, or the sentence; anything else is the exception that the test fails with."""
    try:
        document = read(data)
        document.text.encode("utf-8")
        sum(table.rows for table in document.tables)
    except UnreadableInput as error:
        return str(error)
    return "read"


def check_one_sentence(said: str) -> None:
    assert said
    assert "\n" not in said


def with_tables_of_page_one(data: bytes) -> Document:
    """A document whose tables are those of the PDF's first page."""
    tables = page_tables(data, 1)
    return Document(kind="pdf", media_type="", text="", read_tables=lambda: tables)


def small_pdf() -> bytes:
    return pdf_of(
        [[(72, 700 - 20 * row, f"Row {row}"), (300, 700 - 20 * row, f"({row * 1111:,})")] for row in range(5)],
        images=[1],
    )


def small_xlsx() -> bytes:
    cells = {f"{column}{row}": f"{column}{row}" if row == 1 else row * 1.5 for column in "ABCD" for row in range(1, 9)}
    return with_shared_strings(xlsx_of({"Grids": cells, "My Sheet": {"B2": True, "C3": "=1+1"}}))


def small_json() -> bytes:
    return json.dumps({"facts": [{"val": n * 1.5, "name": f"é{n}", "deep": [[n]]} for n in range(20)]}).encode()


def small_csv() -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=";").writerows([[f"Zeile {n}", f"{n},5", 'say "hi"'] for n in range(30)])
    return out.getvalue().encode("cp1252")


KINDS = [
    (read_pdf, small_pdf, 120),
    (read_xlsx, small_xlsx, 80),
    (read_json, small_json, 150),
    (read_csv, small_csv, 150),
]
IDS = ["pdf", "xlsx", "json", "csv"]


def check(read: Callable[[bytes], Document], data: bytes, seeds: range) -> None:
    """Some damage must leave the document readable: else it is not what it seems."""
    assert outcome(read, data) == "read"
    said = [outcome(read, damaged(data, seed)) for seed in seeds]
    assert "read" in said
    for sentence in said:
        check_one_sentence(sentence)


@pytest.mark.parametrize(("read", "make", "count"), KINDS, ids=IDS)
def test_a_damaged_document_is_read_or_told(
    read: Callable[[bytes], Document], make: Callable[[], bytes], count: int
) -> None:
    check(read, make(), range(count))


@pytest.mark.slow
@pytest.mark.parametrize(("read", "make", "count"), KINDS, ids=IDS)
def test_a_damaged_document_is_read_or_told_many_times(
    read: Callable[[bytes], Document], make: Callable[[], bytes], count: int
) -> None:
    check(read, make(), range(1000, 1000 + 20 * count))


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 40))])
def test_a_sheet_damaged_inside_a_sound_archive_is_read_or_told(seed: int) -> None:
    sound = small_xlsx()
    for part in (
        "xl/worksheets/sheet1.xml",
        "xl/workbook.xml",
        "xl/sharedStrings.xml",
        "xl/styles.xml",
        "[Content_Types].xml",
        "xl/_rels/workbook.xml.rels",
    ):
        for again in range(5):
            broken = damaged(part_of(sound, part), 10 * seed + again)
            check_one_sentence(outcome(read_xlsx, repacked(sound, {part: broken})))


def test_the_tables_of_a_damaged_page_are_read_or_told() -> None:
    sound = small_pdf()
    for seed in range(40):
        check_one_sentence(outcome(with_tables_of_page_one, damaged(sound, seed)))


@pytest.mark.parametrize("media_type", ["", "text/html", "application/pdf", "application/json", "text/csv"])
def test_random_bytes_are_read_or_told(media_type: str) -> None:
    for seed in range(60):
        chance = random.Random(seed)
        data = bytes(chance.randrange(256) for _ in range(chance.randrange(400)))
        check_one_sentence(outcome(lambda body: read_document(body, media_type), data))


def test_a_real_pdf_damaged_is_read_or_told(shared_data: Path) -> None:
    data = (shared_data / "pdf_tables_icdar2013" / "eu-005.pdf").read_bytes()
    for seed in range(40):
        check_one_sentence(outcome(read_pdf, damaged(data, seed)))


@pytest.mark.slow
def test_real_documents_damaged_are_read_or_told(shared_data: Path) -> None:
    folders = (shared_data / "pdf_tables_icdar2013", shared_data / "pdf_other")
    for path in (path for folder in folders for path in sorted(folder.glob("*.pdf"))):
        for seed in range(25):
            check_one_sentence(outcome(read_pdf, damaged(path.read_bytes(), seed)))
    facts = gzip.decompress((shared_data / "company_facts" / "AAPL_companyfacts_trimmed.json.gz").read_bytes())
    for seed in range(40):
        check_one_sentence(outcome(read_json, damaged(facts, seed)))

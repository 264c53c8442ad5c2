"""`capture --from`, several at a time: saved pages, documents and archives, all kept or none."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from cellwright.clients.warc import read_capture
from tests.cli.small_task import TASK, captures, page, pins, write_task
from tests.cli.workshop import Result, Workshop, snapshot
from tests.clients.test_archive import HTML, Writer

Run = Callable[..., Result]
SITE = "https://makers.example"


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return write_task(tmp_path / "shop", SITE)


def archive(*makers: str, packed: bool = True) -> bytes:
    writer = Writer(packed=packed)
    for maker in makers:
        writer.add(f"{SITE}/{maker}", "2024-02-20T08:00:00Z", page(maker).encode())
    return writer.data


def body_of(shop: Workshop, source: str) -> bytes:
    name = pins(shop)[source]
    return read_capture((shop.root / "sources" / "captures" / TASK / f"{name}.warc.gz").read_bytes()).body


def test_several_files_are_taken_each_for_its_source(shop: Workshop, here: Run) -> None:
    (shop.root / "a.html").write_text(page("aurel"))
    (shop.root / "b.html.gz").write_bytes(gzip.compress(page("borea").encode(), mtime=0))
    done = here(
        "capture", TASK, "--from", "a.html", "aurel-report", "--from", "b.html.gz", "borea-report", cwd=shop.root
    )
    assert done.code == 0, done.err
    assert [(row["source"], row["via"]) for row in captures(shop)] == [
        ("aurel-report", "upload"),
        ("borea-report", "upload"),
    ]
    assert (body_of(shop, "aurel-report"), body_of(shop, "borea-report")) == (
        page("aurel").encode(),
        page("borea").encode(),
    )


def test_where_one_file_is_at_fault_none_is_kept(shop: Workshop, here: Run) -> None:
    (shop.root / "a.html").write_text(page("aurel"))
    before = snapshot(shop.root)
    done = here(
        "capture", TASK, "--from", "a.html", "aurel-report", "--from", "none.html", "borea-report", cwd=shop.root
    )
    assert (done.code, done.sentences) == (2, ["none.html: the file is missing; check the name and the folder"])
    assert snapshot(shop.root) == before


def test_a_source_is_given_one_file(shop: Workshop, here: Run) -> None:
    (shop.root / "a.html").write_text(page("aurel"))
    done = here("capture", TASK, "--from", "a.html", "aurel-report", "--from", "a.html", "aurel-report", cwd=shop.root)
    assert (done.code, done.sentences) == (
        2,
        ["a source is given two files; seen 'aurel-report', expected one file a source"],
    )


@pytest.mark.parametrize("packed", [True, False])
def test_a_warc_gives_each_source_its_answer_with_time_and_headers(shop: Workshop, here: Run, packed: bool) -> None:
    name = "crawl.warc.gz" if packed else "crawl.bin"
    (shop.root / name).write_bytes(archive("borea", "aurel", packed=packed))
    done = here("capture", TASK, "--from", name, "aurel-report", "--from", name, "borea-report", cwd=shop.root)
    assert done.code == 0, done.err
    assert {(row["via"], row["fetched"], row["status"]) for row in captures(shop)} == {
        ("warc", "2024-02-20T08:00:00Z", "ok")
    }
    assert body_of(shop, "aurel-report") == page("aurel").encode()
    assert here("locate", TASK, cwd=shop.root).code == 0


def test_the_answer_nearest_to_accessed_is_taken_and_told(shop: Workshop, here: Run) -> None:
    writer = Writer()
    for moment, revenue in (("2023-01-01", "1,001"), ("2024-02-25", "383,285"), ("2025-01-01", "9,009")):
        writer.add(f"{SITE}/aurel", f"{moment}T00:00:00Z", page("aurel", revenue).encode(), headers=(HTML,))
    (shop.root / "crawl.warc.gz").write_bytes(writer.data)
    done = here("capture", TASK, "--from", "crawl.warc.gz", "aurel-report", cwd=shop.root)
    assert done.code == 0
    assert body_of(shop, "aurel-report") == page("aurel").encode()
    assert "the archive has 3 answers, 2023-01-01T00:00:00Z to 2025-01-01T00:00:00Z" in done.err
    assert "nearest to 2024-03-01, when it was accessed" in done.err


def test_an_archive_without_the_address_and_a_broken_one_are_told(shop: Workshop, here: Run) -> None:
    (shop.root / "crawl.warc.gz").write_bytes(archive("borea"))
    before = snapshot(shop.root)
    done = here("capture", TASK, "--from", "crawl.warc.gz", "aurel-report", cwd=shop.root)
    assert (done.code, len(done.sentences)) == (1, 1)
    assert "the archive has no document for the address" in done.sentences[0]
    assert snapshot(shop.root) == before
    (shop.root / "crawl.warc.gz").write_bytes(archive("aurel")[:-9])
    done = here("capture", TASK, "--from", "crawl.warc.gz", "aurel-report", cwd=shop.root)
    assert (done.code, len(done.sentences)) == (2, 1)
    assert "the WARC's gzip cannot be undone" in done.sentences[0]


def test_a_page_saved_by_a_browser_is_an_upload_with_the_day_it_was_saved(shop: Workshop, here: Run) -> None:
    head = (
        "From: <Saved by Blink>\nSnapshot-Content-Location: https://elsewhere.example/\n"
        "Date: Fri, 1 Mar 2024 10:00:00 -0000\nContent-Type: multipart/related; boundary=b\n\n"
        "--b\nContent-Type: text/html\nContent-Transfer-Encoding: 8bit\n\n"
    )
    (shop.root / "saved.mhtml").write_text(head + page("aurel") + "\n--b--\n")
    done = here("capture", TASK, "--from", "saved.mhtml", "aurel-report", cwd=shop.root)
    assert done.code == 0, done.err
    assert body_of(shop, "aurel-report") == page("aurel").encode()
    assert [(row["via"], row["fetched"]) for row in captures(shop)] == [("upload", "2024-03-01T10:00:00Z")]
    assert f"saved from https://elsewhere.example/, and the source's address is {SITE}/aurel" in done.err

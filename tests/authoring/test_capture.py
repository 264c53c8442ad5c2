"""Capturing a task's sources: everything new is kept, nothing kept is lost, a pin stays where it is."""

from __future__ import annotations

import csv
import gzip
import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cellwright.authoring.captures.capture import CaptureSummary, capture_file, capture_task
from cellwright.clients.http import HttpFetcher, Limits
from cellwright.clients.mirror import Mirror
from cellwright.clients.repository import Repository, open_repository
from cellwright.clients.warc import read_capture, sha256_hex
from cellwright.records.errors import DiskFailed, UnreadableInput
from tests.loopback import answer, serving

HEAD = "id,url,title,publisher,published,accessed,media_type,capture,x_mine\n"
BASE = "https://filings.example/"


def text_of(body: bytes, media_type: str) -> str:
    """Stands for the reader of documents."""
    if body == b"unreadable":
        raise UnreadableInput("the document cannot be read")
    return f"{media_type}|" + body.decode("latin-1")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    root = tmp_path / "repo"
    (root / "tasks" / "t").mkdir(parents=True)
    (root / "sources").mkdir()
    return open_repository(root)


def write_sources(repository: Repository, *lines: str, head: str = HEAD) -> None:
    (repository.root / "tasks" / "t" / "sources.csv").write_text(head + "".join(line + "\n" for line in lines))


def write_mirror(folder: Path, files: dict[str, bytes], fetched: str = "2024-06-30", via: str = "") -> Mirror:
    folder.mkdir(exist_ok=True)
    lines = ["url,file,media_type,fetched,via"]
    for name, data in files.items():
        (folder / name).write_bytes(data)
        lines.append(f"{BASE}{name},{name},text/html,{fetched},{via}")
    (folder / "index.csv").write_text("\n".join(lines) + "\n")
    return Mirror(folder)


def rows(repository: Repository, name: str = "sources/captures.csv") -> list[dict[str, str]]:
    with (repository.root / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def tree(repository: Repository) -> dict[str, bytes]:
    return {
        path.relative_to(repository.root).as_posix(): path.read_bytes()
        for path in sorted(repository.root.rglob("*"))
        if path.is_file()
    }


def pins(repository: Repository) -> dict[str, str]:
    return {row["id"]: row["capture"] for row in rows(repository, "tasks/t/sources.csv")}


def actions(summary: CaptureSummary) -> dict[str, str]:
    return {outcome.source: outcome.action for outcome in summary.outcomes}


@pytest.fixture
def capture(repository: Repository) -> Callable[..., CaptureSummary]:
    def run(fetcher: Mirror, **options: object) -> CaptureSummary:
        return capture_task(repository, "t", fetcher=fetcher, text_of=text_of, **options)  # type: ignore[arg-type]

    return run


A, B = b"<p>one</p>", b"<p>two</p>"


def test_a_new_source_is_captured_told_and_pinned(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary]
) -> None:
    write_sources(repository, f"a,{BASE}a,A,Maker,,,,,kept")
    summary = capture(write_mirror(tmp_path / "m", {"a": A}))
    name = sha256_hex(A)
    assert (actions(summary), summary.counts, summary.failed) == ({"a": "captured"}, {"captured": 1}, ())
    assert summary.written == ("tasks/t/sources.csv", "sources/captures.csv")
    assert rows(repository) == [
        {
            "task": "t",
            "source": "a",
            "sha256": name,
            "url": BASE + "a",
            "final_url": BASE + "a",
            "fetched": "2024-06-30T00:00:00Z",
            "status": "ok",
            "via": "mirror",
            "text_sha256": hashlib.sha256(b"text/html|<p>one</p>").hexdigest(),
        }
    ]
    source = rows(repository, "tasks/t/sources.csv")[0]
    assert (source["capture"], source["media_type"], source["x_mine"]) == (name, "text/html", "kept")
    data = repository.capture_bytes("t", name)
    assert data is not None
    assert read_capture(data).body == A


def test_a_second_run_changes_nothing(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary]
) -> None:
    write_sources(repository, f"a,{BASE}a,A,Maker,,,,,", f"b,{BASE}b,B,Maker,,,,,")
    mirror = write_mirror(tmp_path / "m", {"a": A, "b": B})
    capture(mirror)
    before = tree(repository)
    summary = capture(mirror)
    assert (actions(summary), summary.written) == ({"a": "kept", "b": "kept"}, ())
    assert tree(repository) == before


def test_the_column_capture_is_added_where_it_is_absent(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary]
) -> None:
    write_sources(repository, f"a,{BASE}a,A,Maker,,", head="id,url,title,publisher,published,accessed\n")
    capture(write_mirror(tmp_path / "m", {"a": A}))
    assert pins(repository) == {"a": sha256_hex(A)}


def test_the_rows_are_sorted_and_other_tasks_and_columns_stay(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary]
) -> None:
    other = f"u,z,{'1' * 64},https://x.example/,,2024-01-01T00:00:00Z,ok,live,,mine"
    (repository.root / "sources" / "captures.csv").write_text(
        f"task,source,sha256,url,final_url,fetched,status,via,text_sha256,x_note\n{other}\n"
    )
    write_sources(repository, f"b,{BASE}b,B,Maker,,,,,", f"a,{BASE}a,A,Maker,,,,,")
    capture(write_mirror(tmp_path / "m", {"a": A, "b": B}))
    assert [(row["task"], row["source"], row["x_note"]) for row in rows(repository)] == [
        ("t", "a", ""),
        ("t", "b", ""),
        ("u", "z", "mine"),
    ]


def test_two_sources_may_share_a_document(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary]
) -> None:
    write_sources(repository, f"a,{BASE}a,A,Maker,,,,,", f"b,{BASE}b,B,Maker,,,,,")
    capture(write_mirror(tmp_path / "m", {"a": A, "b": A}))
    assert len(rows(repository)) == 2
    assert repository.capture_names("t") == (sha256_hex(A),)


def test_only_the_sources_named_are_captured(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary]
) -> None:
    write_sources(repository, f"a,{BASE}a,A,Maker,,,,,", f"b,{BASE}b,B,Maker,,,,,")
    mirror = write_mirror(tmp_path / "m", {"a": A, "b": B})
    assert actions(capture(mirror, sources=["b"])) == {"b": "captured"}
    with pytest.raises(UnreadableInput, match="the task has no source `bb`"):
        capture(mirror, sources=["bb"])


def test_progress_is_told(repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary]) -> None:
    write_sources(repository, f"a,{BASE}a,A,Maker,,,,,", f"b,{BASE}b,B,Maker,,,,,")
    told: list[tuple[int, int, str]] = []
    capture(write_mirror(tmp_path / "m", {"a": A, "b": B}), progress=lambda *step: told.append(step))
    assert told == [(1, 2, "a"), (2, 2, "b")]


@pytest.mark.parametrize(
    ("line", "status", "note"),
    [
        (f"a,{BASE}none,A,Maker,,,,,", "absent", "the mirror has no line for the address"),
        ("a,ftp://filings.example/a,A,Maker,,,,,", "unreadable", "cannot be fetched"),
        (f"a,{BASE}a,A,Maker,,,application/pdf,,", "wrong_type", "declared as PDF and the bytes are HTML"),
    ],
)
def test_a_source_that_cannot_be_had_is_told_and_the_others_go_on(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary], line: str, status: str, note: str
) -> None:
    write_sources(repository, line, f"b,{BASE}b,B,Maker,,,,,")
    summary = capture(write_mirror(tmp_path / "m", {"a": b"<!DOCTYPE html><p>sign in", "b": B}))
    assert actions(summary) == {"a": "failed", "b": "captured"}
    assert [(outcome.source, outcome.status) for outcome in summary.failed] == [("a", status)]
    assert note in summary.failed[0].note
    assert pins(repository) == {"a": "", "b": sha256_hex(B)}


def test_a_document_without_readable_text_is_kept_and_told(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary]
) -> None:
    write_sources(repository, f"a,{BASE}a,A,Maker,,,,,")
    summary = capture(write_mirror(tmp_path / "m", {"a": b"unreadable"}))
    assert summary.outcomes[0].action == "captured"
    assert "its text cannot be read" in summary.outcomes[0].note
    assert rows(repository)[0]["text_sha256"] == ""


def test_asking_again_tells_same_and_changed_and_never_moves_a_pin(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary]
) -> None:
    write_sources(repository, f"a,{BASE}a,A,Maker,,,,,", f"b,{BASE}b,B,Maker,,,,,")
    capture(write_mirror(tmp_path / "m", {"a": A, "b": B}))
    summary = capture(write_mirror(tmp_path / "m", {"a": A + b" restated", "b": B}, "2024-07-01"), refresh=True)
    assert actions(summary) == {"a": "changed", "b": "same"}
    assert pins(repository) == {"a": sha256_hex(A), "b": sha256_hex(B)}
    assert [row["source"] for row in rows(repository)] == ["a", "a", "b"]
    assert len(repository.capture_names("t")) == 3
    assert summary.questions == (
        f"a: the document is not the one captured before ({sha256_hex(A)[:12]} → "
        f"{sha256_hex(A + b' restated')[:12]}); `cellwright capture t --accept a` takes the new one",
    )


def test_a_capture_whose_file_is_not_here_is_restored_byte_for_byte(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary]
) -> None:
    write_sources(repository, f"a,{BASE}a,A,Maker,,,,,")
    mirror = write_mirror(tmp_path / "m", {"a": A})
    capture(mirror)
    before = tree(repository)
    repository.capture_path("t", sha256_hex(A)).unlink()
    summary = capture(mirror)
    assert (actions(summary), summary.written) == ({"a": "restored"}, ())
    assert tree(repository) == before


def test_a_source_whose_address_changed_is_captured_anew_and_keeps_its_pin(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary]
) -> None:
    write_sources(repository, f"a,{BASE}a,A,Maker,,,,,")
    mirror = write_mirror(tmp_path / "m", {"a": A, "b": B})
    capture(mirror)
    write_sources(repository, f"a,{BASE}b,A,Maker,,,,{sha256_hex(A)},")
    assert actions(capture(mirror)) == {"a": "changed"}
    assert actions(capture(mirror)) == {"a": "kept"}
    assert pins(repository) == {"a": sha256_hex(A)}


def test_a_stand_in_gives_way_to_the_document_where_its_pin_was_taken_off(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary]
) -> None:
    line = f"a,{BASE}a,A,Maker,,,text/html,,"
    write_sources(repository, line)
    stand_in = write_mirror(tmp_path / "m", {"a": A}, via="stand-in")
    document = write_mirror(tmp_path / "n", {"a": B})
    capture(stand_in)
    assert actions(capture(document)) == {"a": "kept"}
    write_sources(repository, line)
    summary = capture(document)
    assert (actions(summary), summary.questions) == ({"a": "captured"}, ())
    assert pins(repository) == {"a": sha256_hex(B)}
    assert {row["sha256"]: row["via"] for row in rows(repository)} == {
        sha256_hex(A): "stand-in",
        sha256_hex(B): "mirror",
    }


def test_a_new_capture_of_a_source_without_a_pin_is_pinned_and_asks_nothing(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary]
) -> None:
    line = f"a,{BASE}a,A,Maker,,,text/html,,"
    write_sources(repository, line)
    capture(write_mirror(tmp_path / "m", {"a": A}))
    write_sources(repository, line)
    summary = capture(write_mirror(tmp_path / "n", {"a": B}), refresh=True)
    assert (actions(summary), summary.questions) == ({"a": "changed"}, ())
    assert pins(repository) == {"a": sha256_hex(B)}


def test_a_file_under_a_captures_name_with_other_bytes_is_told_and_left(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary]
) -> None:
    write_sources(repository, f"a,{BASE}a,A,Maker,,,,,", f"b,{BASE}b,B,Maker,,,,,")
    mirror = write_mirror(tmp_path / "m", {"a": A, "b": B})
    capture(mirror, sources=["b"])
    wrong = repository.capture_bytes("t", sha256_hex(B)) or b""
    repository.capture_path("t", sha256_hex(A)).write_bytes(wrong)
    summary = capture(mirror)
    assert actions(summary) == {"a": "failed", "b": "kept"}
    assert "does not hold what its name says" in summary.failed[0].note
    assert "does not hold what its name says" in summary.warnings[0]
    assert repository.capture_bytes("t", sha256_hex(A)) == wrong


@pytest.mark.parametrize("left", [0, 1, 2, 40, -1], ids=["nothing", "a byte", "its mark", "a part", "all but a byte"])
def test_a_capture_that_lost_power_left_cut_short_is_written_anew(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary], left: int
) -> None:
    write_sources(repository, f"a,{BASE}a,A,Maker,,,,,")
    mirror = write_mirror(tmp_path / "m", {"a": A})
    capture(mirror)
    whole = repository.capture_bytes("t", sha256_hex(A)) or b""
    (repository.root / "sources" / "captures.csv").unlink()
    write_sources(repository, f"a,{BASE}a,A,Maker,,,,,")
    repository.capture_path("t", sha256_hex(A)).write_bytes(whole[:left])
    assert actions(capture(mirror)) == {"a": "captured"}
    assert repository.capture_bytes("t", sha256_hex(A)) == whole


def test_a_broken_table_is_told_before_anything_is_fetched(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary]
) -> None:
    write_sources(repository, f"a,{BASE}a,A,Maker,,,,,")
    (repository.root / "sources" / "captures.csv").write_text("task,source,sha256,url\nt,a,not-a-digest,x\n")
    before = tree(repository)
    with pytest.raises(UnreadableInput, match=r"sources/captures\.csv:2"):
        capture(write_mirror(tmp_path / "m", {"a": A}))
    assert tree(repository) == before


def test_a_disk_that_takes_no_table_leaves_both_tables_and_the_next_run_goes_on(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary]
) -> None:
    write_sources(repository, f"a,{BASE}a,A,Maker,,,,,")
    before = tree(repository)
    mirror = write_mirror(tmp_path / "m", {"a": A})
    with pytest.MonkeyPatch.context() as patch:
        real = os.replace

        def replace(source: Path, target: Path) -> None:
            if str(target).endswith(".csv"):
                raise OSError(28, "No space left on device")
            real(source, target)

        patch.setattr(os, "replace", replace)
        with pytest.raises(DiskFailed, match="No space left on device"):
            capture(mirror)
    assert {name: data for name, data in tree(repository).items() if name.endswith(".csv")} == before
    summary = capture(mirror)
    assert summary.outcomes[0].note == "found from a run that was cut off"
    assert pins(repository) == {"a": sha256_hex(A)}


def test_a_document_is_captured_over_http(repository: Repository) -> None:
    with serving() as server:
        server.routes["/a"] = answer("302 Found", b"", "Location: /b")
        server.routes["/b"] = answer(
            "200 OK", gzip.compress(A, mtime=0), "Content-Type: text/html", "Content-Encoding: gzip"
        )
        server.routes["/c"] = answer("403 Forbidden")
        server.routes["/d"] = answer("200 OK", b"\x89PNG", "Content-Type: image/png")
        write_sources(repository, *(f"{name},{server.url}/{name},A,Maker,,,,," for name in "acd"))
        fetcher = HttpFetcher(allow_private=True, limits=Limits(pause=0))
        summary = capture_task(repository, "t", fetcher=fetcher, text_of=text_of)
        url = server.url
    assert actions(summary) == {"a": "captured", "c": "failed", "d": "failed"}
    assert {outcome.source: outcome.status for outcome in summary.failed} == {"c": "blocked", "d": "wrong_type"}
    row = rows(repository)[0]
    assert (row["url"], row["final_url"], row["status"], row["via"]) == (url + "/a", url + "/b", "redirected", "live")
    assert row["sha256"] == sha256_hex(A)


@pytest.mark.parametrize(
    ("name", "data", "media_type"),
    [
        ("report.pdf", b"%PDF-1.7 ...", "application/pdf"),
        ("report.html.gz", gzip.compress(A, mtime=0), "text/html"),
        ("report", b"<html>x", "text/html"),
        ("report", b"?", ""),
    ],
)
def test_a_file_is_taken_up_as_an_upload(
    repository: Repository, tmp_path: Path, name: str, data: bytes, media_type: str
) -> None:
    write_sources(repository, f"a,{BASE}a,A,Maker,,,,,")
    (tmp_path / name).write_bytes(data)
    summary = capture_file(repository, "t", "a", tmp_path / name, fetched_at="2024-06-30T10:00:00Z", text_of=text_of)
    body = gzip.decompress(data) if name.endswith(".gz") else data
    assert actions(summary) == {"a": "captured"}
    assert (rows(repository)[0]["via"], rows(repository)[0]["sha256"]) == ("upload", sha256_hex(body))
    assert rows(repository, "tasks/t/sources.csv")[0]["media_type"] == media_type


def test_a_file_that_is_not_the_declared_document_is_not_taken_up(repository: Repository, tmp_path: Path) -> None:
    write_sources(repository, f"a,{BASE}a,A,Maker,,,application/pdf,,")
    (tmp_path / "a.pdf").write_bytes(b"<html>sign in")
    summary = capture_file(repository, "t", "a", tmp_path / "a.pdf", fetched_at="2024-06-30", text_of=text_of)
    assert summary.failed[0].status == "wrong_type"
    assert repository.capture_names("t") == ()


@pytest.mark.parametrize(("data", "says"), [(b"", "the file is empty"), (b"no gzip", "cannot be unpacked")])
def test_a_file_that_is_no_document_is_told(repository: Repository, tmp_path: Path, data: bytes, says: str) -> None:
    write_sources(repository, f"a,{BASE}a,A,Maker,,,,,")
    (tmp_path / "a.html.gz").write_bytes(data or gzip.compress(b"", mtime=0))
    with pytest.raises(UnreadableInput, match=says):
        capture_file(repository, "t", "a", tmp_path / "a.html.gz", fetched_at="2024-06-30", text_of=text_of)


RUN = """
import sys
from pathlib import Path
from cellwright.authoring.captures.capture import capture_task
from cellwright.clients.mirror import Mirror
from cellwright.clients.repository import open_repository
mirror = Mirror(Path(sys.argv[2]))
capture_task(open_repository(Path(sys.argv[1])), "t", fetcher=mirror, text_of=lambda body, _: body.decode())
"""


def test_a_capture_killed_at_any_moment_is_finished_by_the_next_run_with_nothing_lost(
    repository: Repository, tmp_path: Path, capture: Callable[..., CaptureSummary]
) -> None:
    files = {f"s{number:02d}": f"<p>{number}</p>".encode() * 3000 for number in range(50)}
    mirror = write_mirror(tmp_path / "m", files)
    lines = [f"{name},{BASE}{name},A,Maker,,,,," for name in files]
    write_sources(repository, *lines)
    whole = subprocess.run(
        [sys.executable, "-c", RUN, str(repository.root), str(tmp_path / "m")], check=True, capture_output=True
    )
    assert whole.returncode == 0
    expected = tree(repository)
    for path in sorted((repository.root / "sources").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    write_sources(repository, *lines)
    moments = random.Random(7)
    for begun in (17, 49):  # So many captures are here when the kill comes.
        command = [sys.executable, "-c", RUN, str(repository.root), str(tmp_path / "m")]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            while len(repository.capture_names("t")) < begun and process.poll() is None:
                time.sleep(0.002)
            time.sleep(moments.uniform(0, 0.002))
            process.send_signal(signal.SIGKILL)
        assert begun <= len(repository.capture_names("t")) <= 50
        for name in repository.capture_names("t"):
            assert read_capture(repository.capture_bytes("t", name) or b"").sha256 == name
    summary = capture_task(repository, "t", fetcher=mirror, text_of=lambda body, _: body.decode())
    assert summary.failed == ()
    assert tree(repository) == expected

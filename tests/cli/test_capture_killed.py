"""A capture of many sources, killed, stopped, and run twice at once: nothing is lost, nothing is half-written."""

from __future__ import annotations

import csv
import hashlib
import io
import random
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.bench.page_server import page
from tests.cli.test_capture_statuses import repository
from tests.cli.workshop import environment, run
from tests.conftest import ROOT
from tests.loopback import answer
from tests.playing_host import DOCUMENT, HTML, Play, playing

BUSY = {"CELLWRIGHT_PAUSE": "0", "CELLWRIGHT_PER_HOST": "8", "CELLWRIGHT_ALLOW_PRIVATE": "1"}


@pytest.fixture(scope="module")
def pages() -> Iterator[str]:
    """The address of a server of small pages."""
    command = [sys.executable, "-m", "tests.bench.page_server"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdin is not None
        yield f"http://127.0.0.1:{server.stdout.readline().strip()}"
        server.stdin.close()


def asked(pages: str) -> int:
    """How many pages the server was asked for so far."""
    with urllib.request.urlopen(f"{pages}/asked") as answer:
        return int(answer.read())


def captures(root: Path) -> dict[str, bytes]:
    """Every capture's file by its name."""
    return {path.name: path.read_bytes() for path in (root / "sources" / "captures" / "t").glob("*.warc.gz")}


def rows(root: Path) -> list[dict[str, str]]:
    path = root / "sources" / "captures.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def bodies(root: Path) -> dict[str, bytes]:
    """The document of each capture by its address, as warcio reads it, every digest checked."""
    found: dict[str, bytes] = {}
    for name, data in captures(root).items():
        for record in ArchiveIterator(io.BytesIO(data), check_digests="raise"):
            body = record.content_stream().read()
            if record.rec_type == "response":
                stated = record.rec_headers.get_header("WARC-Payload-Digest")
                assert stated == f"sha256:{hashlib.sha256(body).hexdigest()}"
                assert name == f"{hashlib.sha256(body).hexdigest()}.warc.gz"
                found[record.rec_headers.get_header("WARC-Target-URI")] = body
    return found


def start(root: Path, **env: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "cellwright", "capture", "t"],
        cwd=root,
        env=environment({**BUSY, **env}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def kill_and_go_on(root: Path, pages: str, sources: int, chance: random.Random) -> int:
    """A run killed at a random moment and the next one to its end; gives how many captures the kill left."""
    repository(root, {str(number): f"{pages}/{number}" for number in range(sources)})
    wanted = chance.randrange(sources)  # So many captures are here when the kill comes, and a little more.
    with start(root) as process:
        while len(captures(root)) < wanted and process.poll() is None:
            time.sleep(0.002)
        time.sleep(chance.uniform(0, 0.02))
        process.kill()
    left = captures(root)
    for url, body in bodies(root).items():
        assert body == page(int(url.rpartition("/")[2]))
    assert {row["sha256"] for row in rows(root) if row["sha256"]} <= {name[:64] for name in left}
    before = asked(pages)
    again = run("capture", "t", cwd=root, env=BUSY)
    assert again.code == 0, again.err
    assert asked(pages) - before == sources - len(left), "only what is not held is asked for"
    after = captures(root)
    assert {name: after.get(name) for name in left} == left, "what was kept is there, byte for byte"
    found = bodies(root)
    assert found == {f"{pages}/{number}": page(number) for number in range(sources)}
    told = rows(root)
    assert len(told) == sources
    assert {f"{row['sha256']}.warc.gz" for row in told} == set(after)
    assert not [path for path in (root / "sources").rglob("*") if ".tmp-" in path.name]
    return len(left)


@pytest.mark.parametrize("seed", range(3))
def test_a_capture_killed_at_a_random_moment_is_finished_by_the_next_run(tmp_path: Path, pages: str, seed: int) -> None:
    kill_and_go_on(tmp_path / "r", pages, 120, random.Random(seed))


@pytest.mark.slow
def test_a_capture_of_500_sources_killed_at_50_random_moments_loses_nothing(tmp_path: Path, pages: str) -> None:
    chance = random.Random(20240630)
    left = [kill_and_go_on(tmp_path / str(number), pages, 500, chance) for number in range(50)]
    assert sum(0 < kept < 500 for kept in left) > 40, "the kills came in the midst of the work"


def test_a_capture_that_is_stopped_keeps_what_is_done_and_says_how_to_go_on(tmp_path: Path) -> None:
    with playing() as host:
        urls = {f"/{number}": f"{host.url}/{number}" for number in range(40)}
        for path in urls:
            host.more[path] = _document(path, 0.0 if int(path[1:]) < 5 else 0.5)
        repository(tmp_path / "r", urls)
        with start(tmp_path / "r", CELLWRIGHT_CONCURRENCY="4") as process:
            while len(captures(tmp_path / "r")) < 5 and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            told = process.communicate(timeout=120)[1].decode()
            code = process.returncode
        done = [row for row in rows(tmp_path / "r") if row["sha256"]]
        assert code == 130, told
        assert 0 < len(done) < 40
        assert f"t: stopped; {len(done)} of 40 sources are done and kept; `cellwright capture t` goes on" in told
        assert "Traceback" not in told
        for path in urls:
            host.more[path] = _document(path, 0)
        again = run("capture", "t", cwd=tmp_path / "r", env=BUSY)
    assert again.code == 0, again.err
    assert len(rows(tmp_path / "r")) == 40


def test_a_second_capture_in_a_repository_waits_for_the_first_and_no_row_is_lost(tmp_path: Path) -> None:
    with playing() as host:
        urls = {f"/{number}": f"{host.url}/{number}" for number in range(8)}
        for path in urls:
            host.more[path] = _document(path, 1.0)
        repository(tmp_path / "r", urls)
        with start(tmp_path / "r", CELLWRIGHT_PER_HOST="2") as process:
            while not host.asked and process.poll() is None:
                time.sleep(0.01)
            second = run("capture", "t", cwd=tmp_path / "r", env=BUSY)
            asked_meanwhile = len(host.asked)
            assert process.wait() == 0
    assert (second.code, len(second.sentences)) == (1, 1)
    assert "another capture is at work in this repository" in second.sentences[0]
    assert asked_meanwhile <= 9
    assert len(rows(tmp_path / "r")) == 8


def test_a_pipe_gets_no_progress_bar(tmp_path: Path, pages: str) -> None:
    repository(tmp_path / "r", {str(number): f"{pages}/{number}" for number in range(3)})
    done = run("capture", "t", cwd=tmp_path / "r", env=BUSY)
    assert (done.code, done.out, done.err) == (0, "", "t: 3 captured\n")


def _document(path: str, seconds: float) -> Play:
    def play(_: str, __: object) -> bytes:
        time.sleep(seconds)
        return answer("200 OK", DOCUMENT.replace(b"Report", path.encode()), HTML)

    return play

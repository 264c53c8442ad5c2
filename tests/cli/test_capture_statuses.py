"""Each status that a source can come to, through the command line, from a host that plays all of them."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from cellwright.authoring.captures.told import MENDS
from cellwright.clients.fetched import STATUSES
from cellwright.records.rows import Fact
from tests.cli.small_task import TASK, TASK_YAML
from tests.cli.workshop import Result, run
from tests.h2_host import serving_h2
from tests.loopback import answer
from tests.playing_host import DOCUMENT, PDF, PLAYS, SHORT, certificate, playing

SOURCE_HEAD = "id,url,title,publisher,published,accessed,media_type,capture"
IMPATIENT = {
    "CELLWRIGHT_PAUSE": "0",
    "CELLWRIGHT_PER_HOST": "8",
    "CELLWRIGHT_MAX_SECONDS": "3",
    "CELLWRIGHT_MAX_WAIT": "1",
}

EXPECTED = {
    "/ok": "ok",
    "/short": "ok",
    "/moved": "redirected",
    "/deflate": "ok",
    "/raw-deflate": "ok",
    "/gzip": "ok",
    "/chunked": "ok",
    "/too-little-stated": "ok",
    "/confirms": "ok",
    "/report.pdf": "ok",
    "/gone": "gone",
    "/gone-for-good": "gone",
    "/browsers-only": "blocked",
    "/unauthorized": "blocked",
    "/to-a-file": "blocked",
    "/challenge": "challenge",
    "/worded-challenge": "challenge",
    "/challenge-403": "challenge",
    "/challenge-by-header": "challenge",
    "/teaser": "paywalled",
    "/subscribe": "paywalled",
    "/sign-in": "paywalled",
    "/pay": "paywalled",
    "/large": "too_large",
    "/bomb": "too_large",
    "/login.pdf": "wrong_type",
    "/image": "wrong_type",
    "/br": "wrong_type",
    "/nothing": "wrong_type",
    "/drip": "timeout",
    "/circle": "unreachable",
    "/too-much-stated": "unreachable",
    "/broken-chunks": "unreachable",
    "/cut-chunks": "unreachable",
    "/garbage": "unreachable",
    "/fails": "unreachable",
}
"""What a host does, by its path, and the word for it. `rate_limited` holds a host up, so it has one of its own."""


@dataclass(frozen=True)
class Captured:
    """What one run of `capture` gave."""

    root: Path
    result: Result
    names: dict[str, str]

    def row(self, path: str) -> dict[str, str]:
        """The one line of captures.csv for the source of a path."""
        with (self.root / "sources" / "captures.csv").open(encoding="utf-8", newline="") as file:
            (row,) = [row for row in csv.DictReader(file) if row["source"] == self.names[path]]
        return row

    def records(self, path: str) -> list[tuple[str, dict[str, str], bytes]]:
        """Type, headers and payload of each record of a capture, as warcio reads it with digests checked."""
        name = f"{self.row(path)['sha256']}.warc.gz"
        data = (self.root / "sources" / "captures" / "t" / name).read_bytes()
        return [
            (record.rec_type, dict(record.rec_headers.headers), record.content_stream().read())
            for record in ArchiveIterator(io.BytesIO(data), check_digests="raise")
        ]


def repository(folder: Path, urls: dict[str, str]) -> dict[str, str]:
    """A repository whose one task `t` has a source for each address; gives the sources' ids by the same keys."""
    (folder / "tasks" / "t").mkdir(parents=True)
    (folder / "sources").mkdir()
    names = {path: f"s{number:03d}" for number, path in enumerate(urls)}
    lines = [f"{names[path]},{url},Report,Maker,2024-01-01,2024-01-02,," for path, url in urls.items()]
    files = {
        "sources.csv": "\n".join([SOURCE_HEAD, *lines, ""]),
        "task.yaml": TASK_YAML.replace(f"id: {TASK}\n", "id: t\n"),
        "facts.csv": ",".join(Fact.typed) + "\n",
        "cells.csv": "entity,dimension\n",
    }
    for name, text in files.items():
        (folder / "tasks" / "t" / name).write_text(text, encoding="utf-8")
    return names


def capture(folder: Path, urls: dict[str, str], *options: str, env: dict[str, str] | None = None) -> Captured:
    """`cellwright capture t --allow-private` in a new repository."""
    names = repository(folder, urls)
    done = run("capture", "t", "--allow-private", *options, cwd=folder, env={**IMPATIENT, **(env or {})})
    return Captured(folder, done, names)


@pytest.fixture(scope="module")
def captured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Captured]:
    with playing() as host:
        yield capture(tmp_path_factory.mktemp("statuses"), {path: host.url + path for path in EXPECTED})


@pytest.mark.parametrize("path", sorted(EXPECTED))
def test_what_a_host_does_has_its_word_in_the_table(captured: Captured, path: str) -> None:
    row = captured.row(path)
    usable = EXPECTED[path] in ("ok", "redirected")
    assert row["status"] == EXPECTED[path], captured.result.err
    assert (row["via"], bool(row["sha256"]), row["url"].endswith(path)) == ("live", usable, True)
    assert row["fetched"].endswith("Z")


def test_a_run_with_unusable_sources_ends_with_1_and_says_which_and_how_to_mend_each(captured: Captured) -> None:
    assert captured.result.code == 1
    assert captured.result.out == ""
    lines = captured.result.err.splitlines()
    for path, status in EXPECTED.items():
        told = [line for line in lines if line.startswith(f"{status} ") and captured.names[path] in line]
        assert len(told) <= 1
        assert bool(told) == (status not in ("ok", "redirected")), path
    for status in set(EXPECTED.values()) - {"ok", "redirected"}:
        assert any(MENDS[status][:40].split(" `")[0] in line for line in lines if "to mend:" in line), status
    assert lines[-1].startswith("t: 10 captured, ")


def test_every_status_without_a_document_has_a_mend_and_every_mend_a_place_in_the_guidelines(root: Path) -> None:
    page = (root / "guidelines" / "capturing.md").read_text(encoding="utf-8")
    assert set(STATUSES) - {"ok", "redirected", "not_modified"} == set(MENDS) - {"absent"}
    for status in STATUSES:
        assert f"| `{status}` |" in page, status


def test_the_bytes_kept_are_those_that_were_sent(captured: Captured) -> None:
    for path in ("/ok", "/moved", "/deflate", "/raw-deflate", "/gzip", "/chunked", "/too-little-stated"):
        payloads = [payload for kind, _, payload in captured.records(path) if kind == "response"]
        assert payloads[-1] == DOCUMENT, path
    assert captured.records("/report.pdf")[0][2] == PDF
    assert captured.records("/short")[0][2] == SHORT


def test_redirects_stand_in_the_record_hop_by_hop(captured: Captured, tmp_path: Path) -> None:
    with playing() as host:
        moved = capture(tmp_path / "moved", {"/moved": f"{host.url}/moved"})
    records = moved.records("/moved")
    assert [kind for kind, _, _ in records] == ["response", "request"] * 3
    assert [headers["WARC-Target-URI"].removeprefix(host.url) for _, headers, _ in records[::2]] == [
        "/moved",
        "/moved/again",
        "/ok",
    ]
    assert moved.row("/moved")["final_url"] == f"{host.url}/ok"


@pytest.mark.parametrize("path", ["/later", "/later-by-date"])
def test_a_host_that_asks_for_patience_is_not_asked_again_in_this_run(tmp_path: Path, path: str) -> None:
    with playing() as host:
        later = capture(
            tmp_path / "r", {path: host.url + path, "/ok": f"{host.url}/ok"}, env={"CELLWRIGHT_PER_HOST": "1"}
        )
        assert [later.row(name)["status"] for name in (path, "/ok")] == ["rate_limited", "rate_limited"]
        assert host.paths() == ["/robots.txt", path]
    assert "run it again later" in later.result.err


def test_an_address_of_this_machine_is_blocked_unless_it_is_allowed(tmp_path: Path) -> None:
    with playing() as host:
        names = repository(tmp_path / "r", {"/ok": f"{host.url}/ok"})
        done = run("capture", "t", cwd=tmp_path / "r", env=IMPATIENT)
        assert host.asked == []
    assert Captured(tmp_path / "r", done, names).row("/ok")["status"] == "blocked"
    assert "127.0.0.1 is not a public address" in done.err


def test_a_name_that_nobody_has_is_a_dns_error(tmp_path: Path) -> None:
    done = capture(tmp_path / "r", {"x": "http://no-such-name.invalid/report"})
    assert (done.row("x")["status"], done.result.code) == ("dns_error", 1)


@pytest.mark.parametrize(
    ("name", "days", "trusted", "says"),
    [
        ("IP:127.0.0.1", 2, False, "self-signed certificate"),
        ("IP:127.0.0.1", -1, True, "certificate has expired"),
        ("DNS:other.example", 2, True, "IP address mismatch"),
    ],
)
def test_a_certificate_that_is_not_in_order_is_a_tls_error(
    tmp_path: Path, name: str, days: int, trusted: bool, says: str
) -> None:
    made = certificate(tmp_path / "tls", name, days)
    env = {"SSL_CERT_FILE": str(made.cert)} if trusted else {}
    with playing(made.context()) as host:
        done = capture(tmp_path / "r", {"/ok": f"{host.url}/ok"}, env=env)
    assert (done.row("/ok")["status"], done.result.code) == ("tls_error", 1)
    assert says in done.result.err


def test_a_host_that_speaks_http_2_is_captured_in_it_and_its_record_says_so(tmp_path: Path) -> None:
    made = certificate(tmp_path / "tls", "IP:127.0.0.1")
    packed = gzip.compress(DOCUMENT * 40, mtime=0)
    with serving_h2(made.context("h2", "http/1.1")) as host:
        host.pages["/a"] = (301, [("location", "/b")], b"")
        host.pages["/b"] = (200, [("content-type", "text/html"), ("content-encoding", "gzip")], packed)
        done = capture(tmp_path / "r", {"/a": f"{host.url}/a"}, env={"SSL_CERT_FILE": str(made.cert)})
        asked = host.asked
    assert done.result.code == 0, done.result.err
    assert done.row("/a")["status"] == "redirected"
    assert [path for _, path, _ in asked] == ["/robots.txt", "/a", "/b"]
    assert len({connection for connection, _, _ in asked}) == 1, "one connection serves them all"
    assert not {"cookie", "connection"} & set(asked[-1][2])
    records = done.records("/a")
    assert [headers.get("WARC-Protocol") for kind, headers, _ in records if kind == "response"] == ["h2", "h2"]
    assert records[2][2] == DOCUMENT * 40


def test_an_http_2_host_that_talks_nonsense_is_unreachable(tmp_path: Path) -> None:
    made = certificate(tmp_path / "tls", "IP:127.0.0.1")
    with serving_h2(made.context("h2")) as host:
        host.garbage = True
        done = capture(tmp_path / "r", {"/a": f"{host.url}/a"}, env={"SSL_CERT_FILE": str(made.cert)})
    assert (done.row("/a")["status"], done.result.code) == ("unreachable", 1)
    assert "Traceback" not in done.result.err


def test_a_document_that_is_still_the_one_is_not_modified(tmp_path: Path) -> None:
    with playing() as host:
        first = capture(tmp_path / "r", {"/confirms": f"{host.url}/confirms"})
        assert first.result.code == 0, first.result.err
        again = run("capture", "t", "--allow-private", "--refresh", cwd=first.root, env=IMPATIENT)
        assert 'If-None-Match: "v1"' in host.asked[-1]
        assert "If-Modified-Since: Sun, 30 Jun 2024 12:00:00 GMT" in host.asked[-1]
    assert (again.code, again.err) == (0, "t: 1 same (1 not_modified)\n")
    with (first.root / "sources" / "captures.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {(row["status"], bool(row["sha256"])) for row in rows} == {("not_modified", False), ("ok", True)}


def test_a_document_that_is_gone_when_asked_again_stays_held_and_pinned(tmp_path: Path) -> None:
    with playing() as host:
        host.more["/report"] = PLAYS["/ok"]
        first = capture(tmp_path / "r", {"/report": f"{host.url}/report"})
        sources = first.root / "tasks" / "t" / "sources.csv"
        pinned = sources.read_bytes()
        host.more["/report"] = PLAYS["/gone"]
        again = run("capture", "t", "--allow-private", "--refresh", cwd=first.root, env=IMPATIENT)
    assert again.code == 1
    assert sources.read_bytes() == pinned
    with (first.root / "sources" / "captures.csv").open(encoding="utf-8", newline="") as file:
        assert {(row["status"], bool(row["sha256"])) for row in csv.DictReader(file)} == {("ok", True), ("gone", False)}
    kept = run("capture", "t", "--allow-private", cwd=first.root, env=IMPATIENT)
    assert (kept.code, kept.err) == (0, "t: 1 kept\n"), "what is held is not asked for again"


@pytest.mark.parametrize(
    ("options", "env", "status"),
    [((), {}, "blocked"), (("--ignore-robots",), {}, "ok"), ((), {"CELLWRIGHT_IGNORE_ROBOTS": "1"}, "ok")],
)
def test_robots_txt_is_kept_to_unless_it_is_set_aside_which_the_record_says(
    tmp_path: Path, options: tuple[str, ...], env: dict[str, str], status: str
) -> None:
    with playing() as host:
        host.robots = answer("200 OK", b"User-agent: *\nDisallow: /ok\n")
        done = capture(tmp_path / "r", {"/ok": f"{host.url}/ok"}, *options, env=env)
        assert ("/robots.txt" in host.paths()) == (status == "blocked")
    assert done.row("/ok")["status"] == status
    if status == "ok":
        assert [headers.get("Cellwright-Robots") for _, headers, _ in done.records("/ok")] == ["overridden", None]
    else:
        assert "the robots.txt of 127.0.0.1 does not allow it" in done.result.err


def test_a_source_that_comes_after_all_leaves_no_word_of_its_failure(tmp_path: Path) -> None:
    with playing() as host:
        host.more["/late"] = PLAYS["/fails"]
        first = capture(tmp_path / "r", {"/late": f"{host.url}/late"})
        assert first.row("/late")["status"] == "unreachable"
        host.more["/late"] = PLAYS["/ok"]
        again = run("capture", "t", "--allow-private", cwd=first.root, env=IMPATIENT)
    assert again.code == 0, again.err
    assert (first.row("/late")["status"], bool(first.row("/late")["sha256"])) == ("ok", True)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("CELLWRIGHT_PAUSE", "-1"),
        ("CELLWRIGHT_PAUSE", "nan"),
        ("CELLWRIGHT_CONCURRENCY", "0"),
        ("CELLWRIGHT_PER_HOST", "many"),
        ("CELLWRIGHT_MAX_SECONDS", "1e9"),
        ("CELLWRIGHT_CONTACT", "a(b"),
    ],
)
def test_a_setting_out_of_its_bounds_is_told_in_one_sentence(tmp_path: Path, setting: str, value: str) -> None:
    repository(tmp_path / "r", {"x": "http://127.0.0.1:9/"})
    done = run("capture", "t", cwd=tmp_path / "r", env={setting: value})
    assert (done.code, len(done.sentences)) == (2, 1), done.err
    assert value in done.sentences[0]

"""robots.txt is asked once, kept to, bounded, and set aside only with a word in the record."""

from __future__ import annotations

import gzip
import io
import socket
from collections.abc import Iterator

import pytest
from warcio.archiveiterator import ArchiveIterator

from cellwright.clients.fetched import Fetched
from cellwright.clients.http import HttpFetcher, Limits
from cellwright.clients.robots import MAX_DELAY, MAX_ROBOTS, Rules
from cellwright.clients.warc import read_capture, write_capture
from tests.loopback import answer
from tests.playing_host import HTML, PlayingHost, playing

LIMITS = Limits(max_seconds=5, max_silence=1, max_tries=1, pause=0)
NOBODY = answer("200 OK", b"User-agent: *\nDisallow: /\n")


@pytest.fixture
def host() -> Iterator[PlayingHost]:
    with playing() as running:
        yield running


def fetch(host: PlayingHost, path: str = "/ok", *, ignore_robots: bool = False) -> Fetched:
    fetcher = HttpFetcher(allow_private=True, limits=LIMITS, ignore_robots=ignore_robots)
    try:
        return fetcher.fetch(host.url + path)
    finally:
        fetcher.close()


def _hang(_: str, connection: socket.socket) -> bytes:
    connection.settimeout(3)
    connection.recv(1)
    return b""


@pytest.mark.parametrize(
    ("robots", "status"),
    [
        (answer("404 Not Found"), "ok"),
        (answer("403 Forbidden"), "ok"),
        (answer("401 Unauthorized"), "ok"),
        (answer("429 Too Many Requests"), "ok"),
        (answer("200 OK", b""), "ok"),
        (answer("200 OK", b"<!DOCTYPE html><html>a page</html>", HTML), "ok"),
        (answer("200 OK", b"\xff\xfe\x00\x01" * 100), "ok"),
        (answer("200 OK", b"User-agent: *\nDisallow:\n"), "ok"),
        (answer("200 OK", b"User-agent: *\nDisallow: /private\n"), "ok"),
        (answer("200 OK", b"User-agent: *\nDisallow: /\nAllow: /ok\n"), "ok"),
        (answer("200 OK", b"User-agent: others\nDisallow: /\n"), "ok"),
        (answer("200 OK", b"User-agent: *\nDisallow: /\n\nUser-agent: Cellwright\nAllow: /\n"), "ok"),
        (answer("302 Found", b"", "Location: /robots.txt"), "ok"),
        (NOBODY, "blocked"),
        (answer("200 OK", b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /ok # not this\r\n"), "blocked"),
        (answer("200 OK", b"User-agent: *\nDisallow: /*k$\n"), "blocked"),
        (answer("200 OK", b"User-agent: cellwright/1.0\nDisallow: /\n"), "blocked"),
        (answer("200 OK", b"User-agent: others\nUser-agent: CELLWRIGHT\nDisallow: /\n"), "blocked"),
        (
            answer("200 OK", gzip.compress(b"User-agent: *\nDisallow: /\n", mtime=0), "Content-Encoding: gzip"),
            "blocked",
        ),
        (answer("500 Internal Server Error"), "blocked"),
        (answer("503 Service Unavailable"), "blocked"),
        (b"no http at all\r\n\r\n", "unreachable"),
        (_hang, "timeout"),
    ],
)
def test_a_page_is_fetched_where_robots_txt_allows_it(host: PlayingHost, robots: object, status: str) -> None:
    host.robots = robots  # type: ignore[assignment]
    fetched = fetch(host)
    assert fetched.status == status, fetched.note
    assert ("/ok" in host.paths()) == (status == "ok"), "what is not allowed is not asked for"
    assert ("robots.txt" in fetched.note) == (status != "ok")


def test_robots_txt_is_asked_once_a_host_and_run(host: PlayingHost) -> None:
    fetcher = HttpFetcher(allow_private=True, limits=LIMITS)
    for _ in range(3):
        assert fetcher.fetch(f"{host.url}/ok").status == "ok"
    fetcher.close()
    assert host.paths() == ["/robots.txt", "/ok", "/ok", "/ok"]


def test_five_redirects_of_a_robots_txt_are_followed_and_no_more(host: PlayingHost) -> None:
    for last, status in ((5, "blocked"), (6, "ok")):
        host.robots = answer("301 Moved", b"", "Location: /r1")
        for number in range(1, last):
            host.more[f"/r{number}"] = answer("301 Moved", b"", f"Location: /r{number + 1}")
        host.more[f"/r{last}"] = NOBODY
        assert fetch(host).status == status


def test_a_redirect_to_a_host_that_does_not_allow_it_is_not_followed(host: PlayingHost) -> None:
    with playing() as other:
        other.robots = NOBODY
        host.more["/away"] = answer("302 Found", b"", f"Location: {other.url}/ok")
        fetched = fetch(host, "/away")
        assert (fetched.status, len(fetched.hops)) == ("blocked", 1)
        assert other.paths() == ["/robots.txt"]


def test_what_stands_beyond_500_kib_is_not_read(host: PlayingHost) -> None:
    filler = b"# a long remark\n" * (MAX_ROBOTS // 16)
    assert len(filler) == MAX_ROBOTS
    host.robots = answer("200 OK", filler + b"User-agent: *\nDisallow: /\n")
    assert fetch(host).status == "ok"
    host.robots = answer("200 OK", b"User-agent: *\nDisallow: /\n" + filler)
    assert fetch(host).status == "blocked"


def test_robots_txt_may_be_set_aside_and_the_record_says_so(host: PlayingHost) -> None:
    host.robots = NOBODY
    fetched = fetch(host, ignore_robots=True)
    assert (fetched.status, host.paths()) == ("ok", ["/ok"])
    data = write_capture(fetched)
    assert read_capture(data).robots == "overridden"
    records = [record.rec_headers.get_header("Cellwright-Robots") for record in ArchiveIterator(io.BytesIO(data))]
    assert records == ["overridden", None]
    host.robots = answer("404 Not Found")
    assert b"Cellwright-Robots" not in gzip.decompress(write_capture(fetch(host)))


@pytest.mark.parametrize(("text", "delay"), [("2", 2), ("0.5", 0.5), ("86400", MAX_DELAY), ("-1", 0), ("soon", 0)])
def test_a_crawl_delay_is_kept_to_within_bounds(text: str, delay: float) -> None:
    assert Rules(f"User-agent: *\nCrawl-delay: {text}\n").crawl_delay == delay


def test_a_crawl_delay_makes_the_pauses_longer(host: PlayingHost) -> None:
    waits: list[float] = []
    host.robots = answer("200 OK", b"User-agent: *\nCrawl-delay: 7\n")
    fetcher = HttpFetcher(allow_private=True, limits=LIMITS, sleep=waits.append)
    fetcher.fetch(f"{host.url}/ok")
    fetcher.fetch(f"{host.url}/short")
    fetcher.close()
    assert [round(wait) for wait in waits] == [7]


@pytest.mark.parametrize(
    "text",
    [
        "User-agent: *\nDisallow: /" + "a*" * 200_000 + "b\n",
        "User-agent: *\n" + "Disallow: /a*b$\n" * 30_000,
        "".join(f"User-agent: b{number}\n" for number in range(12_000)) + "Disallow: /x\n" * 12_000,
        "user agent b\n" * 20_000 + "Disallow: /x\n" * 12_000,
        "Crawl-delay: nan\nUser-agent: *\nCrawl-delay: inf\nRequest-rate: 1/0\nVisit-time: x\n",
        "\0" * 100_000,
    ],
)
def test_a_hostile_robots_txt_costs_little(text: str) -> None:
    assert isinstance(Rules(text).allows("http://reports.example/" + "a" * 3_000), bool)

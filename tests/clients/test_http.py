"""HTTP over loopback: every outcome has its word, nothing is waited for or read without a bound."""

from __future__ import annotations

import gzip
import random
import socket
import ssl
import subprocess
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cellwright.clients.fetched import Fetched
from cellwright.clients.http import HttpFetcher, Limits, checked_url, retry_after, user_agent
from cellwright.records.errors import UnreadableInput
from tests.loopback import Server, answer, serving

NOW = "2024-06-30T12:00:00Z"
HTML = "Content-Type: text/html; charset=utf-8"
LIMITS = Limits(max_bytes=100_000, max_seconds=5, max_silence=2, pause=0)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def fetch(server: Server, waits: list[float]) -> Callable[..., Fetched]:
    def run(path: str = "/", limits: Limits = LIMITS, allow_private: bool = True) -> Fetched:
        fetcher = HttpFetcher(
            contact="data@example.org",
            allow_private=allow_private,
            limits=limits,
            ignore_robots=True,
            clock=lambda: NOW,
            sleep=waits.append,
            chance=random.Random(3),
        )
        return fetcher.fetch(path if path.startswith("http") else server.url + path)

    return run


def test_a_document_comes_with_its_record(server: Server, fetch: Callable[..., Fetched]) -> None:
    server.routes["/a?b=1"] = answer("200 OK", b"<p>1</p>", HTML, "X-Y: z")
    fetched = fetch("/a?b=1#part")
    assert (fetched.status, fetched.http_status, fetched.body, fetched.payload) == ("ok", 200, b"<p>1</p>", b"<p>1</p>")
    assert (fetched.url, fetched.final_url) == (server.url + "/a?b=1#part", server.url + "/a?b=1")
    assert (fetched.fetched_at, fetched.via, fetched.media_type, fetched.hops) == (NOW, "live", "text/html", ())
    assert ("X-Y", "z") in fetched.headers


def test_the_request_says_who_asks_and_carries_no_cookie(server: Server, fetch: Callable[..., Fetched]) -> None:
    server.routes["/"] = answer("302 Found", b"", "Location: /b", "Set-Cookie: id=1; Path=/")
    server.routes["/b"] = answer("200 OK", b"x", HTML)
    fetched = fetch()
    assert all("User-Agent: cellwright/0" in head and "(+data@example.org)" in head for head in server.asked)
    assert not any("cookie" in head.lower() for head in server.asked)
    assert f"Host: 127.0.0.1:{server.port}" in server.asked[0]
    assert ("Accept-Encoding", "gzip, deflate") in fetched.request_headers


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("203 Non-Authoritative Information", "ok"),
        ("204 No Content", "wrong_type"),
        ("206 Partial Content", "wrong_type"),
        ("400 Bad Request", "blocked"),
        ("401 Unauthorized", "blocked"),
        ("403 Forbidden", "blocked"),
        ("404 Not Found", "gone"),
        ("410 Gone", "gone"),
        ("451 Unavailable For Legal Reasons", "blocked"),
        ("429 Too Many Requests", "rate_limited"),
        ("500 Internal Server Error", "unreachable"),
        ("503 Service Unavailable", "unreachable"),
        ("304 Not Modified", "unreachable"),
        ("302 Found", "unreachable"),
    ],
)
def test_each_status_has_its_outcome(server: Server, fetch: Callable[..., Fetched], status: str, outcome: str) -> None:
    server.routes["/"] = answer(status, b"" if status[:3] in ("204", "304") else b"text", HTML)
    fetched = fetch()
    assert (fetched.status, fetched.http_status) == (outcome, int(status[:3]))
    assert fetched.body == (b"text" if outcome == "ok" else b"")
    assert bool(fetched.note) == (outcome != "ok")


def test_redirects_are_followed_and_recorded_hop_by_hop(server: Server, fetch: Callable[..., Fetched]) -> None:
    server.routes["/"] = answer("301 Moved Permanently", b"moved", "Location: /b#top")
    server.routes["/b"] = answer("307 Temporary Redirect", b"", f"Location: {server.url}/c/d")
    server.routes["/c/d"] = answer("303 See Other", b"", "Location: ../ü?q=ä")
    server.routes["/%C3%BC?q=%C3%A4"] = answer("200 OK", b"x", HTML)
    fetched = fetch()
    assert (fetched.status, fetched.final_url) == ("redirected", server.url + "/%C3%BC?q=%C3%A4")
    assert [(hop.url.removeprefix(server.url), hop.http_status) for hop in fetched.hops] == [
        ("/", 301),
        ("/b", 307),
        ("/c/d", 303),
    ]


def test_a_redirect_loop_ends(server: Server, fetch: Callable[..., Fetched]) -> None:
    server.routes["/"] = answer("302 Found", b"", "Location: /")
    fetched = fetch()
    assert (fetched.status, fetched.note) == ("unreachable", f"its redirects lead in a circle, back to {server.url}/")
    assert len(server.asked) == 1


def test_redirects_without_end_are_given_up(server: Server, fetch: Callable[..., Fetched]) -> None:
    for number in range(12):
        server.routes[f"/{number}"] = answer("302 Found", b"", f"Location: /{number + 1}")
    fetched = fetch("/0")
    assert (fetched.status, fetched.note) == ("unreachable", "more than 10 redirects follow each other")
    assert len(server.asked) == 11


@pytest.mark.parametrize(
    "location", ["file:///etc/passwd", "ftp://example.com/a", "javascript:alert(1)", "http://user:secret@example.com/"]
)
def test_a_redirect_to_what_is_not_followed_is_blocked(
    server: Server, fetch: Callable[..., Fetched], location: str
) -> None:
    server.routes["/"] = answer("302 Found", b"", f"Location: {location}")
    fetched = fetch()
    assert fetched.status == "blocked"
    assert "not followed" in fetched.note


def test_a_redirect_to_a_private_address_is_blocked(
    server: Server, fetch: Callable[..., Fetched], monkeypatch: pytest.MonkeyPatch
) -> None:
    from cellwright.clients import guard

    real = guard.refusal
    # The test's own server is let through, as if it were public; what it redirects to is not.
    monkeypatch.setattr(guard, "refusal", lambda address, allow: real(address, allow or address == "127.0.0.1"))
    server.routes["/"] = answer("302 Found", b"", f"Location: http://127.0.0.9:{server.port}/secret")
    server.routes["/secret"] = answer("200 OK", b"secret")
    fetched = fetch(allow_private=False)
    assert (fetched.status, fetched.note) == ("blocked", "127.0.0.9 is not a public address")
    assert len(server.asked) == 1


def test_a_private_address_is_blocked_unless_allowed(server: Server, fetch: Callable[..., Fetched]) -> None:
    server.routes["/"] = answer("200 OK", b"x")
    assert fetch(allow_private=False).status == "blocked"
    assert server.asked == []


def test_an_answer_of_429_is_asked_again_after_the_time_it_names(
    server: Server, fetch: Callable[..., Fetched], waits: list[float]
) -> None:
    server.routes["/"] = [answer("429 Too Many Requests", b"", "Retry-After: 2"), answer("200 OK", b"x", HTML)]
    assert fetch().status == "ok"
    assert [round(wait, 2) for wait in waits] == [2.0]


def test_tries_are_bounded_and_their_waits_grow(
    server: Server, fetch: Callable[..., Fetched], waits: list[float]
) -> None:
    server.routes["/"] = answer("503 Service Unavailable")
    assert fetch().status == "unreachable"
    assert len(server.asked) == 3
    assert 0.25 <= waits[0] <= 0.5 <= waits[1] <= 1.0
    before = list(waits)
    waits.clear()
    fetch()
    assert waits == before, "the same seed draws the same waits"


@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Service Unavailable"])
def test_a_wait_that_is_too_long_is_not_begun(
    server: Server, fetch: Callable[..., Fetched], waits: list[float], status: str
) -> None:
    server.routes["/"] = answer(status, b"", "Retry-After: 3600")
    assert fetch().status == "rate_limited"
    assert (len(server.asked), waits) == (1, [])


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("5", 5),
        ("", 0),
        ("soon", 0),
        ("-1", 0),
        ("99999999999999999999", 999999999),
        ("Sun, 30 Jun 2024 12:00:30 GMT", 30),
        ("Sun, 30 Jun 2024 11:00:00 GMT", 0),
        ("٣", 0),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(text: str, seconds: float) -> None:
    assert retry_after((("retry-after", text),), NOW) == seconds


def test_a_document_that_is_stated_as_too_large_is_not_read(server: Server, fetch: Callable[..., Fetched]) -> None:
    server.routes["/"] = answer("200 OK", b"x", HTML, length=100_001)
    assert fetch().status == "too_large"


def test_a_document_that_grows_too_large_is_given_up(server: Server, fetch: Callable[..., Fetched]) -> None:
    def endless(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        while True:
            connection.sendall(b"x" * 10_000)

    server.routes["/"] = endless
    fetched = fetch()
    assert (fetched.status, fetched.body) == ("too_large", b"")
    assert "larger than 100000 bytes" in fetched.note


def test_a_gzip_bomb_is_too_large(server: Server, fetch: Callable[..., Fetched]) -> None:
    bomb = gzip.compress(b"\0" * 20_000_000, mtime=0)
    server.routes["/"] = answer("200 OK", bomb, HTML, "Content-Encoding: gzip")
    assert len(bomb) < LIMITS.max_bytes
    assert fetch().status == "too_large"


@pytest.mark.parametrize(
    ("coding", "packed"), [("gzip", gzip.compress(b"text", mtime=0)), ("deflate", zlib.compress(b"text"))]
)
def test_a_content_coding_is_undone_in_the_body_and_kept_in_the_payload(
    server: Server, fetch: Callable[..., Fetched], coding: str, packed: bytes
) -> None:
    server.routes["/"] = answer("200 OK", packed, HTML, f"Content-Encoding: {coding}")
    fetched = fetch()
    assert (fetched.body, fetched.payload) == (b"text", packed)


@pytest.mark.parametrize(("coding", "says"), [("br", "content coding `br` is unknown"), ("gzip", "not gzip")])
def test_a_coding_that_cannot_be_undone_is_a_wrong_type(
    server: Server, fetch: Callable[..., Fetched], coding: str, says: str
) -> None:
    server.routes["/"] = answer("200 OK", b"text", HTML, f"Content-Encoding: {coding}")
    fetched = fetch()
    assert fetched.status == "wrong_type"
    assert says in fetched.note


def test_an_empty_document_is_a_wrong_type(server: Server, fetch: Callable[..., Fetched]) -> None:
    server.routes["/"] = answer("200 OK", b"", HTML)
    assert (fetch().status, fetch().note) == ("wrong_type", "the answer is empty")


def test_chunks_are_joined(server: Server, fetch: Callable[..., Fetched]) -> None:
    server.routes["/"] = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/html\r\n\r\n"
        b"3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n"
    )
    assert fetch().payload == b"abcdefg"


def test_an_answer_cut_short_is_unreachable_and_asked_again(server: Server, fetch: Callable[..., Fetched]) -> None:
    server.routes["/"] = answer("200 OK", b"half", HTML, length=8)
    fetched = fetch()
    assert (fetched.status, fetched.body) == ("unreachable", b"")
    assert len(server.asked) == 3


def test_no_more_is_read_than_the_stated_length(server: Server, fetch: Callable[..., Fetched]) -> None:
    server.routes["/"] = answer("200 OK", b"text and more", HTML, length=4)
    assert fetch().body == b"text"


@pytest.mark.parametrize("drip", [b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"])
def test_a_slow_drip_ends_at_the_deadline(server: Server, fetch: Callable[..., Fetched], drip: bytes) -> None:
    stop = threading.Event()

    def slowly(connection: socket.socket) -> None:
        connection.sendall(drip)
        while not stop.wait(0.05):
            connection.sendall(b"x")

    server.routes["/"] = slowly
    assert fetch(limits=Limits(max_seconds=0.6, max_silence=5, pause=0)).status == "timeout"
    stop.set()


def test_silence_is_a_timeout(server: Server, fetch: Callable[..., Fetched]) -> None:
    stop = threading.Event()

    def wait(connection: socket.socket) -> None:
        stop.wait(10)

    server.routes["/"] = wait
    assert fetch(limits=Limits(max_silence=0.2, pause=0)).status == "timeout"
    stop.set()


@pytest.mark.parametrize(
    "garbage",
    [
        b"",
        b"no http at all\r\n\r\n",
        b"HTTP/1.1 999999 X\r\n\r\n",
        b"\0" * 200,
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 40_000,
        b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    ],
)
def test_garbage_is_unreachable(server: Server, fetch: Callable[..., Fetched], garbage: bytes) -> None:
    server.routes["/"] = garbage
    assert fetch().status == "unreachable"


def test_a_closed_port_is_unreachable(fetch: Callable[..., Fetched]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert fetch(f"http://127.0.0.1:{port}/").status == "unreachable"


def test_an_unknown_name_is_a_dns_error(fetch: Callable[..., Fetched], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    fetched = fetch("http://no-such-name.invalid/")
    assert fetched.status == "dns_error"
    assert fetched.note == "the name no-such-name.invalid cannot be resolved (Name or service not known)"


def test_a_server_without_tls_is_a_tls_error(server: Server, fetch: Callable[..., Fetched]) -> None:
    def speak(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    server._handle = speak  # type: ignore[method-assign]
    assert fetch(server.url.replace("http:", "https:")).status == "tls_error"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate that nobody but the test trusts, for the name reports.example."""
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=reports.example",
            "-addext",
            "subjectAltName=DNS:reports.example",
            "-keyout",
            str(folder / "key.pem"),
            "-out",
            str(folder / "cert.pem"),
        ],
        check=True,
        capture_output=True,
    )
    return folder


@pytest.fixture
def secure_server(certificate: Path) -> Iterator[Server]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    with serving(context) as running:
        yield running


def test_a_certificate_that_is_not_trusted_is_a_tls_error(secure_server: Server, fetch: Callable[..., Fetched]) -> None:
    fetched = fetch(secure_server.url + "/")
    assert fetched.status == "tls_error"
    assert "self-signed certificate" in fetched.note


@pytest.mark.parametrize(("name", "status"), [("reports.example", "ok"), ("other.example", "tls_error")])
def test_the_certificate_is_checked_against_the_name_and_not_the_pinned_address(
    secure_server: Server, certificate: Path, monkeypatch: pytest.MonkeyPatch, name: str, status: str
) -> None:
    from cellwright.clients import guard

    monkeypatch.setattr(guard, "resolve", lambda *_: ["127.0.0.1"])
    secure_server.routes["/"] = answer("200 OK", b"x", HTML)
    context = ssl.create_default_context(cafile=str(certificate / "cert.pem"))
    fetcher = HttpFetcher(allow_private=True, ignore_robots=True, limits=LIMITS, ssl_context=context, clock=lambda: NOW)
    assert fetcher.fetch(f"https://{name}:{secure_server.port}/").status == status
    if status == "ok":
        assert f"Host: {name}:{secure_server.port}" in secure_server.asked[0]


def test_a_host_is_asked_twice_at_a_time_at_most(server: Server) -> None:
    running, most, lock = [0], [0], threading.Lock()

    def slowly(connection: socket.socket) -> None:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.05)
        with lock:
            running[0] -= 1
        connection.sendall(answer("200 OK", b"x"))

    server.routes["/"] = slowly
    fetcher = HttpFetcher(allow_private=True, ignore_robots=True, limits=LIMITS)
    threads = [threading.Thread(target=fetcher.fetch, args=(server.url + "/",)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most[0] == 2
    assert len(server.asked) == 6


def test_questions_to_one_host_are_spaced(server: Server, waits: list[float]) -> None:
    server.routes["/"] = answer("200 OK", b"x")
    fetcher = HttpFetcher(allow_private=True, ignore_robots=True, limits=Limits(pause=60), sleep=waits.append)
    fetcher.fetch(server.url + "/")
    fetcher.fetch(server.url + "/")
    assert [round(wait) for wait in waits] == [60]


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("ftp://example.com/a", "begins with http:// or https://"),
        ("example.com", "begins with http:// or https://"),
        ("http:///a", "names a host"),
        ("http://user:secret@example.com/", "without a user name"),
        ("http://example.com/" + "a" * 4000, "at most 4000"),
        ("http://exa mple.com/", "a host and a port that can exist"),
        ("http://[::1/", "cannot be read"),
        ("http://example.com:99999/", "a host and a port that can exist"),
        ("", "begins with"),
        ("http://example.com/\x00", "cannot be read"),
    ],
)
def test_an_address_that_cannot_be_fetched_is_told(url: str, says: str) -> None:
    with pytest.raises(UnreadableInput, match=says):
        checked_url(url)


@pytest.mark.parametrize("contact", ["a\r\nX: y", "a(b", "ü@example.org", "x" * 201])
def test_a_contact_that_no_header_can_hold_is_refused(contact: str) -> None:
    with pytest.raises(UnreadableInput, match="cannot stand in a User-Agent"):
        user_agent(contact)

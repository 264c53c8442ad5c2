"""Connections that are kept, HTTP/2, and questions whether a document is still the one."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cellwright.clients import guard
from cellwright.clients.fetched import Validators, validators_of
from cellwright.clients.http import HttpFetcher, Limits
from tests.h2_host import H2Host, serving_h2
from tests.loopback import answer
from tests.playing_host import DOCUMENT, HTML, Certificate, PlayingHost, certificate, playing

LIMITS = Limits(max_seconds=5, max_silence=2, max_tries=1, pause=0, max_bytes=1_000_000)


@pytest.fixture
def host() -> Iterator[PlayingHost]:
    with playing() as running:
        yield running


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return certificate(tmp_path_factory.mktemp("tls"), "IP:127.0.0.1")


@pytest.fixture
def secure(made: Certificate) -> Iterator[H2Host]:
    with serving_h2(made.context("h2")) as running:
        yield running


def fetcher(trusted: Path | None = None, limits: Limits = LIMITS) -> HttpFetcher:
    context = ssl.create_default_context(cafile=str(trusted)) if trusted else None
    return HttpFetcher(allow_private=True, ignore_robots=True, limits=limits, ssl_context=context)


@contextmanager
def keeping(*rounds: list[bytes]) -> Iterator[tuple[str, list[int]]]:
    """A server whose nth connection gives the nth list's answers and then closes; gives its address and the
    number of questions on each connection."""
    asked: list[int] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            for answers in rounds:
                connection, _ = server.accept()
                asked.append(0)
                with connection:
                    for data in answers:
                        if not connection.recv(65536):
                            break
                        asked[-1] += 1
                        connection.sendall(data)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/", asked


GOOD = answer("200 OK", DOCUMENT, HTML)


def test_a_connection_is_kept_for_the_next_question() -> None:
    with keeping([GOOD] * 3) as (url, asked):
        mine = fetcher()
        assert [mine.fetch(url).status for _ in range(3)] == ["ok"] * 3
        mine.close()
    assert asked == [3]


def test_a_kept_connection_that_the_server_drops_is_made_anew_without_a_try() -> None:
    # The second question is answered by nothing: the server closes as the question comes.
    with keeping([GOOD, b""], [GOOD]) as (url, asked):
        mine = fetcher()
        assert [mine.fetch(url).status for _ in range(2)] == ["ok"] * 2
        mine.close()
    assert asked == [2, 1]


def test_nothing_is_asked_on_a_connection_whose_answer_was_left_unread() -> None:
    large = answer("200 OK", b"x" * 1_500_000, HTML)
    with keeping([large], [GOOD]) as (url, asked):
        mine = fetcher()
        assert [mine.fetch(url).status for _ in range(2)] == ["too_large", "ok"]
        mine.close()
    assert asked == [1, 1]


def test_a_kept_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []

    def resolve(host: str, *_: object) -> list[str]:
        names.append(host)
        return ["127.0.0.1"] if len(names) == 1 else ["10.0.0.1"]

    monkeypatch.setattr(guard, "resolve", resolve)
    with keeping([GOOD] * 2) as (url, asked):
        url = url.replace("127.0.0.1", "reports.example")
        mine = fetcher()
        assert [mine.fetch(url).status for _ in range(2)] == ["ok"] * 2
        mine.close()
    assert (names, asked) == (["reports.example"], [2])


def test_http_2_is_spoken_where_the_server_does(secure: H2Host, made: Certificate) -> None:
    secure.pages["/a"] = (200, [("content-type", "text/html"), ("set-cookie", "id=1")], DOCUMENT)
    mine = fetcher(made.cert)
    fetched = [mine.fetch(f"{secure.url}/a") for _ in range(3)]
    mine.close()
    assert {(one.status, one.http_version, one.body) for one in fetched} == {("ok", "HTTP/2", DOCUMENT)}
    assert {connection for connection, _, _ in secure.asked} == {1}
    assert not any("cookie" in headers for _, _, headers in secure.asked)


def test_a_large_document_over_http_2_is_given_up_and_the_next_fetch_goes_on(secure: H2Host, made: Certificate) -> None:
    secure.pages["/large"] = (200, [("content-type", "text/html")], b"x" * 1_200_000)
    secure.pages["/a"] = (200, [("content-type", "text/html")], DOCUMENT)
    mine = fetcher(made.cert, Limits(max_bytes=100_000, pause=0))
    assert mine.fetch(f"{secure.url}/large").status == "too_large"
    assert mine.fetch(f"{secure.url}/a").status == "ok"
    mine.close()


def test_an_http_2_host_on_a_private_address_is_refused_before_a_word(secure: H2Host, made: Certificate) -> None:
    context = ssl.create_default_context(cafile=str(made.cert))
    mine = HttpFetcher(ignore_robots=True, limits=LIMITS, ssl_context=context)
    assert mine.fetch(f"{secure.url}/a").status == "blocked"
    mine.close()
    assert secure.asked == []


@pytest.mark.parametrize("status", ["abc", "", "2e2", "²00", "-5", "101"])
def test_an_http_2_status_that_is_none_is_unreachable(secure: H2Host, made: Certificate, status: str) -> None:
    secure.pages["/a"] = (status, [("content-type", "text/html")], DOCUMENT)
    mine = fetcher(made.cert)
    fetched = mine.fetch(f"{secure.url}/a")
    mine.close()
    assert (fetched.status, bool(fetched.note)) == ("unreachable", True)


@pytest.mark.parametrize(
    ("held", "status"),
    [
        (Validators('"v1"'), "not_modified"),
        (('"v1"', ""), "not_modified"),
        (Validators('"v0"'), "ok"),
        (Validators("", ""), "ok"),
        (None, "ok"),
    ],
)
def test_a_server_may_answer_that_the_document_held_is_still_the_one(
    host: PlayingHost, held: Validators | tuple[str, str] | None, status: str
) -> None:
    mine = fetcher()
    fetched = mine.fetch(f"{host.url}/confirms", conditional=held)
    mine.close()
    assert (fetched.status, fetched.body) == (status, b"" if status == "not_modified" else DOCUMENT)


def test_validators_are_sent_to_the_address_that_gave_them_and_to_no_other(host: PlayingHost) -> None:
    host.more["/old"] = answer("302 Found", b"", "Location: /confirms")
    mine = fetcher()
    first = mine.fetch(f"{host.url}/old")
    held = validators_of(first.headers, first.final_url)
    assert held == Validators('"v1"', "Sun, 30 Jun 2024 12:00:00 GMT", f"{host.url}/confirms")
    assert mine.fetch(f"{host.url}/old", conditional=held).status == "not_modified"
    mine.close()
    assert ["If-None-Match" in head for head in host.asked] == [False, False, False, True]


def test_an_answer_of_304_that_nobody_asked_for_is_unreachable(host: PlayingHost) -> None:
    host.more["/odd"] = answer("304 Not Modified")
    mine = fetcher()
    assert mine.fetch(f"{host.url}/odd").status == "unreachable"
    mine.close()


@pytest.mark.parametrize("value", ['"a\r\nX: y"', '"ü"', '"' + "x" * 500 + '"'])
def test_a_validator_that_no_header_can_hold_is_not_sent_back(value: str) -> None:
    assert validators_of((("ETag", value),), "") == Validators()

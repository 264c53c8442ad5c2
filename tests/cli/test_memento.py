"""Where a page is gone, a web archive is asked: a server on this machine answers like one, errors it kept included."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path

import pytest

from cellwright.clients.warc import read_capture
from tests.cli.small_task import TASK, captures, page, pins, serve, write_task
from tests.cli.workshop import Result, Workshop
from tests.loopback import Server, answer, serving

Run = Callable[..., Result]
HTML = "Content-Type: text/html; charset=utf-8"
ERROR = "<html><body><h1>Page not found</h1><p>The page you are looking for has been removed.</p></body></html>"


class ArchiveServer:
    """A TimeGate, a TimeMap and mementos of one page on a loopback server (RFC 7089)."""

    def __init__(self, server: Server, url: str) -> None:
        self.server = server
        self.url = url
        self.copies: dict[str, tuple[str, bytes, str]] = {}
        server.routes[f"/timegate/{url}"] = self._negotiate
        server.routes[f"/timemap/{url}"] = self._list

    @property
    def timegate(self) -> str:
        return f"{self.server.url}/timegate/"

    @property
    def timemap(self) -> str:
        return f"{self.server.url}/timemap/"

    def keep(
        self, day: str, text: str, status: str = "200 OK", *, original: str = "", memento: bool = True, more: str = ""
    ) -> None:
        """Keep a copy of a day."""
        moment = _http_date(day)
        links = f'<{original or self.url}>; rel="original", <{self.timemap}{self.url}>; rel="timemap"'
        heads = [HTML, f"Link: {links}", *([f"Memento-Datetime: {moment}"] if memento else []), *filter(None, [more])]
        path = f"/kept/{day}/{self.url}"
        self.copies[day] = (path, answer(status, text.encode(), *heads), moment)
        self.server.routes[path] = self.copies[day][1]

    def _negotiate(self, connection: socket.socket) -> None:
        head = self.server.asked[-1]
        wished = next((line[17:] for line in head.split("\r\n") if line.lower().startswith("accept-datetime: ")), "")
        moment = parsedate_to_datetime(wished) if wished else datetime.now(UTC)
        nearest = min(self.copies, key=lambda day: abs(_day(day) - moment))  # the nearest, be it later
        links = f'<{self.url}>; rel="original timegate", <{self.timemap}{self.url}>; rel="timemap"; type="x"'
        connection.sendall(
            answer("302 Found", b"", f"Location: {self.copies[nearest][0]}", "Vary: accept-datetime", f"Link: {links}")
        )

    def _list(self, connection: socket.socket) -> None:
        lines = [f'<{self.url}>; rel="original"', f'<{self.timemap}{self.url}>; rel="self"; type="application/link"']
        for number, day in enumerate(sorted(self.copies)):
            path, _, moment = self.copies[day]
            relation = "first memento" if not number else "memento"
            lines.append(f'<{self.server.url}{path}>; rel="{relation}"; datetime="{moment}"')
        connection.sendall(answer("200 OK", ",\n".join(lines).encode(), "Content-Type: application/link-format"))


def _day(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


def _http_date(day: str) -> str:
    return format_datetime(_day(day), usegmt=True)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.fixture
def archive(server: Server) -> ArchiveServer:
    return ArchiveServer(server, f"{server.url}/aurel")


@pytest.fixture
def shop(server: Server, tmp_path: Path) -> Workshop:
    """The task, whose first source answers 404."""
    serve(server, "borea", page("borea"))
    server.routes["/aurel"] = answer("404 Not Found", b"no such page")
    return write_task(tmp_path / "shop", server.url)


@pytest.fixture
def capture(shop: Workshop, here: Run) -> Run:
    def run(archive: str) -> Result:
        return here("capture", TASK, "--allow-private", "--memento", archive, cwd=shop.root)

    return run


@pytest.mark.parametrize("by", ["timegate", "timemap"])
def test_the_last_copy_from_before_the_page_was_accessed_is_taken(
    by: str, shop: Workshop, archive: ArchiveServer, capture: Run
) -> None:
    archive.keep("2023-06-01", page("aurel", "1,001"))
    archive.keep("2024-02-20", page("aurel"))
    archive.keep("2024-03-02", page("aurel", "9,009"))  # nearer, and a day after the page was accessed
    archive.keep("2025-03-02", ERROR, "404 Not Found")
    done = capture(getattr(archive, by))
    assert done.code == 0, done.err
    row = next(row for row in captures(shop) if row["source"] == "aurel-report")
    copy = f"{archive.server.url}/kept/2024-02-20/{archive.url}"
    assert (row["via"], row["url"], row["final_url"], row["fetched"]) == (
        "memento",
        archive.url,
        copy,
        "2024-02-20T00:00:00Z",
    )
    name = pins(shop)["aurel-report"]
    kept = read_capture((shop.root / "sources" / "captures" / TASK / f"{name}.warc.gz").read_bytes())
    assert (kept.body, kept.via, kept.url, kept.final_url) == (page("aurel").encode(), "memento", archive.url, copy)
    assert f"the page is gone; taken is the archive's copy of 2024-02-20: {copy}" in done.err


def test_a_time_gate_is_asked_for_the_day_of_access(archive: ArchiveServer, capture: Run) -> None:
    archive.keep("2024-02-20", page("aurel"))
    capture(archive.timegate)
    asked = next(head for head in archive.server.asked if head.startswith("GET /timegate/"))
    assert "Accept-Datetime: Fri, 01 Mar 2024 23:59:59 GMT" in asked


REFUSED: dict[str, tuple[dict[str, object], str]] = {
    "an error page that was kept with its status": (
        {"text": ERROR, "status": "404 Not Found"},
        "the archive's copy of 2024-02-20 is an error page that was kept (404)",
    ),
    "an error page that was kept as if it were the page": (
        {"text": ERROR},
        "the archive's copy of 2024-02-20 is not taken: it is an error page that was kept: 'Page not found'",
    ),
    "another page under the address": (
        {"text": "<html><body><h1>Welcome to the shop</h1></body></html>"},
        "it shows none of the 2 figures that are cited from the page",
    ),
    "a copy of another page": (
        {"text": page("aurel"), "original": "https://elsewhere.example/"},
        "the archive's copy is of another page: https://elsewhere.example/",
    ),
    "a page of the archive's own": ({"text": page("aurel"), "memento": False}, "states no Memento-Datetime"),
    "a page without text": ({"text": "<html><script>x()</script></html>"}, "it has no text"),
}


@pytest.mark.parametrize("by", ["timegate", "timemap"])
@pytest.mark.parametrize("name", REFUSED)
def test_a_copy_that_is_not_the_page_is_refused_and_told(
    name: str, by: str, shop: Workshop, archive: ArchiveServer, capture: Run
) -> None:
    copy, says = REFUSED[name]
    archive.keep("2024-02-20", **copy)  # type: ignore[arg-type]
    done = capture(getattr(archive, by))
    assert done.code == 1
    assert says in done.err
    assert "gone" in done.err
    assert pins(shop)["aurel-report"] == ""
    assert [row["source"] for row in captures(shop)] == ["borea-report"]


def test_copies_from_after_the_access_alone_are_refused(archive: ArchiveServer, capture: Run) -> None:
    archive.keep("2025-01-01", page("aurel"))
    done = capture(archive.timegate)
    assert done.code == 1
    assert "no copy from before the page was accessed; the first is of 2025-01-01" in done.err


def test_an_archive_that_answers_an_error_or_not_at_all_is_told(server: Server, capture: Run) -> None:
    done = capture(f"{server.url}/nothing/")
    assert (done.code, "the archive has no copy: the server answered 404" in done.err) == (1, True)
    done = capture("http://127.0.0.1:9/")
    assert (done.code, "the archive has no copy: the connection failed" in done.err) == (1, True)


def test_what_is_no_address_of_an_archive_is_refused(capture: Run) -> None:
    done = capture("archive")
    assert (done.code, len(done.sentences)) == (2, 1)
    assert "the address is not one that can be fetched; seen 'archive'" in done.sentences[0]


def test_no_archive_is_asked_unless_it_is_named_or_while_the_page_is_there(
    shop: Workshop, archive: ArchiveServer, here: Run
) -> None:
    archive.keep("2024-02-20", page("aurel"))
    assert here("capture", TASK, "--allow-private", cwd=shop.root).code == 1
    serve(archive.server, "aurel", page("aurel"))
    assert here("capture", TASK, "--allow-private", "--memento", archive.timegate, cwd=shop.root).code == 0
    assert [head for head in archive.server.asked if "/timegate/" in head or "/timemap/" in head] == []


def test_a_page_that_is_blocked_is_not_looked_for_in_an_archive(archive: ArchiveServer, capture: Run) -> None:
    archive.keep("2024-02-20", page("aurel"))
    archive.server.routes["/aurel"] = answer("403 Forbidden", b"no")
    assert capture(archive.timegate).code == 1
    assert [head for head in archive.server.asked if "/timegate/" in head] == []


def test_the_archive_may_be_named_by_a_setting(shop: Workshop, archive: ArchiveServer) -> None:
    archive.keep("2024-02-20", page("aurel"))
    done = shop.run("capture", TASK, "--allow-private", env={"CELLWRIGHT_MEMENTO": archive.timegate})
    assert done.code == 0, done.err
    assert {row["via"] for row in captures(shop)} == {"live", "memento"}


@pytest.mark.parametrize(
    "other", [("--mirror", "m"), ("--from", "a.html", "aurel-report"), ("--accept", "aurel-report")]
)
def test_an_archive_is_refused_where_it_would_not_be_asked(other: tuple[str, ...], shop: Workshop, here: Run) -> None:
    done = here("capture", TASK, *other, "--memento", "https://archive.example/", cwd=shop.root)
    assert done.sentences == [f"the options do not go together; seen '{other[0]} and --memento', expected one of them"]

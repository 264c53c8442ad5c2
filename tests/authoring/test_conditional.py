"""A source that is asked again is asked with what its server said of the capture at hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from cellwright.authoring.captures.capture import capture_task
from cellwright.clients.fetched import Fetched, Validators
from cellwright.clients.repository import open_repository

URL = "https://aurel.example/report"
BODY = b"<p>one</p>"
PAGE = Fetched(
    URL,
    URL,
    "ok",
    200,
    (("Content-Type", "text/html"), ("ETag", '"v1"'), ("Last-Modified", "Fri, 01 Mar 2024 10:00:00 GMT")),
    BODY,
    BODY,
    "2024-03-01T10:00:00Z",
)


class FakeFetcher:
    """Stands for the network: notes what it is asked with, and answers as it is told to."""

    concurrency = 2

    def __init__(self, answer: Fetched) -> None:
        self.answer = answer
        self.held: list[Validators | None] = []

    def fetch(self, url: str, *, conditional: Validators | None = None) -> Fetched:
        self.held.append(conditional)
        return self.answer


def text_of(body: bytes, media_type: str) -> str:
    return body.decode()


def test_validators_are_handed_on_and_not_modified_is_the_capture_at_hand(tmp_path: Path) -> None:
    (tmp_path / "tasks" / "t").mkdir(parents=True)
    (tmp_path / "sources").mkdir()
    head = "id,url,title,publisher,published,accessed,capture\n"
    (tmp_path / "tasks" / "t" / "sources.csv").write_text(f"{head}a,{URL},A,Maker,,,\n")
    repository = open_repository(tmp_path)
    first = FakeFetcher(PAGE)
    capture_task(repository, "t", fetcher=first, text_of=text_of)
    assert first.held == [None]
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.name != "captures.csv"}
    status: Any = "not_modified"
    again = FakeFetcher(replace(PAGE, status=status, http_status=304, body=b"", payload=b""))
    summary = capture_task(repository, "t", fetcher=again, text_of=text_of, refresh=True)
    assert again.held == [Validators('"v1"', "Fri, 01 Mar 2024 10:00:00 GMT", URL)]
    (outcome,) = summary.outcomes
    assert (outcome.action, outcome.status, outcome.sha256 == outcome.pin != "") == ("same", "not_modified", True)
    assert {path: path.read_bytes() for path in before} == before

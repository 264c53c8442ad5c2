"""A page that stands before a document is told by what it lacks; a short page is a short page."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from cellwright.documents.gates import challenge_sign, gate_of
from cellwright.documents.html import text_of

LINE = "The plant in the northern district reported that its output for the year had risen again. "
CODE = "<script>window._cf_chl_opt={}</script>"
NOT_FREE = '<script type="application/ld+json">{"isAccessibleForFree": false}</script>'


def page(body: str, title: str = "Report", head: str = "") -> bytes:
    return f"<!DOCTYPE html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>".encode()


def kind(data: bytes, *figures: str) -> str:
    gate = gate_of(data, text_of(data), figures)
    return gate.kind if gate is not None else ""


STANDS_BEFORE = {
    "a challenge's own code": (page(f"<p>Please wait.</p>{CODE}"), (), "challenge"),
    "the words in the title": (page("<p>One moment.</p>", "Just a moment..."), (), "challenge"),
    "the words in the text": (page("<h1>Verify you are human</h1><p>Tick the box.</p>"), (), "challenge"),
    "the words in German": (page("<p>Ihr Browser wird überprüft. Bitte warten.</p>"), (), "challenge"),
    "the words in Japanese": (page("<p>私はロボットではありません</p>"), (), "challenge"),
    "nothing without JavaScript": (
        page("<div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript><script></script>"),
        (),
        "challenge",
    ),
    "a bare page without the task's figures": (page("<p>Loading</p><script></script>"), ("12,345",), "challenge"),
    "not free, by its own word": (page(f"<p>{LINE * 4}</p>", head=NOT_FREE), (), "paywalled"),
    "not free and none of the figures": (page(f"<p>{LINE * 30}</p>", head=NOT_FREE), ("12,345",), "paywalled"),
    "an offer": (page(f"<p>{LINE * 4}</p><p>Subscribe now to continue reading.</p>"), (), "paywalled"),
    "an offer in French": (page(f"<p>{LINE * 2}</p><p>Article réservé aux abonnés.</p>"), (), "paywalled"),
    "a log-in": (page("<h1>Log in</h1><form><input type='password'></form>"), (), "paywalled"),
}
IS_THE_DOCUMENT = {
    "a short page": (page("<h1>Output</h1><p>Output in 2023: 12,345 tonnes.</p>"), ()),
    "a short page whose figure is another": (page("<p>Output in 2023: 12,345 tonnes.</p>"), ("99,999",)),
    "a short page with a script and the figure": (page("<p>Output: 12 345</p><script></script>"), ("12,345",)),
    "a long page that speaks of challenges": (page(f"<p>Are you a robot? {LINE * 30}</p>"), ()),
    "a long page with a challenge's code": (page(f"<p>{LINE * 30}</p>{CODE}"), ()),
    "a challenge's code and the figure": (page(f"<p>Output: 12,345</p>{CODE}"), ("12,345",)),
    "not free, and the whole text is there": (page(f"<p>{LINE * 30}</p>", head=NOT_FREE), ()),
    "not free, and the figure is there": (page(f"<p>Output: 12,345. {LINE}</p>", head=NOT_FREE), ("12,345",)),
    "a long article with an offer below": (page(f"<p>{LINE * 30}</p><p>Subscribe to read more.</p>"), ()),
    "free by its own word": (page(f"<p>{LINE}</p>", head=NOT_FREE.replace("false", "true")), ()),
    "a form to write to someone": (page(f"<p>{LINE}</p><form><input type=text></form><script></script>"), ()),
    "an empty page": (page(""), ()),
}


@pytest.mark.parametrize("name", STANDS_BEFORE)
def test_what_stands_before_a_document_is_told(name: str) -> None:
    data, figures, expected = STANDS_BEFORE[name]
    assert kind(data, *figures) == expected


@pytest.mark.parametrize("name", IS_THE_DOCUMENT)
def test_what_is_the_document_is_let_through(name: str) -> None:
    data, figures = IS_THE_DOCUMENT[name]
    assert kind(data, *figures) == ""


@pytest.mark.parametrize(
    ("data", "tells"),
    [
        (page(CODE), True),
        (page("", "Attention Required! | Cloudflare"), True),
        (page("<script src='https://ct.captcha-delivery.com/c.js'></script>", ""), True),
        (page("<h1>Forbidden</h1>", "403 Forbidden"), False),
        (page("", "Access Denied"), False),
        (b"", False),
        (b"\xff\x00" * 500, False),
    ],
)
def test_a_refusal_that_asks_for_proof_is_told_from_a_plain_one(data: bytes, tells: bool) -> None:
    assert bool(challenge_sign(data)) == tells


def _real(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.htm*") if ".json" not in path.name)


def test_no_real_page_and_no_real_filing_is_taken_for_a_gate(shared_data: Path) -> None:
    files = _real(shared_data / "web_open") + _real(shared_data / "filings")[:4]
    assert len(files) > 12
    for path in files:
        data = path.read_bytes()
        data = gzip.decompress(data) if path.suffix == ".gz" else data
        text = text_of(data)
        for figures in ((), ("987654321",)):
            assert gate_of(data, text, figures) is None, path.name


@pytest.mark.slow
def test_no_filing_at_all_is_taken_for_a_gate(shared_data: Path) -> None:
    for path in _real(shared_data / "filings"):
        data = path.read_bytes()
        data = gzip.decompress(data) if path.suffix == ".gz" else data
        assert gate_of(data, text_of(data), ("987654321",)) is None, path.name

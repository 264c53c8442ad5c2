"""The main text of a page and what it says of itself, on pages made here and on real ones with labelled segments."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from cellwright.documents import main_text
from cellwright.documents.html import text_of
from cellwright.documents.main_text import read_main
from cellwright.documents.quotes import normalise
from cellwright.records.errors import UnreadableInput

PARAGRAPH = "<p>Revenue of the group rose to 1,234 million euros in the year, 5.1 percent more than before.</p>"
LEAD = "The group publishes its yearly report today and raises the dividend to 2.10 euros a share."


def page(body: str, head: str = "") -> bytes:
    return (
        f"<!doctype html><html><head><title>Yearly report | The Site</title>{head}</head><body>{body}</body></html>"
    ).encode()


ARTICLE = f"<main><article><h1>Yearly report</h1>{PARAGRAPH * 6}</article></main>"
MENU = "<nav><ul><li><a href='/a'>All departments</a></li><li><a href='/b'>Subscribe now</a></li></ul></nav>"


def test_an_article_is_told_from_the_menu_around_it() -> None:
    data = page(MENU + ARTICLE)
    assert "Subscribe now" in text_of(data)
    assert "Subscribe now" not in read_main(data).text
    assert "1,234 million" in read_main(data).text


def test_what_lies_over_the_page_is_not_its_text() -> None:
    overlay = f"<div role='dialog' aria-hidden='true'>{'<p>Our academy trains officers in the hills.</p>' * 20}</div>"
    found = read_main(page(ARTICLE + overlay)).text
    assert "1,234 million" in found
    assert "academy" not in found


def test_a_lead_that_the_page_shows_apart_and_names_as_its_description_is_in_the_main_text() -> None:
    head = f'<meta property="og:description" content="{LEAD}">'
    shown = page(f"<div class='top'><p>{LEAD}</p></div>{ARTICLE}", head)
    assert LEAD in read_main(shown).text
    assert LEAD not in read_main(page(ARTICLE, head)).text, "what the page does not show is not its text"


def test_a_challenge_page_has_no_main_text() -> None:
    found = read_main(page("<noscript></noscript><div id='challenge'></div><form><input></form>"))
    assert (found.text, found.problem) == ("", "the page has no main text")


def test_a_page_says_title_day_and_publisher() -> None:
    head = (
        '<meta property="og:title" content="Yearly report"><meta property="og:site_name" content="The Site">'
        '<meta property="article:published_time" content="2024-02-21T08:00:00Z">'
    )
    found = read_main(page(ARTICLE, head))
    assert (found.title, found.published, found.publisher) == ("Yearly report", date(2024, 2, 21), "The Site")
    assert read_main(page(ARTICLE, head), not_after=date(2024, 1, 1)).published is None


def test_a_page_that_says_nothing_of_itself_is_told_nothing() -> None:
    found = read_main(f"<html><body>{ARTICLE}</body></html>".encode())
    assert (found.published, found.publisher) == (None, "")


def test_a_page_that_is_too_large_or_breaks_the_library_has_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object) -> None:
        raise RecursionError

    monkeypatch.setattr(main_text, "_extracted", broken)
    assert "RecursionError" in read_main(page(ARTICLE)).problem
    monkeypatch.setattr(main_text, "MAX_PAGE", 100)
    assert read_main(page(ARTICLE)).problem.startswith("the page is larger than 100 bytes")
    with pytest.raises(UnreadableInput, match="empty"):
        read_main(b"")


def test_thousands_of_tags_in_each_other_are_no_traceback() -> None:
    assert read_main(page("<div>" * 1500 + "deep" + "</div>" * 1500)).text in ("", "deep")


LABELLED = "web_ground_truth/trafilatura_segments.json"
MISSED = {
    # A link to another language's version, in a heading above the article that it is no part of.
    ("web_open/wikimediafoundation.org.turkey.html", "with", "Bu yazının Türkçe’sini buradan okuyabilirsiniz"),
    # The day stands inside the headline's own element, and the headline is text.
    ("web_open/bafa.de-mineraloelabsatz.html", "without", "27.01.2022"),
}
"""Labelled segments that the library gets wrong, each with its reason: files are not tuned to."""
WITHOUT_DAY = {
    # Its label is a day found in the address of an image.
    "web_open/creativecommons.org.html"
}


def labelled(data: Path) -> list[tuple[str, dict[str, Any]]]:
    pages = json.loads((data / LABELLED).read_text(encoding="utf-8"))
    return [(name, said) for name, said in pages.items() if (data / name).is_file()]


def test_segments_are_in_the_main_text_and_out_of_it_as_labelled(shared_data: Path) -> None:
    pages = labelled(shared_data)
    wrong, counts = set(), {"with": 0, "without": 0}
    for name, said in pages:
        found = read_main((shared_data / name).read_bytes(), url=said["url"]).text
        for kind in ("with", "without"):
            for segment in said[kind]:
                counts[kind] += 1
                if (segment in found) != (kind == "with"):
                    wrong.add((name, kind, segment))
    print(f"{len(pages)} pages: {counts}, {len(wrong)} not as labelled")
    assert counts == {"with": 28, "without": 32}
    assert wrong == MISSED


def test_every_segment_of_an_article_is_in_the_page_s_whole_text(shared_data: Path) -> None:
    for name, said in labelled(shared_data):
        whole = normalise(text_of((shared_data / name).read_bytes()))
        assert [segment for segment in said["with"] if normalise(segment) not in whole] == [], name


def test_the_day_a_page_was_published_is_read_as_labelled(shared_data: Path) -> None:
    checked = 0
    for name, said in labelled(shared_data):
        if said.get("date") and name not in WITHOUT_DAY:
            assert str(read_main((shared_data / name).read_bytes(), url=said["url"]).published) == said["date"], name
            checked += 1
    assert checked == 6

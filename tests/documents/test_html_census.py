"""A census on real pages: each number that a browser would show is in the text, in its order."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from cellwright.documents.charset import decode
from cellwright.documents.html import read_html

HIDDEN = {"head", "script", "style", "template", "noframes", "ix:header"}
FOLDERS = ("filings", "filings/other", "filings/locale", "filings/edgar_R", "filings/aapl_10q_2025q2", "web_open")
NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")


def pages(data: Path) -> Iterator[Path]:
    for folder in FOLDERS:
        yield from sorted(path for path in (data / folder).iterdir() if re.search(r"\.x?html?(\.gz)?$", path.name))


def bytes_of(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def visible_texts(data: bytes) -> Iterator[str]:
    """The text nodes that a page shows, by a walk of our own over the forgiving parser's tree."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    root = etree.fromstring(decode(data).text.encode("utf-8", "replace"), parser)
    hidden = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        style = element.get("style") or ""
        out = (
            element.tag in HIDDEN
            or element.get("hidden") is not None
            or re.search(r"display\s*:\s*none", style, re.IGNORECASE)
        )
        hidden += (1 if event == "start" else -1) if out else 0
        text = element.text if event == "start" else element.tail
        if text and not hidden:
            yield text


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)], ids=["each fifth page", "all pages"])
def test_every_number_a_page_shows_is_in_its_text_and_in_order(shared_data: Path, step: int) -> None:
    found = list(pages(shared_data))
    assert len(found) > 40
    for path in found[::step]:
        data = bytes_of(path)
        text = read_html(data).text
        shown = list(visible_texts(data))
        digits = [char for part in shown for char in part if char.isdigit()]
        assert digits == [char for char in text if char.isdigit()], path.name
        missing = {number for part in shown for number in NUMBER.findall(part) if number not in text}
        assert not missing, path.name


def test_every_row_of_a_filings_tables_is_a_line_of_its_text(shared_data: Path) -> None:
    for path in sorted((shared_data / "filings").glob("*.html.gz")):
        document = read_html(bytes_of(path))
        lines = set(document.text.split("\n"))
        rows = {table.row_text(row) for table in document.tables for row in range(table.rows)} - {""}
        assert rows <= lines, path.name


@pytest.mark.parametrize("name", ["AAPL_10-K_FY2024", "NVDA_10-K_FY2024"])
def test_a_statements_rows_read_as_they_are_drawn(shared_data: Path, name: str) -> None:
    text = read_html(bytes_of(shared_data / "filings" / f"{name}.html.gz")).text
    line = {
        "AAPL_10-K_FY2024": "\nTotal net sales 391,035 383,285 394,328\n",
        "NVDA_10-K_FY2024": "\nRevenue $ 60,922 $ 26,974 $ 26,914\n",
    }[name]
    assert line in text

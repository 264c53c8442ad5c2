"""Real PDFs against what people wrote down of them: figures on their page, cells of tables, a page shown turned.

What is not found word for word is found in a way that is named and counted, or named in `UNPRINTED`.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from cellwright.documents.model import Document, Table
from cellwright.documents.pdf import read_pdf
from cellwright.documents.pdf_tables import Word, page_tables, page_words
from cellwright.documents.quotes import QuoteIndex, normalise

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
CUT_OFF = {("AMCOR_2023_10K", 51): ("5", "52")}
"""An evidence text that breaks off within the page's own number, printed at its foot: what it has, what is printed."""


@cache
def pdf(path: Path) -> Document:
    return read_pdf(path.read_bytes())


@dataclass(frozen=True)
class Evidence:
    """The numbers of one evidence text, and those of them that its page lacks."""

    document: str
    page: int
    """0-based, as the questions count."""
    numbers: int
    lost: tuple[str, ...]


def evidence(folder: Path, documents: set[str]) -> Iterator[Evidence]:
    seen: set[tuple[str, int, str]] = set()
    for line in (folder / "financebench_questions.jsonl").read_text(encoding="utf-8").splitlines():
        question: dict[str, Any] = json.loads(line)
        for item in question["evidence"]:
            name, page, text = item["doc_name"], item["evidence_page_num"], item["evidence_text"]
            if name in documents and (name, page, text) not in seen:
                seen.add((name, page, text))
                wanted = Counter(NUMBER.findall(normalise(text)))
                there = Counter(NUMBER.findall(normalise(pdf(folder / f"{name}.pdf").pages[page])))
                yield Evidence(name, page, wanted.total(), tuple((wanted - there).elements()))


def held(found: list[Evidence], folder: Path) -> int:
    """How many numbers stand on their pages; what is not there must be a number that the text itself cuts off."""
    for item in found:
        if item.lost:
            cut, whole = CUT_OFF[item.document, item.page]
            assert item.lost == (cut,)
            assert pdf(folder / f"{item.document}.pdf").pages[item.page].endswith(f"\n{whole}")
            assert whole.startswith(cut)
    return sum(item.numbers for item in found)


def test_each_number_of_the_evidence_stands_on_its_page_in_two_reports(shared_data: Path) -> None:
    folder = shared_data / "pdf_financebench"
    found = list(evidence(folder, {"AMCOR_2023Q4_EARNINGS", "ULTABEAUTY_2023Q4_EARNINGS"}))
    assert held(found, folder) > 100
    assert not any(item.lost for item in found)


@pytest.mark.slow
def test_each_number_of_the_evidence_stands_on_its_page_in_all_reports(shared_data: Path) -> None:
    folder = shared_data / "pdf_financebench"
    found = list(evidence(folder, {path.stem for path in folder.glob("*.pdf")}))
    lost = sum(len(item.lost) for item in found)
    total = held(found, folder)
    print(f"evidence: {total - lost} of {total} numbers on their page, {lost} cut off within the page's number")
    assert (total, lost) == (1421, 1)


LEADERS = re.compile(r"(?:\s*\.){2,}")


def close(text: str) -> str:
    """A text without blanks, dot leaders and capitals, as nobody who compares two cells would mind them.

    The gold lost blanks ("CzechRepublic"), capitals ("hungary"), and has another number of dots in a leader.
    """
    return re.sub(r"\s+", "", LEADERS.sub("", text)).casefold()


@dataclass(frozen=True)
class Box:
    """Where the gold says that a cell stands, in points from the lower left corner of the page."""

    left: float
    low: float
    right: float
    high: float

    def words(self, words: tuple[Word, ...], height: float) -> str:
        """The words whose middle lies in the box, in reading order; two points are within the gold's rounding."""
        return normalise(
            " ".join(
                word.text
                for word in words
                if self.left - 2 <= (word.left + word.right) / 2 <= self.right + 2
                and height - self.high - 2 <= (word.top + word.bottom) / 2 <= height - self.low + 2
            )
        )


def how_found(folder: Path, name: str) -> Iterator[tuple[str, str]]:
    """Each cell of the gold tables of one document: how it is found, and its text.

    `printed`: its text stands in the page's text. `close`: a text with letters stands there but for blanks, leaders
    and capitals. `by place`: the words of the page within the cell's box are its text, for heads of several lines
    between which the page's text has their neighbours'. `lost`: none of these.
    """
    path = folder / f"{name}.pdf"
    tree = etree.fromstring(gzip.decompress((folder / f"{name}-str.xml.gz").read_bytes()))
    places: dict[int, tuple[Word, ...]] = {}
    for region in tree.iter("region"):
        page = int(region.get("page"))
        index = QuoteIndex(pdf(path).pages[page - 1])
        whole = close(index.text)
        for cell in region.iter("cell"):
            text = normalise(cell.findtext("content") or "")
            if not text:
                continue
            if index.find(text):
                yield "printed", text
            elif re.search("[A-Za-z]", text) and close(text) in whole:
                yield "close", text
            else:
                if page not in places:
                    places[page] = page_words(path.read_bytes(), page)
                box = Box(*(float(cell.find("bounding-box").get(side)) for side in ("x1", "y1", "x2", "y2")))
                words = box.words(places[page], page_height(path, page))
                yield ("by place" if close(words) == close(text) else "lost"), f"{name}: {text} | {words}"


def page_height(path: Path, page: int) -> float:
    import pypdfium2

    with pypdfium2.PdfDocument(path) as opened:
        return float(opened[page - 1].get_size()[1])


@pytest.mark.parametrize("name", ["eu-004", "eu-005", "us-004", "us-026", "us-034"])
def test_each_gold_cell_is_printed_in_its_page_s_text(shared_data: Path, name: str) -> None:
    found = list(how_found(shared_data / "pdf_tables_icdar2013", name))
    assert len(found) > 80
    assert [text for how, text in found if how != "printed"] == []


def test_a_head_of_several_lines_is_found_by_its_place(shared_data: Path) -> None:
    found = list(how_found(shared_data / "pdf_tables_icdar2013", "us-002"))
    assert Counter(how for how, _ in found) == {"printed": 418, "close": 1, "by place": 10}


@pytest.mark.slow
def test_every_gold_cell_of_all_tables_is_found(shared_data: Path) -> None:
    folder = shared_data / "pdf_tables_icdar2013"
    found = [item for path in sorted(folder.glob("*.pdf")) for item in how_found(folder, path.stem)]
    counts = Counter(how for how, _ in found)
    print(f"gold cells: {dict(counts)} of {len(found)}")
    assert [text for how, text in found if how == "lost"] == []
    assert counts == {"printed": 7935, "close": 152, "by place": 15}


def rows(table: Table) -> list[list[str]]:
    return [[cell.text if cell else "" for cell in row] for row in table.grid]


def test_a_page_shown_turned_equals_the_upright_one_in_text_and_tables(shared_data: Path) -> None:
    upright, turned = (
        (shared_data / "pdf_other" / f"nics-background-checks-2015-11{end}.pdf").read_bytes()
        for end in ("", "-rotated")
    )
    one, other = read_pdf(upright), read_pdf(turned)
    # The turned file draws two lines of its footnotes in another order; the text is in the order of drawing.
    assert len(one.pages[0].split("\n")) > 60
    assert sorted(one.pages[0].split("\n")) == sorted(other.pages[0].split("\n"))
    assert [table.grid for table in one.tables] == [table.grid for table in other.tables]
    (table,), (same,) = page_tables(upright, 1), page_tables(turned, 1)
    assert table.rows == 67
    assert rows(table) == rows(same)
    alabama = next(row for row in rows(table) if row[0] == "Alabama")
    assert [text for text in alabama if text][1:4] == ["18,870", "23,022", "22,650"]
    assert alabama[-1] == "71,137"

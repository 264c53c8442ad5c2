"""The figures of question sets over tables and text, with the scale that their makers wrote down."""

from __future__ import annotations

import gzip
import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellwright.documents.html import read_html
from cellwright.documents.locate import Locator
from cellwright.documents.scales import is_declaration, is_only_scale
from cellwright.records.quantities import QuantityError, Reading, find_numbers, read_number

POWERS = {"": 0, "thousand": 3, "million": 6, "billion": 9, "百万円": 6}
PERCENT = "percent"
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")


@dataclass(frozen=True)
class Asked:
    """A figure that an answer rests on, and its scale by the gold: a power of ten, or percent."""

    uid: str
    figure: str
    scale: str


@dataclass(frozen=True)
class Read:
    """The figure as our reader sees it in its place."""

    text: str
    scale: str
    where: str


def read_json(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


def paragraphs(entry: dict[str, Any]) -> list[str]:
    """The paragraphs as they may stand above the table: what declares its scale nearest to it."""
    texts = [part["text"] for part in sorted(entry["paragraphs"], key=lambda part: int(part["order"]))]
    return sorted(texts, key=lambda text: 2 * is_only_scale(text) or text.rstrip().endswith(":") or _declares(text))


def _declares(text: str) -> bool:
    return is_declaration(text[-60:])


def page(table: list[list[str]], before: list[str], after: list[str] | None = None) -> bytes:
    """A page that shows the paragraphs, then the table, then what follows it."""
    rows = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in table)
    above, below = ("".join(f"<p>{html.escape(text)}</p>" for text in texts) for texts in (before, after or []))
    return f"<!doctype html><html><body>{above}<table>{rows}</table>{below}</body></html>".encode()


def digits(text: str) -> str:
    found = NUMBER.search(text)
    return found[0].replace(",", "") if found else ""


def printed(data: bytes, locale: str = "en") -> Iterator[Read]:
    """Each figure of the page's table with its scale or `percent`, and each number of its running text."""
    document = read_html(data)
    locator = Locator(document)
    around = locator.around(0, locale)
    for row, part in enumerate(around.table.parts):
        for figure in part.figures:
            meaning = around.meaning(row, figure)
            reading = _reading(figure.text, locale)
            if reading is not None:
                percent = meaning.kind == PERCENT or reading.unit == PERCENT
                power = reading.scale or meaning.scale
                yield Read(figure.text, PERCENT if percent else _name(power), f"{part.label} | {meaning.heads}")
    for line in document.text.split("\n"):
        for _, _, reading in find_numbers(line, locale=locale):
            yield Read(reading.text, PERCENT if reading.unit == PERCENT else _name(reading.scale), "text")


def _reading(text: str, locale: str) -> Reading | None:
    try:
        return read_number(text, locale=locale, table_cell=True)
    except QuantityError:
        return None


def _name(power: int) -> str:
    return str(power)

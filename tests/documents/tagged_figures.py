"""The tagged figures of the real filings read from the visible text alone, and counted by kind.

`python -m tests.documents.tagged_figures` prints the table; `--misses` adds each figure that is read otherwise.
"""

from __future__ import annotations

import csv
import gzip
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from cellwright.documents.at_place import PrintedFigure, figure_in_table, figure_in_text
from cellwright.documents.locate import Locator
from cellwright.documents.model import Document
from cellwright.documents.number_words import read_words
from cellwright.documents.reading import read_document
from cellwright.documents.tags import Tag

SHARED = Path(os.environ.get("CELLWRIGHT_SHARED", Path(__file__).resolve().parents[3] / "shared"))
GROUND_TRUTH = "filings/ground_truth/ixbrl_facts.tsv.gz"


@dataclass(frozen=True)
class Tagged:
    """One tagged figure of the ground truth, where it is printed, and what is read there."""

    file: str
    id: str
    kind: str
    where: str
    """`table`, `sentence`, or `hidden`."""
    displayed: str
    scale: int
    negative: bool
    """It is printed in brackets or behind a minus."""
    read: PrintedFigure | None
    row: str
    """The printed row or line, for a reader of the misses."""
    concept: str = ""

    @property
    def expected(self) -> Decimal:
        """The printed number with its scale and its printed sign."""
        value = number_of(self.displayed).scaleb(self.scale)
        return -value if self.negative else value

    @property
    def seen(self) -> Decimal | None:
        """What is read, percent as hundredths."""
        if self.read is None:
            return None
        power = -4 if self.read.unit == "bp" else -2 if self.read.kind == "percent" else 0
        return self.read.value.scaleb(power)

    @property
    def right(self) -> bool:
        """Magnitude, scale and printed sign are as they are."""
        return self.seen == self.expected

    @property
    def miss(self) -> str:
        """What sort of miss it is; empty where it is none."""
        if self.right:
            return ""
        if self.seen is None:
            return "nothing read"
        if abs(self.seen) == abs(self.expected):
            return "sign"
        one, other = (value.normalize().as_tuple().digits for value in (self.seen, self.expected))
        return "scale" if one == other else "digits"


def number_of(displayed: str) -> Decimal:
    """The number that a tag wraps: digits, words, or a dash for nothing."""
    plain = displayed.replace(",", "").strip()
    if re.fullmatch(r"\d*\.?\d+\.?", plain):
        return Decimal(plain)
    return read_words(displayed) or Decimal(0)


def kind_of(fact: dict[str, str], displayed: str) -> str:
    """The kind by what the ground truth says: its unit, its scale, how it is displayed."""
    if fact["format"] == "ixt:fixed-zero":
        return "dash for zero" if not any(map(str.isalnum, displayed)) else "word for a number"
    if fact["format"].endswith("numwordsen"):
        return "word for a number"
    unit = fact["unit"]
    if re.fullmatch("[A-Z]{3}", unit):
        return "money"
    if "/" in unit:
        return "per share"
    if unit == "shares":
        return "shares"
    if unit == "pure":
        return "percent" if int(fact["scale"] or 0) < 0 else "pure"
    return "count"


def facts_of(shared_data: Path) -> dict[str, dict[str, dict[str, str]]]:
    """The ground truth: facts by document and id."""
    found: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
    with gzip.open(shared_data / GROUND_TRUTH, "rt", encoding="utf-8", newline="") as lines:
        for fact in csv.DictReader(lines, delimiter="\t"):
            found[fact["file"]][fact["id"]] = fact
    return found


def tagged_in(shared_data: Path, file: str, facts: dict[str, dict[str, str]]) -> Iterator[Tagged]:
    """Each fact of one document; its tag tells the place, and nothing else of it is used for the reading."""
    document = read_document(gzip.decompress((shared_data / f"{file}.gz").read_bytes()), "text/html")
    locator = Locator(document)
    tags = {tag.id: tag for tag in document.tags}
    for key, fact in facts.items():
        tag = tags[key]
        where = "hidden" if tag.hidden else "sentence" if tag.table is None else "table"
        yield Tagged(
            file=file.rpartition("/")[2].removesuffix(".html"),
            id=key,
            kind=kind_of(fact, fact["displayed"]),
            where=where,
            displayed=fact["displayed"],
            scale=int(fact["scale"] or 0),
            negative=not tag.hidden and printed_negative(document.text, tag),
            read=None if tag.hidden else read_at(locator, tag),
            row=row_of(document, tag),
            concept=fact["concept"],
        )


def read_at(locator: Locator, tag: Tag) -> PrintedFigure | None:
    """What is printed where the tag stands."""
    if tag.table is None:
        return figure_in_text(locator, tag.begin)
    return figure_in_table(locator, tag.table, tag.row, tag.column, tag.offset)


def row_of(document: Document, tag: Tag) -> str:
    """The printed row, or the words around the figure."""
    if tag.hidden:
        return ""
    if tag.table is not None and not document.text[tag.begin - 1 : tag.begin].isalpha():
        return document.tables[tag.table].row_text(tag.row)[:160]
    return document.text[max(0, tag.begin - 80) : tag.stop + 40].replace("\n", " ¶ ")


_OPENED = re.compile(r"[(（]\s?(?:[A-Z]{0,3}[$€£¥])?\s?$")
_CLOSED = re.compile(r"\s?%?\s?[)）]")
_MINUS = re.compile(r"(?:^|[\n(]|[^\w%)]\s)[-−–](?:[$€£¥])?$")
"""A dash at the digits with no word before it; one behind a word or a number parts the two ("3.9% - 4.1%")."""


def printed_negative(text: str, tag: Tag) -> bool:
    """Whether the figure alone stands in brackets, or behind a minus; by the characters beside it."""
    if not any(map(str.isdigit, tag.displayed)):
        return False
    before, after = text[max(0, tag.begin - 12) : tag.begin], text[tag.stop : tag.stop + 4]
    if _OPENED.search(before):
        return bool(_CLOSED.match(after))
    return bool(_MINUS.search(before))


def table(found: list[Tagged]) -> Iterator[str]:
    """The printed table: a line a kind and place."""
    lines: dict[tuple[str, str], list[Tagged]] = defaultdict(list)
    for item in found:
        lines[item.kind, item.where].append(item)
    yield f"{'kind':20}{'where':10}{'figures':>8}{'right':>8}{'share':>9}  misses"
    for (kind, where), items in sorted(lines.items()):
        if where == "hidden":
            yield f"{kind:20}{where:10}{len(items):8}       –        –"
            continue
        right = sum(item.right for item in items)
        misses = Counter(item.miss for item in items if item.miss)
        told = ", ".join(f"{count} {miss}" for miss, count in misses.most_common())
        yield f"{kind:20}{where:10}{len(items):8}{right:8}{100 * right / len(items):8.2f}%  {told}"
    visible = [item for item in found if item.where != "hidden"]
    right = sum(item.right for item in visible)
    yield f"{'all visible':30}{len(visible):8}{right:8}{100 * right / len(visible):8.2f}%"


def main() -> int:
    """Print the table, and the misses if asked."""
    shared_data = SHARED / "data"
    truth = sorted(facts_of(shared_data).items())
    found = [item for file, facts in truth for item in tagged_in(shared_data, file, facts)]
    print("\n".join(table(found)))
    if "--misses" in sys.argv:
        for item in found:
            if item.miss and item.where != "hidden":
                read = f"{item.read.text!r} {item.read.kind} e{item.read.scale}" if item.read else "-"
                print(
                    f"{item.miss}\t{item.kind}\t{item.where}\t{item.file}\t{item.id}\t{item.displayed} e{item.scale}"
                    f"{' neg' if item.negative else ''}\t{read}\t{item.concept}\t{item.row}"
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())

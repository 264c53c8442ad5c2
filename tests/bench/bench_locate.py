"""`locate` of 1,000 facts in 16 filings against one pass over their texts by bare lxml.

A pass is what a script does at least that looks for anything in the filings: parse each of them and take its text.
The locating alone, in documents that are read (rows, heads, periods and scales told anew), is held against that and
against our own pass over the same bytes, which takes text and tables; then everything from the bytes on is told.
The facts are the 624 of the matrix, and the first 376 of them once more. What the readers keep between calls is
forgotten before each round, as a command begins without it.
"""

from __future__ import annotations

import sys
from datetime import date
from itertools import cycle, islice

from cellwright.documents.locate import Locator
from cellwright.documents.model import Document
from cellwright.documents.reading import read_document
from cellwright.documents.wanted import Wanted
from tests.bench.bench_documents import SHARED, bare_text
from tests.bench.measure import best_of, tell
from tests.whole_way.filings import Figure, figures, filings

FACTS = 1_000


def wanted(figure: Figure) -> Wanted:
    """The figure as a blind fact: its row, period and unit, and nothing of its number."""
    first, _, last = figure.period.rpartition("/")
    return Wanted(
        id=figure.id,
        entity=figure.entity,
        name=figure.name,
        period_start=date.fromisoformat(first) if first else None,
        period_end=date.fromisoformat(last),
        entity_names=(figure.entity.upper(),),
        unit=figure.unit,
        row=figure.row,
    )


def asked() -> dict[str, list[Wanted]]:
    """1,000 facts by document: each figure of the matrix once, then again until there are enough."""
    found: dict[str, list[Wanted]] = {}
    for figure in islice(cycle(figures(SHARED / "data")), FACTS):
        found.setdefault(figure.document, []).append(wanted(figure))
    return found


def fresh(document: Document) -> Document:
    """The document with its tables read, and nothing told of them yet."""
    tables = tuple(type(table)(**{name: getattr(table, name) for name in _FIELDS}) for table in document.tables)
    return Document(document.kind, document.media_type, document.text, read_tables=lambda: tables)


_FIELDS = ("number", "grid", "before", "caption", "page", "name", "offset")


def locate_all(documents: dict[str, Document], facts: dict[str, list[Wanted]]) -> int:
    """How many facts are found."""
    found = 0
    for name, items in facts.items():
        locator = Locator(documents[name])
        found += sum(locator.locate(item).status == "exact" for item in items)
    return found


def forget() -> None:
    """Empty every cache of the package's readers."""
    for name, module in list(sys.modules.items()):
        if name.startswith("cellwright."):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def main() -> int:
    """Five rounds; 1 where a fact is not found, as a fast miss is no measurement."""
    if not (SHARED / "data" / "filings").is_dir():
        print(f"bench_locate: no filings in {SHARED}; name the folder in CELLWRIGHT_SHARED")
        return 0
    facts = asked()
    pages = {name: page for name, page in filings(SHARED / "data").items() if name in facts}
    documents = {name: read_document(page, "text/html") for name, page in pages.items()}

    def read_all() -> int:
        return sum(len(read_document(page, "text/html").tables) for page in pages.values())

    def in_read() -> int:
        forget()
        return locate_all({name: fresh(document) for name, document in documents.items()}, facts)

    def from_bytes() -> int:
        forget()
        return locate_all({name: read_document(page, "text/html") for name, page in pages.items()}, facts)

    if locate_all(documents, facts) != FACTS:
        print("bench_locate: not every fact was found")
        return 1
    times = best_of(
        5,
        bare=lambda: bare_text(list(pages.values())),
        copied=lambda: [fresh(document).tables for document in documents.values()],
        read=read_all,
        located=in_read,
        whole=from_bytes,
    )
    located = times["located"] - times["copied"]
    tell(f"locate {FACTS} facts in {len(pages)} read filings / lxml text", located, times["bare"], "≤ 2 ×")
    tell("the same / our reading of them", located, times["read"], "≤ 2 ×")
    tell("the same, reading the filings too / lxml text", times["whole"], times["bare"], "none: reading is told above")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""How the documents of a task were read, and what their pages propose for fields of `sources.csv` that are empty."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from cellwright.clients.warc import Capture
from cellwright.documents.main_text import read_main
from cellwright.documents.model import Document
from cellwright.records.rows import Source

PROPOSED = ("title", "published", "publisher")
"""The columns that a page may propose a value for; the curator decides."""


@dataclass(frozen=True)
class ReadSource:
    """One document as it was read: its kind, its encoding and what that is known by, every doubt, and proposals."""

    source: str
    kind: str
    encoding: str
    encoding_by: str
    doubts: tuple[str, ...]
    proposals: dict[str, str] = field(default_factory=dict)
    """Column → what the page says of itself, for columns that are empty."""

    def lines(self) -> Iterator[str]:
        """The doubts and proposals for people, one a line."""
        yield from (f"doubt: {self.source}: {doubt}" for doubt in self.doubts)
        for column, text in self.proposals.items():
            yield f"proposal: {self.source}: `{column}` may be {text!r}, as the page says of itself"

    def as_json(self) -> dict[str, object]:
        """The shape within `locate --format json`."""
        return {
            "source": self.source,
            "kind": self.kind,
            "encoding": self.encoding,
            "encoding_by": self.encoding_by,
            "doubts": list(self.doubts),
            "proposals": self.proposals,
        }


def read_source(source: Source, capture: Capture, document: Document, as_of: date) -> ReadSource:
    """What there is to say of a source's document. Its own words are looked at only where a column is empty."""
    lacking = [column for column in PROPOSED if not getattr(source, column)]
    doubts = document.warnings
    proposals: dict[str, str] = {}
    if lacking and document.kind == "html":
        found = read_main(
            capture.body, charset=capture.charset or None, url=source.url, not_after=as_of, whole_text=document.text
        )
        told = {"title": found.title, "published": str(found.published or ""), "publisher": found.publisher}
        proposals = {column: told[column] for column in lacking if told[column]}
        doubts = (*doubts, *([found.problem] if found.problem else []))
    return ReadSource(source.id, document.kind, document.encoding, document.encoding_by, doubts, proposals)


def doubts_of(document: Document) -> str:
    """The doubts that may explain why a figure is not there, as the end of a sentence; empty without any."""
    told = "; ".join(document.warnings[:2])
    return f"; the document was read with a doubt: {told}" if told else ""

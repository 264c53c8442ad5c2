"""Evidence: what authoring hands in for each pinned capture, since validators never read the disk."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from cellwright.documents.locate import Locator
from cellwright.documents.model import Document
from cellwright.documents.number_marks import Marks, decimal_mark
from cellwright.documents.quotes import QuoteIndex
from cellwright.records.rows import Fact

NOT_HERE = "the capture is not here"
"""How `problem` begins where a pinned capture was not found at all."""


@dataclass(frozen=True)
class Evidence:
    """One source's pinned capture as it was really found."""

    source: str
    """The source's id."""
    sha256: str
    """Of the body that was found, worked out from its bytes; empty where none was found."""
    text: str = ""
    """The document's text as the readers give it."""
    via: str = "live"
    """How the capture came here: live, mirror, warc, memento, upload, stand-in."""
    status: str = "200"
    """The HTTP status that came with it."""
    media_type: str = ""
    """Its media type."""
    problem: str = ""
    """Why it cannot be used, in one sentence; empty where it can."""
    url: str = ""
    """The address that was asked for it; empty where it came without one."""
    document: Document | None = field(default=None, repr=False, compare=False)
    """The document itself, where its figures can be read again; None where there is only its text."""

    earlier: tuple[str, ...] = ()
    """The texts of captures before the pinned one, where a fact that is superseded was read."""

    def was_quoted(self, fact: Fact) -> bool:
        """Whether the quote of a superseded fact stands in an earlier capture, as it was read there."""
        return fact.rank == "superseded" and any(
            QuoteIndex(text).find(fact.quote, fact.prefix, fact.suffix) for text in self.earlier
        )

    @cached_property
    def index(self) -> QuoteIndex:
        """The text, normalised once, in which all quotes of this source are looked for."""
        return QuoteIndex(self.text)

    @property
    def absent(self) -> bool:
        """Whether nothing was found for the pin, as against something that cannot be used."""
        return self.problem.startswith(NOT_HERE) or not (self.sha256 or self.problem)

    @cached_property
    def locator(self) -> Locator | None:
        """The document, made ready to be asked for figures."""
        return Locator(self.document) if self.document is not None else None

    @cached_property
    def mark(self) -> Marks:
        """The decimal mark that the document writes, where its numbers tell."""
        stored = self.document is not None and self.document.kind in ("xlsx", "json")
        return "point" if stored else decimal_mark(self.text)

    @property
    def usable(self) -> bool:
        """Whether there is text to look for quotes in."""
        return not self.problem and bool(self.text.strip())

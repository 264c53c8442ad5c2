"""Where a page is gone: an archive of the web is asked for it, and its copy is looked at before it is taken.

An archive keeps error pages too and answers them as copies, with status 200 where the site itself did so. A
copy is taken only where it reads like the page: it does not tell an error, and shows a figure that is cited.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Protocol

from cellwright.authoring.captures.fetching import PacedFetcher
from cellwright.authoring.loading import load_task
from cellwright.clients.fetched import Fetched, Validators
from cellwright.documents.quotes import QuoteIndex
from cellwright.records.errors import CellwrightError
from cellwright.records.rows import Fact

if TYPE_CHECKING:
    from cellwright.authoring.captures.arrival import TextOf
    from cellwright.authoring.captures.fetching import Fetcher
    from cellwright.clients.memento import Found
    from cellwright.clients.repository import Repository

GONE = ("gone", "dns_error")
"""The outcomes after which an archive is asked: 404, 410, and a name that no longer resolves."""
_BEGINNING = 600
_SHORT = 4_000
_ERROR = re.compile(
    r"\b(?:page|document|file|site|url|resource)\s(?:\S{1,30}\s){0,6}?(?:not\s(?:be\s)?found|cannot\sbe\sfound"
    r"|no\slonger\s(?:available|exists?)|(?:does\snot|doesn't)\sexist|(?:has|have)\sbeen\s(?:removed|deleted|moved)"
    r"|(?:is\s)?not\savailable)\b"
    r"|\b(?:error|http|status)[\s:]{1,3}4(?:04|10)\b|\b404[\s:,-]{1,3}(?:error|not\sfound|page)\b|\b410[\s:,-]{1,3}gone\b"
    r"|\bnot\sfound\s4\d\d\b|\bseite\snicht\sgefunden\b|\bpage\s(?:introuvable|non\strouvée)\b"
    r"|\bpágina\sno\sencontrada\b|ページが見つかりません|页面不存在|找不到页面",
    re.IGNORECASE,
)


class Lookup(Protocol):
    """An archive that is asked for a page."""

    def look_up(self, url: str, until: date | None) -> Found:
        """The page as it was last kept up to the end of a day."""
        ...


@dataclass(frozen=True)
class _Cited:
    """What is cited from an address: until when a copy may be, and the figures that it must show one of."""

    until: date | None
    figures: tuple[str, ...]


class ArchiveFetcher:
    """Asks where documents come from, and an archive for the pages that are gone."""

    def __init__(self, fetcher: Fetcher, lookup: Lookup, cited: dict[str, _Cited], text_of: TextOf) -> None:
        self.concurrency = fetcher.concurrency
        self.per_host = fetcher.per_host if isinstance(fetcher, PacedFetcher) else fetcher.concurrency
        self._fetcher = fetcher
        self._lookup = lookup
        self._cited = cited
        self._text_of = text_of

    def wait_for(self, host: str) -> float:
        """Seconds until a host may be asked next."""
        return self._fetcher.wait_for(host) if isinstance(self._fetcher, PacedFetcher) else 0.0

    def stop(self) -> None:
        """Ends every wait at once."""
        if isinstance(self._fetcher, PacedFetcher):
            self._fetcher.stop()

    def fetch(self, url: str, *, conditional: Validators | None = None) -> Fetched | None:
        """The page itself, or its last copy from before it was accessed; what speaks against a copy is told."""
        answer = self._fetcher.fetch(url, conditional=conditional)
        if answer is None or answer.status not in GONE:
            return answer
        cited = self._cited.get(url, _Cited(None, ()))
        found = self._lookup.look_up(url, cited.until)
        note = found.note
        if found.fetched is not None:
            if not (against := self._against(found.fetched, cited)):
                return replace(found.fetched, note=note)
            note = f"the archive's copy of {found.fetched.fetched_at[:10]} is not taken: {against}"
        return replace(answer, note=f"{answer.note}; {note}")

    def _against(self, copy: Fetched, cited: _Cited) -> str:
        """Why the copy is not the page; "" where nothing speaks against it."""
        try:
            text = self._text_of(copy.body, copy.media_type)
        except CellwrightError as error:
            return error.problems[0].sentence()
        index = QuoteIndex(text)
        if not index.text:
            return "it has no text"
        if len(index.text) < _SHORT and (told := _ERROR.search(index.text, 0, _BEGINNING)):
            return f"it is an error page that was kept: {told[0]!r}"
        if cited.figures and not any(index.find(figure) for figure in cited.figures):
            return f"it shows none of the {len(cited.figures)} figures that are cited from the page"
        return ""


def with_archive(
    repository: Repository, task: str, fetcher: Fetcher, lookup: Lookup, text_of: TextOf
) -> ArchiveFetcher:
    """The fetcher with the archive behind it, and what the task cites from each address."""
    folder = load_task(repository, task)
    cited = {
        source.url: _Cited(source.accessed, _figures(folder.facts, source.id)) for source in reversed(folder.sources)
    }
    return ArchiveFetcher(fetcher, lookup, cited, text_of)


def _figures(facts: tuple[Fact, ...], source: str) -> tuple[str, ...]:
    """The figures cited from a source that are long enough not to stand on any page."""
    written = dict.fromkeys(fact.as_written for fact in facts if fact.source == source)
    return tuple(text for text in written if sum(map(str.isdigit, text)) > 2)

"""An archive of the web asked for a page as it once was (Memento, RFC 7089).

The archive is named by the beginning of its TimeGate's or TimeMap's addresses; the page's address is put behind
it. A TimeGate is asked with Accept-Datetime and leads to a memento; where that is later than wished, or leads
nowhere, the TimeMap that it names is read. The memento taken is the last one up to the moment asked for.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from email.utils import format_datetime, parsedate_to_datetime
from typing import Protocol
from urllib.parse import urljoin

from cellwright.clients.fetched import Fetched, Headers, header, media_type_of
from cellwright.clients.same_pages import same_page
from cellwright.records.errors import CellwrightError

MAX_MEMENTOS = 200_000
MAX_PAGES = 20
"""Pages of one TimeMap."""
LINK_FORMAT = "application/link-format"
# One link of RFC 8288 in link-format (RFC 6690): an address, then parameters; a comma inside quotes parts nothing.
_LINK = re.compile(
    r"<([^<>]{1,4000})>((?:\s{0,9};\s{0,9}[\w!#$&+.^`|~*-]{1,40}\s{0,3}(?:=\s{0,3}(?:\"[^\"]{0,400}\"|[^\s;,\"]{1,400}))?)*)"
)
_PARAMETER = re.compile(r";\s{0,9}([\w!#$&+.^`|~*-]{1,40})\s{0,3}=\s{0,3}(?:\"([^\"]{0,400})\"|([^\s;,\"]{1,400}))")


class Asking(Protocol):
    """What fetches an address."""

    def fetch(self, url: str) -> Fetched | None:
        """What the address answers."""
        ...


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a header or a TimeMap: where to, in which relations, and the moment of a memento."""

    address: str
    relations: frozenset[str]
    moment: datetime | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The memento that was found, or why there is none; one sentence in `note` in both cases."""

    fetched: Fetched | None
    note: str


class Archive:
    """An archive by the beginning of its addresses; `fetcher` makes what asks with further headers. One at a time."""

    def __init__(self, address: str, fetcher: Callable[[Headers], Asking]) -> None:
        self.address = address
        self._fetcher = fetcher
        self._turn = threading.Lock()

    def look_up(self, url: str, until: date | None) -> Found:
        """The page as it was last kept up to the end of the day `until`, or the last of all where there is none."""
        limit = datetime.combine(until, time(23, 59, 59), UTC) if until else None
        with self._turn:
            try:
                return self._look_up(url, limit)
            except CellwrightError as error:
                return Found(None, f"the archive cannot be asked: {error.problems[0].sentence()}")

    def _look_up(self, url: str, limit: datetime | None) -> Found:
        wish: Headers = (("Accept-Datetime", format_datetime(limit, usegmt=True)),) if limit else ()
        asked = self.address + url
        answer = self._fetcher(wish).fetch(asked)
        if answer is None or not answer.has_document:
            return Found(None, _no_document(answer) if answer else "the archive did not answer")
        if media_type_of(answer.headers) == LINK_FORMAT:
            return self._by_map(url, limit, answer)
        moment = moment_of(answer.headers)
        if moment is not None and (limit is None or moment <= limit):
            return checked(answer, url, limit)
        timemap = next((link.address for link in _links_on_the_way(answer) if "timemap" in link.relations), "")
        if timemap:
            further = self._fetcher(()).fetch(timemap)
            if further is not None and further.has_document:
                return self._by_map(url, limit, further)
        if moment is None:
            return Found(None, "the archive answered with a page that is no memento: it states no Memento-Datetime")
        return Found(None, f"the archive kept the page first on {moment:%Y-%m-%d}, after it was accessed")

    def _by_map(self, url: str, limit: datetime | None, timemap: Fetched) -> Found:
        moments: list[tuple[datetime, str]] = []
        page: Fetched | None = timemap
        seen = {timemap.final_url}
        while page is not None and page.has_document and len(seen) <= MAX_PAGES:
            links = list(links_in(page.body.decode("utf-8", "replace"), page.final_url))
            moments += [(link.moment, link.address) for link in links if link.moment and "memento" in link.relations]
            further = [
                link.address
                for link in links
                if "timemap" in link.relations and "self" not in link.relations and link.address not in seen
            ]
            if not further or len(moments) > MAX_MEMENTOS:
                break
            seen.add(further[0])
            page = self._fetcher(()).fetch(further[0])
        fitting = [item for item in moments if limit is None or item[0] <= limit]
        if not fitting:
            first = f"; the first is of {min(moments)[0]:%Y-%m-%d}" if moments else ""
            return Found(None, f"the archive has no copy from before the page was accessed{first}")
        answer = self._fetcher(()).fetch(max(fitting)[1])
        if answer is None:
            return Found(None, "the archive did not answer for its copy")
        return checked(answer, url, limit)


def checked(answer: Fetched, url: str, limit: datetime | None) -> Found:
    """The memento as the answer of the page's own address, refused where it is of another page, moment or an error."""
    moment = moment_of(answer.headers)
    if not answer.has_document:
        return Found(None, _no_document(answer))
    if moment is None:
        return Found(None, "the archive's copy states no Memento-Datetime: it may be the archive's own page")
    if limit is not None and moment > limit:
        return Found(None, f"the archive's copy is of {moment:%Y-%m-%d}, after the page was accessed")
    original = next((link.address for link in header_links(answer) if "original" in link.relations), "")
    if original and not same_page(original, url):
        return Found(None, f"the archive's copy is of another page: {original}")
    if not original and not answer.final_url.endswith(url):
        return Found(None, "the archive's copy does not say of which page it is")
    copy = replace(
        answer,
        url=url,
        via="memento",
        fetched_at=moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
        status="redirected" if answer.hops else "ok",
    )
    return Found(copy, f"the page is gone; taken is the archive's copy of {moment:%Y-%m-%d}: {answer.final_url}")


def _no_document(answer: Fetched) -> str:
    """Why an answer of the archive brings no copy: an error that it kept, or one of its own."""
    moment = moment_of(answer.headers)
    if moment is not None:
        return f"the archive's copy of {moment:%Y-%m-%d} is an error page that was kept ({answer.http_status})"
    return f"the archive has no copy: {answer.note or answer.status}"


def moment_of(headers: Headers) -> datetime | None:
    """When the page was kept, by Memento-Datetime; None where that is absent or no date."""
    return _moment(header(headers, "memento-datetime"))


def header_links(answer: Fetched) -> Iterator[Link]:
    """The links of an answer's Link headers."""
    for name, value in answer.headers:
        if name.lower() == "link":
            yield from links_in(value, answer.final_url)


def _links_on_the_way(answer: Fetched) -> Iterator[Link]:
    """The links of the answer and of the redirects that led to it."""
    yield from header_links(answer)
    for hop in answer.hops:
        for name, value in hop.headers:
            if name.lower() == "link":
                yield from links_in(value, hop.url)


def links_in(text: str, base: str) -> Iterator[Link]:
    """The links of a header or of a TimeMap; relative addresses are completed, what cannot be read is passed over."""
    for found in _LINK.finditer(text):
        parameters: dict[str, str] = {}
        for name, quoted, plain in _PARAMETER.findall(found[2]):
            parameters.setdefault(name.lower(), quoted or plain)
        try:
            address = urljoin(base, found[1].strip())
        except ValueError:
            continue
        yield Link(
            address, frozenset(parameters.get("rel", "").lower().split()), _moment(parameters.get("datetime", ""))
        )


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None

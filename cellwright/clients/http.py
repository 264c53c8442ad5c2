"""Documents fetched from the web: bounded in size and time, public addresses only, redirects recorded hop by hop.

No cookies, no proxies or credentials from the environment; the content codings asked for are those that
can be undone with a bound. A host is asked twice at a time at most, with a pause between, and its robots.txt
is kept to unless a person sets it aside, which the record then says.
"""

from __future__ import annotations

import random
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

import httpx

from cellwright import __version__
from cellwright.clients.addresses import NotFollowed, checked_url, next_url
from cellwright.clients.asking import GLANCE, Answer, Asker, Limits, Stopped, retry_after, too_large
from cellwright.clients.coding import CodingError, TooLarge, undo_codings
from cellwright.clients.connections import Lines
from cellwright.clients.fetched import (
    Fetched,
    Headers,
    Hop,
    Status,
    Validators,
    header,
    is_redirect,
    now_utc,
    status_of,
)
from cellwright.clients.hosts import Hosts
from cellwright.clients.robots import MAX_ROBOTS, MAX_ROBOTS_HOPS, MAX_ROBOTS_SECONDS, Refusal, RobotsBook
from cellwright.documents.gates import challenge_sign
from cellwright.records.errors import UnreadableInput

__all__ = ["HttpFetcher", "Limits", "checked_url", "retry_after", "user_agent"]

OVERRIDDEN = "overridden"
"""The word in a record where robots.txt was set aside."""
_ASKS_FOR_PROOF = frozenset({401, 403, 405, 406, 418, 429, 503})
_NONE_HELD = Validators()


@dataclass(frozen=True, slots=True)
class _Wanted:
    """How an address is to be fetched: with `cut` what is too large is read no further, instead of refused."""

    max_hops: int
    max_bytes: int
    cut: bool = False
    held: Validators = _NONE_HELD
    robots: RobotsBook | None = None


class HttpFetcher:
    """Fetches addresses; safe to share between threads. `concurrency` is how many fetches are sensible at a time.

    `contact` stands in the User-Agent for servers that ask whom to write to. `clock` gives the time of a
    fetch as ISO 8601 in UTC. `allow_private` permits private and loopback addresses, for tests and intranets.
    `ignore_robots` sets robots.txt aside. `chance` draws the jitter of waits; a seeded one repeats them.
    `headers` are sent with every request, such as Accept-Datetime to an archive.
    """

    def __init__(
        self,
        *,
        contact: str = "",
        allow_private: bool = False,
        ignore_robots: bool = False,
        concurrency: int = 8,
        limits: Limits | None = None,
        clock: Callable[[], str] = now_utc,
        sleep: Callable[[float], object] | None = None,
        ssl_context: ssl.SSLContext | None = None,
        chance: random.Random | None = None,
        headers: Headers = (),
    ) -> None:
        self.user_agent = user_agent(contact)
        self.concurrency = concurrency
        self._limits = limits or Limits()
        self.per_host = self._limits.per_host
        self._clock = clock
        self._stopping = threading.Event()
        sleep = sleep or self._stopping.wait
        self._hosts = Hosts(self._limits.per_host, self._limits.pause, sleep)
        self._lines = Lines(ssl_context or httpx.create_ssl_context(), allow_private)
        self._asker = Asker(
            self.user_agent,
            self._limits,
            self._lines,
            self._hosts,
            clock=clock,
            sleep=sleep,
            chance=chance or random.Random(),
            more=headers,
        )
        self._robots = None if ignore_robots else RobotsBook(self._robots_txt, self._hosts.slow_down)

    def fetch(self, url: str, *, conditional: Validators | tuple[str, str] | None = None) -> Fetched:
        """What the address answers, redirects followed.

        With `conditional` (ETag and Last-Modified of the document held) a server may answer that it is still the
        one: `not_modified`, without a body. Raises UnreadableInput where `url` is no http(s) address.
        """
        target = checked_url(url)
        held = Validators(*conditional) if conditional is not None else _NONE_HELD
        held = held._replace(url=str(checked_url(held.url)) if held.url else str(target))
        self._lines.mine().deadline.restart(self._limits.max_seconds)
        want = _Wanted(self._limits.max_hops, self._limits.max_bytes, held=held, robots=self._robots)
        found = self._follow(url, target, want)
        return replace(found, robots=OVERRIDDEN) if self._robots is None else found

    def wait_for(self, host: str) -> float:
        """Seconds until a host may be asked next, 0 for now."""
        return self._hosts.wait_for(host)

    def stop(self) -> None:
        """Ends every wait at once; fetches that are under way go on to their end."""
        self._stopping.set()

    def close(self) -> None:
        """Closes the connections that were kept."""
        self._lines.close()

    def _follow(self, url: str, target: httpx.URL, want: _Wanted) -> Fetched:
        """The answer at the end of the redirects, or why there is none."""
        fetched_at = self._clock()
        hops: list[Hop] = []
        been: set[str] = set()

        def stop(status: Status, note: str) -> Fetched:
            return Fetched(url, str(target), status, None, (), b"", b"", fetched_at, tuple(hops), note=note)

        while True:
            shown = str(target)
            try:
                if want.robots is not None and (refusal := self._refusal(want.robots, target)):
                    return stop(refusal.status, refusal.note)
                asks = want.held if want.held.url == shown and any(want.held[:2]) else None
                answer = self._asker.ask(target, want.max_bytes, asks, cut=want.cut)
                if not is_redirect(answer.http_status, answer.headers):
                    return _finished(stop("ok", ""), answer, want, asks is not None)
                hops.append(Hop(shown, answer.http_status, answer.headers, answer.sent, answer.http_version))
                been.add(shown)
                if len(hops) > want.max_hops:
                    return stop("unreachable", f"more than {want.max_hops} redirects follow each other")
                target = next_url(target, header(answer.headers, "location"))
                if str(target) in been:
                    return stop("unreachable", f"its redirects lead in a circle, back to {target}")
            except NotFollowed as error:
                return stop("blocked", str(error))
            except Stopped as stopped:
                return stop(stopped.status, stopped.note)

    def _refusal(self, robots: RobotsBook, target: httpx.URL) -> Refusal | None:
        """What robots.txt says against the address; what it takes to ask is not counted against the fetch."""
        with self._lines.mine().deadline.set_aside(MAX_ROBOTS_SECONDS):
            return robots.refusal(target)

    def _robots_txt(self, target: httpx.URL) -> Fetched:
        return self._follow(str(target), target, _Wanted(MAX_ROBOTS_HOPS, MAX_ROBOTS, cut=True))


def _finished(begun: Fetched, answer: Answer, want: _Wanted, conditional: bool) -> Fetched:
    """The document of the last answer, or the word for there being none."""
    status = status_of(answer.http_status, answer.headers, len(begun.hops))
    note = "" if status in ("ok", "redirected") else f"the server answered {answer.http_status}"
    if answer.http_status == 304 and conditional:
        status, note = "not_modified", "the server answers that the document held is still the one"
    elif status == "challenge" or (answer.http_status in _ASKS_FOR_PROOF and _sign_in(answer)):
        status, note = (
            "challenge",
            f"the server answered {answer.http_status} with a page that asks for proof of a person",
        )
    done = replace(
        begun,
        status=status,
        http_status=answer.http_status,
        headers=answer.headers,
        request_headers=answer.sent,
        http_version=answer.http_version,
        note=note,
    )
    if not done.has_document:
        return done
    try:
        body = undo_codings(answer.payload, header(answer.headers, "content-encoding"), want.max_bytes)
    except TooLarge:
        return replace(done, status="too_large", note=too_large(want.max_bytes))
    except CodingError as error:
        return replace(done, status="wrong_type", note=str(error))
    if not body:
        return replace(done, status="wrong_type", note="the answer is empty")
    return replace(done, body=body, payload=answer.payload)


def _sign_in(answer: Answer) -> str:
    """What in an answer without a document asks for proof of a person, "" where nothing does."""
    try:
        page = undo_codings(answer.payload, header(answer.headers, "content-encoding"), GLANCE * 10)
    except (CodingError, TooLarge):
        return ""  # Cut short or not what it says: its status is all there is to go by.
    return challenge_sign(page)


def user_agent(contact: str) -> str:
    """`cellwright/<version>`, and `(+contact)` where one is set. Raises UnreadableInput for what no header holds."""
    text = contact.strip()
    if not text:
        return f"cellwright/{__version__}"
    if len(text) > 200 or not text.isascii() or not text.isprintable() or set(text) & set("()\\"):
        raise UnreadableInput(
            "the contact cannot stand in a User-Agent",
            seen=text,
            expected="an address or a page of at most 200 plain characters, without brackets",
        )
    return f"cellwright/{__version__} (+{text})"

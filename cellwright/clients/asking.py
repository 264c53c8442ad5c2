"""One question to one address: in the host's turn, within the deadline, tried again where that makes sense."""

from __future__ import annotations

import random
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

import h2.exceptions
import httpcore

from cellwright.clients.coding import CODINGS
from cellwright.clients.connections import Line, Lines
from cellwright.clients.fetched import MAX_BODY, Headers, Status, Validators, header, status_of
from cellwright.clients.guard import AddressRefused, NameUnknown
from cellwright.clients.hosts import Hosts

if TYPE_CHECKING:
    import httpx

GLANCE = 65_536
"""Bytes read of an answer that brings no document: enough to tell a challenge, and to go on with the connection."""
_ACCEPT = "text/html,application/xhtml+xml,application/pdf,application/json,text/csv,*/*;q=0.8"
_AGAIN = frozenset({429, 500, 502, 503, 504})
_FIRST_WAIT = 0.5


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one fetch may take: bytes, seconds for everything, seconds of silence, redirects, tries a hop,
    seconds to wait between tries, between two questions to one host, and questions to one host at a time."""

    max_bytes: int = MAX_BODY
    max_seconds: float = 60.0
    max_silence: float = 20.0
    max_hops: int = 10
    max_tries: int = 3
    max_wait: float = 20.0
    pause: float = 0.2
    per_host: int = 2


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said: `payload` is the document's bytes, or the beginning of an answer that brings none."""

    http_status: int
    headers: Headers
    payload: bytes
    sent: Headers
    http_version: str


class Stopped(Exception):
    """A fetch that ends without a document."""

    def __init__(self, status: Status, note: str) -> None:
        super().__init__(note)
        self.status: Status = status
        self.note = note


class Asker:
    """Asks addresses; safe to share between threads. `chance` draws the jitter of the waits between tries,
    `more` is sent with every question."""

    def __init__(
        self,
        user_agent: str,
        limits: Limits,
        lines: Lines,
        hosts: Hosts,
        *,
        clock: Callable[[], str],
        sleep: Callable[[float], object],
        chance: random.Random,
        more: Headers = (),
    ) -> None:
        self._user_agent = user_agent
        self._more = more
        self._limits = limits
        self._lines = lines
        self._hosts = hosts
        self._clock = clock
        self._sleep = sleep
        self._chance = chance
        self._lock = threading.Lock()

    def ask(self, url: httpx.URL, max_bytes: int, held: Validators | None = None, *, cut: bool = False) -> Answer:
        """The address asked until it answers or the tries are used up; with `held` the question is conditional.

        A document larger than `max_bytes` is refused, or with `cut` read no further. Raises Stopped.
        """
        line = self._lines.mine()
        sent = self._headers(url, held)
        for attempt in range(1, self._limits.max_tries + 1):
            last = attempt == self._limits.max_tries
            wait = self._backed_off(attempt)
            try:
                answer = self._in_turn(url, line, sent, max_bytes, cut)
            except Stopped as stopped:
                if last or stopped.status != "unreachable":
                    raise
            else:
                if answer.http_status not in _AGAIN:
                    return answer
                asked_for = retry_after(answer.headers, self._clock())
                if asked_for:
                    self._hosts.hold(url.host, asked_for)
                    wait = asked_for
                if last or wait > self._limits.max_wait or wait > line.deadline.remaining():
                    return answer
                if asked_for:
                    continue  # The next turn waits for it, as every other question to this host does.
            self._sleep(wait)
        raise Stopped("unreachable", "no try was made")

    def _backed_off(self, attempt: int) -> float:
        """Seconds to wait after a try: doubled each time, a random part of it taken off so that tries spread out."""
        with self._lock:
            part = self._chance.uniform(0.5, 1.0)
        return float(min(_FIRST_WAIT * 2 ** (attempt - 1), self._limits.max_wait) * part)

    def _headers(self, url: httpx.URL, held: Validators | None) -> Headers:
        sent = [
            ("Host", url.netloc.decode("ascii")),
            ("User-Agent", self._user_agent),
            ("Accept", _ACCEPT),
            ("Accept-Encoding", ", ".join(CODINGS)),
        ]
        if held is not None and held.etag:
            sent.append(("If-None-Match", held.etag))
        if held is not None and held.last_modified:
            sent.append(("If-Modified-Since", held.last_modified))
        return (*sent, *self._more)

    def _in_turn(self, url: httpx.URL, line: Line, sent: Headers, max_bytes: int, cut: bool) -> Answer:
        with self._hosts.turn(url.host) as waited:
            line.deadline.extend(waited)
            held = self._hosts.held_for(url.host)
            if held > self._limits.max_wait:
                raise Stopped("rate_limited", f"the host asks not to be asked for another {held:.0f} seconds")
            if held:
                self._sleep(held)
                line.deadline.extend(held)
            before = line.connections
            try:
                return self._told(url, line, sent, max_bytes, cut)
            except Stopped as stopped:
                if stopped.status != "unreachable" or line.connections != before:
                    raise
            # The server had closed a connection that was kept: asked once more on a new one, at once.
            return self._told(url, line, sent, max_bytes, cut)

    def _told(self, url: httpx.URL, line: Line, sent: Headers, max_bytes: int, cut: bool) -> Answer:
        """The answer, or Stopped with the word for what went wrong."""
        whole = False
        try:
            answer, whole = self._once(url, line, sent, max_bytes, cut)
            return answer
        except AddressRefused as error:
            raise Stopped("blocked", str(error)) from None
        except NameUnknown as error:
            raise Stopped("dns_error", f"the name {url.host} cannot be resolved ({error})") from None
        except httpcore.TimeoutException:
            raise Stopped("timeout", "the server did not answer in time") from None
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol) as error:
            if error.args and isinstance(error.args[0], ssl.SSLError):
                raise Stopped("tls_error", f"no secure connection ({_tls_reason(error.args[0])})") from None
            raise Stopped("unreachable", f"the connection failed ({str(error) or type(error).__name__})") from None
        except (ValueError, h2.exceptions.H2Error) as error:
            # httpcore lets through what an HTTP/2 server's nonsense makes of its own reading (a status of `abc`).
            raise Stopped("unreachable", f"the answer cannot be read ({str(error) or type(error).__name__})") from None
        finally:
            if not whole:
                line.drop()

    def _once(self, url: httpx.URL, line: Line, sent: Headers, max_bytes: int, cut: bool) -> tuple[Answer, bool]:
        """The answer, and whether it was read to its end."""
        silence = self._limits.max_silence
        request = httpcore.Request(
            "GET",
            httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=[(name.encode(), value.encode()) for name, value in sent],
            extensions={"timeout": {"connect": silence, "read": silence, "write": silence, "pool": silence}},
        )
        answer = line.send(request)
        try:
            headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in answer.headers)
            version = answer.extensions["http_version"].decode("ascii")
            if status_of(answer.status, headers, 0) != "ok":
                payload, whole = _beginning(answer)
            else:
                payload, whole = self._document(answer, headers, max_bytes, cut)
        finally:
            answer.close()
        return Answer(answer.status, headers, payload, sent, version), whole

    def _document(self, answer: httpcore.Response, headers: Headers, limit: int, cut: bool) -> tuple[bytes, bool]:
        stated = header(headers, "content-length")
        if not cut and stated.isascii() and stated.isdigit() and int(stated[:20]) > limit:
            raise Stopped("too_large", too_large(limit))
        parts: list[bytes] = []
        size = 0
        for chunk in answer.iter_stream():
            size += len(chunk)
            parts.append(chunk)
            if size > limit:
                if cut:
                    return b"".join(parts)[:limit], False
                raise Stopped("too_large", too_large(limit))
        return b"".join(parts), True


def _beginning(answer: httpcore.Response) -> tuple[bytes, bool]:
    """The first bytes of an answer that brings no document; its status counts, so that a fault here is passed over."""
    parts: list[bytes] = []
    size = 0
    with suppress(httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError):
        for chunk in answer.iter_stream():
            parts.append(chunk)
            size += len(chunk)
            if size > GLANCE:
                return b"".join(parts)[:GLANCE], False
        return b"".join(parts), True
    return b"".join(parts), False


def too_large(limit: int) -> str:
    """The sentence for a document beyond the limit."""
    return f"the document is larger than {limit} bytes"


def retry_after(headers: Headers, now: str) -> float:
    """Seconds that the Retry-After header asks to wait, 0 where there is none (RFC 9110, section 10.2.3)."""
    text = header(headers, "retry-after")
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
        return max(0.0, (moment - datetime.fromisoformat(now)).total_seconds())
    except (ValueError, TypeError, IndexError, OverflowError):
        return 0.0


def _tls_reason(error: ssl.SSLError) -> str:
    return getattr(error, "verify_message", "") or str(error.reason or error)

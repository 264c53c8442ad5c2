"""Documents fetched from the web: bounded in size and time, public addresses only, redirects recorded hop by hop.

No cookies, no proxies or credentials from the environment; the content codings asked for are those that
can be undone with a bound. A host is asked twice at a time at most, with a pause between.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpcore
import httpx

from cellwright import __version__
from cellwright.clients.coding import CODINGS, CodingError, TooLarge, undo_codings
from cellwright.clients.fetched import MAX_BODY, Fetched, Headers, Hop, Status, header, is_redirect, now_utc, status_of
from cellwright.clients.guard import AddressRefused, Deadline, GuardedBackend, NameUnknown
from cellwright.records.errors import UnreadableInput

MAX_URL = 4000
_ACCEPT = "text/html,application/xhtml+xml,application/pdf,application/json,text/csv,*/*;q=0.8"
_AGAIN = frozenset({429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one fetch may take: bytes, seconds for everything, seconds of silence, redirects, tries a hop,
    seconds to wait between tries, and between two questions to one host."""

    max_bytes: int = MAX_BODY
    max_seconds: float = 60.0
    max_silence: float = 20.0
    max_hops: int = 10
    max_tries: int = 3
    max_wait: float = 20.0
    pause: float = 0.2
    per_host: int = 2


@dataclass(frozen=True, slots=True)
class _Answer:
    http_status: int
    headers: Headers
    payload: bytes
    sent: Headers


class _Stopped(Exception):
    """A fetch that ends without a document."""

    def __init__(self, status: Status, note: str) -> None:
        super().__init__(note)
        self.status: Status = status
        self.note = note


class HttpFetcher:
    """Fetches addresses; safe to share between threads. `concurrency` is how many fetches are sensible at a time.

    `contact` stands in the User-Agent for servers that ask whom to write to. `clock` gives the time of a
    fetch as ISO 8601 in UTC. `allow_private` permits private and loopback addresses, for tests and intranets.
    `headers` are sent with every request, such as Accept-Datetime to an archive.
    """

    concurrency = 4

    def __init__(
        self,
        *,
        contact: str = "",
        allow_private: bool = False,
        limits: Limits | None = None,
        clock: Callable[[], str] = now_utc,
        sleep: Callable[[float], None] = time.sleep,
        ssl_context: ssl.SSLContext | None = None,
        headers: Headers = (),
    ) -> None:
        self.user_agent = user_agent(contact)
        self._allow_private = allow_private
        self._limits = limits or Limits()
        self._clock = clock
        self._sleep = sleep
        self._ssl = ssl_context or httpx.create_ssl_context()
        self._hosts = _Hosts(self._limits, sleep)
        self._headers = headers

    def fetch(self, url: str, *, held: Headers = ()) -> Fetched:
        """What the address answers, redirects followed. Raises UnreadableInput where `url` is no http(s) address."""
        target = checked_url(url)
        deadline = Deadline(self._limits.max_seconds)
        fetched_at = self._clock()
        hops: list[Hop] = []

        def stop(status: Status, note: str) -> Fetched:
            return Fetched(url, str(target), status, None, (), b"", b"", fetched_at, tuple(hops), note=note)

        while True:
            try:
                answer = self._ask_with_tries(target, deadline)
                if not is_redirect(answer.http_status, answer.headers):
                    return self._finish(stop("ok", ""), answer)
                hops.append(Hop(str(target), answer.http_status, answer.headers, answer.sent))
                if len(hops) > self._limits.max_hops:
                    return stop("unreachable", f"more than {self._limits.max_hops} redirects follow each other")
                target = _next_url(target, header(answer.headers, "location"))
            except _Stopped as stopped:
                return stop(stopped.status, stopped.note)

    def _finish(self, begun: Fetched, answer: _Answer) -> Fetched:
        status = status_of(answer.http_status, answer.headers, len(begun.hops))
        done = replace(
            begun,
            status=status,
            http_status=answer.http_status,
            headers=answer.headers,
            request_headers=answer.sent,
            note="" if status in ("ok", "redirected") else f"the server answered {answer.http_status}",
        )
        if not done.has_document:
            return done
        try:
            body = undo_codings(answer.payload, header(answer.headers, "content-encoding"), self._limits.max_bytes)
        except TooLarge:
            return replace(done, status="too_large", note=self._too_large())
        except CodingError as error:
            return replace(done, status="wrong_type", note=str(error))
        if not body:
            return replace(done, status="wrong_type", note="the answer is empty")
        return replace(done, body=body, payload=answer.payload)

    def _ask_with_tries(self, url: httpx.URL, deadline: Deadline) -> _Answer:
        """One address asked until it answers or the tries are used up; raises _Stopped."""
        for attempt in range(1, self._limits.max_tries + 1):
            last = attempt == self._limits.max_tries
            wait = min(0.5 * 2 ** (attempt - 1), self._limits.max_wait)
            try:
                answer = self._ask_in_turn(url, deadline)
            except _Stopped as stopped:
                if last or stopped.status != "unreachable":
                    raise
            else:
                if last or answer.http_status not in _AGAIN:
                    return answer
                wait = retry_after(answer.headers, self._clock()) or wait
                if wait > self._limits.max_wait or wait > deadline.remaining():
                    return answer
            self._sleep(wait)
        raise _Stopped("unreachable", "no try was made")

    def _ask_in_turn(self, url: httpx.URL, deadline: Deadline) -> _Answer:
        with self._hosts.turn(url.host) as waited:
            deadline.extend(waited)
            try:
                return self._ask(url, deadline)
            except AddressRefused as error:
                raise _Stopped("blocked", str(error)) from None
            except NameUnknown as error:
                raise _Stopped("dns_error", f"the name {url.host} cannot be resolved ({error})") from None
            except httpcore.TimeoutException:
                raise _Stopped("timeout", "the server did not answer in time") from None
            except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol) as error:
                if error.args and isinstance(error.args[0], ssl.SSLError):
                    raise _Stopped("tls_error", f"no secure connection ({_tls_reason(error.args[0])})") from None
                raise _Stopped("unreachable", f"the connection failed ({str(error) or type(error).__name__})") from None

    def _ask(self, url: httpx.URL, deadline: Deadline) -> _Answer:
        sent: Headers = (
            ("Host", url.netloc.decode("ascii")),
            ("User-Agent", self.user_agent),
            ("Accept", _ACCEPT),
            ("Accept-Encoding", ", ".join(CODINGS)),
            ("Connection", "close"),
            *self._headers,
        )
        silence = self._limits.max_silence
        extensions = {"timeout": {"connect": silence, "read": silence, "write": silence, "pool": silence}}
        backend = GuardedBackend(deadline, self._allow_private)
        with httpcore.ConnectionPool(ssl_context=self._ssl, network_backend=backend, max_connections=1) as pool:
            answer = pool.handle_request(
                httpcore.Request(
                    "GET",
                    httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                    headers=[(name.encode(), value.encode()) for name, value in sent],
                    extensions=extensions,
                )
            )
            with closing(answer):
                headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in answer.headers)
                wanted = status_of(answer.status, headers, 0) == "ok"
                payload = self._payload(answer, headers) if wanted else b""
                return _Answer(answer.status, headers, payload, sent)

    def _payload(self, answer: httpcore.Response, headers: Headers) -> bytes:
        stated = header(headers, "content-length")
        if stated.isascii() and stated.isdigit() and int(stated[:20]) > self._limits.max_bytes:
            raise _Stopped("too_large", self._too_large())
        parts: list[bytes] = []
        size = 0
        for chunk in answer.iter_stream():
            size += len(chunk)
            if size > self._limits.max_bytes:
                raise _Stopped("too_large", self._too_large())
            parts.append(chunk)
        return b"".join(parts)

    def _too_large(self) -> str:
        return f"the document is larger than {self._limits.max_bytes} bytes"


class _Hosts:
    """Turns at each host: so many at a time, and a pause between the starts."""

    def __init__(self, limits: Limits, sleep: Callable[[float], None]) -> None:
        self._limits = limits
        self._sleep = sleep
        self._lock = threading.Lock()
        self._turns: dict[str, tuple[threading.Semaphore, list[float]]] = {}

    @contextmanager
    def turn(self, host: str) -> Iterator[float]:
        """A place at the host, held while it is asked; gives the seconds that were waited for it."""
        with self._lock:
            if host not in self._turns:
                self._turns[host] = (threading.Semaphore(self._limits.per_host), [0.0])
            semaphore, next_start = self._turns[host]
        begun = time.monotonic()
        with semaphore:
            wait = self._reserve(next_start)
            if wait > 0:
                self._sleep(wait)
            yield time.monotonic() - begun

    def _reserve(self, next_start: list[float]) -> float:
        """Seconds until the host may be asked again; that moment is taken."""
        with self._lock:
            now = time.monotonic()
            start = max(now, next_start[0])
            next_start[0] = start + self._limits.pause
            return start - now


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


def checked_url(url: str) -> httpx.URL:
    """The address as httpx takes it, without fragment. Raises UnreadableInput unless it is http(s) with a host."""
    fault = ""
    try:
        parsed = httpx.URL(url.strip()).copy_with(fragment=None)
    except (httpx.InvalidURL, UnicodeError, ValueError) as error:
        raise UnreadableInput("the address cannot be read", seen=url, expected=str(error)) from None
    if len(url) > MAX_URL:
        fault = f"an address of at most {MAX_URL} characters"
    elif parsed.scheme not in ("http", "https") or not parsed.host:
        fault = "an address that begins with http:// or https:// and names a host"
    elif b"%" in parsed.raw_host or (parsed.port or 0) > 65535:
        fault = "a host and a port that can exist"
    elif parsed.userinfo:
        fault = "an address without a user name"
    if fault:
        raise UnreadableInput("the address is not one that can be fetched", seen=url, expected=fault)
    return parsed


def retry_after(headers: Headers, now: str) -> float:
    """Seconds that the Retry-After header asks to wait, 0 where there is none (RFC 9110, section 10.2.3)."""
    text = header(headers, "retry-after")
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        return 0.0
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
    return max(0.0, (moment - datetime.fromisoformat(now)).total_seconds())


def _next_url(current: httpx.URL, location: str) -> httpx.URL:
    with suppress(UnicodeError):  # Some servers send the letters themselves, as UTF-8.
        location = location.encode("latin-1").decode("utf-8")
    try:
        return checked_url(str(current.join(location)))
    except (UnreadableInput, httpx.InvalidURL, ValueError):
        raise _Stopped("blocked", f"it redirects to an address that is not followed: {location[:200]!r}") from None


def _tls_reason(error: ssl.SSLError) -> str:
    return getattr(error, "verify_message", "") or str(error.reason or error)

"""What came of asking for an address: the answer with its record, and the words for its outcome."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, NamedTuple, get_args

Status = Literal[
    "ok",
    "redirected",
    "not_modified",
    "gone",
    "blocked",
    "challenge",
    "paywalled",
    "rate_limited",
    "too_large",
    "wrong_type",
    "tls_error",
    "dns_error",
    "timeout",
    "unreachable",
]
"""`unreachable`: no connection, an answer cut short, a server's own failure, redirects without end.
`not_modified`: the document held already is still the one. Each is told in guidelines/capturing.md."""
STATUSES: tuple[str, ...] = get_args(Status)

Via = Literal["live", "mirror", "warc", "memento", "upload", "stand-in"]
VIAS: tuple[str, ...] = get_args(Via)

Headers = tuple[tuple[str, str], ...]

MAX_BODY = 50_000_000
"""Bytes of one document, before and after its content coding is undone."""

UNKNOWN_TIME = "1970-01-01T00:00:00Z"
"""Stands where a mirror does not say when a file was fetched: a capture has to carry a time."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_WAF_ASKS = frozenset({"challenge", "captcha"})
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")
_CHARSET = re.compile(r"charset\s*=\s*\"?([A-Za-z0-9._:-]{1,40})", re.IGNORECASE)


class Validators(NamedTuple):
    """What a conditional request says of the document held: its ETag and Last-Modified as the server wrote them,
    and the address that gave them ("" for the address asked). RFC 9110, section 13."""

    etag: str = ""
    last_modified: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Hop:
    """One redirect on the way: the address asked, the answer's status and headers, what was sent, and how."""

    url: str
    http_status: int
    headers: Headers
    request_headers: Headers = ()
    http_version: str = "HTTP/1.1"


@dataclass(frozen=True, slots=True)
class Fetched:
    """The answer to one address.

    `payload` is what arrived with the transfer coding undone, as a WARC keeps it; `body` is the document
    itself, the content coding undone too. Both are empty unless `status` is `ok` or `redirected`.
    `headers` are the last answer's, `hops` the redirects before it. `request_headers` is empty where
    nothing was sent (a mirror, an upload). `note` says in a sentence why there is no document, `http_version`
    what was spoken, `robots` is `overridden` where robots.txt was set aside by a person's wish.
    """

    url: str
    final_url: str
    status: Status
    http_status: int | None
    headers: Headers
    body: bytes
    payload: bytes
    fetched_at: str
    hops: tuple[Hop, ...] = ()
    via: Via = "live"
    request_headers: Headers = ()
    note: str = ""
    http_version: str = "HTTP/1.1"
    robots: str = ""

    @property
    def has_document(self) -> bool:
        """Whether there is a body to capture."""
        return self.status in ("ok", "redirected")

    @property
    def media_type(self) -> str:
        """The media type without parameters in small letters, "" where the answer states none."""
        return media_type_of(self.headers)


def status_of(http_status: int, headers: Headers, hops: int) -> Status:
    """The outcome that an HTTP status stands for; a redirect that cannot be followed is `unreachable`.

    Only 200 and 203 bring the document: 204 and 205 have none, 206 is a part (RFC 9110, section 15). What
    asks for proof that a person reads says so in a header, whatever its status.
    """
    if "challenge" in header(headers, "cf-mitigated") or header(headers, "x-amzn-waf-action") in _WAF_ASKS:
        return "challenge"
    if http_status in (200, 203):
        return "redirected" if hops else "ok"
    if 200 <= http_status < 300:
        return "wrong_type"
    if http_status in (404, 410):
        return "gone"
    if http_status == 402:
        return "paywalled"
    if http_status == 429 or (http_status == 503 and header(headers, "retry-after")):
        return "rate_limited"
    return "blocked" if 400 <= http_status < 500 else "unreachable"


def is_redirect(http_status: int, headers: Headers) -> bool:
    """Whether the answer sends the reader to another address."""
    return http_status in _REDIRECTS and bool(header(headers, "location"))


def header(headers: Headers, name: str) -> str:
    """The first value of a header, "" where there is none; names are compared without case."""
    wanted = name.lower()
    return next((value.strip() for key, value in headers if key.lower() == wanted), "")


def validators_of(headers: Headers, url: str) -> Validators:
    """The validators that an answer of `url` brought, for a conditional request later; empty where it has none."""
    return Validators(_sendable(header(headers, "etag")), _sendable(header(headers, "last-modified")), url)


def _sendable(value: str) -> str:
    """A header's value where it may be sent back as it is, else ""."""
    return value if len(value) <= 500 and value.isascii() and value.isprintable() else ""


def media_type_of(headers: Headers) -> str:
    """The media type in Content-Type, without parameters, in small letters; "" where there is none."""
    essence = header(headers, "content-type").partition(";")[0].strip().lower()
    kind, slash, name = essence.partition("/")
    return essence if slash and _TOKEN.fullmatch(kind) and _TOKEN.fullmatch(name) else ""


def charset_of(headers: Headers) -> str:
    """The charset that Content-Type states, in small letters; "" where it states none."""
    found = _CHARSET.search(header(headers, "content-type")[:1000])
    return found.group(1).lower() if found else ""


def utc_time(text: str) -> str:
    """A date or a time of ISO 8601 as `YYYY-MM-DDTHH:MM:SSZ`; a time without a zone is UTC. Raises ValueError."""
    moment = datetime.fromisoformat(text.strip())
    try:
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(str(error)) from None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")


def now_utc() -> str:
    """The present moment as `YYYY-MM-DDTHH:MM:SSZ`."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

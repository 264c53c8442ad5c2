"""robots.txt (RFC 9309): asked once a host and run, bounded, and kept to.

What a host answers with 4xx has none, and everything is allowed; where it fails or cannot be reached, nothing
is. Five redirects are followed, 500 KiB read.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from cellwright.clients.addresses import checked_url, origin_of
from cellwright.clients.fetched import Fetched, Status

TOKEN = "cellwright"
"""The name by which a robots.txt may speak of this program."""
MAX_ROBOTS = 500 * 1024
MAX_ROBOTS_HOPS = 5
MAX_ROBOTS_SECONDS = 20.0
MAX_DELAY = 30.0
"""The longest Crawl-delay that is kept to, in seconds."""

_AGENT_LINE = re.compile(r"\s*user[- ]?agents?\b\s*:?\s*([^#]*)", re.IGNORECASE)

# Its remarks on lines it cannot read would reach a terminal where nobody has set logging up.
logging.getLogger("protego").addHandler(logging.NullHandler())


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a page is not asked for."""

    status: Status
    note: str


class Rules:
    """What one robots.txt says to this program. `crawl_delay` is in seconds, at most MAX_DELAY."""

    def __init__(self, text: str) -> None:
        from protego import Protego

        self._rules = Protego.parse(_for_us(text))
        self.crawl_delay = min(self._rules.crawl_delay(TOKEN) or 0.0, MAX_DELAY)

    def allows(self, url: str) -> bool:
        """Whether the address may be fetched."""
        return bool(self._rules.can_fetch(url, TOKEN))


class RobotsBook:
    """The rules of each host met in a run; safe to share between threads.

    `read` fetches a robots.txt without asking this book; `slow_down` is told a host's name and its crawl-delay.
    """

    def __init__(self, read: Callable[[httpx.URL], Fetched], slow_down: Callable[[str, float], None]) -> None:
        self._read = read
        self._slow_down = slow_down
        self._lock = threading.Lock()
        self._known: dict[str, Rules | Refusal | None] = {}
        self._asking: dict[str, threading.Lock] = {}

    def refusal(self, url: httpx.URL) -> Refusal | None:
        """Why the address is not to be asked for, None where it may be."""
        origin = origin_of(url)
        if origin not in self._known:
            with self._lock:
                asking = self._asking.setdefault(origin, threading.Lock())
            with asking:
                if origin not in self._known:
                    self._known[origin] = self._rules_of(url, origin)
        rules = self._known[origin]
        if rules is None or isinstance(rules, Refusal):
            return rules
        if rules.allows(str(url)):
            return None
        return Refusal("blocked", f"the robots.txt of {url.host} does not allow it")

    def _rules_of(self, url: httpx.URL, origin: str) -> Rules | Refusal | None:
        answer = self._read(checked_url(origin + "/robots.txt"))
        if answer.has_document:
            rules = Rules(answer.body.decode("utf-8-sig", "replace"))
            if rules.crawl_delay:
                self._slow_down(url.host, rules.crawl_delay)
            return rules
        if answer.http_status is not None and answer.http_status < 500:
            return None  # There is none, or it says nothing that can be read.
        if len(answer.hops) > MAX_ROBOTS_HOPS or any(hop.url == answer.final_url for hop in answer.hops):
            return None  # Redirects without end count as there being none.
        note = f"its robots.txt cannot be had, so nothing there is fetched ({answer.note})"
        return Refusal("blocked" if answer.http_status is not None else answer.status, note)


def _for_us(text: str) -> str:
    """The file with every other program's name made one: a thousand names of one group cost a thousand groups."""
    lines: list[str] = []
    for line in text.splitlines():
        found = _AGENT_LINE.match(line)
        if found is None:
            lines.append(line)
            continue
        name = found[1].strip().lower().partition("/")[0].strip()
        lines.append(f"User-agent: {name if name in (TOKEN, '*') else 'others'}")
    return "\n".join(lines)

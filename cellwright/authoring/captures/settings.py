"""How politely and how patiently captures are made: the `CELLWRIGHT_*` settings, each with its bounds.

guidelines/capturing.md tells them in plain words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cellwright.clients.fetched import Headers
from cellwright.clients.http import HttpFetcher, Limits
from cellwright.records.errors import UnreadableInput

CONTACT = "CELLWRIGHT_CONTACT"
"""The setting that tells hosts whom to ask: an address that goes into the User-Agent."""
CONCURRENCY = "CELLWRIGHT_CONCURRENCY"
"""Documents fetched at a time, of all hosts together."""
PER_HOST = "CELLWRIGHT_PER_HOST"
"""Questions to one host at a time."""
PAUSE = "CELLWRIGHT_PAUSE"
"""Seconds between the starts of two questions to one host."""
MAX_SECONDS = "CELLWRIGHT_MAX_SECONDS"
"""Seconds that one document may take in all."""
MAX_WAIT = "CELLWRIGHT_MAX_WAIT"
"""The longest wait that a host may ask for and gets, in seconds."""

_CONCURRENT = 8
_BOUNDS: dict[str, tuple[float, float, type]] = {
    CONCURRENCY: (1, 64, int),
    PER_HOST: (1, 16, int),
    PAUSE: (0, 60, float),
    MAX_SECONDS: (1, 3600, float),
    MAX_WAIT: (0, 600, float),
}


def http_fetcher(
    settings: Mapping[str, str], *, allow_private: bool, ignore_robots: bool, headers: Headers = ()
) -> HttpFetcher:
    """A fetcher as the settings ask for it, which sends `headers` with every question.

    Raises UnreadableInput for a setting that is out of its bounds.
    """
    usual = Limits()
    limits = replace(
        usual,
        per_host=int(_number(settings, PER_HOST, usual.per_host)),
        pause=_number(settings, PAUSE, usual.pause),
        max_seconds=_number(settings, MAX_SECONDS, usual.max_seconds),
        max_wait=_number(settings, MAX_WAIT, usual.max_wait),
    )
    return HttpFetcher(
        contact=settings.get(CONTACT, ""),
        allow_private=allow_private,
        ignore_robots=ignore_robots,
        concurrency=int(_number(settings, CONCURRENCY, _CONCURRENT)),
        limits=limits,
        headers=headers,
    )


def _number(settings: Mapping[str, str], name: str, usual: float) -> float:
    text = settings.get(name, "").strip()
    if not text:
        return usual
    low, high, kind = _BOUNDS[name]
    try:
        value = float(int(text) if kind is int else float(text))
    except ValueError:
        value = -1.0
    if not low <= value <= high:
        whole = "a whole number" if kind is int else "a number"
        raise UnreadableInput(
            f"the setting {name} cannot be read", seen=text, expected=f"{whole} from {low:g} to {high:g}"
        )
    return value

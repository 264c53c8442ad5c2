"""Web addresses that may be fetched, and where a redirect leads."""

from __future__ import annotations

from contextlib import suppress

import httpx

from cellwright.records.errors import UnreadableInput

MAX_URL = 4000


class NotFollowed(Exception):
    """A redirect leads to what is not fetched."""


def checked_url(url: str) -> httpx.URL:
    """The address as httpx takes it, without fragment. Raises UnreadableInput unless it is http(s) with a host."""
    fault = ""
    try:
        parsed = httpx.URL(url.strip())
        if "#" in url:
            parsed = parsed.copy_with(fragment=None)
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


def next_url(current: httpx.URL, location: str) -> httpx.URL:
    """Where a redirect leads. Raises NotFollowed for what is no address to fetch."""
    with suppress(UnicodeError):  # Some servers send the letters themselves, as UTF-8.
        location = location.encode("latin-1").decode("utf-8")
    try:
        return checked_url(str(current.join(location)))
    except (UnreadableInput, httpx.InvalidURL, ValueError):
        raise NotFollowed(f"it redirects to an address that is not followed: {location[:200]!r}") from None


def origin_of(url: httpx.URL) -> str:
    """Scheme, host and port: what a robots.txt speaks for."""
    return f"{url.scheme}://{url.netloc.decode('ascii')}"

"""Whether two addresses are one page's: the form in which archives compare them."""

from __future__ import annotations

from urllib.parse import quote, unquote, urlsplit

_PORTS = {"http": "80", "https": "443"}
_KEPT = "/:@!$&'()*+,;=-._~"


def same_page(one: str, other: str) -> bool:
    """Whether two addresses differ only in what names no other page."""
    return address_key(one) == address_key(other)


def address_key(url: str) -> str:
    """The address without scheme, `www.`, default port, fragment and end slash, its escapes in one form.

    An address that cannot be taken apart is its own key.
    """
    bare = url.strip().partition("#")[0]
    try:
        parts = urlsplit(bare)
        host = (parts.hostname or "").removeprefix("www.")
        port = f":{parts.port}" if parts.port and str(parts.port) != _PORTS.get(parts.scheme) else ""
    except ValueError:
        return bare
    if parts.scheme not in _PORTS or not host:
        return bare
    path = quote(unquote(parts.path, errors="surrogateescape"), safe=_KEPT, errors="surrogateescape").rstrip("/")
    return f"{host}{port}{path}{'?' + parts.query if parts.query else ''}"

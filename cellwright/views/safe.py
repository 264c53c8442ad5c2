"""Text from outside made fit to be shown: no control characters, no turned-round lines, no odd addresses.

Escaping for HTML is the template's work, styling of a terminal is rich's; both let characters through
that move the cursor, reverse the reading direction or cannot be encoded at all. Those are replaced here.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

# Controls but tab and line feed; line and paragraph separators; direction overrides; surrogates; non-characters.
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_NOT_AN_ANCHOR = re.compile(r"[^A-Za-z0-9_.~-]+")
MAX_ADDRESS = 2_000
"""Characters of an address that is still made a link."""


def fit(text: str) -> str:
    """`text` with every character that is not fit to be shown replaced by `�`; line ends become line feeds."""
    return _UNFIT.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str) -> str:
    """`text` fit to be shown and on one line."""
    return " ".join(fit(text).split())


def web_address(text: str) -> str:
    """`text` where it is an http or https address with a host, else nothing: only such a text is ever a link."""
    if len(text) > MAX_ADDRESS or text != one_line(text) or not text.isprintable() or " " in text or "\\" in text:
        return ""
    try:
        parts = urlsplit(text)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        return ""
    plain = parts.scheme in ("http", "https") and bool(host) and "@" not in parts.netloc
    return text if plain else ""


def anchor(*parts: str) -> str:
    """The id of a place on a page, and the end of its address: `us-large-caps-fy2023/aapl/gross_margin`."""
    return "/".join(_NOT_AN_ANCHOR.sub("-", part)[:200] or "-" for part in parts)

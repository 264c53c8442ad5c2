"""The figure found within its quote, for marking it on a page."""

from __future__ import annotations

import re
from dataclasses import dataclass

_DASH = "-‐‑‒–—―−﹣－"
_LOOSE = set("()[]$€£¥%‰△▲+") | set(_DASH)
"""Beside these, filings set spaces that a person does not type: `( 10,959 )`, `$ 6.13`."""
MAX_FIGURE = 80


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a quote; `marked` where it is the figure."""

    text: str
    marked: bool = False


def marked_parts(quote: str, as_written: str) -> tuple[Part, ...]:
    """`quote` in pieces, the figure `as_written` marked where it stands as a whole number; else one piece."""
    pattern = _pattern(" ".join(as_written.split()))
    found = pattern.search(quote) if pattern else None
    if not found:
        return (Part(quote),) if quote else ()
    pieces = (Part(quote[: found.start()]), Part(found[0], True), Part(quote[found.end() :]))
    return tuple(piece for piece in pieces if piece.text)


def _pattern(figure: str) -> re.Pattern[str] | None:
    """The figure with blanks allowed beside brackets and signs, and no digit left out on either side.

    Between two runs of blanks there is always a character, so that a search takes no more than linear time.
    """
    if not figure or len(figure) > MAX_FIGURE:
        return None
    parts: list[str] = []
    for index, char in enumerate(figure):
        if char.isspace():
            parts.append(r"\s{0,3}")
            continue
        if index and not figure[index - 1].isspace() and (char in _LOOSE or figure[index - 1] in _LOOSE):
            parts.append(r"\s{0,3}")
        parts.append(f"[{re.escape(_DASH)}]" if char in _DASH else re.escape(char))
    return re.compile(rf"(?<!\d)(?<!\d[.,]){''.join(parts)}(?![.,]?\d)")

"""Cells that a spreadsheet would run: people open a task's tables in one, and a formula can fetch or start things.

Told apart from what tables rightly hold: `-5`, `+3.2 %`, `-1,234 million`, a lone dash for nothing.
"""

from __future__ import annotations

import re

_RUNS = "=＝"
_MAY_RUN = "@＠"
_SIGNS = "+-＋－"
_FIGURE = re.compile(r"[+\-＋－]\s{0,5}[^\w\s(]{0,3}\s{0,5}\(?[0-9]")
_CALLS = re.compile(r"[|!=@&\"＝＠]|[-+*/^(,;＋－]\s{0,5}[A-Za-z_][\w.]{0,60}\s{0,5}\(")
_DASHES = re.compile(r"[+\-＋－\s.]*")


def is_formula(text: str) -> bool:
    """Whether a spreadsheet takes a cell with this text for something to be worked out."""
    if text[:1] in ("\t", "\r", "\n"):
        return True
    text = text.lstrip()
    first = text[:1]
    if not first or first in _RUNS:
        return bool(first)
    if first in _MAY_RUN:
        return len(text) > 1
    if first in _SIGNS:
        if _DASHES.fullmatch(text):
            return False
        return _CALLS.search(text) is not None or _FIGURE.match(text) is None
    return False

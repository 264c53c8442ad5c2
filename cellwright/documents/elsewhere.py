"""A filing that leaves its financial statements to another document: said, so that nobody looks for them in vain."""

from __future__ import annotations

import re

_ITEM = re.compile(r"\bitem\s+(?:8|18)\s?\.?[\s:.–—-]{1,5}financial\s+statements", re.IGNORECASE)
_REFERS = re.compile(
    r"(?P<of>[^.;\n]{0,200}?\b(?:annual\s+report|exhibit\s+\d+(?:\.\d+)?)[^.;\n]{0,120})[^.;]{0,160}?"
    r"\bincorporated\s+(?:herein\s+)?by\s+reference",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?:\bof|\bin|\bfrom|\bto)\s+((?:the\s+)?[^,;]{0,80}?(?:annual\s+report|exhibit)[^,;]{0,80})", re.IGNORECASE
)
_REACH = 600


def statements_elsewhere(text: str) -> str:
    """The sentence that says so; empty for a document that has its statements, or does not tell.

    The item of a yearly report that holds the statements (Form 10-K, Item 8; Form 20-F, Item 18) may refer to the
    annual report to shareholders, which is filed with it as an exhibit.
    """
    for item in _ITEM.finditer(text):
        found = _REFERS.search(text, item.end(), item.end() + _REACH)
        if found is None or _ITEM.search(text, item.end(), found.end()):
            continue
        named = _NAME.search(found["of"])
        other = " ".join((named[1] if named else "another document").split())
        return (
            f"the document has no financial statements of its own: its item about them refers to {other}, which is "
            "incorporated by reference; capture that document (often Exhibit 13 of the same filing) as a source"
        )
    return ""

"""Row labels compared: the plain form of a label, how well two fit, and words that mean the same in accounts."""

from __future__ import annotations

import re
from functools import lru_cache

from cellwright.documents.dates import mentions_in

_FOLD = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-", "−": "-", "\u00a0": " "})
_NOTE = re.compile(r"\((?:\d{1,2}|[a-z])\)(?=\s|$|,)|\[(?:\d{1,2}|[a-z])\]|[*†‡§]+|\bnotes?\s+\d{1,2}\b")
_NOT_WORD = re.compile(r"[^\w%&]+")
_BRACKETS = re.compile(r"\([^()]*\)")
_STOP = frozenset({"the", "of", "and", "a", "an", "in", "for", "to", "by", "from", "on", "per", "net", "total"})

SAME_WORDS: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split())
    for group in (
        "revenue revenues sales turnover",
        "profit income earnings",
        "loss losses deficit",
        "equity stockholders shareholders shareowners",
        "cost costs expense expenses",
        "tax taxes",
        "inventory inventories",
        "debt borrowings notes",
        "asset assets",
        "liability liabilities",
        "expenditures purchases additions payments",
        "cash",
        "operating operations",
        "gross margin",
    )
)


ABBREVIATIONS = {
    "capex": "capital expenditures property equipment",
    "ppe": "property plant equipment",
    "rnd": "research development",
    "rd": "research development",
    "sga": "selling general administrative",
    "eps": "earnings share",
    "dps": "dividends share",
    "cogs": "cost goods sold sales",
    "opex": "operating expenses",
    "fcf": "free cash flow",
    "ocf": "operating cash flow",
    "cfo": "operating cash flow",
    "ebit": "operating income",
    "roe": "return equity",
    "arpu": "average revenue user",
    "aum": "assets management",
    "nii": "interest income",
    "sbc": "stock compensation",
}
"""Short names that people give to facts."""


@lru_cache(maxsize=65_536)
def plain(label: str) -> str:
    """`label` as it is compared: lower case, one kind of quotation marks, no marks of notes, no punctuation."""
    folded = (label if label.isascii() else label.translate(_FOLD)).lower()
    if folded.replace(" ", "").isalpha() and "note" not in folded:
        return " ".join(folded.split())  # Letters alone, as most labels are: nothing is to be taken off.
    return " ".join(_NOT_WORD.sub(" ", _NOTE.sub(" ", folded).replace("'", "")).split())


@lru_cache(maxsize=65_536)
def without_brackets(label: str) -> str:
    """The plain form without what stands in brackets: "Net income (loss)" and "Net income" are then the same."""
    return plain(_BRACKETS.sub(" ", label))


@lru_cache(maxsize=65_536)
def words(text: str) -> frozenset[str]:
    """The words of a label that carry its meaning, in one form for singular and plural."""
    spelled = plain(text.replace("_", " ").replace(".", " ")).replace("non current", "noncurrent")
    spelled = " ".join(ABBREVIATIONS.get(word, word) for word in spelled.split())
    return frozenset(_stem(word) for word in spelled.split() if word not in _STOP and not word.isdigit())


_SAME = {word: min(group) for group in reversed(SAME_WORDS) for word in group}


def _stem(word: str) -> str:
    same = _SAME.get(word)
    if same is not None:
        return same
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def level(asked: str, label: str) -> int | None:
    """How well `label` fits the one asked for: 0 the same, 1 but for brackets, 2 begins alike, 3 holds its words."""
    one, other = plain(asked), plain(label)
    if one == other:
        return 0
    if without_brackets(asked) == without_brackets(label) and without_brackets(asked):
        return 1
    if len(one) >= 6 and other.startswith(one + " "):
        return 2
    if len(other) >= 6 and one.startswith(other + " ") and 3 * len(other) >= 2 * len(one):
        return 2
    mine = words(asked)
    return 3 if len(mine) >= 2 and mine <= words(label) else None


_TRAILING = re.compile(r"(?:\s+(?:[^\w\s]{0,3}\d[\d.,]*[^\w\s]{0,3}|[^\w\s]{1,3}|[—–-]))+\s*$")


def without_figures(text: str) -> str:
    """A row's text without the figures at its end: "Total net sales 391,035 383,285" is "Total net sales"."""
    found = _TRAILING.search(text)
    if not found:
        return text
    # A date at the end of the words is no figure: "Balance at December 31, 2021 482 3,278".
    begin = max((m.end for m in mentions_in(text) if m.start < found.start() < m.end), default=found.start())
    cut = text[:begin].rstrip(" ,")
    return cut if any(char.isalpha() for char in cut) else text

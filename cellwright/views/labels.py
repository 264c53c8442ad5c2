"""The words and letters of labels, tiers and ranks, the same on every page and terminal."""

from __future__ import annotations

LABEL_WORDS = {
    "consistent": "consistent: independent witnesses agree",
    "divergent": "divergent: witnesses disagree, and one figure was chosen",
    "single": "single: one owner states it",
    "not_available": "not available: looked for, and not disclosed",
    "": "no label yet",
}
LABEL_SIGNS = {"consistent": "C", "divergent": "D", "single": "S", "not_available": "N", "": "-"}
"""The letter that stands beside each colour: colour is never the only sign."""
TIER_WORDS = {
    "T1": "primary disclosure",
    "T2": "published method or formal dataset",
    "T3": "press or sell-side note",
    "T4": "informal or unverifiable",
}
RANK_WORDS = {
    "primary": "taken for the answer",
    "witness": "another reading of the same figure",
    "context": "for context",
    "trap": "a figure that tempts and is not taken",
    "superseded": "withdrawn by its publisher",
}
STAND_IN = "stand-in: figures as disclosed; the document itself is not held"


def label_of(answer_type: str, agreement: str) -> str:
    """The label that decides a cell's colour: its agreement, or `not_available`."""
    if answer_type == "not_available":
        return "not_available"
    return agreement if agreement in LABEL_WORDS else ""


def words(code: str) -> str:
    """A code as words: `not_separately_reported` is `not separately reported`."""
    return code.replace("_", " ")

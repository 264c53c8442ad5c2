"""The scale a document gives to all of its tables: "dollars in millions, unless otherwise indicated"."""

from __future__ import annotations

import re
from collections import Counter

from cellwright.documents.plain_search import places_of
from cellwright.documents.scales import Scales, read_scales

# Looked for as plain words first: a pattern over a whole filing takes as long as reading it.
_SIGNALS = (
    "therwise",
    "THERWISE",
    "abular",
    "ll dollar amounts",
    "ll amounts in",
    "ll amounts are expressed in",
    "ll amounts expressed in",
    "OTES TO CONSOLIDATED FINANCIAL STATEMENTS",
    "OTES TO THE CONSOLIDATED FINANCIAL STATEMENTS",
    "otes to Consolidated Financial Statements",
    "otes to the Consolidated Financial Statements",
    "ll figures in",
    "in the tables",
    "in tables",
    "nicht anders",
    "auf indication",
    "xcept where noted",
    "xcept as noted",
)
_REACH = 160
_MAX_PLACES = 2_000


_OF_TABLES = re.compile(r"\btab(?:les?|ular)\b|\btabelle|\btableau", re.IGNORECASE)


def default_scales(text: str, *, of_tables: bool = True) -> Scales:
    """What the text says of all its figures; nothing where it says nothing, or two things equally often.

    With `of_tables` false only what is said of sentences too counts: "tabular dollars in millions" is not.
    """
    votes: Counter[Scales] = Counter()
    for at in places_of(text, _SIGNALS, _MAX_PLACES):
        begin = max(text.rfind("\n", max(0, at - _REACH), at) + 1, at - _REACH)
        stop = text.find("\n", at, at + _REACH)
        words = text[begin : stop if stop >= 0 else at + _REACH]
        if not of_tables and _OF_TABLES.search(words):
            continue
        said = read_scales(words)
        if said.money is not None:
            votes[said] += 1
    ranked = votes.most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1] and ranked[0][0].money != ranked[1][0].money):
        return Scales()
    return ranked[0][0]

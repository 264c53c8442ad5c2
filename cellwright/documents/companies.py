"""Whose figure it is: the wanted entity's own, another company's that is named at the same position, or untold."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from cellwright.documents.dates import mentions_in
from cellwright.documents.labels import plain, words
from cellwright.documents.scales import is_declaration, is_unit
from cellwright.documents.spans import is_period
from cellwright.documents.wanted import Wanted

Whose = Literal["own", "other", ""]

_FORM = (
    r"(?:Inc|Incorporated|Corp|Corporation|Ltd|Limited|LLC|L\.L\.C|PLC|plc|AG|SE|GmbH|KGaA|S\.A|N\.V|NV|A/S|"
    r"ASA|AB|Oyj|S\.p\.A|Co|Company|Holdings|K\.K)\b\.?"
)
_NAME = re.compile(rf"\b[A-Z][\w&'’-]{{0,40}}(?:\s(?:&\s)?[A-Z][\w&'’-]{{0,40}}){{0,4}},?\s{_FORM}(?:,?\s{_FORM})?")
_WHOLE_FORM = re.compile(
    r"(?:\s(?:inc|incorporated|corp|corporation|ltd|limited|llc|l l c|plc|ag|se|gmbh|kgaa|s a|n v|nv|a s|asa|ab|oyj|"
    r"s p a|co|company|holdings|k k|and subsidiaries|and its subsidiaries|and consolidated subsidiaries))+$"
)
_SPEAKER = re.compile(r"\b(?:[Ww]e|[Oo]ur|us|[Tt]he\s[Cc]ompany|[Tt]he\s[Gg]roup)\b")
_WHOLE = re.compile(r"\b(?:total|consolidated|combined|group|eliminations?|change|difference)\b", re.IGNORECASE)
# A name without its legal form: "Beta's net revenue", "net revenue for Beta in 2023".
_SHORT_NAME = re.compile(
    r"\b(?P<owner>[A-Z]\w{1,40}(?:\s[A-Z]\w{1,40}){0,2})['’]s\s"
    r"|\b(?:for|of|at)\s(?P<of>[A-Z]\w{1,40}(?:\s[A-Z]\w{1,40}){0,2})(?=\s(?:in|was|were|for|during)\s)"
)
_NO_NAME = re.compile(
    r"\b(?:fiscal|years?|quarters?|q[1-4]|fy\w*|company|group|management|today|period|this|last|the)\b", re.IGNORECASE
)
_LONGEST = 120


@lru_cache(maxsize=16_384)
def core(name: str) -> str:
    """A company's name in its plain form, without its legal form: "Acme, Inc. and Subsidiaries" is "acme"."""
    said = plain(name)
    return _WHOLE_FORM.sub("", said.removeprefix("the ")) or said


def own_names(wanted: Wanted) -> frozenset[str]:
    """The wanted entity's names and aliases, without their legal forms."""
    return frozenset(
        found
        for name in (*wanted.entity_names, wanted.entity.replace("_", " ").replace("-", " "))
        if (found := core(name)) and not found.isdigit()
    )


@lru_cache(maxsize=16_384)
def bare(text: str) -> str:
    """`text` without its periods: "Acme Inc. 2023" is "Acme Inc."; empty where it says only a period or a unit."""
    if not text or len(text) > _LONGEST or is_period(text) or is_unit(text) or is_declaration(text):
        return ""
    rest, at = [], 0
    for mention in mentions_in(text):
        rest.append(text[at : mention.start])
        at = mention.end
    return " ".join("".join((*rest, text[at:])).split()).strip(" ,:-–—()")


def is_own(text: str, own: frozenset[str]) -> bool:
    """Whether a head, section or label is the entity's name and nothing else but a period."""
    if not text or (_is_plain(text) and not any(name in plain(text) for name in own)):
        return False
    return core(bare(text)) in own


@lru_cache(maxsize=16_384)
def _is_plain(text: str) -> bool:
    """Whether nothing would be taken out of the text before its name is told: it holds no period and no note."""
    return not any(char.isdigit() or char in "([" for char in text)


@lru_cache(maxsize=16_384)
def is_company(text: str) -> bool:
    """Whether a head, section or label is a company's name with its legal form and nothing else but a period."""
    return _NAME.fullmatch(bare(text)) is not None


def whose_cell(text: str, beside_own: bool, own: frozenset[str]) -> Whose:
    """Whose the cell is by its name; beside one that is the entity's own, another capitalised name is another's."""
    if is_own(text, own):
        return "own"
    if is_company(text):
        return "other"
    said = bare(text)
    return "other" if beside_own and said[:1].isupper() and not _WHOLE.search(said) else ""


def whose_in_sentence(sentence: str, at: int, own: frozenset[str], about: str = "") -> Whose:
    """Whose the number at `at` of a sentence is: the last name before it counts, else the first behind it.

    A name whose words the fact's name `about` has is the part that is asked for and no other company.

    "We", "our" and "the Company" are the entity's own words for itself.
    """
    if not own:
        return ""
    marks: list[tuple[int, Whose]] = [(match.start(), _whose_name(match[0], own)) for match in _NAME.finditer(sentence)]
    for match in _SHORT_NAME.finditer(sentence):
        name = match["owner"] or match["of"]
        if not (_NO_NAME.search(name) or mentions_in(f"{name} 1") or words(name) & words(about)):
            marks.append((match.start(), _whose_name(name, own)))
    if not any(whose == "other" for _, whose in marks):
        return ""
    marks += [(match.start(), "own") for match in _SPEAKER.finditer(sentence)]
    marks += [
        (match.start(), "own")
        for name in own
        if len(name) > 2
        for match in re.finditer(rf"\b{re.escape(name)}\b", sentence, re.IGNORECASE)
    ]
    marks.sort()
    before = [whose for place, whose in marks if place < at]
    return before[-1] if before else marks[0][1]


def _whose_name(name: str, own: frozenset[str]) -> Whose:
    """A longer or shorter form of the entity's name is its own too."""
    said = core(name).split()
    for mine in own:
        parts = mine.split()
        if said[: len(parts)] == parts or said[-len(parts) :] == parts or parts[: len(said)] == said:
            return "own"
    return "other"

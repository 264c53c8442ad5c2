"""A figure told in a sentence: near the row's words, for the date that the sentence gives it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cellwright.documents.at_sentence import Sentence, with_scale
from cellwright.documents.companies import own_names, whose_in_sentence
from cellwright.documents.compare import Printed
from cellwright.documents.dates import Mention, mentions_in
from cellwright.documents.fiscal import FiscalYears
from cellwright.documents.fits import kind_wanted, months_of, year_fits
from cellwright.documents.labels import plain, words
from cellwright.documents.model import Document
from cellwright.documents.quotes import MAX_QUOTE, holds_once
from cellwright.documents.scales import Scales
from cellwright.documents.spans import length_in
from cellwright.documents.wanted import Candidate, Located, Wanted
from cellwright.records.quantities import Reading, find_numbers

_SENTENCE_END = re.compile(r"(?<=[.;!?])\s+(?=[A-Z“\"(])")
_LONGEST = 1_500
_MAX_SENTENCES = 40
_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)
_AMOUNT = r"(?=(?:approximately\s|about\s)?(?:[A-Z]{1,3}\s?)?[^\w\s,.;]?\s?\d)"
_COMPARING = re.compile(
    rf"\((?=\S)|\b(?:which|exceed\w*|than|compared\s+(?:with|to)|as\s+against|up\s+from|down\s+from|versus|vs\b|against|gegenüber|contre|frente\s+a"
    rf"|im\s+vergleich\s+zu|from\s+{_AMOUNT}|nach\s+{_AMOUNT})",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    rf"[,;](?=\s)|\)|\b(?:while|whereas|but|and\s+(?:in|for|during|at|we|it|the\s+company)\b"
    rf"|and\s+{_AMOUNT}|to\s+{_AMOUNT})"
    rf"|{_COMPARING.pattern}",
    re.IGNORECASE,
)
_OUTLOOK = re.compile(
    r"\b(?:expects?|expecting|(?:is|are)\s+(?:expected|estimated)|we\s+estimate|expected\s+to|anticipat(?:e|es|ing)|forecast\w*|guidance|outlook|"
    r"project(?:s|ed)|target(?:s|ed|ing)?|plans?\s+to|intends?\s+to|aims?\s+to|likely\s+to|will\s+(?:be|reach|total)|"
    r"(?:would|should|could)\s+be|erwarte[nt]\w*|prognose\w*|prévo(?:it|yons)|esper(?:a|amos))\b|予想|見込",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Told:
    """One number of a sentence, and the date that belongs to it."""

    sentence: str
    start: int
    end: int
    reading: Reading
    when: Mention | None
    nearness: int

    @property
    def text(self) -> str:
        """As printed."""
        return self.sentence[self.start : self.end]


def find(document: Document, wanted: Wanted, years: FiscalYears, said: Scales) -> Located | None:
    """The answer that a sentence gives; None where no sentence has the row's words and a figure of the period.

    `said` is the scale that the document gives to all its sentences.
    """
    from cellwright.documents.answers import judged

    told = [
        item
        for sentence in _sentences(document.text, wanted)
        for item in _told(sentence, wanted, said)
        if _of_period(item, sentence, wanted, years)
    ]
    if not told:
        return None
    own = own_names(wanted)
    plain_told = [
        item
        for item in told
        if whose_in_sentence(item.sentence, item.start, own, wanted.name) != "other" and not _is_outlook(item, wanted)
    ]
    if not plain_told:
        return _doubted(told, own, wanted.name)
    best = min(item.nearness for item in plain_told)
    nearest = [item for item in plain_told if item.nearness == best]
    values = {item.reading.value for item in nearest}
    if len(values) > 1:
        return Located(
            "ambiguous",
            f"{len(nearest)} sentences fit {wanted.row or wanted.name!r} and show different figures",
            candidates=tuple(Candidate("", "", item.text, _quote(item)) for item in nearest[:8]),
            asks="which of the candidates is meant?",
        )
    item = nearest[0]
    printed = Printed(_as_written(item), item.reading, item.reading.scale, True)
    return judged(wanted, printed, _located(document, item, printed, wanted))


def _doubted(told: list[Told], own: frozenset[str], name: str) -> Located:
    """The answer where every sentence speaks of another company or of what is only expected."""
    other = whose_in_sentence(told[0].sentence, told[0].start, own, name) == "other"
    reason, asks = (
        ("another company or part", "which entity is meant? add its name to the task's `aliases`")
        if other
        else ("what is expected and not of what was", "is an expected figure meant?")
    )
    return Located(
        "ambiguous",
        f"a sentence shows {told[0].text} and speaks of {reason}",
        asks=asks,
        candidates=tuple(
            Candidate("", "", item.text, _quote(item), item.reading.value, _period_read(item)) for item in told[:8]
        ),
    )


def _is_outlook(item: Told, wanted: Wanted) -> bool:
    """Whether a word of expectation stands before the number, or in its clause, and the fact's name has none."""
    if _OUTLOOK.search(wanted.name.replace("_", " ")):
        return False
    stop = next((match.start() for match in _CLAUSE.finditer(item.sentence, item.end)), len(item.sentence))
    return _OUTLOOK.search(item.sentence, 0, stop) is not None


def _located(document: Document, item: Told, printed: Printed, wanted: Wanted) -> Located:
    quote = _quote(item)
    at = document.text.find(quote)
    sentence = document.text.find(item.sentence)
    page = next((number for number, text in enumerate(document.pages, 1) if quote in text), None)
    return Located(
        "exact",
        f"a sentence shows {item.text}",
        quote=quote,
        prefix=" ".join(document.text[max(0, at - 32) : at].split()) if at >= 0 else "",
        suffix=" ".join(document.text[at + len(quote) : at + len(quote) + 32].split()) if at >= 0 else "",
        row=item.sentence[:MAX_QUOTE],
        page=page,
        as_written=printed.text,
        value_read=printed.value,
        scale_read=printed.scale,
        sign_read=printed.sign,
        period_read=_period_read(item),
        unit_read=item.reading.unit,
        begin=sentence + item.start if sentence >= 0 else None,
        form="sentence",
    )


def _period_read(item: Told) -> str:
    if item.when is None:
        return ""
    return str(item.when.date if item.when.day is not None and item.when.date else item.when.year or "")


def _as_written(item: Told) -> str:
    from cellwright.documents.places import as_written

    return as_written(item.text)


def _sentences(text: str, wanted: Wanted) -> list[str]:
    """The sentences that hold all of the row's words."""
    asked = wanted.row or wanted.quote or wanted.name.replace("_", " ")
    whole = plain(asked)
    mine = words(asked)
    by_name = not (wanted.row or wanted.quote)
    if (len(mine) < 2 and not by_name) or (by_name and not wanted.as_written):
        return []
    rare = max((word for word in re.findall(r"[^\W\d_]{4,}", asked)), key=len, default="")
    found: list[str] = []
    pattern = re.compile(re.escape(rare), re.IGNORECASE)
    hit = pattern.search(text) if rare else None
    while hit is not None and len(found) < _MAX_SENTENCES:
        at = hit.start()
        begin, stop = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        line = text[begin : stop if stop >= 0 else len(text)]
        for sentence in _SENTENCE_END.split(line) if len(line) <= 40 * _LONGEST else ():
            if len(sentence) > _LONGEST or (by_name and wanted.as_written not in sentence):
                continue
            if whole in plain(sentence) or mine <= words(sentence):
                found.append(sentence)
        hit = pattern.search(text, max(begin + len(line), hit.end()))
    return list(dict.fromkeys(found))


def _told(sentence: str, wanted: Wanted, said: Scales) -> list[Told]:
    """The numbers of the sentence that have the unit, each with its date."""
    kinds = kind_wanted(wanted.unit)
    numbers = [
        (start, end, with_scale(Sentence(sentence, said), start, end, reading))
        for start, end, reading in find_numbers(sentence, locale=wanted.locale)
        if _has_kind(reading, kinds)
    ]
    dates = [mention for mention in mentions_in(sentence, wanted.locale) if mention.year is not None]
    asked = words(wanted.row or wanted.name)
    paired = _pairs(sentence, numbers, dates)
    return [
        Told(sentence, start, end, reading, when, _distance(sentence, start, asked, wanted))
        for (start, end, reading), when in paired
        if when is None or not when.start <= start < when.end  # the year itself is no figure of the year
    ]


def _pairs(
    sentence: str, numbers: list[tuple[int, int, Reading]], dates: list[Mention]
) -> list[tuple[tuple[int, int, Reading], Mention | None]]:
    """Numbers and dates in the order of "respectively", else each number with the date of its own clause."""
    if len(dates) > 1 and _RESPECTIVELY.search(sentence):
        ordered = [number for number in numbers if number[1] <= dates[0].start] or [
            number for number in numbers if number[0] >= dates[-1].end
        ]
        if ordered and len(ordered) % len(dates) == 0:
            return [(number, dates[index % len(dates)]) for index, number in enumerate(ordered)]
    clauses = _clauses(sentence, dates)
    return [(number, _date_of(number, dates, clauses)) for number in numbers]


_Clause = tuple[int, int, bool]
"""Where a clause begins and ends, and whether it compares with another period ("up from …")."""


def _clauses(sentence: str, dates: list[Mention]) -> list[_Clause]:
    """The clauses of a sentence; a comma inside a date parts nothing."""
    starts = [(0, False)]
    starts += [
        (match.start(), _COMPARING.match(sentence, match.start()) is not None)
        for match in _CLAUSE.finditer(sentence)
        if not any(date.start < match.start() < date.end for date in dates)
    ]
    ends = [start for start, _ in starts[1:]] + [len(sentence)]
    return [(start, end, compares) for (start, compares), end in zip(starts, ends, strict=True)]


def _date_of(number: tuple[int, int, Reading], dates: list[Mention], clauses: list[_Clause]) -> Mention | None:
    """The date in the number's clause, the one behind it first; else that of a clause that compares with nothing."""
    begin, stop, compares = next(clause for clause in clauses if clause[0] <= number[0] < clause[1])
    inside = [date for date in dates if begin <= date.start < stop]
    if not inside:
        if compares:
            return None
        inside = [
            date for date in dates if any(start <= date.start < end and not other for start, end, other in clauses)
        ]
        before = [date for date in inside if date.end <= number[0]]
        return before[-1] if before else inside[0] if inside else None
    behind = [date for date in inside if date.start >= number[1]]
    return behind[0] if behind else inside[-1]


def _has_kind(reading: Reading, kinds: frozenset[str]) -> bool:
    if reading.unit in ("percent", "pp", "bp", "permille"):
        return "percent" in kinds
    if kinds == {"money"} or kinds == {"per_share"}:
        return bool(reading.unit)
    return kinds != {"percent"}


def _distance(sentence: str, start: int, asked: frozenset[str], wanted: Wanted) -> int:
    """How far the number stands behind the words asked for; before them it counts as far."""
    if plain(wanted.row) == plain(sentence):
        return 0
    last = max((match.end() for match in re.finditer(r"\w+", sentence[:start]) if words(match[0]) & asked), default=-1)
    return start - last if last >= 0 else _LONGEST


def _of_period(item: Told, sentence: str, wanted: Wanted, years: FiscalYears) -> bool:
    when = item.when
    if when is None:
        return False
    end = when.date if when.day is not None else years.end_of(when.year or 0, fiscal=when.fiscal)
    if end != wanted.period_end and (end is not None or years.ends or not year_fits(wanted, when.year, None)):
        return False
    length = length_in(sentence)
    return wanted.period_start is None or length is None or length == months_of(wanted)


def _quote(item: Told) -> str:
    """The sentence where it is short and holds the number once, else the words around the number."""
    sentence = item.sentence
    if len(sentence) <= MAX_QUOTE and holds_once(sentence, _as_written(item)):
        return sentence
    begin = max(0, item.start - 120)
    begin = sentence.find(" ", begin) + 1 if begin else 0
    window = sentence[begin : item.end + 120]
    if not holds_once(window, _as_written(item)):
        window = sentence[begin : item.end]
    return window.strip()

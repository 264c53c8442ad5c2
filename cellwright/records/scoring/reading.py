"""An answer's words read as an answer in the cell's unit: one reader for JSON lines and Markdown.

The final value counts, not the first, and a number beside an abstention is the answer (design, section 8).
Numbers are read under the locale `en`, as the prompt asks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, DecimalException
from typing import Literal

from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.fields import AnswerType
from cellwright.records.scoring.answer import Answer
from cellwright.records.scoring.arithmetic_text import ArithmeticProblem, parse_expression
from cellwright.records.scoring.cell_unit import WHOLE
from cellwright.records.scoring.number_choice import Number, clean, final_number, find_range, numbers_in
from cellwright.records.scoring.submitted import RawAnswer

MAX_VALUE = 2_000
"""Characters of an answer's words; what is longer is an essay and not an answer."""

_ABSTAINS = re.compile(
    r"\b(?:not[ _-](?:publicly |separately |yet |explicitly )?(?:available|disclosed|reported|applicable|found|"
    r"stated|given|provided|published|determinable|derivable|known)|n ?/ ?a|n\. ?a(?:\.(?!\w))?|"
    r"none (?:available|disclosed|reported|stated|given|found|published)|unavailable|undisclosed|unknown|"
    r"no (?:data|figure|answer|value|disclosure|information)|"
    r"can(?:not|'t| not) be (?:determined|derived|found|computed|calculated|answered)|"
    r"could(?:n't| not) (?:be )?(?:found|find|determined?|derived?)|"
    r"insufficient (?:data|information)|(?:does|do|did)(?: not|n't) (?:disclose|report|publish|break out|state))(?!\w)",
    re.IGNORECASE,
)
_ABSTAINS_ALONE = frozenset({"na", "none", "null", "nil", "not_available", "n/a", "n / a", "n.a", "n. a"})
_EMPTY = frozenset({"", "-", "–", "—", "?", "…", "...", "tbd", "todo"})
_SAYS_NOTHING = _EMPTY | _ABSTAINS_ALONE | {"unknown", "no", "yes", "no reason", "no method", "not applicable"}
_TYPES: dict[str, AnswerType] = {
    "precise": "precise",
    "number": "precise",
    "numeric": "precise",
    "value": "precise",
    "point": "precise",
    "exact": "precise",
    "range": "range",
    "interval": "range",
    "not_available": "not_available",
    "not available": "not_available",
    "not-available": "not_available",
    "unavailable": "not_available",
    "n/a": "not_available",
    "n.a.": "not_available",
    "na": "not_available",
    "abstain": "not_available",
}
_PERCENTAGE = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,10})?|\.[0-9]{1,10}) ?(%?)")
_YES_NO = re.compile(r"(?:^|[.;:\n=])[ (\[]*(yes|no|true|false|1|0)\b(?![.,]?[0-9%])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Unread:
    """Why there is nothing to grade: no answer was given, or its words cannot be read as one."""

    outcome: Literal["unparsed", "no_answer"]
    why: str
    span: str = ""


def read_answer(raw: RawAnswer, unit: str) -> Answer | Unread:
    """The answer that `raw` gives to a cell in `unit`; Unread where it gives none or none that can be read."""
    if raw.unreadable:
        return Unread("unparsed", raw.unreadable)
    words = clean(raw.value)
    if len(raw.value) > MAX_VALUE or len(raw.low) > MAX_VALUE or len(raw.high) > MAX_VALUE:
        return Unread("unparsed", f"the answer has more than {MAX_VALUE} characters")
    declared = _TYPES.get(clean(raw.type).casefold())
    low_high = bool(_given(raw.low)), bool(_given(raw.high))
    if all(low_high) and not (declared == "precise" and _given(raw.value)):
        return _from_ends(raw, unit)
    if _given(words):
        return _from_words(raw, words, declared, unit)
    if any(low_high):
        return Unread("unparsed", "a range with one end", raw.low or raw.high)
    if declared == "not_available" or (declared is None and says_something(raw.reason)):
        return _abstention(raw, raw.reason, raw.type or "not available")
    return Unread("no_answer", "no value is given")


def says_something(text: str) -> bool:
    """Whether a method or a reason is more than a placeholder: three letters, and not `none`, `n/a`, `unknown`."""
    bare = clean(text).casefold().strip(" .")
    return bare not in _SAYS_NOTHING and sum(char.isalpha() for char in bare[:400]) >= 3


def _given(text: str) -> str:
    bare = clean(text)
    return "" if bare.casefold() in _EMPTY else bare


def _from_ends(raw: RawAnswer, unit: str) -> Answer | Unread:
    ends = []
    for text in (raw.low, raw.high):
        found = final_number(clean(text), raw.unit, unit)
        if found is None or found.torn:
            return Unread("unparsed", "an end of the range is no number", clean(text)[:200])
        ends.append(found)
    return _range(raw, ends[0], ends[1], f"{clean(raw.low)} to {clean(raw.high)}", unit)


def _from_words(raw: RawAnswer, words: str, declared: AnswerType | None, unit: str) -> Answer | Unread:
    abstains = words.casefold().strip(" .") in _ABSTAINS_ALONE or bool(_ABSTAINS.search(words))
    if unit == "yes_no" and not abstains:
        return _yes_no(raw, words)
    numbers = numbers_in(words, raw.unit, unit, beside_abstention=abstains)
    if not numbers:
        if abstains or declared == "not_available":
            rest = _ABSTAINS.sub("", words, count=1)
            return _abstention(raw, raw.reason if says_something(raw.reason) else rest, words)
        return Unread("unparsed", "no number can be read", words[:200])
    ends = find_range(words, numbers)
    found = final_number(words, raw.unit, unit, beside_abstention=abstains)
    assert found is not None
    if found.torn or (ends is not None and any(end.torn for end in ends)):
        return Unread("unparsed", "digits with blanks between them that may be one number or several", words[:200])
    if ends is not None:
        return _range(raw, ends[0], ends[1], words[ends[0].start : ends[1].end], unit)
    if len(numbers) > 1 and unit not in WHOLE and _is_formula(words):
        return Unread("unparsed", "a formula without its result", words[:200])
    return Answer(
        "precise",
        found.value,
        unit=unit,
        confidence=read_confidence(raw.confidence),
        method=_said(raw.method),
        reason=_said(raw.reason),
        digit=found.digit,
        span=found.span,
        other_unit=found.other_unit,
    )


def _is_formula(words: str) -> bool:
    """Whether the words are nothing but arithmetic, which is never computed for the answer."""
    try:
        expression = parse_expression(words.lstrip("= "))
    except ArithmeticProblem:
        return False
    return expression.operations > 0 and not expression.passed_over


def _range(raw: RawAnswer, first: Number, last: Number, span: str, unit: str) -> Answer:
    low, high = sorted((first.value, last.value))
    return Answer(
        "range",
        None,
        low,
        high,
        unit,
        read_confidence(raw.confidence),
        _said(raw.method),
        _said(raw.reason),
        max(first.digit, last.digit),
        span,
        first.other_unit or last.other_unit,
    )


def _abstention(raw: RawAnswer, reason: str, span: str) -> Answer:
    said = clean(reason).strip(" .:;,-–—()") if says_something(reason) else ""
    return Answer(
        "not_available",
        confidence=read_confidence(raw.confidence),
        method=_said(raw.method),
        reason=said,
        span=span[:200],
    )


def _yes_no(raw: RawAnswer, words: str) -> Answer | Unread:
    """The last sentence that begins with yes or no."""
    said = _YES_NO.findall(words)
    if not said:
        return Unread("unparsed", "neither yes nor no", words[:200])
    value = Decimal(1 if said[-1].casefold() in ("yes", "true", "1") else 0)
    return Answer(
        "precise",
        value,
        unit="yes_no",
        confidence=read_confidence(raw.confidence),
        method=_said(raw.method),
        reason=_said(raw.reason),
        digit=Decimal(1),
        span=said[-1],
    )


def _said(text: str) -> str:
    return clean(text) if says_something(text) else ""


def read_confidence(text: str) -> Decimal | None:
    """0 to 1 from `0.8`, `80%` or `80`; None for anything else: a confidence never decides a score."""
    match = _PERCENTAGE.fullmatch(clean(text))
    if match is None:
        return None
    try:
        number = Decimal(match.group(1))
        if match.group(2) or number > 1:
            number = CONTEXT.divide(number, Decimal(100))
        return number if 0 <= number <= 1 else None
    except DecimalException:
        return None


def written(answer: Answer) -> str:
    """The value that was read, in the cell's unit: digits, `low to high`, or `not available`."""
    if answer.type == "not_available":
        return "not available"
    if answer.value is not None:
        return _digits(answer.value)
    return f"{_digits(answer.low)} to {_digits(answer.high)}"


def _digits(value: Decimal | None) -> str:
    try:
        return "" if value is None else canonical(value)
    except ValueError:
        return ""

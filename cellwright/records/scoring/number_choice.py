"""Which number of an answer's words is the answer, in the cell's unit.

Years, references (`item 7`, `[3]`), asides in brackets and what follows `of` are passed over; of what is
left, numbers in a unit that fits the cell go before bare ones, these before others, and the last one counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal, DecimalException

from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.quantities import CURRENCIES, QuantityError, Reading, find_numbers, read_number
from cellwright.records.scoring.arithmetic_text import last_power
from cellwright.records.scoring.blanks import join_groups, torn
from cellwright.records.scoring.cell_unit import SIGNS, WHOLE, StatedUnit, currency_said, read_unit

_MARKS = str.maketrans({"*": "", "`": " ", "_": " ", "\u00ad": "", "\x00": " "})
_MATH = re.compile(r"\\(?:boxed|text|mathrm|mathbf)\{([^{}]{0,200})\}")
_STAR = re.compile(r"(?<=[0-9%)])[ ]?\*{1,3}[ ]?(?=[0-9(.])")
_SCIENTIFIC = re.compile(r"[-+]?[0-9]{1,40}(?:\.[0-9]{1,40})?[eE][-+]?[0-9]{1,2}")
_TIMES_POWER = re.compile(r"([-+−]?[0-9]{1,40}(?:\.[0-9]{1,40})?) ?[×x·] ?10\^?\{?([-−]?[0-9]{1,2})\}?")
_ORDINAL = re.compile(r"(?<![0-9.,])(?:#|№|no\. ?)?([0-9]{1,6})(?:st|nd|rd|th)?\b(?![.,]?[0-9]| ?%)", re.IGNORECASE)
_ISO_DAY = re.compile(r"(?<![0-9-])([12][0-9]{3}-[01][0-9]-[0-3][0-9])(?![0-9-])")
_REFERENCE = re.compile(
    r"(?:\b(?:item|note|notes|page|pages|p\.|pp\.|section|table|form|chapter|exhibit|footnote|"
    r"fiscal|year|fy|step|source|line)|§|#) ?$",
    re.IGNORECASE,
)
_OF = re.compile(
    r"(?:\b(?:out of|of|among|vs\.?|versus|compared with|compared to|than|from)|/) ?(?:the |all )?$", re.IGNORECASE
)
_JOINT = re.compile(
    r" ?(?:to|through|until|–|—|-|−|~|\.\.|…|and|bis|up to|,|;)(?: about| around| approximately)? ?", re.IGNORECASE
)
_BETWEEN = re.compile(r"(?:\b(?:between|from|range|low)|\[|\() ?(?:of |is |about |approximately )?$", re.IGNORECASE)
_TAIL = re.compile(r" ?\(?(?:as a |a )?([^\W\d_][^\s,;:()]{0,30})")
_NOTE = re.compile(r" ?\((?:in )?([^()0-9]{1,60})\)| in ([^\W\d_]{1,20})(?![^\W_])")
"""A remark that may hold the scale: `1,234 (in millions)`, `1,234 (USD in millions)`, `1,234 in millions`."""
_FRANCS = re.compile(r"(?<![^\W\d_])Fr\.? ?$")
"""Francs before a number in running text, where `Fr` alone is no currency's code."""
_MARGIN = re.compile(r" ?(?:±|\+/-|\+/−|\+-) ?")
MAX_NUMBERS = 200


@dataclass(frozen=True, slots=True)
class Number:
    """One number of an answer's words, in the cell's unit."""

    start: int
    end: int
    span: str
    value: Decimal
    digit: Decimal
    """One unit of its last written digit, in the cell's unit."""
    rank: int
    """2: it states a unit that fits; 1: it states none; 0: it states another."""
    reading: Reading
    other_unit: str = ""
    torn: bool = False
    """Only a blank parts it from other digits, so that it may be a piece of the number meant."""


def clean(text: str) -> str:
    """`text` without marks of emphasis and mathematics, control characters and repeated blanks."""
    if not text:
        return ""
    text = _STAR.sub(" × ", text)  # else `602*0.202` would become one number
    text = _MATH.sub(
        r" \1 ",
        text.translate(_MARKS)
        .replace("{,}", ",")
        .replace("\\%", "%")
        .replace("\\$", "$")
        .replace("\\,", "")
        .replace("\\(", " ")
        .replace("\\)", " ")
        .replace("\\times", "×"),
    )
    text = " ".join(
        "".join(char if char.isprintable() or char in "\u00a0\u202f\u2009" else " " for char in text).split(" ")
    ).strip()
    text = re.sub(r" {2,}", " ", text)
    if len(text) > 2 and text[0] == text[-1] == "$":
        text = text[1:-1].strip()
    return text


def final_number(words: str, stated: str, unit: str, *, beside_abstention: bool = False) -> Number | None:
    """The number that counts as the answer in `words`, `stated` being the unit given beside it; None for none."""
    numbers = numbers_in(words, stated, unit, beside_abstention=beside_abstention)
    if not numbers:
        return None
    best = max(number.rank for number in numbers)
    return [number for number in numbers if number.rank == best][-1]


def numbers_in(words: str, stated: str, unit: str, *, beside_abstention: bool = False) -> list[Number]:
    """The numbers of `words` that may be the answer, in the cell's unit, in their order."""
    words = join_groups(words)
    whole = _whole(words, unit)
    if whole is not None:
        return _numbers(words, [(0, len(words), whole)], stated, unit)
    found = list(_found(words, unit))[:MAX_NUMBERS]
    kept = [item for item in found if not _is_aside(words, item, found, unit)]
    if not kept and not beside_abstention:
        kept = [item for item in found if not _REFERENCE.search(words[max(0, item[0] - 20) : item[0]])]
    return _numbers(words, kept, stated, unit)


def find_range(words: str, numbers: Sequence[Number]) -> tuple[Number, Number] | None:
    """The two ends of a range where the last two numbers of `words` are joined as one; None where they are not.

    The second end lends the first its scale word where the first has none and stays the lower by it
    (`1.2 to 1.4 billion`), and its unit.
    """
    if len(numbers) < 2:
        return None
    first, last = numbers[-2:]
    if (first.rank == 0) != (last.rank == 0):
        return None  # `28,479 - 29% below`: two things, not two ends
    between = words[first.end : last.start]
    if _MARGIN.fullmatch(between):
        low, high = (
            CONTEXT.subtract(first.value, last.value.copy_abs()),
            CONTEXT.add(first.value, last.value.copy_abs()),
        )
        return _at(first, low), _at(last, high)
    if not _JOINT.fullmatch(between):
        return None
    joint = between.strip().casefold()
    if joint in ("and", ",", ";") and not _BETWEEN.search(words[: first.start]):
        return None
    if not first.reading.scale and last.reading.scale:
        scaled = first.value.scaleb(last.reading.scale, CONTEXT)
        if scaled.copy_abs() <= last.value.copy_abs():
            return _at(first, scaled), last
    return first, last


def _at(number: Number, value: Decimal) -> Number:
    return Number(
        number.start, number.end, number.span, value, number.digit, number.rank, number.reading, number.other_unit
    )


def _note(words: str, end: int, unit: str) -> str:
    """The words of a remark after a number that say a unit or a scale which fits the cell; else nothing."""
    match = _NOTE.match(words, end)
    said = (match.group(1) or match.group(2)).replace(" of ", " ").removeprefix("in ") if match else ""
    return said if said and read_unit(said, unit).verdict == "fits" else ""


def _whole(words: str, unit: str) -> Reading | None:
    """The whole of `words` as one number: as print writes it, or as programs do (`2.8e4`)."""
    scientific = _SCIENTIFIC.fullmatch(words)
    power = _TIMES_POWER.fullmatch(words)
    try:
        if scientific:
            return _plain_reading(words, Decimal(words))
        if power:
            mantissa = Decimal(power.group(1).replace("−", "-"))
            return _plain_reading(words, mantissa.scaleb(int(power.group(2).replace("−", "-")), CONTEXT))
        if unit in WHOLE:
            ordinal = _ORDINAL.fullmatch(words)
            if ordinal:
                return read_number(ordinal.group(1).lstrip("0") or "0")
        return read_number(words)
    except (QuantityError, DecimalException, ValueError):
        return None


def _plain_reading(text: str, value: Decimal) -> Reading:
    canonical(value)  # raises ValueError for a number out of bounds
    exponent = value.as_tuple().exponent
    return Reading(text, value.copy_abs(), value < 0, 0, exponent if isinstance(exponent, int) else 0, "")


def _found(words: str, unit: str) -> list[tuple[int, int, Reading]]:
    if unit == "day":
        days = [(match.start(), match.end(), _day(match.group(1))) for match in _ISO_DAY.finditer(words)]
        known = [(start, end, reading) for start, end, reading in days if reading is not None]
        if known:
            return known
    found = list(find_numbers(words, locale="en"))
    if unit in WHOLE and all(reading.unit for _, _, reading in found):
        return [
            (match.start(), match.end(), read_number(match.group(1).lstrip("0") or "0"))
            for match in _ORDINAL.finditer(words)
        ]
    return found


def _day(text: str) -> Reading | None:
    """An ISO date as its day's number in the calendar (1 is the first of January of the year 1)."""
    try:
        return Reading(text, Decimal(date.fromisoformat(text).toordinal()), False, 0, 0, "")
    except ValueError:
        return None


def _is_aside(words: str, item: tuple[int, int, Reading], found: list[tuple[int, int, Reading]], unit: str) -> bool:
    start, end, reading = item
    bare = not reading.unit and not reading.scale
    before = words[max(0, start - 24) : start]
    if bare and reading.place == 0 and 1900 <= reading.magnitude <= 2099 and "," not in words[start:end]:
        return unit not in WHOLE or len(found) > 1
    if bare and (_REFERENCE.search(before) or (before.endswith("[") and words[end : end + 1] == "]")):
        return True
    first = found[0][0] == start
    if not first and words[start:end].startswith(("(", "（")):
        return True
    return not first and bool(_OF.search(before)) and not _BETWEEN.search(words[: found[0][0]])


def _numbers(words: str, found: Sequence[tuple[int, int, Reading]], stated: str, unit: str) -> list[Number]:
    numbers = []
    pieces = torn(words)
    for start, end, reading in found:
        try:
            number = _number(words, start, end, reading, stated, unit)
            apart = any(start < last and first < end for first, last in pieces)
            numbers.append(replace(number, torn=True) if apart else number)
        except DecimalException:
            continue  # beyond every bound of a quantity: no number that could be an answer
    return numbers


def _number(words: str, start: int, end: int, reading: Reading, stated: str, unit: str) -> Number:
    span = words[start:end]
    own = currency_said(span, reading.unit) or ("Fr" if _FRANCS.search(words[max(0, start - 5) : start]) else "")
    note = _note(words, end, unit)
    beside = stated
    if not stated and not own:
        tail = _TAIL.match(words, end)
        word = tail.group(1) if tail and read_unit(tail.group(1), unit).verdict != "unknown" else ""
        beside = note or word
    said = read_unit(beside, unit)
    factor = _factor(own, reading, said, unit)
    if note and not said.scale and not reading.scale:
        factor = factor.scaleb(read_unit(note, unit).scale, CONTEXT)
    verdict = read_unit(own, unit).verdict if own else said.verdict
    value = CONTEXT.multiply(reading.value, factor)
    last = last_power(reading.magnitude, reading.place) + reading.scale
    digit = CONTEXT.multiply(Decimal((0, (1,), last)), factor)
    rank = {"fits": 2, "unknown": 1, "other": 0}[verdict]
    return Number(start, end, span, value, digit, rank, reading, "" if rank else (own or beside))


def _factor(own: str, reading: Reading, said: StatedUnit, unit: str) -> Decimal:
    """What turns a number as read into the cell's unit; a scale said both with it and beside it counts once."""
    if own and own not in CURRENCIES and own not in SIGNS:
        return read_unit(own, unit).factor
    if own and said.verdict != "fits":
        return Decimal(1).scaleb(0 if reading.scale else said.scale, CONTEXT)
    return said.factor.scaleb(-said.scale, CONTEXT) if reading.scale and said.scale else said.factor

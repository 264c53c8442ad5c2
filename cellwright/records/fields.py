"""The kinds of field that tables and task.yaml have: ids, choices, numbers, dates, and how each is written down.

Every reader here takes the text that a person typed and raises ValueError with what is expected.
"""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator

from cellwright.records.decimals import canonical, parse_canonical

ID_PATTERN = r"[a-z][a-z0-9_]*"
FACT_ID_PATTERN = rf"{ID_PATTERN}(\.{ID_PATTERN})*"
"""Dotted parts after the first may also begin with a digit: `meta.revenue.2023` is common practice."""
SOURCE_ID_PATTERN = r"[a-z][a-z0-9_.-]*"
MAX_QUOTE = 300
MAX_FIELD = 20_000
MAX_SCALE = 18

Tier = Literal["T1", "T2", "T3", "T4"]
Rank = Literal["primary", "witness", "context", "trap", "superseded"]
AnswerType = Literal["precise", "range", "not_available"]
Agreement = Literal["consistent", "divergent", "single"]
DivergenceReason = Literal["restated", "definition", "scope", "period", "rounding", "error"]
AbsenceReason = Literal["not_disclosed", "not_applicable", "not_separately_reported", "paywalled"]

SCALE_WORDS = {
    "thousand": 3,
    "thousands": 3,
    "million": 6,
    "millions": 6,
    "billion": 9,
    "billions": 9,
    "trillion": 12,
    "trillions": 12,
}

_ID = re.compile(ID_PATTERN)
_FACT_ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9][a-z0-9_]*)*")
_SOURCE_ID = re.compile(SOURCE_ID_PATTERN)
_SPREADSHEET_DATE = re.compile(
    r"\d{1,2}[-./ ](jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*([-./ ]\d{2,4})?|"
    r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-./ ]\d{1,4}|\d{1,4}[-./]\d{1,2}[-./]\d{1,4}",
    re.IGNORECASE,
)


def looks_like_spreadsheet_date(text: str) -> bool:
    """Whether an id such as `mar1` was turned into a date (`1-Mar`) by a spreadsheet program."""
    return bool(_SPREADSHEET_DATE.fullmatch(text.strip()))


def _checked(pattern: re.Pattern[str], says: str) -> AfterValidator:
    def check(text: str) -> str:
        if pattern.fullmatch(text) and len(text) <= 120:
            return text
        if looks_like_spreadsheet_date(text):
            raise ValueError(
                f"{says}; a spreadsheet has turned this id into a date: format the column as text and type the id again"
            )
        raise ValueError(says)

    return AfterValidator(check)


def check_id(text: str) -> str:
    """`text` when it is an id (`[a-z][a-z0-9_]*`); ValueError with the rule when it is not."""
    if not _ID.fullmatch(text) or len(text) > 120:
        note = (
            "; a spreadsheet has turned this id into a date: format the column as text and type the id again"
            if looks_like_spreadsheet_date(text)
            else ""
        )
        raise ValueError(f"an id of small letters, digits and _ that begins with a letter{note}")
    return text


def decimal_field(value: Any) -> Any:
    if isinstance(value, Decimal) or value is None:
        return value
    text = str(value).strip()
    if not text:
        return None
    try:
        return parse_canonical(text)
    except ValueError:
        raise ValueError("a plain number: digits, a point for decimals, a minus; no grouping marks") from None


def date_field(value: Any) -> Any:
    if isinstance(value, date) or value is None:
        return value
    text = str(value).strip()
    if not text:
        return None
    try:
        if len(text) != 10:
            raise ValueError
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"a date as YYYY-MM-DD{dates_meant(text)}") from None


_NUMERIC_DATE = re.compile(r"([0-9]{1,2})([./-])([0-9]{1,2})\2([0-9]{4})")


def dates_meant(text: str) -> str:
    """What a date in figures may mean, both readings where two fit: `: 03/04/2024 is 2024-03-04 or 2024-04-03`."""
    match = _NUMERIC_DATE.fullmatch(text.strip())
    if match is None:
        return ""
    one, other, year = int(match[1]), int(match[3]), int(match[4])
    found: list[str] = []
    for month, day in ((one, other), (other, one)):
        try:
            found.append(date(year, month, day).isoformat())
        except ValueError:
            continue
    return f"; {match[0]} is {' or '.join(dict.fromkeys(found))}" if found else ""


def scale_field(value: Any) -> Any:
    if value is None or isinstance(value, int):
        return value
    text = str(value).strip().lower()
    if not text:
        return None
    if text in SCALE_WORDS:
        return SCALE_WORDS[text]
    if re.fullmatch(r"-?[0-9]{1,2}", text) and abs(int(text)) <= MAX_SCALE:
        return int(text)
    raise ValueError(f"a power of ten (0, 6, -2; at most {MAX_SCALE} either way) or a word from thousand to trillion")


def whole_field(value: Any) -> Any:
    if value is None or isinstance(value, int):
        return value
    text = str(value).strip()
    if not text:
        return None
    if re.fullmatch(r"[1-9][0-9]{0,5}", text):
        return int(text)
    raise ValueError("a whole number from 1")


def choice_field(value: Any) -> Any:
    """An empty field is no choice; anything else is judged by the type."""
    text = value.strip() if isinstance(value, str) else value
    return None if text == "" else text


Id = Annotated[str, _checked(_ID, "an id of small letters, digits and _ that begins with a letter")]
FactId = Annotated[str, _checked(_FACT_ID, "an id of small letters, digits, _ and dotted parts")]
SourceId = Annotated[str, _checked(_SOURCE_ID, "an id of small letters, digits, _, - and . that begins with a letter")]
EntityRef = Annotated[str, _checked(re.compile(rf"\*|{ID_PATTERN}"), "an entity's id, or * for the whole task")]
OptionalDecimal = Annotated[Decimal | None, BeforeValidator(decimal_field)]
OptionalDate = Annotated[date | None, BeforeValidator(date_field)]
OptionalScale = Annotated[int | None, BeforeValidator(scale_field)]
OptionalWhole = Annotated[int | None, BeforeValidator(whole_field)]


def write_field(value: object) -> str:
    """A field's value as text: Decimal in plain digits, dates in ISO, None as nothing."""
    if value is None:
        return ""
    if isinstance(value, Decimal):
        return canonical(value)
    return value.isoformat() if isinstance(value, date) else str(value)

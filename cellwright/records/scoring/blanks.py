"""Digits with ordinary blanks between them: one number where nothing else is meant, else a part of one."""

from __future__ import annotations

import re

from cellwright.records.quantities import QuantityError, read_number

_RUN = re.compile(
    r"(?<![\w.,])(?!(?:19|20)[0-9]{2} )[0-9][0-9.,]*"
    r"(?: (?:[.,][0-9]+|[0-9]{3}(?![0-9]))[0-9.,]*)+(?: [0-9]+)*"
)
"""`1 234`, `12 .5`, `1 234,5`; a year before a figure (`2023 456`) is no part of it."""
_FIGURE = re.compile(r"(?<![\w.,])[0-9][0-9.,]*")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}[.,]?")
_REFERENCE = re.compile(r"\b(?:item|note|notes|page|section|table|step|line|rank|top) $", re.IGNORECASE)
_NO_BREAK = "\u00a0"


def join_groups(words: str) -> str:
    """`words` with a no-break space for the blanks of `1 234`, where that is their only number; else unchanged."""
    runs = list(_RUN.finditer(words))
    if len(runs) != 1 or _REFERENCE.search(words[: runs[0].start()]):
        return words
    run = runs[0]
    digits = run.group().rstrip(".,").replace(" ", _NO_BREAK)
    others = [match.group() for match in _FIGURE.finditer(words) if not run.start() <= match.start() < run.end()]
    if not all(_YEAR.fullmatch(other) for other in others):
        return words
    try:
        read_number(digits)
    except QuantityError:
        return words
    return words[: run.start()] + digits + words[run.start() + len(digits) :]


def torn(words: str) -> list[tuple[int, int]]:
    """Where digits stand with nothing but a blank between them: no number in there is read alone."""
    return [match.span() for match in _RUN.finditer(words)]

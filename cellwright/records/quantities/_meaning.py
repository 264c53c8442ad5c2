"""What one word or sign beside a number says under a locale: a scale, a unit, a currency."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from cellwright.records.quantities._currencies import CURRENCIES, SYMBOLS, currency_of
from cellwright.records.quantities._locale import Marks
from cellwright.records.quantities._words import (
    BY_LANGUAGE,
    EAST_ASIAN,
    HEADS,
    LETTERS,
    LONG_SCALE_LANGUAGES,
    LONG_SCALE_WORDS,
    PARTS,
    SCALES,
    T_IS_THOUSAND,
    TWO_MEANINGS,
)

LONGEST_WORD = 30


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one word or sign beside a number says."""

    scale: int = 0
    unit: str = ""
    currency: bool = False
    """It names a currency, though perhaps not which one (`unit` is then empty)."""
    weak: bool = False
    """A letter or two that are a scale only beside a currency."""
    refusal: str = ""
    """The readings of a word that has two under this locale."""


@lru_cache(maxsize=4096)
def meaning(word: str, marks: Marks) -> Meaning | None:
    """What `word` (a word, a known phrase or a sign) says beside a number; None for any other word."""
    if not word or len(word) > LONGEST_WORD:
        return None
    return _currency(word, marks) or _scale(word, marks) or _part(word) or _joined(word, marks)


def _currency(word: str, marks: Marks) -> Meaning | None:
    for symbol in (word, word[:-1] if word.endswith(".") else word):
        if symbol in CURRENCIES or symbol in SYMBOLS:
            return Meaning(unit=currency_of(symbol, marks), currency=True)
    return None


def _scale(word: str, marks: Marks) -> Meaning | None:
    bare = word[:-1] if word.endswith(".") else word
    folded = bare.casefold()
    power = BY_LANGUAGE.get(marks.language, {}).get(folded)
    if power is not None:
        return Meaning(scale=power)
    if folded in TWO_MEANINGS:
        return Meaning(refusal=f"`{bare}` may be {TWO_MEANINGS[folded]}")
    if folded in LONG_SCALE_WORDS and marks.language in LONG_SCALE_LANGUAGES:
        return Meaning(refusal=f"`{bare}` may be {LONG_SCALE_WORDS[folded]} (the locale's own word)")
    if bare == "T" and marks.language in T_IS_THOUSAND:
        return Meaning(refusal="`T` may be thousand (as in TEUR) or trillion")
    if bare in LETTERS:
        return Meaning(scale=LETTERS[bare], weak=True)
    power = SCALES.get(folded, EAST_ASIAN.get(bare))
    return None if power is None else Meaning(scale=power)


def _part(word: str) -> Meaning | None:
    unit = PARTS.get(word.removesuffix(".").casefold())
    return None if unit is None else Meaning(unit=unit)


def _joined(word: str, marks: Marks) -> Meaning | None:
    """A scale and a currency in one word: TEUR, M€, €m, US$bn, DKKm, mkr, 億円."""
    if len(word) > 12:
        return None
    for cut in range(1, len(word)):
        left, right = word[:cut], word[cut:]
        money = _currency(right, marks)
        if money is not None:
            scale = Meaning(scale=HEADS[left]) if left in HEADS else _scale(left, marks)
        else:
            money, scale = _currency(left, marks), _scale(right, marks)
        if money is not None and scale is not None and scale.scale:
            return Meaning(scale=scale.scale, unit=money.unit, currency=True)
    return None

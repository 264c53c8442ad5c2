"""What belongs to the digits of a number in running text: sign, brackets, currency, scale word, percent."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from cellwright.records.quantities._currencies import COMMON_WORDS, SYMBOLS
from cellwright.records.quantities._locale import Marks, listed
from cellwright.records.quantities._meaning import Meaning, meaning
from cellwright.records.quantities._plain import DASHES, GROUP_SPACES, NEGATIVE_SIGNS
from cellwright.records.quantities._words import MINUS_WORDS, PARTS, SCALES

_SPACES = frozenset(" " + GROUP_SPACES)
_OPEN, _CLOSE = frozenset("(（"), frozenset(")）")
_DASHES = frozenset(DASHES)
_SENTENCE_DASHES = frozenset("—―")
_WORD_DASHES = frozenset("-\u2010\u2011\u2212\uff0d\ufe63")
_PARTS = frozenset("%‰‱٪％؉")
_MONEY = frozenset(sign for sign in SYMBOLS if len(sign) == 1 and not sign.isalpha()) | frozenset("￥＄￡￦")
_MONEY_WORDS = frozenset({"RMB", "Rs", "kr", "SFr", "Rp", "RM", "NKr", "SKr", "DKr"})
_BEFORE_SIGN = _MONEY | _SPACES | frozenset("\t\r\n([{|;,=<>~\"'“‘（「『、，")
_MINUS_ENDS = frozenset(word[-1] for word in MINUS_WORDS)
_REFERENCE = frozenset("#@_§№±^\\")
_MEASURES = listed("kg g t km cm ha l kWh MWh GWh TWh kW MW GW Hz MHz GHz h min s GB TB MB")
_UNSAID = frozenset({"m", "M", "mm", "K"})
"""Letters after a bare number that may be a scale: the number has two readings and is left out."""

_money_class = "".join(sorted(_MONEY))
_TOKEN = re.compile(rf"[{_money_class}]?[^\W\d_]{{1,20}}[{_money_class}]?(?!\w)|[{_money_class}]")
_PHRASE = re.compile(r"([^\W\d_]{1,20}\.?[ \u00a0][^\W\d_]{1,20})([ \u00a0][^\W\d_]{1,20})?(?!\w)")
_POINTS = re.compile(r"(?:-?(?:pts|points|Punkte)|-?p|[ \u00a0](?:pts|points))(?!\w)")
_NEXT_NUMBER = re.compile(rf"[ \u00a0]{{0,2}}[(（]?[ \u00a0]?[{re.escape(DASHES)}]?[.,]?\d")
_NEXT_CELL = re.compile(rf"[ \u00a0]{{0,2}}[(（]?[ \u00a0]?(?:[{re.escape(DASHES)}]|[.,]?\d)")
"""The same for tables that write the currency first, where the next cell may be a lone dash: `2022 $ — $ 5`."""
_FIRST_WORDS = frozenset(phrase.split(" ")[0] for table in (SCALES, PARTS) for phrase in table if " " in phrase) | {
    "miles",
    "US",
}
_LAST_GLUING = 0x0E00
"""Letters beyond (Thai, Han, kana, Hangul …) are written without spaces and glue no figure into a word."""


class Left(NamedTuple):
    """What stands before the digits."""

    first: int
    """Where the number begins if its bracket is closed."""
    inner: int
    """Where it begins otherwise; the same as `first` where no bracket was opened."""
    money: bool


class Right(NamedTuple):
    """What stands after the digits."""

    last: int
    closed: bool


def left_of(text: str, start: int, known: Marks) -> Left | None:
    """What belongs to the digits at `start` on their left; None where they are part of a word or reference."""
    at = _leading_mark(text, start, known)
    if at is None:
        return None
    inner = -1
    money = signed = False
    while at:
        stop = at - 1 if text[at - 1] in _SPACES else at
        char = text[stop - 1] if stop else "\n"
        beyond = text[stop - 2] if stop > 1 else " "
        if char in _OPEN and not signed and inner < 0:
            if beyond.isalnum() or beyond == "_":
                return None if at == start and stop == at else Left(at, at, money)
            inner, at = at, stop - 1
        elif (char in _DASHES or char in NEGATIVE_SIGNS or char == "+") and stop == at:
            free = beyond in _BEFORE_SIGN or (char in NEGATIVE_SIGNS and not beyond.isdecimal())
            if not signed and inner < 0 and free:
                signed, at = True, at - 1
            elif beyond.isalpha() and char in _DASHES and char not in _SENTENCE_DASHES and not money:
                return None
            else:
                break
        else:
            minus = 0 if signed or inner >= 0 else _minus_word_before(text, stop)
            if minus:
                signed, at = True, stop - minus
                continue
            taken = 0 if money else _money_before(text, at, stop, known)
            if taken is None:
                return None
            if not taken:
                break
            money, at = True, at - taken
    return Left(at, at if inner < 0 else inner, money)


def _minus_word_before(text: str, stop: int) -> int:
    """How long the word is that says minus before `stop`; 0 for none, and after a figure (`20 minus 5`)."""
    if not stop or text[stop - 1].casefold() not in _MINUS_ENDS:
        return 0
    for word in MINUS_WORDS:
        begin = stop - len(word)
        if begin >= 0 and text[begin:stop].casefold() == word:
            before = text[max(0, begin - 2) : begin].rstrip()[-1:]
            return 0 if before.isdecimal() or before in _CLOSE | _PARTS or _joins(text, begin) else len(word)
    return 0


def _joins(text: str, begin: int) -> bool:
    """Whether the Latin word that begins at `begin` is only the end of a longer one."""
    return begin > 0 and text[begin].isascii() and text[begin - 1].isalpha()


def _leading_mark(text: str, start: int, known: Marks) -> int | None:
    """Where the digits begin with a decimal mark before them (`.05`); None for a reference (`#5`, `Fig.5`)."""
    if not start:
        return 0
    before = text[start - 1]
    beyond = text[start - 2] if start > 1 else " "
    if before in _REFERENCE or (before == "/" and beyond.isalnum()):
        return None
    if before in ".,":
        if before == known.decimal and not beyond.isalnum() and beyond not in ".,)":
            return start - 1
        if beyond in ".," or (beyond.isalpha() and before == "." and text[max(0, start - 3) : start - 1] != "Rs"):
            return None
    return start


def _money_before(text: str, at: int, stop: int, known: Marks) -> int | None:
    """How many characters before `at` name a currency; None where a word is glued to the digits."""
    if not stop:
        return 0
    char = text[stop - 1]
    if char in _MONEY:
        begin = stop - 1
        while begin and stop - begin < 5 and text[begin - 1].isalpha() and ord(text[begin - 1]) < 0x250:
            begin -= 1
        word = text[begin:stop]
        if meaning(word, known) is not None:
            return at - begin
        return at - stop + 1 if word[:-1].islower() else None
    if ord(char) >= _LAST_GLUING or not (char.isalpha() or char == "."):
        return 0
    begin = stop - 1 if char == "." else stop
    while begin and stop - begin < 8 and text[begin - 1].isalpha():
        begin -= 1
    if not (begin and (text[begin - 1].isalnum() or text[begin - 1] == "_")) and _names_money(text[begin:stop], known):
        return at - begin
    return 0 if stop < at or char == "." else None


@lru_cache(maxsize=4096)
def _names_money(word: str, known: Marks) -> bool:
    """Whether a word before a number is a currency: a code, or a word that stands before its number."""
    bare = word.removesuffix(".")
    if bare in _MONEY_WORDS:
        return True
    found = meaning(bare, known)
    return found is not None and found.currency and word.isupper() and bare not in COMMON_WORDS


def right_of(text: str, end: int, known: Marks, *, opened: bool, money: bool) -> Right | None:
    """What belongs to the digits that end at `end` on their right; None where they are part of a word."""
    length = len(text)
    closed = scaled = parted = False
    at = end
    while at < length:
        look = at + 1 if text[at] in _SPACES else at
        char = text[look] if look < length else "\n"
        if char in _CLOSE and opened and not closed:
            closed, at = True, look + 1
        elif char in _PARTS and not parted and not money:
            points = _POINTS.match(text, look + 1)
            parted, at = True, points.end() if points is not None else look + 1
        elif char.isalpha() or char in _MONEY:
            taken = _word_after(text, look, known, money=money, glued=look == end)
            if taken is None:
                if look == end and _glues(text, look):
                    return None
                break
            size, found = taken
            if (found.scale and scaled) or (found.currency and money) or parted:
                break
            scaled = scaled or bool(found.scale or found.refusal)
            money = money or found.currency
            parted = parted or not (found.scale or found.currency or found.refusal)
            at = look + size
        else:
            if look == end and _ends_in_word(text, look):
                return None
            break
    return Right(at, closed)


def _glues(text: str, at: int) -> bool:
    """Whether the unknown letters at `at` make a word of the digits before them; a measure does not."""
    if ord(text[at]) >= _LAST_GLUING:
        return False
    token = _TOKEN.match(text, at)
    return token is None or token.group() not in _MEASURES


def _ends_in_word(text: str, at: int) -> bool:
    """Whether a sign right after the digits makes them no number: `10-K`, `1,234-`, `5½`, `5_`, `80's`."""
    char = text[at]
    if char in " \n,.;)":
        return False
    after = text[at + 1] if at + 1 < len(text) else " "
    if char in _WORD_DASHES:
        return not (after.isdecimal() or after in _MONEY or after in _OPEN)
    if char == "_" or (char in "'’" and after.isalpha()):
        return True
    return not char.isascii() and unicodedata.category(char) == "No"


def _word_after(text: str, at: int, known: Marks, *, money: bool, glued: bool) -> tuple[int, Meaning] | None:
    """The known word, phrase or currency at `at` that says something of the number before it, and its length."""
    if ord(text[at]) >= 0x2E80 and text[at] not in _MONEY:
        return _east_asian_after(text, at, known)
    token = _TOKEN.match(text, at)
    if token is None:
        return None
    word = token.group()
    if word.casefold() in _FIRST_WORDS or word in _FIRST_WORDS:
        word = _longest_phrase(text, at, known) or word
    found = None if word in COMMON_WORDS else meaning(word, known)
    if found is None and text[at] in _MONEY:
        word, found = text[at], Meaning(currency=True)
    if found is None:
        return None
    size = len(word)
    if found.weak and not money:
        return (size, found) if word in _UNSAID else None
    following = _NEXT_NUMBER if known.decimal == "," else _NEXT_CELL
    if found.currency and following.match(text, at + size):
        return None  # `in 2022 $5`: the sign belongs to the number after it
    if found.scale and not found.currency and text[at + size : at + size + 1] == ".":
        return _abbreviated(text, at, size, found, known)
    return size, found


def _longest_phrase(text: str, at: int, known: Marks) -> str | None:
    match = _PHRASE.match(text, at)
    if match is None:
        return None
    for phrase in (match.group(), match.group(1)):
        if meaning(phrase.replace("\u00a0", " "), known) is not None:
            return phrase
    return None


def _abbreviated(text: str, at: int, size: int, found: Meaning, known: Marks) -> tuple[int, Meaning]:
    """`Mio. €`: the point belongs to the scale word only where a currency follows it."""
    look = at + size + 1
    look += text[look : look + 1] in _SPACES
    token = _TOKEN.match(text, look)
    money = meaning(token.group(), known) if token is not None else None
    if token is None or money is None or not money.currency or _NEXT_NUMBER.match(text, token.end()):
        return size, found
    return token.end() - at, Meaning(scale=found.scale, unit=money.unit, currency=True)


def _east_asian_after(text: str, at: int, known: Marks) -> tuple[int, Meaning] | None:
    for size in (4, 3, 2, 1):
        found = meaning(text[at : at + size], known)
        if found is not None:
            return min(size, len(text) - at), found
    return None

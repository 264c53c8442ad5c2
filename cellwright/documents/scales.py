"""Which power of ten and which unit the words around a figure give it: "in millions, except per share data"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from cellwright.documents.quotes import CURRENCY_SIGNS

_WORDS = {
    "hundreds": 2,
    "thousands": 3,
    "thousand": 3,
    "millions": 6,
    "million": 6,
    "billions": 9,
    "billion": 9,
    "trillions": 12,
    "trillion": 12,
    "tausend": 3,
    "millionen": 6,
    "milliarden": 9,
    "milliers": 3,
    "milliards": 9,
    "miles": 3,
    "millones": 6,
    "migliaia": 3,
    "milioni": 6,
    "miliardi": 9,
    "tusinde": 3,
    "tusind": 3,
    "tusen": 3,
    "millioner": 6,
    "milliarder": 9,
    "miljoner": 6,
    "miljarder": 9,
    "duizenden": 3,
    "miljoenen": 6,
    "milhares": 3,
    "milhões": 6,
    "lakhs": 5,
    "lakh": 5,
    "crores": 7,
    "crore": 7,
    "mn": 6,
    "bn": 9,
    "mio": 6,
    "mrd": 9,
    "mill": 6,
    "m": 6,
    "mm": 6,
    "k": 3,
    "tsd": 3,
    "tds": 3,
}
_EAST = {"千": 3, "百万": 6, "十億": 9, "億": 8, "亿": 8, "万": 4, "兆": 12}
_MONEY_CODES = "USD|EUR|GBP|JPY|CNY|RMB|CHF|DKK|SEK|NOK|CAD|AUD|HKD|TWD|KRW|INR|BRL|MXN|SGD|ZAR|PLN|CZK|HUF|ILS|NZD"
_SIGNS = re.escape(CURRENCY_SIGNS)
_MONEY = (
    rf"(?:(?:{_MONEY_CODES}|US|C|A|HK|NT|R)?\s?[{_SIGNS}]|\b(?:{_MONEY_CODES})\b"
    r"|(?:u\.?s\.?\s)?dollars?|euros?|yen|pounds?|kr\.?|kroner)"
)
_LONG = "|".join(sorted((word for word in _WORDS if len(word) > 4), key=len, reverse=True))
_SHORT = "mn|bn|Mio|Mrd|Tsd|Tds|mill|mm|m|k"
_IN_WORDS = re.compile(rf"\b(?:in|en|i|em|in\s+hundreds\s+of)\s+(?:{_MONEY}\s+)?({_LONG})\b", re.IGNORECASE)
_MONEY_THEN_SCALE = re.compile(
    rf"(?:{_MONEY}\s?['’]?(?:in\s+)?\(?|\b(?:{_MONEY_CODES})(?=mn?\b|bn\b|k\b))({_LONG}|{_SHORT})\b\.?", re.IGNORECASE
)
_IN_BRACKETS = re.compile(rf"\(\s?(?:in\s+)?({_LONG})\s?\)", re.IGNORECASE)
"""A scale that is all that the brackets say: "Intrinsic value (billions)"."""
_WHOLE_UNITS = re.compile(
    r"\W*in\s+(?:whole\s+|actual\s+)?(?:shares|dollars|units)(?:\s+and\s+(?:shares|dollars|units))?\W*", re.IGNORECASE
)
"""What says that there is no scale: "In Shares and Dollars"."""
_SCALE_THEN_MONEY = re.compile(
    rf"(?<![\d.,]\s)(?<![\w.,])({_LONG}|{_SHORT})\.?\s?(?:of\s+|de\s+|d['’])?{_MONEY}", re.IGNORECASE
)
_ZEROS = re.compile(
    rf"(?<![\d,.])(?:{_MONEY}\s?['‘’]?|['‘’(])\s?000(?:,000)?['’]?s?\b|\bt(?:eur|usd|chf)\b|\bt€"
    r"|\bt\.\s?kr\b",
    re.IGNORECASE,
)
_EAST_SCALE = re.compile("(百万|十億|千|億|亿|万|兆)[円元圆圓]")
_SHARE_SCALE = re.compile(rf"\bshares?\b[^().;]{{0,60}}?\bin\s+({_LONG})\b|\b({_LONG})\s+of\s+shares\b", re.IGNORECASE)
_EXCEPT_SHARES = re.compile(
    r"\b(?:except|excluding|other than)\b[^()]{0,60}?\b(?:shares?|number of shares|share data|"
    r"share amounts|share and)\b",
    re.IGNORECASE,
)
_EXCEPT = re.compile(r"\bexcept\b", re.IGNORECASE)
_ONLY_SCALE = re.compile(rf"\W*(?:in|amounts?|dollars?|all|expressed|stated|{_MONEY}|\d*s\b|shares?)", re.IGNORECASE)
_BARE = re.compile(rf"\W*({_LONG}|mn|bn)\b(?:\s+(?:of\s+)?[^\W\d]+){{0,2}}\W*$", re.IGNORECASE)
_DOLLAR = re.compile(rf"\b(?:dollars?|currency|monetary|all)\b|[{_SIGNS}]\s+and\s+shares\b", re.IGNORECASE)
_MAY_SCALE = re.compile(
    rf"(?:{_LONG})|\b(?:{_MONEY_CODES})?(?:{_SHORT})\b|[{_SIGNS}](?:{_SHORT})\b|000|[千百十億亿万兆]|\bt(?:eur|usd|chf|€|\.)"
    r"|\bexcept|\bexclu|\bother than|\bin\s+(?:whole|actual|shares|dollars|units)",
    re.IGNORECASE,
)
"""What every text holds that says anything of a scale; most texts do not, and are asked no further."""
_KINDS_OF_SHARE = (
    r"common|ordinary|diluted|basic|equity|class\s\w|american\sdepositary|limited\spartner|"
    r"weighted\saverage"
)
_PER_SHARE = re.compile(
    rf"\bper[\s-](?:(?:{_KINDS_OF_SHARE}|equivalent|average)[\s-]){{0,3}}"
    r"(?:shares?|units?|ads|adss?|stock|rsus?|psus?|options?|awards?)\b|\bEPS\b|/\s?(?:share|unit)\b"
    r"|\bexercise\s+price\b|\bgrant[\s-]date\s+fair\s+value\b|\baverage\s+price\s+paid\b"
    r"|一株当たり|1株当たり|\bje\s+aktie\b|\bpar\s+action\b|\bpr\.\s+aktie\b",
    re.IGNORECASE,
)
_SHARE_PRICE = re.compile(r"\bshare\s+prices?\b", re.IGNORECASE)
_OF_ALL = re.compile(r"^\W*(?:total|aggregate)\b.*\bfair\s+value\b", re.IGNORECASE)
"""A fair value of all awards together is an amount: "Total grant date fair value of shares vested"."""
_SHARES = re.compile(
    r"\b(?:weighted[\s-]average|number\s+of|average|diluted|basic)\b[^.;]{0,50}\b(?:shares|stock|units)\b"
    r"|\bshares?\b[^.;]{0,40}\b(?:outstanding|used|issued|repurchased|authorized)\b"
    r"|\bin\s+(?:computing|calculating|the\s+computation)\b"
    r"|^\W*(?:total\s+)?(?:shares|units|rsus|psus|options)\b(?:\W+in\s+\w+)?\W*$|\bshares\s+under\s+option"
    r"|\bdilutive\b[^.;]{0,40}\b(?:awards|securities)\b|\bdilutive\s+effect\b|\bshare\s+equivalents\b"
    r"|\b(?:common|diluted|dilutive)\s+(?:equivalent\s+)?shares\b|株式数",
    re.IGNORECASE,
)
_COUNTS = re.compile(
    r"^(?:total\s+)?(?:number\s+of|headcount|employees|stores|units\s+(?:sold|delivered)|deliveries)\b", re.IGNORECASE
)
_PERCENT = re.compile(r"%|‰|\bpercent(?:age)?\b|\bper\s?cent\b|\bbps\b|\bbasis\s+points\b", re.IGNORECASE)
_CODE = re.compile(
    rf"\b({_MONEY_CODES})\b|(US|C|A|HK|NT|R)?([{_SIGNS}])"
    r"|\b(u\.?s\.?\s+dollars?|euros?|yen|pounds?\s+sterling|dollars?)\b",
    re.IGNORECASE,
)
_SIGN_CODES = {
    "€": "EUR",
    "£": "GBP",
    "￡": "GBP",
    "₹": "INR",
    "₩": "KRW",
    "₽": "RUB",
    "₺": "TRY",
    "฿": "THB",
    "₫": "VND",
    "₪": "ILS",
    "₱": "PHP",
    "₴": "UAH",
    "₦": "NGN",
}
_DOLLARS = {"US": "USD", "C": "CAD", "A": "AUD", "HK": "HKD", "NT": "TWD", "R": "BRL"}


@dataclass(frozen=True, slots=True)
class Scales:
    """The powers of ten that a text gives to money and to counts of shares; None where it gives none."""

    money: int | None = None
    shares: int | None = None
    currency: str = ""


@lru_cache(maxsize=4096)
def read_scales(text: str) -> Scales:
    """What a caption or head says: "(In millions, except number of shares, which are reflected in thousands)"."""
    if not text:
        return Scales()
    if not _holds_a_stem(text) or not _MAY_SCALE.search(text):
        return Scales(currency=currency_in(text))
    if _WHOLE_UNITS.fullmatch(text):
        return Scales(0, 0, currency_in(text))
    share = _SHARE_SCALE.search(text)
    shares = _power(share[1] or share[2]) if share else None
    plain = text[: share.start()] + " " + text[share.end() :] if share else text
    money = _money_scale(plain)
    if money is None and shares is not None and _DOLLAR.search(text):  # "dollar and share amounts … in millions"
        money = shares
    if shares is None and _EXCEPT_SHARES.search(text) and not _only_per_share(text):
        shares = 0
    elif shares is None:
        shares = money
    return Scales(money, shares, currency_in(text))


_STEMS = (
    *("hundred", "thousand", "illi", "mil", "tausend", "migliaia", "tusen", "tusind", "duizend", "lakh", "crore"),
    *("000", "exce", "exclu", "other than", "whole", "actual", "shares", "dollars", "units"),
    *("千", "百", "十", "億", "亿", "万", "兆", "teur", "tusd", "tchf", "t€", "t."),
)
_SHORT_WORDS = frozenset(
    f"{code}{short}" for code in ("", *_MONEY_CODES.lower().split("|")) for short in _SHORT.lower().split("|")
)
"""Short words for a scale, alone and behind a currency's code: "mn", "USDm"."""
_NOT_WORD = re.compile(r"\W+")


def _holds_a_stem(text: str) -> bool:
    """Whether one of the stems of `_MAY_SCALE` is in the text; plain search, as the pattern is slow at each letter."""
    folded = text.casefold()
    return any(stem in folded for stem in _STEMS) or not _SHORT_WORDS.isdisjoint(_NOT_WORD.split(folded))


def _only_per_share(text: str) -> bool:
    """Whether the exception is of amounts per share alone, not of numbers of shares: "except per share data"."""
    found = _EXCEPT_SHARES.search(text)
    rest = text[found.start() :] if found else ""
    rest = _SHARE_PRICE.sub(" ", _PER_SHARE.sub(" ", rest.replace("-", " ")))
    return not re.search(r"\bshares?\b", rest, re.IGNORECASE)


def _money_scale(text: str) -> int | None:
    """The last power that the text names, which stands nearest to the table."""
    best: tuple[int, int] | None = None
    for pattern in (_IN_WORDS, _IN_BRACKETS, _MONEY_THEN_SCALE, _SCALE_THEN_MONEY):
        for match in pattern.finditer(text):
            if best is None or match.start() > best[0]:
                best = (match.start(), _power(match[1]))
    bare = _BARE.match(text)
    if best is None and bare:
        best = (0, _power(bare[1]))
    for match in _EAST_SCALE.finditer(text):
        if best is None or match.start() > best[0]:
            best = (match.start(), _EAST[match[1]])
    if best is None and _ZEROS.search(text):
        return 3
    return best[1] if best else None


def _power(word: str) -> int:
    return _WORDS[word.lower().rstrip(".")]


@lru_cache(maxsize=16_384)
def currency_in(text: str) -> str:
    """The currency that `text` names, as a code; empty where it names none or several."""
    found: set[str] = set()
    for match in _CODE.finditer(text):
        code, lead, sign, word = match.groups()
        if code:
            found.add("CNY" if code.upper() == "RMB" else code.upper())
        elif sign:
            found.add(_DOLLARS.get((lead or "").upper(), "$") if sign in "$＄" else _SIGN_CODES.get(sign, sign))
        elif word:
            plain = word.lower().replace(".", "")
            found.add(
                "USD"
                if plain.startswith("us")
                else "EUR"
                if plain.startswith("euro")
                else "JPY"
                if plain == "yen"
                else "GBP"
                if plain.startswith("pound")
                else "$"
            )
    if len(found) > 1:
        found.discard("$")
    return found.pop() if len(found) == 1 else ""


@lru_cache(maxsize=16_384)
def is_per_share(text: str) -> bool:
    """Whether `text` speaks of an amount per share."""
    return bool(_PER_SHARE.search(text)) and not _OF_ALL.search(text)


@lru_cache(maxsize=16_384)
def is_shares(text: str) -> bool:
    """Whether `text` speaks of a number of shares ("Shares used in computing earnings per share")."""
    return bool(_SHARES.search(text))


@lru_cache(maxsize=16_384)
def is_percent(text: str) -> bool:
    """Whether `text` speaks of percent."""
    return bool(_PERCENT.search(text))


@lru_cache(maxsize=16_384)
def is_declaration(text: str) -> bool:
    """Whether `text` speaks of the whole table's scale ("(In millions, except per share amounts)")."""
    said = read_scales(text)
    return said.money is not None or said.shares is not None or bool(_EXCEPT.search(text))


@lru_cache(maxsize=16_384)
def is_of_shares_alone(text: str) -> bool:
    """Whether `text` gives a scale to numbers of shares and to nothing else: "Shares in millions"."""
    return bool(_SHARE_SCALE.search(text)) and read_scales(text).money is None


_EXCEPTED = re.compile(r"\bexcept(?:ing)?\s+(?:for\s+)?([^()]{3,120})", re.IGNORECASE)


def excepted_in(text: str) -> list[str]:
    """What a declaration says its scale does not hold for: "(in millions, except conversion rate)"."""
    found = _EXCEPTED.search(text)
    return [part for item in re.split(r",|\band\b|\bor\b", found[1]) if (part := item.strip())] if found else []


def is_only_scale(text: str) -> bool:
    """Whether `text` is nothing but such a declaration."""
    return is_declaration(text) and bool(_ONLY_SCALE.match(text))


def is_count(text: str) -> bool:
    """Whether a row's label speaks of things counted ("Number of employees")."""
    return bool(_COUNTS.search(text))


_UNIT_WORDS = re.compile(
    rf"^\W*(?:in\s+)?(?:{_LONG}|{_SHORT}|{_MONEY}|per|share|shares|percent|%|pp|points?|employees?|vehicles?"
    r"|[\s().,/'0])+\W*$",
    re.IGNORECASE,
)


@lru_cache(maxsize=16_384)
def is_unit(text: str) -> bool:
    """Whether a cell says only a unit and a scale: "USD million", "USD/share", "percent", "百万円"."""
    if not text or len(text) > 40 or any(map(str.isdigit, text.replace("000", ""))):
        return False
    return bool(_UNIT_WORDS.match(text) or _BARE.match(text) or _EAST_SCALE.fullmatch(text) or _ZEROS.fullmatch(text))

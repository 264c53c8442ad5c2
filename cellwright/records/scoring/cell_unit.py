"""The unit beside an answer against the unit of its cell: a factor, another unit, or words that say nothing.

An answer may be given in another unit of the same kind: scale words, basis points for percent, a fraction
where the answer says that it is one. Words that no unit is known by leave the cell's unit standing: people
write `CNY per car` for `CNY/vehicle`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from cellwright.records.decimals import CONTEXT
from cellwright.records.errors import UnreadableInput
from cellwright.records.quantities import CURRENCIES, QuantityError, read_number
from cellwright.records.unit_definitions import KNOWN_UNITS, OTHER_NAMES
from cellwright.records.units import unit_table

PLAIN = frozenset({"rank", "count", "yes_no", "day"})
"""Units that nothing else is converted to."""
WHOLE = frozenset({"rank", "count", "yes_no"})
"""Units of whole numbers, of which a near one is another one."""
HUNDREDTHS = frozenset({"percent", "pp"})
"""Both are hundredths; the cell's unit says which is meant."""
RATIOS = frozenset({"", "1", "ratio", "fraction"})
"""Units of a number that is a plain quotient."""
_KRONOR = frozenset({"DKK", "ISK", "NOK", "SEK"})
_YUAN = frozenset({"CNY", "HKD", "MOP", "TWD"})
SIGNS: dict[str, frozenset[str]] = {
    "$": frozenset(
        {"ARS", "AUD", "BBD", "BMD", "BND", "BSD", "BZD", "CAD", "CLP", "COP", "CUP", "DOP", "FJD", "GYD", "HKD"}
        | {"JMD", "KYD", "LRD", "MXN", "NAD", "NZD", "SBD", "SGD", "SRD", "TTD", "TWD", "USD", "UYU", "XCD"}
    ),
    "¥": frozenset({"CNY", "JPY"}),
    "元": _YUAN,
    "圓": _YUAN | {"JPY"},
    "kr": _KRONOR,
    "Rs": frozenset({"INR", "LKR", "MUR", "NPR", "PKR", "SCR"}),
    "Fr": frozenset({"BIF", "CDF", "CHF", "DJF", "GNF", "KMF", "RWF", "XAF", "XOF", "XPF"}),
}
"""Signs that several currencies share, and the currencies that are printed with each at home."""

FRACTION_WORDS = frozenset({"fraction", "ratio", "decimal", "proportion", "share of 1", "decimal fraction"})
_HUNDREDTH_SIZE = {"percent": Decimal(1), "pp": Decimal(1), "permille": Decimal("0.1"), "bp": Decimal("0.01")}
MAX_UNIT = 120
"""Characters of a stated unit that are looked at."""
_SIGN = re.compile(
    r"(?P<yen>[¥￥])|(?P<yuan>元)|(?P<round>圓)|(?P<kr>(?<![A-Za-z])(?:[TtKkMm]|[Mm]d)?kr(?:oner)?(?![A-Za-z]))"
    r"|(?P<rs>(?<![A-Za-z])(?:Rs|rupees)(?![A-Za-z]))|(?P<fr>(?<![A-Za-z])Fr(?![A-Za-z]))"
)
_SIGN_NAMES = {"yen": "¥", "yuan": "元", "round": "圓", "kr": "kr", "rs": "Rs", "fr": "Fr"}
_BARE_DOLLAR = re.compile(r"(?<![A-Za-z.])[$＄﹩]|(?<!US )(?<!U\.S\. )\bdollars\b")
_PER = re.compile(r"\s*(?:/|\bper\b)\s*", re.IGNORECASE)
_POWER_FORM = re.compile(r"(?:10\s*(?:\^|\*\*)\s*|1e)([0-9]{1,2})\b")

Verdict = Literal["fits", "other", "unknown"]


@dataclass(frozen=True, slots=True)
class StatedUnit:
    """What the words of a stated unit say for a cell.

    `factor` turns a number stated in it into the cell's unit, scale words included; 1 for `unknown`.
    """

    verdict: Verdict
    factor: Decimal = Decimal(1)
    scale: int = 0
    """The power of ten among the words, already in `factor`."""


def unit_factor(stated: str, unit: str) -> Decimal | None:
    """The factor from `stated` to `unit`; None where `stated` is another unit or not known to be the same."""
    found = read_unit(stated, unit)
    return found.factor if found.verdict == "fits" else None


@lru_cache(maxsize=4096)
def read_unit(stated: str, unit: str) -> StatedUnit:
    """What `stated`, the words of an answer's unit, says for a cell in `unit`."""
    words = " ".join(stated[:MAX_UNIT].strip(" .()[]").split())
    if not words:
        return StatedUnit("unknown")
    if _same(words, unit):
        return StatedUnit("fits")
    if words.casefold() in FRACTION_WORDS:
        return _of_fraction(unit)
    whole = _probe(f"1 {words}")
    if whole is not None and whole[1] in _HUNDREDTH_SIZE:  # before `per cent` is taken for cents per something
        return _of_hundredths(_HUNDREDTH_SIZE[whole[1]], unit)
    head, *tails = _PER.split(words, maxsplit=1)
    scale, kind, rest = _head(head)
    power = Decimal(1).scaleb(scale, CONTEXT)
    if kind in _HUNDREDTH_SIZE:
        return _of_hundredths(_HUNDREDTH_SIZE[kind], unit)
    own_head, *own_tails = _PER.split(unit, maxsplit=1)
    if kind or own_head in CURRENCIES:
        return _of_currency(kind, scale, power, own_head, own_tails, tails, rest)
    if not rest or _same(rest, unit) or _same(rest, own_head):
        return StatedUnit("fits" if scale or rest else "unknown", power, scale)
    verdict, factor = _convert("/".join([rest, *tails]), unit)
    return StatedUnit(verdict, CONTEXT.multiply(power, factor), scale)


def _same(stated: str, unit: str) -> bool:
    """Equal but for case, plural, spaces, and `per` for `/`."""

    def plain(text: str) -> str:
        parts = (part.replace("_", " ").strip() for part in _PER.split(text.casefold()))
        return "/".join(part.removesuffix("s") if len(part) > 3 else part for part in parts)

    return plain(stated) == plain(unit)


def _of_fraction(unit: str) -> StatedUnit:
    if unit in HUNDREDTHS:
        return StatedUnit("fits", Decimal(100))
    return StatedUnit("fits" if unit in RATIOS else "other")


def _of_hundredths(size: Decimal, unit: str) -> StatedUnit:
    if unit in HUNDREDTHS:
        return StatedUnit("fits", size)
    return StatedUnit("fits", CONTEXT.divide(size, Decimal(100))) if unit in RATIOS else StatedUnit("other")


def _of_currency(
    kind: str, scale: int, power: Decimal, own_head: str, own_tails: list[str], tails: list[str], rest: str
) -> StatedUnit:
    if own_head not in CURRENCIES:
        return StatedUnit("other", power, scale)
    if kind and not same_currency(kind, own_head):
        return StatedUnit("other", power, scale)
    if not kind and rest:
        return StatedUnit("unknown", power, scale)
    if tails and not own_tails:
        return StatedUnit("other", power, scale)
    if tails and own_tails and not _same(tails[0], own_tails[0]):
        verdict, below = _convert(tails[0], own_tails[0])
        return StatedUnit(verdict, CONTEXT.divide(power, below), scale)
    return StatedUnit("fits", power, scale)


def same_currency(stated: str, own: str) -> bool:
    """Whether the currency read is the cell's: the same code, or a sign that is printed for it (`¥` for CNY)."""
    return stated == own or own in SIGNS.get(stated, ())


def currency_said(text: str, unit: str) -> str:
    """What `text`, read as a number in `unit`, says of its currency: a code, or a sign that several share.

    Any other unit, and none, is given back as it is.
    """
    if unit == "USD" and "USD" not in text and _BARE_DOLLAR.search(text):
        return "$"
    sign = None if unit else _SIGN.search(text)
    return unit if sign is None else _SIGN_NAMES[sign.lastgroup or ""]


def _head(words: str) -> tuple[int, str, str]:
    """The power of ten, the currency or hundredth, and the other words before any `/` or `per`."""
    power = _POWER_FORM.match(words)
    if power:
        tail = words[power.end() :].strip()
        _, currency, others = _head(tail) if tail else (0, "", "")
        return int(power.group(1)), currency, others
    for probe in (f"1 {words}", f"{words} 1"):
        read = _probe(probe)
        if read is not None:
            return read[0], read[1], ""
    scale, kind = 0, ""
    rest: list[str] = []
    for word in words.split(" ")[:12]:
        read = _probe(f"1 {word}") or (_probe(f"{kind} 1{word}") if kind in CURRENCIES else None)
        if read is None:
            rest.append(word)
        else:
            scale += 0 if scale else read[0]
            kind = kind or read[1]
    return scale, kind, " ".join(rest)


def _probe(text: str) -> tuple[int, str] | None:
    """Scale and unit that the words beside a 1 say; None where they cannot be read."""
    try:
        reading = read_number(text)
    except QuantityError:
        return None
    return reading.scale, currency_said(text, reading.unit)


def _convert(stated: str, unit: str) -> tuple[Verdict, Decimal]:
    """The factor between two units that are known here, such as kWh and MWh, or that they are of another kind."""
    table = unit_table({})
    try:
        first, own = table.parse(_singular(stated)), table.parse(unit)
        if table.same_kind(first, own):
            return "fits", table.ratio(first, own)
    except UnreadableInput:
        return "unknown", Decimal(1)
    return ("other" if first.dimension and own.dimension else "unknown"), Decimal(1)


def _singular(stated: str) -> str:
    """Each name by the one that is known: `cars` is `vehicle`, `tonnes` is `tonne`."""

    def known(name: str) -> str:
        for one in (name, name.removesuffix("s")):
            if one in KNOWN_UNITS:
                return one
            if one in OTHER_NAMES:
                return OTHER_NAMES[one]
        return name

    return "/".join(known(part.strip()) for part in _PER.split(stated))

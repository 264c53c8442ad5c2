"""What sort of number a figure is: money, an amount per share, a percentage, a number of shares, a count."""

from __future__ import annotations

import re
from typing import Literal

from cellwright.documents import scales
from cellwright.documents.figures import Figure

FigureKind = Literal["money", "per_share", "percent", "shares", "count"]

_ASIDE = re.compile(r"\([^()]*\d[^()]*\)")
"""What stands in brackets with a number of its own: "Dividends paid ($ 7.29 per share)"."""
_NUMBER_OF = re.compile(
    r"^\W*(?:(?:weighted|average|number)\b(?!.*\b(?:price|value|dividends?)\b)"
    r"|(?:(?:common|total|diluted|basic)\s+)?shares\b)"
    r"|\bshares\s+used\b|\bin\s+(?:computing|calculating)\b",
    re.IGNORECASE,
)


_OF_PERCENT = re.compile(r"\(\s?(?:in\s)?(?:%|percent)\s?\)\W*$", re.IGNORECASE)
"""A label that says so at its end: "Gross margin (%)"."""


def kind_of(figure: Figure, words: list[str], label: str, groups: list[list[str]], path: tuple[str, ...]) -> FigureKind:
    """What sort of number it is, by the nearest words that tell."""
    if scales.is_percent(figure.text) or "‰" in figure.text:
        return "percent"
    if _OF_PERCENT.search(label):
        return "percent"
    units = [word for word in words if scales.is_unit(word)]
    heads = [text for group in groups[:1] for text in reversed(group)]
    for text in (*units, _ASIDE.sub(" ", label)):
        kind = _kind_said(text)
        if kind and (text in units or kind != "per_share" or _looks_per_share(figure)):
            return kind
    for text in heads:
        if scales.is_declaration(text):
            continue
        if scales.is_percent(text):
            return "percent"
        kind = _kind_said(text)
        if kind and len(text) <= 80 and (kind != "per_share" or _looks_per_share(figure)):
            return kind
    for text in reversed(path):
        if scales.is_declaration(text):
            continue
        kind = _KINDS_OF_PARTS.get(text.strip(" :").lower()) or _kind_said(text)
        if kind == "per_share" and not _looks_per_share(figure):
            continue
        if kind:
            return kind
    return "count" if scales.is_count(label) else "money"


_KINDS_OF_PARTS: dict[str, FigureKind] = {"numerator": "money", "denominator": "shares"}
"""The two parts of a calculation per share."""


def _kind_said(text: str) -> FigureKind | None:
    if not text:
        return None
    if scales.is_per_share(text):
        return "shares" if _NUMBER_OF.search(text) else "per_share"
    if scales.is_unit(text) and scales.is_percent(text):
        return "percent"
    return "shares" if scales.is_shares(text) else None


def _looks_per_share(figure: Figure) -> bool:
    """An amount per share has decimals, or is small, or is nothing."""
    digits = "".join(filter(str.isdigit, figure.text))
    return "." in figure.text or "," not in figure.text or len(digits) <= 3


_OWN_UNIT = re.compile(r"\((?:in\s)?(?:years?|months?|days?|weeks?|hours?|times|x)\)", re.IGNORECASE)


def says_unit(label: str, heads: tuple[str, ...]) -> bool:
    """Whether the row ("Expected term (in years)") or a head ("$'000") says a unit that is no percentage."""
    return bool(_OWN_UNIT.search(label)) or any(
        scales.is_unit(head) and scales.read_scales(head).money is not None and not scales.is_percent(head)
        for head in heads
    )

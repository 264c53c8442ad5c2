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
    r"^\W*(?:(?:weighted|average|number)\b(?!.*\b(?:price|cost|value|dividends?)\b)"
    r"|(?:(?:common|total|diluted|basic)\s+)?shares\b)"
    r"|\bshares\s+used\b|\bin\s+(?:computing|calculating)\b|\bexcluded\s+from\b|\banti-?dilutive\b",
    re.IGNORECASE,
)


_OF_PERCENT = re.compile(r"\(\s?(?:in\s)?(?:%|percent)\s?\)\W*$", re.IGNORECASE)
"""A label that says so at its end: "Gross margin (%)"."""
_STOCK = re.compile(r"\bpar\s+value\b|\d\s+(?:(?:thousand|million|billion)\s+)?shares\b", re.IGNORECASE)
"""A row that tells its own numbers of shares shows the stock's amount: "Common stock, 9,000 shares authorized"."""
_FOR_SHARES = re.compile(
    r"^\W*(?:net\s+)?(?:income|loss|earnings)\b(?:(?!\bper\b).)*\b(?:for\b.*\bper|allocated\s+to)\b", re.IGNORECASE
)
"""What is divided by a number of shares is an amount: "Net income for basic earnings per share"."""


def kind_of(
    figure: Figure,
    words: list[str],
    label: str,
    groups: list[list[str]],
    path: tuple[str, ...],
    *,
    columns_tell: bool = False,
) -> FigureKind:
    """What sort of number it is, by the nearest words that tell.

    With `columns_tell` the lowest heads of other columns say what they hold ("Net income | Shares | EPS"): a column
    whose own lowest head says nothing of the kind then holds amounts, whatever stands above them all.
    """
    if scales.is_percent(figure.text) or "‰" in figure.text:
        return "percent"
    if _OF_PERCENT.search(label):
        return "percent"
    units = [word for word in words if scales.is_unit(word)]
    heads = [text for group in groups[:1] for text in reversed(group)]
    for text in (*units, _ASIDE.sub(" ", label)):
        kind = _kind_said(text)
        if kind == "money" and columns_tell:
            continue
        if kind and (text in units or kind != "per_share" or _looks_per_share(figure)):
            return kind
    if columns_tell:
        named = [text for text in heads if not scales.is_declaration(text) or scales.is_of_shares_alone(text)]
        heads, path = named[:1], ()
    for text in heads:
        if scales.is_of_shares_alone(text):
            return "shares"
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
    if _FOR_SHARES.search(text):
        return "money"
    if _STOCK.search(text):
        return None
    if scales.is_per_share(text):
        return "shares" if _NUMBER_OF.search(text) else "per_share"
    if scales.is_unit(text) and scales.is_percent(text):
        return "percent"
    return "shares" if scales.is_shares(text) else None


def tells_shares(text: str) -> bool:
    """Whether a column's head says that it holds numbers of shares or amounts per share."""
    return _kind_said(text) in ("shares", "per_share") or scales.is_of_shares_alone(text)


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

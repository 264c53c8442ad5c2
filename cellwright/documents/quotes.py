"""Quotes found again: the one normal form under which text is compared, and whole numbers within a quote.

A quote was copied by a person from a browser, a viewer or a spreadsheet, and the same words come out of
our readers with other spaces, dashes and quotation marks. Both are brought to one normal form first.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

MAX_QUOTE = 300
"""The longest quote, in characters (design, section 3: a published quote is short)."""

MAX_PLACES = 10_000
"""The most places of one quote that are looked at: a quote of one letter stands everywhere."""

CURRENCY_SIGNS = "$¢£¤¥€₦₨₩₪₫₭₮₱₲₴₵₹₺₽₾₿￥￡￠￦＄"
NEGATIVE_MARKS = "△▲"
"""A triangle before digits is a minus in Japanese statements."""

_DASHES = "‐‑‒–—―−﹘﹣－"
_SINGLE_QUOTES = "‘’‚‛′＇"
_DOUBLE_QUOTES = "“”„‟″＂"
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
# What takes no room on the page: controls that are no white space, soft hyphens, zero-width and direction marks.
_INVISIBLE = "".join(
    map(
        chr,
        (
            *range(0x09),
            *range(0x0E, 0x1C),
            0x7F,
            0xAD,
            0x34F,
            0x61C,
            0x180E,
            *range(0x200B, 0x2010),
            *range(0x202A, 0x202F),
            *range(0x2060, 0x2070),
            0xFEFF,
            *range(0xFFF9, 0xFFFC),
            0xFFFE,
            0xFFFF,
        ),
    )
)
_FOLDS: dict[str, str] = {
    **dict.fromkeys(_INVISIBLE, ""),
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(_SINGLE_QUOTES, "'"),
    **dict.fromkeys(_DOUBLE_QUOTES, '"'),
    **_LIGATURES,
}
_ODD = re.compile(f"[{re.escape(''.join(_FOLDS))}]")

_MONEY = re.escape(CURRENCY_SIGNS)
# Spaces that only the layout made: "( 5", "5 )", "$ 5", "5 €", "20.2 %", "△ 5". The pattern begins with the space
# itself, so that the search hops from space to space; what stands on the right is looked at first.
_LAYOUT_SPACE = re.compile(
    rf" (?:(?=[)\]}}{_MONEY}%‰])(?:(?=[)\]}}])|(?<=[\d)] ))"
    rf"|(?<=[(\[{{{_MONEY}{NEGATIVE_MARKS}] )(?:(?<=[(\[{{] )|(?=[\d(.\-{NEGATIVE_MARKS}])))"
)


def normalise(text: str) -> str:
    """`text` in the form in which quotes are compared; normalising twice changes nothing.

    Unicode NFC (not NFKC: `10²` must not become `102`); each run of white space is one space and none is
    left at the ends; invisible characters are gone; ligatures are spelled out; dashes are `-`, quotation
    marks `'` and `"`; no space just inside brackets, nor between a number and its currency or percent sign.
    """
    text = _ODD.sub(lambda match: _FOLDS[match[0]], text)
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return _LAYOUT_SPACE.sub("", " ".join(text.split()))


class QuoteIndex:
    """One document, normalised once, in which many quotes are looked for."""

    def __init__(self, text: str) -> None:
        self.text = normalise(text)
        """The normalised text; every span counts its characters."""

    def find(self, quote: str, prefix: str = "", suffix: str = "") -> list[tuple[int, int]]:
        """The places of `quote`, as `(start, end)` in `self.text`, in order; empty when it is not there.

        `prefix` and `suffix` (W3C Web Annotation, TextQuoteSelector) only choose between several places:
        those which fit best are kept, and all of them when none fits. A place that would cut a number
        (`069` out of `31,069`, `5` out of `(5)` or `-5`) is no place of the quote.
        """
        exact = normalise(quote)
        spans = [span for span in _occurrences(self.text, exact) if not _cuts_number(self.text, *span)]
        if len(spans) < 2 or not (prefix or suffix):
            return spans
        before, after = normalise(prefix), normalise(suffix)
        fits = [self._fit(span, before, after) for span in spans]
        best = max(fits)
        return [span for span, fit in zip(spans, fits, strict=True) if fit == best]

    def _fit(self, span: tuple[int, int], before: str, after: str) -> int:
        """How many of the two neighbours stand beside `span`: 0, 1 or 2 (an empty one counts for none)."""
        start, end = span
        left = self.text[max(0, start - len(before) - 1) : start].rstrip(" ")
        right = self.text[end : end + len(after) + 1].lstrip(" ")
        return int(bool(before) and left.endswith(before)) + int(bool(after) and right.startswith(after))


@lru_cache(maxsize=8_192)
def holds_once(quote: str, as_written: str) -> bool:
    """Whether `quote` holds the number `as_written` once, as a whole number (design, section 3).

    `1,069` is not held by `31,069`, nor `1.9` by `11.93`; a sign or a bracket beside the digits must fit:
    `10,959` is not held by `( 10,959 )`, nor `(10,959)` by `10,959`. A lone dash (zero in a table) must
    stand alone. A number grouped by a thin or no-break space is one number.
    """
    # A person may type a plain space where the page has a thin one: words are compared with plain spaces,
    # and the marks tell afterwards where a number goes on.
    wanted = normalise(as_written.replace(_GROUP, ""))
    marked = normalise(_HARD_GROUP.sub(_GROUP, quote.replace(_GROUP, "")))
    spans = _occurrences(marked.replace(_GROUP, " "), wanted)
    return sum(_stands_whole(marked, start, end) for start, end in spans) == 1


_GROUP = "\ue000"
"""Stands for a grouping space while whole numbers are told apart; a private-use character."""
_HARD_GROUP = re.compile(r"(?<=\d)[\u00a0\u2007\u2009\u202f](?=\d{3}(?!\d))")
_JOINERS = ".,'，．٫٬" + _GROUP
_NUMBER = rf"\d(?:[{re.escape(_JOINERS)}]?\d)*"
# What may stand between a sign or bracket and the digits: "($5)", "(US$5)", "-RMB5", "Rs5".
_BEFORE = rf"[A-Za-z]{{0,3}}[{_MONEY}]|[A-Z]{{3}}|Rs|RM|kr|Fr"
_LEFT = re.compile(rf"(?P<sign>[(\-{NEGATIVE_MARKS}]?)(?P<money>{_BEFORE})?$")
_RIGHT = re.compile(rf"(?:[%‰{_MONEY}]|[A-Za-z]{{1,2}}(?=\)))?(?P<close>\)?)")
_FIRST_NUMBER = re.compile(rf"(?:{_BEFORE})?{_NUMBER}")
_LAST_NUMBER = re.compile(rf"{_NUMBER}[%‰{_MONEY}]?$")
_LONGEST_NUMBER = 60


def _occurrences(text: str, exact: str) -> list[tuple[int, int]]:
    """Each place of `exact` in `text`, overlapping ones too; the first `MAX_PLACES` of them."""
    spans: list[tuple[int, int]] = []
    start = text.find(exact) if exact else -1
    while start >= 0 and len(spans) < MAX_PLACES:
        spans.append((start, start + len(exact)))
        start = text.find(exact, start + 1)
    return spans


def _splits_digits(text: str, at: int) -> bool:
    """Whether the boundary before position `at` lies inside a run of digits, points and grouping marks."""
    left, right = text[max(0, at - 2) : at], text[at : at + 2]
    if not left or not right:
        return False
    if left[-1].isdecimal():
        return right[0].isdecimal() or (right[0] in _JOINERS and right[1:].isdecimal())
    if left[-1] not in _JOINERS or not right[0].isdecimal():
        return False
    return left[:-1].isdecimal() or (left[-1] == "." and not left[:-1].isalpha())  # ".5", but not "Rs.5"


def _sign_before(text: str, start: int) -> tuple[str, int]:
    """The sign or opening bracket of the number at `start`, and where it (or the currency) begins."""
    if text[start : start + 1] in CURRENCY_SIGNS:  # "(US$5)" asked for as "$5": the letters belong to the sign
        start -= next((n for n in range(4) if not text[start - n - 1 : start - n].isalpha()), 0)
    left = _LEFT.search(text, max(0, start - 5), start)
    if not left:
        return "", start
    sign, at = left["sign"], left.start()
    before = text[at - 1 : at]
    if sign == "-" and (before.isalnum() or (before and before in ")%")):
        return "", start  # the hyphen of "2021-2022", "FY-2023" or "5%-6%"
    return sign, at


def _bracketed(text: str, start: int, end: int) -> bool:
    """Whether brackets close around nothing but the number; one that the text's end cuts off counts."""
    sign, at = _sign_before(text, start)
    right = _RIGHT.match(text, end)
    closed, stop = (bool(right["close"]), right.end()) if right else (False, end)
    if sign == "(":
        return closed or stop == len(text)
    return closed and at == 0


def _signed(text: str, start: int, end: int) -> bool:
    """Whether a minus or brackets that belong to the number at `start:end` stand outside of it."""
    sign, _ = _sign_before(text, start)
    return (sign not in ("", "(")) or _bracketed(text, start, end)


def _stands_whole(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` is a number (or a lone dash) with nothing of it left outside."""
    body, before = text[start:end], text[start - 1 : start]
    if not any(char.isdecimal() for char in body):
        around = before + text[end : end + 1]
        return not any(char.isalnum() or char in "-.,(" for char in around)
    if _splits_digits(text, start) or _splits_digits(text, end):
        return False
    if body[0] in "-+" and (before.isalnum() or (before and before in ")%")):
        return False
    if body[0].isdecimal() and before.isascii() and before.isalpha():  # "FY2023", "CO2"; but "RMB602"
        left = _LEFT.search(text, max(0, start - 5), start)
        if not left or not left["money"] or text[left.start("money") - 1 : left.start("money")].isalpha():
            return False
    return not _signed(text, start, end)


def _cuts_number(text: str, start: int, end: int) -> bool:
    """Whether taking `text[start:end]` out would leave a part of its first or last number behind."""
    if _splits_digits(text, start) or _splits_digits(text, end):
        return True
    first = _FIRST_NUMBER.match(text, start, end)
    if first and start and _signed(text, start, first.end()):
        return True
    last = _LAST_NUMBER.search(text, max(start, end - _LONGEST_NUMBER), end)
    return last is not None and end < len(text) and _bracketed(text, last.start(), end)

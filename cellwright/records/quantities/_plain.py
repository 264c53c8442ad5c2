"""Written characters in plain form: every digit, dash, space and bracket as the one this package reads."""

from __future__ import annotations

import unicodedata

DASHES = (
    "-\u058a\u05be\u1400\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d"
    "\u301c\u3030\u30a0\ufe31\ufe32\ufe58\ufe63\uff0d\U00010d6e\U00010ead"
)
"""Every code point of the Unicode category Pd, and the minus sign."""

GROUP_SPACES = "\u00a0\u2007\u2008\u2009\u200a\u202f"
"""Spaces that do not break or are thinner than a space: they group."""

OTHER_SPACES = "\t\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u205f\u3000"
LINE_BREAKS = "\r\n\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029"
"""They stand between numbers and words as spaces do, and never group."""

INVISIBLE = "\u200b\u200c\u200d\u200e\u200f\u061c\u2060\ufeff"
"""Marks of direction and joiners that stand around signs in some scripts and say nothing."""

NEGATIVE_SIGNS = "△▲"

_PLAIN: dict[str, str] = {
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},  # fullwidth forms
    **dict.fromkeys(DASHES, "-"),
    **dict.fromkeys(GROUP_SPACES, "\u00a0"),
    **dict.fromkeys(OTHER_SPACES, " "),
    **dict.fromkeys(LINE_BREAKS, "\n"),
    **dict.fromkeys(INVISIBLE, ""),
    **dict.fromkeys(NEGATIVE_SIGNS, "△"),
    "’": "'",
    "‘": "'",
    "＇": "'",
    "ʼ": "'",
    "٪": "%",
    "﹪": "%",
    "￥": "¥",
    "￡": "£",
    "￠": "¢",
    "￦": "₩",
    "﹩": "$",
    "؉": "‰",
    "؊": "‱",
    "﹙": "(",
    "﹚": ")",
    "（": "(",
    "）": ")",
    "﹢": "+",
}


def plain(text: str) -> str:
    """`text` with each character in plain form; as many characters or fewer."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(plain_character, text))


def plain_character(char: str) -> str:
    """One character in plain form: a digit of any script by its decimal value, one dash for all dashes."""
    known = _PLAIN.get(char)
    if known is not None:
        return known
    return str(unicodedata.decimal(char)) if char.isdecimal() else char

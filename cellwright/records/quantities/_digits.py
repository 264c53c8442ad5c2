"""Digits with their grouping and decimal marks, read under a locale; two readings are an error.

Works on text in plain form (see `_plain`): ASCII digits, `.`, `,`, `'`, a no-break space for every
space that only groups, a plain space, `٫` and `٬`.
"""

from __future__ import annotations

import re
from decimal import Decimal

from cellwright.records.quantities._locale import Marks
from cellwright.records.quantities._reading import MAX_DIGITS, QuantityError

_THREES = re.compile(r"[0-9]{1,3}(?:([,.'\u00a0 ٬])[0-9]{3})(?:\1[0-9]{3})*")
_INDIAN = re.compile(r"[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}")
_SPACED_ZERO = re.compile(r" 0[0-9]{2}(?![0-9])")
"""A group that no number begins with: `1 000 000` is one number wherever it is written."""
_NAMES = {",": "comma", ".": "point", "'": "apostrophe", "\u00a0": "space", " ": "space", "٬": "Arabic comma"}


def read_digits(body: str, marks: Marks, text: str) -> tuple[Decimal, int]:
    """The magnitude and the place of the last digit that `body` writes.

    `text` is the whole text, for the messages. Raises QuantityError for what is not grouped as numbers
    are, and for what the locale leaves open.
    """
    if body.isdigit():
        whole, part = body, ""
    elif "٫" in body or "٬" in body:
        whole, part = _arabic(body, text)
    elif marks.decimal:
        whole, part = _settled(body, marks, text)
    else:
        whole, part = _open(body, text)
    if len(whole) > 1 and whole[0] == "0":
        raise QuantityError(
            "a number does not begin with two digits of which the first is 0; this is a code", seen=text
        )
    if (0 if whole == "0" else len(whole)) + len(part) > MAX_DIGITS:
        raise QuantityError(f"a number has at most {MAX_DIGITS} digits", seen=text)
    return Decimal(f"{whole}.{part}" if part else whole), -len(part)


def _settled(body: str, marks: Marks, text: str) -> tuple[str, str]:
    """Under a locale that has one decimal mark."""
    whole, mark, part = body.partition(marks.decimal)
    if mark and not part.isdigit():
        if marks.decimal in part:
            raise QuantityError(
                f"there are two decimal marks `{marks.decimal}` in a number under the locale {marks.locale}",
                seen=text,
                fix=_FIX,
            )
        raise QuantityError(
            f"a mark stands after the decimal mark `{marks.decimal}` of the locale {marks.locale}", seen=text, fix=_FIX
        )
    if whole.isdigit() or not whole:
        return whole or "0", part
    digits = _ungroup(whole, text, plain_space=marks.plain_space)
    if digits is None:
        raise _misgrouped(whole, part, marks, text)
    if marks.group == "’" and "," in whole:
        raise _two_readings(text, digits + ("." + part if part else ""), whole.replace(",", "."))
    return digits, part


def _misgrouped(whole: str, part: str, marks: Marks, text: str) -> QuantityError:
    """The error for groups that are not groups of three, naming what may be meant."""
    other = "," if marks.decimal == "." else "."
    if not part and whole.count(other) == 1 and whole.replace(other, "").isdigit():
        return _two_readings(text, whole.replace(other, "."), whole.replace(other, ""), other)
    return QuantityError("the digits are not grouped by threes (or as in 12,34,567)", seen=text, fix=_FIX)


def _open(body: str, text: str) -> tuple[str, str]:
    """Under an unknown locale: what only one reading fits."""
    last = max(body.rfind(","), body.rfind("."))
    if last < 0:
        return _grouped(body, text), ""
    mark = body[last]
    whole, part = body[:last], body[last + 1 :]
    if not part.isdigit():
        raise QuantityError("the digits are not grouped by threes", seen=text, fix=_FIX)
    if not whole:
        return "0", part
    if mark in whole:  # more than one of this mark: all of them group
        return _grouped(body, text), ""
    if not whole.isdigit():  # another mark groups, so this one is decimal
        return _grouped(whole, text), part
    if len(part) == 3 and len(whole) <= 3 and whole[0] != "0":
        raise _two_readings(text, f"{whole}.{part}", whole + part, mark)
    return whole, part


def _arabic(body: str, text: str) -> tuple[str, str]:
    whole, _, part = body.partition("٫")
    if not all(char.isdigit() for char in part) or (body.endswith("٫")):
        raise QuantityError("the digits are not grouped by threes", seen=text)
    return ("0" if not whole else whole if whole.isdigit() else _grouped(whole, text)), part


def _grouped(whole: str, text: str) -> str:
    digits = _ungroup(whole, text, plain_space=False)
    if digits is None:
        raise QuantityError("the digits are not grouped by threes (or as in 12,34,567)", seen=text, fix=_FIX)
    return digits


def _ungroup(whole: str, text: str, *, plain_space: bool) -> str | None:
    """The digits of a grouped whole number, None where the groups are wrong."""
    if " " in whole and not plain_space and not _SPACED_ZERO.search(whole):
        parts = ", ".join(whole.split())
        raise QuantityError(
            f"this is one number grouped by spaces, or several numbers ({parts})",
            seen=text,
            fix="write a no-break space or a grouping mark, or one number alone",
        )
    match = _THREES.fullmatch(whole)
    if match is not None and whole[0] != "0":
        return whole.replace(match.group(1), "")
    if _INDIAN.fullmatch(whole) and whole[0] != "0":
        return whole.replace(",", "")
    return None


_FIX = "set the locale of the source, or write the number as the locale does"


def _two_readings(text: str, one: str, other: str, mark: str = ",") -> QuantityError:
    return QuantityError(
        f"two readings fit: {one} (decimal {_NAMES[mark]}) and {other} (grouping {_NAMES[mark]})", seen=text, fix=_FIX
    )

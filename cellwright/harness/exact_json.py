"""JSON whose numbers keep their digits: read into Decimal and written from it, never through a binary float.

What is read may come from anywhere: a constant that JSON does not know (`NaN`), a key that stands twice, half of a
surrogate pair, a number out of bounds and a value nested too deeply are refused with a ValueError that says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from cellwright.records.decimals import canonical
from cellwright.records.errors import clip

MAX_DIGITS = 100
"""Characters of one number."""
MAX_DEPTH = 64
"""Brackets within brackets that are written or read."""


def read_json(text: str) -> Any:
    """The value of `text`: numbers with a point or an exponent are Decimal, others int.

    Raises ValueError with what is wrong, in words.
    """
    try:
        value = json.loads(
            text, parse_float=_decimal, parse_int=_whole, parse_constant=_refuse, object_pairs_hook=_pairs
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON: {error.msg.lower()} at character {error.pos + 1}") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    _check(value)
    return value


def write_json(value: object, indent: int = 0) -> str:
    """`value` as JSON on one line, or with `indent` blanks a level; keys in their order, Decimal in plain digits."""
    return "".join(_written(value, indent, 0))


def _written(value: object, indent: int, level: int) -> Iterator[str]:
    if isinstance(value, Decimal):
        yield canonical(value)
    elif isinstance(value, Mapping):
        pairs = [
            (f"{json.dumps(str(key), ensure_ascii=False)}:{' ' * bool(indent)}", item) for key, item in value.items()
        ]
        yield from _group("{}", pairs, indent, level)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield from _group("[]", [("", item) for item in value], indent, level)
    elif value is None or isinstance(value, str | bool | int):
        yield json.dumps(value, ensure_ascii=False)
    else:
        raise TypeError(f"{type(value).__name__} is not written as JSON")


def _group(ends: str, items: Sequence[tuple[str, object]], indent: int, level: int) -> Iterator[str]:
    if level >= MAX_DEPTH:
        raise ValueError("nested too deeply to be written")
    if not items:
        yield ends
        return
    inner = "\n" + " " * indent * (level + 1) if indent else ""
    yield ends[0]
    for position, (key, item) in enumerate(items):
        yield f"{',' if position else ''}{inner}{key}"
        yield from _written(item, indent, level + 1)
    yield ("\n" + " " * indent * level if indent else "") + ends[1]


def _decimal(text: str) -> Decimal:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"a number of more than {MAX_DIGITS} characters")
    value = Decimal(text)
    canonical(value)
    return value


def _whole(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"a number of more than {MAX_DIGITS} characters")
    return int(text)


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key `{clip(key)}` stands twice in one object")
        found[key] = value
    return found


def _check(value: Any, level: int = 0) -> None:
    if level > MAX_DEPTH:
        raise ValueError("it is nested too deeply")
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise ValueError("a text holds half of a surrogate pair") from None
    elif isinstance(value, dict):
        for key, item in value.items():
            _check(key, level)
            _check(item, level + 1)
    elif isinstance(value, list):
        for item in value:
            _check(item, level + 1)

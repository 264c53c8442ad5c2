"""JSON: values under JSON pointers, numbers as they are written; lists of records as tables."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NoReturn, TypeAlias

from cellwright.documents.charset import decode
from cellwright.documents.limits import check_bytes, check_cells, check_characters
from cellwright.documents.model import Document, Table, table_of
from cellwright.records.errors import UnreadableInput

MEDIA_TYPE = "application/json"
MAX_DEPTH = 100
"""How deep arrays and objects may stand in each other."""
LONGEST_POINTER = 1000


class JsonNumber(str):
    """A number as the document writes it (`1.20`, `3e5`); never a binary float."""

    __slots__ = ()


class JsonObject(dict[str, "JsonValue"]):
    """An object; `repeated` names the keys that it holds more than once (the last value is kept)."""

    repeated: frozenset[str] = frozenset()


JsonValue: TypeAlias = "JsonObject | list[JsonValue] | JsonNumber | str | bool | None"


@dataclass(frozen=True)
class JsonDocument(Document):
    """A JSON document; `text` is its source text."""

    @cached_property
    def root(self) -> JsonValue:
        """The outermost value, parsed once."""
        return parse_json(self.text)


def read_json(data: bytes, *, charset: str | None = None) -> JsonDocument:
    """A JSON document; each list of records in it is a table whose `name` is the list's pointer.

    The first row of such a table holds the keys (marked as heads) when the records are objects.
    Raises UnreadableInput for what is no JSON (RFC 8259), is nested deeper than `MAX_DEPTH`, or is
    larger than the limits.
    """
    check_bytes(data, "JSON")
    decoded = decode(data, charset=charset)
    check_characters(len(decoded.text), "JSON")
    root = parse_json(decoded.text)
    notes = list(decoded.warnings)
    repeated = sorted({key for _, value in _walk(root) if isinstance(value, JsonObject) for key in value.repeated})
    if repeated:
        notes.append(f"keys stand more than once in one object: {', '.join(key[:40] for key in repeated[:5])}")
    document = JsonDocument(
        kind="json",
        media_type=MEDIA_TYPE,
        text=decoded.text,
        encoding=decoded.encoding,
        encoding_by=decoded.how,
        warnings=tuple(notes),
        read_tables=partial(_tables, root),
    )
    document.__dict__["root"] = root  # parsed already: the cached property need not do it again
    return document


def parse_json(text: str) -> JsonValue:
    """The value that `text` writes, numbers as text. Raises UnreadableInput as `read_json` does."""
    _check_depth(text)
    try:
        root: JsonValue = json.loads(
            text, parse_float=JsonNumber, parse_int=JsonNumber, parse_constant=_refuse, object_pairs_hook=_object
        )
    except json.JSONDecodeError as error:
        raise UnreadableInput(
            f"the document is no JSON: {error.msg} (line {error.lineno}, column {error.colno})",
            seen=text[error.pos : error.pos + 20],
        ) from error
    except RecursionError as error:
        raise _too_deep() from error
    return root


def at_pointer(root: JsonValue, pointer: str) -> JsonValue:
    """The value under a JSON pointer (RFC 6901): `/facts/0/val`; `~1` is `/` and `~0` is `~` in a key.

    Raises UnreadableInput, telling how far the pointer leads.
    """
    if (pointer and not pointer.startswith("/")) or len(pointer) > LONGEST_POINTER or _BAD_ESCAPE.search(pointer):
        raise UnreadableInput("not a JSON pointer", seen=pointer, expected="a pointer like `/facts/0/val`")
    value = root
    done = ""
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        value = _child(value, key, done, pointer)
        done += "/" + part
    return value


def pointer_of(*keys: str | int) -> str:
    """The JSON pointer that leads through `keys`."""
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)


def scalar_text(value: JsonValue) -> str | None:
    """A scalar on one line (`true`, `null`, a number as written); None for an array or an object."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # A lone surrogate (`"\ud800"`) is legal in JSON and cannot be written to any file.
        return " ".join(value.encode("utf-16", "surrogatepass").decode("utf-16", "replace").split())
    return None


_BAD_ESCAPE = re.compile("~(?![01])")
_INDEX = re.compile("0|[1-9][0-9]{0,8}")
# An unclosed string runs to the end, so that a text full of quotation marks is passed over once.
_NOT_BRACKETS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+|[^"\[\]{}]++', re.DOTALL)


def _check_depth(text: str) -> None:
    """Told before parsing: Python's parser recurses, and how deep it can go differs by version."""
    depth = 0
    for bracket in _NOT_BRACKETS.sub("", text):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            raise _too_deep()


def _too_deep() -> UnreadableInput:
    return UnreadableInput("the JSON document is nested too deep", expected=f"{MAX_DEPTH} levels at most")


def _refuse(constant: str) -> NoReturn:
    raise UnreadableInput(
        "the document is no JSON", seen=constant, expected="a number (RFC 8259 has no NaN, no Infinity)"
    )


def _object(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    made = JsonObject(pairs)
    if len(made) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        made.repeated = frozenset(key for key, count in counts.items() if count > 1)
    return made


def _child(value: JsonValue, key: str, done: str, pointer: str) -> JsonValue:
    """What stands under `key` in the value that `done` leads to."""
    where = f"`{done}`" if done else "the root"
    if isinstance(value, JsonObject):
        if key in value.repeated:
            raise UnreadableInput(
                f"the pointer names the key {key[:40]!r}, which stands more than once under {where}", seen=pointer
            )
        if key in value:
            return value[key]
        near = ", ".join(list(value)[:5])[:120]
        raise UnreadableInput(
            f"the pointer leads nowhere: no key {key[:40]!r} under {where}",
            seen=pointer,
            expected=f"one of {near}" if near else "",
        )
    if isinstance(value, list):
        if _INDEX.fullmatch(key) and int(key) < len(value):
            return value[int(key)]
        raise UnreadableInput(
            f"the pointer leads nowhere: no item {key[:40]!r} in the list under {where}",
            seen=pointer,
            expected=f"0 to {len(value) - 1}" if value else "",
        )
    raise UnreadableInput(f"the pointer leads nowhere: {where} is a single value", seen=pointer)


def _walk(root: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """Each array and object with its pointer, in the order of the document; without recursion."""
    stack: list[tuple[str, JsonValue]] = [("", root)]
    while stack:
        pointer, value = stack.pop()
        if isinstance(value, JsonObject):
            yield pointer, value
            below = [(pointer + pointer_of(key), item) for key, item in value.items()]
        elif isinstance(value, list):
            yield pointer, value
            below = [(f"{pointer}/{index}", item) for index, item in enumerate(value)]
        else:
            continue
        stack += reversed([pair for pair in below if isinstance(pair[1], (dict, list))])


def _tables(root: JsonValue) -> tuple[Table, ...]:
    """The lists of objects, and of lists, that hold single values."""
    tables: list[Table] = []
    cells = 0
    for pointer, value in _walk(root):
        rows, heads = _records(value) if isinstance(value, list) else ([], 0)
        if rows:
            cells += len(rows) * max(map(len, rows))
            check_cells(cells, "JSON")
            tables.append(table_of(rows, number=len(tables), name=pointer, heads=heads))
    return tuple(tables)


def _records(items: list[JsonValue]) -> tuple[list[list[str]], int]:
    """The rows of a list of records, and how many of them are heads; no rows for another list.

    Column n of a list of objects is the nth key met; what is no single value is left blank.
    """
    if items and all(isinstance(item, JsonObject) for item in items):
        keys: dict[str, None] = {}
        for item in items:
            if isinstance(item, JsonObject):
                keys.update((key, None) for key, inner in item.items() if not isinstance(inner, (dict, list)))
        check_cells(len(keys) * len(items), "JSON")
        body = [
            [_cell(item.get(key)) if key in item else "" for key in keys]
            for item in items
            if isinstance(item, JsonObject)
        ]
        return ([list(keys), *body], 1) if keys else ([], 0)
    if items and all(isinstance(item, list) and item for item in items):
        rows = [[_cell(inner) for inner in item] for item in items if isinstance(item, list)]
        return (rows, 0) if any(any(row) for row in rows) else ([], 0)
    return [], 0


def _cell(value: JsonValue) -> str:
    return scalar_text(value) or ""

"""Files in a form that is read, brought to the form that is written: nothing that they say changes.

Tables: comma, semicolon or tab separated, UTF-8 with or without a byte order mark, or cp1252 → UTF-8 with commas;
scales in words → powers of ten; tables that only the tool writes get the columns that were added since (design,
section 3). YAML: no byte order mark, plain line ends; comments and all else stay.
"""

from __future__ import annotations

from collections.abc import Iterator

from cellwright.records.fields import SCALE_WORDS
from cellwright.records.repository_rows import ALL_TABLES
from cellwright.records.tables import Table, read_table, write_table

WHOLE = frozenset({"captures", "registry", "advisories"})
"""The repository's own tables, which are written with every column."""
_BOM = b"\xef\xbb\xbf"


def canonical_table(data: bytes, name: str, file: str) -> tuple[bytes, tuple[str, ...]]:
    """The table in the form that the tool writes, and what is different in it, in words; none where nothing is.

    `name` is one of `ALL_TABLES`. Raises UnreadableInput where the table cannot be read.
    """
    table = read_table(data, name, file)
    columns = _columns(table)
    rows = [_powers(row) for row in table.rows] if name == "facts" else list(table.rows)
    written = write_table(rows, columns)
    if written == data:
        return data, ()
    return written, tuple(_differences(data, table, rows, columns)) or (
        "quotes and empty lines as the tool writes them",
    )


def canonical_yaml(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """The YAML file in the form that the tool writes, and what is different in it; comments stay."""
    written = data.removeprefix(_BOM).replace(b"\r\n", b"\n")
    said = [_BOM_GONE] if data.startswith(_BOM) else []
    return written, tuple([*said, _ENDS] if b"\r\n" in data else said)


_BOM_GONE = "no byte order mark"
_ENDS = "plain line ends"
_QUOTES = "quotes and empty lines as the tool writes them"


def _columns(table: Table) -> tuple[str, ...]:
    """The file's own columns; a table that is written whole has those that it lacks in their place."""
    order = ALL_TABLES[table.name].columns()
    if table.name not in WHOLE or set(order) <= set(table.columns):
        return table.columns
    columns = list(table.columns)
    for position, name in enumerate(order):
        if name not in columns:
            after = [columns.index(other) for other in order[:position] if other in columns]
            columns.insert(max(after) + 1 if after else 0, name)
    return tuple(columns)


def _powers(row: dict[str, str]) -> dict[str, str]:
    """The row with its scale as a power of ten where it is a word."""
    power = SCALE_WORDS.get(row.get("scale", "").strip().lower())
    return row if power is None else {**row, "scale": str(power)}


def _differences(data: bytes, table: Table, rows: list[dict[str, str]], columns: tuple[str, ...]) -> Iterator[str]:
    if table.warnings:
        yield "UTF-8 instead of cp1252"
    if data.startswith(_BOM):
        yield _BOM_GONE
    body = data.removeprefix(_BOM)
    head = body.lstrip(b"\r\n").splitlines()[0]
    counts = {mark: head.count(mark) for mark in (b",", b";", b"\t")}
    if counts[b";"] > counts[b","] or counts[b"\t"] > counts[b","]:
        yield "commas instead of " + ("semicolons" if counts[b";"] >= counts[b"\t"] else "tabs")
    if b"\r" in body:
        yield _ENDS
    changed = sum(one != other for one, other in zip(rows, table.rows, strict=True))
    if changed:
        yield f"{changed} scale{'s' if changed > 1 else ''} as powers of ten"
    added = [name for name in columns if name not in table.columns]
    if added:
        yield f"the columns {', '.join(added)}" if len(added) > 1 else f"the column {added[0]}"

"""The bundle's tables: what a release holds, column by column (design, section 7).

Every value is text: numbers as canonical decimal strings, lists and rules as canonical JSON, nothing
as an empty string. Text survives every reader of Parquet unchanged; a typed decimal column does not.
The digest of a table is taken over its canonical sorted JSON lines, so it is the same under any
version of the libraries that write Parquet.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from json.encoder import encode_basestring

SCHEMA = 1
"""The version of this layout; readers refuse a later one by name."""

STAND_IN = "stand-in"
"""How a capture came here that is not the document itself: figures as disclosed, on a sheet."""

TABLE_COLUMNS: dict[str, dict[str, str]] = {
    "tasks": {
        "task": "the task's id",
        "title": "its title",
        "profile": "its shape",
        "domain": "its domain",
        "language": "its language",
        "as_of": "nothing published later may be cited",
        "licence": "its licence",
        "status": "where it stands",
        "comparability": "goes up when scores cannot be compared",
        "question": "the whole question",
        "periods": "JSON: {label: {default or entity: dates}}",
        "assumptions": "JSON: [{id, value or values, unit, reason}]",
        "contributors": "JSON: who made it",
    },
    "entities": {
        "task": "the task's id",
        "entity": "the entity's id",
        "position": "from 1",
        "name": "its name",
        "aliases": "JSON list",
        "identifiers": "JSON object",
        "currency": "its reporting currency",
    },
    "dimensions": {
        "task": "the task's id",
        "dimension": "the dimension's id",
        "position": "from 1",
        "name": "its name",
        "ask": "the question asked",
        "family": "capability family",
        "unit": "unit of the answer",
        "period": "the period's label",
        "answer_type": "answer type before overrides",
    },
    "cells": {
        "task": "the task's id",
        "entity": "the entity's id",
        "dimension": "the dimension's id",
        "family": "capability family",
        "ask": "the question, overrides applied",
        "unit": "unit of the answer",
        "period": "the period's label",
        "period_start": "first day, empty for an instant",
        "period_end": "last day",
        "answer_type": "precise, range or not_available",
        "value": "reference answer of a precise cell, in `unit`",
        "low": "reference low end of a range",
        "high": "reference high end of a range",
        "interval_low": "least value the facts' last digits allow",
        "interval_high": "greatest such value",
        "method": "how a range follows",
        "agreement": "consistent, divergent, single or empty",
        "reason_code": "why divergent or not available",
        "chosen": "the fact taken where divergent",
        "rule": "JSON: the scoring rule with defaults filled in",
        "inputs": "JSON list: ids of the facts it rests on",
        "sources": "JSON list: ids of the sources it rests on",
        "note": "the curator's note",
        "digest": "sha256 over ask, unit, period, assumptions, reference and rule; keyed in a sealed bundle",
    },
    "sources": {
        "task": "the task's id",
        "source": "the source's id",
        "url": "its public address",
        "title": "its title",
        "publisher": "who answers for it",
        "published": "when",
        "accessed": "when last looked at",
        "media_type": "its media type",
        "tier": "T1 to T4",
        "tier_reason": "why",
        "sha256": "the pinned capture's body",
        "via": "how the capture came here",
    },
    "facts": {
        "task": "the task's id",
        "fact": "the fact's id",
        "entity": "the entity's id or *",
        "name": "its name",
        "source": "its source",
        "as_written": "the figure as printed",
        "period": "label or dates",
        "rank": "its rank",
        "value": "the plain number in `unit`",
        "scale": "power of ten",
        "sign": "shown or reversed",
        "unit": "its unit",
        "quote": "the excerpt",
        "prefix": "words before",
        "suffix": "words after",
        "page": "PDF page",
        "row": "row label",
        "column": "column head",
        "locator": "spreadsheet or JSON place",
        "basis": "reported, restated, …",
        "scope": "consolidated, …",
        "supersedes": "the fact it replaces",
    },
    "steps": {
        "task": "the task's id",
        "entity": "the entity's id",
        "dimension": "the dimension's id",
        "position": "from 1",
        "step": "the step's id",
        "expr": "its expression",
        "why": "why",
        "value": "its value",
        "unit": "its unit",
        "low": "least value the facts' last digits allow",
        "high": "greatest such value",
        "inputs": "JSON list of names: facts as `fact:<id>`, steps as `step:<id>`, cells, assumptions",
    },
    "near_misses": {
        "task": "the task's id",
        "entity": "the entity's id",
        "dimension": "the dimension's id",
        "near_miss": "its id",
        "origin": "curated, witness (another reading gives it) or computed (for diagnosis: no score rests on it)",
        "misstep": "the misstep's name, where it is a known one",
        "value": "what it gives, in the cell's unit",
        "low": "low end, where it gives a range",
        "high": "high end of that range",
        "interval_low": "least value of it the facts' last digits allow",
        "interval_high": "greatest such value",
        "why": "the misstep in words",
        "indistinguishable": "yes where no tolerance that takes every right answer tells it from one",
        "inputs": "JSON list: ids of the facts it uses",
    },
    "changes": {
        "task": "the task's id",
        "correction": "the correction's id",
        "entity": "the entity's id",
        "dimension": "the dimension's id",
        "fact": "the fact",
        "old": "old value",
        "new": "new value",
        "code": "kind of mistake",
        "released_in": "first release that has it",
    },
}
"""Each table's columns in order, with what they hold."""

TABLES: dict[str, str] = {
    "tasks": "a task",
    "entities": "a row of a matrix",
    "dimensions": "a column of a matrix",
    "cells": "a cell with its reference answer and rule",
    "sources": "a public document",
    "facts": "one number read from one excerpt",
    "steps": "one step of a cell's derivation",
    "near_misses": "a wrong answer that a named misstep gives",
    "changes": "a correction",
}
"""What a row of each table is."""

TABLE_KEYS: dict[str, tuple[str, ...]] = {
    "tasks": ("task",),
    "entities": ("task", "entity"),
    "dimensions": ("task", "dimension"),
    "cells": ("task", "entity", "dimension"),
    "sources": ("task", "source"),
    "facts": ("task", "fact"),
    "steps": ("task", "entity", "dimension", "step"),
    "near_misses": ("task", "entity", "dimension", "near_miss"),
    "changes": ("task", "correction"),
}
"""The columns that tell the rows of each table apart."""

SORT_KEYS: dict[str, tuple[str, ...]] = {
    "tasks": ("task",),
    "entities": ("task", "position"),
    "dimensions": ("task", "position"),
    "cells": ("task", "entity", "dimension"),
    "sources": ("task", "source"),
    "facts": ("task", "fact"),
    "steps": ("task", "entity", "dimension", "position"),
    "near_misses": ("task", "entity", "dimension", "near_miss"),
    "changes": ("task", "correction"),
}
"""The columns by which each table is sorted; `position` as a number."""

Rows = list[dict[str, str]]


def canonical_json(value: object) -> str:
    """JSON with sorted keys, no blanks, characters as themselves: the same text for the same value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def sorted_rows(name: str, rows: Iterable[Mapping[str, str]]) -> Rows:
    """The rows of a table in its order, every column present."""

    def key(row: Mapping[str, str]) -> tuple[object, ...]:
        return tuple(int(row[k]) if k == "position" else row[k] for k in SORT_KEYS[name])

    full = [{column: row.get(column, "") for column in TABLE_COLUMNS[name]} for row in rows]
    return sorted(full, key=key)


def joined(parts: Iterable[Mapping[str, Rows]]) -> dict[str, Rows]:
    """The tables of several tasks as one set: each part has one task's rows, in the tables' order."""
    in_order = sorted(parts, key=lambda part: part["tasks"][0]["task"])
    return {name: [row for part in in_order for row in part[name]] for name in TABLE_COLUMNS}


def table_digest(rows: Iterable[Mapping[str, str]]) -> str:
    """sha256 over the rows' canonical JSON lines, sorted as text."""
    lines = sorted(_lines(rows))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _lines(rows: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """Each row as `canonical_json` writes it, with its line end; a row of text needs no more than its quotes."""
    columns: list[str] = []
    known: object = None
    form = ""
    for row in rows:
        if row.keys() != known:
            columns, known = sorted(row), row.keys()
            form = "{" + ",".join(f"{canonical_json(name).replace('%', '%%')}:%s" for name in columns) + "}\n"
        yield form % tuple([encode_basestring(row[name]) for name in columns])


def cells_digest(cells: Iterable[Mapping[str, str]]) -> str:
    """sha256 over the cells' digests, in their table's order: results that carry the same one can be compared."""
    return hashlib.sha256("".join(f"{row['digest']}\n" for row in cells).encode()).hexdigest()


def cell_digest(cell: Mapping[str, str], assumptions: object) -> str:
    """sha256 over what decides a cell's score: ask, unit, period, assumptions, reference and rule."""
    keys = (
        "ask",
        "unit",
        "period_start",
        "period_end",
        "answer_type",
        "value",
        "low",
        "high",
        "interval_low",
        "interval_high",
        "rule",
    )
    return hashlib.sha256(canonical_json([{key: cell.get(key, "") for key in keys}, assumptions]).encode()).hexdigest()

"""Whether the open files of a sealed bundle tell anything that is sealed.

Looked at are the files there are, the columns of the open tables, quotes, addresses of sources, and every value of
five digits or more that a reference, a step, a fact, a near miss or a correction holds. What leaked is told by its
cell and its place, and never shown: the message goes into logs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from cellwright.records.bundle import Rows
from cellwright.records.errors import Place, Problem
from cellwright.records.prompt import ANSWER_FORMAT
from cellwright.records.sealing import OPEN_COLUMNS, OPEN_COUNTS, OPEN_FILES
from cellwright.validators.leak_numbers import OpenNumbers, Spot, digits_of, numbers_in, significant
from cellwright.validators.leak_texts import OpenTexts

MOST_TOLD = 50
"""Leaks that are told: one is enough to stop a build."""
MANIFEST = "bundle.json"

VALUES: dict[str, tuple[str, tuple[str, ...]]] = {
    "cells": ("the reference", ("value", "low", "high", "interval_low", "interval_high")),
    "steps": ("the step `{step}`", ("value", "low", "high")),
    "near_misses": ("the near miss `{near_miss}`", ("value", "low", "high", "interval_low", "interval_high")),
    "facts": ("the fact `{fact}`", ("value", "as_written")),
    "changes": ("the correction `{correction}`", ("old", "new")),
}
"""The columns that hold values, by table, and how one of its rows is called."""
TEXTS = ("quote", "prefix", "suffix")
"""The columns of a fact that hold words of a document."""


@dataclass(frozen=True)
class OpenBundle:
    """What is to be shown of a sealed bundle."""

    texts: Mapping[str, Sequence[str]]
    """Every open file's lines; of a table, its rows."""
    columns: Mapping[str, Sequence[str]]
    """The columns of each open table, by its file."""
    manifest: Mapping[str, Any]
    """What the open `bundle.json` says."""


def leaks(shown: OpenBundle, tables: Mapping[str, Rows]) -> list[Problem]:
    """What the open files tell of the sealed `tables`; nothing where all is well."""
    given = list(dict.fromkeys(given_texts(shown.manifest, tables)))
    numbers, texts = OpenNumbers(shown.texts, given), OpenTexts(shown.texts, given)
    found = chain(
        _layout(shown, tables), _values(numbers, tables), _passages(texts, tables), _advisories(shown, tables, given)
    )
    return list(islice(found, MOST_TOLD))


def given_texts(manifest: Mapping[str, Any], tables: Mapping[str, Rows]) -> Iterator[str]:
    """What anybody may know: the questions, and what the bundle says of itself."""
    for row in tables["tasks"]:
        yield from (row[key] for key in ("task", "title", "question", "as_of", "periods"))
        yield from _strings(json.loads(row["assumptions"] or "[]"))
    for row in tables["entities"]:
        yield from (row[key] for key in ("entity", "name", "currency"))
        yield from _strings(json.loads(row["aliases"] or "[]"))
        yield from _strings(json.loads(row["identifiers"] or "{}"))
    for row in tables["dimensions"]:
        yield from (row[key] for key in ("dimension", "name", "ask", "unit", "period"))
    for row in tables["cells"]:
        yield from (row[key] for key in ("ask", "unit", "period", "period_start", "period_end"))
    yield ANSWER_FORMAT
    yield from (str(manifest.get(key, "")) for key in ("name", "version", "tool", "canary"))
    yield from (str(len(tables[name])) for name in OPEN_COUNTS)
    yield from (f"{len(tables[name]):,}" for name in OPEN_COUNTS)
    yield from (row["released_in"] for row in tables["changes"])
    yield from (str(item.get("version", "")) for item in _advisory_rows(manifest))


def _strings(value: object) -> Iterator[str]:
    """Every text and number in plain data."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    else:
        yield str(value)


def _layout(shown: OpenBundle, tables: Mapping[str, Rows]) -> Iterator[Problem]:
    """Files and columns that are not on the list of what may be open."""
    allowed = {MANIFEST, *OPEN_FILES, *(f"prompts/{row['task']}.md" for row in tables["tasks"])}
    for name in sorted(shown.texts.keys() - allowed):
        yield Problem("the file is not one that a sealed bundle may show", Place(name))
    for name, columns in sorted(shown.columns.items()):
        for column in columns:
            if column not in OPEN_COLUMNS.get(name.removesuffix(".parquet"), ()):
                yield Problem("the column is not one that a sealed bundle may show", Place(name, column=column))


def _values(numbers: OpenNumbers, tables: Mapping[str, Rows]) -> Iterator[Problem]:
    used = _cells_by_fact(tables)
    for table, (called, columns) in VALUES.items():
        for row in tables[table]:
            for column in columns:
                spot = numbers.spot_of(row[column]) if row[column] else None
                if spot is not None:
                    yield _told("a number", called.format(**row), row, spot, used)
                    break


def _passages(texts: OpenTexts, tables: Mapping[str, Rows]) -> Iterator[Problem]:
    used = _cells_by_fact(tables)
    for row in tables["facts"]:
        spot = next((spot for key in TEXTS if (spot := texts.spot_of_quote(row[key])) is not None), None)
        if spot is not None:
            yield _told("a passage", f"the quote of the fact `{row['fact']}`", row, spot, used)
    for row in tables["sources"]:
        spot = texts.spot_of_address(row["url"])
        if spot is not None:
            yield _told("an address", f"the source `{row['source']}`", row, spot, used)


def _advisories(shown: OpenBundle, tables: Mapping[str, Rows], given: Sequence[str]) -> Iterator[Problem]:
    """A person's words about one cell must hold none of its numbers, however short."""
    known = {significant(number) for text in given for number in numbers_in(text)}
    changed = {(row["task"], row["entity"], row["dimension"]): row for row in tables["changes"]}
    cells = {(row["task"], row["entity"], row["dimension"]): row for row in tables["cells"]}
    for item in _advisory_rows(shown.manifest):
        key = (str(item.get("task", "")), str(item.get("entity", "")), str(item.get("dimension", "")))
        values = [cells.get(key, {}).get(column, "") for column in ("value", "low", "high")]
        values += [changed.get(key, {}).get(column, "") for column in ("old", "new")]
        sealed = {core for value in values if len(core := significant(digits_of(value))) > 1}
        said = {significant(number) for number in numbers_in(str(item.get("because", "")))} - known
        if sealed & said:
            yield Problem(
                f"the advisory `{item.get('id', '')}` tells a number of its cell, which is sealed",
                Place(MANIFEST, column="advisories", record="/".join(key)),
                fix="say why without the number",
            )


def _advisory_rows(manifest: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [item for item in manifest.get("advisories") or [] if isinstance(item, dict)]


def _cells_by_fact(tables: Mapping[str, Rows]) -> dict[tuple[str, str], str]:
    """The first cell that rests on each fact or source of a task, as `entity/dimension`."""
    found: dict[tuple[str, str], str] = {}
    for row in tables["cells"]:
        for name in (*json.loads(row["inputs"] or "[]"), *json.loads(row["sources"] or "[]")):
            found.setdefault((row["task"], name), f"{row['entity']}/{row['dimension']}")
    return found


def _told(what: str, of: str, row: Mapping[str, str], spot: Spot, used: Mapping[tuple[str, str], str]) -> Problem:
    """The leak by its place and its cell; what it says is not repeated."""
    cell = f"{row['entity']}/{row['dimension']}" if row.get("entity") and row.get("dimension") else ""
    cell = cell or used.get((row["task"], row.get("fact") or row.get("source", "")), "")
    record = "/".join(part for part in (row["task"], cell) if part)
    return Problem(
        f"{what} of {of} stands openly in a bundle that is to be sealed",
        Place(spot[0], spot[1], record=record),
        fix="take it out of the text it came from; it is not shown here",
    )

"""A bundle's tables looked up by task and cell, whatever is missing or odd in them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Row = Mapping[str, str]
CellKey = tuple[str, str, str]
"""Task, entity, dimension."""


def json_list(text: str) -> list[str]:
    """The texts of a JSON list in a table's field; empty where it is none."""
    value = json_value(text)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def json_value(text: str) -> object:
    """The JSON in a table's field, its numbers as text; None where it is not JSON."""
    try:
        value: object = json.loads(text, parse_float=str, parse_int=str, parse_constant=str) if text else None
    except (ValueError, RecursionError):
        return None
    return value


def position(row: Row) -> int:
    """The row's `position`; 0 where it is no number."""
    text = row.get("position", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


def cell_key(row: Row) -> CellKey:
    """The cell that a row belongs to."""
    return row.get("task", ""), row.get("entity", ""), row.get("dimension", "")


@dataclass(frozen=True)
class Bundle:
    """The tables, indexed."""

    tasks: tuple[Row, ...] = ()
    entities: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)
    """By task, in order of position; so are dimensions."""
    dimensions: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)
    cells: Mapping[CellKey, Row] = field(default_factory=dict)
    sources: Mapping[tuple[str, str], Row] = field(default_factory=dict)
    """By task and source."""
    facts: Mapping[tuple[str, str], Row] = field(default_factory=dict)
    """By task and fact."""
    steps: Mapping[CellKey, tuple[Row, ...]] = field(default_factory=dict)
    near_misses: Mapping[CellKey, tuple[Row, ...]] = field(default_factory=dict)
    readings: Mapping[tuple[str, str, str, str], tuple[str, ...]] = field(default_factory=dict)
    """Ids of the facts of one task, entity, name and period: the primary one and its witnesses."""


def bundle_of(tables: Mapping[str, Iterable[Row]]) -> Bundle:
    """The tables of a bundle (`records.bundle.TABLE_COLUMNS`), indexed; an absent table is an empty one."""
    rows = {name: list(found) for name, found in tables.items()}
    facts = rows.get("facts", [])
    readings: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    for fact in facts:
        readings[reading_key(fact)].append(fact.get("fact", ""))
    return Bundle(
        tasks=tuple(rows.get("tasks", [])),
        entities=_by_task(rows.get("entities", [])),
        dimensions=_by_task(rows.get("dimensions", [])),
        cells={cell_key(row): row for row in rows.get("cells", [])},
        sources={(row.get("task", ""), row.get("source", "")): row for row in rows.get("sources", [])},
        facts={(row.get("task", ""), row.get("fact", "")): row for row in facts},
        steps=_by_cell(rows.get("steps", [])),
        near_misses=_by_cell(rows.get("near_misses", [])),
        readings={key: tuple(ids) for key, ids in readings.items()},
    )


def reading_key(fact: Row) -> tuple[str, str, str, str]:
    """What a fact is a reading of: its task, entity, name and period."""
    return fact.get("task", ""), fact.get("entity", ""), fact.get("name", ""), fact.get("period", "")


def _by_task(rows: Iterable[Row]) -> dict[str, tuple[Row, ...]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[row.get("task", "")].append(row)
    return {task: tuple(sorted(items, key=position)) for task, items in found.items()}


def _by_cell(rows: Iterable[Row]) -> dict[CellKey, tuple[Row, ...]]:
    found: dict[CellKey, list[Row]] = defaultdict(list)
    for row in rows:
        found[cell_key(row)].append(row)
    return {key: tuple(sorted(items, key=position)) for key, items in found.items()}

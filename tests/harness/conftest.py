"""A small bundle in memory and on the disk: two makers of electric vehicles, five dimensions."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cellwright.clients.bundle_reader import Bundle, open_bundle
from cellwright.records.bundle import (
    SCHEMA,
    TABLE_COLUMNS,
    Rows,
    canonical_json,
    cell_digest,
    sorted_rows,
    table_digest,
)
from cellwright.records.prompt import task_prompt
from cellwright.records.scoring import parse_rule, rule_json
from cellwright.records.task import Scoring, Step

TASK = "ev-makers-2023"
ASSUMPTIONS = [{"id": "price_cut", "value": "10", "unit": "percent", "reason": "scenario given in the question"}]
# dimension: name, family, unit, answer type, steps, scoring
DIMENSIONS: dict[str, tuple[str, str, str, str, list[tuple[str, str]], dict[str, str]]] = {
    "vehicles": (
        "Vehicles delivered",
        "retrieval",
        "vehicle",
        "precise",
        [("answer", "vehicles_delivered")],
        {"full": "1%"},
    ),
    "gross_profit_per_vehicle": (
        "Gross profit per vehicle",
        "derivation",
        "CNY/vehicle",
        "precise",
        [
            ("auto_gross_profit", "auto_revenue * auto_gross_margin"),
            ("answer", "auto_gross_profit / vehicles_delivered"),
        ],
        {"full": "2%"},
    ),
    "delivery_rank": (
        "Rank by deliveries",
        "reasoning",
        "rank",
        "precise",
        [("answer", "rank(vehicles_delivered, all.vehicles_delivered, descending)")],
        {"full": "exact"},
    ),
    "stressed_margin": (
        "Margin after a price cut",
        "reasoning",
        "percent",
        "range",
        [("low", "auto_gross_margin - price_cut"), ("high", "auto_gross_margin")],
        {},
    ),
    "battery_cost": ("Battery cost per kWh", "calibration", "CNY/kWh", "not_available", [], {}),
}
FACTS = {
    "byd.auto_revenue": ("602", "9", "602000000000", "CNY"),
    "byd.auto_gross_margin": ("20.2", "0", "20.2", "percent"),
    "byd.vehicles_delivered": ("4.27", "6", "4270000", "vehicle"),
    "byd.total_revenue": ("777", "9", "777000000000", "CNY"),
    "nio.auto_revenue": ("49,257", "6", "49257000000", "CNY"),
    "nio.auto_gross_margin": ("9.5", "0", "9.5", "percent"),
    "nio.vehicles_delivered": ("160,038", "0", "160038", "vehicle"),
    "nio.total_revenue": ("55,618", "6", "55618000000", "CNY"),
}
REFERENCES: dict[tuple[str, str], dict[str, str]] = {
    ("byd", "vehicles"): {"value": "4270000", "interval_low": "4265000", "interval_high": "4275000"},
    ("nio", "vehicles"): {"value": "160038", "interval_low": "160038", "interval_high": "160038"},
    ("byd", "gross_profit_per_vehicle"): {"value": "28478.688524590163934426229508197"},
    ("nio", "gross_profit_per_vehicle"): {"value": "29239.61"},
    ("byd", "delivery_rank"): {"value": "1", "interval_low": "1", "interval_high": "1"},
    ("nio", "delivery_rank"): {"value": "2", "interval_low": "2", "interval_high": "2"},
    ("byd", "stressed_margin"): {"low": "11", "high": "20", "method": "with and without the price cut"},
    ("nio", "stressed_margin"): {"low": "-1", "high": "10", "method": "with and without the price cut"},
    ("byd", "battery_cost"): {"reason_code": "not_disclosed"},
    ("nio", "battery_cost"): {"reason_code": "not_disclosed"},
}


def make_tables() -> dict[str, Rows]:
    """The tables of the small bundle, every row in the layout of `records.bundle`."""
    tables: dict[str, list[dict[str, str]]] = {name: [] for name in TABLE_COLUMNS}
    tables["tasks"].append(
        {
            "task": TASK,
            "title": "Unit economics of electric-vehicle makers",
            "as_of": "2024-06-30",
            "language": "en",
            "question": "For each maker, what does a vehicle earn?",
            "assumptions": canonical_json(ASSUMPTIONS),
            "licence": "CC-BY-4.0",
            "status": "admitted",
            "contributors": "[]",
        }
    )
    for position, (entity, name) in enumerate((("byd", "BYD Company"), ("nio", "NIO Inc.")), 1):
        tables["entities"].append(
            {
                "task": TASK,
                "entity": entity,
                "position": str(position),
                "name": name,
                "aliases": "[]",
                "identifiers": '{"ticker":"X"}',
                "currency": "CNY",
            }
        )
        for dimension in DIMENSIONS:
            _add_cell(tables, entity, dimension)
    for position, (dimension, (name, family, unit, kind, _, _)) in enumerate(DIMENSIONS.items(), 1):
        tables["dimensions"].append(
            {
                "task": TASK,
                "dimension": dimension,
                "position": str(position),
                "name": name,
                "ask": f"{name}.",
                "family": family,
                "unit": unit,
                "period": "FY2023",
                "answer_type": kind,
            }
        )
    for fact, (as_written, scale, value, unit) in FACTS.items():
        tables["facts"].append(
            {
                "task": TASK,
                "fact": fact,
                "entity": fact[:3],
                "name": fact[4:],
                "source": "report",
                "as_written": as_written,
                "scale": scale,
                "value": value,
                "unit": unit,
                "rank": "primary",
                "period": "FY2023",
            }
        )
    return {name: sorted_rows(name, rows) for name, rows in tables.items()}


def _add_cell(tables: dict[str, list[dict[str, str]]], entity: str, dimension: str) -> None:
    name, family, unit, kind, steps, scoring = DIMENSIONS[dimension]
    where = {"task": TASK, "entity": entity, "dimension": dimension}
    rule = parse_rule(
        Scoring(**scoring),
        answer_type=kind,
        unit=unit,  # type: ignore[arg-type]
        steps=[Step(id=step, expr=expr) for step, expr in steps],
    )
    cell = {
        **where,
        "family": family,
        "ask": f"{name}.",
        "unit": unit,
        "period": "FY2023",
        "period_start": "2023-01-01",
        "period_end": "2023-12-31",
        "answer_type": kind,
        "rule": rule_json(rule),
        "inputs": "[]",
        "sources": "[]",
        **REFERENCES[entity, dimension],
    }
    tables["cells"].append({**cell, "digest": cell_digest(cell, ASSUMPTIONS)})
    fact = f"fact:{entity}."
    inputs = {
        "auto_gross_profit": [f"{fact}auto_revenue", f"{fact}auto_gross_margin"],
        "answer": {
            "vehicles": [f"{fact}vehicles_delivered"],
            "gross_profit_per_vehicle": ["step:auto_gross_profit", f"{fact}vehicles_delivered"],
            "delivery_rank": ["fact:byd.vehicles_delivered", "fact:nio.vehicles_delivered"],
        }.get(dimension),
    }
    for position, (step, expr) in enumerate(steps, 1):
        value = (
            cell.get({"answer": "value"}.get(step, step), "") or {"byd": "121604000000", "nio": "4679415000"}[entity]
        )
        tables["steps"].append(
            {
                **where,
                "position": str(position),
                "step": step,
                "expr": expr,
                "value": value,
                "inputs": json.dumps(inputs.get(step) or []),
            }
        )
    if dimension == "gross_profit_per_vehicle":
        value = {"byd": "36757.377", "nio": "33015.5"}[entity]
        names = [f"{entity}.{name}" for name in ("total_revenue", "auto_gross_margin", "vehicles_delivered")]
        tables["near_misses"].append(
            {
                **where,
                "near_miss": "total_for_segment",
                "value": value,
                "why": "company total for segment",
                "inputs": json.dumps(names),
            }
        )


def write_bundle(folder: Path, rows: dict[str, Rows], **manifest: Any) -> Path:
    """The bundle of `rows` in `folder`; `manifest` replaces what bundle.json says."""
    files = {f"{name}.parquet": parquet(name, table) for name, table in rows.items()}
    files |= {f"prompts/{row['task']}.md": task_prompt(rows, row["task"]).encode() for row in rows["tasks"]}
    said = {
        "name": "small",
        "version": "1.0.0",
        "schema": SCHEMA,
        "tool": "test",
        "demonstration": False,
        "sealed": False,
        "counts": {name: len(table) for name, table in rows.items()},
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
        "tables": {name: table_digest(table) for name, table in rows.items()},
        "cells": {
            "digest": hashlib.sha256("".join(f"{row['digest']}\n" for row in rows["cells"]).encode()).hexdigest()
        },
        "corpus": {"digest": "0" * 64},
        "advisories": [],
        "canary": "canary",
        **manifest,
    }
    for name, data in {**files, "bundle.json": json.dumps(said).encode()}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def parquet(name: str, rows: Rows) -> bytes:
    """A table as Parquet bytes, every column text."""
    columns = TABLE_COLUMNS[name]
    schema = pa.schema([pa.field(column, pa.string(), nullable=False) for column in columns])
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pydict({column: [row[column] for row in rows] for column in columns}, schema), out)
    return out.getvalue()


@pytest.fixture(scope="session")
def tables() -> dict[str, Rows]:
    """The small bundle's tables; not to be changed."""
    return make_tables()


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory, tables: dict[str, Rows]) -> Bundle:
    """The small bundle, opened."""
    return open_bundle(write_bundle(tmp_path_factory.mktemp("bundle"), tables))


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes a bundle of changed tables or with a changed bundle.json, and gives its folder."""
    return lambda rows=None, **manifest: write_bundle(tmp_path / "bundle", rows or make_tables(), **manifest)


@pytest.fixture(scope="session")
def small() -> SimpleNamespace:
    """The helpers of this file for tests that need them."""
    return SimpleNamespace(task=TASK, tables=make_tables, parquet=parquet, references=REFERENCES)

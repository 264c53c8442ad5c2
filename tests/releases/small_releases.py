"""Small releases made of one another: the tables of two makers, copied, corrected, with tasks that leave and join.

The values are worked out here as the engine would: gross profit per vehicle is auto_revenue × auto_gross_margin ÷
vehicles_delivered, and the stressed margin is made to rest on it, so that there is a dependent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from cellwright.records.bundle import TABLE_COLUMNS, Rows, cell_digest, sorted_rows
from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.releases.changes import Side
from cellwright.records.repository_rows import Advisory
from tests.harness.conftest import ASSUMPTIONS, TASK, make_tables, write_bundle

Tables = dict[str, Rows]
PROFIT = "gross_profit_per_vehicle"
STRESSED = "stressed_margin"
FULL = {"kind": "relative", "size": "0.02"}


def tables(*tasks: str) -> Tables:
    """The small task under each of the names, with sources, and with a cell that rests on another cell."""
    found: Tables = {name: [] for name in TABLE_COLUMNS}
    for task in tasks or (TASK,):
        for name, rows in _one().items():
            found[name] += [{**row, "task": task} for row in rows]
    return settled(found)


def _one() -> Tables:
    made = make_tables()
    for entity in ("byd", "nio"):
        for step in _rows(made, "steps", entity=entity, dimension=STRESSED):
            step["inputs"] = json.dumps([f"cell:{entity}/{PROFIT}/auto_gross_profit", "assumption:price_cut"])
        for dimension in ("vehicles", PROFIT, "delivery_rank"):
            cell = one(made, "cells", entity=entity, dimension=dimension)
            names = ("auto_revenue", "auto_gross_margin", "vehicles_delivered")
            cell["sources"] = '["report"]'
            cell["inputs"] = json.dumps([f"{entity}.{name}" for name in names[0 if dimension == PROFIT else 2 :]])
    made["sources"].append(
        {
            **dict.fromkeys(TABLE_COLUMNS["sources"], ""),
            "task": TASK,
            "source": "report",
            "url": "https://filings.example/report",
            "publisher": "BYD Company",
            "tier": "T1",
            "sha256": "a" * 64,
        }
    )
    return made


def _rows(made: Mapping[str, Rows], table: str, **where: str) -> Rows:
    return [row for row in made[table] if all(row[name] == value for name, value in where.items())]


def one(made: Mapping[str, Rows], table: str, **where: str) -> dict[str, str]:
    """The one row of a table for which the columns have these values."""
    found = _rows(made, table, **where)
    assert len(found) == 1, (table, where, len(found))
    return found[0]


def settled(made: Tables) -> Tables:
    """The tables sorted, the digests of the cells taken anew."""
    for cell in made["cells"]:
        task = one(made, "tasks", task=cell["task"])
        cell["digest"] = cell_digest(cell, json.loads(task["assumptions"]))
    return {name: sorted_rows(name, rows) for name, rows in made.items()}


def without(made: Tables, task: str) -> Tables:
    """The tables without a task."""
    return {name: [row for row in rows if row["task"] != task] for name, rows in made.items()}


def with_task(made: Tables, task: str) -> Tables:
    """The tables with one more copy of the small task."""
    return settled({name: [*rows, *tables(task)[name]] for name, rows in made.items()})


def corrected(
    made: Tables, task: str = TASK, revenue: str = "612000000000", *, correction: Mapping[str, str] | None = None
) -> Tables:
    """BYD's automotive revenue read anew, and what follows from it; `correction` is the row that says why."""
    made = copied(made)
    fact = one(made, "facts", task=task, fact="byd.auto_revenue")
    fact |= {"value": revenue, "as_written": revenue[:3]}
    margin, vehicles = Decimal("0.202"), Decimal(4_270_000)
    profit = CONTEXT.multiply(Decimal(revenue), margin)
    answer = canonical(CONTEXT.divide(profit, vehicles))
    where = {"task": task, "entity": "byd", "dimension": PROFIT}
    one(made, "cells", **where)["value"] = answer
    one(made, "steps", **where, step="answer")["value"] = answer
    one(made, "steps", **where, step="auto_gross_profit")["value"] = canonical(profit)
    one(made, "cells", task=task, entity="byd", dimension=STRESSED).update(low="11.5")
    one(made, "steps", task=task, entity="byd", dimension=STRESSED, step="low")["value"] = "11.5"
    if correction is not None:
        made["changes"].append({**dict.fromkeys(TABLE_COLUMNS["changes"], ""), "task": task, **correction})
    return settled(made)


CORRECTION = {
    "correction": "c1",
    "entity": "byd",
    "fact": "byd.auto_revenue",
    "old": "602",
    "new": "612",
    "code": "misread",
    "evidence_url": "https://filings.example/report#p12",
    "released_in": "1.1.0",
}


def rule(made: Tables, full: Mapping[str, str], task: str = TASK, dimension: str = "vehicles") -> Tables:
    """The tables with another tolerance in one dimension."""
    made = copied(made)
    for cell in _rows(made, "cells", task=task, dimension=dimension):
        cell["rule"] = json.dumps({**json.loads(cell["rule"]), "full": full}, sort_keys=True, separators=(",", ":"))
    return settled(made)


def assumed(made: Tables, value: str, task: str = TASK) -> Tables:
    """The tables with another value of the assumption, and no answer that it changes."""
    made = copied(made)
    one(made, "tasks", task=task)["assumptions"] = json.dumps([{**ASSUMPTIONS[0], "value": value}])
    return settled(made)


def edited(made: Tables, table: str, edit: Callable[[dict[str, str]], Any], **where: str) -> Tables:
    """The tables with one row edited."""
    made = copied(made)
    edit(one(made, table, **where))
    return settled(made)


def copied(made: Tables) -> Tables:
    """The tables with rows of their own."""
    return {name: [dict(row) for row in rows] for name, rows in made.items()}


def side(made: Tables, version: str = "1.0.0", advisories: tuple[Advisory, ...] = ()) -> Side:
    """The tables as a release to compare."""
    digests = "".join(row["digest"] for row in made["cells"])
    return Side("small", version, digests, made, len(made["tasks"]), len(made["cells"]), advisories)


def quarantine(task: str, version: str = "1.1.0") -> Advisory:
    """The advisory that a task was quarantined."""
    return Advisory(
        id="A1", kind="quarantined", version=version, task=task, because="two sources contradict each other"
    )


def bundle(folder: Path, made: Tables, version: str = "1.0.0", advisories: tuple[Advisory, ...] = ()) -> Path:
    """The tables as a bundle in a folder."""
    told = [advisory.texts() for advisory in advisories]
    return write_bundle(folder, made, version=version, advisories=told)


def answers(path: Path, *tasks: str, **values: Any) -> Path:
    """A submission that answers three cells of BYD in each task: two right by the older release, a range half right."""
    shown = "602 billion × 20.2% / 4.27 million = 28,479"
    told: dict[str, tuple[Any, str]] = {
        "vehicles": ({"value": "4.30 million"}, ""),
        PROFIT: ({"value": "28,479"}, shown),
        STRESSED: ({"type": "range", "low": "11", "high": "20", "method": "with and without the cut"}, ""),
    }
    lines = [
        {"task": task, "entity": "byd", "dimension": dimension, "answer": {**answer, **values}, "derivation": text}
        for task in tasks or (TASK,)
        for dimension, (answer, text) in told.items()
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path

"""`cases.jsonl` of the bundle: one line a cell, the question with its reference."""

from __future__ import annotations

from collections.abc import Mapping

from cellwright.records.bundle import Rows, canonical_json

_KEYS = (
    "task",
    "entity",
    "dimension",
    "family",
    "ask",
    "unit",
    "period",
    "period_start",
    "period_end",
    "answer_type",
    "value",
    "low",
    "high",
    "agreement",
    "digest",
)


def cases(tables: Mapping[str, Rows]) -> str:
    """One JSON line a cell, in the order of the table; `id` is `task::entity::dimension`."""
    names = {(row["task"], row["entity"]): row["name"] for row in tables["entities"]}
    return "".join(
        canonical_json(
            {
                "id": f"{row['task']}::{row['entity']}::{row['dimension']}",
                "entity_name": names[row["task"], row["entity"]],
                **{key: row[key] for key in _KEYS},
            }
        )
        + "\n"
        for row in tables["cells"]
    )

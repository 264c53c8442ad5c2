"""JSON Schemas of the files, made from the models: the contract for tools that write them.

`make schemas` writes them to `docs/schemas/`; a test fails when they are not up to date.
"""

from __future__ import annotations

from typing import Any, get_args

from cellwright.records.contribution import Manifest
from cellwright.records.findings import Audit
from cellwright.records.repository_rows import ALL_TABLES
from cellwright.records.rows import Row
from cellwright.records.task import Task

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schemas() -> dict[str, dict[str, Any]]:
    """Each schema by its file's name, without `.json`: `task`, `audit`, `contribution`, one a table (of one row)."""
    schemas = {model.table: _row_schema(model) for model in ALL_TABLES.values()}
    task = Task.model_json_schema(by_alias=True)
    task["properties"]["schema"] = {"enum": [1, "1"], "description": "The version of this format: 1."}
    schemas["task"] = {"$schema": DIALECT, **task}
    schemas["contribution"] = {"$schema": DIALECT, **Manifest.model_json_schema(by_alias=True)}
    schemas["audit"] = {"$schema": DIALECT, **Audit.model_json_schema()}
    return dict(sorted(schemas.items()))


def _row_schema(model: type[Row]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for name in model.columns():
        info = model.model_fields[name]
        column: dict[str, Any] = {"type": "string", "description": (info.description or "").replace("\n", " ")}
        choices = _choices(info.annotation)
        if choices:
            column["enum"] = [*choices] if info.is_required() else ["", *choices]
        for rule in info.metadata:
            for key, target in (("pattern", "pattern"), ("max_length", "maxLength")):
                if getattr(rule, key, None) is not None:
                    column[target] = getattr(rule, key)
        properties[name] = column
    required = [name for name in model.columns() if model.model_fields[name].is_required()]
    return {
        "$schema": DIALECT,
        "title": f"One line of {model.table}.csv",
        "description": (model.__doc__ or "").strip(),
        "type": "object",
        "properties": properties,
        "required": required,
        "patternProperties": {"^x_": {"type": "string"}},
        "additionalProperties": False,
        "x-typed-by-hand": list(model.typed),
    }


def _choices(annotation: Any) -> list[str]:
    """The words a column may hold, where it is a choice."""
    found: list[str] = []
    for part in get_args(annotation):
        if isinstance(part, str):
            found.append(part)
        elif part is not type(None):
            found += [word for word in _choices(part) if word not in found]
    return found

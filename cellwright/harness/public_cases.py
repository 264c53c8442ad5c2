"""`cases.jsonl` of the public layout: one line a task, with what is asked and, only where asked for, what is right.

Without references a line tells nothing of what is right: no answer type, family, source, fact or step, and no digest
of a cell either, for it covers the reference, and a short answer could be found by trying.
"""

from __future__ import annotations

import json
from typing import Any

from cellwright.clients.bundle_reader import Bundle
from cellwright.harness.prompt import prompt_of

_TASK_KEYS = ("title", "question", "profile", "domain", "language", "as_of", "licence")
_DIMENSION_KEYS = ("dimension", "name", "ask", "unit", "period")
_CELL_KEYS = ("entity", "dimension", "ask", "unit", "period_start", "period_end")
_REFERENCE_KEYS = ("answer_type", "value", "low", "high", "method", "agreement", "reason_code", "digest")


def public_cases(bundle: Bundle, *, references: bool = False) -> list[dict[str, Any]]:
    """A record a task, sorted by id; with `references` each has the reference and the rule of its cells too.

    Numbers of references are decimal strings, as the bundle has them.
    """
    return [_case(bundle, row, references=references) for row in sorted(bundle.tables["tasks"], key=_task)]


def _task(row: dict[str, str]) -> str:
    return row["task"]


def _case(bundle: Bundle, row: dict[str, str], *, references: bool) -> dict[str, Any]:
    task = row["task"]
    mine = [bundle.cells[key] for key in bundle.cells_in_order if key[0] == task]
    case: dict[str, Any] = {
        "case_id": task,
        **{key: row[key] for key in _TASK_KEYS},
        "entities": [{"entity": item["entity"], "name": item["name"]} for item in _in_order(bundle, "entities", task)],
        "dimensions": [{key: item[key] for key in _DIMENSION_KEYS} for item in _in_order(bundle, "dimensions", task)],
        "n_cells": len(mine),
        "cells": [{key: cell[key] for key in _CELL_KEYS} for cell in mine],
        "prompt": prompt_of(bundle, task),
    }
    if references:
        case["references"] = [
            {
                "entity": cell["entity"],
                "dimension": cell["dimension"],
                "family": cell["family"],
                **{key: cell[key] for key in _REFERENCE_KEYS},
                "rule": json.loads(cell["rule"]),
            }
            for cell in mine
        ]
    return case


def _in_order(bundle: Bundle, table: str, task: str) -> list[dict[str, str]]:
    rows = [row for row in bundle.tables[table] if row["task"] == task]
    return sorted(rows, key=lambda row: int(row["position"]))

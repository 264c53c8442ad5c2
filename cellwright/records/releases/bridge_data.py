"""A bridge as plain data for JSON: each amount as an exact fraction and as a decimal string of 34 digits."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.releases.bridge import Bounds, Bridge, CellPart, Part, TaskPart, Total


def bridge_data(bridge: Bridge) -> dict[str, Any]:
    """`{"old", "new", "parts", "shared_tasks", "unchanged_cells"}`; scores are 0 to 1.

    An amount is `{"lower", "upper", "lower_exact", "upper_exact"}`; the exact ones are fractions, `-1/512`, and
    those of `old` and of all parts' `adds` sum to those of `new`.
    """
    return {
        "old": _total(bridge.old),
        "new": _total(bridge.new),
        "parts": [_part(part) for part in bridge.parts],
        "shared_tasks": None if bridge.shared is None else [_total(total) for total in bridge.shared],
        "unchanged_cells": None if bridge.still is None else [_total(total) for total in bridge.still],
    }


def _part(part: Part) -> dict[str, Any]:
    return {
        "part": part.kind,
        "adds": amount(part.adds),
        "total": amount(part.total),
        "tasks": [_task(task) for task in part.tasks],
        "cells": [_cell(cell) for cell in part.cells if cell.moved or part.kind != "unchanged"],
        "cells_counted": len(part.cells),
    }


def _task(task: TaskPart) -> dict[str, Any]:
    return {"task": task.task, "score": amount(task.mean), "cells": task.cells, "adds": amount(task.adds)}


def _cell(cell: CellPart) -> dict[str, Any]:
    task, entity, dimension = cell.key
    return {
        "task": task,
        "entity": entity,
        "dimension": dimension,
        "old": None if cell.old is None else amount(cell.old),
        "new": None if cell.new is None else amount(cell.new),
        "weight": str(cell.weight),
        "adds": amount(cell.adds),
        "note": cell.note,
    }


def _total(total: Total) -> dict[str, Any]:
    return {**amount(total.bounds), "tasks": total.tasks, "cells": total.cells}


def amount(bounds: Bounds) -> dict[str, str]:
    """Both bounds, each as a decimal of 34 digits and as an exact fraction."""
    return {
        "lower": _decimal(bounds[0]),
        "upper": _decimal(bounds[1]),
        "lower_exact": str(bounds[0]),
        "upper_exact": str(bounds[1]),
    }


def _decimal(number: Fraction) -> str:
    return canonical(CONTEXT.divide(Decimal(number.numerator), Decimal(number.denominator)))

"""Small tasks for the tests of derivations: made from expressions and figures, no files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from cellwright.records.derivations import Evaluated, Evaluator
from cellwright.records.rows import Fact
from cellwright.records.task import Task

PERIODS = {
    "FY2023": {"default": "2023-01-01/2023-12-31", "b": "2023-02-01/2024-01-31"},
    "FY2022": {"default": "2022-01-01/2022-12-31", "b": "2022-02-01/2023-01-31"},
    "FY2021": {"default": "2021-01-01/2021-12-31", "b": "2021-02-01/2022-01-31"},
}


def dimension(name: str = "d", *steps: str, unit: str = "count", **changes: Any) -> dict[str, Any]:
    """A dimension whose steps are written `id: expression`; one without an id is `answer`."""
    made = []
    for step in steps:
        head, colon, tail = step.partition(": ")
        made.append({"id": head, "expr": tail} if colon else {"id": "answer", "expr": step})
    return {
        "id": name,
        "name": name,
        "ask": "?",
        "family": "derivation",
        "unit": unit,
        "period": "FY2023",
        "answer_type": "precise",
        "steps": made,
        **changes,
    }


def task(
    *dimensions: dict[str, Any],
    entities: Sequence[str] = ("a", "b", "c"),
    periods: Mapping[str, Any] = PERIODS,
    assumptions: Sequence[dict[str, str]] = (),
    units: Mapping[str, str] | None = None,
) -> Task:
    """A task with these dimensions."""
    known = {
        label: {who: dates for who, dates in whose.items() if who in ("default", *entities)}
        for label, whose in periods.items()
    }
    return Task.model_validate(
        {
            "schema": "1",
            "id": "t",
            "title": "t",
            "domain": "technology",
            "as_of": "2024-12-31",
            "question": "?",
            "entities": [{"id": entity, "name": entity} for entity in entities],
            "periods": known,
            "assumptions": list(assumptions),
            "units": dict(units or {"vehicle": "countable"}),
            "dimensions": list(dimensions),
        }
    )


def fact(
    name: str,
    written: str = "",
    entity: str = "a",
    *,
    unit: str = "USD",
    period: str = "FY2023",
    rank: str = "primary",
    scale: int = 0,
    **more: Any,
) -> Fact:
    """A fact as a curator types it; `value` only where given."""
    made = {
        "id": f"{'all' if entity == '*' else entity}.{name}.{period.lower().replace('-', '_').replace('/', '_')}",
        "entity": entity,
        "name": name,
        "source": "s",
        "as_written": written,
        "period": period,
        "rank": rank,
        "unit": unit,
        "scale": scale,
        "sign": "shown",
        **more,
    }
    return Fact.model_validate(made)


def evaluator(facts: Sequence[Fact], *steps: str, unit: str = "count", **more: Any) -> Evaluator:
    """The evaluator of a task with one dimension `d` of these steps."""
    changes = {
        key: more.pop(key) for key in ("answer_type", "period", "overrides", "checks", "near_misses") if key in more
    }
    return Evaluator(task(dimension("d", *(steps or ("0",)), unit=unit, **changes), **more), facts)


def evaluated(expr: str, facts: Sequence[Fact], unit: str = "count", **more: Any) -> Evaluated:
    """The expression in the place of the cell a/d."""
    return evaluator(facts, unit=unit, **more).expression(expr, "a", "d")


def value(expr: str, facts: Sequence[Fact], unit: str = "count", **more: Any) -> Decimal:
    """Its value."""
    return evaluated(expr, facts, unit, **more).value

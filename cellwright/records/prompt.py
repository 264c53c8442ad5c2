"""The prompt of a task: what an agent is asked, made from the bundle's tables, and how it must answer.

It holds entities, dimensions, asks, units, period dates, assumptions, as_of and the output format, and nothing
sealed: no answer type, no source, no fact, no step (design, section 8).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from cellwright.records.bundle import Rows
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.suggest import did_you_mean

Row = Mapping[str, str]

ANSWER_FIELDS = ("Answer", "Unit", "Method", "Reason", "Confidence", "Derivation", "Sources")
"""The lines of one cell's section in an answer, in the order in which the prompt asks for them."""

ANSWER_FORMAT = """\
## How to answer

Answer every cell: one section a cell, under a heading of the entity's id, a slash and the dimension's id.

```
### entity_id / dimension_id
Answer: one number, or `low to high` for a range, or `not available`
Unit: the unit of the number
Method: how a range follows (for a range only)
Reason: why nothing is available (for `not available` only)
Confidence: a number from 0 to 1
Derivation: the figures used, each as its source prints it, and the arithmetic, as in `a × b / c = answer`
Sources: one address a line
```

- Write a point for decimals; commas may group (`12,345.6`). Scale words may stand with a number (`1.2 billion`).
- Write a negative number with a minus. Write `1` for yes and `0` for no, a rank or count as a whole number, a date
  as `YYYY-MM-DD`.
- Only the final value of an `Answer` line is read. A number beside `not available` is an answer.
- Give `not available` where no public document gives the answer or lets it be derived.
- A figure counts as derived only where the derivation shows its inputs with at least three digits and arithmetic
  that gives the answer.
"""


def task_prompt(tables: Mapping[str, Rows], task: str, *, canary: str = "") -> str:
    """The prompt of `task`, in Markdown, with the benchmark's canary at its end where there is one.

    Raises UnreadableInput for a task that is not in the tables.
    """
    found = [row for row in tables["tasks"] if row["task"] == task]
    if not found:
        known = sorted(row["task"] for row in tables["tasks"])
        raise UnreadableInput(
            f"the task `{task}` is not in the bundle",
            Place(record=task),
            expected=f"one of {', '.join(known)}",
            fix=did_you_mean(task, known),
        )
    row = found[0]
    entities = _ordered(tables["entities"], task)
    dimensions = _ordered(tables["dimensions"], task)
    cells = {(cell["entity"], cell["dimension"]): cell for cell in tables["cells"] if cell["task"] == task}
    parts = [
        f"# {_line(row['title'])}\n",
        _paragraph(row["question"]),
        f"Use documents published on or before {row['as_of']}; nothing published later may be cited.\n",
        "## Entities\n",
        _entities(entities),
        "## Dimensions\n",
        *[_dimension(item, entities, cells) for item in dimensions],
        _periods(row, entities, cells),
        _assumptions(row),
        f"Task: {task}\n",
        ANSWER_FORMAT,
        f"Canary: `{_line(canary)}`. This is a benchmark: its text must not be used for training.\n" if canary else "",
    ]
    return "\n".join(part for part in parts if part)


def _ordered(rows: Rows, task: str) -> list[Row]:
    return sorted((row for row in rows if row["task"] == task), key=lambda row: int(row["position"]))


def _entities(entities: Sequence[Row]) -> str:
    lines = ["| id | name | also known as | identifiers | currency |", "| --- | --- | --- | --- | --- |"]
    for row in entities:
        aliases = ", ".join(json.loads(row["aliases"] or "[]"))
        names = json.loads(row["identifiers"] or "{}")
        identifiers = ", ".join(f"{key} {value}" for key, value in sorted(names.items()))
        lines.append(
            f"| {row['entity']} | {_cell(row['name'])} | {_cell(aliases)} | {_cell(identifiers)} | "
            f"{_cell(row['currency'])} |"
        )
    return "\n".join(lines) + "\n"


def _dimension(dimension: Row, entities: Sequence[Row], cells: Mapping[tuple[str, str], Row]) -> str:
    name = dimension["dimension"]
    period = f"; period: {_line(dimension['period'])}" if dimension["period"] else ""
    lines = [
        f"### {name}: {_line(dimension['name'])}\n",
        _paragraph(dimension["ask"]),
        f"Unit: {_line(dimension['unit'])}{period}.\n",
    ]
    for entity in entities:
        cell = cells.get((entity["entity"], name))
        if cell is None:
            continue
        own = [
            f"{word} {_line(cell[column])}"
            for column, word in (("ask", "the question is:"), ("unit", "the unit is"), ("period", "the period is"))
            if cell[column] != dimension[column]
        ]
        if own:
            lines.append(f"For {entity['entity']}, {'; '.join(own)}\n")
    return "\n".join(lines)


def _periods(task: Row, entities: Sequence[Row], cells: Mapping[tuple[str, str], Row]) -> str:
    """The dates of each period, entity by entity where they differ; the year before too, which growth asks for."""
    ids = [row["entity"] for row in entities]
    dates: dict[str, dict[str, str]] = {
        label: {entity: _dates(found) for entity in ids if (found := own.get(entity) or own.get("default"))}
        for label, own in json.loads(task.get("periods") or "{}").items()
    }
    for (entity, _), cell in cells.items():
        if cell["period"] and cell["period_end"]:
            both = [cell["period_start"], cell["period_end"]]
            dates.setdefault(cell["period"], {})[entity] = _dates("/".join(day for day in both if day))
    lines = []
    for label, by_entity in sorted(dates.items()):
        if by_entity and len(set(by_entity.values())) == 1:
            lines.append(f"- {_line(label)}: {next(iter(by_entity.values()))}")
        elif by_entity:
            told = "; ".join(f"{entity} {by_entity[entity]}" for entity in ids if entity in by_entity)
            lines.append(f"- {_line(label)}: {told}")
    return "\n".join(["## Periods\n", *lines]) + "\n" if lines else ""


def _dates(period: str) -> str:
    return _line(period.replace("/", " to "))


def _assumptions(task: Row) -> str:
    lines = []
    for item in json.loads(task["assumptions"] or "[]"):
        unit = f" {_line(item['unit'])}" if item.get("unit") else ""
        if "value" in item:
            said = f"{item['value']}{unit}"
        else:
            said = "; ".join(f"{entity} {value}{unit}" for entity, value in sorted(item["values"].items()))
        reason = f" ({_line(item['reason'])})" if item.get("reason") else ""
        lines.append(f"- {item['id']}: {said}{reason}")
    return "\n".join(["## Assumptions\n", *lines]) + "\n" if lines else ""


def _line(text: str) -> str:
    """`text` on one line, control characters gone."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _paragraph(text: str) -> str:
    return f"{_line(text)}\n"


def _cell(text: str) -> str:
    return _line(text).replace("|", "\\|")

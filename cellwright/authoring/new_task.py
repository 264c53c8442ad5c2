"""`new`: a task's folder to start from, every column and key explained."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cellwright.clients.folders import replace_folder
from cellwright.clients.repository import TASK_ID_WORDS, Repository
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.fields import SOURCE_ID_PATTERN
from cellwright.records.rows import TASK_TABLES, Row
from cellwright.records.tables import write_table

STARTING_TABLES = ("sources", "facts", "cells", "searches", "waivers")
FAMILIES = (
    "retrieval",
    "derivation",
    "derivation",
    "derivation",
    "derivation",
    "calibration",
    "reasoning",
    "reasoning",
)


def new_task(repository: Repository, task: str) -> tuple[str, ...]:
    """Write `tasks/<task>/` and give the names of its files. Refuses an id that is none and a task that is there."""
    if not re.fullmatch(SOURCE_ID_PATTERN, task) or len(task) > 80:
        raise UnreadableInput("this is no task id", seen=task or "nothing", expected=TASK_ID_WORDS)
    folder = repository.task_path(task)
    if folder.exists():
        raise UnreadableInput(
            f"the task `{task}` is there already",
            Place(repository.shown(folder)),
            fix="choose another id, or go on with that folder",
        )
    files = task_files(task)
    replace_folder(folder, files, mark="task.yaml")  # Whole or not at all: half a task would be taken for one.
    return tuple(sorted(files))


def task_files(task: str) -> Mapping[str, bytes]:
    """The files of a new task, name to bytes."""
    tables = {f"{name}.csv": write_table([], TASK_TABLES[name].columns()) for name in STARTING_TABLES}
    return {"task.yaml": _task_yaml(task).encode(), "COLUMNS.md": _columns_page().encode(), **tables}


def _task_yaml(task: str) -> str:
    dimensions = "".join(_DIMENSION.format(number=number, family=family) for number, family in enumerate(FAMILIES, 1))
    entities = "".join(
        f"  - {{id: entity_{number}, name: Entity {number}, aliases: [], identifiers: {{}}, currency: USD}}\n"
        for number in range(1, 9)
    )
    return _HEAD.format(task=task, entities=entities) + dimensions


def _columns_page() -> str:
    lines = [
        "# The columns of this task's tables",
        "",
        "You type the columns marked ✎; `cellwright capture`, `locate --write` and `derive --write` fill the",
        "rest. A column of your own is kept when its name begins with `x_`.",
        "",
    ]
    for name in STARTING_TABLES:
        model: type[Row] = TASK_TABLES[name]
        lines += [f"## {name}.csv", "", "| column | | what it holds |", "| --- | --- | --- |"]
        for column in model.columns():
            text = " ".join((model.model_fields[column].description or "").split()).replace("|", "\\|")
            lines.append(f"| `{column}` | {'✎' if column in model.typed else ''} | {text} |")
        lines.append("")
    return "\n".join(lines)


_HEAD = """\
# One subject domain: a question, its entities (rows) and its dimensions (columns).
# Values are text as typed; inside {{…}}, text with a comma, bracket or brace must be quoted.
schema: 1
id: {task}
title: A title of one line
profile: deepweb-8x8          # the shape: 8 x 8, families 1 retrieval, 4 derivation, 1 calibration, 2 reasoning
domain: technology            # or energy_materials, industrials_transport, consumer, finance, healthcare_pharma
language: en
as_of: 2024-12-31             # nothing published later may be cited
licence: CC-BY-4.0
status: draft
comparability: 1
contributors: [your-name]
question: >-
  The whole question in one paragraph: which entities, which period, which figures count.
entities:
{entities}periods:
  # A label and its dates; an entity with another fiscal year gets dates of its own: acme: 2023-02-01/2024-01-31
  FY2023: {{default: 2023-01-01/2023-12-31}}
  FY2022: {{default: 2022-01-01/2022-12-31}}
assumptions: []               # - {{id: price_cut, value: 10, unit: percent, reason: scenario given in the question}}
units: {{}}                     # units of your own: vehicle: countable
dimensions:
"""

_DIMENSION = """\
  - id: dimension_{number}
    name: Dimension {number}
    ask: The question asked of every entity, complete enough that two careful people answer the same.
    family: {family}
    unit: USD
    period: FY2023
    answer_type: precise      # or range (steps low and high), not_available
    steps:
      - {{id: answer, expr: some_fact, why: how the answer follows from the facts}}
    scoring: {{full: 1%}}
    near_misses: []           # - {{id: prior_year, expr: "some_fact[-1]", why: wrong period}}
    checks: []                # - {{expr: sum(some_fact.*) == some_fact, within: rounding}}
"""

"""`derive`: the reference answers, step by step, and `cells.csv` completed from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cellwright.clients.disk import write_atomic
from cellwright.clients.repository import Repository
from cellwright.records.derivations import CellResult, Evaluator, static_problems
from cellwright.records.errors import ExpressionError, Place, Problem, UnreadableInput
from cellwright.records.folder import TaskFolder
from cellwright.records.rows import CellRow
from cellwright.records.suggest import did_you_mean
from cellwright.records.tables import write_table

MOST_CELLS_NAMED = 3
"""Cells that a sentence names; it counts the others."""


@dataclass(frozen=True)
class Derived:
    """The answers of a task, in the task's order, and what stands in the way of the others, each fault once."""

    results: tuple[CellResult, ...]
    problems: tuple[Problem, ...]


def derive(folder: TaskFolder, cell: str = "") -> Derived:
    """Every cell's answer, or one cell's (`entity/dimension`). Why a cell has none is told in `problems`."""
    evaluator = Evaluator(folder.task, folder.facts, locales=folder.locales)
    wanted = [_cell(folder, cell)] if cell else [(spec.entity, spec.dimension) for spec in folder.task.cells()]
    results: list[CellResult] = []
    errors: dict[str, ExpressionError] = {}
    for entity, dimension in wanted:
        found = evaluator.try_cell(entity, dimension)
        if isinstance(found, ExpressionError):
            errors[f"{entity}/{dimension}"] = found
        else:
            results.append(found)
    return Derived(tuple(results), tuple(_told_once(folder, errors)))


def _told_once(folder: TaskFolder, errors: Mapping[str, ExpressionError]) -> Iterator[Problem]:
    """Each fault once, however many cells it reaches: one slip in a dimension's step is not eight."""
    if not errors:
        return
    at_rest = static_problems(folder.task, folder.facts)
    cells: dict[Problem, list[str]] = {}
    for cell, error in errors.items():
        for problem in error.problems:
            known = next((fault for fault in at_rest if _is_same_fault(fault, problem)), None) or next(
                (fault for fault in cells if replace(fault, place=Place()) == replace(problem, place=Place())), problem
            )
            names = cells.setdefault(known, [])
            if cell not in names:
                names.append(cell)
    for problem, names in cells.items():
        yield replace(problem, fix="; ".join(part for part in (problem.fix, _reach(names)) if part))


def _is_same_fault(at_rest: Problem, met: Problem) -> bool:
    """Whether a fault of the text is what a cell met: it stands on the same line, or is the same circle."""
    if "needs itself" in at_rest.what and "needs itself" in met.what:
        dimension, _, step = at_rest.what.rpartition(" ")[2].rpartition("/")[2].partition(".")
        return f"/{dimension}.{step}" in met.what
    return at_rest.place.line is not None and (at_rest.place.file, at_rest.place.line) == (
        met.place.file,
        met.place.line,
    )


def _reach(cells: Sequence[str]) -> str:
    if len(cells) == 1:
        return ""
    more = len(cells) - MOST_CELLS_NAMED
    return f"{len(cells)} cells have no answer for it: {', '.join(cells[:MOST_CELLS_NAMED])}" + (
        f" and {more} more" if more > 0 else ""
    )


def _cell(folder: TaskFolder, text: str) -> tuple[str, str]:
    entity, slash, dimension = text.partition("/")
    task = folder.task
    dimensions = [item.id for item in task.dimensions]
    if not slash:
        raise UnreadableInput(
            "the cell cannot be read",
            seen=text,
            expected=f"ENTITY/DIMENSION, as in {task.entity_ids[0]}/{dimensions[0]}",
        )
    for kind, name, known in (("entity", entity, task.entity_ids), ("dimension", dimension, dimensions)):
        if name not in known:
            raise UnreadableInput(
                f"the {kind} `{name}` is not there",
                Place(folder.file("task.yaml")),
                seen=name,
                expected=f"one of {', '.join(known)}",
                fix=did_you_mean(name, known),
            )
    return entity, dimension


def complete_cells(folder: TaskFolder, labels: dict[tuple[str, str], str]) -> tuple[bytes, int]:
    """`cells.csv` with a row for every cell, and how many fields that adds.

    The answer type and the computed label (`labels`, by entity and dimension) are filled where a person
    has left them empty; what a person wrote stays, also where it is wrong: the audit tells.
    """
    table = folder.tables["cells"]
    columns = list(table.columns)
    columns += [name for name in ("entity", "dimension", "answer_type", "agreement") if name not in columns]
    rows = {(row.get("entity", ""), row.get("dimension", "")): dict(row) for row in table.rows}
    filled = 0
    for spec in folder.task.cells():
        key = (spec.entity, spec.dimension)
        row = rows.setdefault(key, {"entity": spec.entity, "dimension": spec.dimension})
        for name, value in (("answer_type", spec.answer_type), ("agreement", labels.get(key, ""))):
            if value and not row.get(name, "").strip():
                row[name] = value
                filled += 1
    order = [(spec.entity, spec.dimension) for spec in folder.task.cells()]
    ordered = [rows.pop(key) for key in order] + list(rows.values())
    return write_table(ordered, columns), filled


def write_cells(repository: Repository, folder: TaskFolder, labels: dict[tuple[str, str], str]) -> int:
    """Complete `cells.csv` on the disk; gives the number of fields filled, 0 when nothing was written."""
    data, filled = complete_cells(folder, labels)
    if filled:
        write_atomic(repository.task_path(folder.task.id, f"{CellRow.table}.csv"), data)
    return filled

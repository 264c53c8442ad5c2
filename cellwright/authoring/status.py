"""`status`: what each cell of a task still lacks, in the order in which work is done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cellwright.records.derivations import Evaluator
from cellwright.records.errors import ExpressionError
from cellwright.records.folder import TaskFolder
from cellwright.records.task import CellSpec


@dataclass(frozen=True)
class CellStatus:
    """A cell and what it lacks; nothing when it is ready for the audit."""

    entity: str
    dimension: str
    lacks: tuple[str, ...]


def task_status(folder: TaskFolder) -> tuple[CellStatus, ...]:
    """Every cell in the task's order with what it lacks: facts, evidence, a row in cells.csv, people."""
    evaluator = Evaluator(folder.task, folder.facts, locales=folder.locales)
    return tuple(
        CellStatus(spec.entity, spec.dimension, tuple(_lacks(folder, evaluator, spec))) for spec in folder.task.cells()
    )


def lacking(cells: Iterable[CellStatus]) -> dict[tuple[str, ...], list[str]]:
    """The cells (`entity/dimension`) that lack the same, by what they lack: a task begins with 64 alike."""
    found: dict[tuple[str, ...], list[str]] = {}
    for cell in cells:
        if cell.lacks:
            found.setdefault(cell.lacks, []).append(f"{cell.entity}/{cell.dimension}")
    return found


def _lacks(folder: TaskFolder, evaluator: Evaluator, spec: CellSpec) -> list[str]:
    lacks: list[str] = []
    if spec.answer_type != "not_available":
        result = evaluator.try_cell(spec.entity, spec.dimension)
        if isinstance(result, ExpressionError):
            lacks.append(f"facts: {result.problems[0].what}")
        else:
            facts = [folder.fact_by_id[name] for name in result.inputs]
            pinned = {source.id for source in folder.sources if source.capture}
            uncaptured = sorted({fact.source for fact in facts} - pinned)
            unquoted = sorted(fact.id for fact in facts if not fact.quote)
            if uncaptured:
                lacks.append(f"a capture of {', '.join(uncaptured)}")
            if unquoted:
                lacks.append(f"a quote of {', '.join(unquoted[:3])}{' …' if len(unquoted) > 3 else ''}")
    row = folder.cell_row.get((spec.entity, spec.dimension))
    if row is None:
        return [*lacks, "a row in cells.csv"]
    if spec.answer_type == "not_available" and not row.reason_code:
        lacks.append("a reason_code")
    if spec.answer_type != "not_available" and not row.agreement:
        lacks.append("an agreement label")
    for person in ("annotator", "reviewer"):
        if not getattr(row, person):
            lacks.append(f"a {person}" if person == "reviewer" else "an annotator")
    return lacks

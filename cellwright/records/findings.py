"""Findings: what an auditor must look at, and the audit of a task as data (design, section 6)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict

from cellwright.records.errors import Place


class Condition(StrEnum):
    """The five conditions a task must meet to be released."""

    COMPLETE = "complete"
    SOURCED = "sourced"
    DERIVED = "derived"
    RECONCILED = "reconciled"
    SCORABLE = "scorable"


Severity = Literal["error", "warning"]
State = Literal["met", "failed", "not checked"]
DIFFICULTY = "C5-DIFFICULTY"
"""The rule by which a task's difficulty fails."""


class Finding(BaseModel):
    """One thing an auditor must look at."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)
    rule: str
    """The rule's stable id: `C2-QUOTE-ABSENT`."""
    condition: Condition
    """The condition it belongs to."""
    severity: Severity
    """An error keeps the task from being admitted; a warning does not."""
    file: str
    """The file to mend."""
    line: int | None = None
    """The line in it."""
    record: str = ""
    """The record's id, or `entity/dimension` of a cell."""
    fields: tuple[str, ...] = ()
    """The columns or keys to look at."""
    observed: str = ""
    """What is there."""
    expected: str = ""
    """What should be."""
    fix: str = ""
    """How to mend it."""
    waived: str = ""
    """Why a person accepted it; empty when nobody has."""

    @property
    def place(self) -> Place:
        """Where it stands."""
        return Place(self.file, self.line, ", ".join(self.fields), self.record)

    def sort_key(self) -> tuple[str, ...]:
        """Condition, rule, file, line: the order in which findings are told."""
        order = str(list(Condition).index(self.condition))
        return (order, self.rule, self.file, f"{self.line or 0:09d}", self.record, *self.fields, self.observed)


class CellAgreement(BaseModel):
    """What the witnesses say of one cell, and what that rests on."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)
    cell: str
    """`entity/dimension`."""
    label: str
    """consistent, divergent or single."""
    inputs: int
    """How many facts the answer rests on."""
    corroborated: int
    """How many of them two or more owners tell."""
    difference: tuple[str, ...] = ()
    """The facts that make the difference: those that give another answer, else those that only one owner tells."""
    says: str = ""
    """The same in words."""


class TaskAudit(BaseModel):
    """What the audit says of one task."""

    model_config = ConfigDict(frozen=True)
    task: str
    admitted: bool
    conditions: dict[Condition, State]
    cells: int
    difficulty: State = "not checked"
    counts: dict[str, int] = {}
    agreement: tuple[CellAgreement, ...] = ()
    findings: tuple[Finding, ...]


class Audit(BaseModel):
    """The audit of one or more tasks; `audit --format json` prints it."""

    model_config = ConfigDict(frozen=True)
    tool: str
    tasks: tuple[TaskAudit, ...]

    @property
    def admitted(self) -> bool:
        """Whether every task meets every condition."""
        return all(task.admitted for task in self.tasks)


def conclude(
    task: str,
    cells: int,
    findings: Iterable[Finding],
    unchecked: Iterable[Condition] = (),
    counts: dict[str, int] | None = None,
    agreement: Iterable[CellAgreement] = (),
    *,
    piloted: bool = False,
) -> TaskAudit:
    """The audit of a task from its findings: a condition fails by an error that nobody waived.

    A condition that was not checked is told as such, and keeps the task from being admitted. Difficulty is not
    checked where no trial run was `piloted`; that alone keeps no task out.
    """
    ordered = tuple(sorted(findings, key=Finding.sort_key))
    failed = {finding.condition for finding in ordered if finding.severity == "error" and not finding.waived}
    skipped = set(unchecked)
    conditions: dict[Condition, State] = {
        condition: "failed" if condition in failed else "not checked" if condition in skipped else "met"
        for condition in Condition
    }
    standing = {finding.rule for finding in ordered if not finding.waived}
    difficulty: State = "not checked" if not piloted else "failed" if DIFFICULTY in standing else "met"
    return TaskAudit(
        task=task,
        admitted=all(state == "met" for state in conditions.values()),
        conditions=conditions,
        cells=cells,
        difficulty=difficulty,
        counts=counts or {},
        agreement=tuple(agreement),
        findings=ordered,
    )

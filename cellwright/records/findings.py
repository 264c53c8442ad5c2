"""Findings: what an auditor must look at, and the audit of a task as data (design, section 6)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer

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


class TaskSince(BaseModel):
    """How a task's findings stand to those of an earlier revision; what is new is told in `findings`."""

    model_config = ConfigDict(frozen=True)
    known: int
    """Findings that stood there already and are not told again."""
    mended: int
    """Findings of the revision that are gone, or that a person has accepted since."""
    readable: bool = True
    """Whether the task was there and could be read; where not, every finding is new."""


class TaskAudit(BaseModel):
    """What the audit says of one task."""

    model_config = ConfigDict(frozen=True)
    task: str
    """The task's id."""
    admitted: bool
    """Whether every condition is met; never of a draft, which is judged only by what is there."""
    conditions: dict[Condition, State]
    """How each condition stands."""
    cells: int
    """How many cells it has."""
    difficulty: State = "not checked"
    """Whether trial runs score within the band."""
    counts: dict[str, int] = {}
    """What was counted."""
    agreement: tuple[CellAgreement, ...] = ()
    """What the witnesses say of each answered cell."""
    findings: tuple[Finding, ...]
    """What an auditor must look at; with `since`, only what is new."""
    draft: bool = False
    """Whether it was judged as a draft (`audit --draft`)."""
    since: TaskSince | None = None
    """With `audit --since`: how many findings are known, and how many were mended."""

    @model_serializer(mode="wrap")
    def _as_asked(self, dump: SerializerFunctionWrapHandler) -> dict[str, object]:
        """The design's keys, and `draft` and `since` only where they were asked for."""
        return _without(dump(self), "draft", "since")

    @property
    def passed(self) -> bool:
        """Whether nothing stands against it; with `since`, nothing new."""
        if self.since is not None:
            return not any(finding.severity == "error" and not finding.waived for finding in self.findings)
        return all(state == "met" for state in self.conditions.values())

    @property
    def verdict(self) -> str:
        """`admitted`, `not admitted` or `draft`."""
        return "draft" if self.draft else "admitted" if self.admitted else "not admitted"


class Audit(BaseModel):
    """The audit of one or more tasks; `audit --format json` prints it."""

    model_config = ConfigDict(frozen=True)
    tool: str
    """The program and its version."""
    tasks: tuple[TaskAudit, ...]
    """Each task's audit."""
    since: str = ""
    """With `audit --since`: the revision compared with, and its commit."""

    @model_serializer(mode="wrap")
    def _as_asked(self, dump: SerializerFunctionWrapHandler) -> dict[str, object]:
        """The design's keys, and `since` only where it was asked for."""
        return _without(dump(self), "since")

    @property
    def admitted(self) -> bool:
        """Whether every task meets every condition."""
        return all(task.admitted for task in self.tasks)

    @property
    def passed(self) -> bool:
        """Whether nothing stands against any task; with `since`, nothing new."""
        return all(task.passed for task in self.tasks)


def _without(plain: dict[str, object], *names: str) -> dict[str, object]:
    """Plain data without those of these keys that say nothing."""
    return {name: value for name, value in plain.items() if value or name not in names}


def conclude(
    task: str,
    cells: int,
    findings: Iterable[Finding],
    unchecked: Iterable[Condition] = (),
    counts: dict[str, int] | None = None,
    agreement: Iterable[CellAgreement] = (),
    *,
    piloted: bool = False,
    draft: bool = False,
) -> TaskAudit:
    """The audit of a task from its findings: a condition fails by an error that nobody waived.

    A condition that was not checked is told as such, and keeps the task from being admitted. A draft is never
    admitted: what it lacks has not been asked for. Difficulty is not checked where no trial run was `piloted`; that
    alone keeps no task out.
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
        admitted=not draft and all(state == "met" for state in conditions.values()),
        conditions=conditions,
        cells=cells,
        difficulty=difficulty,
        counts=counts or {},
        agreement=tuple(agreement),
        findings=ordered,
        draft=draft,
    )


def with_more(audit: TaskAudit, findings: Iterable[Finding], counts: dict[str, int] | None = None) -> TaskAudit:
    """The same audit with more findings, its conditions judged anew."""
    unchecked = [condition for condition, state in audit.conditions.items() if state == "not checked"]
    both = [*audit.findings, *findings]
    return conclude(
        audit.task,
        audit.cells,
        both,
        unchecked,
        {**audit.counts, **(counts or {})},
        audit.agreement,
        piloted=audit.difficulty != "not checked",
        draft=audit.draft,
    )

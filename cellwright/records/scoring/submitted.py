"""What a submission says of one cell, as its words stand there: nothing is read yet."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """The fields of `answer` (design, section 8) as text; empty where a field is absent or null."""

    type: str = ""
    value: str = ""
    """One number, or words that hold it; `not available`; `low to high`."""
    unit: str = ""
    low: str = ""
    high: str = ""
    confidence: str = ""
    method: str = ""
    reason: str = ""
    unreadable: str = ""
    """Why nothing of the answer can be read, where the submission's form does not hold; the cell is unparsed."""


@dataclass(frozen=True, slots=True)
class ShownStep:
    """One line of a derivation given as a list."""

    id: str = ""
    expr: str = ""
    value: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class SubmittedCell:
    """One cell of a submission."""

    task: str
    entity: str
    dimension: str
    answer: RawAnswer
    derivation: str | tuple[ShownStep, ...] = ""
    sources: tuple[str, ...] = ()
    line: int = 0
    """Where it stands in its file, from 1."""

    @property
    def key(self) -> tuple[str, str, str]:
        """Task, entity and dimension: what names the cell."""
        return self.task, self.entity, self.dimension

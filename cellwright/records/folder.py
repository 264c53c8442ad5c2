"""A task's folder as records: `task.yaml` and its tables, from the bytes of its files.

What cannot be read at all (no YAML, an unknown column, UTF-16) raises UnreadableInput; a field that
cannot be read is kept as a problem, so that the audit can tell it beside everything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from cellwright.records.errors import Place, Problem, UnreadableInput
from cellwright.records.rows import (
    TASK_TABLES,
    Annotation,
    CellRow,
    Correction,
    Fact,
    Pilot,
    Row,
    Search,
    Source,
    Waiver,
)
from cellwright.records.tables import Records, Table, read_table, records_of
from cellwright.records.task import Task
from cellwright.records.task_reading import read_task

REQUIRED_FILES = ("task.yaml", "sources.csv", "facts.csv", "cells.csv")


@dataclass(frozen=True)
class TaskFolder:
    """Everything a task's folder says. `problems` are the fields that could not be read."""

    task: Task
    sources: tuple[Source, ...] = ()
    facts: tuple[Fact, ...] = ()
    cells: tuple[CellRow, ...] = ()
    searches: tuple[Search, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    corrections: tuple[Correction, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    pilots: tuple[Pilot, ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    tables: Mapping[str, Table] = field(default_factory=dict)
    folder: str = ""

    @cached_property
    def source_by_id(self) -> dict[str, Source]:
        """Sources by id."""
        return {source.id: source for source in self.sources}

    @cached_property
    def locales(self) -> dict[str, str]:
        """How each source writes its numbers, by source id."""
        return {source.id: source.locale for source in self.sources}

    @cached_property
    def fact_by_id(self) -> dict[str, Fact]:
        """Facts by id."""
        return {fact.id: fact for fact in self.facts}

    @cached_property
    def cell_row(self) -> dict[tuple[str, str], CellRow]:
        """What `cells.csv` says, by entity and dimension."""
        return {(row.entity, row.dimension): row for row in self.cells}

    def file(self, name: str) -> str:
        """The path of a file of this folder as messages give it."""
        return f"{self.folder}/{name}" if self.folder else name

    def place(self, row: Row, column: str = "") -> Place:
        """Where a record stands."""
        return Place(self.file(f"{row.table}.csv"), row.line or None, column, row.record)


def read_folder(files: Mapping[str, bytes], folder: str) -> TaskFolder:
    """The task whose files are `files` (name → bytes); `folder` is its path in messages.

    Raises UnreadableInput with every fault of every file that cannot be read at all.
    """
    problems: list[Problem] = []
    task: Task | None = None
    tables: dict[str, Table] = {}
    for name in REQUIRED_FILES:
        if name not in files:
            problems.append(
                Problem(
                    "the file is missing", Place(f"{folder}/{name}"), fix="`cellwright new` writes one to start from"
                )
            )
    if "task.yaml" in files:
        try:
            task = read_task(files["task.yaml"], f"{folder}/task.yaml")
        except UnreadableInput as error:
            problems += error.problems
    for name in TASK_TABLES:
        if f"{name}.csv" in files:
            try:
                tables[name] = read_table(files[f"{name}.csv"], name, f"{folder}/{name}.csv")
            except UnreadableInput as error:
                problems += error.problems
    if task is not None and task.id != folder.rsplit("/", 1)[-1]:
        problems.append(
            Problem(
                "the task's id is not its folder's name",
                task.place("id"),
                seen=task.id,
                expected=folder.rsplit("/", 1)[-1],
                fix="rename the folder or mend `id:`",
            )
        )
    if problems or task is None:
        raise UnreadableInput(problems)
    return folder_of(task, tables, folder)


def folder_of(task: Task, tables: Mapping[str, Table], folder: str) -> TaskFolder:
    """The folder made of a task and its tables as text."""
    records: dict[str, Records[Row]] = {name: records_of(table, TASK_TABLES[name]) for name, table in tables.items()}
    return TaskFolder(
        task,
        **{name: found.rows for name, found in records.items()},  # type: ignore[arg-type]
        problems=tuple(problem for found in records.values() for problem in found.problems),
        warnings=tuple(warning for table in tables.values() for warning in table.warnings),
        tables=dict(tables),
        folder=folder,
    )

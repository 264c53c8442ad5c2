"""`task.yaml` read: every fault told with its line, what is seen and what is expected."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

from cellwright.records.errors import Place, Problem, UnreadableInput, clip
from cellwright.records.suggest import did_you_mean
from cellwright.records.tables import expectation
from cellwright.records.task import Assumption, Check, Dimension, Entity, NearMiss, Override, Scoring, Step, Task
from cellwright.records.yaml_text import Lines, Path, read_yaml


def read_task(data: bytes, file: str) -> Task:
    """The task in `data`, a `task.yaml`; UnreadableInput tells every fault with its line."""
    raw, lines = read_yaml(data, file)
    if not isinstance(raw, dict):
        raise UnreadableInput("the file is not a task", Place(file, 1), expected="`key: value` lines")
    try:
        task = Task.model_validate(raw)
    except ValidationError as error:
        raise UnreadableInput(
            [_problem(fault, file, lines, raw) for fault in error.errors(include_url=False)]
        ) from None
    task.read_from(file, lines)
    problems = list(_reference_problems(task))
    if problems:
        raise UnreadableInput(problems)
    return task


def _problem(fault: Any, file: str, lines: Lines, raw: object) -> Problem:
    path: Path = tuple(fault["loc"])
    near = path
    while near and near not in lines:
        near = near[:-1]
    place = Place(file, lines.get(near), _key(path, raw))
    seen = fault.get("input")
    shown = seen if isinstance(seen, str) else ""
    if fault["type"] == "missing":
        return Problem(f"`{path[-1]}` is missing", place, fix=f"add `{path[-1]}:`")
    if fault["type"] == "extra_forbidden":
        known = _known_keys(path)
        return Problem(
            f"the key `{clip(str(path[-1]), 40)}` is unknown",
            place,
            seen=str(path[-1]),
            expected=f"one of {', '.join(known)}" if known else "",
            fix=did_you_mean(str(path[-1]), known) + "inside {…}, text with a comma, bracket or brace must be quoted",
        )
    what = f"`{clip(str(path[-1]), 40)}` cannot be read"
    if path == ("schema",):
        fix = "`cellwright migrate` tells whether it can be brought to this one"
        return Problem(what, place, seen=shown or repr(seen)[:80], expected=expectation(fault), fix=fix)
    return Problem(what, place, seen=shown or repr(seen)[:80], expected=expectation(fault))


def _key(path: Path, raw: object) -> str:
    """The keys that lead to a value, a member of a list by its id: `dimensions.gross_margin.steps.answer.expr`."""
    names = []
    for part in path:
        try:
            raw = raw[part]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            raw = None
        own = raw.get("id") if isinstance(part, int) and isinstance(raw, dict) else None
        names.append(clip(own if isinstance(own, str) else str(part), 40))
    return ".".join(names)


_MODELS: dict[str, type[BaseModel]] = {
    "entities": Entity,
    "assumptions": Assumption,
    "dimensions": Dimension,
    "steps": Step,
    "near_misses": NearMiss,
    "checks": Check,
    "overrides": Override,
    "scoring": Scoring,
}


def _known_keys(path: Path) -> list[str]:
    names = [part for part in path[:-1] if isinstance(part, str) and part in _MODELS]
    model = _MODELS[names[-1]] if names else Task
    return [info.alias or name for name, info in model.model_fields.items()]


def _reference_problems(task: Task) -> Iterator[Problem]:
    """Repeated ids, and overrides, periods and assumption values of entities that are not there."""
    yield from _repeated(task, "entities", [item.id for item in task.entities])
    yield from _repeated(task, "dimensions", [item.id for item in task.dimensions])
    yield from _repeated(task, "assumptions", [item.id for item in task.assumptions])
    known = set(task.entity_ids)
    for index, dimension in enumerate(task.dimensions):
        path = ("dimensions", index)
        for part, items in (("steps", dimension.steps), ("near_misses", dimension.near_misses)):
            yield from _repeated(task, *path, part, ids=[item.id for item in items])
        for entity in dimension.overrides:
            yield from _unknown_entity(task, known, entity, *path, "overrides", entity)
    for label, dates in task.periods.items():
        for entity in dates:
            if entity != "default":
                yield from _unknown_entity(task, known, entity, "periods", label, entity)
    for index, assumption in enumerate(task.assumptions):
        for entity in assumption.values:
            yield from _unknown_entity(task, known, entity, "assumptions", index, "values", entity)


def _repeated(task: Task, *path: Any, ids: list[str] | None = None) -> Iterator[Problem]:
    if ids is None:
        *path_list, ids = path
        path = tuple(path_list)
    for index, name in enumerate(ids):
        if name in ids[:index]:
            yield Problem(
                f"the id `{name}` stands twice in `{path[-1]}`",
                task.place(*path, index),
                fix="give one of them another name or remove it",
            )


def _unknown_entity(task: Task, known: set[str], entity: str, *path: str | int) -> Iterator[Problem]:
    if entity not in known:
        yield Problem(
            f"the entity `{entity}` is not there",
            task.place(*path),
            seen=entity,
            expected=f"one of {', '.join(sorted(known))}",
            fix=did_you_mean(entity, known),
        )

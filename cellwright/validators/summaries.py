"""A task in short: what is compared with other tasks, small enough to be kept for all tasks at once.

A summary is made from a task's own files alone, without its captures. Packed it takes a few kilobytes.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # comparing summaries needs none of the models that they are made from
    from cellwright.records.folder import TaskFolder
    from cellwright.records.rows import Fact, Source
    from cellwright.records.task import CellSpec, Entity

NOT_COMPARED = ("quarantined", "retired")
"""Tasks of these states are out of the benchmark: what replaced one asks the same and may correct it."""
MAX_PACKED = 64_000_000
"""Bytes of a summary unpacked."""
_NAME = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*")
_CELL = re.compile(r"\bcells\.([a-z][a-z0-9_]*)")
_PEERS = re.compile(r"\b(?:all|others)\.")
_NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class EntityInShort:
    """An entity: its names in plain form, and what identifies it."""

    id: str
    name: str
    plain_names: tuple[str, ...]
    identifiers: tuple[tuple[str, str], ...]
    line: int | None


@dataclass(frozen=True, slots=True)
class Figure:
    """A primary fact: its value with half a unit of the last written digit, as decimal strings, and where from."""

    id: str
    entity: str
    name: str
    dates: str
    value: str
    half: str
    unit: str
    basis: str
    scope: str
    row: str
    pin: str
    url: str
    line: int
    known: tuple[tuple[str, str], ...] = ()
    """Value and half of the other readings of the same thing: witnesses, context, superseded figures."""

    def agrees(self, value: Decimal, half: Decimal) -> bool:
        """Whether the value is the same within what was written."""
        mine = Decimal(self.value)
        return mine == value or abs(mine - value) < Decimal(self.half) + half


@dataclass(frozen=True, slots=True)
class Question:
    """A cell's question: what is asked, for which dates, and how the answer follows."""

    entity: str
    dimension: str
    ask: str
    dates: str
    unit: str
    derivation: str
    names: tuple[str, ...]
    """The facts that the derivation names."""
    assumed: tuple[tuple[str, str], ...]
    """The assumptions that question or derivation name, with their values."""
    peers: bool
    """Whether the answer depends on the task's other entities."""
    line: int | None


@dataclass(frozen=True, slots=True)
class TaskInShort:
    """Whose a task is about, and what is needed to speak of it."""

    task: str
    folder: str
    as_of: str
    compared: bool
    entities: tuple[EntityInShort, ...]
    waivers: tuple[tuple[int, tuple[tuple[str, str], ...]], ...]
    """Line and fields of each waiver."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What of a task is compared with others that are about the same entities."""

    figures: tuple[Figure, ...]
    questions: tuple[Question, ...]


def pack(task: TaskInShort, contents: Contents) -> bytes:
    """Both as bytes; equal ones give equal bytes. Each is read alone: few tasks' contents are ever looked at."""
    head, body = _packed(asdict(task)), _packed(asdict(contents))
    return b"%d\n" % len(head) + head + body


def task_in_short(data: bytes) -> TaskInShort:
    """The first part of what was packed. Raises ValueError for anything else."""
    try:
        raw = _unpacked(_parts(data)[0])
        return TaskInShort(
            raw["task"],
            raw["folder"],
            raw["as_of"],
            raw["compared"],
            tuple(EntityInShort(**_tuples(item)) for item in raw["entities"]),
            tuple((line, tuple((key, text) for key, text in fields)) for line, fields in raw["waivers"]),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no summary of a task: {error}") from None


def contents_of(data: bytes) -> Contents:
    """The second part of what was packed. Raises ValueError for anything else."""
    try:
        raw = _unpacked(_parts(data)[1])
        return Contents(
            tuple(Figure(**_tuples(item)) for item in raw["figures"]),
            tuple(Question(**_tuples(item)) for item in raw["questions"]),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no summary of a task: {error}") from None


def _parts(data: bytes) -> tuple[bytes, bytes]:
    length, mark, rest = data.partition(b"\n")
    if not mark or not length.isdigit() or len(length) > 9:
        raise ValueError("no summary of a task")
    return rest[: int(length)], rest[int(length) :]


def _packed(value: object) -> bytes:
    return zlib.compress(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(), 6)


def _unpacked(data: bytes) -> Any:
    try:
        reader = zlib.decompressobj()
        text = reader.decompress(data, MAX_PACKED)
        if reader.unconsumed_tail or not reader.eof:
            raise ValueError("no whole summary")
        return json.loads(text)
    except (zlib.error, RecursionError) as error:
        raise ValueError(f"no summary of a task: {error}") from None


def _tuples(item: Mapping[str, Any]) -> dict[str, Any]:
    """JSON's lists as the tuples that they were."""
    return {
        key: tuple(tuple(part) if isinstance(part, list) else part for part in value)
        if isinstance(value, list)
        else value
        for key, value in item.items()
    }


def summary_of(folder: TaskFolder) -> bytes:
    """The task in short, packed.

    A figure or question without dates or number is left out: the task's own audit tells of it.
    """
    task = folder.task
    short = TaskInShort(
        task.id,
        folder.folder,
        task.as_of.isoformat(),
        task.status not in NOT_COMPARED,
        tuple(_entity(folder, entity, index) for index, entity in enumerate(task.entities)),
        tuple((waiver.line, tuple(waiver.texts().items())) for waiver in folder.waivers),
    )
    return pack(short, Contents(tuple(_figures(folder)), tuple(_questions(folder))))


def _entity(folder: TaskFolder, entity: Entity, index: int) -> EntityInShort:
    from cellwright.documents.companies import core

    names = sorted({core(name) for name in (entity.name, *entity.aliases)} - {""})
    line = folder.task.place("entities", index).line
    return EntityInShort(entity.id, entity.name, tuple(names), tuple(sorted(entity.identifiers.items())), line)


def _figures(folder: TaskFolder) -> Iterator[Figure]:
    from cellwright.records.derivations import value_and_half
    from cellwright.records.errors import UnreadableInput

    groups: dict[tuple[str, str, str], list[tuple[Fact, Decimal, Decimal]]] = {}
    for fact in folder.facts:
        if fact.entity == "*":  # a task-wide figure has no identity: `inflation` is another country's elsewhere
            continue
        try:
            dates = str(folder.task.calendar.period(fact.period, fact.entity))
        except UnreadableInput:
            continue
        read = value_and_half(fact, folder.locales.get(fact.source) or "en")
        if read is not None:
            groups.setdefault((fact.entity, fact.name, dates), []).append((fact, *read))
    for (entity, name, dates), readings in groups.items():
        for fact, value, half in readings:
            if fact.rank != "primary":
                continue
            source = folder.source_by_id.get(fact.source)
            known = sorted({(str(other), str(width)) for row, other, width in readings if row is not fact})
            place = (fact.basis, fact.scope, _plain(fact.row), *_document(source), fact.line)
            unit = "".join(fact.unit.split())
            yield Figure(fact.id, entity, name, dates, str(value), str(half), unit, *place, tuple(known))


def _document(source: Source | None) -> tuple[str, str]:
    return (source.capture, source.url.partition("#")[0].rstrip("/")) if source else ("", "")


def _questions(folder: TaskFolder) -> Iterator[Question]:
    from cellwright.records.errors import UnreadableInput

    task = folder.task
    names = {fact.name for fact in folder.facts}
    specs = {(spec.entity, spec.dimension): spec for spec in task.cells()}
    for (entity, dimension), spec in specs.items():
        try:
            dates = str(task.calendar.period(spec.period, entity)) if spec.period else ""
        except UnreadableInput:
            continue
        derivation = "; ".join(_steps(specs, spec))
        told = set(_NAME.findall(derivation))
        said = told | set(_NOT_WORD.split(spec.ask.casefold())) | set(spec.ask.split())
        yield Question(
            entity,
            dimension,
            _plain(spec.ask),
            dates,
            "".join(spec.unit.split()),
            derivation,
            tuple(sorted(names & (told | {name.rpartition(".")[0] for name in told}))),
            tuple(
                (item.id, str(item.values.get(entity, item.value)))
                for item in sorted(task.assumptions, key=lambda item: item.id)
                if item.id in said
            ),
            bool(_PEERS.search(derivation)),
            task.place_of(dimension, entity=entity).line,
        )


def _steps(specs: Mapping[tuple[str, str], CellSpec], spec: CellSpec) -> Iterator[str]:
    """The cell's steps as text, those of the other cells that it builds on after them."""
    seen, pending = {spec.dimension}, [spec]
    while pending:
        now = pending.pop(0)
        for step in now.steps if now.answer_type != "not_available" else ():
            expr = "".join(step.expr.split())
            yield f"{step.id}={expr}"
            for name in _CELL.findall(expr):
                other = specs.get((spec.entity, name))
                if other is not None and name not in seen:
                    seen.add(name)
                    pending.append(other)


def _plain(text: str) -> str:
    return _NOT_WORD.sub(" ", text.casefold()).strip()

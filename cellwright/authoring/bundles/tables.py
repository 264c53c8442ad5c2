"""The bundle's tables made from audited tasks: rows of text in the layout of `records.bundle`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from cellwright.records.bundle import TABLE_COLUMNS, Rows, canonical_json, cell_digest, sorted_rows
from cellwright.records.decimals import canonical
from cellwright.records.derivations import CellResult
from cellwright.records.errors import ExpressionError, UnreadableInput
from cellwright.records.fields import write_field
from cellwright.records.folder import TaskFolder
from cellwright.records.rows import CellRow, Row
from cellwright.records.scoring import Rule, rule_json
from cellwright.records.task import CellSpec
from cellwright.validators.answers import Answers
from cellwright.validators.near_misses import CellNearMiss


@dataclass(frozen=True)
class TaskContent:
    """An admitted task with its replayed answers, ready for the bundle."""

    folder: TaskFolder
    answers: Answers
    via: Mapping[str, str] = field(default_factory=dict)
    """How each source's pinned capture came here, by source id."""

    def result(self, spec: CellSpec) -> CellResult:
        """The cell's answer. Raises the error that keeps it from being replayed; an admitted task has none."""
        found = self.answers.results[spec.entity, spec.dimension]
        if isinstance(found, ExpressionError):
            raise found
        return found

    def rule(self, spec: CellSpec) -> Rule:
        """The cell's scoring rule. Raises the error that keeps it from being read."""
        found = self.answers.rules[spec.entity, spec.dimension]
        if isinstance(found, UnreadableInput):
            raise found
        return found

    def near_misses(self, spec: CellSpec) -> Iterator[CellNearMiss]:
        """The near misses of a cell: the curator's, other answers of a divergent one, those of known missteps."""
        key = (spec.entity, spec.dimension)
        yield from self.answers.named_near_misses(key)
        yield from self.answers.missteps(key)


def bundle_tables(contents: Iterable[TaskContent]) -> dict[str, Rows]:
    """Every table of the bundle, sorted, each row with all columns."""
    tables: dict[str, Rows] = {name: [] for name in TABLE_COLUMNS}
    for content in contents:
        tables["tasks"].append(_task_row(content))
        tables["entities"] += _entity_rows(content)
        tables["dimensions"] += _dimension_rows(content)
        tables["sources"] += _source_rows(content)
        tables["facts"] += _fact_rows(content)
        tables["changes"] += _change_rows(content)
        for spec in content.folder.task.cells():
            tables["cells"].append(_cell_row(content, spec))
            tables["steps"] += _step_rows(content, spec)
            tables["near_misses"] += _near_miss_rows(content, spec)
    return {name: sorted_rows(name, rows) for name, rows in tables.items()}


def assumptions_of(content: TaskContent) -> list[dict[str, object]]:
    """The task's assumptions as plain data, numbers as canonical text."""
    return [
        {
            "id": item.id,
            "unit": item.unit,
            "reason": item.reason,
            **(
                {"value": canonical(item.value)}
                if item.value is not None
                else {"values": {entity: canonical(value) for entity, value in sorted(item.values.items())}}
            ),
        }
        for item in content.folder.task.assumptions
    ]


def _task_row(content: TaskContent) -> dict[str, str]:
    task = content.folder.task
    plain = {
        name: write_field(getattr(task, name))
        for name in (
            "title",
            "profile",
            "domain",
            "language",
            "as_of",
            "licence",
            "status",
            "comparability",
            "question",
        )
    }
    return {
        "task": task.id,
        **plain,
        "periods": canonical_json(
            {label: {name: str(period) for name, period in dates.items()} for label, dates in task.periods.items()}
        ),
        "assumptions": canonical_json(assumptions_of(content)),
        "contributors": canonical_json(list(task.contributors)),
    }


def _entity_rows(content: TaskContent) -> Rows:
    task = content.folder.task
    return [
        {
            "task": task.id,
            "entity": entity.id,
            "position": str(position),
            "name": entity.name,
            "aliases": canonical_json(list(entity.aliases)),
            "identifiers": canonical_json(entity.identifiers),
            "currency": entity.currency,
        }
        for position, entity in enumerate(task.entities, 1)
    ]


def _dimension_rows(content: TaskContent) -> Rows:
    task = content.folder.task
    return [
        {
            "task": task.id,
            "dimension": item.id,
            "position": str(position),
            "name": item.name,
            "ask": item.ask,
            "family": item.family,
            "unit": item.unit,
            "period": item.period,
            "answer_type": item.answer_type,
        }
        for position, item in enumerate(task.dimensions, 1)
    ]


def _source_rows(content: TaskContent) -> Rows:
    return [
        {
            "task": content.folder.task.id,
            "source": source.id,
            "sha256": source.capture,
            "via": content.via.get(source.id, ""),
            **_columns(
                source, "url", "title", "publisher", "published", "accessed", "media_type", "tier", "tier_reason"
            ),
        }
        for source in content.folder.sources
    ]


def _fact_rows(content: TaskContent) -> Rows:
    columns = [name for name in TABLE_COLUMNS["facts"] if name not in ("task", "fact")]
    return [
        {"task": content.folder.task.id, "fact": fact.id, **_columns(fact, *columns)} for fact in content.folder.facts
    ]


def _change_rows(content: TaskContent) -> Rows:
    return [
        {
            "task": content.folder.task.id,
            "correction": item.id,
            **_columns(item, "entity", "dimension", "fact", "old", "new", "code", "evidence_url", "released_in"),
        }
        for item in content.folder.corrections
    ]


def _cell_row(content: TaskContent, spec: CellSpec) -> dict[str, str]:
    folder, key = content.folder, (spec.entity, spec.dimension)
    said = folder.cell_row.get(key) or CellRow(entity=spec.entity, dimension=spec.dimension)
    result = content.result(spec)
    verdict = content.answers.verdicts.get(key)
    period = folder.task.calendar.period(spec.period, spec.entity) if spec.period else None
    sources = sorted({folder.fact_by_id[name].source for name in result.inputs if name in folder.fact_by_id})
    low, high = result.interval or (None, None)
    row = {
        "task": folder.task.id,
        "entity": spec.entity,
        "dimension": spec.dimension,
        "family": spec.family,
        "ask": spec.ask,
        "unit": spec.unit,
        "period": spec.period,
        "period_start": write_field(period.start) if period else "",
        "period_end": write_field(period.end) if period else "",
        "answer_type": spec.answer_type,
        "value": write_field(result.value),
        "low": write_field(result.low),
        "high": write_field(result.high),
        "interval_low": write_field(low),
        "interval_high": write_field(high),
        "method": said.method,
        "agreement": verdict.label if verdict else "",
        "reason_code": said.reason_code or "",
        "chosen": said.chosen,
        "rule": rule_json(content.rule(spec)),
        "inputs": canonical_json(sorted(result.inputs)),
        "sources": canonical_json(sources),
        "note": said.note,
    }
    return {**row, "digest": cell_digest(row, assumptions_of(content))}


def _step_rows(content: TaskContent, spec: CellSpec) -> Rows:
    why = {step.id: step.why for step in spec.steps}
    return [
        {
            "task": content.folder.task.id,
            "entity": spec.entity,
            "dimension": spec.dimension,
            "position": str(position),
            "step": step.id,
            "expr": step.expr,
            "why": why.get(step.id, ""),
            "value": write_field(step.value),
            "unit": step.unit,
            "low": write_field(step.low),
            "high": write_field(step.high),
            "inputs": canonical_json(sorted(step.inputs)),
        }
        for position, step in enumerate(content.result(spec).steps, 1)
    ]


def _near_miss_rows(content: TaskContent, spec: CellSpec) -> Rows:
    rows = []
    for item in content.near_misses(spec):
        low, high = item.interval or (None, None)
        rows.append(
            {
                "task": content.folder.task.id,
                "entity": spec.entity,
                "dimension": spec.dimension,
                "near_miss": item.id,
                "origin": item.origin,
                "misstep": item.misstep,
                "value": write_field(item.value),
                "low": write_field(item.low),
                "high": write_field(item.high),
                "interval_low": write_field(low),
                "interval_high": write_field(high),
                "why": item.why,
                "indistinguishable": "yes" if item.indistinguishable else "",
                "inputs": canonical_json(sorted(item.facts)),
            }
        )
    return rows


def _columns(row: Row, *names: str) -> dict[str, str]:
    return {name: write_field(getattr(row, name)) for name in names}

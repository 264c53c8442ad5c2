"""Condition 4, printed: the documents themselves are asked whether what is not available stands in them after all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from cellwright.documents.labels import level, without_figures
from cellwright.documents.locate import Located
from cellwright.documents.wanted import Wanted
from cellwright.records.errors import UnreadableInput
from cellwright.records.findings import Condition
from cellwright.records.periods import Period
from cellwright.records.rows import Fact, Source
from cellwright.records.task import CellSpec
from cellwright.validators.context import AuditContext
from cellwright.validators.lint import own_names
from cellwright.validators.registry import Hit, rule

MAX_LABELS = 12
"""Ways in which the other entities' documents call one figure that are looked for."""


@dataclass(frozen=True)
class _Printed:
    """A figure found in a document."""

    name: str
    source: str
    found: Located


@rule(
    "C4-ABSENT-PRINTED",
    Condition.RECONCILED,
    title="What is not available is not printed in the entity's own T1 or T2 documents.",
)
def absent_figures_are_not_printed(context: AuditContext) -> Iterator[Hit]:
    """Not-available cells of which every input stands in a captured document, in a row that bears the label that other
    entities' documents give it, for the cell's period and at whatever scale the document has."""
    absent = [spec for spec in context.specs.values() if spec.answer_type == "not_available"]
    labels = _labels(context) if absent else {}
    documents = _documents(context) if absent else {}
    for spec in absent:
        printed = _printed(context, spec, labels, documents.get(spec.entity, []))
        if printed:
            first = printed[0]
            yield context.hit_at_cell(
                spec.entity,
                spec.dimension,
                "answer_type",
                f"not available, while `{first.source}` prints {first.found.as_written} in its row `{first.found.row}`",
                "a figure that no T1 or T2 document gives",
                "answer the cell, or waive and say why this row is something else",
            )


def _printed(
    context: AuditContext, spec: CellSpec, labels: dict[str, dict[str, str]], documents: list[Source]
) -> list[_Printed]:
    """Where each input stands that no fact of the entity tells; nothing where one of them stands nowhere."""
    steps = spec.steps or next(item.steps for item in context.task.dimensions if item.id == spec.dimension)
    known = {step.id for step in steps} | {assumption.id for assumption in context.task.assumptions}
    told = _told(context, spec.entity)
    found = []
    for name, label, back in sorted(own_names(steps, known)):
        period = _period(context, label or spec.period, spec.entity, back)
        if period is None:
            return []
        if (name, period.end) in told:
            continue
        place = _find(context, spec.entity, name, period, labels.get(name, {}), documents)
        if place is None:
            return []
        found.append(place)
    return found


def _told(context: AuditContext, entity: str) -> set[tuple[str, object]]:
    """The names and last days of the figures that facts tell, whatever source they have."""
    return {
        (fact.name, period.end)
        for fact in context.folder.facts
        if fact.entity in (entity, "*") and isinstance(period := context.periods[fact.id], Period)
    }


def _find(
    context: AuditContext, entity: str, name: str, period: Period, labels: dict[str, str], documents: list[Source]
) -> _Printed | None:
    item = next(item for item in context.task.entities if item.id == entity)
    names = (item.name, *item.aliases, *item.identifiers.values())
    for source in documents:
        locator = context.evidence[source.id].locator
        if locator is None:
            continue
        for label, unit in labels.items():
            wanted = Wanted(
                id=f"{entity}.{name}",
                entity=entity,
                entity_names=names,
                name=name,
                period_start=period.start,
                period_end=period.end,
                unit=unit,
                row=label,
                locale=source.locale or "en",
            )
            found = locator.locate(wanted)
            same = level(label, found.row.rpartition(" > ")[2]) in (0, 1)
            if found.status == "exact" and same and found.value_read:
                return _Printed(name, source.id, found)
    return None


def _labels(context: AuditContext) -> dict[str, dict[str, str]]:
    """How documents call each figure, with its unit: the rows that facts of that name are read from."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for fact in context.folder.facts:
        label = (fact.row or _before(fact)).rpartition(" > ")[2].strip(" :–—-")
        if fact.rank in ("primary", "witness") and 3 < len(label) <= 120 and len(found[fact.name]) < MAX_LABELS:
            found[fact.name].setdefault(label, fact.unit)
    return found


def _before(fact: Fact) -> str:
    """The words of a quote before its figure."""
    before, figure, _ = fact.quote.partition(fact.as_written) if fact.as_written else (fact.quote, "", "")
    return without_figures(before) if figure else ""


def _documents(context: AuditContext) -> dict[str, list[Source]]:
    """The T1 and T2 documents of each entity that speak of no other: a row of a shared table is anybody's."""
    cited: dict[str, set[str]] = defaultdict(set)
    for fact in context.folder.facts:
        cited[fact.source].add(fact.entity)
    found: dict[str, list[Source]] = defaultdict(list)
    for source in context.folder.sources:
        evidence = context.evidence.get(source.id)
        entities = cited[source.id]
        if len(entities) == 1 and source.tier in ("T1", "T2") and evidence is not None and evidence.usable:
            found[next(iter(entities))].append(source)
    return found


def _period(context: AuditContext, label: str, entity: str, back: int) -> Period | None:
    calendar = context.task.calendar
    try:
        for _ in range(back):
            label = calendar.year_before(label, entity)
        return calendar.period(label, entity)
    except UnreadableInput:  # C1-PERIOD-UNREADABLE or C3-REPLAY tells it
        return None

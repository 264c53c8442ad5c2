"""What a fact asks of its document: the fact of a task as `locate` looks for it."""

from __future__ import annotations

from cellwright.documents.wanted import Wanted
from cellwright.records.folder import TaskFolder
from cellwright.records.periods import Period
from cellwright.records.rows import Fact


def wanted_of(folder: TaskFolder, fact: Fact) -> Wanted:
    """What is looked for: the fact with its entity's names and its period's dates. UnreadableInput for no dates."""
    task = folder.task
    entity = next((item for item in task.entities if item.id == fact.entity), None)
    names = (entity.name, *entity.aliases, *entity.identifiers.values()) if entity else ()
    period: Period = task.calendar.period(fact.period, fact.entity)
    source = folder.source_by_id.get(fact.source)
    return Wanted(
        id=fact.id,
        entity=fact.entity,
        entity_names=names,
        name=fact.name,
        period_start=period.start,
        period_end=period.end,
        as_written=fact.as_written,
        value=fact.value,
        scale=fact.scale,
        sign=fact.sign or "",
        unit=fact.unit,
        quote=fact.quote,
        prefix=fact.prefix,
        suffix=fact.suffix,
        page=fact.page,
        row=fact.row,
        column=fact.column,
        locator=fact.locator,
        label=fact.period if fact.period in task.periods else "",
        locale=(source.locale if source else "") or "en",
    )

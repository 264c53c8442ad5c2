"""A bundle's tables and its audit as the evidence page shows them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from cellwright.records.decimals import CONTEXT
from cellwright.records.findings import TaskAudit
from cellwright.views import numbers
from cellwright.views.evidence_cell import TaskParts, cell_view
from cellwright.views.evidence_facts import Findings, source_view
from cellwright.views.evidence_model import CellView, Head, PageView, Pairs, TaskView
from cellwright.views.finding_view import (
    FindingView,
    condition_views,
    count_words,
    difficulty,
    finding_view,
    open_findings,
    summary,
    waived_findings,
    witnesses,
)
from cellwright.views.labels import LABEL_WORDS, TIER_WORDS, words
from cellwright.views.safe import anchor
from cellwright.views.tables import Bundle, Row, bundle_of, cell_key, json_list, json_value


def page_view(
    tables: Mapping[str, Iterable[Row]], sections: Iterable[str], name: str, version: str, canary: str = ""
) -> PageView:
    """Everything the evidence page prints around the `sections`, one a task, that are made already."""
    bundle = bundle_of(tables)
    counts = (
        ("task", len(bundle.tasks)),
        ("cell", len(bundle.cells)),
        ("source", len(bundle.sources)),
        ("fact", len(bundle.facts)),
        ("step", sum(map(len, bundle.steps.values()))),
    )
    return PageView(
        name,
        version,
        tuple((_plural(word, count), f"{count:,}") for word, count in counts),
        tuple((anchor(row.get("task", "")), row.get("title", "") or row.get("task", "")) for row in bundle.tasks),
        tuple(sections),
        _tiers(bundle.sources.values()),
        _density(bundle, list(bundle.cells.values())),
        canary,
    )


def task_views(tables: Mapping[str, Iterable[Row]], audits: Iterable[TaskAudit]) -> Iterator[TaskView]:
    """What the page prints of each task, in the order of the table of tasks."""
    bundle = bundle_of(tables)
    by_task = {audit.task: audit for audit in audits}
    for row in bundle.tasks:
        yield _task_view(row, bundle, by_task.get(row.get("task", "")))


def _task_view(row: Row, bundle: Bundle, audit: TaskAudit | None) -> TaskView:
    task = row.get("task", "")
    findings = _findings_by_record(audit)
    entities, dimensions = bundle.entities.get(task, ()), bundle.dimensions.get(task, ())
    sources = {key[1]: source_view(found, findings) for key, found in bundle.sources.items() if key[0] == task}
    parts = TaskParts(
        bundle,
        {item.get("entity", ""): item.get("name", "") for item in entities},
        {item.get("dimension", ""): item.get("name", "") for item in dimensions},
        {item.get("dimension", ""): item.get("unit", "") for item in dimensions},
        sources,
        findings,
        {item.cell: item.says for item in audit.agreement} if audit else {},
    )
    cells = {key: cell_view(found, parts) for key, found in bundle.cells.items() if key[0] == task}
    rows = tuple(
        (
            _entity_head(item, findings),
            tuple(cells.get((task, item.get("entity", ""), column.get("dimension", ""))) for column in dimensions),
        )
        for item in entities
    )
    found = [bundle.cells[key] for key in cells]
    return TaskView(
        id=task,
        anchor=anchor(task),
        title=row.get("title", "") or task,
        question=row.get("question", ""),
        about=_about(row),
        assumptions=_assumptions(row, parts.entities),
        dimensions=tuple(_dimension_head(item, findings) for item in dimensions),
        rows=rows,
        cells=_in_order(cells, rows),
        sources=tuple(sorted(sources.values(), key=lambda source: source.id)),
        tiers=_tiers(item for key, item in bundle.sources.items() if key[0] == task),
        labels=_labels(cells.values()),
        density=_density(bundle, found),
        audited=audit is not None,
        admitted=audit is not None and audit.admitted,
        summary=summary(audit) if audit else "",
        conditions=condition_views(audit) if audit else (),
        findings=tuple(map(finding_view, open_findings(audit))) if audit else (),
        waived=tuple(map(finding_view, waived_findings(audit))) if audit else (),
        difficulty=difficulty(audit) if audit else "",
        witnesses=witnesses(audit) if audit else "",
    )


def _in_order(
    cells: Mapping[tuple[str, str, str], CellView], rows: Iterable[tuple[Head, Sequence[CellView | None]]]
) -> tuple[CellView, ...]:
    """The cells as the matrix has them, then any whose row or column is not there."""
    placed = [cell for _, row in rows for cell in row if cell is not None]
    known = {cell.id for cell in placed}
    return (*placed, *(cell for cell in cells.values() if cell.id not in known))


def _findings_by_record(audit: TaskAudit | None) -> Findings:
    """The standing findings by the record they are about."""
    found: dict[str, list[FindingView]] = defaultdict(list)
    for finding in open_findings(audit) if audit else ():
        found[finding.record].append(finding_view(finding))
    found.pop("", None)
    return {record: tuple(items) for record, items in found.items()}


def _entity_head(row: Row, findings: Findings) -> Head:
    entity, name = row.get("entity", ""), row.get("name", "")
    return Head(entity, name or entity, row.get("currency", ""), findings=findings.get(entity, ()))


def _dimension_head(row: Row, findings: Findings) -> Head:
    dimension, name = row.get("dimension", ""), row.get("name", "")
    return Head(
        dimension,
        name or dimension,
        row.get("period", ""),
        row.get("family", ""),
        numbers.unit_label(row.get("unit", "")),
        findings.get(dimension, ()),
    )


def _about(row: Row) -> Pairs:
    """What is worth knowing of the task, in words."""
    comparability = row.get("comparability", "")
    pairs = (
        ("as of", row.get("as_of", "")),
        ("licence", row.get("licence", "")),
        ("status", row.get("status", "")),
        ("domain", words(row.get("domain", ""))),
        ("profile", row.get("profile", "")),
        ("language", row.get("language", "")),
        ("contributors", ", ".join(json_list(row.get("contributors", "")))),
        ("comparability", comparability if comparability not in ("", "1") else ""),
    )
    return tuple((label, text) for label, text in pairs if text)


def _assumptions(row: Row, names: Mapping[str, str]) -> tuple[tuple[str, str, str], ...]:
    value = json_value(row.get("assumptions", ""))
    shown = []
    for item in value if isinstance(value, list) else []:
        if not isinstance(item, dict):
            continue
        unit = str(item.get("unit") or "")
        values = item.get("values")
        if isinstance(values, dict) and values:
            amount = "; ".join(
                f"{names.get(key, key)}: {numbers.amount_of(str(each), unit)}" for key, each in values.items()
            )
        else:
            amount = numbers.exact_of(str(item.get("value") or ""), unit)
        shown.append((str(item.get("id", "")), amount, str(item.get("reason") or "")))
    return tuple(shown)


def _tiers(sources: Iterable[Row]) -> Pairs:
    """How many sources of each tier: `T1 primary disclosure`, `11 of 12`."""
    count = Counter(row.get("tier", "") if row.get("tier", "") in TIER_WORDS else "" for row in sources)
    total = sum(count.values())
    return tuple(
        (f"{tier} {TIER_WORDS[tier]}" if tier else "no tier given", f"{count[tier]:,} of {total:,}")
        for tier in (*TIER_WORDS, "")
        if count[tier]
    )


def _labels(cells: Iterable[CellView]) -> Pairs:
    """How many cells bear each label, by the label's code."""
    count = Counter(cell.label for cell in cells)
    return tuple((label, f"{count[label]:,}") for label in LABEL_WORDS if count[label])


def _density(bundle: Bundle, cells: Sequence[Row]) -> Pairs:
    """What a cell rests on, on average: addresses, publishers, facts and steps (design, section 7)."""
    if not cells:
        return ()
    totals: Counter[str] = Counter()
    for row in cells:
        task = row.get("task", "")
        sources = [
            found for source in set(json_list(row.get("sources", ""))) if (found := bundle.sources.get((task, source)))
        ]
        totals["addresses"] += len({found.get("url", "") for found in sources})
        totals["publishers"] += len({found.get("publisher", "") for found in sources})
        totals["facts"] += len(set(json_list(row.get("inputs", ""))))
        totals["steps"] += len(bundle.steps.get(cell_key(row), ()))
    return tuple(
        (f"{label} a cell", _mean(totals[label], len(cells))) for label in ("addresses", "publishers", "facts", "steps")
    )


def _plural(word: str, count: int) -> str:
    return count_words(count, word).rpartition(" ")[2]


def _mean(total: int, count: int) -> str:
    return f"{CONTEXT.divide(Decimal(total), Decimal(count)).quantize(Decimal('0.1'), context=CONTEXT)}"

"""One cell of a bundle as the evidence page shows it: answer, steps, facts, near misses, rule, findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cellwright.records.missteps import MISSTEPS
from cellwright.views import numbers
from cellwright.views.evidence_facts import Findings, fact_view
from cellwright.views.evidence_model import CellView, FactView, NearMissView, SourceView, StepView
from cellwright.views.finding_view import FindingView
from cellwright.views.labels import LABEL_WORDS, label_of, words
from cellwright.views.safe import anchor
from cellwright.views.scoring_words import rule_lines
from cellwright.views.tables import Bundle, CellKey, Row, cell_key, json_list, reading_key


@dataclass(frozen=True)
class TaskParts:
    """What the cells of one task need of it."""

    bundle: Bundle
    entities: Mapping[str, str]
    """Names by id."""
    dimensions: Mapping[str, str]
    """Names by id."""
    units: Mapping[str, str]
    """Units by dimension."""
    sources: Mapping[str, SourceView]
    findings: Findings = field(default_factory=dict)
    witnesses: Mapping[str, str] = field(default_factory=dict)
    """What the witnesses say, by `entity/dimension`."""


def cell_view(row: Row, parts: TaskParts) -> CellView:
    """The cell as its place in the matrix and its section show it."""
    task, entity, dimension = key = cell_key(row)
    place = anchor(task, entity, dimension)
    unit, kind = row.get("unit", ""), row.get("answer_type", "")
    facts, others = _facts(row, place, parts)
    label = label_of(kind, row.get("agreement", ""))
    near = _near_misses(key, row, parts)
    return CellView(
        id=f"{entity}/{dimension}",
        anchor=place,
        entity=parts.entities.get(entity, entity),
        dimension=parts.dimensions.get(dimension, dimension),
        ask=row.get("ask", ""),
        family=row.get("family", ""),
        period=_period(row),
        answer_type=words(kind),
        answer=answer_of(row),
        exact=_exact(row),
        interval=_interval(row),
        method=row.get("method", ""),
        label=label,
        label_words=LABEL_WORDS[label],
        reason=words(row.get("reason_code", "")),
        chosen=row.get("chosen", ""),
        note=row.get("note", ""),
        stand_in=any(fact.source is not None and fact.source.stand_in for fact in (*facts, *others)),
        steps=_steps(key, parts, {fact.id: fact for fact in (*facts, *others)}),
        facts=facts,
        others=others,
        near_misses=tuple(miss for miss in near if not miss.computed),
        missteps=tuple(miss for miss in near if miss.computed),
        rule=rule_lines(row.get("rule", ""), kind, unit),
        digest=row.get("digest", ""),
        findings=_findings(row, facts, parts),
        unit=numbers.unit_label(unit),
        brief=_brief(row, parts.units.get(dimension, "")),
        witnesses=parts.witnesses.get(f"{entity}/{dimension}", ""),
    )


def answer_of(row: Row, *, compact: bool = False) -> str:
    """The reference answer in human form: `28,479 CNY/vehicle`, `2.9 to 6.1 %`, `not available (paywalled)`.

    `compact`: large amounts in billions and no unit, as the matrix shows it.
    """
    unit, kind = row.get("unit", ""), row.get("answer_type", "")
    if kind == "not_available":
        reason = words(row.get("reason_code", ""))
        return "not available" if compact or not reason else f"not available ({reason})"
    if kind == "range":
        low, high = row.get("low", ""), row.get("high", "")
        return numbers.compact_spread_of(low, high, unit) if compact else numbers.spread_of(low, high, unit)
    return numbers.compact_of(row.get("value", ""), unit) if compact else numbers.amount_of(row.get("value", ""), unit)


def _brief(row: Row, unit_in_head: str) -> str:
    """The answer as the matrix shows it; its unit where it is one sign, or not the one in the column's head."""
    text, unit = answer_of(row, compact=True), row.get("unit", "")
    alone = row.get("answer_type") != "not_available" and (unit != unit_in_head or unit in numbers.SIGNS)
    return numbers.with_unit(text, unit) if alone else text


def _exact(row: Row) -> str:
    """The published value, every digit; nothing where there is none."""
    unit = row.get("unit", "")
    if row.get("answer_type") == "range":
        ends = [numbers.exact_of(row.get(end, ""), "") for end in ("low", "high")]
        return numbers.with_unit(" to ".join(ends), unit) if all(ends) else ""
    return numbers.exact_of(row.get("value", ""), unit) if row.get("value") else ""


def _interval(row: Row) -> str:
    low, high = row.get("interval_low", ""), row.get("interval_high", "")
    return numbers.interval_of(low, high, row.get("unit", "")) if low and high and low != high else ""


def _period(row: Row) -> str:
    """`FY2023 (2023-01-30 to 2024-01-28)`, as much of it as the row tells."""
    label, start, end = row.get("period", ""), row.get("period_start", ""), row.get("period_end", "")
    dates = f"{start} to {end}" if start and end else end
    return f"{label} ({dates})" if label and dates and label != dates else label or dates


def _facts(row: Row, place: str, parts: TaskParts) -> tuple[tuple[FactView, ...], tuple[FactView, ...]]:
    """The facts that the answer rests on, and the other readings of the same figures."""
    task = row.get("task", "")
    inputs = list(dict.fromkeys(json_list(row.get("inputs", ""))))
    rows = [found for fact in inputs if (found := parts.bundle.facts.get((task, fact)))]
    near = [other for found in rows for other in parts.bundle.readings.get(reading_key(found), ())]
    wanted = [*near, row.get("chosen", "")]
    others = [
        found
        for fact in dict.fromkeys(wanted)
        if fact not in inputs and (found := parts.bundle.facts.get((task, fact)))
    ]

    def show(found: Row) -> FactView:
        return fact_view(found, place, parts.entities, parts.sources, parts.findings, row.get("chosen", ""))

    return tuple(map(show, rows)), tuple(map(show, others))


def _steps(key: CellKey, parts: TaskParts, facts: Mapping[str, FactView]) -> tuple[StepView, ...]:
    rows = parts.bundle.steps.get(key, ())
    shown = []
    for row in rows:
        unit, value = row.get("unit", ""), row.get("value", "")
        low, high = row.get("low", ""), row.get("high", "")
        human, exact = numbers.amount_of(value, unit), numbers.exact_of(value, unit)
        shown.append(
            StepView(
                id=row.get("step", ""),
                expr=row.get("expr", ""),
                why=row.get("why", ""),
                value=human,
                exact=exact if exact != human else "",
                interval=numbers.interval_of(low, high, unit) if low and high and low != high else "",
                uses=tuple(_use(name, facts, key[0]) for name in json_list(row.get("inputs", ""))),
                is_answer=row.get("step") in ("answer", "low", "high"),
            )
        )
    return tuple(shown)


def _use(name: str, facts: Mapping[str, FactView], task: str) -> tuple[str, str]:
    """A name that a step computes on, and where it stands on the page (nothing where it does not)."""
    kind, colon, rest = name.partition(":")
    if kind == "fact" and rest in facts:
        return rest, facts[rest].anchor
    if kind == "cell" and rest.count("/") in (1, 2):
        return rest, anchor(task, *rest.split("/")[:2])
    return (rest if colon else name), ""


def _near_misses(key: CellKey, cell: Row, parts: TaskParts) -> tuple[NearMissView, ...]:
    unit, reference = cell.get("unit", ""), numbers.read(cell.get("value", ""))
    shown = []
    for row in parts.bundle.near_misses.get(key, ()):
        text, low, high = (row.get(column, "") for column in ("value", "low", "high"))
        value = numbers.read(text)
        far = numbers.distance(value, reference) if value is not None and reference is not None else ""
        computed, name = row.get("origin", "") == "computed", row.get("misstep", "")
        shown.append(
            NearMissView(
                MISSTEPS.get(name, words(name)) if computed else words(row.get("near_miss", "")),
                row.get("why", ""),
                numbers.amount_of(text, unit) if text else numbers.spread_of(low, high, unit),
                far,
                row.get("indistinguishable", "") == "yes",
                computed,
            )
        )
    return tuple(shown)


def _findings(row: Row, facts: tuple[FactView, ...], parts: TaskParts) -> tuple[FindingView, ...]:
    """What the audit says of the cell and of the facts that it rests on; of sources it is said at the source."""
    own = parts.findings.get(f"{row.get('entity', '')}/{row.get('dimension', '')}", ())
    return (*own, *(finding for fact in facts for finding in fact.findings))

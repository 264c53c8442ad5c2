"""Condition 4, reconciled: the label is what the witnesses give, and a cell says what was chosen or sought."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import get_args

from cellwright.records.fields import AbsenceReason, DivergenceReason
from cellwright.records.findings import Condition
from cellwright.records.periods import Period
from cellwright.records.rows import CellRow
from cellwright.records.task import CellSpec
from cellwright.validators.agreement import Verdict
from cellwright.validators.context import AuditContext
from cellwright.validators.lint import own_names
from cellwright.validators.reasons import unsupported
from cellwright.validators.registry import Hit, rule

C4 = Condition.RECONCILED
_DIVERGENCE, _ABSENCE = get_args(DivergenceReason), get_args(AbsenceReason)


def _judged(context: AuditContext) -> Iterator[tuple[CellSpec, CellRow | None, Verdict]]:
    """The answered cells with what `cells.csv` says of them, if anything, and the witnesses' verdict."""
    for (entity, dimension), verdict in context.answers.verdicts.items():
        yield context.specs[entity, dimension], context.folder.cell_row.get((entity, dimension)), verdict


def _absent(context: AuditContext) -> Iterator[CellSpec]:
    for spec in context.specs.values():
        if spec.answer_type == "not_available":
            yield spec


@rule("C4-LABEL-MISSING", C4, needs="answers", draft="warning", title="Every answered cell has its label.")
def cells_have_labels(context: AuditContext) -> Iterator[Hit]:
    """Cells without a label, with the one that the witnesses give."""
    for _, row, verdict in _judged(context):
        if row is not None and row.agreement is None:
            yield context.cell_hit(
                row,
                "agreement",
                "nothing",
                f"{verdict.label} ({verdict.says()})",
                f"`cellwright derive {context.task.id} --write` fills it",
            )


@rule("C4-LABEL-WRONG", C4, needs="answers", title="The label is what the witnesses give.")
def labels_are_what_witnesses_give(context: AuditContext) -> Iterator[Hit]:
    """Cells whose label differs from the witnesses' verdict."""
    for _, row, verdict in _judged(context):
        if row is not None and row.agreement is not None and row.agreement != verdict.label:
            yield context.cell_hit(
                row,
                "agreement",
                f"{row.agreement}, while {verdict.says()}",
                verdict.label,
                "mend the label, or the rank of the facts",
            )


@rule("C4-LABEL-ON-ABSENT", C4, title="A cell that is not available has no label.")
def absent_cells_have_no_label(context: AuditContext) -> Iterator[Hit]:
    """Not-available cells with a label: there is nothing that witnesses could agree on."""
    for spec in _absent(context):
        row = context.folder.cell_row.get((spec.entity, spec.dimension))
        if row is not None and row.agreement is not None:
            yield context.cell_hit(row, "agreement", row.agreement, "nothing", "empty the label")


def _divergent(context: AuditContext) -> Iterator[tuple[CellRow, Verdict]]:
    for _, row, verdict in _judged(context):
        if row is not None and verdict.label == "divergent":
            yield row, verdict


@rule("C4-CHOSEN-MISSING", C4, needs="answers", draft="warning", title="A divergent cell says which figure was chosen.")
def divergent_cells_name_the_chosen(context: AuditContext) -> Iterator[Hit]:
    """Divergent cells without `chosen`."""
    for row, verdict in _divergent(context):
        if not row.chosen:
            taken = verdict.diverging[0].replaces
            yield context.cell_hit(
                row,
                "chosen",
                "nothing",
                f"`{taken}`" if taken else "the fact taken",
                f"`{verdict.diverging[0].fact}` gives another answer: name the fact that was taken",
            )


@rule("C4-CHOSEN-NOT-TAKEN", C4, needs="answers", title="The chosen figure is one that the answer rests on.")
def the_chosen_is_taken(context: AuditContext) -> Iterator[Hit]:
    """Divergent cells whose `chosen` is another fact than those in dispute that the answer takes."""
    for row, verdict in _divergent(context):
        taken = sorted({other.replaces for other in verdict.diverging if other.replaces})
        if row.chosen and taken and row.chosen not in taken:
            yield context.cell_hit(
                row,
                "chosen",
                row.chosen,
                " or ".join(f"`{name}`" for name in taken),
                "name the primary fact, or rank the chosen one primary",
            )


@rule(
    "C4-REASON-MISSING", C4, needs="answers", draft="warning", title="A divergent cell says why its witnesses differ."
)
def divergent_cells_have_a_reason(context: AuditContext) -> Iterator[Hit]:
    """Divergent cells without a reason code."""
    for row, verdict in _divergent(context):
        if row.reason_code is None:
            yield context.cell_hit(
                row,
                "reason_code",
                "nothing",
                f"one of {', '.join(_DIVERGENCE)}",
                f"`{verdict.diverging[0].fact}` gives another answer: say why",
            )


@rule(
    "C4-NOTE-MISSING", C4, needs="answers", draft="warning", title="A divergent cell says why this figure was chosen."
)
def divergent_cells_have_a_note(context: AuditContext) -> Iterator[Hit]:
    """Divergent cells without a note."""
    for row, _ in _divergent(context):
        if not row.note:
            yield context.cell_hit(row, "note", "nothing", "why this figure and not the other")


@rule("C4-REASON-KIND", C4, needs="answers", title="The reason code fits the cell.")
def reasons_fit_their_cells(context: AuditContext) -> Iterator[Hit]:
    """Reasons of absence in a divergent cell, and any reason where witnesses do not differ."""
    for _, row, verdict in _judged(context):
        if row is None or row.reason_code is None:
            continue
        if verdict.label != "divergent":
            yield context.cell_hit(
                row, "reason_code", row.reason_code, f"nothing in a {verdict.label} cell", "empty it, or mend the label"
            )
        elif row.reason_code not in _DIVERGENCE:
            yield context.cell_hit(row, "reason_code", row.reason_code, f"one of {', '.join(_DIVERGENCE)}")


@rule("C4-REASON-UNSUPPORTED", C4, needs="answers", title="The evidence bears the reason for a divergence out.")
def reasons_are_supported(context: AuditContext) -> Iterator[Hit]:
    """Reasons that nothing bears out: a restatement of one date, one scope, a gap too wide for rounding, an error that
    nobody shows."""
    for row, verdict in _divergent(context):
        because = [unsupported(context, row, other) for other in verdict.diverging]
        if row.reason_code is not None and because and all(because):
            yield context.cell_hit(
                row, "reason_code", f"{row.reason_code}, while {because[0]}", "a reason that the facts bear out"
            )


@rule("C4-ABSENCE-REASON", C4, draft="warning", title="A cell that is not available says why.")
def absent_cells_have_a_reason(context: AuditContext) -> Iterator[Hit]:
    """Not-available cells without a reason code of absence."""
    for spec in _absent(context):
        row = context.folder.cell_row.get((spec.entity, spec.dimension))
        if row is not None and row.reason_code not in _ABSENCE:
            yield context.cell_hit(row, "reason_code", row.reason_code or "nothing", f"one of {', '.join(_ABSENCE)}")


@rule(
    "C4-SEARCH-MISSING",
    C4,
    needs="answers",
    draft="warning",
    title="Not-available and single-witness cells say where was looked.",
)
def lonely_cells_name_searches(context: AuditContext) -> Iterator[Hit]:
    """Cells that are not available or have one witness, and no line of `searches.csv`."""
    searched = {(search.entity, search.dimension) for search in context.folder.searches}
    cells = [(spec, "not available") for spec in _absent(context)]
    cells += [(spec, "single") for spec, _, verdict in _judged(context) if verdict.label == "single"]
    for spec, kind in cells:
        keys = {(entity, dimension) for entity in (spec.entity, "*") for dimension in (spec.dimension, "*")}
        if not keys & searched:
            place = context.place_in("searches", record=spec.id)
            yield Hit(
                place,
                f"no search for a cell that is {kind}",
                "a line that says where was looked",
                "add entity, dimension, query or url, date and outcome; * stands for all",
                spec.entity,
                spec.dimension,
            )


@rule("C4-SEARCH-INCOMPLETE", C4, severity="warning", title="Every search says where, when and with what outcome.")
def searches_are_complete(context: AuditContext) -> Iterator[Hit]:
    """Searches that nobody could repeat."""
    for search in context.folder.searches:
        lacking = tuple(
            name
            for name, there in (
                ("query", search.query or search.url),
                ("date", search.date),
                ("outcome", search.outcome),
            )
            if not there
        )
        if lacking:
            yield Hit(
                context.folder.place(search, lacking[0]),
                f"no {', no '.join(lacking)}",
                "query or url, date and outcome",
                "",
                search.entity,
                search.dimension,
                lacking,
            )


@rule("C4-WITNESS-SAME-PLACE", C4, severity="warning", title="A witness is another reading than the primary.")
def witnesses_are_other_readings(context: AuditContext) -> Iterator[Hit]:
    """Witnesses read from the same words of the same source as their primary fact."""
    for facts in context.readings_of_one_thing.values():
        places = {(fact.source, fact.quote): fact.id for fact in facts if fact.rank == "primary" and fact.quote}
        for fact in facts:
            primary = places.get((fact.source, fact.quote))
            if fact.rank == "witness" and primary is not None:
                yield context.fact_hit(
                    fact,
                    "source",
                    f"the same words as `{primary}`",
                    "another document",
                    "remove it, or read it from another source",
                )


@rule("C4-ABSENT-FOUND", C4, title="What is not available does not stand in T1 or T2 evidence after all.")
def absent_figures_are_not_there(context: AuditContext) -> Iterator[Hit]:
    """Not-available cells whose every input, or whose answer itself, is a fact from a T1 or T2 source."""
    base = {dimension.id: dimension for dimension in context.task.dimensions}
    assumptions = {assumption.id for assumption in context.task.assumptions}
    absent = list(_absent(context))
    strong = _strong_facts(context, {"*", *(spec.entity for spec in absent)}) if absent else {}
    for spec in absent:
        steps = spec.steps or base[spec.dimension].steps
        end = context.day_of(spec.period, spec.entity)
        stated = strong.get((spec.entity, spec.dimension), {}).get(end)
        facts = []
        for name, label, back in sorted(own_names(steps, {step.id for step in steps} | assumptions)):
            known = strong.get((spec.entity, name)) or strong.get(("*", name)) or {}
            facts.append(known.get(context.day_of(label or spec.period, spec.entity, back)))
        found = [stated] if stated else facts
        if found and all(found):
            names = ", ".join(f"`{name}`" for name in dict.fromkeys(found) if name)
            yield context.hit_at_cell(
                spec.entity,
                spec.dimension,
                "answer_type",
                f"not available, while {names} stands in T1 or T2 evidence",
                "an answer, or evidence that is of something else",
                "answer the cell, or mend the name, period or rank of the fact",
            )


def _strong_facts(context: AuditContext, entities: set[str]) -> dict[tuple[str, str], dict[date | None, str]]:
    """By entity and name: the last day of each period for which a T1 or T2 source tells a figure, and the fact."""
    found: dict[tuple[str, str], dict[date | None, str]] = {}
    for fact in context.folder.facts:
        if fact.entity not in entities:
            continue
        source = context.folder.source_by_id.get(fact.source)
        period = context.periods[fact.id]
        told = fact.rank not in ("trap", "superseded") and source is not None and source.tier in ("T1", "T2")
        if told and isinstance(period, Period):
            found.setdefault((fact.entity, fact.name), {}).setdefault(period.end, fact.id)
    return found

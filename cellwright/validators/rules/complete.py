"""Condition 1, complete: every cell, the family split of the profile, every field, ids resolve."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cellwright.records.findings import Condition
from cellwright.records.names import person_keys
from cellwright.records.periods import Period
from cellwright.records.rows import Row
from cellwright.records.suggest import did_you_mean
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, hit_of, rule
from cellwright.validators.waiving import idle_hit, is_complete, is_expired

C1 = Condition.COMPLETE


@rule("C1-FIELD-UNREADABLE", C1, title="Every field can be read as what its column holds.", waivable=False)
def fields_are_readable(context: AuditContext) -> Iterator[Hit]:
    """Pandera's faults, and what only the record's model saw."""
    told = {(fault.place.file, fault.place.line, fault.place.column) for fault in context.faults}
    long_quotes = {id(fault) for fault in context.long_quotes}
    for fault in context.faults:
        if fault.kind == "unreadable" and id(fault) not in long_quotes:
            yield Hit(fault.place, fault.observed, fault.expected, fault.fix)
    for problem in context.folder.problems:
        if (problem.place.file, problem.place.line, problem.place.column) not in told:
            yield hit_of(problem)


@rule("C1-COLUMN-MISSING", C1, title="Every table has the columns that cannot be left out.", waivable=False)
def columns_are_there(context: AuditContext) -> Iterator[Hit]:
    """Required columns that a table's head lacks."""
    for fault in context.faults:
        if fault.kind == "missing":
            yield Hit(fault.place, fault.observed, fault.expected, fault.fix)


@rule("C1-RECORD-TWICE", C1, title="No two lines of a table have the same name.", waivable=False)
def records_stand_once(context: AuditContext) -> Iterator[Hit]:
    """Lines whose key stands on an earlier line; the earlier one counts."""
    for fault in context.faults:
        if fault.kind == "twice":
            yield Hit(fault.place, fault.observed, fault.expected, fault.fix)


@rule("C1-FILE-ENCODING", C1, title="Files are UTF-8.", severity="warning")
def files_are_utf8(context: AuditContext) -> Iterator[Hit]:
    """Files that had to be read in another encoding."""
    for problem in context.folder.warnings:
        yield Hit(problem.place, f"{problem.what}: {problem.seen}", problem.expected or "UTF-8 text", problem.fix)


@rule("C1-PROFILE-UNKNOWN", C1, title="The task is judged by the profile it names.")
def profile_is_the_task_s(context: AuditContext) -> Iterator[Hit]:
    """A task that names another profile than the one handed in."""
    if context.task.profile != context.profile.id:
        yield Hit(context.task.place("profile"), context.task.profile, context.profile.id, "name a profile that exists")


@rule("C1-PROFILE-SHAPE", C1, title="The matrix has the size that the profile asks for.", draft="warning")
def matrix_has_its_size(context: AuditContext) -> Iterator[Hit]:
    """Entities or dimensions more or fewer than the profile allows."""
    task, profile = context.task, context.profile
    for key, count, span in (
        ("entities", len(task.entities), profile.entities),
        ("dimensions", len(task.dimensions), profile.dimensions),
    ):
        if not span.holds(count):
            yield Hit(
                task.place(key),
                f"{count} {key}",
                f"{span} by the profile {profile.id}",
                f"add or remove {key}, or name another profile",
            )


@rule(
    "C1-FAMILY-SPLIT",
    C1,
    title="Each capability family has as many dimensions as the profile asks for.",
    draft="warning",
)
def families_are_split(context: AuditContext) -> Iterator[Hit]:
    """Families with too many or too few dimensions."""
    counts = Counter(dimension.family for dimension in context.task.dimensions)
    for family in sorted({*counts, *context.profile.families}):
        span = context.profile.families.get(family)
        if (span is None and counts[family]) or (span is not None and not span.holds(counts[family])):
            yield Hit(
                context.task.place("dimensions"),
                f"{family}: {counts[family]}",
                f"{family}: {span or 0}",
                "ask a dimension of another family, or name another profile",
            )


@rule("C1-DOMAIN-UNKNOWN", C1, title="The domain is one of the profile's.")
def domain_is_known(context: AuditContext) -> Iterator[Hit]:
    """A domain that the profile does not have."""
    domain, known = context.task.domain, context.profile.domains
    if domain not in known:
        yield Hit(
            context.task.place("domain"),
            domain,
            f"one of {', '.join(known)}",
            f"{did_you_mean(domain, known)}or add it to the profile",
        )


@rule("C1-TEXT-EMPTY", C1, title="The question, its parts and its licence are written.", draft="warning")
def texts_are_written(context: AuditContext) -> Iterator[Hit]:
    """Texts of `task.yaml` that are empty."""
    task = context.task
    for key in ("title", "question", "licence"):
        if not getattr(task, key).strip():
            yield Hit(task.place(key), "nothing", f"the task's {key}")
    if not task.contributors:
        yield Hit(task.place("contributors"), "nobody", "who made the task")
    for index, entity in enumerate(task.entities):
        if not entity.name.strip():
            yield Hit(task.place("entities", index, "name"), "nothing", "the entity's name", entity=entity.id)
    for dimension in task.dimensions:
        for key in ("name", "ask"):
            if not getattr(dimension, key).strip():
                yield Hit(task.place_of(dimension.id, key), "nothing", f"the dimension's {key}", dimension=dimension.id)
    if task.status in ("quarantined", "retired") and not task.status_reason.strip():
        yield Hit(task.place("status_reason"), "nothing", f"why the task is {task.status}")


@rule("C1-ASSUMPTION-REASON", C1, title="Every assumption says why it has its value.", draft="warning")
def assumptions_have_reasons(context: AuditContext) -> Iterator[Hit]:
    """Assumptions without a reason: they are part of the question."""
    for index, assumption in enumerate(context.task.assumptions):
        if not assumption.reason.strip():
            yield Hit(
                context.task.place("assumptions", index, "reason", record=assumption.id), "nothing", "why this value"
            )


@rule("C1-CELL-MISSING", C1, title="Every cell has its line in cells.csv.", draft="warning")
def every_cell_has_a_line(context: AuditContext) -> Iterator[Hit]:
    """Cells of the matrix that `cells.csv` does not name."""
    rows = context.folder.cell_row
    unreadable = {fault.place.record for fault in context.faults if fault.place.file == context.file("cells")}
    for entity in context.task.entity_ids:
        for dimension in context.task.dimensions:
            cell = f"{entity}/{dimension.id}"
            if (entity, dimension.id) not in rows and cell not in unreadable:
                yield Hit(
                    context.place_in("cells", record=cell),
                    "no line",
                    "one line for the cell",
                    f"`cellwright derive {context.task.id} --write` adds it",
                    entity,
                    dimension.id,
                )


@rule("C1-ID-UNRESOLVED", C1, title="Every id names something that is there.")
def ids_resolve(context: AuditContext) -> Iterator[Hit]:
    """Ids of entities, dimensions, sources, facts that nothing bears."""
    known = context.known_ids
    for row in context.referring_rows:
        for column, kind in _REFERENCES[row.table].items():
            name = str(getattr(row, column))
            if (
                name
                and name not in known[kind]
                and not (name == "*" and kind in ("entity", "dimension") and row.table != "cells")
            ):
                yield Hit(
                    context.folder.place(row, column),
                    name,
                    f"the id of {_ARTICLE[kind]}",
                    did_you_mean(name, known[kind]),
                    _entity(row),
                    _dimension(row),
                )


_ARTICLE = {
    "entity": "an entity",
    "dimension": "a dimension",
    "source": "a line of sources.csv",
    "fact": "a line of facts.csv",
}
_REFERENCES: dict[str, dict[str, str]] = {
    "facts": {"entity": "entity", "source": "source", "supersedes": "fact"},
    "cells": {"entity": "entity", "dimension": "dimension", "chosen": "fact"},
    "searches": {"entity": "entity", "dimension": "dimension"},
    "waivers": {"entity": "entity", "dimension": "dimension"},
    "corrections": {"entity": "entity", "dimension": "dimension", "fact": "fact"},
    "annotations": {"entity": "entity", "dimension": "dimension"},
    "pilots": {"entity": "entity", "dimension": "dimension"},
}


def _entity(row: Row) -> str:
    return str(getattr(row, "entity", ""))


def _dimension(row: Row) -> str:
    return str(getattr(row, "dimension", ""))


@rule("C1-RANK-MISSING", C1, title="Every fact has its rank.", draft="warning")
def facts_have_ranks(context: AuditContext) -> Iterator[Hit]:
    """Facts without a rank: nobody has said whether the answer rests on them."""
    for fact in context.folder.facts:
        if fact.rank is None:
            yield context.fact_hit(fact, "rank", "nothing", "primary, witness, context, trap or superseded")


@rule(
    "C1-FACT-INCOMPLETE",
    C1,
    title="Every fact says what is printed, in which unit and for which period.",
    draft="warning",
)
def facts_are_complete(context: AuditContext) -> Iterator[Hit]:
    """Facts whose figure, unit or period is empty."""
    for fact in context.folder.facts:
        for column, expected in (
            ("as_written", "the figure as printed"),
            ("unit", "the unit of the value"),
            ("period", "a label of `periods`, an ISO interval or a date"),
        ):
            if not getattr(fact, column):
                yield context.fact_hit(fact, column, "nothing", expected)


@rule("C1-PERIOD-UNREADABLE", C1, title="Every fact's period has dates.")
def periods_have_dates(context: AuditContext) -> Iterator[Hit]:
    """Periods that are neither a label with dates for the entity nor ISO dates."""
    for fact in context.folder.facts:
        period = context.periods[fact.id]
        if fact.period and not isinstance(period, Period):
            problem = period.problems[0]
            yield context.fact_hit(fact, "period", fact.period, problem.expected, problem.what)


@rule("C1-PRIMARY-TWICE", C1, title="No more than one primary fact stands for an entity, name and period.")
def primaries_are_single(context: AuditContext) -> Iterator[Hit]:
    """A second primary fact for the same entity, name and dates."""
    for facts in context.readings_of_one_thing.values():
        primaries = [fact for fact in facts if fact.rank == "primary"]
        for fact in primaries[1:]:
            yield context.fact_hit(
                fact,
                "rank",
                f"primary, beside `{primaries[0].id}`",
                "one primary for entity, name and period",
                "rank the other one witness, context, trap or superseded",
            )


@rule("C1-PRIMARY-ABSENT", C1, title="A witness has a primary fact that it is a witness of.", draft="warning")
def witnesses_have_a_primary(context: AuditContext) -> Iterator[Hit]:
    """Witnesses of an entity, name and period for which no fact is primary."""
    for facts in context.readings_of_one_thing.values():
        if not any(fact.rank == "primary" for fact in facts):
            for fact in facts:
                if fact.rank == "witness":
                    yield context.fact_hit(
                        fact,
                        "rank",
                        "witness of nothing",
                        "a primary fact for the same entity, name and period",
                        "rank one of them primary, or mend name or period",
                    )


@rule(
    "C1-SOURCE-INCOMPLETE", C1, title="Every source has title, publisher and the day it was looked at.", draft="warning"
)
def sources_are_complete(context: AuditContext) -> Iterator[Hit]:
    """Sources with an empty title, publisher or day of access."""
    for source in context.folder.sources:
        for column, expected in (
            ("title", "the document's own title"),
            ("publisher", "who answers for it"),
            ("accessed", "the day a person last looked at it"),
        ):
            if not getattr(source, column):
                yield Hit(context.folder.place(source, column), "nothing", expected)


@rule("C1-ANNOTATOR-MISSING", C1, title="Every cell says who wrote it.", draft="warning")
def cells_have_an_annotator(context: AuditContext) -> Iterator[Hit]:
    """Lines of `cells.csv` without an annotator."""
    for row in context.folder.cells:
        if not row.annotator:
            yield context.cell_hit(row, "annotator", "nobody", "who wrote the cell")


@rule("C1-REVIEWER-MISSING", C1, title="Every cell was read by a second person.", draft="warning")
def cells_have_a_reviewer(context: AuditContext) -> Iterator[Hit]:
    """Lines of `cells.csv` without a reviewer."""
    for row in context.folder.cells:
        if not row.reviewer:
            yield context.cell_hit(row, "reviewer", "nobody", "who checked the cell")


@rule("C1-REVIEWER-IS-ANNOTATOR", C1, title="The reviewer is not the annotator.")
def reviewer_is_another(context: AuditContext) -> Iterator[Hit]:
    """Cells that one person wrote and checked."""
    for row in context.folder.cells:
        if person_keys(row.reviewer) & person_keys(row.annotator):
            yield context.cell_hit(
                row, "reviewer", row.reviewer, "another person than the annotator", "let somebody else check the cell"
            )


@rule("C1-WAIVER-INCOMPLETE", C1, title="Every waiver says why, by whom and when.", waivable=False)
def waivers_are_complete(context: AuditContext) -> Iterator[Hit]:
    """Waivers that lack reason, person or day; one without reason or person accepts nothing."""
    for waiver in context.folder.waivers:
        for column, expected in (
            ("reason", "why the finding is accepted"),
            ("by", "who accepts it"),
            ("date", "the day it was accepted"),
        ):
            if not getattr(waiver, column):
                yield Hit(context.folder.place(waiver, column), "nothing", expected)


@rule("C1-WAIVER-RULE-UNKNOWN", C1, title="Every waiver names a rule that is there.", waivable=False)
def waivers_name_rules(context: AuditContext) -> Iterator[Hit]:
    """Waivers of rules that do not exist."""
    for waiver in context.folder.waivers:
        if waiver.rule not in context.rule_ids:
            yield Hit(
                context.folder.place(waiver, "rule"),
                waiver.rule or "nothing",
                "the id of a rule",
                f"{_near_rule(waiver.rule, context)}`cellwright rules` lists them",
            )


def _near_rule(name: str, context: AuditContext) -> str:
    near = did_you_mean(name, (rule_id.lower() for rule_id in context.rule_ids))
    return near.upper().replace("DID YOU MEAN", "did you mean")


@rule("C1-WAIVER-EXPIRED", C1, severity="warning", title="No waiver has run out.", waivable=False)
def waivers_are_in_force(context: AuditContext) -> Iterator[Hit]:
    """Waivers whose last day lies before the day of the audit; they accept nothing any more."""
    for waiver in context.folder.waivers:
        if is_expired(waiver, context.today):
            yield Hit(
                context.folder.place(waiver, "expires"),
                str(waiver.expires),
                f"{context.today} or later",
                "look at the finding again, then renew the waiver or remove it",
            )


@rule("C1-WAIVER-UNUSED", C1, severity="warning", title="Every waiver accepts a finding.", waivable=False)
def waivers_are_used(context: AuditContext) -> Iterator[Hit]:
    """Waivers in force that accepted nothing. The audit runs this last, when it knows."""
    for position, waiver in enumerate(context.folder.waivers):
        idle = position not in context.used_waivers and waiver.rule in context.checked_rules
        if idle and is_complete(waiver) and not is_expired(waiver, context.today):
            yield idle_hit(context.folder.place(waiver, "rule"), waiver.rule)

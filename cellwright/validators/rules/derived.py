"""Condition 3, derived: every answer replays from its facts, in unit, period and scope, and second opinions agree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.derivations import CellResult, CheckResult
from cellwright.records.errors import ExpressionError, Place, UnreadableInput
from cellwright.records.findings import Condition
from cellwright.records.periods import Period
from cellwright.records.rows import CellRow, Fact
from cellwright.records.task import CellSpec, Dimension, Step
from cellwright.records.units import unit_table
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, rule

C3 = Condition.DERIVED
_ENDS = ("answer", "low", "high")
_NAME = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*")


_UNIT = re.compile(r"\b(?:units?|currenc(?:y|ies))\b")


def _is_of_unit(error: ExpressionError) -> bool:
    """Whether the fault lies in units, by the evaluator's own words: it has one family of exceptions."""
    return bool(_UNIT.search(error.problems[0].what))


@rule("C3-REPLAY", C3, title="Every answer replays from its facts.", draft="warning", waivable=False)
def answers_replay(context: AuditContext) -> Iterator[Hit]:
    """Cells whose derivation gives no answer, with the sentence that says why."""
    try:
        results = context.answers.results
    except UnreadableInput as error:
        for problem in error.problems:
            yield Hit(problem.place, problem.what, problem.expected or "a task that can be replayed", problem.fix)
        return
    for (entity, dimension), result in results.items():
        if isinstance(result, ExpressionError) and not _is_of_unit(result):
            yield _failed(context, entity, dimension, result)


@rule("C3-UNIT-MISMATCH", C3, needs="answers", waivable=False, title="Every answer comes out in the dimension's unit.")
def answers_are_in_their_units(context: AuditContext) -> Iterator[Hit]:
    """Cells whose derivation puts together what has different units, or ends in another unit."""
    for (entity, dimension), result in context.answers.results.items():
        if isinstance(result, ExpressionError) and _is_of_unit(result):
            yield _failed(context, entity, dimension, result)


def _failed(context: AuditContext, entity: str, dimension: str, error: ExpressionError) -> Hit:
    """The evaluator's sentence, at the place it names or else at the dimension's steps."""
    problem = error.problems[0]
    observed = problem.what + (f"; seen {problem.seen}" if problem.seen else "")
    place = problem.place if problem.place.line else context.task.place_of(dimension, "steps", entity=entity)
    return Hit(
        Place(place.file, place.line, place.column, f"{entity}/{dimension}"),
        observed,
        problem.expected or "an answer",
        problem.fix,
        entity,
        dimension,
    )


@rule("C3-ANSWER-TYPE-DIFFERS", C3, title="The answer type in cells.csv is the one that task.yaml gives.")
def answer_types_agree(context: AuditContext) -> Iterator[Hit]:
    """Second opinions on the answer type that differ; `task.yaml` decides."""
    for row, spec in _rows_with_specs(context):
        if row.answer_type is not None and row.answer_type != spec.answer_type:
            yield context.cell_hit(
                row, "answer_type", row.answer_type, spec.answer_type, "settle which is right: `task.yaml` decides"
            )


def _rows_with_specs(context: AuditContext) -> Iterator[tuple[CellRow, CellSpec]]:
    for row in context.folder.cells:
        spec = context.specs.get((row.entity, row.dimension))
        if spec is not None:
            yield row, spec


@rule(
    "C3-SECOND-OPINION",
    C3,
    needs="answers",
    title="What people worked out agrees with the answer within half its last digit.",
)
def second_opinions_agree(context: AuditContext) -> Iterator[Hit]:
    """Values of `cells.csv` that differ from the replayed answer by more than half their last digit."""
    for row, _ in _rows_with_specs(context):
        result = context.answers.results.get((row.entity, row.dimension))
        if not isinstance(result, CellResult):
            continue
        for column, answer in (("stated_value", result.value), ("low", result.low), ("high", result.high)):
            stated: Decimal | None = getattr(row, column)
            if stated is None:
                continue
            if answer is None:
                yield context.cell_hit(row, column, canonical(stated), f"nothing in a {result.answer_type} cell")
            elif abs(CONTEXT.subtract(stated, answer)) > _half_digit(stated):
                yield context.cell_hit(
                    row,
                    column,
                    canonical(stated),
                    f"{_short(answer)} {result.unit}",
                    "work it out again; the derivation or the opinion is wrong",
                )


@rule(
    "C3-SECOND-READING",
    C3,
    needs="answers",
    title="Independent second readings agree with the answer, or somebody has decided.",
)
def second_readings_agree(context: AuditContext) -> Iterator[Hit]:
    """Lines of `annotations.csv` with another answer type, value or kind of unit. One that says who decided is
    settled."""
    for row in context.folder.annotations:
        result = context.answers.results.get((row.entity, row.dimension))
        if row.decided_by.strip() or not isinstance(result, CellResult):
            continue
        place = context.folder.place(row, "value")
        expected = result.answer_type if result.value is None else f"{_short(result.value)} {result.unit}"
        fix = "settle which is right, and say in `decided_by` who did"
        if row.answer_type is not None and row.answer_type != result.answer_type:
            yield Hit(place, row.answer_type, expected, fix, row.entity, row.dimension, ("answer_type",))
            continue
        for stated, answer in ((row.value, result.value), (row.low, result.low), (row.high, result.high)):
            if stated is None or answer is None:
                continue
            if row.unit and not _one_kind(context, row.unit, result.unit):
                yield Hit(place, row.unit, result.unit, fix, row.entity, row.dimension, ("unit",))
                break
            if row.unit in ("", result.unit) and abs(CONTEXT.subtract(stated, answer)) > _half_digit(stated):
                yield Hit(place, canonical(stated), f"{_short(answer)} {result.unit}", fix, row.entity, row.dimension)


def _one_kind(context: AuditContext, one: str, other: str) -> bool:
    """Whether two units measure the same, as percent and permille do."""
    try:
        table = unit_table(context.task.units)
        return table.same_kind(table.parse(one), table.parse(other))
    except UnreadableInput:
        return False


def _half_digit(stated: Decimal) -> Decimal:
    """Half a unit of the last digit that a person wrote; a whole number is taken to its last digit."""
    exponent = stated.as_tuple().exponent
    return Decimal((0, (5,), (exponent if isinstance(exponent, int) else 0) - 1))


def _short(value: Decimal) -> str:
    """The value with ten digits at most, for people."""
    return canonical(value if len(value.as_tuple().digits) <= 10 else value.normalize(_SHORT))


_SHORT = CONTEXT.copy()
_SHORT.prec = 10


@rule("C3-CHECK-FAILS", C3, needs="answers", title="Every check ties out.")
def checks_tie_out(context: AuditContext) -> Iterator[Hit]:
    """Checks that do not hold; a check whose facts an entity lacks is skipped and counted."""
    for cell in context.answers.checks:
        result = cell.result
        if isinstance(result, CheckResult) and result.holds is False:
            within = f" within {_short(result.slack)}" if result.slack else ""
            sides = "0" if result.left is None else _short(result.left)
            if result.right is not None:
                sides = f"{sides} against {_short(result.right)}"
            yield context.hit_at_task(
                cell.spec.entity,
                cell.spec.dimension,
                ("checks", cell.position),
                sides,
                f"{cell.check.expr}{within}",
                "one of the facts is wrong, or the check is",
            )


@rule("C3-CHECK-BROKEN", C3, needs="answers", title="Every check can be worked out.")
def checks_can_be_run(context: AuditContext) -> Iterator[Hit]:
    """Checks whose expression cannot be read or computed."""
    for cell in context.answers.checks:
        if isinstance(cell.result, ExpressionError):
            problem = cell.result.problems[0]
            yield context.hit_at_task(
                cell.spec.entity,
                cell.spec.dimension,
                ("checks", cell.position),
                problem.what,
                problem.expected or "a comparison that can be worked out",
                problem.fix,
            )


@rule("C3-STEP-UNUSED", C3, severity="warning", title="Every step leads to an answer.")
def steps_are_used(context: AuditContext) -> Iterator[Hit]:
    """Steps that nothing names: no later step, check, near miss or other cell."""
    words = {dimension.id: _words(dimension) for dimension in context.task.dimensions}
    for dimension in context.task.dimensions:
        outside = {name for other, names in words.items() if other != dimension.id for name in names}
        for index, step in enumerate(dimension.steps):
            named = step.id in words[dimension.id] or any(
                name.endswith(f"cells.{dimension.id}.{step.id}") for name in outside
            )
            if step.id not in _ENDS and not named:
                yield context.hit_at_task(
                    "",
                    dimension.id,
                    ("steps", index),
                    f"`{step.id}` is named nowhere",
                    "a step that a later one uses",
                    "use it or remove it",
                )


def _words(dimension: Dimension) -> set[str]:
    """Every name in the dimension's expressions, its overrides' too."""
    steps: list[Step] = list(dimension.steps)
    others = [*(miss.expr for miss in dimension.near_misses), *(check.expr for check in dimension.checks)]
    for own in dimension.overrides.values():
        steps += own.steps or ()
        others += [*(miss.expr for miss in own.near_misses or ()), *(check.expr for check in own.checks or ())]
    return {name for text in (*(step.expr for step in steps), *others) for name in _NAME.findall(text)}


@rule("C3-FACT-UNUSED", C3, severity="warning", needs="answers", title="Every primary fact is used.")
def facts_are_used(context: AuditContext) -> Iterator[Hit]:
    """Primary facts that no answer, near miss or check rests on; other ranks are kept for what they show."""
    answers = context.answers
    used: set[str] = set()
    for _, result in answers.replayed:
        used.update(result.inputs)
    for miss in answers.near_misses:
        used.update(miss.inputs)
    for cell in answers.checks:
        if isinstance(cell.result, CheckResult):
            used.update(cell.result.inputs)
    dimensions = context.known_ids["dimension"]
    broken = any(isinstance(result, ExpressionError) for result in answers.results.values())
    if broken:
        return
    for fact in context.folder.facts:
        if fact.rank == "primary" and fact.id not in used and fact.name not in dimensions:
            yield context.fact_hit(
                fact,
                "name",
                "no answer, near miss or check uses it",
                "a fact that is used",
                "rank it context, or remove it",
            )


@rule("C3-BASIS-MIXED", C3, severity="warning", needs="answers", title="An answer rests on figures of one basis.")
def bases_are_not_mixed(context: AuditContext) -> Iterator[Hit]:
    """Cells that mix, say, reported and adjusted figures."""
    yield from _mixed(context, "basis", "figures of one basis")


@rule("C3-SCOPE-MIXED", C3, severity="warning", needs="answers", title="An answer rests on figures of one scope.")
def scopes_are_not_mixed(context: AuditContext) -> Iterator[Hit]:
    """Cells that mix, say, consolidated and segment figures."""
    yield from _mixed(context, "scope", "figures of one scope")


def _mixed(context: AuditContext, column: str, expected: str) -> Iterator[Hit]:
    for spec, facts in _inputs(context):
        first: dict[str, str] = {}
        for fact in facts:
            if getattr(fact, column):
                first.setdefault(getattr(fact, column), fact.id)
        if len(first) > 1:
            observed = ", ".join(f"{word} (`{fact}`)" for word, fact in sorted(first.items()))
            yield context.hit_at_task(
                spec.entity,
                spec.dimension,
                ("steps",),
                observed,
                expected,
                f"take figures of the same {column}, or say in `why` that it is meant",
            )


@rule("C3-PERIOD-MIXED", C3, severity="warning", needs="answers", title="An answer rests on periods of one length.")
def periods_are_not_mixed(context: AuditContext) -> Iterator[Hit]:
    """Cells that mix, say, a quarter with a year; instants belong to any period."""
    slack = context.thresholds.period_slack_days
    for spec, facts in _inputs(context):
        lengths: dict[int, str] = {}
        for fact in facts:
            period = context.periods[fact.id]
            if isinstance(period, Period) and period.start is not None:
                lengths.setdefault((period.end - period.start).days + 1, fact.id)
        if lengths and max(lengths) - min(lengths) > slack:
            short, long = min(lengths), max(lengths)
            yield context.hit_at_task(
                spec.entity,
                spec.dimension,
                ("steps",),
                f"{short} days (`{lengths[short]}`) and {long} days (`{lengths[long]}`)",
                "periods of one length",
                "take figures of the same period, or say in `why` that it is meant",
            )


def _inputs(context: AuditContext) -> Iterator[tuple[CellSpec, list[Fact]]]:
    by_id = context.folder.fact_by_id
    for spec, result in context.answers.answered:
        yield spec, [by_id[name] for name in result.inputs if name in by_id]

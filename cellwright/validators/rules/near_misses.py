"""Near misses: each worked out, told from the answer by the rule, and where its claim says (condition 5)."""

from __future__ import annotations

from collections.abc import Iterator

from cellwright.records.findings import Condition
from cellwright.records.scoring import HUNDREDTHS, WHOLE, Answer, Reference, Rule, grade
from cellwright.validators.claims import FORM, Claim, holds, read_claim, really
from cellwright.validators.context import AuditContext
from cellwright.validators.near_misses import CellNearMiss
from cellwright.validators.registry import Hit, rule
from cellwright.validators.shown import short
from cellwright.validators.windows import Windows

C5 = Condition.SCORABLE


@rule("C5-NEAR-MISS-PAYS", C5, needs="answers", title="The rule gives less than 1 to every near miss.")
def near_misses_do_not_pay(context: AuditContext) -> Iterator[Hit]:
    """Near misses that lie outside the reference's interval and still earn 1."""
    windows = Windows(context.answers, context.thresholds)
    for miss, scoring, reference in _graded(context):
        earned = grade(scoring, reference, _answer(miss, reference)).score
        if earned == 1 and not miss.indistinguishable:
            yield _at(
                context,
                miss,
                f"{_shown(miss)} earns 1, and the answer is {_shown(reference)}",
                "less than 1",
                _tolerance_that_tells(context, windows, miss, scoring),
            )


def _tolerance_that_tells(context: AuditContext, windows: Windows, miss: CellNearMiss, rule: Rule) -> str:
    """The tolerance that would do for the cells that share this one."""
    spec = context.specs[miss.entity, miss.dimension]
    if rule.full is not None and miss.value is not None:
        return f"{windows.says(spec, rule.full)}; or ask to more decimals"
    return windows.says_overlap(spec, [miss])


@rule(
    "C5-NEAR-MISS-INDISTINGUISHABLE",
    C5,
    severity="warning",
    needs="answers",
    title="Every near miss can be told from the answer.",
)
def near_misses_can_be_told_apart(context: AuditContext) -> Iterator[Hit]:
    """Near misses inside the interval that the facts' last digits allow; recorded as indistinguishable.

    Those that are computed are recorded and not told: a figure that happens to be the same as last year is no fault.
    """
    for miss, _, reference in _graded(context):
        if miss.indistinguishable and reference.interval is not None:
            low, high = reference.interval
            yield _at(
                context,
                miss,
                f"{_shown(miss)} lies within {short(low)} to {short(high)}",
                "a misstep that gives another answer",
                "no tolerance would do: let the warning stand, or read facts with more digits",
            )


@rule("C5-NEAR-MISS-BROKEN", C5, needs="answers", title="Every near miss can be worked out.")
def near_misses_can_be_worked_out(context: AuditContext) -> Iterator[Hit]:
    """Near misses whose expression is at fault, or for which no entity has the facts; one hit a near miss."""
    answers = context.answers
    worked = {(miss.dimension, miss.id) for miss in answers.near_misses}
    told: set[tuple[str, str]] = set()
    for broken in answers.broken_near_misses:
        key = (broken.spec.dimension, broken.near_miss.id)
        if key in told or (broken.lacks_facts and key in worked):
            continue
        told.add(key)
        problem = broken.error.problems[0]
        yield context.hit_at_task(
            broken.spec.entity,
            broken.spec.dimension,
            ("near_misses", broken.position),
            f"`{broken.near_miss.id}`: {problem.what}",
            problem.expected or "a number",
            problem.fix,
        )


@rule(
    "C5-NEAR-MISS-ABSENT",
    C5,
    severity="warning",
    draft="silent",
    title="Every dimension with precise answers names a misstep.",
)
def dimensions_name_missteps(context: AuditContext) -> Iterator[Hit]:
    """Dimensions without a near miss: nobody has thought of how an answer goes wrong."""
    for dimension in context.task.dimensions:
        own = any(other.near_misses for other in dimension.overrides.values())
        if dimension.answer_type == "precise" and not dimension.near_misses and not own and dimension.unit not in WHOLE:
            yield context.hit_at_task(
                "",
                dimension.id,
                ("near_misses",),
                "none",
                "at least one near miss",
                "name a wrong answer that a misstep gives: wrong period, total for segment",
            )


@rule("C5-CLAIM-UNREADABLE", C5, needs="answers", title="Every claim about a near miss can be read.")
def claims_can_be_read(context: AuditContext) -> Iterator[Hit]:
    """Claims that are not of the form `29% above`; one hit a near miss."""
    told: set[tuple[str, str]] = set()
    for miss in context.answers.near_misses:
        if miss.claim and (miss.dimension, miss.id) not in told:
            try:
                read_claim(miss.claim)
            except ValueError:
                told.add((miss.dimension, miss.id))
                yield _at(context, miss, miss.claim, FORM)


@rule("C5-CLAIM-WRONG", C5, needs="answers", title="What is claimed of a near miss is true.")
def claims_are_true(context: AuditContext) -> Iterator[Hit]:
    """Claims that differ from where the near miss really lies by more than the threshold."""
    for miss in context.answers.near_misses:
        reference = context.answers.references.get((miss.entity, miss.dimension))
        if not miss.claim or miss.value is None or reference is None:
            continue
        try:
            claim = read_claim(miss.claim)
        except ValueError:  # C5-CLAIM-UNREADABLE tells it
            continue
        expected = _refuted(claim, miss, reference) or _measured(context, claim, miss, reference)
        if expected:
            yield _at(
                context,
                miss,
                f"claimed {miss.claim}: {_shown(miss)} against {_shown(reference)}",
                expected,
                "mend the claim or the near miss",
            )


def _refuted(claim: Claim, miss: CellNearMiss, reference: Reference) -> str:
    """What is expected in the place of a claim that cannot be true of such a cell, whatever its number."""
    if reference.value is None:
        return "no claim, where the answer is a range"
    if claim.points and reference.unit not in HUNDREDTHS:
        return f"a share of the reference, as `29% above`: the answer is in {reference.unit or 'plain numbers'}"
    if not reference.value and not claim.points:
        return "no share of a reference that is 0; claim a distance in pp"
    return ""


def _measured(context: AuditContext, claim: Claim, miss: CellNearMiss, reference: Reference) -> str:
    """Where the near miss really lies, where the claim says another place."""
    assert miss.value is not None
    assert reference.value is not None
    if holds(claim, miss.value, reference.value, context.thresholds.claim_slack):
        return ""
    return really(claim, miss.value, reference.value)


def _graded(context: AuditContext) -> Iterator[tuple[CellNearMiss, Rule, Reference]]:
    """Every near miss, those that witnesses give too, with the rule and reference of its cell."""
    answers = context.answers
    for miss in (*answers.near_misses, *answers.witness_near_misses):
        key = (miss.entity, miss.dimension)
        scoring, reference = answers.rules[key], answers.references.get(key)
        if isinstance(scoring, Rule) and reference is not None:
            yield miss, scoring, reference


def _answer(miss: CellNearMiss, reference: Reference) -> Answer:
    if miss.value is not None:
        return Answer("precise", miss.value, unit=reference.unit)
    return Answer("range", low=miss.low, high=miss.high, unit=reference.unit, method="as the reference")


def _at(context: AuditContext, miss: CellNearMiss, observed: str, expected: str, fix: str = "") -> Hit:
    if miss.position < 0:
        return context.hit_at_cell(miss.entity, miss.dimension, "agreement", f"`{miss.id}`: {observed}", expected, fix)
    path = ("near_misses", miss.position)
    return context.hit_at_task(miss.entity, miss.dimension, path, f"`{miss.id}`: {observed}", expected, fix)


def _shown(what: CellNearMiss | Reference) -> str:
    if what.value is not None:
        return short(what.value)
    return f"{short(what.low)} to {short(what.high)}"

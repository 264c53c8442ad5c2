"""Condition 5, scorable: every rule can be read, gives 1 to the reference and little to a guess."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.errors import UnreadableInput
from cellwright.records.findings import Condition
from cellwright.records.scoring import Answer, Reference, Rule, answer_of, grade, rule_problems
from cellwright.records.task import CellSpec
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, rule
from cellwright.validators.shown import short
from cellwright.validators.tolerances import reach_of

C5 = Condition.SCORABLE
_HUNDREDTHS = ("percent", "pp")
_WHOLE = ("rank", "count", "yes_no")


@rule("C5-RULE-UNREADABLE", C5, needs="answers", title="Every cell's scoring rule can be read.")
def rules_can_be_read(context: AuditContext) -> Iterator[Hit]:
    """Scoring rules with a key that cannot be read, or without `full`; one hit a dimension or override."""
    told: set[tuple[object, ...]] = set()
    for (entity, dimension), found in context.answers.rules.items():
        if isinstance(found, UnreadableInput):
            for problem in found.problems:
                key = (dimension, problem.place.line, problem.place.column, problem.seen)
                if key not in told:
                    told.add(key)
                    yield Hit(
                        problem.place, problem.seen or problem.what, problem.expected, problem.fix, entity, dimension
                    )


@rule("C5-ZERO-RELATIVE", C5, needs="answers", title="A reference of 0 has an absolute tolerance.")
def zeros_have_an_absolute_tolerance(context: AuditContext) -> Iterator[Hit]:
    """Cells whose reference is 0 under a relative `full`: no other answer could be within it."""
    for spec, scoring, reference in context.answers.scorable:
        if reference.value is not None and not reference.value and scoring.full and scoring.full.kind == "relative":
            yield context.hit_at_task(
                spec.entity,
                spec.dimension,
                ("scoring", "full"),
                spec.scoring.full,
                f"an absolute tolerance such as `0.05 {spec.unit}`",
                "the reference is 0",
            )


@rule(
    "C5-PERCENT-RELATIVE",
    C5,
    severity="warning",
    needs="answers",
    title="Percent dimensions have an absolute tolerance.",
)
def percents_have_an_absolute_tolerance(context: AuditContext) -> Iterator[Hit]:
    """Percent dimensions under a relative `full`, which lets near misses pass; one hit a dimension."""
    told: set[str] = set()
    for spec, scoring, _ in context.answers.scorable:
        relative = scoring.full is not None and scoring.full.kind == "relative"
        if relative and spec.unit in _HUNDREDTHS and spec.dimension not in told:
            told.add(spec.dimension)
            yield context.hit_at_task(
                "",
                spec.dimension,
                ("scoring", "full"),
                spec.scoring.full,
                "an absolute tolerance such as `0.05 pp`",
                "ask to a stated number of decimals, and let half the last one be `full`",
            )


@rule("C5-REFERENCE-SCORE", C5, needs="answers", title="The rule gives 1 to the reference.")
def references_earn_one(context: AuditContext) -> Iterator[Hit]:
    """Cells whose own reference, given as an answer, does not earn 1."""
    for spec, scoring, reference in context.answers.scorable:
        earned = grade(scoring, reference, answer_of(reference))
        if earned.score != 1:
            yield context.hit_at_task(
                spec.entity,
                spec.dimension,
                ("scoring",),
                f"the reference earns {canonical(earned.score)} ({earned.clause})",
                "1",
                _mend(scoring, reference),
            )


def _mend(scoring: Rule, reference: Reference) -> str:
    if reference.low is not None and reference.low == reference.high:
        return "the two ends are one number: ask for a precise answer, or mend the steps"
    return "; ".join(rule_problems(scoring, unit=reference.unit, value=reference.value))


@rule(
    "C5-RANK-FLIPS",
    C5,
    severity="warning",
    needs="answers",
    title="No rank, count or yes/no could be another within the facts' last digits.",
)
def ranks_stand_firm(context: AuditContext) -> Iterator[Hit]:
    """Whole answers that the printed figures do not settle."""
    for spec, result in context.answers.answered:
        interval = result.interval
        if result.unit in _WHOLE and interval is not None and interval[0] != interval[1]:
            yield context.hit_at_task(
                spec.entity,
                spec.dimension,
                ("steps",),
                f"{short(result.value)}, and {short(interval[0])} to {short(interval[1])} are possible",
                "figures that settle it",
                "read facts with more digits",
            )
            continue
        for note in result.notes:
            if note.startswith("the rank "):
                yield context.hit_at_task(
                    spec.entity,
                    spec.dimension,
                    ("steps",),
                    note,
                    "figures that settle it",
                    "read facts with more digits",
                )


@rule(
    "C5-TIER-LOST",
    C5,
    needs="answers",
    title="Abstention, a wide range and a precise answer to nothing earn what the table gives them.",
)
def tiers_are_kept(context: AuditContext) -> Iterator[Hit]:
    """Rules under which an answer that says little earns as much as one that says much."""
    told: set[tuple[str, str]] = set()
    for spec, scoring, reference in context.answers.scorable:
        for what, answer, most in _probes(spec, reference):
            earned = grade(scoring, reference, answer, sound=False).score
            if earned > most and (spec.dimension, what) not in told:
                told.add((spec.dimension, what))
                yield context.hit_at_task(
                    spec.entity,
                    spec.dimension,
                    ("scoring",),
                    f"{what} earns {canonical(earned)}",
                    f"at most {canonical(most)}",
                    "tighten `overlap`, `max_width` or `partial`",
                )


def _probes(spec: CellSpec, reference: Reference) -> Iterator[tuple[str, Answer, Decimal]]:
    """Answers that must not earn more than stands beside them."""
    nothing, quarter, half = Decimal(0), Decimal("0.25"), Decimal("0.5")
    if reference.answer_type == "not_available":
        yield "a precise answer to nothing", Answer("precise", Decimal(1), unit=spec.unit), nothing
        yield "abstention without a reason", Answer("not_available", unit=spec.unit), half
        return
    yield "abstention", Answer("not_available", unit=spec.unit, reason="not disclosed"), nothing
    if reference.low is not None and reference.high is not None:
        width = CONTEXT.subtract(reference.high, reference.low)
        reach = CONTEXT.multiply(width, Decimal("4.5"))
        wide = Answer(
            "range",
            low=CONTEXT.subtract(reference.low, reach),
            high=CONTEXT.add(reference.high, reach),
            unit=spec.unit,
            method="a guess",
        )
        yield "a range ten times as wide", wide, quarter if width else Decimal(1)
    elif reference.value and reach_of(reference) < abs(reference.value):  # else twice the answer is a right one
        double = Answer("precise", CONTEXT.multiply(reference.value, Decimal(2)), unit=spec.unit)
        yield "twice the answer", double, quarter


@rule("C5-CONSTANT-PAYS", C5, severity="warning", needs="answers", title="A constant guess does not pay.")
def constants_do_not_pay(context: AuditContext) -> Iterator[Hit]:
    """Dimensions on which one constant answer earns more than the threshold on average."""
    shown = {spec.dimension for spec, scoring, _ in context.answers.scorable if not _asks_derivation(scoring)}
    for dimension, best in context.answers.best_constants.items():
        limits = context.thresholds
        most = limits.constant_guess_mean if dimension in shown else limits.constant_guess_mean_derived
        if best.mean > most:
            yield context.hit_at_task(
                "",
                dimension,
                ("id",),
                f"{best.says} for every entity earns {short(best.mean)} on average",
                f"at most {canonical(most)}",
                "ask for more decimals, or for something that differs between entities",
            )


def _asks_derivation(scoring: Rule) -> bool:
    return scoring.full is not None and scoring.derivation == "required"

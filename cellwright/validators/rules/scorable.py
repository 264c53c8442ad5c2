"""Condition 5, scorable: the rule tells right from wrong, the prompt tells nothing, difficulty is in its band."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal

from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.errors import UnreadableInput
from cellwright.records.findings import Condition
from cellwright.records.scoring import Answer, Reference, Rule, Tolerance, answer_of, grade, rule_problems
from cellwright.records.task import CellSpec
from cellwright.validators.answers import ComputedNearMiss
from cellwright.validators.claims import FORM, distance, in_words, read_claim
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, rule

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


@rule("C5-TOLERANCE-WIDE", C5, severity="warning", needs="answers", title="No tolerance is too wide.")
def tolerances_are_not_too_wide(context: AuditContext) -> Iterator[Hit]:
    """A `full` beyond the threshold that the facts' last digits do not ask for; one hit a dimension or override."""
    told: set[tuple[str, str]] = set()
    sizes: dict[str, list[Decimal]] = defaultdict(list)
    for spec, _, reference in context.answers.scorable:
        sizes[spec.dimension].append(abs(reference.value or Decimal(0)))
    for spec, scoring, reference in context.answers.scorable:
        full, value = scoring.full, reference.value
        if full is None or value is None or full.kind == "exact" or (spec.dimension, spec.scoring.full) in told:
            continue
        most, says = _most(context, spec.unit, full, sorted(sizes[spec.dimension]))
        reach = full.around(value)
        asked = _reach(reference)
        if full.size > most and CONTEXT.multiply(asked, Decimal(2)) < reach:
            told.add((spec.dimension, spec.scoring.full))
            yield context.hit_at_task(
                spec.entity,
                spec.dimension,
                ("scoring", "full"),
                spec.scoring.full,
                f"at most {says}",
                f"tighten it; the facts ask for no more than {_number(asked)} {spec.unit} here",
            )


def _most(context: AuditContext, unit: str, full: Tolerance, sizes: list[Decimal]) -> tuple[Decimal, str]:
    """The widest tolerance that is not too wide, as a size and in words; `sizes` are the dimension's answers."""
    part = context.thresholds.relative_full_most
    share = f"{canonical(CONTEXT.multiply(part, Decimal(100)))}%"
    if full.kind == "relative":
        return part, share
    if unit in _WHOLE:
        return Decimal(0), "`exact`, since the answers are whole"
    if unit in _HUNDREDTHS:
        points = context.thresholds.points_full_most
        return points, f"{canonical(points)} pp"
    most = CONTEXT.multiply(part, sizes[len(sizes) // 2])
    return most, f"{_number(most)} {unit}, which is {share} of the middle answer"


def _reach(reference: Reference) -> Decimal:
    """How far the facts' last digits let the answer lie from the reference."""
    if reference.value is None or reference.interval is None:
        return Decimal(0)
    low, high = reference.interval
    return max(CONTEXT.subtract(reference.value, low), CONTEXT.subtract(high, reference.value))


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
                "; ".join(rule_problems(scoring, unit=spec.unit, value=reference.value)),
            )


@rule("C5-NEAR-MISS-PAYS", C5, needs="answers", title="The rule gives less than 1 to every near miss.")
def near_misses_do_not_pay(context: AuditContext) -> Iterator[Hit]:
    """Near misses that lie outside the reference's interval and still earn 1."""
    for miss, scoring, reference in _graded(context):
        earned = grade(scoring, reference, _answer(miss, reference)).score
        if earned == 1 and not miss.indistinguishable:
            yield _at(
                context,
                miss,
                f"{_shown(miss)} earns 1, and the answer is {_shown(reference)}",
                "less than 1",
                _tolerance_that_tells(miss, reference),
            )


def _tolerance_that_tells(miss: ComputedNearMiss, reference: Reference) -> str:
    if miss.value is None or reference.value is None:
        return "tighten `overlap`"
    gap = abs(CONTEXT.subtract(miss.value, reference.value))
    return f"a `full` below {_number(gap)} {reference.unit} tells them apart; or ask to more decimals"


@rule(
    "C5-NEAR-MISS-INDISTINGUISHABLE",
    C5,
    severity="warning",
    needs="answers",
    title="Every near miss can be told from the answer.",
)
def near_misses_can_be_told_apart(context: AuditContext) -> Iterator[Hit]:
    """Near misses inside the interval that the facts' last digits allow; recorded as indistinguishable."""
    for miss, _, reference in _graded(context):
        if miss.indistinguishable and reference.interval is not None:
            low, high = reference.interval
            yield _at(
                context,
                miss,
                f"{_shown(miss)} lies within {_number(low)} to {_number(high)}",
                "a misstep that gives another answer",
                "this misstep cannot be told from a right answer here",
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
        if (
            dimension.answer_type == "precise"
            and not dimension.near_misses
            and not own
            and dimension.unit not in _WHOLE
        ):
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
    slack = context.thresholds.claim_slack
    for miss in context.answers.near_misses:
        reference = context.answers.references.get((miss.entity, miss.dimension))
        if not miss.claim or miss.value is None or reference is None or reference.value is None:
            continue
        try:
            claim = read_claim(miss.claim)
        except ValueError:
            continue
        real = distance(miss.value, reference.value, claim.points)
        if real is None:
            yield _at(context, miss, miss.claim, "no share of a reference that is 0", "claim a distance in pp")
        elif abs(CONTEXT.subtract(real, claim.size)) > slack:
            yield _at(
                context,
                miss,
                f"claimed {miss.claim}: {_shown(miss)} against {_shown(reference)}",
                in_words(real, claim.points),
                "mend the claim or the near miss",
            )


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
                f"{_number(result.value)}, and {_number(interval[0])} to {_number(interval[1])} are possible",
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
    elif reference.value:
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
                f"{best.says} for every entity earns {_number(best.mean)} on average",
                f"at most {canonical(most)}",
                "ask for more decimals, or for something that differs between entities",
            )


def _asks_derivation(scoring: Rule) -> bool:
    return scoring.full is not None and scoring.derivation == "required"


def _graded(context: AuditContext) -> Iterator[tuple[ComputedNearMiss, Rule, Reference]]:
    """Every near miss, those that witnesses give too, with the rule and reference of its cell."""
    answers = context.answers
    for miss in (*answers.near_misses, *answers.witness_near_misses):
        key = (miss.entity, miss.dimension)
        scoring, reference = answers.rules[key], answers.references.get(key)
        if isinstance(scoring, Rule) and reference is not None:
            yield miss, scoring, reference


def _answer(miss: ComputedNearMiss, reference: Reference) -> Answer:
    if miss.value is not None:
        return Answer("precise", miss.value, unit=reference.unit)
    return Answer("range", low=miss.low, high=miss.high, unit=reference.unit, method="as the reference")


def _at(context: AuditContext, miss: ComputedNearMiss, observed: str, expected: str, fix: str = "") -> Hit:
    if miss.position < 0:
        return context.hit_at_cell(miss.entity, miss.dimension, "agreement", f"`{miss.id}`: {observed}", expected, fix)
    path = ("near_misses", miss.position)
    return context.hit_at_task(miss.entity, miss.dimension, path, f"`{miss.id}`: {observed}", expected, fix)


def _shown(what: ComputedNearMiss | Reference) -> str:
    if what.value is not None:
        return _number(what.value)
    return f"{_number(what.low)} to {_number(what.high)}"


def _number(value: Decimal | None) -> str:
    """A value with six digits at most, for people."""
    return "nothing" if value is None else canonical(value.normalize(_SHORT))


_SHORT = CONTEXT.copy()
_SHORT.prec = 6

"""Tolerances: none so tight that a right answer fails, none so loose that a misstep passes (conditions 3 and 5)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import ROUND_FLOOR, Decimal

from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.findings import Condition
from cellwright.records.scoring import HUNDREDTHS, WHOLE, Reference, Rule, Tolerance, overlaps
from cellwright.records.task import CellSpec
from cellwright.validators.context import AuditContext
from cellwright.validators.near_misses import CellNearMiss
from cellwright.validators.registry import Hit, rule
from cellwright.validators.shown import short
from cellwright.validators.tolerances import least_likeness, reach_of
from cellwright.validators.windows import NOT_TOLD, Windows, finest_full

C3, C5 = Condition.DERIVED, Condition.SCORABLE


@rule(
    "C3-TOLERANCE-TIGHT",
    C3,
    needs="answers",
    title="The tolerance is no tighter than what the facts' last digits allow.",
)
def tolerances_hold_the_interval(context: AuditContext) -> Iterator[Hit]:
    """Cells whose `full` leaves out answers that the printed figures allow."""
    windows = Windows(context.answers, context.thresholds)
    for spec, scoring, reference in context.answers.scorable:
        full, value, interval = scoring.full, reference.value, reference.interval
        if full is None or full.kind == "exact" or value is None or interval is None:
            continue
        reach = reach_of(reference)
        if full.around(value) < reach:
            yield context.hit_at_task(
                spec.entity,
                spec.dimension,
                ("scoring", "full"),
                f"{spec.scoring.full} ({short(full.around(value))} {spec.unit})",
                f"at least {short(reach)} {spec.unit}, since the facts allow {short(interval[0])} to "
                f"{short(interval[1])}",
                f"{windows.says(spec, full)}; or read facts with more digits",
            )


@rule(
    "C3-OVERLAP-TIGHT",
    C3,
    severity="warning",
    needs="answers",
    title="The overlap asked of a range is no more than what the facts' last digits allow.",
)
def overlaps_hold_the_interval(context: AuditContext) -> Iterator[Hit]:
    """Range cells whose `overlap` refuses ranges that the printed figures allow."""
    for spec, scoring, _ in context.answers.scorable:
        result = context.answers.result(spec)
        if spec.answer_type == "range" and result is not None:
            least = least_likeness(result)
            if least < scoring.overlap:
                fix = f"`overlap: {canonical(_floor(least))}` would do" if _floor(least) else "none would do"
                yield context.hit_at_task(
                    spec.entity,
                    spec.dimension,
                    ("scoring", "overlap"),
                    canonical(scoring.overlap),
                    f"at most {short(least)}, since the facts' last digits leave a right range no more",
                    f"{fix}; or read facts with more digits",
                )


def _floor(share: Decimal) -> Decimal:
    """The share in two digits, rounded down."""
    return share.quantize(Decimal("0.01"), rounding="ROUND_FLOOR", context=CONTEXT)


@rule("C5-TOLERANCE-WIDE", C5, severity="warning", needs="answers", title="No tolerance is too wide.")
def tolerances_are_not_too_wide(context: AuditContext) -> Iterator[Hit]:
    """A `full` beyond the threshold that the facts' last digits do not ask for; one hit a dimension or override."""
    windows = Windows(context.answers, context.thresholds)
    told: set[tuple[str, str]] = set()
    sizes: dict[str, list[Decimal]] = defaultdict(list)
    for spec, _, reference in context.answers.scorable:
        sizes[spec.dimension].append(abs(reference.value or Decimal(0)))
    for spec, scoring, reference in context.answers.scorable:
        full, value = scoring.full, reference.value
        if full is None or value is None or full.kind == "exact" or (spec.dimension, spec.scoring.full) in told:
            continue
        most, says = _most(context, spec.unit, full, sorted(sizes[spec.dimension]))
        asked = reach_of(reference)
        if full.size > most and CONTEXT.multiply(asked, Decimal(2)) < full.around(value):
            told.add((spec.dimension, spec.scoring.full))
            yield context.hit_at_task(
                spec.entity,
                spec.dimension,
                ("scoring", "full"),
                spec.scoring.full,
                f"at most {says}",
                f"{windows.says(spec, _narrowed(full, most))}; the facts ask for no more than {short(asked)} "
                f"{spec.unit} here",
            )


def _most(context: AuditContext, unit: str, full: Tolerance, sizes: list[Decimal]) -> tuple[Decimal, str]:
    """The widest tolerance that is not too wide, as a size and in words; `sizes` are the dimension's answers."""
    part = context.thresholds.relative_full_most
    share = f"{canonical(CONTEXT.multiply(part, Decimal(100)))}%"
    if full.kind == "relative":
        return part, share
    if unit in WHOLE:
        return Decimal(0), "`exact`, since the answers are whole"
    if unit in HUNDREDTHS:
        points = context.thresholds.points_full_most
        return points, f"{canonical(points)} pp"
    most = CONTEXT.multiply(part, sizes[len(sizes) // 2])
    return most, f"{short(most)} {unit}, which is {share} of the middle answer"


def _narrowed(full: Tolerance, most: Decimal) -> Tolerance:
    """The tolerance at its widest, in one digit; of whole answers `exact`."""
    if not most:
        return Tolerance("exact")
    return Tolerance(full.kind, most.quantize(Decimal((0, (1,), most.adjusted())), ROUND_FLOOR, CONTEXT))


@rule(
    "C5-MISSTEP-PAYS",
    C5,
    severity="warning",
    needs="answers",
    title="No known misstep in the derivation earns a full score.",
)
def missteps_do_not_pay(context: AuditContext) -> Iterator[Hit]:
    """Computed near misses that a tighter tolerance would tell from the answer; one hit a dimension or override."""
    windows = Windows(context.answers, context.thresholds)
    found: dict[tuple[object, ...], list[tuple[CellSpec, Rule, CellNearMiss]]] = defaultdict(list)
    for spec, scoring, reference in context.answers.scorable:
        least = _least(context, scoring, reference)
        if least is None:
            continue
        for miss in context.answers.missteps((spec.entity, spec.dimension)):
            if miss.misstep not in NOT_TOLD and not miss.indistinguishable and _pays(scoring, reference, miss, least):
                found[spec.dimension, spec.scoring].append((spec, scoring, miss))
    for cells in found.values():
        spec, scoring, miss = cells[0]
        more = f" (and {len(cells) - 1} more)" if len(cells) > 1 else ""
        numbers = " to ".join(short(number) for number in miss.numbers)
        reference = context.answers.references[spec.entity, spec.dimension]
        ends = (short(number) for number in (reference.value, reference.low, reference.high) if number is not None)
        right = " to ".join(ends)
        yield context.hit_at_task(
            spec.entity,
            spec.dimension,
            ("scoring", "full" if scoring.full is not None else "overlap"),
            f"`{miss.id}`, {miss.why}: {numbers} earns 1, and the answer is {right}{more}",
            "less than 1",
            windows.says_strictly(spec, scoring.full)
            if scoring.full is not None
            else windows.says_overlap(spec, [miss for _, _, miss in cells]),
        )


def _least(context: AuditContext, scoring: Rule, reference: Reference) -> Decimal | None:
    """The tolerance within which no misstep is told; None where the rule is as tight, and none need be worked out."""
    if reference.value is not None:
        full = scoring.full
        if full is None or full.kind == "exact":
            return None
        least = max(reach_of(reference), finest_full(context.thresholds, reference))
        return least if least < full.around(reference.value) else None
    is_loose = reference.low is not None and scoring.overlap < context.thresholds.overlap_finest
    return Decimal(0) if is_loose else None


def _pays(scoring: Rule, reference: Reference, miss: CellNearMiss, least: Decimal) -> bool:
    """Whether a misstep earns 1 under a tolerance that could sensibly be tighter."""
    if miss.value is not None and reference.value is not None and scoring.full is not None:
        gap = abs(CONTEXT.subtract(miss.value, reference.value))
        return least < gap <= scoring.full.around(reference.value)
    if len(miss.numbers) != 2 or reference.low is None or reference.high is None:
        return False
    return overlaps(reference.low, reference.high, *miss.numbers, scoring.overlap)

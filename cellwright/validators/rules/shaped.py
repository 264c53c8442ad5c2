"""Condition 1, shaped: what `task.yaml` calls one thing is one thing, and a range says how it follows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from cellwright.records.findings import Condition
from cellwright.records.periods import Period
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, rule

C1 = Condition.COMPLETE
_YEAR = re.compile(r"\d{4}|\d{2}$")


@rule("C1-METHOD-MISSING", C1, draft="warning", title="Every range says how it follows.")
def ranges_have_a_method(context: AuditContext) -> Iterator[Hit]:
    """Ranges without a method: neither `cells.csv` nor a step's `why` says where the ends come from."""
    for row in context.folder.cells:
        spec = context.specs.get((row.entity, row.dimension))
        if spec is None or spec.answer_type != "range" or row.method.strip():
            continue
        if not any(step.why.strip() for step in spec.steps):
            yield context.cell_hit(
                row, "method", "nothing", "how low and high follow", "say it here, or in the steps' `why`"
            )


@rule("C1-PERIOD-LENGTH", C1, severity="warning", title="A period's label means periods of one length.")
def labels_have_one_length(context: AuditContext) -> Iterator[Hit]:
    """Labels that are a year for one entity and half a year, or a day, for another."""
    slack = context.thresholds.period_slack_days
    for label, dates in context.task.periods.items():
        lengths = {who: _days(period) for who, period in dates.items()}
        usual = lengths.get("default", max(lengths.values(), default=0))
        for who, days in lengths.items():
            if abs(days - usual) > slack:
                yield Hit(
                    context.task.place("periods", label, who, record=label),
                    f"{label} of {who}: {days} days",
                    f"about {usual} days, as for the others",
                    "mend the dates, or give this period a label of its own",
                    entity="" if who == "default" else who,
                )


def _days(period: Period) -> int:
    return (period.end - period.start).days + 1 if period.start else 0


@rule("C1-PERIOD-OVERLAP", C1, severity="warning", title="Periods of one kind do not overlap.")
def periods_do_not_overlap(context: AuditContext) -> Iterator[Hit]:
    """FY2022 and FY2023 that share days for one entity: one of the dates is mistyped."""
    labels = context.task.periods
    told: set[tuple[str, str]] = set()
    for one, other in combinations(labels, 2):
        if _YEAR.sub("", one) != _YEAR.sub("", other):
            continue
        for entity in ("default", *context.task.entity_ids):
            first = labels[one].get(entity) or labels[one].get("default")
            second = labels[other].get(entity) or labels[other].get("default")
            if first and second and (one, other) not in told and _share_days(first, second):
                told.add((one, other))
                yield Hit(
                    context.task.place("periods", other, entity, record=other),
                    f"{one} {first} and {other} {second}",
                    "periods that share no day",
                    "mend the dates",
                    entity="" if entity == "default" else entity,
                )


def _share_days(one: Period, other: Period) -> bool:
    return max(one.start or one.end, other.start or other.end) <= min(one.end, other.end)

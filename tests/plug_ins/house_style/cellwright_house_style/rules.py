"""Rules of our house."""

from collections.abc import Iterator
from decimal import Decimal

from cellwright.validators.plug_in import AuditContext, Condition, Hit, plug_in_rule


@plug_in_rule(
    "C5-X-HOUSE-ASK-LENGTH",
    Condition.SCORABLE,
    title="An ask is short.",
    severity="warning",
    thresholds={"longest_ask": Decimal(200)},
)
def asks_are_short(context: AuditContext) -> Iterator[Hit]:
    most = context.settings["longest_ask"]
    for dimension in context.task.dimensions:
        if len(dimension.ask) > most:
            yield Hit(
                context.task.place_of(dimension.id, "ask"),
                observed=f"{len(dimension.ask)} characters",
                expected=f"at most {most}",
                fix="say it in fewer words",
                dimension=dimension.id,
            )


RULES = [asks_are_short]

"""Condition 5, marked: the benchmark carries a text by which a leak into training data is found out."""

from __future__ import annotations

from collections.abc import Iterator

from cellwright.records.errors import Place
from cellwright.records.findings import Condition
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, rule


@rule("C5-CANARY-ABSENT", Condition.SCORABLE, severity="warning", title="The benchmark has a canary.", waivable=False)
def the_benchmark_has_a_canary(context: AuditContext) -> Iterator[Hit]:
    """A canary that is not there, or so short that it may stand in a page by chance. Not asked where nobody looked."""
    canary, least = context.canary, context.thresholds.canary_least
    if canary is not None and (len(canary) < least or len(set(canary)) < least // 3):
        yield Hit(
            Place("params.yaml", None, "canary", "bundle"),
            f"`{canary}`" if canary else "nothing",
            f"a text of at least {least} characters that stands nowhere else",
            "write `canary:` below `bundle:`, with a random part such as a UUID",
        )

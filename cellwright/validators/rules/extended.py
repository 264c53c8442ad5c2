"""Condition 1, extended: the plug-ins that are installed can be used: no rule of theirs is left out unseen."""

from __future__ import annotations

from collections.abc import Iterator

from cellwright.records.findings import Condition
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, hit_of, rule


@rule("C1-PLUG-IN-UNUSABLE", Condition.COMPLETE, title="Every plug-in can be used.", waivable=False)
def plug_ins_can_be_used(context: AuditContext) -> Iterator[Hit]:
    """Plug-ins that cannot be loaded, rules and profiles of theirs that are none, and ids that are taken."""
    for problem in context.plug_in_problems:
        yield hit_of(problem)

"""What changed in a scoring rule, key by key, each as a curator writes it in `scoring:`."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.errors import UnreadableInput
from cellwright.records.releases.changes import FieldChange

if TYPE_CHECKING:
    from cellwright.records.scoring.rule import Rule, Tolerance


def rule_changes(old: str, new: str, old_unit: str, new_unit: str) -> tuple[FieldChange, ...]:
    """The keys of two rules of a bundle (`cells.rule`) that differ: `full: 2% → 1%`.

    A rule that cannot be read is told whole, as it stands.
    """
    if old == new:
        return ()
    from cellwright.records.scoring.rule import rule_from_json  # Its models take a while to be made.

    try:
        before, after = (_keys(rule_from_json(text), unit) for text, unit in ((old, old_unit), (new, new_unit)))
    except UnreadableInput:
        return (FieldChange("rule", old, new),)
    return tuple(FieldChange(key, before[key], after[key]) for key in before if before[key] != after[key])


def _keys(rule: Rule, unit: str) -> dict[str, str]:
    return {
        "full": "" if rule.full is None else _tolerance(rule.full, unit),
        "partial": _tolerance(rule.partial, unit),
        "order": "none" if rule.order is None else canonical(rule.order),
        "overlap": canonical(rule.overlap),
        "max_width": canonical(rule.max_width),
        "derivation": rule.derivation,
    }


def _tolerance(tolerance: Tolerance, unit: str) -> str:
    if tolerance.kind == "exact":
        return "exact"
    if tolerance.kind == "relative":
        return f"{canonical(CONTEXT.multiply(tolerance.size, Decimal(100)))}%"
    return f"{canonical(tolerance.size)} {'pp' if unit == 'percent' else unit}".strip()

"""Waivers: findings that a person has accepted, matched by rule, entity, dimension and field.

A waiver counts until the day it expires, judged against the day of the audit. That day is handed in, since nothing
here has a clock; where it is not, the task's `as_of` stands for it (design, sections 2 and 3).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from cellwright.records.errors import Place
from cellwright.records.findings import Finding
from cellwright.validators.registry import Hit, RuleInfo

if TYPE_CHECKING:  # the tables' models take long to import, and tasks that did not change need none of them
    from cellwright.records.rows import Waiver

ALL = ("", "*")
"""What stands for every entity, dimension or field."""


@dataclass(frozen=True)
class Waived:
    """Findings with what was accepted marked, and the waivers that accepted something."""

    findings: tuple[Finding, ...]
    used: frozenset[int]
    """Positions in the list of waivers."""


def is_complete(waiver: Waiver) -> bool:
    """Whether it says why and by whom; one that does not accepts nothing."""
    return bool(waiver.reason and waiver.by)


def is_expired(waiver: Waiver, day: date) -> bool:
    """Whether its last day lies before the day of the audit."""
    return waiver.expires is not None and waiver.expires < day


def matches(waiver: Waiver, rule_id: str, hit: Hit) -> bool:
    """Whether the waiver is about this hit: the rule, and each of entity, dimension and field it names."""
    names = {hit.place.column, hit.place.record, *hit.fields}
    return (
        waiver.rule == rule_id
        and (waiver.entity in ALL or waiver.entity == hit.entity)
        and (waiver.dimension in ALL or waiver.dimension == hit.dimension)
        and (waiver.field in ALL or waiver.field in names)
    )


def idle_hit(place: Place, rule_id: str) -> Hit:
    """What is told of a waiver that accepts nothing."""
    return Hit(
        place, "accepts nothing", f"a finding of {rule_id}", "remove the waiver, or mend its entity, dimension or field"
    )


def waive(found: Iterable[tuple[RuleInfo, Hit, Finding]], waivers: Sequence[Waiver], day: date) -> Waived:
    """Each finding, marked `waived` with the reason where a waiver in force accepts it."""
    by_rule: dict[str, list[tuple[int, Waiver]]] = {}
    for position, waiver in enumerate(waivers):
        if is_complete(waiver) and not is_expired(waiver, day):
            by_rule.setdefault(waiver.rule, []).append((position, waiver))
    findings: list[Finding] = []
    used: set[int] = set()
    for info, hit, finding in found:
        accepting = [
            (position, waiver)
            for position, waiver in by_rule.get(info.id, ())
            if info.waivable and matches(waiver, info.id, hit)
        ]
        used.update(position for position, _ in accepting)
        if accepting:
            waiver = accepting[0][1]
            finding = finding.model_copy(update={"waived": f"{waiver.reason} ({waiver.by})"})
        findings.append(finding)
    return Waived(tuple(findings), frozenset(used))

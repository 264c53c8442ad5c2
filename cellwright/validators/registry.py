"""The rules of the audit: what a rule is, how one is written down, and the list of all of them.

A rule is a pure generator over the `AuditContext` that yields a `Hit` for each thing an auditor must look
at. `@rule(...)` above it says its stable id, its condition, how grave it is and its title. A plug-in adds
rules of the same kind and takes none away (design, section 6).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from cellwright.records.errors import Problem
from cellwright.records.findings import Condition, Finding, Severity
from cellwright.validators.hits import Hit as Hit

if TYPE_CHECKING:
    from cellwright.validators.context import AuditContext

ROOMS = (
    "complete",
    "shaped",
    "corrected",
    "extended",
    "worded",
    "named",
    "dated",
    "signed",
    "sourced",
    "published",
    "figures",
    "reread",
    "doubted",
    "excerpts",
    "measured",
    "issued",
    "derived",
    "linted",
    "composed",
    "reconciled",
    "printed",
    "withheld",
    "scorable",
    "tolerance",
    "near_misses",
    "prompted",
    "asked",
    "piloted",
    "marked",
    "across",
)
"""The modules of `validators.rules`, by condition."""
PREFIX = {condition: f"C{number}" for number, condition in enumerate(Condition, start=1)}
"""How the ids of a condition's rules begin."""

Needs = Literal["records", "answers", "tasks"]
Draft = Literal["same", "warning", "silent"]


Check = Callable[["AuditContext"], Iterator[Hit]]


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """A rule as people see it: `cellwright rules` lists these."""

    id: str
    """Its stable id, also the name of its page in `guidelines/rules/`."""
    condition: Condition
    """The condition it belongs to."""
    severity: Severity
    """An error keeps the task from being admitted; a warning does not."""
    title: str
    """What must hold, in one sentence."""
    draft: Draft = "same"
    """What it is under `audit --draft`, where what is merely not there yet does not count."""
    needs: Needs = "records"
    """`answers`: it asks about replayed answers and is not checked where none can be replayed. `tasks`: it
    compares tasks with one another, after each was audited by itself."""
    waivable: bool = True
    """Whether a person may accept what it finds."""
    origin: str = ""
    """The plug-in that adds it, as `name version`; empty for a rule of the package."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with what it does."""

    info: RuleInfo
    check: Check
    thresholds: Mapping[str, Decimal] = field(default_factory=dict)
    """The numbers that a plug-in's rule compares with."""


_RULES: dict[str, Rule] = {}
_ID = re.compile(r"C[1-5](-[A-Z0-9]+)+")


def rule(
    rule_id: str,
    condition: Condition,
    *,
    title: str,
    severity: Severity = "error",
    draft: Draft = "same",
    needs: Needs = "records",
    waivable: bool = True,
) -> Callable[[Check], Check]:
    """Write the decorated generator down as a rule. Raises ValueError for an id that is taken or misspelt."""
    info = RuleInfo(rule_id, condition, severity, title, draft, needs, waivable)

    def add(check: Check) -> Check:
        if not _ID.fullmatch(rule_id) or not rule_id.startswith(PREFIX[condition] + "-"):
            raise ValueError(f"a rule's id is {PREFIX[condition]}-WORDS-IN-CAPITALS, not {rule_id}")
        if rule_id in _RULES:
            raise ValueError(f"the rule {rule_id} stands twice")
        _RULES[rule_id] = Rule(info, check)
        return check

    return add


def _nothing(context: AuditContext) -> Iterator[Hit]:
    """A rule that other rules trigger: it looks for nothing itself."""
    return iter(())


for _condition in Condition:
    rule(
        f"{PREFIX[_condition]}-RULE-BROKEN",
        _condition,
        waivable=False,
        title="Every rule of this condition runs to its end.",
    )(_nothing)


def broken_rule(condition: Condition) -> RuleInfo:
    """The rule that tells of rules of this condition that do not run to their end."""
    return _RULES[f"{PREFIX[condition]}-RULE-BROKEN"].info


def builtin_rules() -> tuple[Rule, ...]:
    """The rules that come with the package, ordered by id."""
    for room in ROOMS:
        import_module(f"cellwright.validators.rules.{room}")
    return tuple(_RULES[key] for key in sorted(_RULES))


def all_rules() -> list[RuleInfo]:
    """What each rule of the package is, ordered by id."""
    return [known.info for known in builtin_rules()]


def finding_of(info: RuleInfo, hit: Hit, severity: Severity | None = None) -> Finding:
    """The finding that a hit makes."""
    place = hit.place
    fields = hit.fields or ((place.column,) if place.column else ())
    return Finding(
        rule=info.id,
        condition=info.condition,
        severity=severity or info.severity,
        file=place.file,
        line=place.line,
        record=place.record,
        fields=fields,
        observed=hit.observed,
        expected=hit.expected,
        fix=hit.fix,
    )


def hit_of(problem: Problem, entity: str = "", dimension: str = "") -> Hit:
    """A problem told by a reader as a hit."""
    observed = problem.what + (f": {problem.seen}" if problem.seen else "")
    return Hit(problem.place, observed, problem.expected, problem.fix, entity, dimension)

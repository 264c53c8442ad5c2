"""What a plug-in writes its rules with, and how the audit runs them: bounded, checked, on a context of their own.

A plug-in is a distribution with an entry point of the group `cellwright.rules` that names a list of rules (docs/
plug-ins.md). It adds rules and takes none away: its ids begin `C<condition>-X-`, which no built-in's does, its rules
run after the built-in ones, and whatever one of them does is at most a finding about itself.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import count
from typing import TypeVar, get_args

from cellwright.records.errors import Place, Problem, clip
from cellwright.records.findings import Condition, Severity
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import PREFIX, Check, Draft, Hit, Needs, Rule, RuleInfo

__all__ = ["AuditContext", "Condition", "Hit", "Place", "PlugIns", "Rule", "plug_in_rule"]

T = TypeVar("T")
_END = object()
MAX_HITS = 1000
"""More findings of one rule in one task help nobody, and a rule that never ends would never let the audit end."""
MAX_RULES = 500
"""Rules of one entry point."""
MAX_WORDS = 1000
"""Characters of what a hit says."""
_ID = re.compile(r"C[1-5]-X(-[A-Z0-9]+)+")
_KEY = re.compile(r"[a-z][a-z0-9_]{0,60}")


@dataclass(frozen=True)
class PlugIns:
    """The rules that installed plug-ins add, and what could not be loaded, each naming its distribution."""

    rules: tuple[Rule, ...] = ()
    problems: tuple[Problem, ...] = ()


def plug_in_rule(
    rule_id: str,
    condition: Condition,
    *,
    title: str,
    severity: Severity = "error",
    draft: Draft = "same",
    needs: Needs = "records",
    waivable: bool = True,
    thresholds: Mapping[str, Decimal] | None = None,
) -> Callable[[Check], Rule]:
    """Make the decorated generator a rule of a plug-in. Raises ValueError for an id or a threshold that cannot be.

    `thresholds` are the rule's numbers with their defaults; `params.yaml` may set others under
    `plug_ins:`, and the rule reads them from `context.settings`.
    """
    info = RuleInfo(rule_id, condition, severity, title, draft, needs, waivable)

    def make(check: Check) -> Rule:
        made = Rule(info, check, dict(thresholds or {}))
        if fault := fault_of_rule(made):
            raise ValueError(fault)
        return made

    return make


def fault_of_rule(made: object) -> str:
    """Why something is no rule that a plug-in may add, in words; empty where it is one."""
    if not isinstance(made, Rule) or not isinstance(made.info, RuleInfo):
        return f"a rule made by `plug_in_rule`, not {_kind(made)}"
    info = made.info
    if not isinstance(info.condition, Condition):
        return f"one of the five conditions, not {_kind(info.condition)}"
    form = f"{PREFIX[info.condition]}-X-WORDS-IN-CAPITALS"
    if not isinstance(info.id, str) or not _ID.fullmatch(info.id) or len(info.id) > 80:
        return f"an id such as {form}, not {clip(str(info.id))}"
    if not info.id.startswith(PREFIX[info.condition] + "-"):
        return f"an id such as {form} for the condition {info.condition.value}, not {info.id}"
    for name, allowed in (("severity", Severity), ("draft", Draft), ("needs", Needs)):
        if getattr(info, name) not in get_args(allowed):
            return f"{info.id}: `{name}` as one of {', '.join(get_args(allowed))}"
    if info.needs == "tasks":  # the audit of one task would never run it
        return f"{info.id}: `needs` as records or answers: rules that compare tasks are Cellwright's own"
    if not isinstance(info.title, str) or not info.title.strip():
        return f"{info.id}: a title"
    if not isinstance(info.waivable, bool):
        return f"{info.id}: `waivable` as True or False"
    if not callable(made.check):
        return f"{info.id}: a function to call, not {_kind(made.check)}"
    return _fault_of_thresholds(made)


def _fault_of_thresholds(made: Rule) -> str:
    if not isinstance(made.thresholds, Mapping):
        return f"{made.info.id}: thresholds by name, not {_kind(made.thresholds)}"
    for key, value in made.thresholds.items():
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            return f"{made.info.id}: a threshold named in small letters, not {clip(str(key))}"
        if not isinstance(value, Decimal) or not value.is_finite():
            return f"{made.info.id}: a Decimal for the threshold `{key}`, not {_kind(value)}"
    return ""


def hits_of(known: Rule, context: AuditContext) -> Iterator[Hit]:
    """What a plug-in's rule finds, each hit checked. Raises for what is none, for too many, and for what it raises.

    The rule gets a copy of the context: what it sets there nobody else sees.
    """
    given = copy.copy(context)
    given.settings = dict(known.thresholds)
    found = _guarded(lambda: iter(_hits(known.check(given))))
    for number in count():
        hit = _guarded(lambda: next(found, _END))
        if hit is _END:
            return
        if number >= MAX_HITS:
            raise RuntimeError(f"it finds more than {MAX_HITS:,} things in one task")
        yield _checked(hit)


def _hits(found: object) -> Iterable[object]:
    if not isinstance(found, Iterable) or isinstance(found, str | bytes | Mapping):
        raise TypeError(f"it gives {_kind(found)} instead of hits")
    return found


def _guarded(ask: Callable[[], T]) -> T:
    """What the plug-in's code gives; its wish to stop the program is an error of its own."""
    try:
        return ask()
    except KeyboardInterrupt:
        raise
    except Exception:
        raise
    except BaseException as error:
        raise RuntimeError(f"it raised {type(error).__name__}") from None


def _checked(hit: object) -> Hit:
    if not isinstance(hit, Hit):
        raise TypeError(f"it gives {_kind(hit)} instead of a Hit")
    place = hit.place
    if not isinstance(place, Place):
        raise TypeError(f"the place of a hit is {_kind(place)} instead of a Place")
    line = place.line is None or (isinstance(place.line, int) and not isinstance(place.line, bool) and place.line > 0)
    words = (hit.observed, hit.expected, hit.fix, hit.entity, hit.dimension, place.file, place.column, place.record)
    if not line or not all(isinstance(text, str) for text in words):
        raise TypeError("what a hit says, and where, is text, and its line a whole number from 1")
    if not isinstance(hit.fields, tuple) or not all(isinstance(name, str) for name in hit.fields):
        raise TypeError("the fields of a hit are a tuple of names")
    return replace(
        hit,
        place=Place(clip(place.file), place.line, clip(place.column), clip(place.record)),
        observed=clip(hit.observed, MAX_WORDS),
        expected=clip(hit.expected, MAX_WORDS),
        fix=clip(hit.fix, MAX_WORDS),
    )


def accept(
    found: Sequence[tuple[str, str, object]], taken: Iterable[str]
) -> tuple[tuple[Rule, ...], tuple[Problem, ...]]:
    """The rules of entry points, each given as (distribution, entry point, what it names), and what is refused.

    `taken` are the ids that are there already. Where two plug-ins add one id, the first in the order given has it.
    """
    owner = dict.fromkeys(taken, "cellwright")
    rules: list[Rule] = []
    problems: list[Problem] = []
    for origin, name, value in found:
        made = [value] if isinstance(value, Rule) else value
        if not isinstance(made, list | tuple) or len(made) > MAX_RULES:
            problems.append(refused(origin, name, _kind(value), f"a list of at most {MAX_RULES} rules"))
            continue
        for item in made:
            fault = fault_of_rule(item)
            if fault:
                problems.append(refused(origin, name, _kind(item), fault))
                continue
            assert isinstance(item, Rule)
            if item.info.id in owner:
                there = owner[item.info.id]
                problems.append(refused(origin, name, item.info.id, f"an id that {there} has not taken"))
                continue
            owner[item.info.id] = origin
            rules.append(replace(item, info=replace(item.info, origin=origin)))
    return tuple(rules), tuple(problems)


def refused(origin: str, name: str, seen: str, expected: str) -> Problem:
    """What keeps an entry point's rule or profile out, naming the distribution."""
    return Problem(
        f"the plug-in `{origin}` cannot be used",
        Place(record=origin, column=name),
        seen=clip(seen, 200),
        expected=expected,
        fix="mend or uninstall it; what else there is was checked",
    )


def _kind(value: object) -> str:
    return "nothing" if value is None else f"a value of type {type(value).__name__}"

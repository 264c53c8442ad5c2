"""A cell's scoring rule: the text of `scoring` in task.yaml, defaults filled in, and its form in the bundle.

Source of keys and defaults: design, section 8.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from cellwright.records.bundle import canonical_json
from cellwright.records.decimals import CONTEXT, canonical, parse_canonical
from cellwright.records.errors import Place, Problem, UnreadableInput
from cellwright.records.fields import AnswerType
from cellwright.records.scoring.cell_unit import HUNDREDTHS, PLAIN, WHOLE, unit_factor
from cellwright.records.task import Scoring, Step

DEFAULT_PARTIAL = Decimal("0.1")
DEFAULT_ORDER = Decimal(10)
DEFAULT_OVERLAP = Decimal("0.5")
DEFAULT_MAX_WIDTH = Decimal(4)

_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?)\s*(.*)", re.DOTALL)
_BARE_FACT = re.compile(
    r"(?!cells\.|all\.|others\.|publishers\.)"
    r"[a-z][a-z0-9_]*(?:\.[a-z0-9][a-z0-9_]*)*(?:\[[^\[\]]{1,40}\])?"
)
_FORMS = "`2%` (relative), `0.05 pp` or `5 EUR/MWh` (absolute), or `exact`"


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far from the reference an answer may lie.

    `size` is a fraction of the reference for `relative`, in the cell's unit for `absolute`, and 0 for
    `exact` (equal at the reference's last printed digit).
    """

    kind: Literal["relative", "absolute", "exact"]
    size: Decimal = Decimal(0)

    def around(self, reference: Decimal) -> Decimal:
        """The greatest distance from `reference` that is within; 0 for `exact`, which the interval decides."""
        return CONTEXT.multiply(self.size, reference.copy_abs()) if self.kind == "relative" else self.size


@dataclass(frozen=True, slots=True)
class Rule:
    """What earns 1, 0.5, 0.25 and 0 in one cell; every default filled in."""

    full: Tolerance | None
    """What earns 1; None where no precise answer is expected."""
    partial: Tolerance
    """What earns 0.5."""
    order: Decimal | None
    """The factor within which a number of the right sign earns 0.25; None for no such line."""
    overlap: Decimal
    """Of a range: the least intersection over union."""
    max_width: Decimal
    """Of a range: how many times as wide as the reference may still earn 0.25."""
    derivation: Literal["required", "optional"]
    """Whether a full score needs a sound derivation."""


def parse_rule(
    scoring: Scoring, *, answer_type: AnswerType, unit: str, steps: Sequence[Step], place: Place | None = None
) -> Rule:
    """The rule that `scoring` writes, for a cell of `answer_type` in `unit` that follows by `steps`.

    Raises UnreadableInput with one problem a key that cannot be read; `place` says where `scoring` stands.
    """
    problems: list[Problem] = []
    where = place or Place()

    def take(key: str, read: Any, default: Any) -> Any:
        text = getattr(scoring, key).strip()
        if not text:
            return default
        try:
            return read(text, unit)
        except ValueError as error:
            problems.append(
                Problem(
                    f"the scoring key `{key}` cannot be read",
                    Place(where.file, where.line, key, where.record),
                    seen=text,
                    expected=str(error),
                )
            )
            return default

    full = take("full", _tolerance, None)
    if full is None and answer_type == "precise" and not problems:
        problems.append(
            Problem(
                "the scoring rule of a precise answer has no `full`",
                Place(where.file, where.line, "full", where.record),
                expected=_FORMS,
                fix="add `full:` to `scoring:`",
            )
        )
    rule = Rule(
        full=full,
        partial=take("partial", _inexact_tolerance, Tolerance("relative", DEFAULT_PARTIAL)),
        order=take("order", _order, default_order(unit)),
        overlap=take("overlap", _overlap, DEFAULT_OVERLAP),
        max_width=take("max_width", _max_width, DEFAULT_MAX_WIDTH),
        derivation=scoring.derivation or ("optional" if is_bare_fact(steps) else "required"),
    )
    if problems:
        raise UnreadableInput(problems)
    return rule


def default_order(unit: str) -> Decimal | None:
    """10, or none for percent, percentage points, ranks, counts and yes/no, where a factor says nothing."""
    return None if unit in HUNDREDTHS or unit in WHOLE else DEFAULT_ORDER


def is_bare_fact(steps: Sequence[Step]) -> bool:
    """Whether the only step is a fact taken as it is: `revenue`, `revenue[-1]`, `capex.retail`."""
    return len(steps) == 1 and len(steps[0].expr) <= 400 and bool(_BARE_FACT.fullmatch(steps[0].expr.strip()))


def rule_problems(rule: Rule, *, unit: str, value: Decimal | None) -> tuple[str, ...]:
    """What makes a readable rule unfit for its cell, each as one sentence without an end stop.

    A reference of 0 needs an absolute tolerance (or `exact`), and percent dimensions take an absolute one,
    since a relative one lets near misses pass (design, section 8).
    """
    found = []
    relative = rule.full is not None and rule.full.kind == "relative"
    if relative and value is not None and not value:
        found.append("the reference is 0, so that a relative `full` leaves nothing around it; write an absolute one")
    if relative and unit in HUNDREDTHS:
        found.append(f"the unit is {unit}, so that `full` must be absolute; write for example `0.05 pp`")
    return tuple(found)


def _number(text: str) -> tuple[Decimal, str]:
    match = _SIZE.fullmatch(text) if len(text) <= 100 else None
    if match is None:
        raise ValueError("a number without grouping, then a unit or %")
    return Decimal(match.group(1)), match.group(2).strip()


def _tolerance(text: str, unit: str) -> Tolerance:
    if text == "exact":
        return Tolerance("exact")
    try:
        return _inexact_tolerance(text, unit)
    except ValueError as error:
        raise ValueError(f"{_FORMS}: {error}") from None


def _inexact_tolerance(text: str, unit: str) -> Tolerance:
    size, tail = _number(text)
    if not size:
        raise ValueError("a tolerance above 0")
    if tail == "%":  # the sign is relative, the words `percent` and `pp` absolute
        if size > 100:
            raise ValueError("a relative tolerance of at most 100%")
        return Tolerance("relative", CONTEXT.divide(size, Decimal(100)))
    if not tail and unit not in PLAIN:
        raise ValueError(f"a unit after the number: `{text}%` for relative, `{text} {unit}` for absolute")
    factor = unit_factor(tail, unit) if tail else Decimal(1)
    if factor is None:
        raise ValueError(f"an absolute tolerance in the unit of the dimension, {unit}")
    return Tolerance("absolute", CONTEXT.multiply(size, factor))


def _order(text: str, unit: str) -> Decimal | None:
    if text == "none":
        return None
    size, tail = _number(text)
    if tail or size <= 1:
        raise ValueError("a factor above 1, or `none`")
    return size


def _overlap(text: str, unit: str) -> Decimal:
    size, tail = _number(text)
    if tail == "%":
        size, tail = CONTEXT.divide(size, Decimal(100)), ""
    if tail or not 0 < size <= 1:
        raise ValueError("a fraction above 0 and at most 1")
    return size


def _max_width(text: str, unit: str) -> Decimal:
    size, tail = _number(text)
    if tail or size < 1:
        raise ValueError("a factor of at least 1")
    return size


def rule_json(rule: Rule) -> str:
    """The rule as canonical JSON, numbers as decimal strings in the cell's unit: `cells.rule` of a bundle."""
    return canonical_json(
        {
            "full": _tolerance_data(rule.full),
            "partial": _tolerance_data(rule.partial),
            "order": None if rule.order is None else canonical(rule.order),
            "overlap": canonical(rule.overlap),
            "max_width": canonical(rule.max_width),
            "derivation": rule.derivation,
        }
    )


def rule_from_json(text: str, place: Place | None = None) -> Rule:
    """The rule that `rule_json` wrote. Raises UnreadableInput for any other text."""
    try:
        if len(text) > 2_000:
            raise ValueError
        data = json.loads(text)
        order = data["order"]
        rule = Rule(
            full=_tolerance_of(data["full"]),
            partial=_tolerance_of(data["partial"]) or _refuse(),
            order=None if order is None else _above(order, Decimal(1)),
            overlap=_above(data["overlap"], Decimal(0)),
            max_width=_above(data["max_width"], Decimal(0)),
            derivation=data["derivation"] if data["derivation"] in ("required", "optional") else _refuse(),
        )
        if set(data) != {"full", "partial", "order", "overlap", "max_width", "derivation"}:
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UnreadableInput(
            "the scoring rule cannot be read",
            place or Place(column="rule"),
            seen=text[:200],
            expected="the JSON that `cellwright bundle` writes",
        ) from None
    return rule


def _tolerance_data(tolerance: Tolerance | None) -> dict[str, str] | None:
    return None if tolerance is None else {"kind": tolerance.kind, "size": canonical(tolerance.size)}


def _tolerance_of(data: Mapping[str, Any] | None) -> Tolerance | None:
    if data is None:
        return None
    kind = data["kind"]
    if kind not in ("relative", "absolute", "exact") or set(data) != {"kind", "size"}:
        raise ValueError
    size = parse_canonical(data["size"])
    if size < 0:
        raise ValueError
    return Tolerance(kind, size)


def _above(text: str, least: Decimal) -> Decimal:
    size = parse_canonical(text)
    return size if size > least else _refuse()


def _refuse() -> Any:
    raise ValueError

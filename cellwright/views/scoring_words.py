"""A cell's scoring rule in plain words: what earns 1, 0.5, 0.25 and 0 (design, section 8)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.errors import UnreadableInput
from cellwright.records.scoring.rule import Rule, Tolerance, rule_from_json
from cellwright.views import numbers


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One score and what earns it."""

    score: str
    words: str


def rule_lines(rule_text: str, answer_type: str, unit: str) -> tuple[RuleLine, ...]:
    """The four lines of a rule of the bundle, first that fits wins; none where the rule cannot be read."""
    if answer_type == "not_available":
        return _absence_lines()
    try:
        rule = rule_from_json(rule_text)
    except UnreadableInput:
        return ()
    return _range_lines(rule) if answer_type == "range" else _precise_lines(rule, unit)


def tolerance_words(tolerance: Tolerance, unit: str) -> str:
    """`within 2 % of the reference`, `within 0.05 pp of the reference`, or equality at its last digit."""
    if tolerance.kind == "exact":
        return "equal to the reference at its last printed digit"
    if tolerance.kind == "relative":
        return f"within {canonical(CONTEXT.multiply(tolerance.size, Decimal(100)))} % of the reference"
    # A distance between two percentages is told in percentage points.
    size = numbers.with_unit(numbers.grouped(tolerance.size), "pp" if unit == "percent" else unit)
    return f"within {size} of the reference"


def _precise_lines(rule: Rule, unit: str) -> tuple[RuleLine, ...]:
    close = tolerance_words(rule.full, unit) if rule.full else "equal to the reference"
    needs = rule.derivation == "required"
    second = f"right sign and {tolerance_words(rule.partial, unit)}"
    if needs:
        second += "; or close enough for 1 without a sound derivation"
    quarter = "a range of one sign that holds the reference, its larger end at most twice the smaller"
    if rule.order is not None:
        quarter = f"right sign and at most {canonical(rule.order)} times too large or too small; or {quarter}"
    return (
        RuleLine("1", f"{close}, with a sound derivation" if needs else f"{close}; no derivation is asked for"),
        RuleLine("0.5", second),
        RuleLine("0.25", f"{quarter}; or, by the judge, the right inputs"),
        RuleLine("0", "anything else"),
    )


def _range_lines(rule: Rule) -> tuple[RuleLine, ...]:
    share = canonical(CONTEXT.multiply(rule.overlap, Decimal(100)))
    overlap = f"a range of which {share} % or more is shared with the reference (intersection over union)"
    wide = f"a range that holds the reference and is at most {canonical(rule.max_width)} times as wide"
    return (
        RuleLine("1", f"{overlap}, with the method"),
        RuleLine("0.5", "the same without the method; or one number inside the reference range"),
        RuleLine("0.25", wide),
        RuleLine("0", "anything else"),
    )


def _absence_lines() -> tuple[RuleLine, ...]:
    wide = "a range at least 20 % of its midpoint wide"
    return (
        RuleLine("1", "says that it is not available, with a reason"),
        RuleLine("0.5", f"says so without a reason; or {wide}, with the method"),
        RuleLine("0.25", f"{wide}, without the method"),
        RuleLine("0", "any precise value"),
    )

"""Which near miss a wrong answer is: a name for what went wrong. No score rests on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from cellwright.records.decimals import CONTEXT, parse_canonical
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.scoring import Answer, Reference, Rule, as_point, grade, overlaps, within_full

NOTHING = Decimal(0)
_ORIGINS = ("curated", "witness", "computed")
_SCALED = frozenset({"wrong_scale", "fraction_for_percent", "percent_for_fraction"})
Row = Mapping[str, str]


def nearest_near_miss(rule: Rule, reference: Reference, answer: Answer, near_misses: Iterable[Row]) -> str:
    """The id of the published near miss that a wrong answer is.

    It lies within the near miss's interval, or within the rule's full tolerance of it; of a range, its overlap with
    the answer is at least `overlap`. Of several the nearest, then the curator's, a witness's, a computed one. Empty
    for a right answer and where none is near; a computed one that cannot be told from the answer names nothing.
    """
    said = as_point(answer)
    if answer.other_unit or _is_right(rule, reference, said):
        return ""
    found = []
    for row in near_misses:
        distance = _distance(rule, reference, said, row)
        if distance is not None:
            found.append((distance, _place(row), row["near_miss"]))
    return min(found)[2] if found else ""


def _place(row: Row) -> int:
    origin = row.get("origin", "")
    return _ORIGINS.index(origin) if origin in _ORIGINS else 0


def _is_right(rule: Rule, reference: Reference, said: Answer) -> bool:
    if reference.answer_type == "precise":
        return said.value is not None and within_full(rule, reference, said.value)
    return grade(rule, reference, said).score > NOTHING


def _distance(rule: Rule, reference: Reference, said: Answer, row: Row) -> Decimal | None:
    """How far an answer is from a near miss; None where it is not that near miss."""
    if row.get("origin") == "computed" and row.get("indistinguishable") == "yes":
        return None
    miss, low, high = (_number(row, column) for column in ("value", "low", "high"))
    if said.value is not None and miss is not None:
        distance = abs(CONTEXT.subtract(said.value, miss))
        reach = CONTEXT.multiply(_tolerance(rule, reference, miss), _share(rule, reference, miss, row))
        return distance if _inside(said.value, row) or distance <= reach else None
    if said.low is None or said.high is None or low is None or high is None or low > high:
        return None
    if not overlaps(low, high, said.low, said.high, rule.overlap):
        return None
    return CONTEXT.add(abs(CONTEXT.subtract(said.low, low)), abs(CONTEXT.subtract(said.high, high)))


def _share(rule: Rule, reference: Reference, miss: Decimal, row: Row) -> Decimal:
    """How much of the tolerance a near miss of a smaller scale has: in millions 5 EUR are 0.000005."""
    size = abs(reference.value or NOTHING)
    if rule.full is not None and rule.full.kind == "relative":
        return Decimal(1)  # a share already
    if row.get("misstep") not in _SCALED or not size or abs(miss) >= size:
        return Decimal(1)
    return CONTEXT.divide(abs(miss), size)


def _inside(value: Decimal, row: Row) -> bool:
    """Whether the facts' last digits allow the answer of the near miss."""
    low, high = _number(row, "interval_low"), _number(row, "interval_high")
    return low is not None and high is not None and low <= value <= high


def _number(row: Row, column: str) -> Decimal | None:
    text = row.get(column, "")
    try:
        return parse_canonical(text) if text else None
    except ValueError as error:
        place = Place("near_misses.parquet", column=column, record=row["near_miss"])
        raise UnreadableInput(f"a near miss is {error}", place, seen=text) from None


def _tolerance(rule: Rule, reference: Reference, miss: Decimal) -> Decimal:
    """How far around a near miss an answer is that near miss; for `exact`, half the reference's interval."""
    if rule.full is None:
        return NOTHING
    if rule.full.kind != "exact" or reference.interval is None:
        return rule.full.around(miss)
    low, high = reference.interval
    return CONTEXT.divide(CONTEXT.subtract(high, low), Decimal(2))

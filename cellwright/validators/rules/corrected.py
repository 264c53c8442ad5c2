"""Condition 1, corrected: what `corrections.csv` says was mended is what the task now says."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from typing import get_args

from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.derivations import CellResult
from cellwright.records.fields import DivergenceReason
from cellwright.records.findings import Condition
from cellwright.records.rows import Correction
from cellwright.records.suggest import did_you_mean
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, rule

C1 = Condition.COMPLETE
CODES = (*get_args(DivergenceReason), "reading", "unit", "source", "derivation", "scoring", "question", "label")
"""What kind of mistake it was: why a source changed its figure, or what was wrong here."""
_VERSION = re.compile(r"(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})(-rc\d{1,4})?")
_ADDRESS = re.compile(r"https?://[^\s/]+\.[^\s/]+\S*")
_PLAIN = re.compile(r"-?\d{1,60}(\.\d{1,60})?")


@rule("C1-CORRECTION-INCOMPLETE", C1, title="Every correction says what was wrong, what is right, and how it is known.")
def corrections_are_complete(context: AuditContext) -> Iterator[Hit]:
    """Corrections without the fact or cell they are about, old, new, who told or the evidence."""
    for item in context.folder.corrections:
        if not item.fact and not (item.entity and item.dimension):
            yield _hit(context, item, "fact", "nothing", "the fact, or entity and dimension of the cell")
        for column, expected in (
            ("old", "what it said"),
            ("new", "what it says now"),
            ("reported_by", "who told"),
            ("evidence_url", "where the right figure stands"),
        ):
            if not getattr(item, column).strip():
                yield _hit(context, item, column, "nothing", expected)
        if item.evidence_url.strip() and not _ADDRESS.fullmatch(item.evidence_url.strip()):
            yield _hit(context, item, "evidence_url", item.evidence_url, "an address such as https://…")
        if item.old.strip() and _same(item.old, item.new):
            yield _hit(context, item, "new", item.new, f"something else than the old `{item.old.strip()}`")


@rule("C1-CORRECTION-CODE", C1, title="Every correction has a known code and, once released, a version.")
def corrections_have_codes(context: AuditContext) -> Iterator[Hit]:
    """Codes that are none, and releases that are no version."""
    for item in context.folder.corrections:
        if item.code not in CODES:
            yield _hit(
                context,
                item,
                "code",
                item.code or "nothing",
                f"one of {', '.join(CODES)}",
                did_you_mean(item.code, CODES) if item.code else "",
            )
        if item.released_in and not _VERSION.fullmatch(item.released_in):
            yield _hit(context, item, "released_in", item.released_in, "a version such as 1.1.0, or nothing yet")


@rule("C1-CORRECTION-STRAY", C1, title="The fact of a correction is one of its cell.")
def corrections_are_about_one_thing(context: AuditContext) -> Iterator[Hit]:
    """Corrections whose fact belongs to another entity than they name."""
    for item in context.folder.corrections:
        fact = context.folder.fact_by_id.get(item.fact)
        if fact is not None and item.entity not in ("", "*", fact.entity) and fact.entity != "*":
            yield _hit(context, item, "entity", item.entity, fact.entity, f"`{fact.id}` is of `{fact.entity}`")


@rule("C1-CORRECTION-STALE", C1, title="What a correction says is right is what the task now says.")
def corrections_are_in_force(context: AuditContext) -> Iterator[Hit]:
    """The last correction of a fact or cell whose `new` is not there now, and one that does not go on from the last."""
    for items in _histories(context).values():
        for earlier, later in pairwise(items):
            if earlier.new.strip() and later.old.strip() and not _same(earlier.new, later.old):
                yield _hit(
                    context,
                    later,
                    "old",
                    later.old,
                    f"`{earlier.new}`, which `{earlier.id}` left",
                    "mend the old value, or put the lines into the order of the corrections",
                )
        last = items[-1]
        now = _now(context, last)
        if last.new.strip() and now and not any(_same(last.new, text) for text in now):
            undone = any(_same(last.old, text) for text in now)
            again = "the correction was undone: make it again, or remove the line"
            yield _hit(
                context,
                last,
                "new",
                f"{last.new}, while the {'fact' if last.fact else 'cell'} says {now[0]}",
                "what is there now",
                again if undone else "mend the one or the other",
            )


def _histories(context: AuditContext) -> dict[tuple[str, ...], list[Correction]]:
    """The corrections of each fact, or of each cell where no fact is named, in the file's order."""
    found: dict[tuple[str, ...], list[Correction]] = defaultdict(list)
    for item in context.folder.corrections:
        found[(item.fact,) if item.fact else (item.entity, item.dimension)].append(item)
    return found


def _now(context: AuditContext, item: Correction) -> list[str]:
    """Everything a correction could have set: of its fact, or of its cell; nothing where neither is there."""
    if item.fact:
        fact = context.folder.fact_by_id.get(item.fact)
        if fact is None:
            return []
        told = (fact.as_written, fact.period, fact.unit, fact.rank, fact.sign, fact.basis, fact.scope, fact.source)
        numbers = [canonical(fact.value)] if fact.value is not None else []
        scale = [str(fact.scale)] if fact.scale is not None else []
        return [*numbers, *(str(text) for text in told if text), *scale]
    return [text for text in _cell_now(context, item.entity, item.dimension) if text]


def _cell_now(context: AuditContext, entity: str, dimension: str) -> Iterator[str]:
    spec = context.specs.get((entity, dimension))
    if spec is None:
        return
    row = context.folder.cell_row.get((entity, dimension))
    if _replays(context):
        result = context.answers.results.get((entity, dimension))
        if isinstance(result, CellResult):
            for value in (result.value, result.low, result.high):
                if value is not None:
                    yield canonical(value)
    yield from (spec.answer_type, spec.unit, spec.period, spec.ask, spec.scoring.full or "")
    if row is not None:
        yield from (row.agreement or "", row.reason_code or "", row.chosen, row.method)


def _replays(context: AuditContext) -> bool:
    try:
        return context.answers is not None
    except Exception:  # C3-REPLAY asks for the same and tells it
        return False


def _same(one: str, other: str) -> bool:
    """Whether two texts say the same: equal numbers, the shorter one rounded, or the same words."""
    one, other = one.strip(), other.strip()
    if one.casefold() == other.casefold():
        return True
    first, second = _number(one), _number(other)
    if first is None or second is None:
        return False
    if first == second:
        return True
    # A reference is published unrounded; who types it rounds it, but never to whole tens.
    coarse, fine = sorted((first, second), key=lambda value: len(value.as_tuple().digits))
    exponent = int(coarse.as_tuple().exponent)
    close = abs(CONTEXT.subtract(coarse, fine)) <= Decimal((0, (5,), exponent - 1))
    return exponent < 0 and len(coarse.as_tuple().digits) >= 3 and close


def _number(text: str) -> Decimal | None:
    plain = text.replace(",", "")
    try:
        return Decimal(plain) if _PLAIN.fullmatch(plain) else None
    except InvalidOperation:
        return None


def _hit(context: AuditContext, item: Correction, column: str, observed: str, expected: str, fix: str = "") -> Hit:
    return Hit(context.folder.place(item, column), observed, expected, fix, item.entity, item.dimension)

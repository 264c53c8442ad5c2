"""What the evidence says of a reason code: each code wants something that the facts or the records can show.

| code | what bears it out |
| --- | --- |
| restated | two dates of publication; where they are not told, `basis: restated` or `supersedes` on one of the facts |
| rounding | values no further apart than one unit of the coarser figure's last printed digit |
| scope | a scope on both sides, and two of them |
| definition | other words in row or quote, another basis, or a note on one of the facts |
| period | dates typed in two ways, two column heads, or a note on one of the facts |
| error | a correction of the fact or cell, a third owner on one side, or a note on one of the facts |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from cellwright.records.decimals import CONTEXT
from cellwright.records.derivations import CellResult
from cellwright.records.quantities import Reading
from cellwright.records.rows import CellRow, Fact
from cellwright.validators.agreement import OtherAnswer
from cellwright.validators.context import AuditContext

_FIGURES = re.compile(r"[\d.,'’()\s−–-]+")


def unsupported(context: AuditContext, row: CellRow, other: OtherAnswer) -> str:
    """Why the evidence does not bear the cell's reason code out for one diverging fact; empty where it does."""
    witness = context.folder.fact_by_id.get(other.fact)
    taken = _taken(context, row, other)
    if witness is None or not taken or row.reason_code not in _CHECKS:
        return ""
    because = [_CHECKS[row.reason_code](context, row, fact, witness) for fact in taken]
    return because[0] if all(because) else ""


def _taken(context: AuditContext, row: CellRow, other: OtherAnswer) -> list[Fact]:
    """The fact that the witness stands in for; of one that states the answer itself, every input of the cell."""
    by_id = context.folder.fact_by_id
    if other.replaces:
        return [by_id[other.replaces]] if other.replaces in by_id else []
    result = context.answers.results.get((row.entity, row.dimension))
    names = result.inputs if isinstance(result, CellResult) else ()
    return [by_id[name] for name in sorted(names) if name in by_id]


def _restated(context: AuditContext, row: CellRow, taken: Fact, witness: Fact) -> str:
    days = []
    for fact in (taken, witness):
        source = context.folder.source_by_id.get(fact.source)
        days.append(source.published if source is not None else None)
    if taken.source != witness.source and days[0] is not None and days[0] == days[1]:
        return f"both were published on {days[0]}"
    told = (
        "restated" in {taken.basis, witness.basis} or witness.id == taken.supersedes or taken.id == witness.supersedes
    )
    if told or (None not in days and days[0] != days[1]):
        return ""
    if taken.source == witness.source:
        return f"both stand in `{taken.source}`, and neither has the basis restated"
    return f"`{(taken, witness)[days.index(None)].id}` has no date of publication"


def _rounding(context: AuditContext, row: CellRow, taken: Fact, witness: Fact) -> str:
    if taken.name != witness.name:  # a stated answer beside its inputs: their figures are of other things
        return _rounds_the_answer(context, row, witness)
    units = [_last_digit(context, fact) for fact in (taken, witness)]
    if taken.value is None or witness.value is None or None in units:
        return ""
    apart = abs(CONTEXT.subtract(taken.value, witness.value))
    if apart <= max(unit for unit in units if unit is not None):
        return ""
    return f"`{taken.id}` and `{witness.id}` differ by more than their last digits"


def _rounds_the_answer(context: AuditContext, row: CellRow, witness: Fact) -> str:
    result = context.answers.results.get((row.entity, row.dimension))
    unit = _last_digit(context, witness)
    if not isinstance(result, CellResult) or result.value is None or unit is None or witness.value is None:
        return ""
    near = abs(CONTEXT.subtract(result.value, witness.value)) <= unit or witness.unit != result.unit
    return "" if near else f"`{witness.id}` differs from the answer by more than its last digit"


def _last_digit(context: AuditContext, fact: Fact) -> Decimal | None:
    """One unit of a figure's last printed digit, in the fact's unit; None where it cannot be read."""
    found = context.readings.get(fact.id)
    if found is None or not isinstance(found[1], Reading):
        return None
    return Decimal((0, (1,), found[1].place + (fact.scale or 0)))


def _scope(context: AuditContext, row: CellRow, taken: Fact, witness: Fact) -> str:
    for fact in (taken, witness):
        if not fact.scope:
            return f"`{fact.id}` has no scope"
    return f"both are {taken.scope}" if taken.scope == witness.scope else ""


def _definition(context: AuditContext, row: CellRow, taken: Fact, witness: Fact) -> str:
    if _noted(taken, witness) or taken.basis != witness.basis or taken.name != witness.name:
        return ""
    if _words(taken.row) != _words(witness.row) or _words(taken.quote) != _words(witness.quote):
        return ""
    return f"`{taken.id}` and `{witness.id}` are read from the same words, and neither has a note"


def _period(context: AuditContext, row: CellRow, taken: Fact, witness: Fact) -> str:
    if _noted(taken, witness) or taken.period != witness.period:
        return ""
    if taken.column and witness.column and taken.column != witness.column:
        return ""
    return f"both are of {taken.period}, and neither has a note"


def _error(context: AuditContext, row: CellRow, taken: Fact, witness: Fact) -> str:
    if _noted(taken, witness) or _corrected(context, row, taken, witness) or _outvoted(context, taken, witness):
        return ""
    return f"nothing shows whether `{taken.id}` or `{witness.id}` is the mistake"


def _corrected(context: AuditContext, row: CellRow, taken: Fact, witness: Fact) -> bool:
    cell = (row.entity, row.dimension)
    return any(
        item.fact in (taken.id, witness.id) or (not item.fact and (item.entity, item.dimension) == cell)
        for item in context.folder.corrections
    )


def _outvoted(context: AuditContext, taken: Fact, witness: Fact) -> bool:
    """Whether another owner than that of the witness says what the taken fact says, beside its own."""
    own = {_owner(context, taken), _owner(context, witness)}
    return any(
        fact.value == taken.value and _owner(context, fact) not in own for fact in _readings(context, taken, witness)
    )


def _readings(context: AuditContext, taken: Fact, witness: Fact) -> Iterator[Fact]:
    """The other primary and witness facts of what the two are readings of."""
    for facts in _groups(context, taken):
        for fact in facts:
            if fact.id not in (taken.id, witness.id) and fact.rank in ("primary", "witness"):
                yield fact


def _groups(context: AuditContext, taken: Fact) -> Iterator[Sequence[Fact]]:
    dates = str(context.periods[taken.id])
    found = context.readings_of_one_thing.get((taken.entity, taken.name, dates))
    if found:
        yield found


def _owner(context: AuditContext, fact: Fact) -> str:
    source = context.folder.source_by_id.get(fact.source)
    return context.owners.key(source.publisher if source else fact.source)


def _noted(taken: Fact, witness: Fact) -> bool:
    return bool(taken.note.strip() or witness.note.strip())


def _words(text: str) -> str:
    return " ".join(_FIGURES.sub(" ", text).split()).casefold()


_CHECKS = {
    "restated": _restated,
    "rounding": _rounding,
    "scope": _scope,
    "definition": _definition,
    "period": _period,
    "error": _error,
}

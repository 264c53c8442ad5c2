"""Condition 4, withheld: no reading is kept from the label, and none counts twice."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from cellwright.records.decimals import CONTEXT
from cellwright.records.findings import Condition
from cellwright.records.quantities import Reading
from cellwright.records.rows import Fact
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, rule

C4 = Condition.RECONCILED
_STRONG = ("T1", "T2")
_OTHER_BASES = ("adjusted", "estimated")


@rule("C4-WITNESS-HIDDEN", C4, severity="warning", title="A reading that differs is ranked witness.")
def readings_that_differ_are_witnesses(context: AuditContext) -> Iterator[Hit]:
    """T1 and T2 readings of the primary's thing, with another value, ranked context; readings ranked superseded
    that nothing supersedes."""
    superseded = {fact.supersedes for fact in context.folder.facts if fact.supersedes}
    for facts in context.readings_of_one_thing.values():
        primary = next((fact for fact in facts if fact.rank == "primary"), None)
        for fact in facts:
            if primary is None or fact is primary:
                continue
            if fact.rank == "superseded" and fact.id not in superseded:
                fix = "name it in `supersedes` of the fact that replaces it, or rank it witness"
                yield context.fact_hit(fact, "rank", "superseded, and nothing supersedes it", "witness", fix)
            elif fact.rank == "context" and _differs(context, fact, primary):
                observed = f"context, and another value than `{primary.id}`"
                yield context.fact_hit(fact, "rank", observed, "witness", "let the label tell the difference")


def _differs(context: AuditContext, fact: Fact, primary: Fact) -> bool:
    source = context.folder.source_by_id.get(fact.source)
    alike = fact.unit == primary.unit and fact.basis not in _OTHER_BASES
    alike = alike and (not fact.scope or not primary.scope or fact.scope == primary.scope)
    if not alike or source is None or source.tier not in _STRONG or fact.value is None or primary.value is None:
        return False
    slack = CONTEXT.add(_half_digit(context, fact), _half_digit(context, primary))
    return abs(CONTEXT.subtract(fact.value, primary.value)) > slack


def _half_digit(context: AuditContext, fact: Fact) -> Decimal:
    """Half a unit of the fact's last written digit, in its unit."""
    reading = context.readings.get(fact.id)
    if reading is None or not isinstance(reading[1], Reading):
        return Decimal(0)
    return Decimal("0.5").scaleb(reading[1].place + (reading[1].scale or fact.scale or 0), CONTEXT)


@rule("C4-WITNESS-TWICE", C4, title="One printed figure is one witness.")
def witnesses_are_counted_once(context: AuditContext) -> Iterator[Hit]:
    """Two facts of one thing read from the same words of the same source, neither of them the primary."""
    for facts in context.readings_of_one_thing.values():
        first: dict[tuple[object, ...], str] = {}
        for fact in facts:
            if fact.rank == "primary" or not fact.as_written:
                continue
            key = (fact.source, fact.as_written, fact.quote, fact.prefix, fact.suffix, fact.page, fact.row, fact.column)
            other = first.setdefault((*key, fact.locator), fact.id)
            if other != fact.id:
                yield context.fact_hit(fact, "id", f"the same words as `{other}`", "one line a reading", "remove it")


@rule(
    "C4-CHOSEN-NEEDLESS", C4, severity="warning", needs="answers", title="Only a divergent cell says what was chosen."
)
def only_divergent_cells_choose(context: AuditContext) -> Iterator[Hit]:
    """A chosen fact in a cell whose witnesses do not differ: the label or the choice is of another cell."""
    for row in context.folder.cells:
        verdict = context.answers.verdicts.get((row.entity, row.dimension))
        spec = context.specs.get((row.entity, row.dimension))
        absent = spec is not None and spec.answer_type == "not_available"
        if row.chosen and (absent or (verdict is not None and verdict.label != "divergent")):
            observed = f"`{row.chosen}`, while {'nothing is available' if absent else 'nothing differs'}"
            yield context.cell_hit(row, "chosen", observed, "nothing", "empty it, or add the witness that differs")

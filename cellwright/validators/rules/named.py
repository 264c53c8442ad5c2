"""Condition 1, named: names, ids and units mean one thing, and say what the columns beside them say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from cellwright.records.derivations import format_expression
from cellwright.records.derivations._text import parsed
from cellwright.records.errors import ExpressionError, UnreadableInput
from cellwright.records.findings import Condition
from cellwright.records.names import company_key
from cellwright.records.quantities._locale import listed
from cellwright.records.rows import Fact
from cellwright.records.task import Step
from cellwright.records.units import unit_table
from cellwright.validators.context import AuditContext
from cellwright.validators.lint import Call, CellName, Name
from cellwright.validators.registry import Hit, rule

C1 = Condition.COMPLETE
_UNIQUE = listed("ticker cik lei isin figi cusip sedol duns ein vat wikidata permid gvkey ric")
_BASES = ("reported", "restated", "adjusted", "estimated")
_CONFIDENCE_WORDS = ("low", "medium", "high")


@rule("C1-ENTITY-CONFUSED", C1, title="No two entities share a name, an alias or an identifier.")
def entities_are_told_apart(context: AuditContext) -> Iterator[Hit]:
    """An alias that is another entity's name, one company under two ids, one ticker twice."""
    first: dict[str, str] = {}
    for index, entity in enumerate(context.task.entities):
        keys = {company_key(name): name for name in (entity.name, *entity.aliases)}
        keys |= {
            f"{kind.casefold()} {text.strip().casefold()}": f"{kind} {text}"
            for kind, text in entity.identifiers.items()
            if kind.casefold() in _UNIQUE
        }
        for key, shown in keys.items():
            other = first.setdefault(key, entity.id)
            if other != entity.id:
                place = context.task.place("entities", index, record=entity.id)
                observed = f"`{shown}` stands for `{other}` too"
                yield Hit(place, observed, "names of its own", "mend one of the two entities", entity.id)


@rule("C1-ENTITY-CURRENCY", C1, severity="warning", title="An entity's currency is one that its figures are in.")
def entities_report_in_their_currency(context: AuditContext) -> Iterator[Hit]:
    """Entities with figures in money, none of them in the currency that `task.yaml` gives the entity."""
    used: dict[str, Counter[str]] = {}
    for fact in context.folder.facts:
        currency = fact.unit.split("/")[0].strip()
        if len(currency) == 3 and currency.isupper():
            used.setdefault(fact.entity, Counter())[currency] += 1
    for index, entity in enumerate(context.task.entities):
        found = used.get(entity.id)
        if entity.currency and found and entity.currency not in found:
            place = context.task.place("entities", index, "currency", record=entity.id)
            usual = found.most_common(1)[0][0]
            yield Hit(place, entity.currency, f"{usual}, as its figures", "mend the currency or the units", entity.id)


@rule("C1-NAME-TAKEN", C1, title="No assumption bears the name of a fact.")
def assumptions_have_names_of_their_own(context: AuditContext) -> Iterator[Hit]:
    """Assumptions that hide the figures of a fact of the same name in every expression."""
    names = {fact.name for fact in context.folder.facts}
    for index, assumption in enumerate(context.task.assumptions):
        if assumption.id in names:
            place = context.task.place("assumptions", index, "id", record=assumption.id)
            yield Hit(place, f"`{assumption.id}` is a fact too", "another name", "rename the assumption")


@rule("C1-FACT-ID-CONTRADICTS", C1, severity="warning", title="A fact's id does not contradict its line.")
def ids_say_what_the_lines_say(context: AuditContext) -> Iterator[Hit]:
    """Ids made of entity, name and period whose parts name another entity or another period than the columns do."""
    entities = frozenset(context.task.entity_ids)
    labels = {re.sub(r"\W", "_", label.casefold()): label for label in context.task.periods}
    for fact in context.folder.facts:
        parts = fact.id.split(".")
        told = [labels[part] for part in parts[1:] if part in labels]
        problem = ""
        if len(parts) > 1 and parts[0] in entities and fact.entity not in (parts[0], "*"):
            problem = f"`{fact.id}` is of `{fact.entity}`"
        elif told and fact.period in context.task.periods and fact.period not in told:
            problem = f"`{fact.id}` is of {fact.period}"
        if problem:
            yield context.fact_hit(fact, "id", problem, "an id of its own entity and period", "mend the id or the line")


@rule("C1-SUPERSEDES-WRONG", C1, title="A fact supersedes another reading of the same thing.")
def facts_supersede_the_same_thing(context: AuditContext) -> Iterator[Hit]:
    """Facts that supersede themselves, or a fact of another entity or name."""
    by_id = context.folder.fact_by_id
    for fact in context.folder.facts:
        old = by_id.get(fact.supersedes)
        if old is not None and (old.id == fact.id or (old.entity, old.name) != (fact.entity, fact.name)):
            observed = "itself" if old.id == fact.id else f"`{old.id}`, which is {old.name} of {old.entity}"
            expected = f"another fact `{fact.name}` of `{fact.entity}`"
            yield context.fact_hit(fact, "supersedes", observed, expected, "name the fact that this one replaces")


@rule("C1-FAMILY-DOUBTFUL", C1, severity="warning", title="Retrieval looks a figure up, derivation works one out.")
def families_fit_their_steps(context: AuditContext) -> Iterator[Hit]:
    """Retrieval whose answer is worked out from several figures; derivation whose only step names one fact."""
    for item in context.task.dimensions:
        if item.answer_type == "not_available" or not item.steps:
            continue
        looked_up = len(item.steps) == 1 and _is_one_figure(item.steps[0])
        converted = looked_up and "to(" in item.steps[0].expr  # looked up, or worked out: both are fair
        observed = ""
        if (
            item.family == "derivation"
            and looked_up
            and not converted
            and not any(own.steps for own in item.overrides.values())
        ):
            observed = "derivation, and its only step is a fact"
        elif item.family == "retrieval" and not looked_up and _works_out(item.steps):
            observed = "retrieval, and its steps work the answer out"
        if observed:
            place = context.task.place_of(item.id, "family")
            yield Hit(place, observed, "the family that its steps show", "mend the family or the steps", "", item.id)


def _is_one_figure(step: Step) -> bool:
    expression = parsed(step.expr)
    tree = None if isinstance(expression, ExpressionError) else expression.tree
    if isinstance(tree, Call) and tree.function == "to":  # another currency, the same figure
        tree = tree.args[0]
    return isinstance(tree, Name | CellName)


def _works_out(steps: tuple[Step, ...]) -> bool:
    """Whether several figures are named; a sum of parts that the document does not print is still looked up."""
    names: set[str] = set()
    for step in steps:
        expression = parsed(step.expr)
        if isinstance(expression, ExpressionError):
            return False
        names |= {format_expression(name) for name in expression.names}
    return len(names - {step.id for step in steps}) > 1


@rule("C1-CONFIDENCE", C1, severity="warning", title="A confidence is a part of 1 or of 100 %, or low, medium, high.")
def confidences_can_be_read(context: AuditContext) -> Iterator[Hit]:
    """Confidences of 150 %, or in words of one's own."""
    for row in context.folder.cells:
        text = row.confidence.strip()
        if text and not _is_confidence(text):
            yield context.cell_hit(row, "confidence", text, "0 to 1, 0% to 100%, or low, medium, high")


def _is_confidence(text: str) -> bool:
    if text.casefold() in _CONFIDENCE_WORDS:
        return True
    try:
        number = Decimal(text.removesuffix("%").strip())
    except InvalidOperation:
        return False
    return number.is_finite() and 0 <= number <= (100 if text.endswith("%") else 1)


@rule("C1-BASIS-UNKNOWN", C1, severity="warning", title="A basis is reported, restated, adjusted or estimated.")
def bases_are_known(context: AuditContext) -> Iterator[Hit]:
    """A basis mistyped, which would be told as another basis than that of the figures beside it."""
    for fact in context.folder.facts:
        if fact.basis and fact.basis.strip().casefold() not in _BASES:
            yield context.fact_hit(fact, "basis", fact.basis, f"one of {', '.join(_BASES)}")


@rule("C1-UNIT-UNKNOWN", C1, title="Every fact's unit can be read.")
def units_can_be_read(context: AuditContext) -> Iterator[Hit]:
    """Units such as `dollars` or `USD million` of facts that are not primary; the answers' own are told by C3."""
    try:
        table = unit_table(context.task.units)
    except UnreadableInput:  # C3-REPLAY tells it
        return
    known: dict[str, str] = {}
    for fact in context.folder.facts:
        if fact.rank == "primary":
            continue
        if fact.unit not in known:
            try:
                table.parse(fact.unit)
                known[fact.unit] = ""
            except UnreadableInput as error:
                known[fact.unit] = error.problems[0].fix or error.problems[0].expected or error.problems[0].what
        if known[fact.unit]:
            yield _unit_hit(context, fact, known[fact.unit])


def _unit_hit(context: AuditContext, fact: Fact, fix: str) -> Hit:
    return context.fact_hit(fact, "unit", fact.unit, "a unit that the registry or the task's `units` knows", fix)

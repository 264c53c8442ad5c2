"""Condition 3, linted: slips that arithmetic cannot see, since the wrong expression works out as well."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from cellwright.records.derivations import format_expression
from cellwright.records.findings import Condition
from cellwright.records.periods import Period
from cellwright.records.task import Assumption, CellSpec, Dimension, Override
from cellwright.validators.context import AuditContext
from cellwright.validators.lint import (
    Binary,
    Call,
    CellName,
    Derivation,
    Minus,
    Name,
    Number,
    Side,
    Tree,
    comparable,
    constant,
    terms,
)
from cellwright.validators.registry import Hit, rule

C3 = Condition.DERIVED
_ENDS = ("answer", "low", "high")
_HUNDREDTHS = ("percent", "permille", "bp", "pp")
_PARTS_OF_A_YEAR = (4, 12, 52, 360, 365)
_FALLS = re.compile(r"declin|decreas|fall|fell|drop|reduc|lost|loss|lower|saving|shrink", re.IGNORECASE)
_MEAN = re.compile(r"\b(?:mean|average)\b", re.IGNORECASE)


def _at(context: AuditContext, spec: CellSpec, index: int, observed: str, expected: str, fix: str) -> Hit:
    return context.hit_at_task(spec.entity, spec.dimension, ("steps", index), observed, expected, fix)


@rule("C3-MEAN-DIVISOR", C3, needs="answers", title="A mean is divided by the count of its inputs.")
def means_are_divided_by_their_count(context: AuditContext) -> Iterator[Hit]:
    """Sums over five divided by four, counts of another list, and means that nothing divides."""
    for derivation in context.derivations:
        spec = derivation.spec
        divides = False
        for index, _, node in derivation.nodes():
            divides = divides or _averages(node)
            if isinstance(node, Binary) and node.operator == "/":
                summed = terms(derivation, node.left)
                problem = _divisor(context, derivation, summed, node.right) if summed else ""
                if problem:
                    yield _at(context, spec, index, problem, "the count of what is summed", "mend the divisor")
        asks = _MEAN.search(spec.ask)
        sums = any(terms(derivation, tree) for tree in derivation.trees.values())
        if asks and sums and not divides:
            last = len(spec.steps) - 1
            yield _at(
                context,
                spec,
                last,
                "a sum that nothing divides",
                f"the {asks[0]} that is asked for",
                "add the last step",
            )


def _averages(node: Tree) -> bool:
    if isinstance(node, Call):
        return node.function in ("mean", "median", "cagr")
    return isinstance(node, Binary) and node.operator in ("/", "*")


def _divisor(context: AuditContext, derivation: Derivation, summed: list[Tree], divisor: Tree) -> str:
    """Why a divisor is not the count of the terms; empty where it is, or where it counts nothing."""
    divisor = derivation.meaning(divisor)
    if isinstance(divisor, Call) and divisor.function == "count" and len(divisor.args) == len(summed) == 1:
        own, counted = format_expression(summed[0]), format_expression(divisor.args[0])
        return f"sum of {own} over the count of {counted}" if own != counted else ""
    divided_by = constant(context.task, derivation, divisor)
    if divided_by is None or divided_by % 1 or divided_by < 2 or divided_by in _PARTS_OF_A_YEAR[1:]:
        return ""
    if len(summed) == 1:
        count = _length(derivation, summed[0], context)
        alike = True
    else:
        count = None if any(_length(derivation, tree, context) != 1 for tree in summed) else len(summed)
        alike = len({derivation.side(tree).names for tree in summed}) == 1
    if count is None or count < 2 or divided_by == count:
        return ""
    if alike or abs(divided_by - count) == 1:
        return f"{count} inputs divided by {divided_by}"
    return ""


def _assumption(context: AuditContext, tree: Tree) -> Assumption | None:
    if not isinstance(tree, Name):
        return None
    return next((item for item in context.task.assumptions if item.id == tree.name), None)


def _length(derivation: Derivation, tree: Tree, context: AuditContext) -> int | None:
    """How many numbers an operand of a sum stands for; None where that cannot be told from the text."""
    if isinstance(tree, Call) and tree.function == "available":
        return None
    if isinstance(tree, Name) and tree.star:
        names = {
            fact.name
            for fact in context.folder.facts
            if fact.entity == derivation.spec.entity
            and fact.rank == "primary"
            and fact.name.rpartition(".")[0] == tree.name
        }
        return len(names) or None
    if isinstance(tree, Name | CellName) and tree.scope:
        entities = len(context.task.entity_ids)
        return {"all": entities, "others": entities - 1}.get(tree.scope)
    return 1


@rule("C3-CHANGE-REVERSED", C3, needs="answers", title="A change is the later figure less the earlier one.")
def changes_are_not_reversed(context: AuditContext) -> Iterator[Hit]:
    """Earlier less later, earlier over later less 1, 1 less later over earlier, and growth from the later figure,
    where nothing speaks of a fall."""
    for derivation in context.derivations:
        spec = derivation.spec
        for index, step, node in derivation.nodes():
            ends = _ends_of_change(derivation, node)
            if ends is None:
                continue
            if _FALLS.search(" ".join((spec.dimension, spec.ask, step.id, step.why))):
                continue
            first, second = (derivation.side(end) for end in ends)
            if comparable(first, second) and _is_earlier(first, second):
                yield _at(
                    context,
                    spec,
                    index,
                    f"{format_expression(node)}: {first.end} against {second.end}",
                    "the later period first",
                    "turn the subtraction round, or name the step for the fall that it is",
                )


def _ends_of_change(derivation: Derivation, node: Tree) -> tuple[Tree, Tree] | None:
    """What a change ends with and what it begins with, the later one first where it is right; None for no change."""
    if isinstance(node, Call) and node.function == "cagr" and len(node.args) == 3:
        return node.args[1], node.args[0]
    if isinstance(node, Binary) and node.operator == "+":
        left, right = derivation.meaning(node.left), derivation.meaning(node.right)
        if isinstance(left, Minus) != isinstance(right, Minus):  # -revenue + revenue[-1]
            return (right, left.operand) if isinstance(left, Minus) else (left, _operand(right))
        return None
    minus = derivation.meaning(node.operand) if isinstance(node, Minus) else None
    if isinstance(minus, Binary) and minus.operator == "/":  # -(a - b) / b
        minus = derivation.meaning(minus.left)
    if isinstance(minus, Binary) and minus.operator == "-":
        return minus.right, minus.left
    if not (isinstance(node, Binary) and node.operator == "-"):
        return None
    one, other = derivation.meaning(node.left), derivation.meaning(node.right)
    if other == Number(1) and isinstance(one, Binary) and one.operator == "/":
        return one.left, one.right
    if one == Number(1) and isinstance(other, Binary) and other.operator == "/":
        return other.right, other.left
    return node.left, node.right


def _operand(tree: Tree) -> Tree:
    return tree.operand if isinstance(tree, Minus) else tree


def _is_earlier(one: Side, other: Side) -> bool:
    return one.end is not None and other.end is not None and one.end < other.end


@rule("C3-CHANGE-BASE", C3, needs="answers", title="A change is divided by the figure that it starts from.")
def changes_have_the_earlier_base(context: AuditContext) -> Iterator[Hit]:
    """Growth divided by this year, or by a year that is not in the difference."""
    for derivation in context.derivations:
        for index, _, node in derivation.nodes():
            if not (isinstance(node, Binary) and node.operator == "/"):
                continue
            change = derivation.meaning(node.left)
            if not (isinstance(change, Binary) and change.operator == "-"):
                continue
            first, second = derivation.side(change.left), derivation.side(change.right)
            base = derivation.side(node.right)
            if not comparable(first, second) or first.end == second.end or not comparable(first, base):
                continue
            earlier = min(day for day in (first.end, second.end) if day)
            if base.end != earlier:
                yield _at(
                    context,
                    derivation.spec,
                    index,
                    f"{format_expression(node)}: divided by the figure of {base.end}",
                    f"divided by the figure of {earlier}",
                    "divide by the earlier one",
                )


@rule(
    "C3-RATIO-PERIODS", C3, severity="warning", needs="answers", title="What is divided or subtracted is of one period."
)
def ratios_are_of_one_period(context: AuditContext) -> Iterator[Hit]:
    """This year's figure over another figure of last year; figures of a day, such as opening balances, may differ."""
    for derivation in context.derivations:
        for index, _, node in derivation.nodes():
            if not (isinstance(node, Binary) and node.operator in ("/", "-")):
                continue
            one, other = derivation.side(node.left), derivation.side(node.right)
            if not (one.plain and other.plain) or one.names & other.names:
                continue
            mixed = one.end and other.end and one.end != other.end
            if mixed and not _instants(context, one.names | other.names):
                yield _at(
                    context,
                    derivation.spec,
                    index,
                    f"{format_expression(node)}: {one.end} against {other.end}",
                    "figures of one period",
                    "take both of the same period, or waive where it is meant",
                )


def _instants(context: AuditContext, names: frozenset[str]) -> bool:
    """Whether a fact of one of these names is a figure of a day."""
    periods = (context.periods[fact.id] for fact in context.folder.facts if fact.name in names)
    return any(isinstance(period, Period) and period.start is None for period in periods)


@rule("C3-PERCENT-OF-PERCENT", C3, needs="answers", severity="warning", title="No percentage is taken of a percentage.")
def percentages_are_taken_once(context: AuditContext) -> Iterator[Hit]:
    """Percentages divided by percentages, and a hundred put into an answer that is in percent already."""
    units: dict[str, set[str]] = {}
    for fact in context.folder.facts:
        units.setdefault(fact.name, set()).add(fact.unit)
    cells = {dimension.id: dimension.unit for dimension in context.task.dimensions}
    for derivation in context.derivations:
        percent = derivation.spec.unit in _HUNDREDTHS
        for index, _, node in derivation.nodes():
            if not (isinstance(node, Binary) and node.operator in ("*", "/")):
                continue
            sides = [derivation.meaning(node.left), derivation.meaning(node.right)]
            observed = ""
            if node.operator == "/" and all(_is_percent(context, side, units, cells) for side in sides):
                observed = f"{format_expression(node)} divides a percentage by a percentage"
            elif percent and any(_is_hundred(context, side) for side in sides):
                observed = f"{format_expression(node)} multiplies by a hundred; the unit does that already"
            if observed:
                yield _at(
                    context,
                    derivation.spec,
                    index,
                    observed,
                    "a percentage of an amount, or a difference in pp",
                    "subtract percentages; leave a plain ratio to the dimension's unit",
                )


def _is_percent(context: AuditContext, tree: Tree, units: dict[str, set[str]], cells: dict[str, str]) -> bool:
    if isinstance(tree, CellName):
        return not tree.step and cells.get(tree.dimension) in _HUNDREDTHS
    if not isinstance(tree, Name):
        return False
    assumption = _assumption(context, tree)
    if assumption is not None:
        return False  # a scenario's percentage is a plain factor
    return bool(units.get(tree.name)) and units[tree.name] <= set(_HUNDREDTHS)


def _is_hundred(context: AuditContext, tree: Tree) -> bool:
    found = _assumption(context, tree)
    return found is not None and not found.unit and found.value in (Decimal(100), Decimal("0.01"))


@rule("C3-POINTS-NEEDED", C3, severity="warning", needs="answers", title="A difference of percentages is in pp.")
def differences_of_percentages_are_points(context: AuditContext) -> Iterator[Hit]:
    """Dimensions in percent whose last step subtracts last year's percentage from this year's."""
    for derivation in context.derivations:
        if derivation.spec.unit != "percent":
            continue
        for index, step in enumerate(derivation.spec.steps):
            tree = derivation.meaning(derivation.trees.get(step.id, Number(0)))
            if step.id not in _ENDS or not (isinstance(tree, Binary) and tree.operator == "-"):
                continue
            one, other = derivation.side(tree.left), derivation.side(tree.right)
            if comparable(one, other) and one.end != other.end:
                yield _at(
                    context,
                    derivation.spec,
                    index,
                    f"{format_expression(tree)} in percent",
                    "the unit pp",
                    "give the dimension the unit pp, or divide by the earlier figure",
                )


@rule("C3-ANSWER-NOT-LAST", C3, severity="warning", title="The answer is the last step.")
def answers_are_last(context: AuditContext) -> Iterator[Hit]:
    """Steps that stand after the answer: either they belong into it or they are of something else."""
    for dimension in context.task.dimensions:
        ends = [index for index, step in enumerate(dimension.steps) if step.id in _ENDS]
        if ends and ends[-1] < len(dimension.steps) - 1:
            yield context.hit_at_task(
                "",
                dimension.id,
                ("steps", ends[-1] + 1),
                f"`{dimension.steps[-1].id}` stands after `{dimension.steps[ends[-1]].id}`",
                "the answer at the end",
                "let the answer take what comes after it, or move that up",
            )


@rule("C3-ASSUMPTION-UNUSED", C3, severity="warning", title="Every assumption is used.")
def assumptions_are_used(context: AuditContext) -> Iterator[Hit]:
    """Assumptions that no expression names: the prompt tells them, and an agent would use them."""
    words = {
        name
        for item in context.task.dimensions
        for text in _texts(item)
        for name in re.findall(r"[a-z][a-z0-9_]*", text)
    }
    for index, assumption in enumerate(context.task.assumptions):
        if assumption.id not in words:
            yield Hit(
                context.task.place("assumptions", index, "id", record=assumption.id),
                f"no expression names `{assumption.id}`",
                "an assumption that a derivation takes",
                "use it or remove it",
            )


def _texts(dimension: Dimension) -> Iterator[str]:
    """Every expression of a dimension and of its overrides."""
    parts: tuple[Dimension | Override, ...] = (dimension, *dimension.overrides.values())
    for part in parts:
        for items in (part.steps, part.near_misses, part.checks):
            for item in items or ():
                yield item.expr

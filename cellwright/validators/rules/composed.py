"""Condition 3, composed: slips in how a derivation is put together, which work out all the same."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

from cellwright.records.derivations import format_expression
from cellwright.records.derivations._text import parsed
from cellwright.records.derivations._tree import COMPARISONS, Tree, walk
from cellwright.records.errors import ExpressionError, UnreadableInput, clip
from cellwright.records.findings import Condition
from cellwright.records.periods import Period
from cellwright.validators.context import AuditContext
from cellwright.validators.lint import (
    Binary,
    Call,
    CellName,
    Derivation,
    Name,
    Number,
    comparable,
    constant,
    meaning_throughout,
    terms,
)
from cellwright.validators.registry import Hit, rule

C3 = Condition.DERIVED
_LISTS = ("sum", "mean", "median", "min", "max")
_YEAR_DAYS = Decimal("365.25")
_UNSIGNED = ("absolute", "size of", "magnitude", "either direction", "regardless of sign", "distance", "gap")


def _at(context: AuditContext, derivation: Derivation, index: int, observed: str, expected: str, fix: str = "") -> Hit:
    spec = derivation.spec
    return context.hit_at_task(spec.entity, spec.dimension, ("steps", index), clip(observed), expected, fix)


@rule(
    "C3-OPERAND-TWICE", C3, needs="answers", title="No figure stands twice in a sum, a mean, a difference or a ratio."
)
def operands_stand_once(context: AuditContext) -> Iterator[Hit]:
    """`revenue + revenue[-1] + revenue[-1]`, `mean(x, x)`, `x - x`, `x / x`: one operand was copied."""
    for derivation in context.derivations:
        told: set[str] = set()
        for index, _, node in derivation.nodes():
            for operand in _copied(derivation, node):
                if operand not in told:
                    told.add(operand)
                    observed = f"{operand} twice in {format_expression(node)}"
                    yield _at(context, derivation, index, observed, "each figure once", "mend the copy")


def _copied(derivation: Derivation, node: Tree) -> Iterator[str]:
    """The operands of a node, steps spelled out, that stand in it more than once."""
    operands: list[Tree] | None = None
    if isinstance(node, Call) and node.function in _LISTS:
        operands = list(node.args)
    elif isinstance(node, Binary) and node.operator in ("-", "/"):
        operands = [node.left, node.right]
    if operands is None or (isinstance(node, Call) and node.function == "sum"):
        operands = terms(derivation, node) or operands
    seen: set[str] = set()
    for operand in operands or ():
        text = meaning_throughout(derivation, operand)
        if text in seen and derivation.side(operand).leaves:
            yield text
        seen.add(text)


def _all_series(derivation: Derivation) -> Iterator[tuple[int, Tree, list[Name]]]:
    """Every series of a derivation with the step's place; a sum inside a sum is a part of it."""
    inner: set[int] = set()
    for index, _, node in derivation.nodes():  # a sum comes before what is inside it
        if isinstance(node, Binary) and node.operator == "+":
            inner |= {id(node.left), id(node.right)}
        names = None if id(node) in inner else _series(derivation, node)
        if names:
            yield index, node, names


def _series(derivation: Derivation, node: Tree) -> list[Name] | None:
    """The operands of a sum or a mean that all are facts of one name; None for any other node."""
    operands: list[Tree] | None = terms(derivation, node)
    if operands is None and isinstance(node, Call) and node.function in ("mean", "median"):
        operands = list(node.args)
    found = [derivation.meaning(operand) for operand in operands or ()]
    names = [name for name in found if isinstance(name, Name) and not (name.scope or name.star)]
    if len(names) < 2 or len(names) < len(found) or len({name.name for name in names}) > 1:
        return None
    return names


@rule("C3-LIST-GAP", C3, severity="warning", needs="answers", title="A sum or mean over years leaves no year out.")
def series_have_no_gap(context: AuditContext) -> Iterator[Hit]:
    """`mean(revenue, revenue[-2])`: the year between is missing."""
    for derivation in context.derivations:
        told: set[tuple[int, ...]] = set()
        for index, node, names in _all_series(derivation):
            if any(name.label for name in names):
                continue
            years = tuple(sorted({-name.shift for name in names}))
            if years[-1] - years[0] + 1 != len(years) and years not in told:
                told.add(years)
                missing = sorted(set(range(years[0], years[-1])) - set(years))
                expected = ", ".join(f"{names[0].name}[{-year}]" if year else names[0].name for year in missing)
                yield _at(context, derivation, index, format_expression(node), f"{expected} too", "add the year")


@rule("C3-PARTS-SHORT", C3, severity="warning", needs="answers", title="Parts of a period add up to the whole of it.")
def parts_cover_the_period(context: AuditContext) -> Iterator[Hit]:
    """A sum of three quarters for a year: one was left out."""
    slack = context.thresholds.period_slack_days
    for derivation in context.derivations:
        whole = _dates(context, derivation.spec.period, derivation.spec.entity)
        told = False
        for index, node, names in _all_series(derivation):
            if told or whole is None or not all(name.label for name in names):
                continue
            parts = {_dates(context, name.label, derivation.spec.entity) for name in names}
            inside = [part for part in parts if part and part.start and whole.start and whole.start <= part.start]
            if len(inside) < len(parts) or any(part.end > whole.end for part in inside):
                continue
            days = sum(_days(part) for part in inside)
            if all(_days(part) < _days(whole) - slack for part in inside) and days < _days(whole) - slack:
                told = True
                observed = f"{format_expression(node)}: {days} of {_days(whole)} days"
                yield _at(context, derivation, index, observed, f"all parts of {whole}", "add the part left out")


def _dates(context: AuditContext, label: str, entity: str) -> Period | None:
    try:
        return context.task.calendar.period(label, entity)
    except UnreadableInput:  # C3-REPLAY tells it
        return None


def _days(period: Period) -> int:
    return (period.end - period.start + timedelta(days=1)).days if period.start else 0


@rule("C3-CAGR-YEARS", C3, needs="answers", title="A compound growth counts the years between its ends.")
def compound_growth_counts_its_years(context: AuditContext) -> Iterator[Hit]:
    """`cagr(revenue[-2], revenue, 3)`: two years lie between them, not three."""
    for derivation in context.derivations:
        for index, _, node in derivation.nodes():
            if not (isinstance(node, Call) and node.function == "cagr" and len(node.args) == 3):
                continue
            first, last = derivation.side(node.args[0]), derivation.side(node.args[1])
            years = constant(context.task, derivation, node.args[2])
            if years is None or not comparable(first, last) or first.end is None or last.end is None:
                continue
            between = abs(Decimal((last.end - first.end).days)) / _YEAR_DAYS
            if abs(between - years) > Decimal("0.2"):
                observed = f"{format_expression(node)}: {first.end} to {last.end}"
                yield _at(
                    context, derivation, index, observed, f"{between.quantize(Decimal(1))} years", "mend the count"
                )


@rule(
    "C3-LIST-WITHOUT-IT",
    C3,
    severity="warning",
    needs="answers",
    title="A rank or share is taken in a list that holds the figure.",
)
def lists_hold_what_is_ranked(context: AuditContext) -> Iterator[Hit]:
    """A rank among figures of another name, or among the others only; a share of a whole of which it is no part."""
    for derivation in context.derivations:
        for index, _, node in derivation.nodes():
            if isinstance(node, Call) and node.function in ("rank", "share") and len(node.args) >= 2:
                own, members = node.args[0], node.args[1:]
                problem = _not_in(derivation, own, list(members))
                if problem:
                    observed = f"{format_expression(node)}: {problem}"
                    yield _at(context, derivation, index, observed, "a list that holds it", "mend the list")


def _not_in(derivation: Derivation, own: Tree, members: list[Tree]) -> str:
    """Why a figure is not in a list; empty where it is, or where that cannot be told."""
    own = derivation.meaning(own)
    flat = [node for member in members for node in walk(member) if isinstance(node, Name | CellName)]
    if not flat or not isinstance(own, Name | CellName):
        return ""
    if any(node.scope == "others" for node in flat):
        return "only the others are in the list"
    if any(_holds(node, own) for node in flat):
        return ""
    return f"`{format_expression(own)}` is not in it"


def _holds(node: Name | CellName, own: Name | CellName) -> bool:
    if isinstance(node, CellName) or isinstance(own, CellName):
        one = isinstance(node, CellName) and isinstance(own, CellName)
        return one and (node.dimension, node.step) == (own.dimension, own.step)  # type: ignore[union-attr]
    return own.name.rpartition(".")[0] == node.name if node.star else own.name == node.name


@rule("C3-GROWTHS-ADDED", C3, severity="warning", needs="answers", title="Growth rates are compounded, not added up.")
def growth_rates_are_not_added(context: AuditContext) -> Iterator[Hit]:
    """`(a / b - 1) + (b / c - 1)`: ten percent and ten percent are twenty-one, not twenty."""
    for derivation in context.derivations:
        for index, step in enumerate(derivation.spec.steps):
            tree = derivation.trees.get(step.id)
            operands = terms(derivation, tree) if tree is not None else None
            if tree is not None and sum(_is_growth(derivation, operand) for operand in operands or ()) > 1:
                observed = format_expression(tree)
                yield _at(context, derivation, index, observed, "growth from first to last", "compound them")
                break


def _is_growth(derivation: Derivation, tree: Tree) -> bool:
    """Whether a tree is one figure over an earlier one, less 1, or a change over the figure it starts from."""
    tree = derivation.meaning(tree)
    if isinstance(tree, Binary) and tree.operator == "-" and tree.right == Number(1):
        tree = derivation.meaning(tree.left)
        sides = (tree.left, tree.right) if isinstance(tree, Binary) and tree.operator == "/" else None
    elif isinstance(tree, Binary) and tree.operator == "/":
        top = derivation.meaning(tree.left)
        sides = (top.left, top.right) if isinstance(top, Binary) and top.operator == "-" else None
    else:
        return False
    if sides is None:
        return False
    one, other = (derivation.side(side) for side in sides)
    return comparable(one, other) and one.end != other.end


@rule("C3-CHANGE-SIGN-LOST", C3, severity="warning", needs="answers", title="A change keeps its sign.")
def changes_keep_their_sign(context: AuditContext) -> Iterator[Hit]:
    """`abs(revenue - revenue[-1])` where the question does not ask for a size without direction."""
    for derivation in context.derivations:
        if any(word in derivation.spec.ask.casefold() for word in _UNSIGNED):
            continue
        for index, _, node in derivation.nodes():
            inner = derivation.meaning(node.args[0]) if isinstance(node, Call) and node.function == "abs" else None
            if not (isinstance(inner, Binary) and inner.operator == "-"):
                continue
            one, other = derivation.side(inner.left), derivation.side(inner.right)
            if comparable(one, other) and one.end != other.end:
                fix = "leave abs() out, or ask for the size of the change"
                yield _at(context, derivation, index, format_expression(node), "a rise above 0, a fall below", fix)


@rule("C3-CHECK-IDLE", C3, severity="warning", title="A check compares facts, and could fail.")
def checks_could_fail(context: AuditContext) -> Iterator[Hit]:
    """Checks that compare nothing, a thing with itself, or numbers that are no facts."""
    for item in context.task.dimensions:
        for index, check in enumerate(item.checks):
            expression = parsed(check.expr)
            if isinstance(expression, ExpressionError):  # C3-CHECK-BROKEN tells it
                continue
            nodes = list(walk(expression.tree))
            compared = [node for node in nodes if isinstance(node, Binary) and node.operator in COMPARISONS]
            same = [node for node in compared if format_expression(node.left) == format_expression(node.right)]
            problem = ""
            if not compared:
                problem = "nothing is compared"
            elif same:
                problem = f"{format_expression(same[0])} always holds"
            elif not any(isinstance(node, Name | CellName) for node in nodes):
                problem = "no fact is named"
            if problem:
                place = context.task.place_of(item.id, "checks", index)
                yield Hit(place, problem, "two sides that facts could set apart", "mend or remove it", "", item.id)


@rule("C3-ANSWER-KIND", C3, needs="answers", title="A yes or no is 1 or 0; ranks and counts are whole.")
def answers_are_of_their_kind(context: AuditContext) -> Iterator[Hit]:
    """A share where yes or no is asked for, a rank of 2.5, a count below 0."""
    for spec, result in context.answers.answered:
        value = result.value
        if value is None:
            continue
        problem = ""
        if spec.unit == "yes_no" and value not in (0, 1):
            problem = "1 for yes or 0 for no"
        elif spec.unit == "rank" and (value % 1 or value < 1):
            problem = "a whole rank from 1"
        elif spec.unit == "count" and (value % 1 or value < 0):
            problem = "a whole count from 0"
        if problem:
            last = max(0, len(spec.steps) - 1)
            yield context.hit_at_task(spec.entity, spec.dimension, ("steps", last), clip(str(value), 40), problem)

"""Checks: statements over the facts that must hold, exactly or within the facts' last digits."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from cellwright.records.derivations._build import Builder
from cellwright.records.derivations._graph import TaskGraph
from cellwright.records.derivations._nodes import Node
from cellwright.records.derivations._results import CheckResult, Interval
from cellwright.records.derivations._text import parsed
from cellwright.records.derivations._tree import COMPARISONS, Binary, Call, Tree
from cellwright.records.derivations._valuation import Valuation
from cellwright.records.derivations._values import CONTEXT, TWO, ZERO, Failure
from cellwright.records.errors import ExpressionError, Place
from cellwright.records.task import CellSpec, Check

ROUNDING = "rounding"


def evaluate_check(
    graph: TaskGraph, valuation: Valuation, spec: CellSpec, check: Check, place: Callable[[], Place]
) -> tuple[CheckResult, set[str]]:
    """What the check says, and the facts it rests on.

    An `if` at the top is followed into the branch that it takes; the comparison found there is made. Anything
    else holds where it is not 0. Raises ExpressionError for a fault that is not a missing fact.
    """
    if check.within not in ("", ROUNDING):
        raise ExpressionError(
            "the check's `within` is unknown",
            place(),
            seen=check.within,
            expected="`rounding`, or nothing for an exact comparison",
        )
    expression = parsed(check.expr)
    if isinstance(expression, ExpressionError):
        problem = expression.problems[0]
        raise ExpressionError(problem.what, place(), seen=problem.seen, expected=problem.expected, fix=problem.fix)
    graph.ensure_named(spec, expression)
    builder = Builder(graph, graph.site(spec, place))
    keys: set[str] = set()
    try:
        return _decide(builder, valuation, expression.tree, check.within == ROUNDING, keys), keys
    except _Missing as missing:
        return CheckResult(None, skipped=missing.failure.what), keys


class _Missing(Exception):
    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.what)
        self.failure = failure


def _settle(valuation: Valuation, node: Node, keys: set[str]) -> Decimal:
    value = valuation.settle(node)
    if isinstance(value, Failure):
        if value.missing:
            raise _Missing(value)
        raise value.error()
    keys |= valuation.inputs(node)
    return value


def _decide(builder: Builder, valuation: Valuation, tree: Tree, rounding: bool, keys: set[str]) -> CheckResult:
    while isinstance(tree, Call) and tree.function == "if":
        condition = _settle(valuation, builder.number(tree.args[0]), keys)
        tree = tree.args[1 if condition else 2]
    if not (isinstance(tree, Binary) and tree.operator in COMPARISONS):
        value = _settle(valuation, builder.number(tree), keys)
        return CheckResult(value != 0, value)
    joined = builder.same_unit([builder.number(tree.left), builder.number(tree.right)], tree)
    if isinstance(joined, Node):
        _settle(valuation, joined, keys)
        raise AssertionError("a failure settles to no value")
    (left, right), unit = joined
    values = _settle(valuation, left, keys), _settle(valuation, right, keys)
    spans = [
        _span(valuation, node, value) if rounding else (value, value)
        for node, value in zip((left, right), values, strict=True)
    ]
    slack = CONTEXT.divide(sum((high - low for low, high in spans), ZERO), TWO)
    return CheckResult(_holds(tree.operator, spans[0], spans[1]), values[0], values[1], slack, builder.kinds.name(unit))


def _span(valuation: Valuation, node: Node, value: Decimal) -> Interval:
    span = valuation.interval(node)
    return (value, value) if isinstance(span, Failure) else span


def _holds(operator: str, left: Interval, right: Interval) -> bool:
    """Whether the comparison holds for some pair of numbers of the two intervals."""
    match operator:
        case "==":
            return left[0] <= right[1] and right[0] <= left[1]
        case "!=":
            return not left[0] == left[1] == right[0] == right[1]
        case "<":
            return left[0] < right[1]
        case "<=":
            return left[0] <= right[1]
        case ">":
            return left[1] > right[0]
        case _:
            return left[1] >= right[0]

"""What a derivation says before any number is looked at: which facts of which dates stand on each side.

A *side* is an operand with all that it rests on, through the steps before it. Two sides are comparable where
they name the same facts, each side at one date: `revenue` and `revenue[-1]`, or two margins a year apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from cellwright.records.decimals import CONTEXT
from cellwright.records.derivations._text import parsed
from cellwright.records.derivations._tree import (
    Binary,
    Call,
    CellName,
    Minus,
    Name,
    Number,
    Tree,
    children,
    format_expression,
    is_list,
    walk,
)
from cellwright.records.errors import ExpressionError, UnreadableInput
from cellwright.records.task import CellSpec, Step, Task

MAX_ALIASES = 50
"""How many steps that only name another one are followed."""
MAX_DEPTH = 12
"""Operands are compared with their steps spelled out so deep; two that differ below are told apart as typed."""
MAX_LEAVES = 200
"""A side that rests on more facts than this is not compared: no rule of thumb speaks of such a one."""

Leaf = tuple[str, date | None]
"""A fact's name, or `cells.<dimension>`, and the last day of its period; None where that is not told."""


@dataclass(frozen=True)
class Side:
    """What one operand rests on."""

    leaves: frozenset[Leaf] = frozenset()
    plain: bool = True
    """Whether nothing but facts of the entity itself is named: no lists, no other entities."""

    @property
    def names(self) -> frozenset[str]:
        """The names of the facts."""
        return frozenset(name for name, _ in self.leaves)

    @property
    def end(self) -> date | None:
        """The last day that all its facts share; None where they differ or one is not told."""
        days = {day for _, day in self.leaves}
        return next(iter(days)) if len(days) == 1 else None

    def joined(self, other: Side) -> Side:
        """Both together."""
        return Side(self.leaves | other.leaves, self.plain and other.plain)


@dataclass
class Derivation:
    """The steps of one cell as trees, with what each side of them rests on."""

    task: Task
    spec: CellSpec
    trees: dict[str, Tree] = field(default_factory=dict)
    _sides: dict[str, Side] = field(default_factory=dict)
    _assumptions: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self._assumptions = frozenset(assumption.id for assumption in self.task.assumptions)
        for step in self.spec.steps:
            found = parsed(step.expr)
            if not isinstance(found, ExpressionError):
                self.trees[step.id] = found.tree
                self._sides[step.id] = self.side(found.tree)

    def nodes(self) -> Iterator[tuple[int, Step, Tree]]:
        """Every node of every step, with the step's place."""
        for index, step in enumerate(self.spec.steps):
            if step.id in self.trees:
                for node in walk(self.trees[step.id]):
                    yield index, step, node

    def meaning(self, tree: Tree) -> Tree:
        """The tree that a name stands for, where it is a step of this cell."""
        for _ in range(MAX_ALIASES):
            if not isinstance(tree, Name) or tree.scope or tree.star or tree.shift or tree.label:
                return tree
            if tree.name not in self.trees:
                return tree
            tree = self.trees[tree.name]
        return tree

    def side(self, tree: Tree) -> Side:
        """What an operand rests on. Assumptions and literals count for nothing."""
        found = Side()
        pending = [tree]
        while pending:
            node = pending.pop()
            found = found.joined(self._own(node))
            if len(found.leaves) > MAX_LEAVES:
                return Side(plain=False)
            pending += children(node)
        return found

    def _own(self, node: Tree) -> Side:
        if isinstance(node, CellName):
            return Side(frozenset([(f"cells.{node.dimension}.{node.step}", self._cell_day(node))]), not node.scope)
        if not isinstance(node, Name):
            return Side()
        if not (node.scope or node.star or node.shift or node.label):
            if node.name in self._sides:
                return self._sides[node.name]
            if node.name in self._assumptions:
                return Side()
        return Side(frozenset([(node.name, self._day(node))]), not (node.scope or node.star))

    def _cell_day(self, node: CellName) -> date | None:
        own = next((item.period for item in self.task.dimensions if item.id == node.dimension), "")
        return self._end(own)

    def _day(self, node: Name) -> date | None:
        label = node.label or self.spec.period
        try:
            for _ in range(-node.shift):
                label = self.task.calendar.year_before(label, self.spec.entity)
        except UnreadableInput:  # C3-REPLAY tells it
            return None
        return self._end(label)

    def _end(self, label: str) -> date | None:
        try:
            period = self.task.calendar.period(label, self.spec.entity)
        except UnreadableInput:  # C3-REPLAY tells it
            return None
        return period.end


def comparable(one: Side, other: Side) -> bool:
    """Whether two sides name the same facts, each side at one date of its own."""
    same = bool(one.leaves) and one.plain and other.plain and one.names == other.names
    return same and one.end is not None and other.end is not None


def terms(derivation: Derivation, tree: Tree) -> list[Tree] | None:
    """The operands of a sum, written with `+`, as `sum(...)` or over several steps; None for what is no plain sum.

    A sum with a product among its operands is a weighted one: its divisor is the weights', not the count.
    """
    if not _is_sum(derivation.meaning(tree)):
        return None
    found: list[Tree] = []
    pending: list[Tree] = [tree]
    while pending:
        node = pending.pop()
        meaning = derivation.meaning(node)
        if isinstance(meaning, Binary) and meaning.operator == "+":
            pending += [meaning.right, meaning.left]
        elif isinstance(meaning, Call) and meaning.function == "sum":
            pending += reversed(meaning.args)
        else:
            found.append(node)
        weighted = isinstance(meaning, Binary) and meaning.operator == "*"
        if weighted or len(found) + len(pending) > MAX_LEAVES:
            return None
    return found


def meaning_throughout(derivation: Derivation, tree: Tree) -> str:
    """An operand as text with the names of steps replaced by what they stand for, as far as they stand alone."""
    return format_expression(_spelled_out(derivation, tree, MAX_DEPTH))


def _spelled_out(derivation: Derivation, tree: Tree, depth: int) -> Tree:
    tree = derivation.meaning(tree)
    if not depth:
        return tree
    match tree:
        case Minus():
            return replace(tree, operand=_spelled_out(derivation, tree.operand, depth - 1))
        case Binary():
            left, right = (_spelled_out(derivation, side, depth - 1) for side in (tree.left, tree.right))
            return replace(tree, left=left, right=right)
        case Call():
            return replace(tree, args=tuple(_spelled_out(derivation, arg, depth - 1) for arg in tree.args))
    return tree


def constant(task: Task, derivation: Derivation, tree: Tree) -> Decimal | None:
    """The number without a unit that a tree of literals, assumptions and counts stands for; None for anything else."""
    tree = derivation.meaning(tree)
    match tree:
        case Number():
            return Decimal(tree.value)
        case Name():
            found = next((item for item in task.assumptions if item.id == tree.name), None)
            return found.value if found is not None and found.unit in ("", "count") else None
        case Call(function="count", args=args) if not any(is_list(arg) for arg in args):
            return Decimal(len(args))
        case Binary(operator=operator) if operator in "+-*/":
            left, right = constant(task, derivation, tree.left), constant(task, derivation, tree.right)
            if left is None or right is None or (operator == "/" and not right):
                return None
            work = {"+": CONTEXT.add, "-": CONTEXT.subtract, "*": CONTEXT.multiply, "/": CONTEXT.divide}
            return work[operator](left, right)
    return None


def _is_sum(tree: Tree) -> bool:
    if isinstance(tree, Call):
        return tree.function == "sum"
    return isinstance(tree, Binary) and tree.operator == "+"


def own_names(steps: Sequence[Step], known: Collection[str]) -> set[tuple[str, str, int]]:
    """The facts of the entity itself that steps name: name, label of the period, years back.

    `known` are the names of steps and assumptions. Lists, and what other dimensions give, are left out; steps
    that name another dimension's cell give nothing at all, since its answer cannot be told from here.
    """
    found: set[tuple[str, str, int]] = set()
    for step in steps:
        expression = parsed(step.expr)
        if isinstance(expression, ExpressionError):
            return set()
        for name in expression.names:
            if isinstance(name, CellName):
                return set()
            if not name.scope and not name.star and name.name not in known:
                found.add((name.name, name.label, -name.shift))
    return found


__all__ = [
    "Binary",
    "Call",
    "CellName",
    "Derivation",
    "Minus",
    "Name",
    "Number",
    "Side",
    "Tree",
    "comparable",
    "constant",
    "meaning_throughout",
    "own_names",
    "terms",
]

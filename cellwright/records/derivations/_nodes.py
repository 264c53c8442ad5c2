"""The graph that derivations make: operations over facts, shared by every step and cell that names them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cellwright.records.derivations._values import NO_RESULT, Failure, Operation, Value, reason
from cellwright.records.units import Unit


@dataclass(frozen=True, slots=True)
class Reading:
    """What a fact stands for, inside: percent as hundredths."""

    value: Value
    low: Value
    high: Value
    unit: Unit | None

    @property
    def exact(self) -> bool:
        """Whether both ends are the value itself."""
        return self.low == self.high


_NO_KEYS: frozenset[str] = frozenset()
_STAY_FREE = frozenset({"if", "minus", "+", "-", "sum", "mean", "median", "min", "max", "abs"})


class Node:
    """One operation on other nodes, or a leaf: a fact (`fact` is its id), or a fixed value.

    `unit` is None where a failure left none to tell. A `free` node fits any unit: 0, or an `if` of which one
    branch is 0 and the other one missing. `keys` are the facts below; `marked` says that an `if` or a rank is
    the node or below it. `explain` makes the failure of an operation that has no result; it knows the step
    and the text.
    """

    __slots__ = ("_order", "args", "explain", "fact", "fixed", "free", "keys", "marked", "op", "operation", "unit")

    def __init__(
        self,
        op: str,
        args: tuple[Node, ...],
        unit: Unit | None,
        operation: Operation | None = None,
        explain: Callable[[str], Failure] | None = None,
        *,
        fact: str = "",
        fixed: Value | None = None,
    ) -> None:
        self.op = op
        self.args = args
        self.unit = unit
        self.operation = operation
        self.explain = explain
        self.fact = fact
        self.fixed = fixed
        self.free = op == "zero" or (op in _STAY_FREE and _all_free(args[1:] if op == "if" else args))
        self.keys: frozenset[str] = frozenset((fact,)) if fact else _NO_KEYS
        self.marked = op == "if" or op == "rank"
        for arg in args:
            self.marked = self.marked or arg.marked
            if arg.keys:
                self.keys = self.keys | arg.keys if self.keys else arg.keys
        self._order: tuple[Node, ...] | None = None

    @property
    def order(self) -> tuple[Node, ...]:
        """Every node with arguments below this one and itself, arguments first."""
        if self._order is None:
            self._order = _in_order(self)
        return self._order

    @property
    def chooses(self) -> bool:
        """Whether an `if` stands below, so that not every fact below need be an input."""
        return bool(self.marked) and any(node.op == "if" for node in self.order)

    @property
    def ranks(self) -> tuple[Node, ...]:
        """The ranks below this node and itself."""
        return tuple(node for node in self.order if node.op == "rank") if self.marked else ()


def _all_free(args: tuple[Node, ...]) -> bool:
    free = False
    for arg in args:
        if not arg.free and arg.unit is not None:
            return False
        free = free or arg.free
    return free


def _in_order(top: Node) -> tuple[Node, ...]:
    found: list[Node] = []
    seen: set[Node] = set()
    pending: list[tuple[Node, bool]] = [(top, False)]
    while pending:
        node, ready = pending.pop()
        if ready:
            found.append(node)
        elif node.args and node not in seen:
            seen.add(node)
            pending.append((node, True))
            pending += [(arg, False) for arg in node.args]
    return tuple(found)


def apply(node: Node, args: list[Any]) -> Value:
    """The node's value for these values of its arguments; a failure among them is passed on."""
    assert node.operation is not None
    try:
        result: Value = node.operation(*args)
    except NO_RESULT as error:
        for arg in args:
            if isinstance(arg, Failure):
                return arg
        if isinstance(error, TypeError) or node.explain is None:
            raise
        return node.explain(reason(error))
    return result

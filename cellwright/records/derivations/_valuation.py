"""The values of nodes, what each fact's last digit does to them, and the interval that follows.

A node's `ends` hold its value with each fact alone at its low and at its high end; they are worked
out once a node and shared by every step and cell above it (design, section 5: 2n + 2 evaluations).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal

from cellwright.records.derivations._nodes import Node, Reading, apply
from cellwright.records.derivations._results import Interval
from cellwright.records.derivations._values import Failure, Value, rank_descending

Ends = Mapping[str, tuple[Value, Value]]
_NONE: Ends = {}


class Valuation:
    """The values and ends of nodes under one reading of the facts.

    With a `base`, only what lies above the `changed` facts is worked out anew.
    """

    def __init__(
        self, read: Callable[[Node], Reading], base: Valuation | None = None, changed: frozenset[str] = frozenset()
    ) -> None:
        self._read = read
        self._base = base
        self._changed = changed
        self._values: dict[Node, Value] = {}
        self._ends: dict[Node, Ends] = {}
        self._intervals: dict[Node, Interval | Failure] = {}

    def known(self, node: Node) -> Value | None:
        """The node's value where it has been worked out here."""
        return self._values.get(node)

    def settle(self, node: Node) -> Value:
        """The node's value; works out what is not yet known below it."""
        known = self._values.get(node)
        if known is not None:
            return known
        if self._base is not None and not (node.keys & self._changed):
            return self._base.settle(node)
        for inner in node.order:
            if inner not in self._values:
                if self._base is not None and not (inner.keys & self._changed):
                    self._copy(inner)
                else:
                    self._settle_one(inner)
        return self._leaf(node) if not node.args else self._values[node]

    def _copy(self, node: Node) -> None:
        assert self._base is not None
        self._values[node] = self._base.settle(node)
        self._ends[node] = self._base.ends(node)

    def _leaf(self, node: Node) -> Value:
        value = self._values.get(node)
        if value is not None:
            return value
        if node.fixed is not None:
            self._ends[node] = _NONE
            self._values[node] = node.fixed
            return node.fixed
        reading = self._read(node)
        self._ends[node] = _NONE if reading.exact else {node.fact: (reading.low, reading.high)}
        self._values[node] = reading.value
        return reading.value

    def ends(self, node: Node) -> Ends:
        """For each fact that is not exact: the value with that fact alone at its low and its high end."""
        if node not in self._values:
            self.settle(node)
            if node not in self._values:
                assert self._base is not None
                return self._base.ends(node)
        return self._ends[node]

    def _settle_one(self, node: Node) -> None:
        values, ends = self._values, self._ends
        args: list[Value] = []
        moved: dict[str, None] = {}
        arg_ends: list[Ends] = []
        for arg in node.args:
            value = values.get(arg)
            args.append(self._leaf(arg) if value is None else value)
            below = ends[arg]
            arg_ends.append(below)
            if below:
                moved.update(dict.fromkeys(below))
        values[node] = apply(node, args)
        if not moved:
            ends[node] = _NONE
            return
        found: dict[str, tuple[Value, Value]] = {}
        for key in moved:
            lows, highs = [], []
            for value, below in zip(args, arg_ends, strict=True):
                pair = below.get(key)
                lows.append(value if pair is None else pair[0])
                highs.append(value if pair is None else pair[1])
            found[key] = (apply(node, lows), apply(node, highs))
        ends[node] = found

    def interval(self, node: Node) -> Interval | Failure:
        """The least and the greatest value that the facts' last digits allow, or why they allow any."""
        if self._base is not None and not (node.keys & self._changed):
            return self._base.interval(node)
        known = self._intervals.get(node)
        if known is None:
            known = self._intervals[node] = self._find_interval(node)
        return known

    def _find_interval(self, node: Node) -> Interval | Failure:
        value = self.settle(node)
        if isinstance(value, Failure):
            return value
        if node.op == "rank":
            return self._rank_interval(node)
        reached = [value]
        raising: dict[str, bool] = {}
        lowering: dict[str, bool] = {}
        for key, (low, high) in self.ends(node).items():
            if isinstance(low, Failure):
                return low
            if isinstance(high, Failure):
                return high
            reached += (low, high)
            if max(low, high) > value:
                raising[key] = high > low
            if min(low, high) < value:
                lowering[key] = high < low
        for directions in (raising, lowering):
            if len(directions) > 1:
                found = self._together(node, directions)
                if isinstance(found, Failure):
                    return found
                reached.append(found)
        return min(reached), max(reached)

    def _together(self, node: Node, directions: Mapping[str, bool]) -> Value:
        """The value with every fact at its high end where `directions` says so, at its low end where it says no."""
        values: dict[Node, Value] = {}
        for inner in node.order:
            args = []
            for arg in inner.args:
                value = values.get(arg)
                if value is None:
                    value = self.settle(arg)
                    if arg.fact in directions:
                        pair = self._ends[arg].get(arg.fact) if arg in self._ends else self.ends(arg).get(arg.fact)
                        value = pair[directions[arg.fact]] if pair else value
                    values[arg] = value
                args.append(value)
            values[inner] = apply(inner, args)
        return values[node]

    def _rank_interval(self, node: Node) -> Interval | Failure:
        """The best and the worst rank, by comparing the operands' intervals (design, section 5)."""
        own = self.interval(node.args[0])
        if isinstance(own, Failure):
            return own
        value = self.settle(node.args[0])
        falling = node.operation is rank_descending
        surely = possibly = 0
        for other in node.args[1:]:
            if _same(other, node.args[0]):
                continue
            theirs = self.interval(other)
            if isinstance(theirs, Failure):
                return theirs
            apart = self.settle(other) != value  # figures that touch may be equal, and exact ones are
            if falling:
                surely += theirs[0] >= own[1] and apart
                possibly += theirs[1] > own[0]
            else:
                surely += theirs[1] <= own[0] and apart
                possibly += theirs[0] < own[1]
        return Decimal(1 + surely), Decimal(1 + possibly)

    def inputs(self, node: Node) -> frozenset[str]:
        """The facts that the node's value rests on: the branches that `if` does not take are left out."""
        if not node.chooses:
            return node.keys
        found: set[str] = set()
        seen: set[Node] = set()
        pending = [node]
        while pending:
            inner = pending.pop()
            if inner in seen:
                continue
            seen.add(inner)
            if inner.fact:
                found.add(inner.fact)
            if inner.op == "if":
                condition = self.settle(inner.args[0])
                pending += [inner.args[0], inner.args[1 if condition else 2]]
            else:
                pending += inner.args
        return frozenset(found)


def _same(one: Node, other: Node) -> bool:
    """Whether two nodes are one thing: the entity's own figure in the list that it is ranked in."""
    if one is other:
        return True
    return (
        one.op == other.op
        and bool(one.args)
        and len(one.args) == len(other.args)
        and all(_same(*pair) for pair in zip(one.args, other.args, strict=True))
    )

"""Where an expression stands, and what is done there whatever it says: failures and units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from cellwright.records.derivations._book import FactBook, FindPlace
from cellwright.records.derivations._kinds import Kinds, unchanged
from cellwright.records.derivations._nodes import Node
from cellwright.records.derivations._tree import Tree, format_expression
from cellwright.records.derivations._values import ARITHMETIC, Failure
from cellwright.records.errors import clip
from cellwright.records.rows import Fact
from cellwright.records.task import CellSpec
from cellwright.records.units import Unit


class Graph(Protocol):
    """What a builder needs of the whole: the facts, the units, and the nodes of other steps."""

    book: FactBook
    kinds: Kinds
    entities: tuple[str, ...]

    def spec(self, entity: str, dimension: str) -> CellSpec | None:
        """The cell's question; None for a dimension that is not there."""

    def step_node(self, entity: str, dimension: str, step: str, place: FindPlace) -> Node | Failure:
        """The node of another step; of a precise cell's answer for an empty `step`."""

    def fact_node(self, fact: Fact, *, pinned: bool = False) -> Node:
        """The leaf of a fact; a pinned one is not moved when a witness is put in the fact's place."""

    def assumption(self, name: str, entity: str, place: FindPlace) -> Node | Failure | None:
        """The leaf of an assumption; None where the task states none of this name."""

    def names(self) -> set[str]:
        """The names of facts and assumptions."""


@dataclass
class Site:
    """Where an expression stands: its cell, and what it may name there.

    `steps` are the steps defined before it, `later` the ids of those after it. What the expression turns out
    to name goes to `inputs` and what should be told of it to `notes`.
    """

    spec: CellSpec
    place: FindPlace
    steps: dict[str, Node] = field(default_factory=dict)
    later: frozenset[str] = frozenset()
    inputs: dict[str, None] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)


class SiteTools:
    """Failures that know their place, and nodes brought to one unit."""

    def __init__(self, graph: Graph, site: Site) -> None:
        self.graph = graph
        self.site = site
        self.kinds = graph.kinds
        self.entity = site.spec.entity

    def fail(self, what: str, *, expected: str = "", seen: str = "", fix: str = "", missing: bool = False) -> Node:
        return self.failed(Failure(what, self.site.place(), seen, expected, fix, missing))

    @staticmethod
    def failed(failure: Failure) -> Node:
        return Node("failed", (), None, fixed=failure)

    def explain(self, tree: Tree | None) -> Callable[[str], Failure]:
        """Makes the failure of an operation: why it has no result, and in what; None stands for a unit's change."""
        return lambda why: Failure(
            f"{why} in `{shown(tree)}`" if tree is not None else f"{why} in another unit", self.site.place()
        )

    def plain(self, node: Node) -> Node | None:
        """The node as a plain number; None where it has a unit."""
        return self.converted(node, self.kinds.plain)

    def converted(self, node: Node, unit: Unit) -> Node | None:
        """The node in `unit`; None where it is of another kind."""
        if node.unit is None or node.unit is unit or node.unit == unit:
            return node
        change = unchanged if node.free else self.kinds.conversion(node.unit, unit)
        return None if change is None else Node("convert", (node,), unit, change, self.explain(None))

    def same_unit(self, nodes: list[Node], tree: Tree) -> tuple[list[Node], Unit | None] | Node:
        """The nodes in the unit of the first that has one (a literal 0 fits any), or a failure that names both."""
        units = [node.unit for node in nodes if node.unit is not None and not node.free]
        if not units:
            return nodes, next((node.unit for node in nodes if node.unit is not None), None)
        found = []
        for node in nodes:
            changed = self.converted(node, units[0])
            if changed is None:
                return self.mismatch(units[0], node.unit, tree)
            found.append(changed)
        return found, units[0]

    def combined(self, operator: str, left: Node, right: Node, tree: Tree) -> Node:
        """`left * right` or `left / right`, with the unit that follows."""
        unit: Unit | None = None
        if left.unit is not None and right.unit is not None:
            combine = self.kinds.multiply if operator == "*" else self.kinds.divide
            unit = combine(left.unit, right.unit)
            if unit is None:
                return self.endless(tree)
        return Node(operator, (left, right), unit, ARITHMETIC[operator], self.explain(tree))

    def endless(self, tree: Tree) -> Node:
        """The failure of a unit that no table has."""
        return self.fail(f"the unit of `{shown(tree)}` is out of bounds", expected="exponents up to 12")

    def mismatch(self, one: Unit, other: Unit | None, tree: Tree) -> Node:
        names = f"{self.kinds.describe(one)} and {self.kinds.describe(other)}"
        if other is not None and self.kinds.differ_in_currency(one, other):
            return self.fail(
                f"`{shown(tree)}` mixes currencies: {names}",
                expected="one currency",
                fix="convert with to(x, EUR, average) or closing",
            )
        return self.fail(f"`{shown(tree)}` puts together two units: {names}", expected="the same unit")


def shown(tree: Tree) -> str:
    """`tree` as it stands in messages."""
    return clip(format_expression(tree), 80)

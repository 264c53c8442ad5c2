"""Tree → nodes: every operation with its units checked."""

from __future__ import annotations

from decimal import Decimal

from cellwright.records.derivations import _values as v
from cellwright.records.derivations._exchange import Exchanger
from cellwright.records.derivations._nodes import Node
from cellwright.records.derivations._site import shown
from cellwright.records.derivations._tree import COMPARISONS, Binary, Call, CellName, Minus, Name, Number, Tree, is_list


class Builder(Exchanger):
    """Makes the nodes of one expression at one site."""

    def number(self, tree: Tree) -> Node:
        """The node of an expression that stands for one number."""
        match tree:
            case Number():
                return Node("zero" if not tree.value else "literal", (), self.kinds.plain, fixed=Decimal(tree.value))
            case Name():
                return self.fact_or_other(tree)
            case CellName():
                return self.cell(tree, self.entity)
            case Minus():
                operand = self.number(tree.operand)
                return Node("minus", (operand,), operand.unit, v.negate, self.explain(tree))
            case Binary():
                return self.binary(tree)
            case Call():
                return self.call(tree)

    def binary(self, tree: Binary) -> Node:
        left, right = self.number(tree.left), self.number(tree.right)
        if tree.operator == "**":
            return self.power(tree, left, right)
        if tree.operator in ("*", "/"):
            return self.combined(tree.operator, left, right, tree)
        joined = self.same_unit([left, right], tree)
        if isinstance(joined, Node):
            return joined
        args, unit = joined
        return Node(
            tree.operator,
            tuple(args),
            self.kinds.plain if tree.operator in COMPARISONS else unit,
            v.ARITHMETIC[tree.operator],
            self.explain(tree),
        )

    def power(self, tree: Binary, base: Node, exponent: Node) -> Node:
        if base.unit is None or exponent.unit is None:
            return Node("**", (base, exponent), None, v.power, self.explain(tree))
        whole = _whole_literal(tree.right)
        if whole is not None:
            unit = self.kinds.power(base.unit, whole)
            if unit is None:
                return self.endless(tree)
            return Node("**", (base, exponent), unit, v.power, self.explain(tree))
        plain_base, plain_exponent = self.plain(base), self.plain(exponent)
        if plain_base is None or plain_exponent is None:
            unit = base.unit if plain_base is None else exponent.unit
            return self.fail(
                f"`{shown(tree)}` raises to a power what has a unit",
                seen=self.kinds.describe(unit),
                expected="a plain number, or a whole exponent written out",
            )
        return Node("**", (plain_base, plain_exponent), self.kinds.plain, v.power, self.explain(tree))

    # -- calls

    def call(self, tree: Call) -> Node:
        match tree.function:
            case "if":
                return self.choice(tree)
            case "available":
                return self.is_available(tree)
            case "to":
                return self.exchanged(self.number(tree.args[0]), tree, self.entity)
            case "rank" | "share":
                args = [self.number(tree.args[0]), *self.several(tree.args[1])]
            case "cagr":
                return self.growth(tree)
            case _:
                args = [node for arg in tree.args for node in self.several(arg)]
        if tree.function == "count":
            return Node("count", tuple(args), self.kinds.plain, v.count, self.explain(tree))
        joined = self.same_unit(args, tree)
        if isinstance(joined, Node):
            return joined
        args, unit = joined
        if tree.function == "rank":
            operation = v.rank_descending if tree.words[0] == "descending" else v.rank_ascending
            return Node("rank", tuple(args), self.kinds.plain, operation, self.explain(tree))
        return Node(
            tree.function,
            tuple(args),
            self.kinds.plain if tree.function == "share" else unit,
            v.FUNCTIONS[tree.function],
            self.explain(tree),
        )

    def choice(self, tree: Call) -> Node:
        condition = self.number(tree.args[0])
        branches = [self.number(arg) for arg in tree.args[1:]]
        joined = self.same_unit(branches, tree)
        if isinstance(joined, Node):
            return joined
        args, unit = joined
        return Node("if", (condition, *args), unit, v.choose, self.explain(tree))

    def growth(self, tree: Call) -> Node:
        first, last, years = (self.number(arg) for arg in tree.args)
        joined = self.same_unit([first, last], tree)
        if isinstance(joined, Node):
            return joined
        plain = self.plain(years)
        if plain is None and years.unit is not None and self.kinds.is_time(years.unit):
            plain = self.converted(years, self.kinds.unit("year"))
        if plain is None:
            return self.fail(
                f"the years of `{shown(tree)}` are in another unit",
                seen=self.kinds.describe(years.unit),
                expected="a plain number, or year",
            )
        return Node("cagr", (*joined[0], plain), self.kinds.plain, v.cagr, self.explain(tree))

    def is_available(self, tree: Call) -> Node:
        argument = tree.args[0]
        if isinstance(argument, Name) and argument.star:
            parts = self.parts(argument, self.entity)
            node = parts[0]
        else:
            node = self.number(argument)
        return Node("available", (node,), self.kinds.plain, v.is_there)

    # -- lists

    def several(self, tree: Tree) -> list[Node]:
        """The nodes of an expression that stands for several numbers."""
        if not is_list(tree):
            return [self.number(tree)]
        rated = tree if isinstance(tree, Call) and tree.function == "to" else None
        named = tree.args[0] if rated is not None and isinstance(tree, Call) else tree
        found = []
        for entity, node in self.entries(named):
            found.append(node if rated is None else self.exchanged(node, rated, entity))
        return found or [self.fail(f"`{shown(tree)}` leaves no entity", missing=True)]

    def entries(self, tree: Tree) -> list[tuple[str, Node]]:
        """The numbers of a list and whose they are."""
        if isinstance(tree, Call) and tree.function == "to":
            return [(self.entity, node) for node in self.several(tree)]
        if isinstance(tree, Name) and tree.scope == "publishers":
            return [(self.entity, node) for node in self.publishers(tree)]
        whole = tree.args[0] if isinstance(tree, Call) else tree
        assert isinstance(whole, Name | CellName)
        entities = self.whose(whole) if whole is tree else self.available(whole, tree)
        return [(entity, node) for entity in entities for node in self.of_entity(whole, entity)]


def _whole_literal(tree: Tree) -> int | None:
    if isinstance(tree, Number):
        return tree.value
    if isinstance(tree, Minus) and isinstance(tree.operand, Number):
        return -tree.operand.value
    return None

"""`to(x, EUR, average)`: the only way in which a currency changes."""

from __future__ import annotations

from cellwright.records.derivations._book import When
from cellwright.records.derivations._names import NameResolver
from cellwright.records.derivations._nodes import Node
from cellwright.records.derivations._site import shown
from cellwright.records.derivations._tree import Call, Name, walk
from cellwright.records.derivations._values import Failure
from cellwright.records.rows import Fact


class Exchanger(NameResolver):
    """Converts nodes by the exchange-rate facts of the entity's period."""

    def exchanged(self, node: Node, tree: Call, entity: str) -> Node:
        """`to(x, EUR, average)`: x times the fact `fx.usd_eur.average`, or over `fx.eur_usd.average`.

        The rate is the entity's own or the task's, for the dates of the entity's period: the one that the names
        in `x` give, so that `to(x[-1], EUR, average)` takes the rate of that year. Its unit is EUR/USD.
        """
        target, kind = tree.words
        if node.unit is None:
            return node
        source = self.kinds.currency(node.unit)
        if not source:
            return self.fail(
                f"`{shown(tree)}` converts what is in no one currency",
                seen=self.kinds.describe(node.unit),
                expected="an amount, or a price, in one currency",
            )
        if source == target:
            return node
        when = self.rate_period(tree, entity)
        if isinstance(when, Node):
            return when
        direct = f"fx.{source}_{target}.{kind}".lower()
        inverse = f"fx.{target}_{source}.{kind}".lower()
        book = self.graph.book
        for name, unit, operator in ((direct, f"{target}/{source}", "*"), (inverse, f"{source}/{target}", "/")):
            found = book.primary(entity, name, when, self.site.place)
            if isinstance(found, Failure):
                if found.missing:
                    continue
                return self.failed(found)
            self.site.inputs[f"fact:{found.id}"] = None
            return self.at_rate(node, self.graph.fact_node(found), found, unit, operator, tree)
        return self.fail(
            f"no {kind} exchange rate from {source} to {target} for `{entity}` and {when}",
            expected=f"a primary fact `{direct}` in {target}/{source}",
            fix="add it to facts.csv, with entity `*` where the dates are the same for all",
            missing=True,
        )

    def at_rate(self, node: Node, rate: Node, fact: Fact, unit: str, operator: str, tree: Call) -> Node:
        if rate.unit is None or node.unit is None:
            return rate
        wanted = self.kinds.unit(unit)
        fitting = self.converted(rate, wanted)
        if fitting is None:
            return self.fail(f"the exchange rate `{fact.id}` is in another unit", seen=fact.unit, expected=unit)
        return self.combined(operator, node, fitting, tree)

    def rate_period(self, tree: Call, entity: str) -> When | Node:
        """The period of the facts that `to` converts; the dimension's where it converts steps or cells."""
        other = self.graph.names() - self.graph.book.names | set(self.site.steps)
        names = [inner for inner in walk(tree.args[0]) if isinstance(inner, Name) and inner.name not in other]
        whens = {(name.shift, name.label) for name in names} or {(0, "")}
        if len(whens) > 1:
            return self.fail(
                f"`{shown(tree)}` converts figures of several periods at one rate", fix="convert each by itself"
            )
        shift, label = whens.pop()
        return self.when(Name(names[0].name if names else "the exchange rate", shift=shift, label=label), entity)

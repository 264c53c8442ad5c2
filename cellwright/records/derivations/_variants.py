"""Variants of an answer: its graph with some nodes changed for others, worked out from what is known already.

A variant's value needs only the operations above what was changed, once each; its interval and its inputs, which
few ask for, are worked out when they are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from cellwright.records.decimals import MAX_EXPONENT
from cellwright.records.derivations._nodes import Node, apply
from cellwright.records.derivations._results import Interval
from cellwright.records.derivations._valuation import Valuation
from cellwright.records.derivations._values import NO_RESULT, Failure, Value

Swaps = Mapping[Node, Node]
"""What stands in the place of which node."""


def value_with(valuation: Valuation, top: Node, swaps: Swaps) -> Decimal | None:
    """The value of `top` with the nodes changed; None where the change touches nothing or leaves no number."""
    values: dict[Node, Value] = {}
    try:
        for old, new in swaps.items():
            values[old] = _plain(valuation, new)
        if top not in values:
            for node in top.order:
                if node not in values and any(arg in values for arg in node.args):
                    args = [values[arg] if arg in values else valuation.settle(arg) for arg in node.args]
                    values[node] = apply(node, args)
    except NO_RESULT:
        return None
    found = values.get(top)
    if found is None or isinstance(found, Failure) or (found and abs(found.adjusted()) > MAX_EXPONENT - 4):
        return None
    return found


def _plain(valuation: Valuation, node: Node) -> Value:
    """The value of a node that may be new, without its ends: what it is made of is known a step or two below."""
    if not node.args:
        return valuation.settle(node)
    known = valuation.known(node)
    return apply(node, [_plain(valuation, arg) for arg in node.args]) if known is None else known


def node_with(top: Node, swaps: Swaps) -> Node:
    """The node of a variant, for its interval and its inputs."""
    changed: dict[Node, Node] = dict(swaps)
    if top in changed:
        return changed[top]
    for node in top.order:
        if node not in changed and any(arg in changed for arg in node.args):
            args = tuple(changed.get(arg, arg) for arg in node.args)
            changed[node] = Node(node.op, args, node.unit, node.operation, node.explain)
    return changed.get(top, top)


def interval_with(valuation: Valuation, top: Node, swaps: Swaps) -> Interval | None:
    """What the facts' last digits allow of a variant; None where they set no bound."""
    try:
        found = valuation.interval(node_with(top, swaps))
    except NO_RESULT:
        return None
    return None if isinstance(found, Failure) else found

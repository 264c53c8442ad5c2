"""The changes that known missteps make to a cell's graph, in a fixed order and within bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from cellwright.records.derivations import _values as v
from cellwright.records.derivations._graph import TaskGraph
from cellwright.records.derivations._neighbours import Neighbours
from cellwright.records.derivations._nodes import Node
from cellwright.records.rows import Fact
from cellwright.records.task import CellSpec
from cellwright.records.units import PLAIN, Unit

WHOLE_UNITS = frozenset({"rank", "count", "yes_no"})
"""Units whose every other whole number is somebody's answer: figures near them say nothing of a misstep."""
HUNDREDTHS = frozenset({"percent", "pp"})
RATIOS = frozenset({"", "1", "ratio", "fraction"})
MOST_OTHER_FIGURES = 3
"""Figures of another kind that are tried in a cell: the nearest in size to the one used, which is the one mistaken."""
MOST_KIN = 12
"""Kin of all figures of a cell that are tried, three of each at most: more would not be kept."""
MOST_USED = 50
"""Figures of a cell for which others are looked for: the first that the derivation names."""
MOST_OF_A_KIND = 2
"""Changes of one other kind in a cell: those nearest to the answer."""
_SCALES = (
    (3, "a thousand times too large"),
    (-3, "a thousand times too small"),
    (6, "a million times too large"),
    (-6, "a million times too small"),
)


@dataclass(frozen=True, slots=True)
class Change:
    """One misstep: what it is called, why, and what it puts in the place of what.

    `about` tells it from others of its name. With a `factor` the answer is taken so many times, and no node changes.
    """

    name: str
    why: str
    about: str = ""
    swaps: Mapping[Node, Node] = field(default_factory=dict)
    factor: Decimal | None = None


def changes_of(
    graph: TaskGraph, neighbours: Neighbours, spec: CellSpec, tops: Sequence[Node], value: Decimal | None
) -> Iterator[Change]:
    """The changes of one cell, whose answer `value` or range the nodes `tops` are."""
    wanted = tops[0].unit
    nodes = list(dict.fromkeys(node for top in tops for node in reversed(top.order)))
    if spec.unit in WHOLE_UNITS:
        yield from _turned_ranks(nodes)
        return
    used = [graph.book.by_id[leaf.fact] for leaf in _leaves(tops)]
    yield from _other_figures(graph, neighbours, spec, used)
    yield from _earlier_periods(graph, neighbours, spec, used)
    yield from _turned_differences(nodes)
    yield from _other_bases(nodes)
    yield from _other_divisors(nodes)
    if len(tops) == 1 and wanted is not None:
        yield from _dropped_steps(graph, spec, tops[0], wanted)
        yield from _turned_ratio(tops[0])
    yield from _other_scales(spec.unit, value)


def _leaves(tops: Sequence[Node]) -> list[Node]:
    """The facts below the answer, in the order in which the derivation names them, each once."""
    found = [top for top in tops if top.op == "fact"]
    found += [arg for top in tops for node in top.order for arg in node.args if arg.op == "fact"]
    return list(dict.fromkeys(found))


def _swap(graph: TaskGraph, used: Fact, other: Fact) -> dict[Node, Node]:
    """One fact in the place of another; nothing where its unit is another one."""
    old, new = graph.fact_node(used), graph.fact_node(other)
    return {old: new} if old.unit is not None and old.unit == new.unit else {}


def _other_figures(graph: TaskGraph, neighbours: Neighbours, spec: CellSpec, used: Sequence[Fact]) -> Iterator[Change]:
    """Kin of each figure of the entity, and a few others: the nearest in size."""
    inputs = {fact.id for fact in used}
    strangers = kin = 0
    for fact in used[:MOST_USED]:
        if fact.entity != spec.entity:
            continue
        own = 0
        for name, other in neighbours.beside(fact):
            if other.id in inputs:  # `x / x` and `x - x` are no answers that anybody gives
                continue
            stranger = name == "other_figure"
            if strangers >= MOST_OTHER_FIGURES if stranger else own >= MOST_OTHER_FIGURES or kin >= MOST_KIN:
                continue
            swaps = _swap(graph, fact, other)
            if swaps:
                strangers += stranger
                own += not stranger
                kin += not stranger
                about = other.id if other.name == fact.name else f"{other.name}_for_{fact.name}"
                yield Change(name, f"`{other.id}` in the place of `{fact.id}`", about, swaps)


def _earlier_periods(
    graph: TaskGraph, neighbours: Neighbours, spec: CellSpec, used: Sequence[Fact]
) -> Iterator[Change]:
    """Every figure of a year earlier; then single ones, whose earlier figure the answer does not rest on anyway."""
    inputs = {fact.id for fact in used}
    before = {fact.id: earlier for fact in used if (earlier := neighbours.before(fact)) is not None}
    dated = [fact for fact in used if fact.entity != "*"]
    if dated and all(fact.id in before for fact in dated):
        swaps: dict[Node, Node] = {}
        for fact in dated:
            swaps |= _swap(graph, fact, before[fact.id])
        if len(swaps) == len(dated):
            yield Change("wrong_period", "the figures of the year before", "", swaps)
    single = [
        fact
        for fact in dated
        if fact.entity == spec.entity and fact.id in before and before[fact.id].id not in inputs and len(dated) > 1
    ]
    for fact in single[:MOST_OF_A_KIND]:
        earlier = before[fact.id]
        swaps = _swap(graph, fact, earlier)
        if swaps:
            yield Change("wrong_period", f"`{earlier.id}` in the place of `{fact.id}`", fact.name, swaps)


def _turned_differences(nodes: Sequence[Node]) -> Iterator[Change]:
    """`a - b` as `b - a`, `a / b - 1` as `b / a - 1`, a growth from the last figure to the first."""
    found = 0
    for node in nodes:
        swaps: dict[Node, Node] = {}
        if node.op == "cagr" and node.args[0].keys and node.args[1].keys:
            swaps = {node: _like(node, node.args[1], node.args[0], *node.args[2:])}
        elif node.op == "-" and node.args[0].keys:
            left, right = node.args
            if right.keys:
                swaps = {node: _like(node, right, left)}
            elif left.op == "/" and left.args[0].unit == left.args[1].unit:
                swaps = {left: _like(left, left.args[1], left.args[0])}
        if swaps and found < MOST_OF_A_KIND:
            found += 1
            yield Change("reversed_difference", "taken the wrong way round", "" if found == 1 else str(found), swaps)


def _like(node: Node, *args: Node) -> Node:
    """The same operation on other arguments."""
    return Node(node.op, args, node.unit, node.operation, node.explain)


def _turned_ranks(nodes: Sequence[Node]) -> Iterator[Change]:
    """A rank counted from the other end."""
    for node in nodes:
        if node.op == "rank":
            falling = node.operation is v.rank_descending
            turned = v.rank_ascending if falling else v.rank_descending
            other = Node("rank", node.args, node.unit, turned, node.explain)
            yield Change("reversed_rank", f"1 for the {'smallest' if falling else 'largest'}", "", {node: other})
            return


def _other_bases(nodes: Sequence[Node]) -> Iterator[Change]:
    """A change divided by its other end: `(a - b) / a` for `(a - b) / b`, `1 - b / a` for `a / b - 1`."""
    for node in nodes:
        swaps: dict[Node, Node] = {}
        if node.op == "/" and node.args[0].op == "-":
            change, base = node.args
            if base in change.args:
                other = change.args[1] if base is change.args[0] else change.args[0]
                swaps = {node: _like(node, change, other)} if other.keys else {}
        elif node.op == "-" and node.args[0].op == "/" and node.args[1].fixed == v.ONE:
            ratio, one = node.args
            if ratio.args[0].unit == ratio.args[1].unit and ratio.args[0].keys and ratio.args[1].keys:
                swaps = {node: _like(node, one, _like(ratio, ratio.args[1], ratio.args[0]))}
        if swaps:
            yield Change("wrong_base", "divided by the other of the two figures", "", swaps)
            return


def _other_divisors(nodes: Sequence[Node]) -> Iterator[Change]:
    """A mean of three figures or more over one figure less."""
    for node in nodes:
        added = len(node.args)
        if node.op == "mean":
            total, divide = Node("sum", node.args, node.unit, v.total, node.explain), node
        elif node.op == "/" and node.args[0].op == "sum" and node.args[1].fixed == Decimal(len(node.args[0].args)):
            total, divide, added = node.args[0], node, len(node.args[0].args)
        else:
            continue
        if added >= 3:
            fewer = Node("literal", (), PLAIN, fixed=Decimal(added - 1))
            wrong = Node("/", (total, fewer), divide.unit, v.divide, divide.explain)
            yield Change("wrong_divisor", f"divided by {added - 1}, while {added} figures are added", "", {node: wrong})
            return


def _dropped_steps(graph: TaskGraph, spec: CellSpec, top: Node, wanted: Unit) -> Iterator[Change]:
    """The step before the last that has the answer's unit, and the last operation without its second part."""
    below = {id(node) for node in top.order}
    core = _core(top)
    found = 0
    for name, built in reversed(graph.built(spec).items()):
        node = built.node
        if node is core or id(node) not in below or found >= MOST_OF_A_KIND:
            continue
        fitting = _in_unit(graph, node, wanted)
        if fitting is not None:
            found += 1
            yield Change("step_dropped", f"what `{name}` gives, without what follows", name, {top: fitting})
    if core.op in ("-", "*", "/", "+", "mean"):
        first = [arg for arg in core.args if arg.keys][: 2 if core.op == "*" else 1]
        for place, arg in enumerate(first):
            fitting = _in_unit(graph, arg, wanted)
            if fitting is not None and core.op != "mean":
                about = "last" if not place else "first"
                yield Change("step_dropped", f"the last `{core.op}` left out", about, {top: fitting})


def _core(top: Node) -> Node:
    """The node without the changes of unit around it."""
    while top.op == "convert":
        top = top.args[0]
    return top


def _in_unit(graph: TaskGraph, node: Node, wanted: Unit) -> Node | None:
    if node.unit is None or node.unit == wanted:
        return node if node.unit is not None else None
    change = graph.kinds.conversion(node.unit, wanted)
    return None if change is None else Node("convert", (node,), wanted, change)


def _turned_ratio(top: Node) -> Iterator[Change]:
    """`a / b` as `b / a`, where both have one unit."""
    core = _core(top)
    if core is top and core.op == "/" and core.args[0].unit == core.args[1].unit and core.args[0].keys:
        yield Change("ratio_inverted", "the divisor divided", "", {core: _like(core, core.args[1], core.args[0])})


def _other_scales(unit: str, value: Decimal | None) -> Iterator[Change]:
    hundred = Decimal(100)
    if unit in HUNDREDTHS or unit in RATIOS:
        yield Change("percent_for_fraction", "a hundred times too large", "", factor=hundred)
        yield Change("fraction_for_percent", "a hundred times too small", "", factor=1 / hundred)
    elif unit != "day":
        for power, why in _SCALES:
            about = f"{'times' if power > 0 else 'over'}_1e{abs(power)}"
            yield Change("wrong_scale", why, about, factor=Decimal(1).scaleb(power))
    if value is not None and value < 0:
        yield Change("sign_lost", "the minus lost", "", factor=Decimal(-1))

"""What a cell's reference rests on, for the soundness of a derivation: its inputs and intermediates as intervals.

Built from rows of the bundle's tables `cells`, `steps`, `facts` and `near_misses`. In `steps.inputs` a name
is `fact:<id>`, `step:<id>` (of the same cell), `cell:<entity>/<dimension>` or
`cell:<entity>/<dimension>/<step>`; other names (assumptions stand in the question) need not be shown.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from cellwright.records.decimals import CONTEXT, parse_canonical
from cellwright.records.errors import Place, UnreadableInput

Row = Mapping[str, str]

_INDEX = re.compile(r"\[[^\[\]]{0,60}\]|\.\*")
_ARITHMETIC = re.compile(r"[+\-*/]|\b(?:sum|mean|cagr|share)\(")


@dataclass(frozen=True, slots=True)
class Node:
    """A fact or a step: the interval of its value, the digits it is known to, and what it is made of."""

    low: Decimal
    high: Decimal
    digits: int
    inputs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """What must be shown, what may replace it, and what must not stand in its place."""

    wanted: tuple[str, ...]
    """The inputs of the last step."""
    nodes: Mapping[str, Node]
    traps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """A near miss's id -> the facts it uses and the cell does not."""
    computes: bool = True
    """Whether the answer follows by arithmetic, so that some must be shown."""


def fact_node(fact: Row) -> Node:
    """A fact as an interval: half a unit of its last written digit on both sides of its value."""
    value = _number(fact, "value")
    digits = _digits(fact.get("as_written", ""))
    if not value:
        half = Decimal((0, (5,), _scale(fact) - 1))
        return Node(CONTEXT.minus(half), half, 1)
    # The printed digits and the value differ by a power of ten only, whatever marks the locale groups by.
    power = value.copy_abs().adjusted() - (len(digits) - 1) if digits else 0
    if not digits or Decimal(digits).scaleb(power, CONTEXT) != value.copy_abs():
        exact = value.normalize(CONTEXT)
        return Node(value, value, len(exact.as_tuple().digits))
    half = Decimal((0, (5,), power - 1))
    return Node(CONTEXT.subtract(value, half), CONTEXT.add(value, half), len(digits))


def _digits(as_written: str) -> str:
    plain = (str(unicodedata.decimal(char)) for char in as_written[:200] if char.isdecimal())
    return "".join(plain).lstrip("0")


def _scale(fact: Row) -> int:
    text = fact.get("scale", "") or "0"
    return int(text) if re.fullmatch(r"-?[0-9]{1,2}", text) else 0


def step_node(step: Row) -> Node:
    """A step's value as an interval, known to three digits at least."""
    value = _number(step, "value")
    low = _number(step, "low") if step.get("low") else value
    high = _number(step, "high") if step.get("high") else value
    return Node(min(low, high), max(low, high), 3, _names(step, "inputs"))


def build_evidence(
    cell: Row, steps: Mapping[tuple[str, str], Sequence[Row]], facts: Mapping[str, Row], near_misses: Iterable[Row]
) -> Evidence:
    """The evidence of `cell` from its task's tables; `steps` by entity and dimension, in their order.

    Raises UnreadableInput for a row that cannot be read.
    """
    key = cell["entity"], cell["dimension"]
    own = steps.get(key, [])
    nodes: dict[str, Node] = {}
    last = own[-1]["step"] if own else ""
    queue = [(key, f"step:{step['step']}") for step in own]
    while queue:
        where, name = queue.pop()
        label = _label(key, where, name)
        if label in nodes:
            continue
        if name.startswith("fact:"):
            fact = facts.get(name[5:])
            if fact is not None and fact.get("value"):
                nodes[label] = fact_node(fact)
            continue
        there, step = _target(where, name, steps)
        if step is None or not step.get("value"):
            continue
        node = step_node(step)
        inputs = tuple(_label(key, there, item) for item in node.inputs)
        nodes[label] = Node(node.low, node.high, node.digits, inputs)
        queue += [(there, item) for item in node.inputs]
    wanted = nodes[f"step:{last}"].inputs if f"step:{last}" in nodes else ()
    facts_used = {name for name in nodes if name.startswith("fact:")}
    traps = {
        row["near_miss"]: tuple(
            sorted(
                f"fact:{name}" for name in _names(row, "inputs") if f"fact:{name}" not in facts_used and name in facts
            )
        )
        for row in near_misses
        if row.get("origin") != "computed"  # thought of by no person: for diagnosis, and no score rests on them
    }
    for name in {name for names in traps.values() for name in names}:
        fact = facts[name[5:]]
        if fact.get("value"):
            nodes[name] = fact_node(fact)
    return Evidence(
        wanted, nodes, {near: names for near, names in sorted(traps.items()) if names}, _computes(own, last)
    )


def _label(own: tuple[str, str], where: tuple[str, str], name: str) -> str:
    """A name as seen from the cell itself: a step of another cell is `cell:<entity>/<dimension>/<step>`."""
    if name.startswith("step:") and where != own:
        return f"cell:{where[0]}/{where[1]}/{name[5:]}"
    return name


def _target(
    where: tuple[str, str], name: str, steps: Mapping[tuple[str, str], Sequence[Row]]
) -> tuple[tuple[str, str], Row | None]:
    """The cell and the step that a name means; None for a name that is none."""
    if name.startswith("step:"):
        return where, next((row for row in steps.get(where, []) if row["step"] == name[5:]), None)
    parts = name[5:].split("/") if name.startswith("cell:") else []
    if len(parts) not in (2, 3):
        return where, None
    there = parts[0], parts[1]
    rows = steps.get(there, [])
    if len(parts) == 3:
        return there, next((row for row in rows if row["step"] == parts[2]), None)
    return there, rows[-1] if rows else None


def _computes(steps: Sequence[Row], last: str) -> bool:
    """Whether the last step, or a step it rests on, has a sign of arithmetic in its expression."""
    by_id = {f"step:{row['step']}": row for row in steps}
    queue, seen = [f"step:{last}"], set()
    while queue:
        name = queue.pop()
        if name in seen or name not in by_id:
            continue
        seen.add(name)
        if _ARITHMETIC.search(_INDEX.sub("", by_id[name].get("expr", "")[:2_000])):
            return True
        queue += _names(by_id[name], "inputs")
    return False


def _names(row: Row, column: str) -> tuple[str, ...]:
    text = row.get(column, "") or "[]"
    try:
        names = json.loads(text)
    except (ValueError, RecursionError):
        names = None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise UnreadableInput(
            f"`{column}` is not a list of names",
            Place(record=_record(row)),
            seen=text[:80],
            expected="a JSON list of text",
        )
    return tuple(names)


def _number(row: Row, column: str) -> Decimal:
    try:
        return parse_canonical(row.get(column, ""))
    except ValueError as error:
        raise UnreadableInput(f"`{column}` is {error}", Place(record=_record(row)), seen=row.get(column, "")) from None


def _record(row: Row) -> str:
    return "/".join(row[key] for key in ("entity", "dimension", "step", "fact", "near_miss") if row.get(key))

"""The tree of an expression: frozen nodes with their positions, and the one way to write a tree down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Scope = Literal["", "all", "others", "publishers"]
SCOPES: tuple[Scope, ...] = ("all", "others", "publishers")


@dataclass(frozen=True, slots=True)
class Number:
    """A literal: 0, 1 or 2, or the whole exponent after `**`."""

    value: int
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A fact, a step or an assumption; `shift` is `-1` in `x[-1]`, `label` the period in `x['FY2021']`.

    `star` is `capex.*`: every fact whose name is one dotted part longer. `scope` makes a list of it:
    `all.x`, `others.x`, `publishers.x`.
    """

    name: str
    scope: Scope = ""
    star: bool = False
    shift: int = 0
    label: str = ""
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class CellName:
    """`cells.<dimension>` or `cells.<dimension>.<step>`, of this entity or of all or of the others."""

    dimension: str
    step: str = ""
    scope: Scope = ""
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Minus:
    """`-x`."""

    operand: Tree
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands and one of `+ - * / ** == != < <= > >=`."""

    operator: str
    left: Tree
    right: Tree
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A function, its arguments, and the words at their end: `descending`, or a currency and a rate."""

    function: str
    args: tuple[Tree, ...]
    words: tuple[str, ...] = ()
    at: int = field(default=0, compare=False)


Tree = Number | Name | CellName | Minus | Binary | Call

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
BINDING = {**dict.fromkeys(COMPARISONS, 10), "+": 20, "-": 20, "*": 30, "/": 30, "**": 50}
"""How tightly an operator holds its operands; unary minus lies between `*` and `**`."""
MINUS_BINDING = 40


def children(tree: Tree) -> tuple[Tree, ...]:
    """The operands or arguments of `tree`."""
    match tree:
        case Minus():
            return (tree.operand,)
        case Binary():
            return (tree.left, tree.right)
        case Call():
            return tree.args
    return ()


def walk(tree: Tree) -> Iterator[Tree]:
    """`tree` and everything below it, in the order it is written."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        pending += reversed(children(node))


def is_list(tree: Tree) -> bool:
    """Whether `tree` stands for several numbers, so that only an aggregate can take it."""
    match tree:
        case Name():
            return tree.star or bool(tree.scope)
        case CellName():
            return bool(tree.scope)
        case Call(function="available"):
            argument = tree.args[0]
            return isinstance(argument, Name | CellName) and bool(argument.scope)
        case Call(function="to"):
            return is_list(tree.args[0])
    return False


def format_expression(tree: Tree) -> str:
    """`tree` as text with as few parentheses as it needs; reading it again gives the same tree."""
    return _write(tree, 0)


def _write(tree: Tree, outer: int) -> str:
    match tree:
        case Number():
            return str(tree.value)
        case Name():
            return _write_name(tree)
        case CellName():
            parts = (tree.scope, "cells", tree.dimension, tree.step)
            return ".".join(part for part in parts if part)
        case Minus():
            text, binding = "-" + _write(tree.operand, MINUS_BINDING), MINUS_BINDING
        case Binary():
            text, binding = _write_binary(tree), BINDING[tree.operator]
        case Call():
            return f"{tree.function}({', '.join([*(_write(arg, 0) for arg in tree.args), *tree.words])})"
    return f"({text})" if binding < outer else text


def _write_name(tree: Name) -> str:
    text = f"{tree.scope}." if tree.scope else ""
    text += tree.name + (".*" if tree.star else "")
    if tree.shift:
        return f"{text}[{tree.shift}]"
    return f"{text}['{tree.label}']" if tree.label else text


def _write_binary(tree: Binary) -> str:
    binding = BINDING[tree.operator]
    if tree.operator == "**":  # binds to the right, and takes a literal exponent bare
        bare = is_whole(tree.right) or not _begins_with_literal(tree.right)
        return f"{_write(tree.left, binding + 1)} ** {_write(tree.right, MINUS_BINDING if bare else binding + 1)}"
    left = binding + 1 if tree.operator in COMPARISONS else binding
    return f"{_write(tree.left, left)} {tree.operator} {_write(tree.right, binding + 1)}"


def is_whole(tree: Tree) -> bool:
    """Whether `tree` is a whole literal, perhaps with a minus: what may stand alone after `**`."""
    return isinstance(tree, Number) or (isinstance(tree, Minus) and isinstance(tree.operand, Number))


def _begins_with_literal(tree: Tree) -> bool:
    """Whether `tree` without parentheses would begin like a whole exponent: `2 ** x`, `-2 ** x`."""
    while isinstance(tree, Minus):
        tree = tree.operand
    return isinstance(tree, Number) or (
        isinstance(tree, Binary) and tree.operator == "**" and isinstance(tree.left, Number)
    )

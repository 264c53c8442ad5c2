"""Expressions as text, each read once in the life of the program."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from cellwright.records.derivations._parse import parse
from cellwright.records.derivations._tree import CellName, Name, Tree, walk
from cellwright.records.errors import ExpressionError


@dataclass(frozen=True, slots=True)
class Expression:
    """The tree of a text and what it names, in the order of the text."""

    tree: Tree
    names: tuple[Name | CellName, ...]
    reaches_out: bool
    """Whether it names cells, or figures of other entities: what is not among its own cell's steps."""


@lru_cache(maxsize=4096)
def parsed(text: str) -> Expression | ExpressionError:
    """The expression that `text` writes, or what is wrong with it."""
    try:
        tree = parse(text)
    except ExpressionError as error:
        error.__traceback__ = None  # the error is kept; the frames that it came through need not be
        return error
    names = tuple(node for node in walk(tree) if isinstance(node, Name | CellName))
    return Expression(tree, names, any(isinstance(name, CellName) or name.scope for name in names))

"""What is told of a comparison, before it is text, Markdown or a page: sections of items, each with its lines."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One thing said of an item: a label with words, or with an old and a new text and what is said after them."""

    label: str
    text: str = ""
    old: str = ""
    new: str = ""
    address: str = ""
    """An address that the line names; a page makes it a link."""

    @property
    def change(self) -> bool:
        """Whether it shows old → new."""
        return bool(self.old or self.new)


@dataclass(frozen=True, slots=True)
class Item:
    """A task, fact or cell, and what is said of it."""

    name: str
    tag: str = ""
    tone: str = ""
    """The class of its tag: `met`, `warning`, `failed`, or nothing."""
    lines: tuple[Line, ...] = ()
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A small table; `right` are the columns of numbers, `strong` the rows of totals."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[int] = frozenset()
    strong: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, what it means, and the items below it."""

    title: str
    intro: str = ""
    grid: Grid | None = None
    items: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeReport:
    """The whole: a title, the answer in a few sentences, and its sections."""

    title: str
    lead: tuple[str, ...]
    sections: tuple[Section, ...]
    foot: str = ""

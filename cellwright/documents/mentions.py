"""Whose a passage is, by the names of a task's entities that stand in a document's text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from cellwright.documents.companies import core
from cellwright.documents.quotes import normalise

_SHORT = 4
"""A name of so many letters counts only as it is written: `GM` is a company, `gm` is not."""
_REACH = 4_000
"""How far before a passage, in characters, a name still says whose it is."""


class EntityNames:
    """The names of all entities of a task, made ready to be looked for; texts are in normal form."""

    def __init__(self, names: Mapping[str, Sequence[str]]) -> None:
        self._known: dict[str, str] = {}
        self._exact: set[str] = set()
        for entity, given in names.items():
            for name in given:
                for form in (normalise(name), core(name)):
                    if len(form) > 1 and not form.isdigit():
                        self._known.setdefault(form.casefold(), entity)
                        self._exact.add(form)

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        names = sorted(self._known, key=lambda name: (-len(name), name))
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", re.IGNORECASE) if names else None

    def entities_in(self, text: str) -> frozenset[str]:
        """The entities that the text names."""
        return frozenset(self._mentions(text, 0, len(text)))

    def nearest(self, text: str, start: int, end: int) -> str:
        """The entity named last before `end`, in the passage itself or not far before it; "" where none is."""
        return next(iter(reversed(self._mentions(text, max(0, start - _REACH), end))), "")

    def first(self, text: str) -> str:
        """The entity that the text names first, as a report's title does; "" where it names none."""
        return next(iter(self._mentions(text, 0, len(text))), "")

    def _mentions(self, text: str, start: int, end: int) -> list[str]:
        if self._pattern is None:
            return []
        return [
            self._known[found[0].casefold()]
            for found in self._pattern.finditer(text, start, end)
            if len(found[0]) > _SHORT or found[0] in self._exact
        ]

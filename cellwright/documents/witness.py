"""What a page's own tag says of a figure that was read from the page: a second witness, never the one that is asked.

A tag's sign is of its concept's meaning: an outflow printed in brackets is tagged positive where the concept is
"payments". So only magnitude and scale are compared, and nothing that is printed is ever filled from a tag.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from cellwright.documents.tags import Tag
from cellwright.documents.wanted import Located
from cellwright.records.decimals import CONTEXT

Says = Literal["agrees", "scale", "magnitude", "unreadable"]
"""`scale`: the same digits at another power of ten. `unreadable`: the tag says no number."""
_HUNDREDTHS = {"percent": -2, "pp": -2, "permille": -3, "bp": -4}


@dataclass(frozen=True, slots=True)
class Witness:
    """A tag beside the printed figure that it wraps."""

    tag: Tag
    says: Says

    @property
    def differs(self) -> bool:
        """Whether the tag contradicts what is printed."""
        return self.says in ("scale", "magnitude")


class TagIndex:
    """The visible tags of a document by the place where they are printed."""

    def __init__(self, tags: tuple[Tag, ...]) -> None:
        self._cells: dict[tuple[int, int, int], list[Tag]] = defaultdict(list)
        self._text: dict[int, list[Tag]] = defaultdict(list)
        for tag in tags:
            if tag.hidden:
                continue
            if tag.table is not None:
                self._cells[tag.table, tag.row, tag.column].append(tag)
            self._text[tag.begin].append(tag)

    def witness(self, found: Located) -> Witness | None:
        """What is tagged at the place of `found`; None where nothing is, or where no figure was read.

        A figure tagged twice is contradicted only where all of its tags contradict it.
        """
        if found.value_read is None:
            return None
        said = [Witness(tag, compared(tag, found.value_read, found.unit_read)) for tag in self._at(found)]
        said.sort(key=lambda one: _ORDER.index(one.says))
        return said[0] if said else None

    def _at(self, found: Located) -> list[Tag]:
        if found.spot is not None:
            return self._cells.get(found.spot, [])
        if found.begin is None:
            return []
        places = range(found.begin, found.begin + len(found.as_written) + 4)
        return next((self._text[place] for place in places if place in self._text), [])


_ORDER: tuple[Says, ...] = ("agrees", "unreadable", "scale", "magnitude")


def compared(tag: Tag, value: Decimal, unit: str) -> Says:
    """The tag's magnitude against a printed value; a percentage, printed as 20.2, is tagged as 0.202."""
    if tag.magnitude is None:
        return "unreadable"
    printed = abs(value).scaleb(_HUNDREDTHS.get(unit, 0), CONTEXT)
    if tag.magnitude == printed:
        return "agrees"
    one, other = (number.normalize(CONTEXT).as_tuple().digits for number in (tag.magnitude, printed))
    return "scale" if one == other else "magnitude"

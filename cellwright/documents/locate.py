"""Finds a fact's number in a document, and says what the document alone makes of it.

Design, section 3, and the rules of `locate`: places that show the same figure for the same row and period
are one answer; a number is taken only where row and period are the fact's, never because it looks alike.
"""

from __future__ import annotations

from functools import cached_property

from cellwright.documents import answers, prose
from cellwright.documents.defaults import default_scales
from cellwright.documents.fiscal import FiscalYears, fiscal_years
from cellwright.documents.labels import without_figures, words
from cellwright.documents.meaning import Around
from cellwright.documents.model import Document
from cellwright.documents.places import Place, places_below, places_in, speaks_of
from cellwright.documents.row_index import RowIndex, Spot
from cellwright.documents.scales import Scales
from cellwright.documents.wanted import Located, Wanted


def locate(document: Document, wanted: Wanted) -> Located:
    """Where the fact stands in the document; for many facts of one document make a `Locator` once."""
    return Locator(document).locate(wanted)


class Locator:
    """One document, made ready to be asked for many facts."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._around: dict[int, Around] = {}

    @cached_property
    def index(self) -> RowIndex:
        """The rows of all tables."""
        return RowIndex(self.document.tables)

    @cached_property
    def years(self) -> FiscalYears:
        """The fiscal years that the text tells of."""
        return fiscal_years(self.document.text)

    @cached_property
    def default(self) -> Scales:
        """The scale that the text gives to all of its tables."""
        return default_scales(self.document.text)

    def locate(self, wanted: Wanted) -> Located:
        """The place of the fact, or why there is none; the status is `exact` only where nothing contradicts."""
        named = [place for likeness, spot in self._rows_named(wanted) for place in self._places(spot, likeness, wanted)]
        if answers.fit(named):
            return answers.from_places(self.document, wanted, named)
        told = prose.find(self.document, wanted, self.years) if wanted.row or wanted.quote else None
        if told is not None:
            return told
        if named:
            return answers.without_fit(self.document, wanted, named)
        if wanted.as_written:
            return self._by_number(wanted)
        return self._by_name(wanted) if not wanted.row else answers.without_fit(self.document, wanted, [])

    def _by_number(self, wanted: Wanted) -> Located:
        """A fact without a row that is there: where its digits stand, the name tells which row is meant."""
        rows = [self._places(spot, 0, wanted) for spot in self.index.holding(wanted.as_written)]
        same = [place for row in rows for place in row if answers.same_digits(wanted, place)]
        meant = [place for row in rows for place in row
                 if any(answers.same_digits(wanted, other) and speaks_of(other, wanted) for other in row)]
        if answers.fit(meant):
            return answers.from_places(self.document, wanted, meant)
        told = prose.find(self.document, wanted, self.years)
        if told is not None:
            return told
        if answers.fit(same):
            return answers.unnamed(self.document, wanted, same)
        return answers.without_fit(self.document, wanted, meant or same)

    def _by_name(self, wanted: Wanted) -> Located:
        """A fact of which only the name is known: the rows that have all of its words."""
        places = [place for spot in self.index.speaking_of(words(wanted.name))
                  for place in self._places(spot, 3, wanted) if speaks_of(place, wanted)]
        return (answers.from_places if answers.fit(places) else answers.without_fit)(self.document, wanted, places)

    def _places(self, spot: Spot, likeness: int, wanted: Wanted) -> list[Place]:
        around = self.around(spot[0], wanted.locale)
        if around.table.parts[spot[1]].kind == "head":
            return places_below(around, spot[1], likeness, wanted)
        return places_in(around, spot[1], likeness, wanted)

    def around(self, number: int, locale: str) -> Around:
        """The table with what stands around it, kept for the next fact."""
        found = self._around.get(number)
        if found is None or found.locale != locale:
            before = Around(self.document.tables[number - 1], self.years, self.default, locale) if number else None
            found = Around(self.document.tables[number], self.years, self.default, locale, before)
            self._around[number] = found
        return found

    def _rows_named(self, wanted: Wanted) -> list[tuple[int, Spot]]:
        """The rows that the fact's row or quote names, each with its likeness; the closest form of it counts."""
        found: list[tuple[int, Spot]] = []
        for asked in _rows_asked(wanted):
            rows = self.index.labelled(asked)
            if rows and (not found or rows[0][0] < found[0][0]):
                found = rows
        return found


def _rows_asked(wanted: Wanted) -> list[str]:
    """The row's label as the fact gives it, without figures, and without its sections."""
    text = wanted.row or wanted.quote
    plain = without_figures(text)
    asked = dict.fromkeys((plain, plain.rpartition(" > ")[2], text))
    return [part for part in asked if part and any(map(str.isalpha, part))]


__all__ = ["Located", "Locator", "Place", "Wanted", "locate"]

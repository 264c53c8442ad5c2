"""Finds a fact's number in a document, and says what the document alone makes of it.

Design, section 3, and the rules of `locate`: places that show the same figure for the same row and period
are one answer; a number is taken only where row and period are the fact's, never because it looks alike.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial

from cellwright.documents import answers, by_record, prose
from cellwright.documents.defaults import default_scales
from cellwright.documents.elsewhere import statements_elsewhere
from cellwright.documents.fiscal import FiscalYears, fiscal_years
from cellwright.documents.labels import level, plain, without_figures, words
from cellwright.documents.long_tables import LongTable, long_tables
from cellwright.documents.meaning import Around
from cellwright.documents.model import Document
from cellwright.documents.number_marks import Marks, decimal_mark
from cellwright.documents.pdf_prose import with_paragraphs
from cellwright.documents.places import Place, places_below, places_in, speaks_of
from cellwright.documents.row_index import RowIndex, Spot
from cellwright.documents.scales import Scales
from cellwright.documents.sheet_cells import cell_named
from cellwright.documents.statements import PRIMARY
from cellwright.documents.wanted import Located, Wanted
from cellwright.documents.witness import TagIndex, Witness
from cellwright.records.errors import UnreadableInput


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

    @cached_property
    def mark(self) -> Marks:
        """The decimal mark that the document writes, where its numbers tell."""
        return "point" if self.document.kind in ("xlsx", "json") else decimal_mark(self.document.text)

    @cached_property
    def elsewhere(self) -> str:
        """Where a filing without statements of its own has them, in a sentence."""
        return statements_elsewhere(self.document.text)

    @cached_property
    def prose_scale(self) -> Scales:
        """The scale that the text gives to its sentences too."""
        return default_scales(self.document.text, of_tables=False)

    @cached_property
    def prose(self) -> Document:
        """The document with sentences on one line."""
        return with_paragraphs(self.document)

    @cached_property
    def tagged(self) -> TagIndex:
        """The tags of an inline XBRL document."""
        return TagIndex(self.document.tags)

    def witness(self, found: Located) -> Witness | None:
        """What the document's own tag says of a figure that was found; None where the figure has none."""
        return self.tagged.witness(found) if found.value_read is not None else None

    @cached_property
    def records(self) -> tuple[LongTable, ...]:
        """The tables of a sheet, CSV or JSON document whose rows are records."""
        return long_tables(self.document)

    @cached_property
    def others(self) -> Locator | None:
        """The document with its other tables alone, where it has any; records are never read as statements."""
        lists = {record.table.number for record in self.records}
        rest = tuple(table for table in self.document.tables if table.number not in lists)
        return Locator(replace(self.document, read_tables=lambda: rest)) if any(table.rows for table in rest) else None

    def locate(self, wanted: Wanted) -> Located:
        """The place of the fact, or why there is none; the status is `exact` only where nothing contradicts."""
        if self.records:
            found = by_record.find(self.records, wanted)
            if found is not None and (found.status != "absent" or self.others is None):
                return found
            return (
                self.others.locate(wanted)
                if self.others is not None
                else answers.without_fit(self.document, wanted, [])
            )
        if wanted.locator and not wanted.row and self.document.kind in ("csv", "xlsx", "json"):
            return self._by_locator(wanted)
        named = [place for likeness, spot in self._rows_named(wanted) for place in self._places(spot, likeness, wanted)]
        if answers.fit(named):
            return answers.from_places(self.document, wanted, named)
        told = prose.find(self.prose, wanted, self.years, self.prose_scale) if wanted.row or wanted.quote else None
        if told is not None:
            return told
        if named:
            return answers.without_fit(self.document, wanted, named)
        if wanted.as_written:
            return self._by_number(wanted)
        return self._by_name(wanted) if not wanted.row else answers.without_fit(self.document, wanted, [])

    def _by_locator(self, wanted: Wanted) -> Located:
        """A fact whose cell of a sheet, or value of a JSON document, is named."""
        try:
            spot = cell_named(self.document, wanted.locator)
        except UnreadableInput as error:
            return Located(status="absent", why=error.problems[0].sentence())
        places = [place for place in self._places(spot[:2], 0, wanted) if place.figure.column == spot[2]]
        return (answers.from_places if answers.fit(places) else answers.without_fit)(self.document, wanted, places)

    def _by_number(self, wanted: Wanted) -> Located:
        """A fact without a row that is there: where its digits stand, the name tells which row is meant."""
        rows = [self._places(spot, 0, wanted) for spot in self.index.holding(wanted.as_written)]
        same = [place for row in rows for place in row if answers.same_digits(wanted, place)]
        named = [
            row for row in rows if any(answers.same_digits(wanted, place) and speaks_of(place, wanted) for place in row)
        ]
        # Where the number is what its row says for the period, other rows that hold it in passing do not count.
        own = [row for row in named if answers.shows_best(wanted, row)]
        meant = [place for row in own or named for place in row]
        if answers.fit(meant):
            found = answers.from_places(self.document, wanted, meant)
            totals = [
                total
                for place in meant
                if found.status == "exact" and place.value == found.value_read
                for total in self._totals(place, wanted)
            ]
            if totals:
                return answers.better_named(self.document, wanted, found, totals)
            if found.status != "exact" or any(_settles(place, found) for place in meant):
                return found
            better = self._better_named(wanted, found)
            return answers.better_named(self.document, wanted, found, better) if better else found
        told = prose.find(self.prose, wanted, self.years, self.prose_scale)
        if told is not None:
            return told
        if answers.fit(same):
            return answers.unnamed(self.document, wanted, same)
        return answers.without_fit(self.document, wanted, meant or same)

    def _totals(self, place: Place, wanted: Wanted) -> list[Place]:
        """Rows of the table that bear the fact's name, or are its total, where the place's own label bears none."""
        asked, table = words(wanted.name), place.around.table
        if not words(place.label) or words(place.label) & (asked | words(wanted.quote)) or not asked:
            return []
        rows = [
            row
            for row, part in enumerate(table.parts)
            if part.kind == "body"
            and row != place.row
            and words(part.label) <= asked
            and (words(part.label) or plain(part.label) == "total")
        ]
        return [
            total
            for row in rows
            for total in places_in(place.around, row, 3, wanted)
            if total.figure.column == place.figure.column and total.fit is not None and total.unit_fits
        ]

    def _better_named(self, wanted: Wanted, found: Located) -> list[Place]:
        """Places of primary statements whose row says the name and nothing else, where that of `found` does not."""
        asked = words(wanted.name)
        if words(found.row) <= asked:
            return []
        rows = [
            (number, row)
            for number, table in enumerate(self.document.tables)
            if self.around(number, wanted.locale).rank == PRIMARY
            for row, part in enumerate(table.parts)
            if part.kind == "body" and words(part.label) <= asked <= words(" ".join((part.label, *table.row_path(row))))
        ]
        return [
            place
            for spot in rows
            for place in self._places(spot, 3, wanted)
            if place.fit is not None and place.unit_fits and speaks_of(place, wanted)
        ]

    def _by_name(self, wanted: Wanted) -> Located:
        """A fact of which only the name is known: the rows that have all of its words."""
        places = [
            place
            for spot in self.index.speaking_of(words(wanted.name))
            for place in self._places(spot, self._nearness(spot, wanted), wanted)
            if speaks_of(place, wanted)
        ]
        return (answers.from_places if answers.fit(places) else answers.without_fit)(self.document, wanted, places)

    def _nearness(self, spot: Spot, wanted: Wanted) -> int:
        """2 for a row whose label is the fact's name, 3 for one that only has its words ("Cost of revenue")."""
        label = self.document.tables[spot[0]].parts[spot[1]].label
        return 2 if level(wanted.name.replace("_", " "), label) in (0, 1) else 3

    def _places(self, spot: Spot, likeness: int, wanted: Wanted) -> list[Place]:
        around = self.around(spot[0], wanted.locale)
        if around.table.parts[spot[1]].kind == "head":
            return places_below(around, spot[1], likeness, wanted)
        return places_in(around, spot[1], likeness, wanted)

    def around(self, number: int, locale: str) -> Around:
        """The table with what stands around it, kept for the next fact."""
        found = self._around.get(number)
        if found is None or found.locale != locale:
            table = self.document.tables[number]
            before = partial(self._before, number, locale)
            found = self._around[number] = Around(table, self.years, self.default, locale, before)
        return found

    def _before(self, number: int, locale: str) -> Around | None:
        """The table before, but not one of another page of a PDF: that says nothing of this one."""
        tables = self.document.tables
        same = number > 0 and tables[number - 1].page == tables[number].page
        return self.around(number - 1, locale) if same else None

    def _rows_named(self, wanted: Wanted) -> list[tuple[int, Spot]]:
        """The rows that the fact's row or quote names, each with its likeness; the closest form of it counts."""
        found: list[tuple[int, Spot]] = []
        for asked in _rows_asked(wanted):
            rows = self.index.labelled(asked)
            if rows and (not found or rows[0][0] < found[0][0]):
                found = rows
        return found


def _settles(place: Place, found: Located) -> bool:
    """Whether the number of `found` stands in a primary statement, where names are few and plain."""
    return place.around.rank == PRIMARY and place.label == found.row and place.value == found.value_read


def _rows_asked(wanted: Wanted) -> list[str]:
    """The row's label as the fact gives it, without figures, and without its sections."""
    text = wanted.row or wanted.quote
    plain = without_figures(text)
    asked = dict.fromkeys((plain, plain.rpartition(" > ")[2], text))
    return [part for part in asked if part and any(map(str.isalpha, part))]


__all__ = ["Located", "Locator", "Place", "Wanted", "locate"]

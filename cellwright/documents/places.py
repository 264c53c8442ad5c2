"""Places in tables where a fact may stand, read and put in order of belief."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from cellwright.documents.compare import Printed
from cellwright.documents.figures import Figure
from cellwright.documents.fits import period_fit, unit_fits
from cellwright.documents.labels import level, plain, without_figures, words
from cellwright.documents.meaning import Around, Meaning
from cellwright.documents.quotes import CURRENCY_SIGNS
from cellwright.documents.spans import is_period
from cellwright.documents.wanted import Wanted
from cellwright.records.quantities import QuantityError, Reading, read_number

_WHOLE = re.compile(r"\b(?:total|consolidated|company|group|as\s+reported)\b|連結|合計", re.IGNORECASE)


@dataclass(frozen=True)
class Place:
    """One figure of one table that bears the row's label, with what it means."""

    around: Around
    row: int
    figure: Figure
    meaning: Meaning
    printed: Printed
    likeness: int
    """How well the row's label fits, 0 the same."""
    fit: int | None
    """How well the period fits, 0 best; None is another period."""
    unit_fits: bool

    @property
    def value(self) -> Decimal:
        """With printed sign and scale."""
        return self.printed.value

    @property
    def label(self) -> str:
        """The row's label as printed."""
        return self.around.table.parts[self.row].label

    @property
    def column(self) -> str:
        """The heads above the figure, top down."""
        return " > ".join(self.meaning.heads)


def places_in(around: Around, row: int, likeness: int, wanted: Wanted) -> list[Place]:
    """Each figure of the row as a place, those of other periods and units too."""
    told = bool(around.years.ends)
    found: list[Place] = []
    part = around.table.parts[row]
    for figure in part.figures:
        reading = _read(figure.text, wanted.locale)
        if reading is None:
            continue
        meaning = around.meaning(row, figure)
        scale, scale_told = (reading.scale, True) if reading.scale else (meaning.scale, meaning.scale_told)
        fit = period_fit(wanted, meaning, part.label, calendar_told=told)
        found.append(Place(around, row, figure, meaning, Printed(as_written(figure.text), reading, scale, scale_told),
                           likeness, fit, unit_fits(wanted, meaning)))
    return found


MAX_ROWS_BELOW = 2_000


def places_below(around: Around, head: int, likeness: int, wanted: Wanted) -> list[Place]:
    """The figures under a head that bears the name asked for: tables whose rows are entities or years.

    They are believed less than a row of that name. Where rows bear the entity's names, only those count.
    """
    table = around.table
    asked = without_figures(wanted.row or wanted.quote)
    columns = {column for cell in table.parts[head].cells if level(asked, cell.text) is not None
               for column in range(cell.column, cell.column + cell.colspan)}
    rows = [row for row in range(head + 1, min(table.rows, head + MAX_ROWS_BELOW)) if table.parts[row].kind == "body"]
    names = {plain(name) for name in (*wanted.entity_names, wanted.entity) if name}
    own = [row for row in rows if any(plain(cell.text) in names for cell in table.parts[row].cells)]
    return [place for row in own or rows for place in places_in(around, row, likeness + 1, wanted)
            if place.figure.column in columns]


def _read(text: str, locale: str) -> Reading | None:
    try:
        return read_number(text, locale=locale, table_cell=True)
    except QuantityError:
        return None


_MONEY = re.compile(rf"(?:US|C|A|HK|NT|R)?[{re.escape(CURRENCY_SIGNS)}]\s?|(?<![A-Za-z])[A-Z]{{3}}(?![A-Za-z])\s?")


def as_written(text: str) -> str:
    """The number as a fact writes it: brackets and signs kept, the currency left out."""
    plain_text = _MONEY.sub("", text).strip()
    return plain_text if any(map(str.isdigit, plain_text)) or not any(map(str.isdigit, text)) else text


Key = tuple[int, int, int, int, int, tuple[int, int]]


def order(place: Place, wanted: Wanted) -> Key:
    """The smaller, the more it is believed: label, hints, the whole before a part, the statement, the context."""
    return (place.likeness, -_hints(place, wanted), int(not place.printed.scale_told), _part(place, wanted),
            place.around.rank, _context(place, wanted))


def order_among_equals(place: Place) -> tuple[int, int, int, int]:
    """Decides between places of one `order`: the period told best, no section of a part, the first in the text."""
    return (place.fit or 0, int(not _WHOLE.search(" ".join(place.meaning.sections[:1]))),
            place.around.table.number, place.row)


def _hints(place: Place, wanted: Wanted) -> int:
    """How many of the filled-in hints the place bears out."""
    table = place.around.table
    hints = 0
    if wanted.column:
        asked = plain(wanted.column)
        hints += asked == plain(place.column) or asked in (plain(head) for head in place.meaning.heads)
    if wanted.page is not None:
        hints += table.page == wanted.page
    if " > " in wanted.row:
        path = {plain(text) for text in (*table.row_path(place.row), place.label)}
        hints += all(plain(part) in path for part in wanted.row.split(" > "))
    if wanted.quote:
        hints += frozenset(plain(wanted.quote).split()) <= frozenset(plain(table.row_text(place.row)).split())
    if wanted.prefix:
        hints += plain(wanted.prefix)[-40:] in plain(" ".join((table.before, *(
            table.row_text(at) for at in range(max(0, place.row - 3), place.row)))))
    return hints


def _part(place: Place, wanted: Wanted) -> int:
    """0 for a column of the whole entity, 1 for one that the fact's name speaks of, 2 for another part of it."""
    others = [head for head in place.meaning.heads if not is_period(head) and not _says_scale(head)]
    if not others:
        return 0
    joined = " ".join(others)
    names = {plain(name) for name in wanted.entity_names if name}
    if _WHOLE.search(joined) or plain(others[-1]) in names:
        return 0
    if words(wanted.name) & words(joined):
        return 1
    return 2


_LESS = re.compile(r"(?:\bless\b|\bnet\s+of\b|\bexclu\w+).*", re.IGNORECASE)
_OPPOSITES = (("diluted", "basic"), ("noncurrent", "current"), ("asset", "liability"), ("before", "after"))


def speaks_of(place: Place, wanted: Wanted) -> bool:
    """Whether the words at the figure say something of the fact's name, and nothing against it."""
    table = place.around.table
    label = words(place.label)
    near = label | words(" ".join((*place.meaning.heads, *table.row_path(place.row), place.around.subject)))
    named = words(wanted.name) | words(wanted.row)
    if _LESS.search(place.label):
        label = words(_LESS.sub("", place.label))
    for one, other in _OPPOSITES:
        for mine, against in ((one, other), (other, one)):
            if mine in named and against in label and mine not in label:
                return False
    return bool(named & near)


def _says_scale(text: str) -> bool:
    return text.startswith("(") or plain(text).startswith("in ")


def _context(place: Place, wanted: Wanted) -> tuple[int, int]:
    """How many words of the fact's name are spoken close to the figure, and in the titles (as negative numbers)."""
    table = place.around.table
    titles = place.around.titles
    named = words(wanted.name)
    near = words(" ".join((place.label, *place.meaning.heads, *table.row_path(place.row), place.around.subject)))
    return -len(named & near), -len(named & words(" ".join(titles[:4])))

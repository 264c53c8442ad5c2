"""Places in tables where a fact may stand, read and put in order of belief."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from cellwright.documents.companies import Whose, is_company, is_own, own_names, whose_cell
from cellwright.documents.compare import Printed
from cellwright.documents.figures import Figure
from cellwright.documents.fits import period_fit, scale_doubt, unit_fits
from cellwright.documents.heads import RowKind
from cellwright.documents.labels import level, plain, without_figures, words
from cellwright.documents.meaning import Around, Meaning
from cellwright.documents.quotes import CURRENCY_SIGNS
from cellwright.documents.scales import currency_in
from cellwright.documents.spans import first_day, is_period
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
    whose: Whose = ""
    """The wanted entity's by a name at the figure, another's, or untold; told only of a figure that fits."""
    doubt: str = ""
    """What scales the whole table where the figure counts things and may be meant as printed."""

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

    @property
    def period_text(self) -> str:
        """The period that the document tells: an interval, a day, a day with a length, or a year."""
        meaning = self.meaning
        if meaning.end is None:
            return str(meaning.year or "")
        if meaning.instant and meaning.months is None:
            return str(meaning.end)
        start = meaning.start or (self.around.years.start_of(meaning.end) if meaning.months == 12 else None)
        start = start or first_day(meaning.end, meaning.months)
        if start is not None:
            return f"{start}/{meaning.end}"
        return f"{meaning.months} months to {meaning.end}" if meaning.months else str(meaning.end)


def places_in(
    around: Around, row: int, likeness: int, wanted: Wanted, columns: frozenset[int] | None = None
) -> list[Place]:
    """Each figure of the row, or of its `columns`, as a place, those of other periods and units too."""
    told = bool(around.years.ends)
    own = own_names(wanted)
    found: list[Place] = []
    part = around.table.parts[row]
    for figure in part.figures:
        if columns is not None and figure.column not in columns:
            continue
        reading = read_figure(figure.text, wanted.locale)
        if reading is None:
            continue
        meaning = around.meaning(row, figure)
        scale, scale_told = (reading.scale, True) if reading.scale else (meaning.scale, meaning.scale_told)
        doubt = "" if reading.scale else scale_doubt(wanted, meaning, part.label)
        if doubt and (currency_in(doubt) or "dollar" in doubt.lower()):
            scale, scale_told, doubt = 0, True, ""  # "($ in millions)" is said of money and not of what is counted
        fit = period_fit(wanted, meaning, part.label, calendar_told=told)
        fits = unit_fits(wanted, meaning)
        # Whose a figure is takes long to tell, and is asked only of one that may be meant.
        whose = whose_place(around, row, meaning.heads, own) if fits and fit is not None else ""
        found.append(
            Place(
                around,
                row,
                figure,
                meaning,
                Printed(as_written(figure.text), reading, scale, scale_told),
                likeness,
                fit,
                fits,
                whose,
                doubt,
            )
        )
    return found


def whose_place(around: Around, row: int, heads: tuple[str, ...], own: frozenset[str]) -> Whose:
    """Whose a figure is by the names in its row's label, its heads, its sections and the title: the nearest counts."""
    if not own:
        return ""
    named = whose_cell(around.table.parts[row].label, _own_beside(around, "body", own), own)
    if not named and heads:
        beside = _own_beside(around, "head", own)
        named = next((whose for head in reversed(heads) if (whose := whose_cell(head, beside, own))), "")
    named = named or whose_section(around, row, own)
    if named:
        return named
    return "other" if is_company(around.subject) and not is_own(around.subject, own) else ""


def _own_beside(around: Around, kind: RowKind, own: frozenset[str]) -> bool:
    """Whether a label of the rows of this kind, or a head, is the entity's name."""
    found = around.own_beside.get((kind, own))
    if found is None:
        rows = [part for part in around.table.parts if part.kind == kind]
        texts = [part.label for part in rows] if kind == "body" else [cell.text for part in rows for cell in part.cells]
        found = around.own_beside[kind, own] = any(is_own(text, own) for text in texts)
    return found


def whose_section(around: Around, row: int, own: frozenset[str]) -> Whose:
    """Whose the section is: one that repeats the rows of the entity's own section is another's."""
    parts = around.table.parts
    titles = [at for at in range(row - 1, -1, -1) if parts[at].kind == "section"]
    named = next(((at, whose) for at in titles if (whose := whose_cell(parts[at].label, False, own))), None)
    if named is None and not _own_beside(around, "section", own):
        return ""
    if named is not None and (named[0] == titles[0] or named[1] == "other"):
        return named[1]
    sections = [at for at, part in enumerate(parts) if part.kind == "section"]
    mine = next(at for at in sections if any(is_own(cell.text, own) for cell in parts[at].cells))
    end = next((at for at in sections if at > mine), len(parts))
    again = plain(parts[row].label) in {plain(part.label) for part in parts[mine + 1 : end] if part.kind == "body"}
    return "other" if again and titles else named[1] if named else ""


MAX_ROWS_BELOW = 2_000


def places_below(around: Around, head: int, likeness: int, wanted: Wanted) -> list[Place]:
    """The figures under a head that bears the name asked for: tables whose rows are entities or years.

    They are believed less than a row of that name. Where rows bear the entity's names, only those count.
    """
    table = around.table
    asked = without_figures(wanted.row or wanted.quote)
    columns = frozenset(
        column
        for cell in table.parts[head].cells
        if level(asked, cell.text) is not None
        for column in range(cell.column, cell.column + cell.colspan)
    )
    rows = [row for row in range(head + 1, min(table.rows, head + MAX_ROWS_BELOW)) if table.parts[row].kind == "body"]
    names = {plain(name) for name in (*wanted.entity_names, wanted.entity) if name}
    own = [row for row in rows if any(plain(cell.text) in names for cell in table.parts[row].cells)]
    return [place for row in own or rows for place in places_in(around, row, likeness + 1, wanted, columns)]


@lru_cache(maxsize=65_536)
def read_figure(text: str, locale: str) -> Reading | None:
    """The number that a table's figure prints; None where it prints none that can be read."""
    try:
        return read_number(text, locale=locale, table_cell=True)
    except QuantityError:
        return None


_MONEY = re.compile(rf"(?:US|C|A|HK|NT|R)?[{re.escape(CURRENCY_SIGNS)}]\s?|(?<![A-Za-z])[A-Z]{{3}}(?![A-Za-z])\s?")
_MONEY_INSIDE = re.compile(rf"[(（−–-]\s?[A-Z]{{0,3}}[{re.escape(CURRENCY_SIGNS)}]")


def as_written(text: str) -> str:
    """The number as a fact writes it: brackets and signs kept, the currency left out."""
    if _MONEY_INSIDE.match(text):  # "($4,935)": without its currency the brackets would not be found in the quote
        return text
    plain_text = _MONEY.sub("", text).strip()
    return plain_text if any(map(str.isdigit, plain_text)) or not any(map(str.isdigit, text)) else text


Key = tuple[int, int, int, int, int, int, tuple[int, int]]


def order(place: Place, wanted: Wanted) -> Key:
    """The smaller, the more it is believed: label, hints, the whole before a part, the statement, the context."""
    return (
        place.likeness,
        int(place.whose != "own"),
        -_hints(place, wanted),
        int(not place.printed.scale_told),
        _part(place, wanted),
        place.around.rank,
        _context(place, wanted),
    )


def order_among_equals(place: Place) -> tuple[int, int, int, int]:
    """Decides between places of one `order`: the period told best, no section of a part, the first in the text.

    A row above all sections is of the whole where the same label comes again under sections.
    """
    sections = place.meaning.sections
    whole = not sections or _WHOLE.search(sections[0])
    return (place.fit or 0, int(not whole), place.around.table.number, place.row)


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
        hints += plain(wanted.prefix)[-40:] in plain(
            " ".join((table.before, *(table.row_text(at) for at in range(max(0, place.row - 3), place.row))))
        )
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
    label = words(place.label)
    near = place.around.spoken(place.row, place.meaning.heads)
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
    named = words(wanted.name)
    near = place.around.spoken(place.row, place.meaning.heads)
    return -len(named & near), -len(named & place.around.title_words)

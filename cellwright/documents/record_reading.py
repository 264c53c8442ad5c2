"""The records of long tables that may be a fact: read, with what each says of its name, period and unit."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from cellwright.documents.compare import Printed
from cellwright.documents.dates import day_of
from cellwright.documents.fits import kind_wanted, months_of, period_fit, unit_fits
from cellwright.documents.kinds import FigureKind
from cellwright.documents.labels import level, plain, words
from cellwright.documents.locators import locator_of
from cellwright.documents.long_tables import LongTable, spaced, split_unit
from cellwright.documents.meaning import Meaning
from cellwright.documents.places import as_written
from cellwright.documents.scales import currency_in, is_per_share, is_percent, is_shares, read_scales
from cellwright.documents.sheet_cells import cell_named
from cellwright.documents.spans import Span, length_in
from cellwright.documents.wanted import Wanted
from cellwright.records.errors import UnreadableInput
from cellwright.records.quantities import QuantityError, read_number

_LEGAL = frozenset(
    (
        "inc",
        "incorporated",
        "corp",
        "corporation",
        "co",
        "company",
        "companies",
        "plc",
        "ag",
        "se",
        "sa",
        "nv",
        "ltd",
        "limited",
        "llc",
        "lp",
        "group",
        "holding",
        "holdings",
        "gmbh",
        "kgaa",
        "spa",
        "ab",
        "oyj",
        "as",
        "asa",
        "the",
        "com",
    )
)
_PLAIN_NUMBER = re.compile(r"-?\d+(?:\.\d+)?%?")
MAX_RECORDS = 2_000
"""No more records of one name and entity are looked at closely."""


@dataclass(frozen=True)
class Record:
    """One figure of a long table with what its record says of it."""

    source: LongTable
    row: int
    column: int
    name: str
    """What the figure is, as the table says it; empty where it does not."""
    likeness: int
    entity: str
    span: Span | None
    printed: Printed
    meaning: Meaning
    fit: int | None
    unit_fits: bool

    @property
    def locator(self) -> str:
        """Where its cell is."""
        return locator_of(self.source.document, self.source.table, self.row, self.column)


LOOSE = 4
"""The likeness of a figure whose record has the words of the fact's name among others ("Cost of revenue")."""
UNSAID = 6
"""The likeness of a figure whose record does not say what it is."""


def records_of(source: LongTable, wanted: Wanted) -> list[Record]:
    """The table's figures that bear the fact's name and entity, of all periods."""
    columns = _columns_named(source, wanted)
    if not columns:
        return []
    rows = _rows_of_entity(source, wanted)
    metrics = source.columns("metric")
    names: dict[str, int | None] = {}
    found: list[Record] = []
    for row in rows:
        name, likeness = "", None
        for column in metrics:
            text = source.text(row, column)
            if text not in names:
                names[text] = _likeness(wanted, text)
            if names[text] is not None and (likeness is None or (names[text] or 0) < likeness):
                name, likeness = text, names[text]
        if metrics and likeness is None:
            continue
        for column, (head, level_of_head) in columns.items():
            record = _record(source, row, column, name or head, max(likeness or 0, level_of_head), wanted)
            if record is not None:
                found.append(record)
        if len(found) >= MAX_RECORDS:
            break
    best = min((record.likeness for record in found), default=0)
    return [record for record in found if record.likeness == best]


def _columns_named(source: LongTable, wanted: Wanted) -> dict[int, tuple[str, int]]:
    """The value columns that the fact may stand in, each with the words that say what it is, and their likeness."""
    if source.columns("metric"):
        return {column: (source.heads[column], 0) for column in source.values}
    if source.path:
        likes = [(found, text) for text in source.path if (found := _likeness(wanted, spaced(text), text)) is not None]
        if likes:
            best = min(likes)
            return dict.fromkeys(source.values, (best[1], best[0]))
        if source.unit_of_path:
            return {}
    heads = {column: split_unit(source.heads[column])[0] for column in source.values}
    if source.wide:
        likes_of = {
            column: _likeness(wanted, spaced(head), head, source.heads[column]) for column, head in heads.items()
        }
        told = {column: found for column, found in likes_of.items() if found is not None}
        if not told and plain(wanted.row) in _entity_names(wanted):  # the row names the entity: the unit must tell
            return {column: (source.heads[column], LOOSE - 1) for column in heads}
        best_of = min(told.values(), default=0)
        return {column: (source.heads[column], found) for column, found in told.items() if found == best_of}
    said = [
        found
        for text in (source.table.name, source.table.caption)
        if text and source.document.kind != "json" and (found := _likeness(wanted, spaced(text))) is not None
    ]
    asked = {plain(text) for text in (wanted.column, wanted.row) if text}
    told_by = asked & {plain(text) for text in source.heads.values()}
    likeness = min([*said, 0 if told_by else UNSAID])
    return {column: (source.table.name or head, likeness) for column, head in heads.items()}


def _likeness(wanted: Wanted, *texts: str) -> int | None:
    """How well one of the texts says what the fact is: its row and column count before its name."""
    found: list[int] = []
    for text in texts:
        if text in (wanted.row, wanted.column, wanted.name):
            return -1  # the very name, before a label that only reads alike
        for asked in (wanted.row, wanted.column):
            if asked and (near := level(asked.rpartition(" > ")[2], text)) is not None:
                found.append(near)
        if wanted.name and (near := level(spaced(wanted.name).replace(".", " "), text)) is not None:
            found.append(near + (2 if wanted.row and near else 0) if near < 2 else LOOSE)
        mine, other = words(wanted.name), words(text)
        if mine and mine == other:
            found.append(1)
        elif mine and not wanted.row and mine <= other:
            found.append(LOOSE)
    return min(found) if found else None


def _rows_of_entity(source: LongTable, wanted: Wanted) -> list[int]:
    """The rows of the fact's entity; all rows where none bears one of its names, or the table has no entities."""
    names = _entity_names(wanted)
    columns = source.columns("entity", "code")
    if not columns:  # a column of another name may hold the entity: "Brand", "Bank"
        own = [
            row
            for row in source.rows()
            if any(plain(source.text(row, column)) in names for column, role in source.roles.items() if not role)
        ]
        return own or list(source.rows())
    texts: dict[str, list[int]] = {}
    for row in source.rows():
        for column in columns:
            texts.setdefault(source.text(row, column), []).append(row)
    exact = sorted({row for text, rows in texts.items() if plain(text) in names for row in rows})
    if exact:
        return exact
    cores = {core for name in names if (core := _core(name))}
    alike = {text: rows for text, rows in texts.items() if _core(plain(text)) in cores}
    if len({_core(plain(text)) for text in alike}) == 1:
        return sorted({row for rows in alike.values() for row in rows})
    return list(source.rows())


def _entity_names(wanted: Wanted) -> frozenset[str]:
    """The entity's names as they are compared."""
    return frozenset(plain(name) for name in (*wanted.entity_names, wanted.entity) if name)


def _core(name: str) -> frozenset[str]:
    """A company's name without the words that only tell its legal form."""
    return frozenset(name.split()) - _LEGAL


def _record(source: LongTable, row: int, column: int, name: str, likeness: int, wanted: Wanted) -> Record | None:
    text = source.text(row, column)
    if not text:
        return None
    exact = source.document.kind in ("xlsx", "json") and _PLAIN_NUMBER.fullmatch(text)
    try:
        reading = read_number(text, locale="en" if exact else wanted.locale, table_cell=True)
    except QuantityError:
        return None
    span = source.span(row, column, wanted.locale)
    units = [source.text(row, at) for at in source.columns("unit")]
    units += [source.unit_of_path, split_unit(source.heads[column])[1], source.heads[column], name]
    kind, currency = _kind(text, [unit for unit in units if unit], wanted)
    told = next((scale for unit in units if unit and (scale := _scale(unit, kind)) is not None), None)
    known = told is not None or bool(currency) or kind == "percent"
    scale = reading.scale or (0 if kind in ("percent", "per_share") else told or 0)
    meaning = _meaning(span, kind, scale, known, currency, source, wanted)
    fit = period_fit(_timed(wanted), meaning, name, calendar_told=False) if span is not None else None
    told_months = length_in(source.heads[column]) or length_in(name) or (span.months if span and not span.end else None)
    if told_months is not None and span is not None and span.start is None and told_months != months_of(wanted):
        fit = None  # "GDP growth, 2020 Q2" beside the year 2020
    entity = next((source.text(row, at) for at in source.columns("entity", "code")), "")
    own = _entity_names(wanted)
    if plain(entity) in own or any(plain(source.text(row, at)) in own for at in source.columns("entity", "code")):
        entity = wanted.entity
    return Record(
        source,
        row,
        column,
        name,
        likeness,
        entity,
        span,
        Printed(as_written(text), reading, scale, known),
        meaning,
        fit,
        unit_fits(wanted, meaning),
    )


def _timed(wanted: Wanted) -> Wanted:
    """A year that ends in January or February may bear either number: without a label no bare year is it."""
    if wanted.label or wanted.period_end.month > 2:
        return wanted
    return replace(wanted, label="1900")


def _meaning(
    span: Span | None, kind: FigureKind, scale: int, known: bool, currency: str, source: LongTable, wanted: Wanted
) -> Meaning:
    span = span or Span()
    end, instant, months = span.end, span.instant, span.months
    if end is not None and span.start is None and instant is None and not source.columns("start"):
        instant = wanted.period_start is None or None
    if end is None and span.year is not None and span.month_day:
        end = day_of(span.year, *span.month_day)
    return Meaning(end, span.start, span.year, months, instant, span.compares, kind, scale, known, currency, (), ())


def _kind(text: str, units: list[str], wanted: Wanted) -> tuple[FigureKind, str]:
    """The sort of number and its currency, by the first unit that tells; what is not told may be what is asked."""
    asked = kind_wanted(wanted.unit)
    if is_percent(text):
        return "percent", ""
    for unit in units:
        currency = currency_in(unit)
        if is_per_share(unit) or unit.lower().endswith(("/share", "/shares")):
            return "per_share", currency
        if is_percent(unit) or plain(unit) == "pure":
            return "percent", ""
        if currency and "/" not in unit:
            return "money", currency
        if plain(unit) in ("share", "shares") or (is_shares(unit) and "share" in unit.lower()):
            return "shares", ""
        if "/" in unit or plain(unit) == plain(wanted.unit):
            return "count", ""
    return ("count" if "count" in asked else min(asked)), ""


def _scale(unit: str, kind: FigureKind) -> int | None:
    said = read_scales(unit)
    return said.shares if kind == "shares" else said.money


def record_at_locator(tables: tuple[LongTable, ...], wanted: Wanted) -> list[Record]:
    """The record whose cell the fact's locator names, where no record bears the fact's name."""
    if not wanted.locator:
        return []
    try:
        number, row, column = cell_named(tables[0].document, wanted.locator)
    except UnreadableInput:
        return []
    for source in tables:
        if (
            source.table is tables[0].document.tables[number]
            and column in source.values
            and row > source.head
            and row in _rows_of_entity(source, wanted)
        ):
            said = [text for at in source.columns("metric") if (text := source.text(row, at))]
            name = said[0] if said else source.heads[column]
            record = _record(source, row, column, name, UNSAID - 1, wanted)
            return [record] if record is not None else []
    return []

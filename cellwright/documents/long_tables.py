"""Long tables: lists of records in which a row is one figure, or one entity in one year, told apart by their heads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from cellwright.documents.json_values import JsonDocument, JsonObject, at_pointer
from cellwright.documents.model import Cell, Document, Table
from cellwright.documents.spans import Span, is_period, length_in, read_span
from cellwright.records.errors import UnreadableInput

_WORDS_OF_ROLES: tuple[tuple[str, str], ...] = (
    ("start", r"(?:period|date)?[\s_]?(?:start|from|begin)(?:[\s_]?date)?|start[\s_]of[\s_]period|beginn|von"),
    ("end", r"(?:period|date)?[\s_]?(?:end|to)(?:[\s_]?date)?|end[\s_]of[\s_]period|ddate|as[\s_]of|ende|bis"),
    ("period", r"(?:fiscal\s|reporting\s|time[\s_])?period|date|day|month|quarter|zeitraum|periode|datum|stichtag"),
    ("year", r"(?:fiscal|financial|calendar)?[\s_]?years?|fy|jahr|geschäftsjahr|année|año|anno|year[\s_]?code"),
    ("quarters", r"qtrs"),
    (
        "metric",
        r"metrics?|indicator(?:[\s_]name)?|series(?:[\s_]name)?|variable|item|line(?:[\s_]item)?|concept|tag|"
        r"measure|account|kennzahl|position|posten|figure[\s_]name|fact|data[\s_]?point|label",
    ),
    (
        "entity",
        r"entit(?:y|ies)(?:[\s_]name)?|compan(?:y|ies)(?:[\s_]name)?|country(?:[\s_](?:name|or[\s_]area))?|"
        r"issuer|firm|organi[sz]ation|region|area|location|ref[\s_]area|unternehmen|firma|land|gesellschaft|"
        r"pays|entreprise|país|empresa|state|economy|name|registrant",
    ),
    ("code", r"(?:country|entity|company|iso|iso3|geo)?[\s_]?code|iso3?|ticker|symbol|cik|isin|lei|adsh|id"),
    ("unit", r"units?(?:[\s_]of[\s_]measure)?|uom|currency|einheit|währung|unité|unidad|unit[\s_]?name"),
    ("value", r"(?:obs[\s_])?values?|amount|val|figure|number|wert|betrag|valeur|valor|observation"),
)
_ROLES = tuple((role, re.compile(rf"^\W*(?:{words})\W*$", re.IGNORECASE)) for role, words in _WORDS_OF_ROLES)
_UNIT_ASIDE = re.compile(r"\s*[(\[]([^()\[\]]{1,60})[)\]]\s*$|,\s*(in\s[^,]{1,40}|%|percent|[A-Z]{3}(?:\s\w+)?)\s*$")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_MAX_HEAD_ROW = 12
_SAMPLE = 40


def split_unit(head: str) -> tuple[str, str]:
    """A head without the unit that it ends with, and that unit: "Value (USD million)" is "Value" and "USD million"."""
    match = _UNIT_ASIDE.search(head)
    if not match or match.start() == 0:
        return head, ""
    return head[: match.start()].strip(), (match[1] or match[2]).strip()


def role_of(head: str) -> str:
    """What a column holds by its head; empty where the head is none of the usual ones."""
    plain = split_unit(head)[0]
    return next((role for role, pattern in _ROLES if pattern.match(plain)), "")


@dataclass(frozen=True)
class LongTable:
    """A table whose rows are records, with the column of each role."""

    document: Document
    table: Table
    head: int
    heads: dict[int, str]
    roles: dict[int, str]
    of_years: frozenset[int] = frozenset()
    """Columns whose heads are periods themselves, in a table of entities."""

    def columns(self, *roles: str) -> list[int]:
        """The columns of these roles, from left to right."""
        return [column for column, role in sorted(self.roles.items()) if role in roles]

    @cached_property
    def values(self) -> tuple[int, ...]:
        """The columns that may hold the figures: those called value, else all that have no other role."""
        if self.of_years:
            return tuple(sorted(self.of_years))
        named = self.columns("value")
        return tuple(named or [column for column in sorted(self.heads) if not self.roles[column]])

    @cached_property
    def wide(self) -> bool:
        """The heads of the value columns say what the figures are."""
        return not self.columns("value") and not self.of_years

    def rows(self) -> Iterator[int]:
        """The rows of records."""
        return iter(range(self.head + 1, self.table.rows))

    def text(self, row: int, column: int) -> str:
        """The text of a cell; empty for a blank one."""
        cell: Cell | None = self.table.grid[row][column]
        return cell.text if cell is not None else ""

    def span(self, row: int, value: int, locale: str) -> Span | None:
        """The period that the record tells; None where it tells none.

        A last day counts before a year: in the records of company facts `fy` is the year of the filing.
        """
        if value in self.of_years:
            return read_span(self.heads[value], locale)
        ends = [self.text(row, column) for column in self.columns("end")]
        starts = [self.text(row, column) for column in self.columns("start")]
        last = next((day(text, locale) for text in ends if text), None)
        if ends:
            first = next((day(text, locale) for text in starts if text), None)
            if last is None or last.end is None:
                return None
            begin = first.end if first is not None else None
            counts = [text for column in self.columns("quarters") if (text := self.text(row, column)).isdigit()]
            if counts:  # of the financial statement data sets: 0 is an instant, 4 a year
                count = int(counts[0][:3])
                return Span(last.end, months=3 * count or None, instant=count == 0)
            return Span(last.end, begin, instant=begin is None if starts else None)
        texts = [text for column in self.columns("period", "year") if (text := self.text(row, column))]
        lengths = [months for text in texts if (months := length_in(text))]
        for text in texts:
            if is_period(text, locale) and (span := read_span(text, locale)).dated:
                return replace(span, months=span.months or next(iter(lengths), None))
        return None

    @cached_property
    def path(self) -> tuple[str, ...]:
        """For a list in a JSON document the keys that lead to it, and the labels beside it, nearest first."""
        if not isinstance(self.document, JsonDocument):
            return ()
        keys = [part.replace("~1", "/").replace("~0", "~") for part in self.table.name.split("/")[1:]]
        found: list[str] = []
        for depth in range(len(keys), 0, -1):
            pointer = "".join(f"/{part}" for part in self.table.name.split("/")[1 : depth + 1])
            found.append(keys[depth - 1])
            try:
                value = at_pointer(self.document.root, pointer)
            except UnreadableInput:
                continue
            if isinstance(value, JsonObject):
                found += [
                    text
                    for name in ("label", "name", "title")
                    if isinstance(text := value.get(name), str) and len(text) <= 300
                ]
        return tuple(found)

    @cached_property
    def unit_of_path(self) -> str:
        """The unit that a JSON list stands under: `/facts/us-gaap/Revenues/units/USD`."""
        parts = self.table.name.replace("~1", "/").split("/units/")
        return parts[1] if isinstance(self.document, JsonDocument) and len(parts) == 2 else ""


def day(text: str, locale: str) -> Span:
    """What a cell of days says; `20231231` is a day too."""
    if len(text) == 8 and text.isdigit() and text[:2] in ("19", "20"):
        text = f"{text[:4]}-{text[4:6]}-{text[6:]}"
    return read_span(text, locale)


def spaced(name: str) -> str:
    """A name in camel case or with underscores as words: "AccountsPayableCurrent" is "Accounts Payable Current"."""
    return _CAMEL.sub(" ", name).replace("_", " ")


def long_tables(document: Document) -> tuple[LongTable, ...]:
    """The tables of a sheet, a CSV or a JSON document that are lists of records."""
    if document.kind not in ("csv", "xlsx", "json"):
        return ()
    return tuple(found for table in document.tables if (found := _long_table(document, table)) is not None)


def _long_table(document: Document, table: Table) -> LongTable | None:
    for row in range(min(_MAX_HEAD_ROW, table.rows - 1)):
        cells = [
            (column, cell.text)
            for column, cell in enumerate(table.grid[row])
            if cell is not None and cell.text and cell.row == row and cell.column == column
        ]
        if len(cells) < 2:
            continue
        heads = dict(cells)
        roles = {column: role_of(text) for column, text in cells}
        return _with_roles(document, table, row, heads, roles)
    return None


def _with_roles(
    document: Document, table: Table, row: int, heads: dict[int, str], roles: dict[int, str]
) -> LongTable | None:
    """The table with its columns told apart; None where it is no list of records."""
    periods = frozenset(column for column, text in heads.items() if not roles[column] and is_period(text))
    found = LongTable(document, table, row, heads, roles)
    timed = found.columns("start", "end", "period", "year")
    if not timed:
        # A table of entities by years; one of rows by years is a statement, which is read as other tables are.
        if len(periods) >= 1 and found.columns("entity"):
            return LongTable(document, table, row, heads, {**roles, **dict.fromkeys(periods, "value")}, periods)
        return None
    sample = range(row + 1, min(table.rows, row + 1 + _SAMPLE))
    filled = [text for at in sample for column in timed if (text := found.text(at, column))]
    told = sum(1 for text in filled if is_period(text) or day(text, "en").dated)
    if not filled or 2 * told < len(filled) or not found.values or periods:
        return None
    return found

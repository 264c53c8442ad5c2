"""Pandera models on Polars frames: every table of a task's folder checked as text, all faults told.

The schemas are made once from `records.rows`, so a column's rule is written down in one place only.
Frames are validated eagerly and lazily in Pandera's two meanings of the words: a DataFrame, because of a
LazyFrame Pandera checks the schema alone and says nothing of the values; and `lazy=True`, so that a
missing column and a bad value of the same frame are both told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pandera.polars as pa
import polars as pl
from pandera.errors import SchemaErrors

from cellwright.records.errors import Place
from cellwright.records.fields import (
    ID_PATTERN,
    MAX_SCALE,
    SCALE_WORDS,
    SOURCE_ID_PATTERN,
    EntityRef,
    FactId,
    Id,
    OptionalDate,
    OptionalDecimal,
    OptionalScale,
    OptionalWhole,
    SourceId,
    looks_like_spreadsheet_date,
)
from cellwright.records.repository_rows import ALL_TABLES
from cellwright.records.rows import Fact
from cellwright.records.tables import Table, fact_id

TABLE, LINE = "__table", "__line"
"""Columns of a frame that say where a row came from: the table's position among those checked, and the line."""

_MAX_ID = 120
_MAX_NUMBER = 100
_FACT_PARTS = r"[a-z][a-z0-9_]*(\.[a-z0-9][a-z0-9_]*)*"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that a schema found wrong in a table."""

    kind: Literal["missing", "unreadable", "twice"]
    place: Place
    observed: str = ""
    expected: str = ""
    fix: str = ""


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a column's text must be, as a sentence and as one vectorised Polars expression."""

    says: str
    pattern: str = ""
    longest: int = 0
    choices: tuple[str, ...] = ()
    date: bool = False

    def holds(self, column: str) -> pl.Expr:
        """True where the column's text is what it must be."""
        text = pl.col(column)
        result = pl.lit(True)
        if self.choices:
            result = text.is_in(self.choices)
        if self.pattern:
            result = text.str.contains(f"^(?:{self.pattern})$")
        if self.date:
            result = (text == "") | text.str.to_date("%Y-%m-%d", strict=False, exact=True).is_not_null()
            result = result & text.str.contains(r"^(?:\d{4}-\d{2}-\d{2})?$")
        if self.longest:
            result = result & (text.str.len_chars() <= self.longest)
        return result


_SCALES = "|".join([*SCALE_WORDS, *(rf"-?0?{power}" for power in range(MAX_SCALE + 1))])
_KINDS: tuple[tuple[Any, _Kind], ...] = (
    (Id, _Kind("an id of small letters, digits and _ that begins with a letter", ID_PATTERN, _MAX_ID)),
    (FactId, _Kind("an id of small letters, digits, _ and dotted parts", _FACT_PARTS, _MAX_ID)),
    (
        SourceId,
        _Kind("an id of small letters, digits, _, - and . that begins with a letter", SOURCE_ID_PATTERN, _MAX_ID),
    ),
    (EntityRef, _Kind("an entity's id, or * for the whole task", rf"\*|{ID_PATTERN}", _MAX_ID)),
    (
        OptionalDecimal,
        _Kind(
            "a plain number: digits, a point for decimals, a minus; no grouping marks",
            r"(?:-?[0-9]+(?:\.[0-9]+)?)?",
            _MAX_NUMBER,
        ),
    ),
    (OptionalDate, _Kind("a date as YYYY-MM-DD", date=True)),
    (OptionalScale, _Kind("a power of ten (0, 6, -2) or a word from thousand to trillion", f"(?i)(?:{_SCALES})?")),
    (OptionalWhole, _Kind("a whole number from 1", r"(?:[1-9][0-9]{0,5})?")),
)


def frame_of(tables: Sequence[Table], positions: Sequence[int] = ()) -> pl.DataFrame:
    """Tables of one kind and the same columns as one frame of text, blanks at the ends removed.

    `__table` is each row's table, by `positions` or its place in `tables`, and `__line` its line there.
    """
    first = tables[0]
    data: dict[str, list[Any]] = {
        name: [row.get(name, "") for table in tables for row in table.rows]
        for name in first.columns
        if name and not name.startswith("x_")
    }
    if first.name == Fact.table:
        data["id"] = [row.get("id", "").strip() or fact_id(row) for table in tables for row in table.rows]
    frame = pl.DataFrame(data, schema=dict.fromkeys(data, pl.String)).with_columns(pl.all().str.strip_chars())
    numbers = positions or range(len(tables))
    origin = [number for number, table in zip(numbers, tables, strict=True) for _ in table.rows]
    lines = [line for table in tables for line in table.lines]
    return frame.with_columns(pl.Series(TABLE, origin, dtype=pl.Int64), pl.Series(LINE, lines, dtype=pl.Int64))


@cache
def schema_of(name: str) -> pa.DataFrameSchema:
    """The Pandera schema of a table of `ALL_TABLES`: its columns, what each may hold, and its key."""
    model = ALL_TABLES[name]
    kinds = column_kinds(name)
    columns = {
        column: pa.Column(
            pl.String,
            [_check(kinds[column])] if column in kinds else [],
            required=model.model_fields[column].is_required(),
        )
        for column in model.columns()
    }
    checks = [pa.Check(_first_of_key(model.key), name="key")] if model.key else []
    return pa.DataFrameSchema(columns, checks=checks, name=name)


@cache
def column_kinds(name: str) -> dict[str, _Kind]:
    """What the text of each column of a table must be; columns of free text are not in it."""
    model = ALL_TABLES[name]
    hints = get_type_hints(model, include_extras=True)
    kinds: dict[str, _Kind] = {}
    for column in model.columns():
        kind = next((kind for hint, kind in _KINDS if hints[column] == hint), None)
        kind = kind or _choices(hints[column]) or _bounded(model.model_fields[column].metadata)
        if kind is not None:
            kinds[column] = kind
    return kinds


def _bounded(metadata: Sequence[Any]) -> _Kind | None:
    """The pattern or the greatest length that a column of text has in its record."""
    pattern = next((rule.pattern for rule in metadata if getattr(rule, "pattern", None)), "")
    longest = next((rule.max_length for rule in metadata if getattr(rule, "max_length", None)), 0)
    if pattern:
        return _Kind("the sha256 of a body: 64 hex digits", str(pattern).removeprefix("^").removesuffix("$"))
    return _Kind(f"at most {longest} characters", longest=longest) if longest else None


def faults_of(tables: Iterable[Table]) -> list[Fault]:
    """Every fault of every table, table by table, in the order of lines."""
    return [fault for faults in faults_by_table(list(tables)) for fault in faults]


def faults_by_table(tables: Sequence[Table]) -> list[list[Fault]]:
    """The faults of each table, in the order of `tables`.

    Tables of one kind with the same columns are checked as one frame, since a Pandera pass costs as much
    for one task as for a hundred.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for position, table in enumerate(tables):
        groups.setdefault((table.name, tuple(sorted(table.columns))), []).append(position)
    found: list[list[Fault]] = [[] for _ in tables]
    for (name, _), positions in sorted(groups.items()):
        frame = frame_of([tables[position] for position in positions], positions)
        try:
            schema_of(name).validate(frame, lazy=True)
        except SchemaErrors as error:
            for position, fault in _faults(error, frame, name, tables, positions):
                found[position].append(fault)
    for faults in found:
        faults.sort(key=lambda fault: (fault.place.line or 0, fault.place.column, fault.kind))
    return found


def _faults(
    error: SchemaErrors, frame: pl.DataFrame, name: str, tables: Sequence[Table], positions: Sequence[int]
) -> Iterable[tuple[int, Fault]]:
    """Each fault with the position of its table."""
    model = ALL_TABLES[name]
    kinds = column_kinds(name)
    for case in error.failure_cases.iter_rows(named=True):
        if str(case["check"]) == "column_in_dataframe":
            column = str(case["failure_case"])
            for position in positions:
                yield (
                    position,
                    Fault(
                        "missing",
                        Place(tables[position].file, 1, column),
                        "no such column",
                        f"the column `{column}`",
                        f"add it to the head: {model.model_fields[column].description}",
                    ),
                )
    for column, index in sorted(_bad_rows(error)):
        row = frame.row(index, named=True)
        position = row[TABLE]
        place = Place(
            tables[position].file,
            row[LINE],
            column or model.key[-1],
            "/".join(row[key] for key in model.key if row.get(key)),
        )
        if column:
            yield position, _unreadable(place, row[column], kinds[column])
        else:
            yield (
                position,
                Fault(
                    "twice",
                    place,
                    place.record,
                    "a name that no other line has",
                    "give one of them another name or remove it",
                ),
            )


def _bad_rows(error: SchemaErrors) -> set[tuple[str, int]]:
    """Column and row of each failing field; the column is empty for a key that stands twice."""
    found: set[tuple[str, int]] = set()
    for case in error.failure_cases.iter_rows(named=True):
        if case["index"] is not None:
            found.add(("" if str(case["check"]) == "key" else str(case["column"]), int(case["index"])))
    return found


def _unreadable(place: Place, text: str, kind: _Kind) -> Fault:
    if kind.longest == _MAX_ID and looks_like_spreadsheet_date(text):
        return Fault(
            "unreadable",
            place,
            text,
            kind.says,
            "a spreadsheet has turned this id into a date: format the column as text and type it again",
        )
    if not kind.pattern and kind.longest:
        return Fault(
            "unreadable", place, f"{len(text)} characters", kind.says, "shorten it to the words around the figure"
        )
    return Fault("unreadable", place, text or "nothing", kind.says, "")


def _check(kind: _Kind) -> pa.Check:
    return pa.Check(lambda data: data.lazyframe.select(kind.holds(data.key)), name="text", error=kind.says)


def _first_of_key(key: tuple[str, ...]) -> Any:
    """True for the first row of each key within its table; rows without a key's columns are not judged."""

    def check(data: Any) -> pl.LazyFrame:
        frame: pl.LazyFrame = data.lazyframe
        present = [column for column in key if column in frame.collect_schema().names()]
        if len(present) < len(key):
            return frame.select(pl.lit(True).repeat_by(pl.len()).explode().alias("key"))
        return frame.select(pl.struct([TABLE, *key]).is_first_distinct().alias("key"))

    return check


def _choices(hint: Any) -> _Kind | None:
    """The words that a column with a fixed choice may hold; nothing is one of them where the choice is optional."""
    words: set[str] = set()
    optional = False
    pending = [hint]
    while pending:
        part = pending.pop()
        if get_origin(part) is Literal:
            words.update(str(word) for word in get_args(part))
        elif part is type(None):
            optional = True
        else:
            pending += get_args(part)
    if not words:
        return None
    says = f"one of {', '.join(sorted(words))}" + (", or nothing" if optional else "")
    return _Kind(says, choices=(*([""] if optional else []), *sorted(words)))

"""The Pandera models: they say the same as the records' models, and tell everything at once."""

from __future__ import annotations

import pandera.polars as pa
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cellwright.records.repository_rows import ALL_TABLES
from cellwright.records.tables import Table, read_table, records_of
from cellwright.validators.schemas import column_kinds, faults_by_table, faults_of, frame_of, schema_of

FIELDS = [
    "",
    "a",
    "A",
    "a.b",
    "a-b",
    "a.2023",
    "*",
    "1-Mar",
    "0",
    "-1.50",
    "1,5",
    "1.",
    ".5",
    "+1",
    "1e3",
    "2024-02-30",
    "2024-02-29",
    "2024-2-9",
    "24-02-01",
    "6",
    "18",
    "19",
    "-18",
    "06",
    "thousand",
    "Billions",
    "dozens",
    "1000000",
    "999999",
    "primary",
    "Primary",
    "T1",
    "T5",
    "shown",
    "precise",
    "consistent",
    "restated",
    "paywalled",
    "x" * 121,
    "x" * 301,
    "0" * 64,
    "f" * 63,
    "9" * 101,
    " a ",
    "live",
]


def _table(name: str, row: dict[str, str]) -> Table:
    columns = ALL_TABLES[name].columns()
    return Table(name, f"{name}.csv", columns, ({column: row.get(column, "") for column in columns},), (2,))


def _valid(name: str) -> dict[str, str]:
    words = {"id": "a", "entity": "a", "dimension": "a", "name": "a", "source": "a", "task": "a", "run": "r"}
    return {column: words.get(column, "") for column in ALL_TABLES[name].columns()}


@pytest.mark.parametrize("name", sorted(ALL_TABLES))
def test_a_schema_has_every_column_of_its_record(name: str) -> None:
    assert tuple(schema_of(name).columns) == ALL_TABLES[name].columns()


@pytest.mark.parametrize("name", sorted(ALL_TABLES))
def test_every_column_is_judged_as_the_record_judges_it(name: str) -> None:
    kinds = column_kinds(name)
    tables = [_table(name, {**_valid(name), column: text}) for column in kinds for text in FIELDS]
    places = [(column, text) for column in kinds for text in FIELDS]
    model = ALL_TABLES[name]
    for (column, text), table, faults in zip(places, tables, faults_by_table(tables), strict=True):
        by_schema = {fault.place.column for fault in faults}
        by_record = {problem.place.column for problem in records_of(table, model).problems}
        assert (column in by_schema) == (column in by_record), (column, text, by_schema, by_record)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet="aZ09.,-+*_ée/()", max_size=8), min_size=1, max_size=20))
def test_no_number_is_read_by_the_one_and_refused_by_the_other(texts: list[str]) -> None:
    tables = [_table("facts", {**_valid("facts"), "value": text, "scale": text}) for text in texts]
    for table, faults in zip(tables, faults_by_table(tables), strict=True):
        by_record = {problem.place.column for problem in records_of(table, ALL_TABLES["facts"]).problems}
        assert {fault.place.column for fault in faults} == by_record, table.rows


def test_a_missing_column_bad_values_and_a_repeated_key_are_all_told_at_once() -> None:
    data = b"entity,dimension,stated_value\na,b,1\na,b,1,5\n"
    table = read_table(data.replace(b"1,5", b"1.5.0").replace(b"dimension", b"x_dimension"), "cells", "cells.csv")
    told = {(fault.kind, fault.place.line, fault.place.column) for fault in faults_of([table])}
    assert told == {("missing", 1, "dimension"), ("unreadable", 3, "stated_value")}
    twice = read_table(b"entity,dimension,stated_value\na,b,1\na,b,1.5.0\n", "cells", "cells.csv")
    told = {(fault.kind, fault.place.line, fault.place.column) for fault in faults_of([twice])}
    assert told == {("twice", 3, "dimension"), ("unreadable", 3, "stated_value")}


def test_the_same_key_in_two_tables_is_no_repetition() -> None:
    tables = [_table("cells", _valid("cells")), _table("cells", _valid("cells"))]
    assert faults_by_table(tables) == [[], []]


def test_tables_checked_together_get_the_faults_that_each_gets_alone() -> None:
    good, bad = _valid("facts"), {**_valid("facts"), "value": "1,5", "rank": "first"}
    tables = [_table("facts", row) for row in (good, bad, good, bad)]
    assert faults_by_table(tables) == [faults_of([table]) for table in tables]


def test_an_empty_table_has_no_faults() -> None:
    assert faults_of([Table("facts", "facts.csv", ALL_TABLES["facts"].columns(), (), ())]) == []


def test_frames_are_validated_eagerly_since_a_lazy_frame_hides_bad_values() -> None:
    frame = frame_of([_table("facts", {**_valid("facts"), "value": "1,5"})])
    schema_of("facts").validate(frame.lazy(), lazy=True)
    with pytest.raises(pa.errors.SchemaErrors):
        schema_of("facts").validate(frame, lazy=True)
    assert isinstance(frame, pl.DataFrame)

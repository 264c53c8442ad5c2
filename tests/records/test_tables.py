"""CSV tables as people leave them."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.errors import UnreadableInput
from cellwright.records.repository_rows import ALL_TABLES
from cellwright.records.rows import Fact, Source
from cellwright.records.tables import fact_id, read_records, read_table, records_of, updated_table, write_table

HEAD = "entity,name,source,as_written,period,rank\n"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("prefix", [b"", b"\xef\xbb\xbf"])
def test_comma_semicolon_and_tab_with_or_without_bom_give_the_same_rows(separator: str, prefix: bytes) -> None:
    text = HEAD.replace(",", separator) + separator.join(["byd", "revenue", "ar-2023", '"602,3"', "FY2023", "primary"])
    fact = read_records(prefix + text.encode(), Fact, "facts.csv").rows[0]
    assert (fact.entity, fact.as_written, fact.id, fact.line) == ("byd", "602,3", "byd.revenue.fy2023", 2)


def test_cp1252_is_read_and_told_in_a_warning() -> None:
    table = read_table(
        (HEAD + "byd,revenue,ar,1,FY2023,primary\n").replace("byd", "b").encode()
        + b"b,rev,ar,2,FY2023,primary\n"
        + "b,x,ar,«3»,FY2023,trap\n".encode("cp1252"),
        "facts",
        "facts.csv",
    )
    assert table.rows[2]["as_written"] == "«3»"
    assert "cp1252" in table.warnings[0].sentence()
    assert table.warnings[0].place.line == 4


def test_a_column_of_ones_own_is_kept_and_an_unknown_one_refused_by_name() -> None:
    own = b"id,url,title,publisher,published,accessed,x_note\ns,u,t,p,2024-01-01,2024-01-02,mine\n"
    assert read_table(own, "sources", "sources.csv").rows[0]["x_note"] == "mine"
    with pytest.raises(UnreadableInput, match=r"sources\.csv:1 \(`publishr`\).*did you mean `publisher`"):
        read_table(own.replace(b"publisher", b"publishr"), "sources", "sources.csv")


BAD = {
    "empty": (b"", "is empty"),
    "blank": (b"  \n\n", "is empty"),
    "a byte order mark alone": (b"\xef\xbb\xbf\n", "is empty"),
    "UTF-16": ((HEAD + "a,b,c,1,FY,primary\n").encode("utf-16"), "UTF-16"),
    "repeated column": (b"entity,entity,name\n", "stands twice"),
    "1,234 makes two numbers": ((HEAD + "byd,revenue,ar,1,234,FY2023,primary\n").encode(), "more fields than the head"),
    "open quote": ((HEAD + 'byd,"revenue,ar,1,FY2023,primary\n').encode(), "not CSV"),
    "NUL": ((HEAD + "byd,rev\x00,ar,1,FY2023,primary\n").encode(), "binary"),
    "control character": ((HEAD + "byd,rev\x07,ar,1,FY2023,primary\n").encode(), "control character"),
    "no separator": (b"this is a letter\n", "no separator"),
    "a field of a megabyte": (
        (HEAD + "byd," + "x" * 1_000_000 + ",ar,1,FY2023,primary\n").encode(),
        "too long|not CSV",
    ),
}


@pytest.mark.parametrize("name", sorted(BAD))
def test_a_file_that_is_no_table_ends_in_one_sentence(name: str) -> None:
    data, words = BAD[name]
    with pytest.raises(UnreadableInput, match=words) as raised:
        read_table(data, "facts", "facts.csv")
    assert "facts.csv" in str(raised.value)
    assert len(raised.value.problems[0].sentence()) < 500


FIELDS = {
    "id turned into a date": ("id", "1-Mar", "a spreadsheet has turned this id into a date"),
    "id with capitals": ("id", "Byd.Revenue", "small letters"),
    "rank": ("rank", "main", "primary"),
    "value with grouping": ("value", "1,234", "plain number"),
    "value in exponent form": ("value", "1e9", "plain number"),
    "value not a number": ("value", "NaN", "plain number"),
    "scale": ("scale", "lots", "power of ten"),
    "scale out of bounds": ("scale", "99", "18"),
    "page": ("page", "0", "whole number"),
    "sign": ("sign", "minus", "reversed"),
    "quote too long": ("quote", "q" * 301, "300"),
}


@pytest.mark.parametrize("name", sorted(FIELDS))
def test_a_field_that_cannot_be_read_is_told_with_line_column_seen_and_expected(name: str) -> None:
    column, text, words = FIELDS[name]
    good = {
        "id": "byd.revenue",
        "entity": "byd",
        "name": "revenue",
        "source": "ar",
        "as_written": "1",
        "period": "FY2023",
        "rank": "primary",
    }
    table = read_table(
        write_table([good, {**good, "id": "byd.other", column: text}], Fact.columns()), "facts", "facts.csv"
    )
    records = records_of(table, Fact)
    assert len(records.rows) == 1
    sentence = records.problems[0].sentence()
    assert words in sentence
    assert "facts.csv:3" in sentence
    assert f"`{column}`" in sentence


def test_a_repeated_id_is_told_with_both_lines() -> None:
    row = {"id": "a", "url": "u", "title": "t", "publisher": "p", "published": "2024-01-01", "accessed": ""}
    with pytest.raises(UnreadableInput, match=r"sources\.csv:3.*stands twice.*first on line 2"):
        read_records(write_table([row, row], Source.columns()), Source, "sources.csv")


def test_a_missing_column_and_a_bad_value_are_both_told() -> None:
    data = b"id,url,title,publisher,published\ns,u,t,p,yesterday\n"
    told = " ".join(problem.sentence() for problem in records_of(read_table(data, "sources", "f"), Source).problems)
    assert "`accessed` is missing" in told
    assert "YYYY-MM-DD" in told


@pytest.mark.parametrize(("text", "power"), [("6", 6), ("-2", -2), ("Million", 6), ("thousands", 3), ("trillion", 12)])
def test_scale_is_a_power_of_ten_or_a_word_and_written_back_as_the_power(text: str, power: int) -> None:
    row = Fact(id="a", entity="b", name="c", source="d", scale=text)  # type: ignore[arg-type]
    assert row.scale == power
    assert row.texts()["scale"] == str(power)


def test_a_changed_field_leaves_every_other_byte_of_the_row_as_it_was() -> None:
    data = b"entity;name;source;as_written;period;rank;x_mine\nbyd;revenue;ar;602;FY2023;primary;keep\n"
    table = read_table(data, "facts", "facts.csv")
    rows = list(csv.DictReader(io.StringIO(updated_table(table, {2: {"value": "602000000000"}}).decode())))
    assert rows == [
        {
            "entity": "byd",
            "name": "revenue",
            "source": "ar",
            "as_written": "602",
            "period": "FY2023",
            "rank": "primary",
            "value": "602000000000",
            "x_mine": "keep",
        }
    ]


def test_a_fact_without_an_id_is_named_after_entity_name_and_period() -> None:
    assert (
        fact_id({"entity": "byd", "name": "revenue", "period": "2023-01-01/2023-12-31"})
        == "byd.revenue.2023_01_01_2023_12_31"
    )
    assert (
        fact_id({"entity": "*", "name": "fx", "period": "FY2023", "rank": "witness", "source": "ecb-1"})
        == "all.fx.fy2023.ecb_1"
    )


TEXT = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=40)


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(("entity", "dimension", "query", "note"), TEXT)), max_size=6))
def test_writing_and_reading_a_table_gives_it_back(rows: list[dict[str, str]]) -> None:
    kept = [row for row in rows if any(value.strip() for value in row.values())]
    data = write_table(kept, ("entity", "dimension", "query", "note"))
    assert list(read_table(data, "searches", "f").rows) == kept


def test_every_column_is_described() -> None:
    for model in ALL_TABLES.values():
        for name in model.columns():
            assert model.model_fields[name].description, f"{model.table}.{name}"

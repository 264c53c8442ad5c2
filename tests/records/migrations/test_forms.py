"""A table in any form that is read says the same in the form that is written, and is then left as it is."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.errors import UnreadableInput
from cellwright.records.fields import SCALE_WORDS
from cellwright.records.migrations import canonical_table, canonical_yaml
from cellwright.records.repository_rows import ALL_TABLES
from cellwright.records.rows import Fact
from cellwright.records.tables import read_records, read_table, write_table

HEAD = "id,entity,name,source,as_written,period,rank,value,scale,unit"
ROW = "a.x.y,a,x,s,12,FY2023,primary,12000000,{},EUR"
CLEAN = f"{HEAD}\n{ROW.format(6)}\n".encode()
FORMS = [
    (f"{HEAD}\n{ROW.format('million')}\n".encode(), "1 scale as powers of ten"),
    (f"{HEAD}\n{ROW.format(' Millions ')}\n".encode(), "1 scale as powers of ten"),
    (b"\xef\xbb\xbf" + CLEAN, "no byte order mark"),
    (CLEAN.replace(b",", b";"), "commas instead of semicolons"),
    (CLEAN.replace(b",", b"\t"), "commas instead of tabs"),
    (CLEAN.replace(b"\n", b"\r\n"), "plain line ends"),
    (CLEAN.replace(b"12,FY", b'"12",FY') + b"\n\n", "quotes and empty lines as the tool writes them"),
]


@pytest.mark.parametrize(("data", "why"), FORMS, ids=[f"{why} {number}" for number, (_, why) in enumerate(FORMS)])
def test_each_form_becomes_the_one_that_is_written(data: bytes, why: str) -> None:
    assert canonical_table(data, "facts", "facts.csv") == (CLEAN, (why,))


def test_all_forms_at_once_are_told_each() -> None:
    text = f"{HEAD},note\n{ROW.format('billion')},Société\n".replace(",", ";").replace("\n", "\r\n")
    new, why = canonical_table(text.encode("cp1252"), "facts", "facts.csv")
    assert new.decode("utf-8") == f"{HEAD},note\n{ROW.format(9)},Société\n"
    assert why == (
        "UTF-8 instead of cp1252", "commas instead of semicolons", "plain line ends", "1 scale as powers of ten",
    )  # fmt: skip


def test_what_is_in_the_form_is_left_to_the_byte() -> None:
    assert canonical_table(CLEAN, "facts", "facts.csv") == (CLEAN, ())


@pytest.mark.parametrize("word", sorted(SCALE_WORDS))
def test_a_scale_s_word_and_its_power_are_read_as_the_same(word: str) -> None:
    data = f"{HEAD}\n{ROW.format(word)}\n".encode()
    new, _ = canonical_table(data, "facts", "facts.csv")
    scales = {read_records(form, Fact, "f").rows[0].scale for form in (data, new)}
    assert scales == {SCALE_WORDS[word]}


def test_a_scale_that_is_no_word_is_left_for_the_audit_to_tell() -> None:
    data = f"{HEAD}\n{ROW.format('many')}\n".encode()
    assert canonical_table(data, "facts", "facts.csv") == (data, ())


def test_own_columns_and_the_file_s_order_stay() -> None:
    data = b'x_mine;period;id;entity;name;source\n"1;2";FY2023;a.x;a;x;s\n'
    assert canonical_table(data, "facts", "f")[0] == b"x_mine,period,id,entity,name,source\n1;2,FY2023,a.x,a,x,s\n"


def test_optional_columns_of_a_task_s_table_may_go_on_lacking() -> None:
    data = b"id,url,title,publisher,published,accessed\n"
    assert canonical_table(data, "sources", "s") == (data, ())


@pytest.mark.parametrize(
    ("table", "old", "new", "why"),
    [
        (
            "captures",
            b"task,source,sha256,url,x_by\nt,s,,https://a.org,ana\n",
            b"task,source,sha256,url,final_url,fetched,status,via,text_sha256,superseded_by,x_by\n"
            b"t,s,,https://a.org,,,,,,,ana\n",
            "the columns final_url, fetched, status, via, text_sha256, superseded_by",
        ),
        (
            "registry",
            b"publisher,domain,owner,note\nA,a.org,A,why\n",
            b"publisher,domain,owner,default_tier,note\nA,a.org,A,,why\n",
            "the column default_tier",
        ),
    ],
)
def test_a_table_of_the_repository_gets_the_columns_that_it_lacks(table: str, old: bytes, new: bytes, why: str) -> None:
    assert canonical_table(old, table, "t") == (new, (why,))


def test_a_table_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(UnreadableInput, match="unknown"):
        canonical_table(b"id,colour\nx,red\n", "facts", "facts.csv")


def test_yaml_loses_its_mark_and_carriage_returns_and_keeps_its_comments() -> None:
    text = "schema: 1 # why\n# more\nid: é\n".encode()
    assert canonical_yaml(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")) == (
        text,
        ("no byte order mark", "plain line ends"),
    )
    assert canonical_yaml(text) == (text, ())


@st.composite
def written_somehow(draw: st.DrawFn) -> tuple[str, list[dict[str, str]], bytes]:
    """A table's name, its rows as text, and a file of them as some program may have written it."""
    name = draw(st.sampled_from(sorted(set(ALL_TABLES) - {"captures", "registry", "advisories"})))
    columns = [*ALL_TABLES[name].columns(), "x_own"]
    alphabet = st.characters(codec="cp1252", exclude_categories=["Cc", "Cs", "Zl", "Zp"])
    words = st.text(alphabet, max_size=12)
    rows = draw(st.lists(st.fixed_dictionaries(dict.fromkeys(columns, words)), max_size=5))
    out = io.StringIO()
    quoting = draw(st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]))
    ends = draw(st.sampled_from(["\n", "\r\n"]))
    writer = csv.DictWriter(out, columns, delimiter=draw(st.sampled_from(",;\t")), lineterminator=ends, quoting=quoting)
    writer.writeheader()
    writer.writerows(rows)
    return name, rows, out.getvalue().encode(draw(st.sampled_from(["utf-8", "utf-8-sig", "cp1252"])))


def _powers(row: dict[str, str]) -> dict[str, str]:
    return {**row, "scale": str(SCALE_WORDS.get(row["scale"].strip().lower(), row["scale"]))}


@given(written_somehow())
def test_whatever_wrote_a_table_it_says_the_same_and_is_left_alone_the_second_time(
    made: tuple[str, list[dict[str, str]], bytes],
) -> None:
    name, _, data = made
    before = read_table(data, name, "t")
    new, _ = canonical_table(data, name, "t")
    after = read_table(new, name, "t")
    assert after.columns == before.columns
    assert [_powers(row) if name == "facts" else row for row in before.rows] == list(after.rows)
    assert canonical_table(new, name, "t") == (new, ())
    assert new == write_table(after.rows, after.columns)

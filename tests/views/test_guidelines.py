"""The guidelines name every file, column, key, label and function there is, and their figures are right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel

from cellwright.records import fields, task
from cellwright.records.decimals import CONTEXT
from cellwright.records.derivations import parse
from cellwright.records.derivations._parse import FUNCTIONS
from cellwright.records.findings import Condition
from cellwright.records.repository_rows import ALL_TABLES
from cellwright.records.scoring import Answer, Reference, grade, parse_rule
from cellwright.views import numbers

PAGES = (
    "README",
    "starting-a-repository",
    "writing-a-task",
    "tiers",
    "labels",
    "answer-types",
    "derivations",
    "scoring",
    "sources-and-quotes",
    "numbers",
    "capturing",
    "drift",
    "columns",
    "auditing-again",
    "contributing-a-task",
    "contribution-checks",
    "sealing",
    "publishing",
    "keeping-data",
)
HEADINGS = {
    task.Task: "At the top",
    task.Entity: "Under `entities`",
    task.Assumption: "Under `assumptions`",
    task.Dimension: "Under `dimensions`",
    task.Step: "Under `steps`",
    task.NearMiss: "Under `near_misses`",
    task.Check: "Under `checks`",
    task.Scoring: "Under `scoring`",
    task.Override: "Under `overrides`, for one entity",
}


def page(root: Path, name: str) -> str:
    return (root / "guidelines" / f"{name}.md").read_text(encoding="utf-8")


def first_column(root: Path, heading: str) -> list[str]:
    """What stands in the first column of the table under a heading of columns.md."""
    text = page(root, "columns")
    part = re.split(r"^#+ ", text.partition(f"# {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    return re.findall(r"^\| `([^`]+)` \|", part, re.MULTILINE)


def heading_of(table: str) -> str:
    places = {
        "captures": "`sources/captures.csv`",
        "registry": "`sources/registry.csv`",
        "index": "`index.csv` of a mirror",
        "advisories": "`releases/advisories.csv`",
    }
    return places.get(table, f"`tasks/<task>/{table}.csv`")


@pytest.mark.parametrize("table", sorted(ALL_TABLES))
def test_every_column_of_a_table_is_described_in_its_order(table: str, root: Path) -> None:
    assert first_column(root, heading_of(table)) == list(ALL_TABLES[table].columns())


@pytest.mark.parametrize("table", sorted(ALL_TABLES))
def test_the_columns_that_people_type_are_marked(table: str, root: Path) -> None:
    text = page(root, "columns").partition(f"# {heading_of(table)}\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `([^`]+)` \| \*\*you\*\*", text, re.MULTILINE)) == set(ALL_TABLES[table].typed)


@pytest.mark.parametrize("model", sorted(HEADINGS, key=lambda model: model.__name__))
def test_every_key_of_the_task_file_is_described_in_its_order(model: type[BaseModel], root: Path) -> None:
    keys = [info.alias or name for name, info in model.model_fields.items()]
    assert first_column(root, HEADINGS[model]) == keys


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("labels", get_args(fields.Agreement)),
        ("labels", get_args(fields.DivergenceReason)),
        ("answer-types", get_args(fields.AnswerType)),
        ("answer-types", get_args(fields.AbsenceReason)),
        ("tiers", get_args(fields.Tier)),
        ("sources-and-quotes", get_args(fields.Rank)),
        ("derivations", FUNCTIONS),
        ("writing-a-task", get_args(task.Family)),
        ("writing-a-task", tuple(Condition)),
        ("scoring", tuple(task.Scoring.model_fields)[:5]),
    ],
)
def test_every_word_of_a_list_is_on_its_page(name: str, codes: tuple[str, ...], root: Path) -> None:
    text = page(root, name)
    assert [code for code in codes if not re.search(rf"\b{re.escape(code)}\b", text)] == []


@pytest.mark.parametrize("name", PAGES)
def test_links_between_the_pages_lead_somewhere(name: str, root: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page(root, name)):
        assert target == "rules/" or (root / "guidelines" / target).is_file(), target


@pytest.mark.parametrize("name", PAGES[1:])
def test_the_index_leads_to_every_page(name: str, root: Path) -> None:
    assert f"({name}.md)" in page(root, "README")


def expressions(root: Path) -> Iterator[str]:
    for name in PAGES:
        for quoted, plain in re.findall(r'expr: (?:"([^"]+)"|([^,}\n]+))', page(root, name)):
            yield quoted or plain.strip()


def test_every_expression_shown_can_be_read(root: Path) -> None:
    shown = list(expressions(root))
    assert len(shown) > 8
    for text in shown:
        parse(text)


def test_the_worked_example_is_right(root: Path) -> None:
    revenue, total = Decimal(602_000_000_000), Decimal(777_000_000_000)
    margin, vehicles = Decimal("20.2"), Decimal(4_270_000)
    profit = CONTEXT.divide(CONTEXT.multiply(revenue, margin), Decimal(100))
    answer = CONTEXT.divide(profit, vehicles)
    miss = CONTEXT.divide(CONTEXT.divide(CONTEXT.multiply(total, margin), Decimal(100)), vehicles)
    text = page(root, "derivations")
    for told in (
        f"{numbers.grouped(profit)} CNY",
        f"CNY {numbers.number(answer)} per vehicle",
        numbers.number(miss),
        numbers.distance(miss, answer),
    ):
        assert told in text


@pytest.mark.parametrize(
    ("said", "sound", "earns"),
    [
        ("28500", True, "1"),
        ("30500", True, "0.5"),
        ("28500", False, "0.5"),
        ("36757", True, "0.25"),
        ("20000 to 35000", True, "0.25"),
        ("3.6", True, "0"),
        ("-28479", True, "0"),
    ],
)
def test_the_examples_of_one_number_earn_what_the_page_says(said: str, sound: bool, earns: str) -> None:
    unit = "CNY/vehicle"
    rule = parse_rule(task.Scoring(full="2%", derivation="required"), answer_type="precise", unit=unit, steps=())
    low, _, high = said.partition(" to ")
    answer = (
        Answer("range", None, Decimal(low), Decimal(high), unit) if high else Answer("precise", Decimal(low), unit=unit)
    )
    reference = Reference("precise", unit, Decimal("28478.69"))
    assert grade(rule, reference, answer, sound).score == Decimal(earns)


@pytest.mark.parametrize(
    ("said", "method", "earns"),
    [
        ("9.3 10.0", "told", "1"),
        ("9.3 10.0", "", "0.5"),
        ("9.5", "", "0.5"),
        ("8.5 10.5", "told", "0.25"),
        ("5 15", "told", "0"),
    ],
)
def test_the_examples_of_a_range_earn_what_the_page_says(said: str, method: str, earns: str) -> None:
    rule = parse_rule(task.Scoring(), answer_type="range", unit="percent", steps=())
    low, _, high = said.partition(" ")
    answer = (
        Answer("range", None, Decimal(low), Decimal(high), "percent", method=method)
        if high
        else Answer("precise", Decimal(low), unit="percent")
    )
    reference = Reference("range", "percent", None, Decimal("9.2"), Decimal("9.9"))
    assert grade(rule, reference, answer).score == Decimal(earns)


def test_the_picture_of_the_flow_names_its_six_steps_and_asks_nothing_of_the_network(root: Path) -> None:
    text = (root / "docs" / "flow.svg").read_text(encoding="utf-8")
    assert re.findall(r'class="name"[^>]*>([^<]+)<', text) == ["author", "capture", "audit", "release", "run", "grade"]
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
    assert "prefers-color-scheme: dark" in text

"""Leaks planted into the open files of a sealed bundle, each of them told; and what is no leak, left alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.bundle import Rows
from cellwright.records.prompt import task_prompt
from cellwright.validators.leak_numbers import OpenNumbers, numbers_in
from cellwright.validators.leak_texts import address
from cellwright.validators.leaks import MOST_TOLD, OpenBundle, leaks
from tests.harness.conftest import TASK, make_tables

QUOTE = "Revenues from vehicle sales were RMB 49,257 million, an increase of 8.2 percent"
URL = "https://www.reports.example.org/nio/annual%20report-2023.pdf?page=2#p7"
MANIFEST: dict[str, Any] = {
    "name": "small",
    "version": "1.12345.0",
    "tool": "cellwright 0.1.0",
    "canary": "canary-5f0c9d3e-160038",
    "cells": {"digest": "49257" + "0" * 59},
    "advisories": [],
}


def sealed_tables() -> dict[str, Rows]:
    """The small bundle's tables, with a quote, an address, a correction and a question that holds numbers."""
    tables = make_tables()
    for row in tables["facts"]:
        if row["fact"] == "nio.auto_revenue":
            row.update(quote=QUOTE, prefix="In the fiscal year of 2023, ", suffix=" over the year before")
    tables["sources"] = [
        {**dict.fromkeys(tables["sources"][0] if tables["sources"] else ("task", "source", "url"), ""),
         "task": TASK, "source": "nio-report", "url": URL}
    ]  # fmt: skip
    tables["changes"] = [
        {"task": TASK, "correction": "c1", "entity": "nio", "dimension": "battery_cost", "fact": "", "old": "654.25",
         "new": "6.17", "code": "scale", "released_in": "1.0.0"}
    ]  # fmt: skip
    for row in tables["cells"]:
        if (row["entity"], row["dimension"]) == ("nio", "gross_profit_per_vehicle"):
            row["inputs"] = '["nio.auto_gross_margin","nio.auto_revenue","nio.vehicles_delivered"]'
    tables["tasks"][0]["question"] = "What does a vehicle earn where 777,000 of them are sold at 12 345.5 each?"
    return tables


def shown(tables: dict[str, Rows], manifest: dict[str, Any] | None = None, **lines: str) -> OpenBundle:
    """The open files of the bundle; `lines` are planted behind those of a file, by the name's first word."""
    said = manifest or MANIFEST
    texts = {
        "README.md": ["# small 1.12345.0", "A benchmark of 10 cells."],
        "CHANGELOG.md": ["# Changelog"],
        "bundle.json": [f' "cells": "{said["cells"]["digest"]}",', f' "canary": "{said["canary"]}"'],
        f"prompts/{TASK}.md": task_prompt(tables, TASK, canary=said["canary"]).splitlines(),
        "entities.parquet": ["ev-makers-2023\tbyd\tBYD Company"],
    }
    for name, text in lines.items():
        file = next(each for each in texts if each.startswith(name))
        texts[file] = [*texts[file], *text.split("\n")]
    return OpenBundle(texts, {"entities.parquet": ["task", "entity", "name"]}, said)


def test_open_files_that_tell_nothing_are_left_alone() -> None:
    tables = sealed_tables()
    assert leaks(shown(tables), tables) == []


PLANTED = {
    "a fact as written": ("README", "NIO made 49,257 of it.", "a number of the fact `nio.auto_revenue`"),
    "in another country's marks": ("README", "NIO made 49.257.", "the fact `nio.auto_revenue`"),
    "with blanks between": ("README", "NIO made 49 257.", "the fact `nio.auto_revenue`"),
    "with no marks": ("README", "NIO made RMB49257m.", "the fact `nio.auto_revenue`"),
    "written out": ("README", "NIO made 49257000000.", "the fact `nio.auto_revenue`"),
    "scaled": ("README", "NIO made 49.257 billion.", "the fact `nio.auto_revenue`"),
    "negative": ("README", "NIO lost (49,257).", "the fact `nio.auto_revenue`"),
    "in other digits": ("README", "NIO made ٤٩٬٢٥٧.", "the fact `nio.auto_revenue`"),
    "full-width digits": ("README", "NIO made ４９２５７.", "the fact `nio.auto_revenue`"),
    "after a year": ("README", "In 2023 49,257.", "the fact `nio.auto_revenue`"),
    "a reference in full": ("README", "28478.688524590163934426229508197", "the reference"),
    "a reference rounded": ("README", "About 28,478.69 a vehicle.", "the reference"),
    "a reference cut": ("README", "About 28,478 a vehicle.", "the reference"),
    "a reference rounded up": ("README", "About 28,479 a vehicle.", "the reference"),
    "an end of an interval": ("CHANGELOG", "at least 4,265,000", "the reference"),
    "a step": ("prompts", "auto_gross_profit: 121604000000", "the step `auto_gross_profit`"),
    "a near miss": ("CHANGELOG", "not 36,757.377", "the near miss `total_for_segment`"),
    "a correction": ("CHANGELOG", "654.25 → 6.17", "the correction `c1`"),
    "a round value as it is written": ("README", "They sold 4,270,000.", "the fact `byd.vehicles_delivered`"),
    "a quote": ("README", QUOTE, "a passage of the quote of the fact `nio.auto_revenue`"),
    "a part of a quote": ("README", "Revenues from vehicle s", "a passage of the quote of the fact"),
    "a quote over two lines": ("README", "Revenues from\n  vehicle sales were", "a passage of the quote"),
    "a quote in capitals": ("CHANGELOG", "REVENUES FROM VEHICLE SALES", "a passage of the quote"),
    "a quote with escapes": ("bundle", "an \\u0069ncrease of 8.2 p\\u0065rcent", "a passage of the quote"),
    "what stands before it": ("README", "In the fiscal year of 2023", "a passage of the quote"),
    "an address": ("README", f"See {URL}.", "an address of the source `nio-report`"),
    "an address without its scheme": (
        "prompts",
        "reports.example.org/nio/annual%20report-2023.pdf?page=2",
        "an address",
    ),
    "an address with its escapes undone": (
        "README",
        "http://reports.example.org/nio/annual report-2023.pdf?page=2",
        "an address",
    ),
    "in a row of a table": ("entities", "ev-makers-2023\tnio\tNIO 49,257", "the fact `nio.auto_revenue`"),
}


@pytest.mark.parametrize("name", sorted(PLANTED))
def test_what_is_planted_is_told_by_file_line_and_cell_and_not_repeated(name: str) -> None:
    file, text, of = PLANTED[name]
    tables = sealed_tables()
    bundle = shown(tables, **{file: text})
    found = leaks(bundle, tables)
    assert any(of in problem.what for problem in found), found
    for problem in found:
        full = next(each for each in bundle.texts if each.startswith(file))
        assert (problem.place.file, problem.place.line) == (full, len(bundle.texts[full]) - text.count("\n"))
        assert problem.place.record.startswith(TASK)
        told = problem.sentence()
        assert not any(word in told for word in ("49,257", "49257", "28478", "28,47", "Revenues", "example.org", "654"))


def test_a_fact_is_told_with_a_cell_that_rests_on_it() -> None:
    tables = sealed_tables()
    found = leaks(shown(tables, README="49,257"), tables)
    assert {problem.place.record for problem in found} == {f"{TASK}/nio/gross_profit_per_vehicle"}


HARMLESS = {
    "a number of the question": "They sold 777,000, at 12 345.5 or 12,345.5 each.",
    "a round value in other digits": "4,300,000 and 427",
    "four digits": "4,925 and 9,257",
    "a longer number": "149,257 and 492,571 and 4925712",
    "a year and a day": "2023 and 2024-06-30",
    "a sum": "49257" + "a" * 59,
    "the version, the canary and the counts": "1.12345.0, canary-5f0c9d3e-160038, 10",
    "nineteen characters of a quote": "Revenues from vehic",
    "words of the question": "For each maker",
    "an address of somebody else": "https://reports.example.com/nio and example.org",
    "another page of the publisher": "https://reports.example.org/byd",
    "a short number": "9.5 percent of 602 and 20.2",
}


@pytest.mark.parametrize("name", sorted(HARMLESS))
def test_what_tells_nothing_is_left_alone(name: str) -> None:
    tables = sealed_tables()
    assert leaks(shown(tables, README=HARMLESS[name]), tables) == []


def test_a_value_that_an_assumption_gives_may_stand_openly() -> None:
    tables = sealed_tables()
    found = leaks(shown(tables, README="49,257"), tables)
    assert found
    tables["tasks"][0]["assumptions"] = '[{"id":"revenue","unit":"CNY","values":{"nio":"49257"}}]'
    assert leaks(shown(tables, README="49,257"), tables) == []


def test_a_quote_whose_words_the_question_has_is_told_by_what_follows_them() -> None:
    """The case that cutting every question out of the open text once let through: the figure alone is too short."""
    tables = sealed_tables()
    tables["dimensions"][0]["ask"] = "Diluted earnings per share"
    tables["facts"][0]["quote"] = "Diluted earnings per share 6.11 USD per share"
    assert leaks(shown(tables), tables) == []
    found = leaks(shown(tables, README="Diluted earnings per share 6.11 USD"), tables)
    assert ["the quote of" in problem.what for problem in found] == [True]


def test_the_seam_of_two_questions_is_nobody_s_words() -> None:
    tables = sealed_tables()
    tables["dimensions"][0].update(name="Effective tax rate", ask="Provision for income tax as a percentage")
    tables["facts"][0]["quote"] = "income before provision for income taxes 113,736"
    assert leaks(shown(tables), tables) == []
    assert leaks(shown(tables, README="before provision for income"), tables) != []


def test_a_quote_that_begins_with_the_question_s_words_is_told_only_for_its_own() -> None:
    tables = sealed_tables()
    tables["dimensions"][0]["ask"] = "Revenues from vehicle sales were"
    assert leaks(shown(tables), tables) == []
    assert leaks(shown(tables, README=QUOTE), tables) != []


# -- files, columns, advisories


@pytest.mark.parametrize(
    "name", ["cases.jsonl", "audit.json", "cells.parquet", "prompts/other-task.md", "croissant.json"]
)
def test_a_file_that_may_not_be_open_is_told(name: str) -> None:
    tables, bundle = sealed_tables(), shown(sealed_tables())
    found = leaks(OpenBundle({**bundle.texts, name: []}, bundle.columns, MANIFEST), tables)
    assert [problem.sentence() for problem in found] == [f"{name}: the file is not one that a sealed bundle may show"]


def test_a_column_that_may_not_be_open_is_told() -> None:
    tables, bundle = sealed_tables(), shown(sealed_tables())
    columns = {"dimensions.parquet": ["task", "dimension", "ask", "answer_type"], "entities.parquet": ["currency"]}
    found = leaks(OpenBundle(bundle.texts, columns, MANIFEST), tables)
    assert [(problem.place.file, problem.place.column) for problem in found] == [
        ("dimensions.parquet", "answer_type"),
        ("entities.parquet", "currency"),
    ]


ADVISED = {
    "id": "A1",
    "kind": "corrected",
    "version": "1.1.0",
    "task": TASK,
    "entity": "nio",
    "dimension": "battery_cost",
}


BECAUSE = {
    "6.17 was meant": True,
    "654.25 was wrong": True,
    "617": True,
    "the scale was wrong": False,
    "since 2023": False,
    "17": False,
}


@pytest.mark.parametrize(("because", "told"), BECAUSE.items())
def test_an_advisory_about_a_cell_tells_none_of_its_numbers_however_short(because: str, told: bool) -> None:
    tables = sealed_tables()
    said = {**MANIFEST, "advisories": [{**ADVISED, "because": because}]}
    found = [problem for problem in leaks(shown(tables, said), tables) if "advisory" in problem.what]
    assert bool(found) is told
    assert all("6.17" not in problem.sentence() and "617" not in problem.sentence() for problem in found)


def test_an_advisory_s_words_are_searched_like_any_open_text() -> None:
    tables = sealed_tables()
    found = leaks(shown(tables, bundle='   "because": "NIO had 49,257"'), tables)
    assert [problem.place.file for problem in found] == ["bundle.json"]


# -- how


def test_many_leaks_are_told_up_to_a_number() -> None:
    tables = sealed_tables()
    tables["facts"] = [{**tables["facts"][0], "fact": f"f{at}", "as_written": "98,765"} for at in range(200)]
    assert len(leaks(shown(tables, README="98,765"), tables)) == MOST_TOLD


@given(st.integers(10_000, 10**12), st.sampled_from([",", ".", "'", " ", "\u202f", "_", ""]))
def test_a_number_is_found_however_its_digits_are_grouped(number: int, mark: str) -> None:
    text = f"{number:,}".replace(",", mark)
    assert str(number) in set(numbers_in(f"in 2023 {text} units"))
    open_numbers = OpenNumbers({"README.md": ["", f"x {text}"]}, ())
    assert open_numbers.spot_of(str(number)) == ("README.md", 2)


@given(st.text(max_size=300))
def test_any_text_can_be_searched(text: str) -> None:
    tables = sealed_tables()
    for problem in leaks(shown(tables, README=text), tables):
        assert problem.place.file == "README.md"


@pytest.mark.parametrize(
    "text", ["1 " * 200_000, "1" * 200_000, "a." * 200_000, "a" * 200_000, "\\" * 200_000, "0," * 200_000]
)
def test_a_text_made_to_keep_a_search_busy_is_searched_all_the_same(text: str) -> None:
    tables = sealed_tables()
    assert leaks(shown(tables, README=text), tables) == []


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("https://www.example.org/a/", "example.org/a"),
        ("http://example.org/A%20b?c=1#d", "example.org/a b?c=1"),
        ("example.org/a", "example.org/a"),
        ("", ""),
    ],
)
def test_an_address_is_compared_without_what_may_differ(url: str, wanted: str) -> None:
    assert address(url) == wanted

"""The dataset card, its head and its figures: complete for hubs, and nothing that a task says is more than text."""

from __future__ import annotations

import re

import pytest
import yaml

from cellwright.authoring.bundles.card import MAX_PUBLISHERS, card
from cellwright.authoring.bundles.card_head import front_matter
from cellwright.authoring.bundles.card_text import as_bibtex, as_markdown
from cellwright.authoring.bundles.cases import cases
from cellwright.authoring.bundles.citation import authors, citation
from cellwright.authoring.bundles.licences import hub_licences, licence_address
from cellwright.authoring.bundles.record_density import record_density
from cellwright.records.bundle import TABLE_COLUMNS, Rows, cells_digest

EVIL = 'CC\n---\nconfigs: "mine" | <b> [x](javascript:alert(1)) `y` ``` $z$'


def tables(**task: str) -> dict[str, Rows]:
    """One task, one cell, two sources, one of them used."""
    found: dict[str, Rows] = {name: [] for name in TABLE_COLUMNS}
    said = {"task": "t", "title": EVIL, "as_of": "2024-01-01", "licence": EVIL, "language": "en", "contributors": "[]"}
    found["tasks"] = [{**said, **task}]
    found["entities"] = [{"task": "t", "entity": "a", "name": "Acme"}]
    cell = dict.fromkeys(TABLE_COLUMNS["cells"], "")
    found["cells"] = [
        {**cell, "task": "t", "entity": "a", "dimension": "d", "family": "derivation", "sources": '["s"]'}
    ]
    found["sources"] = [
        {"task": "t", "source": "s", "url": "https://a.example", "publisher": "A", "tier": "T1"},
        {"task": "t", "source": "u", "url": "https://b.example", "publisher": "B", "tier": "T4"},
    ]
    found["steps"] = [{"task": "t", "entity": "a", "dimension": "d"}] * 3
    return found


def text(found: dict[str, Rows], *, canary: str = "c", demonstration: bool = False, url: str = "") -> str:
    return card("demo", "0.1.0", found, canary=canary, demonstration=demonstration, url=url)


def head(found: dict[str, Rows]) -> dict[str, object]:
    first, rest = text(found).split("\n---\n", 1)
    assert rest.startswith("\n# demo 0.1.0\n")
    read = yaml.safe_load(first.removeprefix("---\n"))
    assert isinstance(read, dict)
    return read


def test_density_counts_urls_publishers_steps_and_tiers() -> None:
    assert record_density(tables()) == {
        "urls_per_cell": "1.0",
        "publishers_per_cell": "1.0",
        "steps_per_derivation_cell": "3.0",
        "T1_percent": "50.0",
        "T2_percent": "0.0",
        "T3_percent": "0.0",
        "T4_percent": "50.0",
        "T3_or_T4_percent": "50.0",
    }


@pytest.mark.parametrize(
    "line",
    [
        "| URLs a cell | 1.0 | 3.2 |",
        "| publishers a cell | 1.0 | 2.4 |",
        "| steps a derivation cell | 3.0 | 2.8 |",
        "| sources of tier T1, % | 50.0 | 61 |",
        "| sources of tier T2, % | 0.0 | 24 |",
        "| sources of tier T3 or T4, % | 50.0 | 15 |",
    ],
)
def test_each_figure_of_density_stands_beside_the_published_one(line: str) -> None:
    assert line in text(tables())


def test_a_bundle_without_cells_has_no_density_and_still_a_card() -> None:
    empty: dict[str, Rows] = {name: [] for name in TABLE_COLUMNS}
    assert "| URLs a cell | 0.0 | 3.2 |" in text(empty)
    assert "Answer types: none. Agreement: none." in text(empty)
    assert "configs" not in head(empty)


def test_the_head_has_what_hubs_ask_for() -> None:
    read = head(tables(licence="CC-BY-4.0"))
    assert read["license"] == "cc-by-4.0"
    assert read["language"] == ["en"]
    assert read["pretty_name"] == "demo"
    assert read["size_categories"] == ["n<1K"]
    assert read["task_categories"] == ["question-answering", "table-question-answering"]
    assert "benchmark" in read["tags"]  # type: ignore[operator]


def test_a_table_is_a_configuration_where_it_has_rows_and_cells_are_the_default_one() -> None:
    configs = head(tables())["configs"]
    assert configs == [
        {"config_name": "tasks", "data_files": "tasks.parquet"},
        {"config_name": "entities", "data_files": "entities.parquet"},
        {"config_name": "cells", "data_files": "cells.parquet", "default": True},
        {"config_name": "sources", "data_files": "sources.parquet"},
        {"config_name": "steps", "data_files": "steps.parquet"},
    ]


def test_only_tables_that_stand_open_beside_the_card_are_configurations() -> None:
    read = yaml.safe_load("\n".join(front_matter("demo", tables(), ["entities"])[1:-2]))
    assert [config["config_name"] for config in read["configs"]] == ["entities"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], []),
        ([""], []),
        (["CC-BY-4.0"], ["cc-by-4.0"]),
        (["cc-by-4.0 ", "CC-BY-4.0"], ["cc-by-4.0"]),
        (["MIT", "CC0-1.0"], ["cc0-1.0", "mit"]),
        (["MIT", "all rights reserved"], ["other"]),
        ([EVIL], ["other"]),
    ],
)
def test_licences_are_told_by_the_ids_that_hubs_know_or_as_other(given: list[str], said: list[str]) -> None:
    assert hub_licences(given) == said


def test_a_licence_that_is_not_known_has_no_address() -> None:
    assert licence_address("cc-by-4.0") == "https://spdx.org/licenses/CC-BY-4.0.html"
    assert licence_address(EVIL) == ""


@pytest.mark.parametrize("language", ["de", "pt-BR", "cmn"])
def test_languages_are_told_by_their_code(language: str) -> None:
    assert head(tables(language=language))["language"] == [language.split("-")[0]]


@pytest.mark.parametrize("language", ["", "NO", "english language", "en\nlicense: mit"])
def test_a_language_that_is_no_code_is_left_out(language: str) -> None:
    assert "language" not in head(tables(language=language))


@pytest.mark.parametrize(
    ("cells", "size"),
    [(999, "n<1K"), (1000, "1K<n<10K"), (6400, "1K<n<10K"), (10_000, "10K<n<100K"), (100_000, "100K<n<1M")],
)
def test_the_size_is_that_of_the_cells(cells: int, size: str) -> None:
    found = tables()
    assert head({**found, "cells": found["cells"] * cells})["size_categories"] == [size]


def test_what_a_task_says_cannot_add_a_key_to_the_head() -> None:
    found = tables(language=EVIL)
    read = head(found)
    assert read["license"] == "other"
    assert set(read) <= {
        "pretty_name",
        "language",
        "license",
        "license_name",
        "task_categories",
        "size_categories",
        "tags",
        "configs",
    }


def test_what_a_task_says_stays_text_in_the_body() -> None:
    found = tables(contributors='["x}\\n```\\n<script>"]')
    found["sources"][0]["publisher"] = EVIL
    body = text(found).split("\n---\n", 1)[1]
    assert "<b>" not in body
    assert "<script>" not in body.split("## Citation")[0]
    assert not re.search(r"(?<!\\)\[x(?<!\\)\]\(", body)
    assert body.count("```") == text(tables()).count("```")
    rows = [line for line in body.splitlines() if line.startswith("| `t` |")]
    assert len(rows) == 1
    assert len(re.findall(r"(?<!\\)\|", rows[0])) == 5


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Plain, fiscal 2023", "Plain, fiscal 2023"),
        ("a|b", r"a\|b"),
        ("a\n\nb", "a b"),
        ("<img onerror=x>", "&lt;img onerror=x&gt;"),
        ("&lt;b&gt;", "&amp;lt;b&amp;gt;"),
        ("[x](y)", r"\[x\]\(y\)"),
        ("a\u202eb", "a�b"),
        ("\\|", r"\\\|"),
    ],
)
def test_text_in_markdown_is_text(given: str, shown: str) -> None:
    assert as_markdown(given) == shown


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Ana Müller", "Ana Müller"),
        ("x}\n, note={y", r"x\} , note=\{y"),
        ("50% & more", r"50\% \& more"),
        ("```", "'''"),
        ("\\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
    ],
)
def test_text_in_a_citation_is_text(given: str, shown: str) -> None:
    assert as_bibtex(given) == shown


def test_long_text_is_cut_and_publishers_beyond_the_bound_are_counted() -> None:
    found = tables(title="x" * 10_000)
    found["sources"] += [{"task": "t", "source": f"s{n}", "publisher": f"P{n}", "tier": "T2"} for n in range(200)]
    said = text(found)
    assert "x" * 201 not in said
    assert f"And {202 - MAX_PUBLISHERS} more; the table `sources` has all of them." in said


def test_publishers_are_told_with_their_documents_and_tiers() -> None:
    found = tables()
    found["sources"].append({"task": "t", "source": "v", "url": "https://a.example/2", "publisher": "A", "tier": "T2"})
    assert "| A | 2 | T1 1, T2 1 |\n| B | 1 | T4 1 |" in text(found)
    assert "stay their publishers'" in text(found)


def test_a_task_is_told_with_its_licence_or_that_none_is_stated() -> None:
    assert "[CC-BY-4.0](https://spdx.org/licenses/CC-BY-4.0.html) |" in text(tables(licence="CC-BY-4.0"))
    assert "| none stated |" in text(tables(licence=""))
    assert "| my own \\(see below\\) |" in text(tables(licence="my own (see below)"))


def test_the_citation_has_name_version_people_and_the_digest_of_the_cells() -> None:
    found = tables(contributors='["ana", "ben"]')
    found["tasks"].append({**found["tasks"][0], "task": "u", "as_of": "2025-06-30", "contributors": '["ben", "eve"]'})
    said = citation("demo", "1.2.0", found, url="https://a.example/demo")
    assert authors(found) == ["ana", "ben", "eve"]
    assert "@misc{demo-1.2.0," in said
    assert "author = {{ana} and {ben} and {eve}}" in said
    assert "version = {1.2.0}" in said
    assert "year = {2025}" in said
    assert "url = {https://a.example/demo}" in said
    assert cells_digest(found["cells"]) in said
    assert said in card("demo", "1.2.0", found, canary="", demonstration=False, url="https://a.example/demo")


def test_a_bundle_that_names_nobody_is_its_contributors_work() -> None:
    assert "author = {{The demo contributors}}" in citation("demo", "1.0.0", tables())


def test_a_demonstration_and_a_canary_are_told_only_where_there_is_one() -> None:
    plain = text(tables(), canary="")
    assert "Canary" not in plain
    assert "demonstration" not in plain
    assert "> **A demonstration.**" in text(tables(), demonstration=True)
    assert "Canary: `c`." in text(tables())


def test_every_cell_is_a_case() -> None:
    assert cases(tables()).count("\n") == 1

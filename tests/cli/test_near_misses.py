"""The whole way of a near miss: published with the bundle, named by `harness score`, folded away on the page."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from cellwright.clients.bundle_reader import Bundle, open_bundle
from cellwright.records.missteps import MISSTEPS
from tests.cli.workshop import TASK, Result

WRONG = [
    ("meta", "total_revenue", "133006000000", "USD", "computed_segment_for_total_revenue_family_for_revenue"),
    ("aapl", "total_revenue", "383285", "USD", "computed_wrong_scale_over_1e6"),
    ("aapl", "total_revenue", "394328000000", "USD", "prior_year"),
    ("goog", "gross_margin", "0.566", "percent", "computed_fraction_for_percent"),
    ("aapl", "research_rank", "3", "rank", ""),
    ("meta", "research_rank", "4", "rank", "ascending"),
    ("hd", "diluted_eps", "15.11", "USD/share", ""),
    ("hd", "diluted_eps", "14.87", "USD/share", "computed_other_entity_meta"),
    ("aapl", "revenue_growth", "97.2", "percent", "computed_step_dropped_last"),
    ("nvda", "diluted_eps", "1.19", "USD/share", "witness_nvda_eps_diluted_fy2023_later"),
]


@pytest.fixture(scope="module")
def opened(built: Path) -> Bundle:
    return open_bundle(built)


@pytest.mark.parametrize(("entity", "dimension", "value", "unit", "name"), WRONG)
def test_a_wrong_answer_is_named(
    entity: str,
    dimension: str,
    value: str,
    unit: str,
    name: str,
    built: Path,
    tmp_path: Path,
    here: Callable[..., Result],
) -> None:
    answer = {"type": "precise", "value": value, "unit": unit}
    line = {"task": TASK, "entity": entity, "dimension": dimension, "answer": answer}
    (tmp_path / "answers.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    done = here(
        "harness", "score", "--bundle", built, "--submission", "answers.jsonl", "--out", "results.jsonl", cwd=tmp_path
    )
    assert done.code == 0
    results = [json.loads(text) for text in (tmp_path / "results.jsonl").read_text(encoding="utf-8").splitlines()]
    told = {(row["entity"], row["dimension"]): row["near_miss"] for row in results}
    assert told[entity, dimension] == name
    if name:
        assert name in done.out + done.err


def test_every_near_miss_says_who_thought_of_it_and_computed_ones_which_misstep_it_is(opened: Bundle) -> None:
    rows = opened.tables["near_misses"]
    assert {row["origin"] for row in rows} == {"curated", "witness", "computed"}
    computed = [row for row in rows if row["origin"] == "computed"]
    assert {row["misstep"] for row in computed} <= set(MISSTEPS)
    assert all(row["why"] and row["inputs"] and (row["value"] or (row["low"] and row["high"])) for row in computed)


def test_a_cell_has_no_near_miss_twice_and_no_more_than_sixteen_computed(opened: Bundle) -> None:
    rows = opened.tables["near_misses"]
    key = ("entity", "dimension", "near_miss")
    assert len({tuple(row[name] for name in key) for row in rows}) == len(rows)
    cells = Counter((row["entity"], row["dimension"]) for row in rows if row["origin"] == "computed")
    assert max(cells.values()) <= 16
    asked = {
        (row["entity"], row["dimension"])
        for row in opened.tables["cells"]
        if row["answer_type"] != "not_available" and row["unit"] != "rank"
    }
    assert asked == set(cells)


def test_the_interval_of_a_near_miss_holds_it(opened: Bundle) -> None:
    for row in opened.tables["near_misses"]:
        if row["value"] and row["interval_low"]:
            assert Decimal(row["interval_low"]) <= Decimal(row["value"]) <= Decimal(row["interval_high"]), row


def test_on_the_page_computed_near_misses_are_folded_away_below_the_curator_s(built: Path) -> None:
    page = (built / "evidence.html").read_text(encoding="utf-8")
    start = page.index(f'id="{TASK}/meta/total_revenue"') if f'id="{TASK}/meta/total_revenue"' in page else 0
    cell = page[start:]
    own, folded = cell.index("prior year"), cell.index("known missteps, worked out to name a wrong answer")
    assert own < folded < cell.index("a part taken for the total")
    assert "<details" in cell[own:folded]

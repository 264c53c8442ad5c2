"""The dataset card, its head and its figures."""

from __future__ import annotations

import yaml

from cellwright.authoring.bundle_card import card, cases, croissant, record_density
from cellwright.records.bundle import TABLE_COLUMNS, Rows

EVIL = 'CC\n---\nconfigs: "mine" | <b>'


def tables() -> dict[str, Rows]:
    """One task, one cell, two sources, one of them used."""
    found: dict[str, Rows] = {name: [] for name in TABLE_COLUMNS}
    found["tasks"] = [{"task": "t", "title": EVIL, "as_of": "2024-01-01", "licence": EVIL, "language": "en"}]
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


def test_density_counts_urls_publishers_steps_and_tiers() -> None:
    assert record_density(tables()) == {
        "urls_per_cell": "1.0",
        "publishers_per_cell": "1.0",
        "steps_per_derivation_cell": "3.0",
        "T1_percent": "50.0",
        "T2_percent": "0.0",
        "T3_percent": "0.0",
        "T4_percent": "50.0",
    }


def test_what_a_task_says_cannot_add_a_key_to_the_head() -> None:
    text = card("demo", "0.1.0", tables(), canary="c", demonstration=True)
    head = yaml.safe_load(text.split("\n---\n")[0].removeprefix("---\n"))
    assert head["license"] == EVIL.lower()
    assert [config["config_name"] for config in head["configs"]] == list(TABLE_COLUMNS)
    assert "<b>" not in text.split("\n---\n", 1)[1].split("## Tasks")[1]


def test_a_demonstration_and_a_canary_are_told_only_where_there_is_one() -> None:
    plain = card("demo", "0.1.0", tables(), canary="", demonstration=False)
    assert "Canary" not in plain
    assert "demonstration" not in plain


def test_every_cell_is_a_case_and_every_table_a_record_set() -> None:
    assert cases(tables()).count("\n") == 1
    described = croissant("demo", "0.1.0", tables(), {f"{name}.parquet": "0" * 64 for name in TABLE_COLUMNS})
    assert all(f'"@id": "{name}"' in described for name in TABLE_COLUMNS)

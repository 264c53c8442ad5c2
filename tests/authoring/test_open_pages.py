"""The open card and changelog of a sealed bundle tell the questions and no answer."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from cellwright.authoring.bundles.open_pages import open_card, open_changelog
from cellwright.records.bundle import TABLE_COLUMNS, Rows

MANIFEST: dict[str, Any] = {"name": "demo", "version": "1.2.0", "canary": "c-1", "demonstration": False}
EVIL = 'CC\n---\nconfigs: "mine" | <b>'
CHANGE = {"task": "t", "correction": "c1", "entity": "", "dimension": "", "fact": "", "old": "6.13", "new": "6.14"}


def tables(*changes: dict[str, str]) -> dict[str, Rows]:
    """One task of one cell that is not available, and corrections."""
    found: dict[str, Rows] = {name: [] for name in TABLE_COLUMNS}
    found["tasks"] = [{"task": "t", "title": EVIL, "as_of": "2024-01-01", "licence": EVIL, "language": "en"}]
    found["entities"] = [{"task": "t", "entity": "a", "position": "1", "name": "A"}]
    found["dimensions"] = [{"task": "t", "dimension": "d", "position": "1", "name": "D"}]
    cell = {**dict.fromkeys(TABLE_COLUMNS["cells"], ""), "task": "t", "entity": "a", "dimension": "d"}
    found["cells"] = [{**cell, "answer_type": "not_available", "agreement": "divergent", "inputs": '["f.x"]'}]
    found["changes"] = [{**CHANGE, "code": "period", "released_in": "", **change} for change in changes]
    return found


def test_the_card_tells_how_it_is_opened_and_nothing_of_the_answers() -> None:
    text = open_card(MANIFEST, tables())
    assert "# demo 1.2.0" in text
    assert "`sealed.tar.age`" in text
    assert "Canary: `c-1`" in text
    assert "| cells | 1 |" in text
    assert not any(word in text for word in ("not_available", "divergent", "T1", "per cell", "URLs", "6.13"))


def test_what_a_task_says_cannot_add_a_key_to_the_head() -> None:
    text = open_card(MANIFEST, tables())
    head = yaml.safe_load(text.split("\n---\n")[0].removeprefix("---\n"))
    assert head["license"] == "other"
    assert [config["config_name"] for config in head["configs"]] == ["entities", "dimensions"]
    assert "<b>" not in text.split("## Tasks")[1]


def test_a_demonstration_and_a_canary_are_told_only_where_there_is_one() -> None:
    assert "demonstration" not in open_card(MANIFEST, tables())
    assert "**A demonstration.**" in open_card({**MANIFEST, "demonstration": True}, tables())
    assert "Canary" not in open_card({**MANIFEST, "canary": ""}, tables())


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"entity": "a", "dimension": "d"}, "A correction in `t` (period): it concerns `a/d`."),
        ({"fact": "f.x"}, "A correction in `t` (period): it concerns `a/d`."),
        ({"fact": "f.y"}, "A correction in `t` (period): it concerns no cell."),
        ({"fact": "f.x", "code": ""}, "A correction in `t` (of no kind): it concerns `a/d`."),
    ],
)
def test_a_correction_is_told_by_its_cells_and_without_its_values(change: dict[str, str], told: str) -> None:
    text = open_changelog(MANIFEST, tables(change))
    assert f"- {told}\n" in text
    assert not any(word in text for word in ("6.13", "6.14", "f.x", "→"))


def test_corrections_stand_under_the_version_that_has_them_newest_first() -> None:
    text = open_changelog(MANIFEST, tables({"released_in": "1.1.0"}, {"released_in": "1.10.0"}, {"released_in": ""}))
    assert [line for line in text.splitlines() if line.startswith("## ")] == ["## 1.10.0", "## 1.2.0", "## 1.1.0"]
    assert text.count("- A correction") == 3

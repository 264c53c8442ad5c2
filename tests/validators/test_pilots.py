"""Trial runs: what they say of cells and tasks, and which lines count."""

from __future__ import annotations

import pytest

from .clean_task import Parts, clean


def piloted(*rows: tuple[str, str, str], closed: str = "") -> Parts:
    """Runs as (run, dimension, score) of beta."""
    parts = clean()
    parts.tables["pilots"] = [
        {"run": run, "entity": "beta", "dimension": dimension, "score": score, "closed_book": closed}
        for run, dimension, score in rows
    ]
    return parts


def runs(*scores: str) -> list[tuple[str, str, str]]:
    mixed = [(f"r{number}", "gross_margin", "0.5") for number in range(len(scores))]
    return [*mixed, *((f"r{number}", "total_revenue", score) for number, score in enumerate(scores))]


def rules(parts: Parts) -> list[str]:
    return [finding.rule for finding in parts.audit().findings]


@pytest.mark.parametrize(
    ("scores", "told"),
    [
        (("0", "0", "0"), ["C5-CELL-NEVER"]),
        (("1", "1", "1"), ["C5-CELL-ALWAYS"]),
        (("0", "0", "0.25"), []),
        (("1", "1", "0.5"), []),
        (("0", "0"), []),
        (("1", "1"), []),
    ],
)
def test_a_cell_that_all_of_enough_runs_score_alike_is_told(scores: tuple[str, ...], told: list[str]) -> None:
    assert rules(piloted(*runs(*scores))) == told


@pytest.mark.parametrize(
    ("rows", "closed", "state"),
    [
        ([], "", "not checked"),
        ([("r1", "gross_margin", "")], "", "not checked"),
        ([("r1", "gross_margin", "85")], "", "not checked"),
        ([("r1", "gross_margin", "0.5")], "yes", "not checked"),
        ([("r1", "gross_margin", "0.5")], "perhaps", "not checked"),
        ([("r1", "gross_margin", "0.5")], "no", "met"),
        ([("r1", "gross_margin", "0.99")], "", "failed"),
    ],
)
def test_difficulty_is_not_checked_where_no_run_with_sources_counts(
    rows: list[tuple[str, str, str]], closed: str, state: str
) -> None:
    audit = piloted(*rows, closed=closed).audit()
    assert audit.difficulty == state
    assert audit.counts["difficulty_checked"] == int(state != "not checked")


def test_a_task_that_nobody_tried_is_admitted_all_the_same() -> None:
    audit = clean().audit()
    assert (audit.difficulty, audit.admitted) == ("not checked", True)


def test_a_waived_difficulty_has_not_failed() -> None:
    parts = piloted(("r1", "gross_margin", "0.99"))
    parts.tables["waivers"].append({"rule": "C5-DIFFICULTY", "reason": "r", "by": "ben", "date": "2024-12-01"})
    assert (parts.audit().difficulty, parts.audit().admitted) == ("met", True)


def test_a_run_with_and_without_sources_may_bear_one_name() -> None:
    parts = piloted(("r1", "gross_margin", "0.5"))
    parts.tables["pilots"].append({**parts.tables["pilots"][0], "closed_book": "yes"})
    assert rules(parts) == []


def test_a_line_that_cannot_be_counted_moves_nothing() -> None:
    parts = piloted(("r1", "gross_margin", "0.8"), ("r1", "gross_margin", "1"), ("r2", "gross_margin", "100"))
    assert rules(parts) == ["C5-PILOT-UNUSABLE", "C5-PILOT-UNUSABLE"]
    assert parts.audit().difficulty == "met"

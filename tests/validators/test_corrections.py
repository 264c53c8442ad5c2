"""Corrections against what the task now says."""

from __future__ import annotations

import pytest

from .clean_task import Parts, clean

ROW = {
    "id": "cost_digits",
    "entity": "beta",
    "dimension": "gross_margin",
    "fact": "beta.cost.fy2023",
    "old": "4509000000",
    "new": "4590000000",
    "code": "reading",
    "reported_by": "cleo",
    "evidence_url": "https://www.breweries.org/beta-report.html",
    "released_in": "1.1.0",
}


def corrected(*rows: dict[str, str]) -> Parts:
    parts = clean()
    parts.tables["corrections"] = [{**ROW, "id": f"c{number}", **row} for number, row in enumerate(rows)]
    return parts


def rules(parts: Parts) -> list[str]:
    return [finding.rule for finding in parts.audit().findings]


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"released_in": ""},
        {"old": "(4,509)", "new": "(4,590)"},
        {"old": "3", "new": "6"},
        {"old": "segment", "new": "consolidated"},
        {"fact": "", "old": "26.3", "new": "25"},
        {"fact": "", "entity": "alfa", "old": "36.73", "new": "39.36"},
        {"fact": "", "old": "range", "new": "precise"},
    ],
)
def test_a_correction_that_the_task_bears_out_is_told_nothing(row: dict[str, str]) -> None:
    assert rules(corrected(row)) == []


def test_corrections_that_follow_one_another_are_told_nothing() -> None:
    assert rules(corrected({"old": "1", "new": "4509000000"}, {})) == []


@pytest.mark.parametrize(
    ("rows", "rule"),
    [
        ([{"evidence_url": ""}], "C1-CORRECTION-INCOMPLETE"),
        ([{"evidence_url": "page 4"}], "C1-CORRECTION-INCOMPLETE"),
        ([{"reported_by": " "}], "C1-CORRECTION-INCOMPLETE"),
        ([{"fact": "", "dimension": ""}], "C1-CORRECTION-INCOMPLETE"),
        ([{"old": "4590000000"}], "C1-CORRECTION-INCOMPLETE"),
        ([{"code": ""}], "C1-CORRECTION-CODE"),
        ([{"code": "Reading"}], "C1-CORRECTION-CODE"),
        ([{"released_in": "v1.1"}], "C1-CORRECTION-CODE"),
        ([{"entity": "gama"}], "C1-CORRECTION-STRAY"),
        ([{"old": "4590000000", "new": "4509000000"}], "C1-CORRECTION-STALE"),
        ([{"fact": "", "new": "26.3"}], "C1-CORRECTION-STALE"),
        ([{"fact": "", "new": "range"}], "C1-CORRECTION-STALE"),
        ([{"old": "1", "new": "2"}, {}], "C1-CORRECTION-STALE"),
        ([{"fact": "beta.costs.fy2023"}], "C1-ID-UNRESOLVED"),
        ([{"id": "same"}, {"id": "same"}], "C1-RECORD-TWICE"),
    ],
)
def test_a_correction_at_fault_is_told_by_its_rule(rows: list[dict[str, str]], rule: str) -> None:
    assert rule in rules(corrected(*rows))


def test_a_correction_that_was_undone_is_told_as_undone() -> None:
    found = corrected({"old": "4590000000", "new": "4509000000"}).findings("C1-CORRECTION-STALE")
    assert [(item.fields, item.record) for item in found] == [(("new",), "c0")]
    assert "undone" in found[0].fix


def test_a_task_that_cannot_be_replayed_has_its_corrections_of_facts_checked_all_the_same() -> None:
    parts = corrected({"new": "1"}, {"fact": "", "new": "precise"})
    parts.say("assumptions:", "units: {keg: nonsense}\nassumptions:")
    assert "C1-CORRECTION-STALE" in rules(parts)

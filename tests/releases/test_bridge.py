"""The bridge adds up exactly, whatever changed, and each cell is told under what moved it."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cellwright.records.errors import UnreadableInput
from cellwright.records.releases.bridge import Bridge, CellResult, bridge
from cellwright.records.releases.bridge_data import bridge_data
from cellwright.records.releases.changes import CellChange, CellKey, ReleaseDiff, Side, TaskChange
from cellwright.records.releases.diff import compare
from cellwright.records.scoring import CellScore, total_scores
from cellwright.views.change_markdown import change_markdown
from cellwright.views.release_bridge_view import bridge_report
from tests.releases.small_releases import FULL, corrected, quarantine, rule, side, tables, with_task, without

SIDE = Side("small", "1.0.0", "", {}, 0, 0)
SCORES = tuple(map(Decimal, ("0", "0.25", "0.5", "1")))
OUTCOMES = ("scored", "scored", "scored", "unparsed", "judge_failed", "run_failed")


def result(score: str = "1", upper: str = "", outcome: str = "scored", **more: Any) -> CellResult:
    return CellResult(Decimal(score), Decimal(upper or score), outcome, **more)


def keys(*tasks: str, cells: int = 2) -> list[CellKey]:
    return [(task, "e", f"d{number}") for task in tasks for number in range(cells)]


@st.composite
def results(draw: st.DrawFn) -> tuple[ReleaseDiff, dict[CellKey, CellResult], dict[CellKey, CellResult]]:
    """Two results over tasks of one to four cells, and a comparison that says something of any of them."""
    names = [f"t{number}" for number in range(draw(st.integers(1, 5)))]
    both: list[dict[CellKey, CellResult]] = []
    for _ in range(2):
        found: dict[CellKey, CellResult] = {}
        for task in names:
            for cell in draw(st.sets(st.integers(0, 3), max_size=4)):
                lower, upper = sorted(draw(st.tuples(st.sampled_from(SCORES), st.sampled_from(SCORES))))
                outcome = draw(st.sampled_from(OUTCOMES))
                judge = draw(st.sampled_from([("", ""), ("m", "p")]))
                found[task, "e", f"d{cell}"] = CellResult(lower, upper, outcome, judge, draw(st.sampled_from("ab")))
        both.append(found)
    cells = []
    for key in sorted(both[0].keys() | both[1].keys()):
        if draw(st.booleans()):
            flags = draw(st.tuples(st.booleans(), st.booleans(), st.booleans()))
            cells.append(
                CellChange(*key, "changed", "", answer_changed=flags[0], direct=flags[1], score_may_move=flags[2])
            )
    tasks = tuple(TaskChange(task, "", "quarantined", 1, 0) for task in names if draw(st.booleans()))
    return ReleaseDiff(SIDE, SIDE, tasks, (), tuple(cells)), both[0], both[1]


def made(found: tuple[ReleaseDiff, Any, Any]) -> Bridge | None:
    try:
        return bridge(*found)
    except UnreadableInput:
        return None


@settings(max_examples=40)
@given(results())
def test_old_total_and_parts_sum_to_the_new_total_exactly(found: Any) -> None:
    built = made(found)
    if built is not None:
        for at in (0, 1):
            assert built.old.bounds[at] + sum(part.adds[at] for part in built.parts) == built.new.bounds[at]


@settings(max_examples=40)
@given(results())
def test_what_the_cells_and_tasks_of_a_part_add_sums_to_the_part_exactly(found: Any) -> None:
    built = made(found)
    for part in built.parts if built is not None else ():
        for at in (0, 1):
            assert sum(item.adds[at] for item in (*part.cells, *part.tasks)) == part.adds[at]


@settings(max_examples=40)
@given(results())
def test_both_totals_are_those_of_the_scorer(found: Any) -> None:
    built = made(found)
    if built is None:
        return
    for told, scores in ((built.old, found[1]), (built.new, found[2])):
        cells = [CellScore(*key, "f", one.outcome, one.lower, one.upper) for key, one in scores.items()]
        mean = total_scores(cells).benchmark
        assert (mean.members, mean.cells) == (told.tasks, told.cells)
        for number, exact in zip((mean.lower, mean.upper), told.bounds, strict=True):
            assert number is not None
            assert abs(Fraction(number) - exact) < Fraction(1, 10**30)


@settings(max_examples=40)
@given(results())
def test_every_counted_cell_stands_in_exactly_one_part(found: Any) -> None:
    built = made(found)
    if built is None:
        return
    told = [cell.key for part in built.parts for cell in part.cells]
    assert len(told) == len(set(told))
    tasks = {task.task for part in built.parts for task in part.tasks}
    failed = [{key[0] for key, one in side.items() if one.outcome == "run_failed"} for side in found[1:]]
    counted = {key for at in (0, 1) for key in found[at + 1] if key[0] not in failed[at]}
    assert {key for key in counted if key[0] not in tasks} == set(told)


@settings(max_examples=40)
@given(results())
def test_a_bridge_backwards_adds_the_opposite(found: Any) -> None:
    there, back = made(found), made((found[0], found[2], found[1]))
    if there is not None and back is not None:
        sums = [[sum((part.adds[at] for part in one.parts), Fraction(0)) for at in (0, 1)] for one in (there, back)]
        assert sums[0] == [-number for number in sums[1]]


def test_the_worked_example_of_the_guidelines_is_right(root: Path) -> None:
    """Two tasks of two cells: one reference corrected, one task quarantined, one added."""
    old = {key: result(score) for key, score in zip(keys("a", "b"), ("1", "0.5", "0", "0.5"), strict=True)}
    new = {key: result(score) for key, score in zip(keys("a", "c"), ("0.5", "0.5", "0", "0.5"), strict=True)}
    cells = (CellChange("a", "e", "d0", "changed", "", answer_changed=True),)
    tasks = (TaskChange("b", "", "quarantined", 2, 0), TaskChange("c", "", "added", 0, 2))
    diff = ReleaseDiff(SIDE, replace(SIDE, version="1.1.0"), tasks, (), cells)
    built = bridge(diff, old, new)
    assert [(part.kind, part.adds[0] * 100) for part in built.parts] == [
        ("corrected", Fraction(-25, 2)),
        ("quarantined", Fraction(25, 2)),
        ("added", Fraction(-25, 2)),
        ("unchanged", 0),
    ]
    explained = SimpleNamespace(bridge=built, sources=("a", "b"), open_cells=0, unanswered=0)
    printed = [line for line in change_markdown(bridge_report(explained, diff)).splitlines() if line.startswith("|")]
    page = (root / "guidelines" / "explaining-a-change.md").read_text(encoding="utf-8")
    assert len(printed) == 11
    assert "\n".join(printed) in page


@pytest.mark.parametrize(
    ("change", "old", "new", "kind"),
    [
        ({"answer_changed": True}, result("1"), result("0"), "corrected"),
        ({"answer_changed": True, "direct": False}, result("1"), result("0"), "dependents"),
        ({}, result("1"), result("0.5"), "evidence"),
        ({"score_may_move": False}, result("1"), result("0"), "code"),
        (None, result("1"), result("1"), "unchanged"),
        (None, result("1"), result("0"), "code"),
        (None, result("1", said="12"), result("0", said="13"), "answers"),
        (None, result("1", judge=("m", "p")), result("0", judge=("m", "q")), "judge"),
        (None, result("1", judge=("m", "p")), result("1", judge=("m", "q")), "unchanged"),
        (None, result("0.5", "1", "judge_failed"), result("1", judge=("m", "p")), "judge"),
    ],
)
def test_a_cell_is_told_under_what_moved_it(
    change: dict[str, bool] | None, old: CellResult, new: CellResult, kind: str
) -> None:
    key = ("a", "e", "d0")
    cells = () if change is None else (CellChange(*key, "changed", "", **change),)
    assert [part.kind for part in bridge(ReleaseDiff(SIDE, SIDE, cells=cells), {key: old}, {key: new}).parts] == [kind]


def test_a_changed_rule_and_a_quarantined_task_are_found_in_real_tables() -> None:
    old = tables("ev-a", "ev-b", "ev-c")
    new = with_task(without(rule(corrected(old, "ev-a"), FULL, "ev-b"), "ev-c"), "ev-d")
    diff = compare(side(old), side(new, "1.1.0", (quarantine("ev-c"),)))
    before = {(row["task"], row["entity"], row["dimension"]): result("0.5") for row in old["cells"]}
    after = {(row["task"], row["entity"], row["dimension"]): result("0.25") for row in new["cells"]}
    parts = {part.kind: part for part in bridge(diff, before, after).parts}
    assert {kind: len(part.cells) for kind, part in parts.items() if part.cells} == {
        "corrected": 1,
        "dependents": 1,
        "rules": 2,
        "code": 16,
    }
    assert [task.task for kind in ("quarantined", "added") for task in parts[kind].tasks] == ["ev-c", "ev-d"]


def test_a_run_that_failed_takes_its_task_out_and_is_told_as_such() -> None:
    old = {key: result("1") for key in keys("a", "b")}
    new = {key: result("0", outcome="run_failed") if key[0] == "b" else result("1") for key in keys("a", "b")}
    built = bridge(ReleaseDiff(SIDE, SIDE), old, new)
    assert [part.kind for part in built.parts] == ["run_failed", "unchanged"]
    back = bridge(ReleaseDiff(SIDE, SIDE), new, old)
    assert [part.kind for part in back.parts] == ["run_counted", "unchanged"]


def test_results_in_which_every_run_failed_are_no_score_to_explain() -> None:
    failed = {key: result("0", outcome="run_failed") for key in keys("a")}
    with pytest.raises(UnreadableInput, match="no task is counted"):
        bridge(ReleaseDiff(SIDE, SIDE), failed, failed)


def test_releases_that_share_no_task_have_a_bridge_too() -> None:
    built = bridge(ReleaseDiff(SIDE, SIDE), {k: result("1") for k in keys("a")}, {k: result("0") for k in keys("b")})
    assert [part.kind for part in built.parts] == ["added", "removed"]
    assert built.new.bounds == (0, 0)
    assert built.shared is None


def test_the_data_holds_exact_fractions_that_sum() -> None:
    old = {key: result(score) for key, score in zip(keys("a", cells=3), ("1", "0.5", "0"), strict=True)}
    new = {key: result(score) for key, score in zip(keys("a", cells=3), ("0.25", "0.5", "1"), strict=True)}
    told = bridge_data(bridge(ReleaseDiff(SIDE, SIDE), old, new))
    sums = sum((Fraction(part["adds"]["lower_exact"]) for part in told["parts"]), Fraction(told["old"]["lower_exact"]))
    assert sums == Fraction(told["new"]["lower_exact"]) == Fraction(7, 12)
    assert told["new"]["lower"] == "0.5833333333333333333333333333333333"

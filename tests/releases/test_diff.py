"""`compare`: each field old → new, why, and what rests on what changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cellwright.records.releases.changes import CellChange, Commit, ReleaseDiff
from cellwright.records.releases.diff import compare, only_tasks
from tests.harness.conftest import TASK
from tests.releases.small_releases import (
    CORRECTION,
    PROFIT,
    STRESSED,
    Tables,
    assumed,
    corrected,
    edited,
    quarantine,
    rule,
    side,
    tables,
    with_task,
    without,
)

WHERE = {"task": TASK, "entity": "byd"}


def compared(old: Tables, new: Tables, **more: Any) -> ReleaseDiff:
    return compare(side(old), side(new, "1.1.0"), **more)


def cell(diff: ReleaseDiff, entity: str, dimension: str, task: str = TASK) -> CellChange:
    return next(found for found in diff.cells if found.key == (task, entity, dimension))


def test_a_release_is_the_same_as_itself() -> None:
    diff = compared(tables(), tables())
    assert diff.same
    assert set(diff.counts().values()) == {0}


def test_a_corrected_fact_changes_its_cell_and_tells_the_difference() -> None:
    found = cell(compared(tables(), corrected(tables())), "byd", PROFIT)
    value = next(field for field in found.fields if field.field == "value")
    assert (value.old[:6], value.new[:6], value.by[:7], value.percent) == ("28478.", "28951.", "473.067", "1.6611")
    assert [(step.id, step.fields[0].field) for step in found.steps] == [
        ("auto_gross_profit", "value"),
        ("answer", "value"),
    ]
    assert found.answer_changed
    assert found.direct
    assert found.score_may_move


def test_a_cell_that_rests_on_another_cell_is_told_as_a_dependent_with_its_chain() -> None:
    found = cell(compared(tables(), corrected(tables())), "byd", STRESSED)
    assert found.answer_changed
    assert not found.direct
    assert [chain.links for chain in found.chains] == [
        ("fact:byd.auto_revenue", f"byd/{PROFIT}.auto_gross_profit", f"byd/{STRESSED}.low")
    ]


def test_the_correction_is_the_reason_of_the_cell_its_dependent_and_the_fact() -> None:
    diff = compared(tables(), corrected(tables(), correction=CORRECTION))
    for reasons in (cell(diff, "byd", PROFIT).reasons, cell(diff, "byd", STRESSED).reasons, diff.facts[0].reasons):
        assert [(reason.kind, reason.id, reason.code) for reason in reasons] == [("correction", "c1", "misread")]
        assert reasons[0].evidence == "https://filings.example/report#p12"
        assert not reasons[0].undone


def test_a_correction_that_both_releases_have_is_no_reason() -> None:
    old = corrected(tables(), correction=CORRECTION)
    diff = compared(old, corrected(old, revenue="622000000000"))
    assert cell(diff, "byd", PROFIT).reasons == ()


def test_without_a_correction_the_commits_of_the_task_are_the_reason() -> None:
    commits = {TASK: (Commit("a" * 40, "The segment's revenue is taken"),)}
    found = cell(compared(tables(), corrected(tables()), commits=commits), "byd", PROFIT)
    assert [(reason.kind, reason.id) for reason in found.reasons] == [("commit", "a" * 12)]
    with_both = compared(tables(), corrected(tables(), correction=CORRECTION), commits=commits)
    assert [reason.kind for reason in cell(with_both, "byd", PROFIT).reasons] == ["correction"]


def test_a_correction_that_names_one_cell_makes_the_others_dependents() -> None:
    named = {**CORRECTION, "dimension": STRESSED}
    diff = compared(tables(), corrected(tables(), correction=named))
    assert (cell(diff, "byd", STRESSED).direct, cell(diff, "byd", PROFIT).direct) == (True, False)


def test_a_cell_that_rests_on_a_changed_fact_and_keeps_its_answer_is_told() -> None:
    def reread(row: dict[str, str]) -> None:
        row |= {"value": "4271000", "as_written": "4.271"}

    diff = compared(tables(), edited(tables(), "facts", reread, task=TASK, fact="byd.vehicles_delivered"))
    ranks = [cell(diff, entity, "delivery_rank") for entity in ("byd", "nio")]
    assert [(found.answer_changed, found.fields, found.score_may_move) for found in ranks] == [(False, (), True)] * 2
    assert ranks[1].chains[0].links == ("fact:byd.vehicles_delivered", "nio/delivery_rank.answer")
    assert diff.counts()["dependents_unmoved"] == 4


def test_other_words_of_a_quote_move_no_score_and_touch_no_cell() -> None:
    new = edited(tables(), "facts", lambda row: row.update(quote="other words"), task=TASK, fact="byd.auto_revenue")
    diff = compared(tables(), new)
    assert [(fact.fact, fact.counts) for fact in diff.facts] == [("byd.auto_revenue", False)]
    assert diff.cells == ()


def test_a_rule_is_compared_key_by_key_as_curators_write_it() -> None:
    found = cell(compared(tables(), rule(tables(), {"kind": "absolute", "size": "500"})), "byd", "vehicles")
    assert [(field.field, field.old, field.new) for field in found.rule] == [("full", "1%", "500 vehicle")]
    assert not found.answer_changed


def test_a_rule_that_cannot_be_read_is_told_as_it_stands() -> None:
    new = edited(tables(), "cells", lambda row: row.update(rule="{}"), **WHERE, dimension="vehicles")
    assert [field.new for field in cell(compared(tables(), new), "byd", "vehicles").rule] == ["{}"]


@pytest.mark.parametrize(
    ("column", "value", "field", "answer"),
    [
        ("ask", "Vehicles handed over.", "ask", True),
        ("unit", "thousand vehicle", "unit", True),
        ("answer_type", "range", "answer_type", True),
        ("period_end", "2023-11-30", "period", True),
        ("agreement", "divergent", "agreement", False),
        ("note", "as first reported", "note", False),
        ("family", "reasoning", "family", False),
        ("chosen", "byd.vehicles_delivered", "chosen", False),
    ],
)
def test_each_field_of_a_cell_is_told_old_to_new(column: str, value: str, field: str, answer: bool) -> None:
    new = edited(tables(), "cells", lambda row: row.update({column: value}), **WHERE, dimension="vehicles")
    found = cell(compared(tables(), new), "byd", "vehicles")
    assert [change.field for change in found.fields] == [field]
    assert value in found.fields[0].new
    assert found.answer_changed is answer


def test_a_label_or_a_note_moves_no_score() -> None:
    new = edited(tables(), "cells", lambda row: row.update(note="x"), **WHERE, dimension="vehicles")
    assert not cell(compared(tables(), new), "byd", "vehicles").score_may_move


def test_the_same_number_written_otherwise_is_no_change() -> None:
    new = edited(tables(), "cells", lambda row: row.update(value="4270000.0"), **WHERE, dimension="vehicles")
    assert all(field.field != "value" for found in compared(tables(), new).cells for field in found.fields)


def test_sources_that_join_or_leave_a_cell_are_told_with_their_tier() -> None:
    def other(row: dict[str, str]) -> None:
        row["source"], row["tier"] = "later", "T2"

    new = edited(tables(), "sources", other, task=TASK, source="report")
    new = edited(new, "cells", lambda row: row.update(sources='["later"]'), **WHERE, dimension="vehicles")
    found = cell(compared(tables(), new), "byd", "vehicles")
    assert [(part.id, part.change, part.note) for part in found.sources] == [
        ("later", "added", "T2, BYD Company"),
        ("report", "removed", "T1, BYD Company"),
    ]
    assert next(field for field in found.fields if field.field == "tier").new == "T2"


def test_a_tier_that_moved_is_told_in_each_cell_that_rests_on_the_source() -> None:
    new = edited(tables(), "sources", lambda row: row.update(tier="T3"), task=TASK, source="report")
    diff = compared(tables(), new)
    assert {found.key[1:] for found in diff.cells} == {
        (entity, dimension) for entity in ("byd", "nio") for dimension in ("vehicles", PROFIT, "delivery_rank")
    }
    assert not any(found.score_may_move for found in diff.cells)


def test_a_step_that_is_written_anew_is_direct_and_what_rests_on_it_a_dependent() -> None:
    def rewritten(row: dict[str, str]) -> None:
        row["expr"], row["value"] = "auto_revenue * auto_gross_margin - rebates", "120000000000"

    new = edited(tables(), "steps", rewritten, **WHERE, dimension=PROFIT, step="auto_gross_profit")
    new = edited(new, "cells", lambda row: row.update(low="10.5"), **WHERE, dimension=STRESSED)
    diff = compared(tables(), new)
    assert cell(diff, "byd", PROFIT).direct
    dependent = cell(diff, "byd", STRESSED)
    assert not dependent.direct
    assert dependent.chains[0].links[0] == f"byd/{PROFIT}.auto_gross_profit"


def test_an_assumption_is_told_of_the_task_and_of_the_cells_that_read_it_alone() -> None:
    diff = compared(tables(), assumed(tables(), "12"))
    assert [field.field for field in diff.tasks[0].fields] == ["assumptions.price_cut"]
    assert {found.dimension for found in diff.cells} == {STRESSED}
    assert all(found.chains[0].links[0] == "assumption:price_cut" for found in diff.cells)


def test_tasks_that_join_leave_and_are_quarantined_are_told_apart() -> None:
    old = tables("ev-a", "ev-b", "ev-c")
    new = with_task(without(without(old, "ev-b"), "ev-c"), "ev-d")
    diff = compare(side(old), side(new, "1.1.0", (quarantine("ev-c"),)))
    assert [(task.task, task.change, task.old_cells, task.new_cells) for task in diff.tasks] == [
        ("ev-b", "removed", 10, 0),
        ("ev-c", "quarantined", 10, 0),
        ("ev-d", "added", 0, 10),
    ]
    assert diff.tasks[1].reasons[0].words == "two sources contradict each other"
    assert diff.cells == diff.facts == ()


def test_near_misses_of_people_are_compared_and_those_made_for_diagnosis_are_not() -> None:
    where = {**WHERE, "dimension": PROFIT, "near_miss": "total_for_segment"}
    new = edited(tables(), "near_misses", lambda row: row.update(value="36000"), **where)
    found = cell(compared(tables(), new), "byd", PROFIT)
    assert [(part.id, part.fields[0].new) for part in found.near_misses] == [("total_for_segment", "36000")]
    computed = [
        edited(made, "near_misses", lambda row: row.update(origin="computed"), **where) for made in (tables(), new)
    ]
    assert compared(*computed).same


def test_a_comparison_can_go_backwards() -> None:
    old, new = tables(), corrected(tables(), correction=CORRECTION)
    there, back = compared(old, new), compare(side(new, "1.1.0"), side(old))
    assert [found.key for found in there.cells] == [found.key for found in back.cells]
    for one, other in zip(there.cells, back.cells, strict=True):
        assert [(field.old, field.new) for field in one.fields] == [(field.new, field.old) for field in other.fields]
        assert one.direct is other.direct
    assert all(reason.undone for found in back.cells for reason in found.reasons)


def test_a_comparison_can_be_read_of_some_tasks_alone() -> None:
    old = tables("ev-a", "ev-b")
    diff = compared(old, corrected(corrected(old, "ev-a"), "ev-b"))
    assert {found.task for found in diff.cells} == {"ev-a", "ev-b"}
    assert {found.task for found in only_tasks(diff, ["ev-b"]).cells} == {"ev-b"}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda row: row.update(inputs="[" * 100_000),
        lambda row: row.update(inputs='{"a": 1}'),
        lambda row: row.update(inputs='["step:answer", "cell:byd", 7, "cell:no/where/at-all"]'),
        lambda row: row.update(inputs=""),
    ],
)
def test_inputs_that_are_no_list_of_names_stop_no_comparison(spoil: Callable[[dict[str, str]], None]) -> None:
    new = edited(corrected(tables()), "steps", spoil, **WHERE, dimension=PROFIT, step="answer")
    assert cell(compared(tables(), new), "byd", PROFIT).answer_changed


@pytest.mark.parametrize("text", ["[" * 100_000, '{"unit": 1}', '[{"id": "price_cut", "value": [[]]}]', "null", "7"])
@pytest.mark.parametrize("column", ["assumptions", "periods"])
def test_a_task_whose_json_is_none_stops_no_comparison(column: str, text: str) -> None:
    new = tables()
    new["tasks"][0][column] = text
    compare(side(tables()), side(new, "1.1.0"))

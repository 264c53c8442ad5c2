"""Every kind of fault is told by the rule meant for it, and clean tasks are told nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from cellwright.validators.audit import all_rules
from tests.power.draft import Draft, shipped
from tests.power.kinds import READING, Kind
from tests.power.measure import Count, all_kinds, drafts_of, false_alarms, measure, measure_once, rules_told
from tests.power.workers import alarms_of

KINDS = all_kinds()
SLIPS = tuple(f"tests.power.faults_{name}" for name in ("words", "evidence", "issued", "steps", "people"))
"""Files of which a share is planted in the quick run, and all in the slow one."""
SMALL = (6, 6)
BY_NO_FILE = {"C5-REFERENCE-SCORE", "C2-FIGURE-CONTRADICTED", "C2-TAG-DIFFERS", "C1-PLUG-IN-UNUSABLE"}
"""Rules that no fault here can bring about: one guards against a slip of the code, two read the document itself
again, while a generated task has its text alone, and one speaks of what is installed."""


def _share() -> list[Kind]:
    """Every kind of the older files, and one in four of the slips."""
    slips = [kind for kind in KINDS if getattr(kind.plant, "func", kind.plant).__module__ in SLIPS]
    left_out = {kind.name for place, kind in enumerate(slips) if place % 4}
    return [kind for kind in KINDS if kind.name not in left_out]


QUICK = _share()


@pytest.fixture(scope="module")
def drafts() -> list[Draft]:
    return drafts_of(10, SMALL)


@pytest.fixture(scope="module")
def counts(drafts: list[Draft]) -> dict[str, Count]:
    """Each kind planted once, into a generated task or the shipped one."""
    return {count.kind.name: count for count in measure_once(QUICK, drafts, seed="quick")}


def test_there_are_at_least_eighty_kinds_and_each_names_a_rule_that_is_there() -> None:
    assert len(KINDS) >= 80
    assert {kind.rule for kind in KINDS} <= {info.id for info in all_rules()} | {READING}


def test_every_rule_that_files_can_break_has_a_kind_of_fault_meant_for_it() -> None:
    rules = {info.id for info in all_rules() if not info.id.endswith("-RULE-BROKEN")}
    assert rules - {kind.rule for kind in KINDS} <= BY_NO_FILE


def test_clean_tasks_and_the_shipped_one_are_told_nothing(drafts: list[Draft]) -> None:
    assert list(false_alarms(drafts)) == []


def test_the_shipped_task_is_told_its_stand_ins_and_nothing_else() -> None:
    draft = shipped()
    draft.stand_in = False
    assert rules_told([draft]) == [["C2-CAPTURE-STAND-IN"]]


@pytest.mark.parametrize("kind", QUICK, ids=lambda kind: kind.name)
def test_a_planted_fault_is_told_by_the_rule_meant_for_it(kind: Kind, counts: dict[str, Count]) -> None:
    count = counts[kind.name]
    assert count.planted == 1
    assert count.whole, (count.other, count.missed)


@pytest.mark.slow
def test_two_hundred_clean_tasks_are_told_nothing() -> None:
    assert alarms_of(200) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_fault_planted_five_times_is_told_five_times(kind: Kind) -> None:
    count = measure(kind, 5, drafts_of(12), seed="slow")
    assert count.whole, (count.planted, count.other, count.missed)


def test_the_page_has_every_kind(root: Path) -> None:
    text = (root / "docs" / "audit-power.md").read_text(encoding="utf-8")
    assert [kind.name for kind in KINDS if f"| `{kind.name}` |" not in text] == []

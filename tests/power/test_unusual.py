"""The audit is silent about tasks that are unusual and right."""

from __future__ import annotations

import pytest

import tests.power.unusual_cases  # noqa: F401  (writes the cases down)
from cellwright.validators.audit import audit_tasks
from tests.power.unusual import CASES


@pytest.mark.parametrize("name", CASES)
def test_an_unusual_task_that_is_right_is_told_nothing(name: str) -> None:
    draft = CASES[name]()
    audit = next(audit_tasks([draft.input()], owners=draft.owners))
    told = [f"{finding.rule} {finding.record}: {finding.observed} | {finding.expected}" for finding in audit.findings]
    assert told == []

"""Findings told apart from those of an earlier revision."""

from __future__ import annotations

import pytest

from cellwright.records.findings import Condition, Finding, TaskAudit, conclude
from cellwright.validators.known import new_since


def finding(record: str = "a", observed: str = "5", **more: object) -> Finding:
    fields: dict[str, object] = {"file": "facts.csv", "line": 3, "fields": ("value",), "severity": "error", **more}
    return Finding(rule="C2-VALUE-MISMATCH", condition=Condition.SOURCED, record=record, observed=observed, **fields)  # type: ignore[arg-type]


def audit(*findings: Finding) -> TaskAudit:
    return conclude("t", 64, findings)


def told(now: list[Finding], then: list[Finding]) -> tuple[int, int, int]:
    """How many are new, known and mended."""
    found = new_since(audit(*now), audit(*then))
    assert found.since is not None
    return len(found.findings), found.since.known, found.since.mended


@pytest.mark.parametrize(
    ("now", "then", "counts"),
    [
        ([finding()], [finding(line=99)], (0, 1, 0)),
        ([finding(observed="7")], [finding(observed="5")], (0, 1, 0)),
        ([finding(record="b")], [finding()], (1, 0, 1)),
        ([finding(fields=("unit",))], [finding()], (1, 0, 1)),
        ([finding(), finding()], [finding()], (1, 1, 0)),
        ([], [finding(), finding()], (0, 0, 2)),
        ([finding(record="", observed="6")], [finding(record="", observed="5")], (1, 0, 1)),
        ([finding(record="", observed="as in x.csv:8")], [finding(record="", observed="as in x.csv:12")], (0, 1, 0)),
        ([finding()], [finding(waived="settled (ben)")], (1, 0, 0)),
        ([finding(waived="settled (ben)")], [finding()], (1, 0, 1)),
        ([finding(waived="settled (ben)")], [finding(waived="settled (ben)")], (0, 1, 0)),
    ],
    ids=["moved", "another figure", "another record", "another field", "once more", "two gone", "no record", "a line in"
         " words", "waiver gone", "waived now", "still waived"],
)  # fmt: skip
def test_findings_are_new_known_or_mended(
    now: list[Finding], then: list[Finding], counts: tuple[int, int, int]
) -> None:
    assert told(now, then) == counts


def test_only_a_new_error_that_nobody_waived_stands_against_it() -> None:
    old, waived = finding(), finding(record="b", waived="settled (ben)")
    assert new_since(audit(old, waived), audit(old)).passed
    assert not new_since(audit(old, finding(record="c")), audit(old)).passed
    assert not new_since(audit(old), audit(old)).admitted


def test_without_an_earlier_audit_everything_is_new() -> None:
    found = new_since(audit(finding()), None)
    assert found.since is not None
    assert (found.since.readable, len(found.findings)) == (False, 1)

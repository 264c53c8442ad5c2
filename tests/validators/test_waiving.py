"""Waivers: findings that a person accepted."""

from __future__ import annotations

import pytest

from .clean_task import Parts, clean


def spoilt(**waiver: str) -> Parts:
    """A task with one finding, C4-NOTE-MISSING of alfa/gross_margin, and one waiver."""
    parts = clean()
    parts.cell("alfa", "gross_margin")["note"] = ""
    row = {"rule": "C4-NOTE-MISSING", "reason": "said in the question", "by": "ben", "date": "2024-12-01"}
    parts.tables["waivers"].append({**row, **waiver})
    return parts


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"entity": "*", "dimension": "*"},
        {"entity": "alfa"},
        {"dimension": "gross_margin"},
        {"entity": "alfa", "dimension": "gross_margin", "field": "note"},
        {"field": "alfa/gross_margin"},
        {"expires": "2024-12-31"},
    ],
)
def test_a_waiver_that_names_the_finding_accepts_it(fields: dict[str, str]) -> None:
    audit = spoilt(**fields).audit()
    assert [(finding.rule, finding.waived) for finding in audit.findings] == [
        ("C4-NOTE-MISSING", "said in the question (ben)")
    ]
    assert audit.admitted


@pytest.mark.parametrize(
    "fields",
    [
        {"entity": "beta"},
        {"dimension": "total_revenue"},
        {"field": "chosen"},
        {"rule": "C4-REASON-MISSING"},
        {"expires": "2024-12-30"},
        {"reason": ""},
        {"by": ""},
    ],
)
def test_a_waiver_of_something_else_or_without_reason_or_person_or_expired_accepts_nothing(
    fields: dict[str, str],
) -> None:
    audit = spoilt(**fields).audit()
    assert not audit.admitted
    assert all(not finding.waived for finding in audit.findings)


def test_a_waiver_that_accepts_nothing_is_told_unless_it_is_expired_or_incomplete() -> None:
    assert [finding.rule for finding in spoilt(entity="beta").audit().findings] == [
        "C1-WAIVER-UNUSED",
        "C4-NOTE-MISSING",
    ]
    assert [finding.rule for finding in spoilt(expires="2024-01-01").audit().findings] == [
        "C1-WAIVER-EXPIRED",
        "C4-NOTE-MISSING",
    ]


def test_what_cannot_be_read_cannot_be_waived() -> None:
    parts = clean()
    parts.fact("gama.cost.fy2023")["value"] = "1,877"
    parts.tables["waivers"].append(
        {"rule": "C1-FIELD-UNREADABLE", "reason": "so what", "by": "ben", "date": "2024-12-01"}
    )
    audit = parts.audit()
    assert not audit.admitted
    assert "C1-WAIVER-UNUSED" in {finding.rule for finding in audit.findings}


def test_a_waiver_for_an_entity_does_not_accept_a_finding_about_the_whole_task() -> None:
    parts = clean()
    parts.say("licence: CC-BY-4.0", "licence: ''")
    parts.tables["waivers"].append(
        {"rule": "C1-TEXT-EMPTY", "entity": "alfa", "reason": "later", "by": "ben", "date": "2024-12-01"}
    )
    assert not parts.audit().admitted

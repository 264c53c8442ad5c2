"""Marks of notes taken for digits: what is one, and what only looks like one."""

from __future__ import annotations

import pytest

from .clean_task import clean


@pytest.mark.parametrize(
    ("printed", "scale", "value", "told"),
    [
        ("61,203", "6", "61203000000", True),
        ("6,1203", "6", "61203000000", True),
        ("6,120", "6", "6120000000", False),
        ("6,130", "6", "6130000000", False),
        ("61,203", "5", "6120300000", False),
        ("6,120.3", "6", "6120300000", False),
        ("6,120.8", "6", "6120800000", True),
        ("612,034", "6", "612034000000", False),
    ],
)
def test_a_witness_with_one_digit_more_is_told(printed: str, scale: str, value: str, told: bool) -> None:
    parts = clean()
    parts.fact("beta.revenue.fy2023.statistics").update(
        as_written=printed, scale=scale, value=value, quote=f"Beta Brewing, revenue {printed}"
    )
    parts.print_captures()
    found = parts.findings("C2-NOTE-MARK")
    assert [finding.record for finding in found] == (["beta.revenue.fy2023.statistics"] if told else [])
    if told:
        assert "6,120 of `beta-report` with one digit more" in found[0].observed


def test_a_share_before_and_after_a_split_is_no_mark() -> None:
    parts = clean()
    parts.add_fact(
        "11.93", entity="alfa", name="eps", source="alfa-report", label="Per share", scale="0", value="11.93"
    )
    parts.add_fact(
        "1.19",
        entity="alfa",
        name="eps",
        source="alfa-restated",
        label="Per share",
        scale="0",
        value="1.19",
        id="eps.2",
    )
    assert not parts.findings("C2-NOTE-MARK")


def test_a_digit_that_the_document_prints_apart_is_told() -> None:
    parts = clean()
    parts.fact("gama.cost.fy2023").update(as_written="1,877", quote="Cost of sales 1,877")
    parts.print_captures()
    assert not parts.findings("C2-NOTE-MARK")
    parts = clean()
    parts.fact("gama.cost.fy2023").update(as_written="1,8773", quote="Cost of sales 1,877 3")
    parts.print_captures()
    parts.fact("gama.cost.fy2023")["quote"] = "Cost of sales 1,8773"
    (found,) = parts.findings("C2-NOTE-MARK")
    assert found.observed == "1,8773, and the document has 1,877 with the last digit apart"

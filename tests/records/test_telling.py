"""What a release tells: a section of the changelog, and advisories for readers of older ones."""

from __future__ import annotations

from cellwright.records.bundle import SCHEMA
from cellwright.records.releases.proposal import Base, Proposal, propose
from cellwright.records.releases.telling import (
    _LONG,
    Standing,
    _shortened,
    changelog_section,
    told_corrections,
    unreleased,
    with_advisories,
    with_section,
)
from cellwright.records.releases.versions import Version
from cellwright.records.repository_rows import Advisory
from cellwright.records.rows import Correction
from tests.records.release_tables import changed, tables

V1, V2, RC1 = Version(1, 0, 0), Version(1, 1, 0), Version(1, 1, 0, 1)
FACT = Correction(id="c1", entity="a", fact="a.revenue", old="120", new="121", code="reading")
LEFT_OUT = {"u": Standing("quarantined", "two makers restated"), "v": Standing("retired")}


def corrected() -> Proposal:
    """One reference corrected, one task quarantined, one retired, one added."""
    before = tables("t", "u", "v")
    after = changed(tables("t", "w"), "cells", 0, value="121")
    return propose(Base(V1, SCHEMA, before), after, {"u": "quarantined", "v": "retired"})


def test_the_section_tells_each_change_once() -> None:
    proposal = corrected()
    told = told_corrections(proposal.comparison, {"t": [FACT]})
    assert changelog_section(V2, proposal, told, LEFT_OUT, by_hand="Thanks to all.") == (
        "## 1.1.0\n\nMinor: a score may move.\n\nThanks to all.\n\n"
        "- Added: task `w`, Title of w.\n"
        "- Quarantined: task `u`: two makers restated.\n"
        "- Retired: task `v`.\n"
        "- Corrected in `t`: `a.revenue` 120 → 121 (reading). It moves a/revenue 120 USD → 121 USD.\n"
    )


def test_a_change_that_no_correction_tells_is_told_all_the_same() -> None:
    proposal = corrected()
    assert "- Changed in `t`: a/revenue 120 USD → 121 USD.\n" in changelog_section(V2, proposal, (), LEFT_OUT)


def test_where_nothing_is_scored_otherwise_the_section_says_so() -> None:
    proposal = propose(Base(V1, SCHEMA, tables()), tables(), {})
    assert changelog_section(Version(1, 0, 1), proposal, (), {}).endswith("- Nothing that is scored has changed.\n")


def test_the_section_comes_on_top_in_the_place_of_what_was_not_released() -> None:
    before = "# Ours\n\nWords.\n\n## Unreleased\n\n- by hand\n\n## 1.0.0\n\nold\n"
    assert unreleased(before) == "- by hand"
    assert with_section(before, "x", "## 1.1.0\n\nnew\n", "1.1.0") == (
        "# Ours\n\nWords.\n\n## 1.1.0\n\nnew\n\n## 1.0.0\n\nold\n"
    )
    assert with_section("", "x", "## 1.1.0\n\nnew\n", "1.1.0") == "# Changelog of x\n\n## 1.1.0\n\nnew\n"
    assert (
        with_section("# Changelog of x\n", "x", "## 1.1.0\n\nnew\n", "1.1.0") == "# Changelog of x\n\n## 1.1.0\n\nnew\n"
    )


def test_a_corrected_cell_and_a_quarantined_task_have_a_line_each() -> None:
    proposal = corrected()
    known = [Advisory(id="A7", kind="yanked", version="1.0.0", because="x")]
    told = told_corrections(proposal.comparison, {"t": [FACT]})
    rows = with_advisories(known, V2, proposal, told, LEFT_OUT)
    assert rows[0] == known[0]
    assert [(row.id, row.kind, row.version, row.task, row.entity) for row in rows[1:]] == [
        ("A8", "corrected", "1.1.0", "t", "a"),
        ("A9", "quarantined", "1.1.0", "u", ""),
    ]
    assert rows[1].because == "`a.revenue` 120 → 121 (reading)"


def test_what_a_candidate_told_is_not_told_again_by_the_version_itself() -> None:
    proposal = corrected()
    told = told_corrections(proposal.comparison, {"t": [FACT]})
    first = with_advisories([], RC1, proposal, told, LEFT_OUT)
    assert with_advisories(first, V2, proposal, told, LEFT_OUT) == first


def test_a_first_release_has_nobody_to_warn() -> None:
    proposal = propose(None, tables(), {})
    assert with_advisories([], V1, proposal, (), LEFT_OUT) == []


def test_a_correction_that_moves_no_reference_warns_nobody() -> None:
    proposal = propose(Base(V1, SCHEMA, tables()), tables(), {})
    told = told_corrections(proposal.comparison, {"t": [FACT]})
    assert with_advisories([], V2, proposal, told, {}) == []
    assert "(reading). No reference moves." in changelog_section(V2, proposal, told, {})


def test_a_long_number_is_told_as_people_read_it() -> None:
    shown = [
        _LONG.sub(_shortened, text) for text in ("54.15993265993265993 percent", "1234567.891234", "-0.000123456789")
    ]
    assert shown == ["54.1599 percent", "1234568", "-0.000123457"]
    assert _LONG.sub(_shortened, "58400000000 USD") == "58400000000 USD"

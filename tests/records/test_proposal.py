"""The version that a release asks for follows from what changed, and says why in words."""

from __future__ import annotations

import pytest

from cellwright.records.bundle import SCHEMA
from cellwright.records.errors import NotSettled
from cellwright.records.releases.proposal import Base, Proposal, check_version, propose
from cellwright.records.releases.versions import Version
from tests.records.release_tables import RULE, Tables, changed, finished, tables

V1 = Version(1, 4, 2)
NONE: dict[str, str] = {}


def proposed(after: Tables, before: Tables | None = None, standing: dict[str, str] | None = None) -> Proposal:
    return propose(Base(V1, SCHEMA, before or tables()), after, standing or NONE)


def without(made: Tables, entity: str) -> Tables:
    rows = {name: [row for row in rows if row.get("entity") != entity] for name, rows in made.items()}
    return finished(rows)


NOT_AVAILABLE = {"answer_type": "not_available", "value": ""}
CASES = [
    ("nothing", tables(), "1.4.3", ""),
    ("a note", changed(tables(), "cells", 0, note="as first reported"), "1.4.3", ""),
    ("a quote", changed(tables(), "facts", 0, quote="Revenue of 120"), "1.4.3", ""),
    ("a tier", changed(tables(), "cells", 0, agreement="divergent"), "1.4.3", ""),
    ("a reference", changed(tables(), "cells", 0, value="121"), "1.5.0", "1 cell changed: `t` a/revenue"),
    ("an ask", changed(tables(), "cells", 1, ask="Net revenue."), "1.5.0", "1 cell changed: `t` b/revenue"),
    (
        "a tolerance",
        changed(tables(), "cells", 0, rule=RULE.replace('"0.01"', '"0.02"')),
        "1.5.0",
        "1 cell changed: `t` a/revenue",
    ),
    (
        "an input of a derivation",
        changed(tables(), "facts", 0, as_written="120.0"),
        "1.5.0",
        "a sound derivation must show something else: `t` a/revenue",
    ),
    ("a name", changed(tables(), "entities", 0, name="Alpha"), "1.5.0", "the prompt reads otherwise: `t`"),
    ("a task more", tables("t", "u"), "1.5.0", "1 task added: `u`"),
    ("a cell less", without(tables(), "b"), "1.5.0", "1 cell removed: `t` b/revenue"),
    (
        "another kind of tolerance",
        changed(tables(), "cells", 0, rule=RULE.replace("relative", "absolute", 1)),
        "2.0.0",
        "graded otherwise, precise, relative tolerance → precise, absolute tolerance: `t` a/revenue",
    ),
    (
        "another answer type",
        changed(tables(), "cells", 0, **NOT_AVAILABLE),
        "2.0.0",
        "graded otherwise, precise, relative tolerance → not available, relative tolerance: `t` a/revenue",
    ),
    (
        "comparability",
        changed(tables(), "tasks", 0, comparability="2"),
        "2.0.0",
        "`t` says by `comparability` 1 → 2 that scores cannot be compared",
    ),
]


@pytest.mark.parametrize(("name", "after", "version", "reason"), CASES, ids=[case[0] for case in CASES])
def test_what_changed_asks_for_a_version_and_says_why(name: str, after: Tables, version: str, reason: str) -> None:
    found = proposed(after)
    assert str(found.version) == version
    texts = [item.text for item in found.reasons if item.level is found.level]
    assert texts[:1] == ([reason] if reason else [])


@pytest.mark.parametrize("word", ["quarantined", "retired", "removed"])
def test_a_task_that_is_gone_is_told_by_where_it_stands(word: str) -> None:
    standing = {"u": word} if word != "removed" else NONE
    found = proposed(tables("t"), tables("t", "u"), standing)
    assert str(found.version) == "1.5.0"
    assert found.reasons[0].text == f"1 task {word}: `u`"


def test_another_layout_of_the_bundle_is_major_whatever_its_cells_say() -> None:
    found = propose(Base(V1, SCHEMA + 1, None), tables(), NONE)
    assert str(found.version) == "2.0.0"
    assert "the bundle's layout is schema" in found.reasons[0].text


def test_a_near_miss_that_only_the_tool_computes_moves_no_score() -> None:
    row = {"task": "t", "entity": "a", "dimension": "revenue", "near_miss": "x", "inputs": '["b.revenue"]'}
    for origin, version in (("computed", "1.4.3"), ("curated", "1.5.0")):
        after = finished({**tables(), "near_misses": [{**row, "origin": origin}]})
        assert str(proposed(after).version) == version, origin


def test_many_cells_are_named_and_the_rest_counted() -> None:
    names = [f"t{number:02}" for number in range(20)]
    (reason,) = proposed(tables("t", *names)).reasons
    assert reason.text.startswith("20 tasks added: `t00`, `t01`, ")
    assert reason.text.endswith("`t07` and 12 more")


def test_a_first_release_is_1_0_0_and_any_version_may_be_taken() -> None:
    first = propose(None, tables(), NONE)
    assert (str(first.version), first.level) == ("1.0.0", None)
    check_version(Version(0, 1, 0), first, None)


@pytest.mark.parametrize(
    ("wanted", "last", "says"),
    [
        ("1.4.3", "1.4.2", "1.4.3 is too low.*expected 1.5.0 or higher, since 1 cell changed"),
        ("1.4.3-rc1", "1.4.2", "1.4.3-rc1 is too low"),
        ("1.4.2", "1.4.2", "does not come after 1.4.2"),
        ("1.5.0-rc1", "1.5.0-rc2", "does not come after 1.5.0-rc2"),
    ],
)
def test_a_version_that_tells_too_little_is_refused(wanted: str, last: str, says: str) -> None:
    found = proposed(changed(tables(), "cells", 0, value="121"))
    with pytest.raises(NotSettled, match=says):
        check_version(Version.parse(wanted), found, Version.parse(last))


@pytest.mark.parametrize("wanted", ["1.5.0", "1.5.0-rc3", "1.6.0", "2.0.0"])
def test_the_version_proposed_its_candidate_and_a_higher_one_are_taken(wanted: str) -> None:
    found = proposed(changed(tables(), "cells", 0, value="121"))
    check_version(Version.parse(wanted), found, Version.parse("1.5.0-rc2" if wanted == "1.5.0" else "1.4.2"))

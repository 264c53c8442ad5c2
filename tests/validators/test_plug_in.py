"""What a plug-in's rule may do to an audit: add findings, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import repeat
from typing import Any

import pytest

from cellwright.records.errors import Place
from cellwright.records.findings import Condition
from cellwright.validators.context import AuditContext
from cellwright.validators.plug_in import MAX_HITS, accept, plug_in_rule
from cellwright.validators.registry import Hit, Rule

from .clean_task import clean

HERE = Place("tasks/x/task.yaml", 1)


class _Silent(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


def _raises(error: BaseException) -> Callable[[AuditContext], Iterator[Hit]]:
    def check(context: AuditContext) -> Iterator[Hit]:
        yield Hit(HERE, "seen first", "nothing")
        raise error

    return check


def plugged(check: Any, severity: Any = "warning") -> Rule:
    """The check as the loader hands it in."""
    made = plug_in_rule("C4-X-OURS", Condition.RECONCILED, title="Ours.", severity=severity)(check)
    rules, problems = accept([("ours 1.0", "rules", made)], [])
    assert problems == ()
    return rules[0]


RUBBISH = [
    ("nothing", lambda context: None, "nothing instead of hits"),
    ("a number", lambda context: 5, "type int instead of hits"),
    ("a text", lambda context: "hits", "type str instead of hits"),
    ("texts", lambda context: ["hit"], "type str instead of a Hit"),
    ("a hit without place", lambda context: [Hit("x")], "instead of a Place"),  # type: ignore[arg-type]
    ("a hit that says a number", lambda context: [Hit(HERE, 5)], "is text"),  # type: ignore[arg-type]
    ("a hit at line 0", lambda context: [Hit(Place("f", 0), "x", "y")], "line a whole number"),
    ("fields that are none", lambda context: [Hit(HERE, "x", "y", fields="xy")], "tuple of names"),  # type: ignore[arg-type]
    ("no end", lambda context: repeat(Hit(HERE, "x", "y")), f"more than {MAX_HITS:,}"),
    ("a wish to stop", _raises(SystemExit(0)), "it raised SystemExit"),
    ("an error without words", _raises(_Silent()), "it cannot say why"),
    ("deep recursion", lambda context: _deep(), "RecursionError"),
    ("a class", list, "TypeError"),
    ("nothing for a hit", lambda context: [None], "nothing instead of a Hit"),
]


def _deep() -> Iterator[Hit]:
    return _deep()


@pytest.mark.parametrize(("check", "says"), [item[1:] for item in RUBBISH], ids=[item[0] for item in RUBBISH])
def test_a_rule_that_gives_rubbish_is_a_finding_and_every_other_rule_runs(check: Any, says: str) -> None:
    parts = clean()
    parts.cell("alfa", "gross_margin")["note"] = ""
    parts.extra = [plugged(check)]
    audit = parts.audit()
    rules = [finding.rule for finding in audit.findings]
    assert rules.count("C4-RULE-BROKEN") == 1
    assert "C4-NOTE-MISSING" in rules
    broken = next(finding for finding in audit.findings if finding.rule == "C4-RULE-BROKEN")
    assert "C4-X-OURS" in broken.observed
    assert says in broken.observed
    assert audit.counts["rules_skipped"] == 1


def test_what_it_found_before_it_broke_stays() -> None:
    parts = clean()
    parts.extra = [plugged(_raises(ValueError("x")))]
    assert [finding.observed for finding in parts.audit().findings if finding.rule == "C4-X-OURS"] == ["seen first"]


def test_what_it_changes_in_the_context_nobody_else_sees() -> None:
    def check(context: AuditContext) -> Iterator[Hit]:
        context.folder = replace(context.folder, facts=(), cells=(), waivers=())
        context.evidence = {}
        context.used_waivers = frozenset(range(9))
        return iter(())

    parts = clean()
    parts.tables["waivers"].append({"rule": "C4-NOTE-MISSING", "reason": "r", "by": "ben", "date": "2024-12-01"})
    before = parts.audit()
    parts.extra = [plugged(check)]
    after = parts.audit()
    assert after.findings == before.findings
    assert {**after.counts, "rules_checked": 0} == {**before.counts, "rules_checked": 0}


def test_an_error_of_its_own_keeps_the_task_out_and_a_draft_is_asked_as_it_says() -> None:
    parts = clean()
    parts.extra = [plugged(lambda context: [Hit(HERE, "x", "y")], "error")]
    assert not parts.audit().admitted
    assert parts.audit().conditions[Condition.RECONCILED] == "failed"


def test_long_words_are_cut() -> None:
    parts = clean()
    parts.extra = [plugged(lambda context: [Hit(HERE, "x" * 100_000, "y")])]
    assert len(parts.audit().findings[0].observed) == 1000


def test_a_rule_reads_its_thresholds_from_the_context() -> None:
    made = plug_in_rule("C1-X-LIMIT", Condition.COMPLETE, title="Ours.", thresholds={"most": Decimal(3)})(
        lambda context: iter([Hit(HERE, str(context.settings["most"]), "y")])
    )
    parts = clean()
    parts.extra = list(accept([("ours 1.0", "rules", [made])], [])[0])
    assert parts.audit().findings[0].observed == "3"


@pytest.mark.parametrize(
    "rule_id", ["C4-OURS", "C4-X", "C5-X-OURS", "C4-X-ours", "X-OURS", "C4-X-", "C4-X-A" + "A" * 90]
)
def test_an_id_that_a_plug_in_may_not_have_is_refused_when_it_is_written_down(rule_id: str) -> None:
    with pytest.raises(ValueError, match="C4-X-WORDS-IN-CAPITALS"):
        plug_in_rule(rule_id, Condition.RECONCILED, title="Ours.")(lambda context: iter(()))

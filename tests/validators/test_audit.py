"""The audit as a whole: what is told, what is not checked, and that nothing hides anything else."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from decimal import Decimal

import pytest

from cellwright.records.findings import Condition
from cellwright.validators.audit import AuditInput, all_rules, audit_tasks, computed_near_misses
from cellwright.validators.context import AuditContext
from cellwright.validators.evidence import Evidence
from cellwright.validators.registry import Hit, Rule, RuleInfo, rule

from .clean_task import Parts, clean


def rules_of(parts: Parts, *, draft: bool = False) -> list[str]:
    return sorted({finding.rule for finding in parts.audit(draft=draft).findings})


def test_a_clean_task_is_admitted_without_a_single_finding() -> None:
    audit = clean().audit()
    assert [finding.model_dump() for finding in audit.findings] == []
    assert audit.admitted
    assert set(audit.conditions.values()) == {"met"}
    assert set(audit.conditions) == set(Condition)
    assert audit.cells == 12


def test_the_same_files_give_the_same_audit() -> None:
    assert clean().audit() == clean().audit()


def test_each_condition_has_at_least_three_rules() -> None:
    for condition in Condition:
        own = [info for info in all_rules() if info.condition is condition and not info.id.endswith("RULE-BROKEN")]
        assert len(own) >= 3


def test_counts_say_what_was_checked_and_what_was_not() -> None:
    counts = clean().audit().counts
    assert counts["rules_checked"] == sum(info.needs != "tasks" for info in all_rules())
    assert counts["rules_skipped"] == 0
    assert (
        counts["cells_consistent"],
        counts["cells_divergent"],
        counts["cells_single"],
        counts["cells_not_available"],
    ) == (3, 2, 6, 1)
    assert (counts["inputs"], counts["inputs_corroborated"]) == (19, 11)
    assert (counts["checks_run"], counts["checks_skipped"]) == (1, 2)
    assert (counts["near_misses"], counts["near_misses_not_worked_out"]) == (8 + 2, 0)


def test_difficulty_without_pilots_is_told_as_not_checked() -> None:
    assert clean().audit().counts["difficulty_checked"] == 0
    parts = clean()
    parts.tables["pilots"].append({"run": "r1", "entity": "beta", "dimension": "gross_margin", "score": "0.5"})
    assert parts.audit().counts["difficulty_checked"] == 1


def test_a_missing_column_and_a_bad_value_in_one_table_are_both_told() -> None:
    parts = clean()
    parts.columns["facts"] = [name for name in parts.tables["facts"][0] if name != "source"]
    parts.fact("beta.cost.fy2023")["value"] = "4,590"
    assert {"C1-COLUMN-MISSING", "C1-FIELD-UNREADABLE"} <= set(rules_of(parts))


def test_an_unreadable_row_is_a_finding_and_the_rest_is_audited_all_the_same() -> None:
    parts = clean()
    parts.tables["cells"].append({"entity": "1-Mar", "dimension": "gross_margin"})
    parts.row("sources", id="statistics")["tier_reason"] = ""
    assert rules_of(parts) == ["C1-FIELD-UNREADABLE", "C2-TIER-REASON"]


def test_a_finding_says_file_line_record_and_field() -> None:
    parts = clean()
    parts.fact("gama.cost.fy2023")["value"] = "1,877"
    found = parts.findings("C1-FIELD-UNREADABLE")
    assert [(item.file, item.line, item.record, item.fields, item.observed) for item in found] == [
        ("tasks/breweries-2023/facts.csv", 14, "gama.cost.fy2023", ("value",), "1,877")
    ]
    assert "plain number" in found[0].expected


def test_a_spreadsheet_date_in_the_place_of_an_id_is_told_as_one() -> None:
    parts = clean()
    parts.fact("gama.cost.fy2023")["entity"] = "1-Mar"
    assert "spreadsheet" in parts.findings("C1-FIELD-UNREADABLE")[0].fix


def test_one_failing_rule_hides_no_other() -> None:
    parts = clean()
    parts.say("expr: profit / revenue}", "expr: profit / turnover}")
    parts.cell("gama", "research_share")["reason_code"] = ""
    parts.row("sources", id="statistics")["tier"] = ""
    assert {"C2-TIER-MISSING", "C3-REPLAY", "C4-ABSENCE-REASON"} <= set(rules_of(parts))


def test_a_cell_that_does_not_replay_is_told_once_with_the_sentence_that_says_why() -> None:
    parts = clean()
    parts.tables["facts"].remove(parts.fact("beta.research.fy2023"))
    found = parts.findings("C3-REPLAY")
    assert [item.record for item in found] == ["beta/research_share"]
    assert "`research`" in found[0].observed


def test_a_rule_that_breaks_is_a_finding_of_its_condition_and_fails_it() -> None:
    def check(context: AuditContext) -> Iterator[Hit]:
        yield Hit(context.task.place("title"), "seen before it broke", "nothing")
        raise ZeroDivisionError("in a plug-in")

    parts = clean()
    parts.extra = [Rule(RuleInfo("C4-X-PLUGIN", Condition.RECONCILED, "warning", "A rule."), check)]
    audit = parts.audit()
    assert [finding.rule for finding in audit.findings] == ["C4-RULE-BROKEN", "C4-X-PLUGIN"]
    assert "ZeroDivisionError: in a plug-in" in audit.findings[0].observed
    assert audit.conditions[Condition.RECONCILED] == "failed"
    assert audit.conditions[Condition.DERIVED] == "met"
    assert audit.counts["rules_checked"] == sum(info.needs != "tasks" for info in all_rules())


class Stubborn(Exception):
    """An error that cannot even say what it is."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (RecursionError("too deep"), "RecursionError: too deep"),
        (MemoryError(), "MemoryError: "),
        (SystemExit(3), "SystemExit: 3"),
        (GeneratorExit(), "GeneratorExit: "),
        (Stubborn(), "Stubborn: it cannot say why"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_whatever_a_rule_raises_halfway_is_told_and_the_rest_goes_on(error: BaseException, told: str) -> None:
    def check(context: AuditContext) -> Iterator[Hit]:
        yield Hit(context.task.place("title"), "seen before it broke", "nothing")
        raise error

    parts = clean()
    parts.cell("beta", "gross_margin")["agreement"] = ""
    parts.extra = [Rule(RuleInfo("C1-X-PLUGIN", Condition.COMPLETE, "warning", "A rule."), check)]
    audit = parts.audit()
    assert [finding.rule for finding in audit.findings] == ["C1-RULE-BROKEN", "C1-X-PLUGIN", "C4-LABEL-MISSING"]
    assert audit.findings[0].observed.strip() == f"C1-X-PLUGIN broke: {told}".strip()


def test_a_person_who_stops_the_audit_stops_it() -> None:
    def check(context: AuditContext) -> Iterator[Hit]:
        raise KeyboardInterrupt

    parts = clean()
    parts.extra = [Rule(RuleInfo("C1-X-PLUGIN", Condition.COMPLETE, "warning", "A rule."), check)]
    with pytest.raises(KeyboardInterrupt):
        parts.audit()


@pytest.mark.parametrize("given", [None, ["no hit"], [Hit("no place")]], ids=["nothing", "text", "placeless"])  # type: ignore[arg-type]
def test_a_rule_that_gives_something_else_than_hits_has_broken(given: object) -> None:
    parts = clean()
    info = RuleInfo("C1-X-PLUGIN", Condition.COMPLETE, "warning", "A rule.")
    parts.extra = [Rule(info, lambda context: given)]  # type: ignore[arg-type,return-value]
    assert [finding.rule for finding in parts.audit().findings] == ["C1-RULE-BROKEN"]


def test_a_draft_is_never_admitted_and_passes_when_nothing_stands_against_it() -> None:
    parts = clean()
    audit = parts.audit(draft=True)
    assert (audit.admitted, audit.passed, audit.verdict) == (False, True, "draft")
    parts.cell("beta", "gross_margin")["reviewer"] = "ana"
    assert (parts.audit(draft=True).passed, parts.audit().verdict) == (False, "not admitted")


def test_documents_are_let_go_before_the_next_task_is_audited() -> None:
    made: list[weakref.ref[Held]] = []

    class Held(dict[str, Evidence]):
        """Captures that can be watched."""

    def inputs() -> Iterator[AuditInput]:
        for _ in range(4):
            parts = clean()
            held = Held(parts.evidence)
            made.append(weakref.ref(held))
            yield AuditInput(parts.folder(), held, parts.read_profile())

    alive = []
    for _ in audit_tasks(inputs()):
        gc.collect()
        alive.append([reference() is not None for reference in made])
    for place, still in enumerate(alive):
        assert not any(still[:place])


def test_a_plug_in_adds_rules_and_takes_none_away() -> None:
    parts = clean()
    parts.extra = [Rule(RuleInfo("C2-QUOTE-ABSENT", Condition.SOURCED, "warning", "Mine."), lambda context: iter(()))]
    with pytest.raises(ValueError, match="C2-QUOTE-ABSENT"):
        parts.audit()


def test_a_task_that_cannot_be_replayed_at_all_has_conditions_that_are_not_checked() -> None:
    parts = clean()
    parts.say("assumptions:", "units: {keg: nonsense}\nassumptions:")
    audit = parts.audit()
    assert audit.conditions[Condition.DERIVED] == "failed"
    assert audit.conditions[Condition.RECONCILED] == "not checked"
    assert audit.conditions[Condition.SCORABLE] == "not checked"
    assert audit.conditions[Condition.SOURCED] == "met"
    assert not audit.admitted
    assert audit.counts["rules_skipped"] > 10
    assert [finding.rule for finding in audit.findings if finding.severity == "error"] == ["C3-REPLAY"]


def test_in_a_draft_what_is_not_there_yet_is_a_warning() -> None:
    parts = clean()
    parts.tables["cells"] = []
    parts.tables["searches"] = []
    for source in parts.tables["sources"]:
        source["capture"] = ""
    parts.evidence = {}
    assert {finding.severity for finding in parts.audit(draft=True).findings} == {"warning"}
    assert not parts.audit().admitted


def test_in_a_draft_what_is_wrong_stays_an_error() -> None:
    parts = clean()
    parts.fact("gama.cost.fy2023")["scale"] = "3"
    errors = {finding.rule for finding in parts.audit(draft=True).findings if finding.severity == "error"}
    assert "C2-VALUE-MISMATCH" in errors


def test_a_capture_that_is_not_here_is_told_as_missing_and_not_as_unusable() -> None:
    parts = clean()
    parts.change_evidence("statistics", sha256="", text="", problem="the capture is not here; `dvc pull` brings it")
    assert rules_of(parts) == ["C2-CAPTURE-MISSING"]
    parts.change_evidence("statistics", problem="the capture cannot be read")
    assert rules_of(parts) == ["C2-CAPTURE-UNUSABLE"]


def test_many_tasks_in_one_pass_get_the_audits_that_each_gets_alone() -> None:
    spoilt = clean()
    spoilt.fact("gama.cost.fy2023")["value"] = "1,877"
    spoilt.tables["cells"].append(dict(spoilt.cell("beta", "gross_margin")))
    all_parts = [clean(), spoilt, clean()]
    inputs = [AuditInput(parts.folder(), parts.evidence, parts.read_profile()) for parts in all_parts]
    assert list(audit_tasks(inputs)) == [parts.audit() for parts in all_parts]


def test_the_other_answers_of_divergent_cells_are_near_misses() -> None:
    misses = [
        miss
        for miss in computed_near_misses(clean().context())
        if (miss.entity, miss.dimension) == ("alfa", "gross_margin")
    ]
    assert [miss.id for miss in misses] == ["markup", "witness_alfa_cost_fy2023_alfa_restated"]
    assert round(misses[1].value or 0, 2) == Decimal("36.73")  # (8412 - 5322) / 8412


def test_no_rule_can_be_written_down_twice_or_under_another_condition_s_name() -> None:
    with pytest.raises(ValueError, match="twice"):
        rule("C2-QUOTE-ABSENT", Condition.SOURCED, title="Again.")(lambda context: iter(()))
    with pytest.raises(ValueError, match="C4-WORDS"):
        rule("C2-OTHER", Condition.RECONCILED, title="Misplaced.")(lambda context: iter(()))


def test_a_finding_in_task_yaml_says_the_line_and_the_key() -> None:
    parts = clean()
    parts.say("claim: 33% above", "claim: 34% below")
    found = parts.findings("C5-CLAIM-WRONG")[0]
    assert (found.file, found.record, found.fields) == (
        "tasks/breweries-2023/task.yaml",
        "beta/gross_margin",
        ("near_misses",),
    )
    assert "claim: 34% below" in parts.task.splitlines()[(found.line or 0) - 1]

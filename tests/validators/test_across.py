"""Tasks compared with one another: what is told, and what is not."""

from __future__ import annotations

import pytest

from cellwright.records.findings import Finding
from cellwright.validators.across import Tasks, across_rule, found_across, with_across
from cellwright.validators.identity import Identities
from cellwright.validators.summaries import EntityInShort, contents_of, pack, summary_of, task_in_short

from .across_cases import ACROSS_CASES, OTHER_QUESTIONS, identify, other_revenue, second
from .clean_task import Parts, clean

ACROSS = tuple(sorted(ACROSS_CASES))


def found(parts: Parts) -> list[Finding]:
    return [finding for finding in parts.audit().findings if finding.rule in ACROSS]


def rules(parts: Parts) -> set[str]:
    return {finding.rule for finding in parts.audit().findings}


def test_two_tasks_with_the_same_figures_and_other_questions_are_told_nothing() -> None:
    parts = clean()
    parts.beside = [second()]
    assert parts.audit().findings == ()
    assert parts.audit().counts["tasks_compared"] == 1


def test_a_finding_names_both_places_and_both_values() -> None:
    parts = clean()
    other_revenue(parts)
    (finding,) = found(parts)
    line = next(fact.line for fact in parts.folder().facts if fact.id == "gama.revenue.fy2023")
    assert (finding.file, finding.line) == ("tasks/breweries-2023/facts.csv", line)
    assert finding.observed == (
        f"2903000000 EUR; 2930000000 EUR in tasks/breweries-again/facts.csv:{line} (`gama.revenue.fy2023`)"
    )
    assert finding.expected == "one value for revenue of Gama Brewing, 2023-01-01/2023-12-31"


def test_both_tasks_get_the_finding() -> None:
    one = clean()
    other = other_revenue(one)
    other.tables["facts"].remove(other.fact("gama.revenue.fy2023.statistics"))  # which tells what the first one has
    packed = {parts.name: summary_of(parts.folder()) for parts in (one, other)}
    told = found_across(Tasks(packed), list(packed))
    assert [finding.rule for listed in told.values() for finding in listed] == ["C4-TASKS-DIFFER"] * 2


@pytest.mark.parametrize(
    "changes",
    [
        {"basis": "restated"},
        {"scope": "segment"},
        {"period": "FY2022", "id": "gama.revenue.other"},
        {"unit": "USD"},
        {"name": "turnover"},
        {"entity": "*"},
        {"rank": "witness"},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_what_is_another_thing_is_no_contradiction(changes: dict[str, str]) -> None:
    parts = clean()
    other = other_revenue(parts, **changes)
    if "period" in changes:  # the other year's own figure is not to be there twice
        other.tables["facts"].remove(other.fact("gama.revenue.fy2022"))
        parts.tables["facts"].remove(parts.fact("gama.revenue.fy2022"))
    assert not rules(parts) & {"C4-TASKS-DIFFER", "C4-TASKS-CONTRADICT"}


def test_figures_written_to_another_precision_agree() -> None:
    parts = clean()
    other_revenue(parts, scale="9").fact("gama.revenue.fy2023").update(as_written="2.9", value="2900000000")
    assert found(parts) == []


def test_figures_that_differ_in_the_last_digit_do_not_agree() -> None:
    parts = clean()
    other_revenue(parts).fact("gama.revenue.fy2023").update(as_written="2,904", value="2904000000")
    assert rules(parts) == {"C4-TASKS-DIFFER"}


def test_periods_are_compared_by_their_dates_and_not_by_their_labels() -> None:
    parts = clean()
    other = other_revenue(parts)
    other.task = other.task.replace("FY2023", "Year")
    for row in other.tables["facts"]:
        row["period"] = row["period"].replace("FY2023", "Year")
    assert rules(parts) == {"C4-TASKS-DIFFER"}
    other.say("Year: {default: 2023-01-01/2023-12-31}", "Year: {default: 2023-02-01/2024-01-31}")
    assert found(parts) == []


def test_a_task_that_holds_the_other_figure_as_a_witness_has_judged_it() -> None:
    parts = clean()
    other_revenue(parts)
    parts.add_fact("2,930", entity="gama", name="revenue", source="gama-report", label="Revenue, restated", id="later")
    assert "C4-TASKS-DIFFER" not in rules(parts)


def test_rows_of_different_names_are_no_contradiction_of_one_document() -> None:
    parts = clean()
    other = other_revenue(parts, row="Net sales")
    other.row("sources", id="gama-report")["url"] = parts.row("sources", id="gama-report")["url"]
    parts.fact("gama.revenue.fy2023")["row"] = "Revenue"
    assert rules(parts) == {"C4-TASKS-DIFFER"}
    parts.fact("gama.revenue.fy2023")["row"] = "Net  Sales:"
    assert rules(parts) - {"C2-PLACE-WRONG"} == {"C4-TASKS-CONTRADICT"}


@pytest.mark.parametrize("status", ["retired", "quarantined"])
def test_a_task_that_is_out_of_the_benchmark_is_not_compared_with(status: str) -> None:
    parts = clean()
    other = other_revenue(parts)
    other.say("status: draft\n" if "status: draft\n" in other.task else "contributors: [ana]\n",
              f"contributors: [ana]\nstatus: {status}\nstatus_reason: replaced\n")  # fmt: skip
    assert found(parts) == []


@pytest.mark.parametrize("question", range(0, len(OTHER_QUESTIONS), 2))
def test_a_question_in_the_same_words_is_asked_twice(question: int) -> None:
    old, new = OTHER_QUESTIONS[question]
    parts = clean()
    other = second()
    if question < len(OTHER_QUESTIONS) - 1:
        other.say(new, old)
    else:  # the assumption makes the scenario another question
        other.say(new, old)
    parts.beside = [other]
    assert rules(parts) == {"C5-CELL-ASKED-TWICE"}


def test_a_derivation_from_the_same_facts_is_asked_twice_whatever_the_words() -> None:
    parts = clean()
    other = second()
    other.say('expr: "sum(revenue, revenue[-1])"}', "expr: revenue}")
    parts.beside = [other]
    told = found(parts)
    assert {finding.rule for finding in told} == {"C5-CELL-ASKED-TWICE"}
    assert {finding.record for finding in told} == {f"{name}/total_revenue" for name in ("alfa", "beta", "gama")}


def test_the_same_derivation_from_another_vintage_is_another_question() -> None:
    parts = clean()
    other = other_revenue(parts)
    other.say('expr: "sum(revenue, revenue[-1])"}', "expr: revenue}")
    asked = [finding.record for finding in found(parts) if finding.rule == "C5-CELL-ASKED-TWICE"]
    assert asked == ["alfa/total_revenue", "beta/total_revenue"]


def test_a_rank_among_others_is_another_question() -> None:
    rank = ("answer, expr: revenue}", 'answer, expr: "rank(revenue, all.revenue, descending)"}')
    parts = clean()
    parts.say(*rank)
    other = second()
    other.say("ask: Revenue, in words of its own.", OTHER_QUESTIONS[0][0])
    other.say('answer, expr: "sum(revenue, revenue[-1])"}', rank[1])
    parts.beside = [other]
    assert "C5-CELL-ASKED-TWICE" in rules(parts)
    other.say("name: Gama Brewing AG", "name: Gamma Ales")
    assert "C5-CELL-ASKED-TWICE" not in rules(parts)


@pytest.mark.parametrize(
    ("mine", "theirs", "differ"),
    [
        ("ticker: BETA", "ticker: beta", False),
        ("ticker: BETA.DE", "ticker: 4711.HK", False),
        ("ticker: 'XETRA:BETA'", "ticker: 'XETRA:BTA'", True),
        ("lei: 529900A", "lei: 529900B", True),
        ("isin: DE0001", "isin: US0001", False),
        ("isin: DE0001", "isin: DE0002", True),
        ("cik: '0000320193'", "cik: '320193'", False),
        ("exchange: XETRA", "exchange: NYSE", False),
        ("lei: 529900A", "ticker: BETA", False),
    ],
)
def test_identifiers_of_one_kind_are_the_same_in_every_task(mine: str, theirs: str, differ: bool) -> None:
    parts, other = clean(), second()
    identify(parts, "beta", mine)
    identify(other, "beta_ag", theirs)
    parts.beside = [other]
    assert ("C1-IDENTITY-DIFFERS" in rules(parts)) is differ is bool(found(parts))


def test_one_id_with_identifiers_that_contradict_is_told_though_the_names_differ() -> None:
    parts, other = clean(), second()
    other.task = other.task.replace("beta_ag", "beta").replace("Beta Brewing AG", "Beta Airlines")
    for row in (*other.tables["facts"], *other.tables["cells"]):
        row["entity"] = row["entity"].replace("beta_ag", "beta")
    identify(parts, "beta", "lei: 529900A")
    identify(other, "beta", "lei: 529900B")
    parts.beside = [other]
    assert rules(parts) == {"C1-IDENTITY-DIFFERS"}


def entity(name: str, **identifiers: str) -> EntityInShort:
    return EntityInShort(name, name, (name,), tuple(identifiers.items()), 1)


def test_entities_are_one_by_identifier_first_and_by_name_where_none_speaks_against_it() -> None:
    members = [
        ("a", entity("apple", ticker="AAPL")),
        ("b", entity("aapl", ticker="AAPL", cik="320193")),
        ("c", entity("apple inc", CIK="0000320193")),
        ("d", entity("apple")),
        ("e", entity("apple", ticker="APLE")),
        ("e", entity("apple records")),
    ]
    for order in (members, members[::-1]):
        known = Identities(order)
        numbers = [known.cluster_of[task, one.id] for task, one in members]
        assert numbers[0] == numbers[1] == numbers[2] == numbers[3]
        assert len({*numbers[3:]}) == 3


def test_a_waiver_accepts_a_finding_of_two_tasks_and_one_that_accepts_nothing_is_told() -> None:
    parts = clean()
    other_revenue(parts)
    waiver = {"rule": "C4-TASKS-DIFFER", "entity": "gama", "reason": "two editions", "by": "ben", "date": "2024-12-01"}
    parts.tables["waivers"].append(waiver)
    (finding,) = parts.audit().findings
    assert finding.waived == "two editions (ben)"
    parts.beside = [second()]
    (finding,) = parts.audit().findings
    assert (finding.rule, finding.file) == ("C1-WAIVER-UNUSED", "tasks/breweries-2023/waivers.csv")


def test_the_errors_keep_a_task_from_being_admitted_and_the_warnings_do_not() -> None:
    for rule, admitted in (("C4-TASKS-CONTRADICT", False), ("C4-TASKS-DIFFER", True)):
        parts = clean()
        ACROSS_CASES[rule](parts)
        audit = parts.audit()
        assert audit.admitted is admitted
        assert audit.conditions["reconciled"] == ("met" if admitted else "failed")  # type: ignore[index]


def test_a_rule_over_several_tasks_that_breaks_is_told_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from cellwright.validators import across

    def broken(tasks: Tasks) -> object:
        raise RecursionError("round and round")

    info, _ = across._CHECKS["C5-CELL-ASKED-TWICE"]
    monkeypatch.setitem(across._CHECKS, "C5-CELL-ASKED-TWICE", (info, broken))
    parts = clean()
    other_revenue(parts)
    told = {finding.rule: finding.observed for finding in parts.audit().findings}
    assert told.keys() == {"C4-TASKS-DIFFER", "C5-RULE-BROKEN"}
    assert told["C5-RULE-BROKEN"] == "C5-CELL-ASKED-TWICE broke: RecursionError: round and round"


def test_a_summary_is_the_same_packed_and_unpacked() -> None:
    data = summary_of(second().folder())
    assert pack(task_in_short(data), contents_of(data)) == data


@pytest.mark.parametrize("data", [b"", b"7", b"9\nx", b"x\nabc", b"99999999999\n", b"3\nabcdef"])
def test_what_is_no_summary_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="summary"):
        task_in_short(data)
    with pytest.raises(ValueError, match="summary"):
        contents_of(data)


def test_many_places_are_counted_and_the_first_three_named() -> None:
    parts = clean()
    for number in range(5):
        other = second()
        other.name = f"again-{number}"
        other.fact("gama.revenue.fy2023").update(as_written="2,930", value="2930000000")
        parts.beside.append(other)
    (finding,) = [finding for finding in found(parts) if finding.rule == "C4-TASKS-DIFFER"]
    assert finding.observed.count("tasks/again-") == 3
    assert finding.observed.endswith(" and 2 more")


def test_a_plug_in_s_rule_over_tasks_may_not_take_an_id_that_is_there() -> None:
    from cellwright.records.findings import Condition

    with pytest.raises(ValueError, match="stands twice"):
        across_rule("C4-TASKS-DIFFER", Condition.RECONCILED, title="again", severity="warning")(lambda tasks: iter(()))


def test_tasks_without_others_are_as_they_were() -> None:
    audit = clean().audit()
    (compared,) = with_across([audit], {"breweries-2023": summary_of(clean().folder())})
    assert compared.findings == ()
    assert "tasks_compared" not in compared.counts

"""The audit as a page, as plain text and as GitHub's annotations."""

from __future__ import annotations

import pytest

from cellwright.records.errors import Place, Problem
from cellwright.records.findings import Audit, CellAgreement, Condition, Finding, conclude
from cellwright.views.audit_page import audit_page
from cellwright.views.github import github_annotations
from cellwright.views.text import audit_text
from tests.views import sample
from tests.views.html_reading import read_page

EVIL = "<script>alert(1)</script>\x1b[2J\n::error::x"


def audit_of(*findings: Finding, unchecked: tuple[Condition, ...] = ()) -> Audit:
    return Audit(tool="cellwright 0.1.0", tasks=(conclude("a-task", 64, findings, unchecked),))


def finding(**changes: object) -> Finding:
    known: dict[str, object] = {
        "rule": "C2-QUOTE-ABSENT",
        "condition": Condition.SOURCED,
        "severity": "error",
        "file": "tasks/a/facts.csv",
        "line": 12,
        "record": "x.revenue",
        "fields": ("quote",),
        "observed": "nothing",
        "expected": "the quote",
        "fix": "copy it again",
    }
    return Finding.model_validate(known | changes)


def test_every_finding_appears_on_the_page_and_in_the_text() -> None:
    page, text = read_page(audit_page(sample.audit())).words(), audit_text(sample.audit())
    for told in sample.audit().tasks[0].findings:
        for words in (told.rule, str(told.place), told.observed, told.expected, told.fix, told.waived):
            assert words in page
            assert words in text


def test_the_page_tells_what_admitted_means() -> None:
    words = read_page(audit_page(sample.audit())).words()
    assert "A task is admitted when each of the five conditions is met" in words
    assert "✗ not admitted" in words


def test_five_conditions_stand_in_a_row_in_their_order() -> None:
    states = read_page(audit_page(audit_of(finding(), unchecked=(Condition.DERIVED,)))).words()
    assert "a-task ✓ met ✗ failed ? not checked ✓ met ✓ met ✗ not admitted" in states


def test_findings_are_grouped_by_condition_then_rule() -> None:
    last = finding(rule="C5-X", condition=Condition.SCORABLE, observed="of scorable")
    second = finding(rule="C2-Z", observed="of the later rule")
    words = read_page(audit_page(audit_of(last, second, finding(line=3), finding(line=2)))).words()
    places = [
        words.index(told)
        for told in (
            "Condition: sourced",
            "C2-QUOTE-ABSENT 2 findings",
            "facts.csv:2",
            "facts.csv:3",
            "C2-Z 1 finding",
            "Condition: scorable",
            "C5-X 1 finding",
        )
    ]
    assert places == sorted(places)


def test_waived_findings_are_shown_apart_with_their_reason() -> None:
    words = read_page(audit_page(audit_of(finding(waived="agreed with the issuer")))).words()
    assert words.index("Waived by a person") < words.index("C2-QUOTE-ABSENT") < words.index("agreed with the issuer")
    assert "✓ admitted" in words


@pytest.mark.parametrize(("rule", "named"), [("C2-QUOTE-ABSENT", True), ("../../etc/passwd", False), ("x y", False)])
def test_a_rule_is_linked_to_its_page_only_where_its_id_can_name_one(rule: str, named: bool) -> None:
    page = read_page(audit_page(audit_of(finding(rule=rule)), rules_at="../guidelines/rules/"))
    assert (f"../guidelines/rules/{rule}.md" in page.attributes("href")) is named


def test_an_audit_of_nothing_is_told_as_such() -> None:
    nothing = Audit(tool="t", tasks=())
    assert "No task was audited." in read_page(audit_page(nothing)).words()
    assert audit_text(nothing) == "no task was audited\n"
    assert github_annotations(nothing) == ""


def test_nothing_from_outside_acts_on_the_page_or_the_terminal() -> None:
    hostile = audit_of(
        finding(rule=EVIL, file=EVIL, record=EVIL, observed=EVIL, expected=EVIL, fix=EVIL), finding(waived=EVIL)
    )
    page = read_page(audit_page(hostile))
    assert {tag for tag, _ in page.elements} & {"script", "img"} == set()
    assert "\x1b" not in page.text + audit_text(hostile)


def test_equal_audits_give_equal_bytes() -> None:
    assert audit_page(sample.audit()) == audit_page(sample.audit())


def test_the_text_tells_verdict_states_and_each_finding() -> None:
    assert audit_text(audit_of(finding())) == (
        "a-task: not admitted (64 cells; 1 error, 0 warnings)\n"
        "  complete: met  sourced: failed  derived: met  reconciled: met  scorable: met\n"
        "  difficulty: not checked (no trial run with sources has a score)\n"
        "  error C2-QUOTE-ABSENT tasks/a/facts.csv:12 (x.revenue, `quote`)\n"
        "      seen: nothing\n"
        "      expected: the quote\n"
        "      to mend: copy it again\n"
    )


def reconciled() -> Audit:
    """An audit with a cell on which witnesses differ, named so as to break out of any page."""
    cells = (
        CellAgreement(cell="a/b", label="consistent", inputs=2, corroborated=2, says="corroborated 2 of 2"),
        CellAgreement(
            cell=f"a/{EVIL}",
            label="divergent",
            inputs=3,
            corroborated=1,
            difference=("x.later",),
            says="corroborated 1 of 3; `x.later` gives another answer",
        ),
    )
    return Audit(tool="t", tasks=(conclude("a-task", 64, (), agreement=cells, piloted=True),))


def test_what_is_corroborated_and_the_fact_that_makes_the_difference_are_told() -> None:
    page, text = read_page(audit_page(reconciled())).words(), audit_text(reconciled())
    for words in (
        "corroborated 3 of 5 inputs; 1 consistent, 1 divergent, 0 single",
        "corroborated 1 of 3; `x.later` gives another answer",
        "met (trial runs score within the band)",
    ):
        assert words in page
        assert words in text
    assert "<script>" not in audit_page(reconciled()).decode()
    assert "\x1b" not in text


def test_an_annotation_names_file_line_and_rule() -> None:
    assert github_annotations(audit_of(finding())) == (
        "::error file=tasks/a/facts.csv,line=12,title=C2-QUOTE-ABSENT::"
        "x.revenue, quote: seen: nothing; expected: the quote; to mend: copy it again\n"
    )


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"severity": "warning"}, "::warning file="),
        ({"waived": "agreed"}, "::notice file="),
        ({"file": "a,b:c%.csv"}, "file=a%2Cb%3Ac%25.csv,line"),
        ({"rule": "R:1,2"}, "title=R%3A1%2C2::"),
        ({"observed": "100%, of: it"}, "seen: 100%25, of: it;"),
        ({"observed": "one\r\ntwo"}, "seen: one two;"),
        ({"line": None}, "::error file=tasks/a/facts.csv,title="),
    ],
)
def test_annotations_are_escaped_as_github_asks(changes: dict[str, object], expected: str) -> None:
    assert expected in github_annotations(audit_of(finding(**changes)))


@pytest.mark.parametrize("prefix", ["", "data/bench/", "odd, name: 1%/"])
def test_a_file_is_named_from_the_top_of_the_git_repository(prefix: str) -> None:
    escaped = prefix.replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    told = github_annotations(audit_of(finding()), prefix=prefix)
    assert told.startswith(f"::error file={escaped}tasks/a/facts.csv,line=12,")


def test_what_cannot_be_read_is_an_error_beside_its_line() -> None:
    problem = Problem("the file is not YAML", Place("tasks/a/task.yaml", 7), fix="quote\nit: 100%")
    assert github_annotations(Audit(tool="t", tasks=()), [problem], prefix="b/") == (
        "::error file=b/tasks/a/task.yaml,line=7,title=unreadable::"
        "tasks/a/task.yaml:7: the file is not YAML; quote it: 100%25\n"
    )


def test_a_fault_without_a_place_is_told_without_one() -> None:
    told = github_annotations(Audit(tool="t", tasks=()), [Problem("it is wrong")], prefix="b/")
    assert told == "::error title=unreadable::it is wrong\n"


def test_a_finding_can_never_begin_a_command_of_its_own() -> None:
    lines = github_annotations(audit_of(finding(observed=EVIL, file=EVIL, record=EVIL))).splitlines()
    assert len(lines) == 1


def test_a_finding_that_tells_nothing_refers_to_the_rule() -> None:
    bare = finding(observed="", expected="", fix="", record="", fields=())
    assert github_annotations(audit_of(bare)).endswith("::see the rule's page\n")

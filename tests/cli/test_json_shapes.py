"""What programs read: the JSON of derive, locate, audit and score, key by key as the design has it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.cli.workshop import TASK, Result, Workshop, edit
from tests.conftest import ROOT

DECIMAL = re.compile(r"-?(0|[1-9]\d*)(\.\d*[1-9])?")
SUBMISSIONS = ROOT / "tests" / "whole_way" / "submissions"
# Design, section 3: `derive` and `locate`; section 6: `audit`; section 8: result lines.
CELL = {"entity", "dimension", "answer_type", "value", "unit", "low", "high", "interval", "steps"}
STEP = {"id", "expr", "value", "unit", "low", "high"}
LOCATED = {
    "entity", "name", "period", "source", "status", "quote", "row", "column", "page", "value_read", "scale_read",
    "sign_read",
}  # fmt: skip
AUDITED_TASK = {"task", "admitted", "conditions", "cells", "findings"}
FINDING = {
    "rule", "condition", "severity", "file", "line", "record", "fields", "observed", "expected", "fix", "waived",
}  # fmt: skip
CONDITIONS = ["complete", "sourced", "derived", "reconciled", "scorable"]
RESULT = [
    "task", "entity", "dimension", "cell_digest", "outcome", "score", "lower", "upper", "read_span", "read_value",
    "read_unit", "clause", "near_miss", "judge_model", "judge_prompt", "judge_reason",
]  # fmt: skip


def decimal(value: object) -> Decimal:
    """A number as it is published: plain digits in text, no exponent, no end of zeros."""
    assert isinstance(value, str)
    assert DECIMAL.fullmatch(value), value
    return Decimal(value)


@pytest.fixture
def derived(captured: Path, here: Callable[..., Result]) -> dict[tuple[str, str], dict[str, Any]]:
    """The cells of `derive --format json` by entity and dimension."""
    done = here("derive", TASK, "--format", "json", cwd=captured)
    assert (done.code, done.err) == (0, "")
    assert list(done.json) == ["cells"]
    return {(cell["entity"], cell["dimension"]): cell for cell in done.json["cells"]}


def test_a_derived_cell_has_the_design_s_keys_and_types(derived: dict[tuple[str, str], dict[str, Any]]) -> None:
    assert len(derived) == 64
    for cell in derived.values():
        assert set(cell) >= CELL
        assert isinstance(cell["unit"], str)
        assert isinstance(cell["steps"], list)
        for step in cell["steps"]:
            assert set(step) >= STEP
            assert all(isinstance(step[key], str) for key in ("id", "expr", "unit"))
            low, value, high = (decimal(step[key]) for key in ("low", "value", "high"))
            assert low <= value <= high


def test_a_precise_cell_has_a_value_and_its_interval(derived: dict[tuple[str, str], dict[str, Any]]) -> None:
    cells = [cell for cell in derived.values() if cell["answer_type"] == "precise"]
    assert len(cells) == 53
    for cell in cells:
        low, high = map(decimal, cell["interval"])
        assert low <= decimal(cell["value"]) <= high
        assert (cell["low"], cell["high"]) == (None, None)
        assert cell["steps"][-1]["id"] == "answer"
        assert cell["steps"][-1]["value"] == cell["value"]


def test_a_range_has_its_ends_and_no_value(derived: dict[tuple[str, str], dict[str, Any]]) -> None:
    cells = [cell for cell in derived.values() if cell["answer_type"] == "range"]
    assert len(cells) == 8
    for cell in cells:
        assert cell["value"] is None
        low, high = map(decimal, cell["interval"])
        assert low <= decimal(cell["low"]) < decimal(cell["high"]) <= high
        assert {"low", "high"} <= {step["id"] for step in cell["steps"]}


def test_a_cell_that_is_not_available_has_neither(derived: dict[tuple[str, str], dict[str, Any]]) -> None:
    cells = [cell for cell in derived.values() if cell["answer_type"] == "not_available"]
    assert len(cells) == 3
    for cell in cells:
        assert [cell[key] for key in ("value", "low", "high", "interval", "steps")] == [None, None, None, None, []]


def test_known_answers_come_out(derived: dict[tuple[str, str], dict[str, Any]]) -> None:
    assert derived["nvda", "diluted_eps"]["value"] == "11.93"
    assert derived["nvda", "diluted_eps"]["interval"] == ["11.925", "11.935"]
    assert derived["nvda", "diluted_eps"]["unit"] == "USD/share"
    assert derived["aapl", "total_revenue"]["value"] == "383285000000"
    assert derived["goog", "research_rank"]["value"] == "1"
    assert derived["meta", "fcf_margin"]["value"].startswith("32.")


def test_locate_tells_what_the_document_alone_says(captured: Path, here: Callable[..., Result]) -> None:
    done = here("locate", TASK, "--format", "json", cwd=captured)
    assert done.code == 0
    assert list(done.json) == ["counts", "facts", "documents"]
    assert {tuple(read) for read in done.json["documents"]} == {
        ("source", "kind", "encoding", "encoding_by", "doubts", "proposals")
    }
    counts = done.json["counts"]
    assert list(counts) == ["exact", "mismatch", "ambiguous", "absent"]
    assert all(isinstance(count, int) for count in counts.values())
    assert sum(counts.values()) == len(done.json["facts"]) == 236
    for fact in done.json["facts"]:
        assert set(fact) >= LOCATED
        assert fact["status"] in counts
        assert all(isinstance(fact[key], str) for key in LOCATED - {"page", "value_read", "scale_read"})
        assert fact["page"] is None, "an HTML page has no pages"
        decimal(fact["value_read"])
        assert isinstance(fact["scale_read"], int)
    capex = next(fact for fact in done.json["facts"] if fact["id"] == "aapl.capex.fy2023")
    assert (capex["value_read"], capex["scale_read"]) == ("-10959000000", 6), "printed in brackets"


def test_locate_tells_the_same_of_facts_that_it_was_told_nothing_of(
    workshop: Workshop, here: Callable[..., Result]
) -> None:
    told = here("locate", TASK, "--format", "json", cwd=workshop.root).json["facts"]
    edit(workshop.task / "facts.csv", '"383,285",FY2023,primary,383285000000,6', '"383,285",FY2023,primary,,')
    blind = here("locate", TASK, "--format", "json", cwd=workshop.root).json["facts"]
    assert blind[0] == told[0]


def test_a_fact_without_a_capture_is_absent_and_has_nothing_read(
    workshop: Workshop, here: Callable[..., Result]
) -> None:
    edit(workshop.task / "sources.csv", "4501be08cd40ca2d0d74cc663c988863a0a99ed84e71bbe80a151acbea57854e", "")
    done = here("locate", TASK, "--format", "json", cwd=workshop.root)
    assert done.code == 1
    fact = done.json["facts"][0]
    assert (fact["source"], fact["status"]) == ("aapl-10-k-fy2024", "absent")
    assert (fact["value_read"], fact["scale_read"], fact["page"]) == (None, None, None)
    assert (fact["quote"], fact["row"], fact["column"], fact["sign_read"]) == ("", "", "", "")
    told = here("locate", TASK, cwd=workshop.root).out.splitlines()
    assert [line.partition(":")[0] for line in told[:-1]] == ["absent"], "one reason, told once"
    assert "24 facts, aapl.revenue.fy2023," in told[0]


def test_an_audit_has_the_design_s_keys_and_types(workshop: Workshop, here: Callable[..., Result]) -> None:
    edit(workshop.task / "facts.csv", '"Total net sales 383', '"Total nett sales 383')
    (workshop.task / "waivers.csv").write_text(
        "rule,entity,dimension,field,reason,by,date,expires\n"
        "C2-CAPTURE-STAND-IN,,,,the documents are not ours to ship,ben,2025-03-31,\n",
        encoding="utf-8",
    )
    done = here("audit", "--format", "json", cwd=workshop.root)
    assert (done.code, done.err) == (1, "")
    assert set(done.json) == {"tool", "tasks"}
    assert re.fullmatch(r"cellwright \d+\.\d+\.\d+.*", done.json["tool"])
    (task,) = done.json["tasks"]
    assert set(task) >= AUDITED_TASK
    assert (task["task"], task["admitted"], task["cells"]) == (TASK, False, 64)
    assert list(task["conditions"]) == CONDITIONS
    assert set(task["conditions"].values()) <= {"met", "failed", "not checked"}
    assert task["conditions"]["sourced"] == "failed"
    for finding in task["findings"]:
        assert set(finding) >= FINDING
        assert finding["condition"] in CONDITIONS
        assert finding["severity"] in ("error", "warning")
        assert finding["line"] is None or isinstance(finding["line"], int)
        assert all(isinstance(name, str) for name in finding["fields"])
        texts = ("rule", "file", "record", "observed", "expected", "fix", "waived")
        assert all(isinstance(finding[key], str) for key in texts)
    wrong = next(finding for finding in task["findings"] if finding["severity"] == "error")
    assert {key: wrong[key] for key in ("rule", "condition", "line", "record", "fields", "waived")} == {
        "rule": "C2-QUOTE-ABSENT", "condition": "sourced", "line": 2, "record": "aapl.revenue.fy2023",
        "fields": ["quote"], "waived": "",
    }  # fmt: skip
    waived = [finding for finding in task["findings"] if finding["waived"]]
    assert {finding["rule"] for finding in waived} == {"C2-CAPTURE-STAND-IN"}
    assert all("not ours to ship" in finding["waived"] for finding in waived)


def test_github_gets_a_line_a_finding(workshop: Workshop, here: Callable[..., Result]) -> None:
    edit(workshop.task / "facts.csv", '"Total net sales 383', '"Total nett sales 383')
    done = here("audit", "--format", "github", cwd=workshop.root)
    assert (done.code, done.err) == (1, "")
    lines = done.out.splitlines()
    assert len(lines) == 12
    form = re.compile(r"::(error|warning|notice) file=tasks/[^,]+,line=\d+,title=C\d-[A-Z-]+::.+")
    assert all(form.fullmatch(line) for line in lines)
    assert f"::error file=tasks/{TASK}/facts.csv,line=2,title=C2-QUOTE-ABSENT::" in done.out


def test_status_and_rules_are_lists_of_plain_records(captured: Path, here: Callable[..., Result]) -> None:
    status = here("status", TASK, "--format", "json", cwd=captured)
    assert (status.code, status.err) == (0, "")
    assert status.json["task"] == TASK
    assert {"entity": "aapl", "dimension": "total_revenue", "lacks": []} in status.json["cells"]
    assert status.json["sources"][0] == {
        "source": "aapl-10-k-fy2024", "lacks": [], "proposed_tier": "", "reason": "", "registry_line": "",
    }  # fmt: skip
    rules = here("rules", "--format", "json", cwd=captured)
    assert (rules.code, rules.err) == (0, "")
    assert all(set(rule) == {"rule", "condition", "severity", "title", "origin"} for rule in rules.json)
    assert all(re.fullmatch(r"C[1-5]-[A-Z-]+", rule["rule"]) for rule in rules.json)


@pytest.mark.parametrize("name", ["careless", "reference"])
def test_result_lines_have_the_design_s_keys_in_their_order(
    name: str, built: Path, tmp_path: Path, here: Callable[..., Result]
) -> None:
    file = tmp_path / "results.jsonl"
    done = here("harness", "score", "--bundle", built, "--submission", SUBMISSIONS / f"{name}.jsonl", "--out", file,
                "--format", "json", cwd=tmp_path)  # fmt: skip
    assert (done.code, done.err) == (0, "")
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 64
    for line in lines:
        assert list(line) == RESULT
        assert line["outcome"] in ("scored", "unparsed", "no_answer", "judge_failed", "run_failed")
        assert re.fullmatch(r"[0-9a-f]{64}", line["cell_digest"])
        assert line["score"] is None or decimal(line["score"]) in (Decimal(x) for x in ("1", "0.5", "0.25", "0"))
        assert decimal(line["lower"]) <= decimal(line["upper"])
    mean = sum((decimal(line["lower"]) for line in lines), Decimal(0)) / 64
    assert decimal(done.json["benchmark"]["lower"]) == mean
    assert done.json["benchmark"]["cells"] == 64
    assert set(done.json["families"]) == {"retrieval", "derivation", "calibration", "reasoning"}
    if name == "reference":
        assert mean == 1

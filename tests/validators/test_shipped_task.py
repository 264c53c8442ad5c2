"""The shipped task and the draft it came from: what the witnesses of real filings give."""

from __future__ import annotations

from pathlib import Path

import pytest

from cellwright.records.folder import TaskFolder, read_folder
from cellwright.validators.audit import audit_task, context_of
from cellwright.validators.profiles import Profile, read_profile

TASK = "us-large-caps-fy2023"
DIVERGENT = {
    ("meta", "fcf_margin"): "meta.capex.fy2023.later",
    ("nvda", "diluted_eps"): "nvda.eps_diluted.fy2023.later",
}


@pytest.fixture(scope="module")
def profile(root: Path) -> Profile:
    return read_profile((root / "cellwright/validators/profiles/deepweb-8x8.yaml").read_bytes(), "deepweb-8x8.yaml")


def _folder(path: Path) -> TaskFolder:
    files = {file.name: file.read_bytes() for file in path.iterdir() if file.suffix in (".csv", ".yaml")}
    return read_folder(files, f"tasks/{TASK}")


@pytest.fixture(scope="module")
def draft(shared_data: Path) -> TaskFolder:
    return _folder(shared_data.parent / "examples" / TASK)


def test_the_shipped_task_diverges_where_filings_differ_and_nowhere_is_consistent(root: Path, profile: Profile) -> None:
    verdicts = context_of(_folder(root / "tasks" / TASK), {}, profile=profile).answers.verdicts
    found = {key: verdict.diverging[0].fact for key, verdict in verdicts.items() if verdict.label == "divergent"}
    assert found == DIVERGENT
    assert {verdict.label for verdict in verdicts.values()} == {"divergent", "single"}


def test_the_shipped_task_lacks_nothing_but_its_captures(root: Path, profile: Profile) -> None:
    audit = audit_task(_folder(root / "tasks" / TASK), {}, profile=profile)
    assert {finding.rule for finding in audit.findings} == {"C2-CAPTURE-MISSING"}


def test_in_the_draft_the_audit_finds_meta_s_two_capital_expenditures(draft: TaskFolder, profile: Profile) -> None:
    findings = audit_task(draft, {}, profile=profile).findings
    wrong = [item for item in findings if item.rule == "C4-LABEL-WRONG"]
    assert [(item.record, item.expected) for item in wrong] == [("meta/fcf_margin", "divergent")]
    assert "meta.capex.fy2023.later" in wrong[0].observed
    assert "corroborated 0 of 3" in wrong[0].observed


def test_in_the_draft_the_audit_finds_that_last_year_s_earnings_per_share_would_earn_1(
    draft: TaskFolder, profile: Profile
) -> None:
    findings = audit_task(draft, {}, profile=profile).findings
    pays = [item for item in findings if item.rule == "C5-NEAR-MISS-PAYS"]
    assert [(item.record, item.observed) for item in pays] == [
        ("aapl/diluted_eps", "`prior_year`: 6.11 earns 1, and the answer is 6.13")
    ]

"""Every rule has a page, a failing fixture, and the clean task for a passing one."""

from __future__ import annotations

from pathlib import Path

import pytest

from cellwright.validators.audit import all_rules

from .clean_task import clean
from .rule_cases import RULE_CASES

RULES = {info.id: info for info in all_rules()}


def test_every_rule_has_a_failing_fixture_and_no_fixture_lacks_its_rule() -> None:
    assert sorted(RULE_CASES) == sorted(RULES)


@pytest.mark.parametrize("rule", sorted(RULE_CASES))
def test_the_spoilt_task_gets_a_finding_of_the_rule(rule: str) -> None:
    parts = clean()
    RULE_CASES[rule](parts)
    found = parts.findings(rule)
    assert found, [finding.rule for finding in parts.audit().findings]
    info = RULES[rule]
    assert {finding.condition for finding in found} == {info.condition}
    assert all(finding.file or rule.endswith(("-RULE-BROKEN", "-PLUG-IN-UNUSABLE")) for finding in found)
    assert all(finding.observed and finding.expected for finding in found)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_every_rule_has_a_page_that_names_it(rule: str, root: Path) -> None:
    page = root / "guidelines" / "rules" / f"{rule}.md"
    assert page.is_file(), f"write {page.name}"
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# {rule}\n")
    assert f"**{RULES[rule].title}**" in text
    assert f"Severity: {RULES[rule].severity}." in text
    assert ("It cannot be waived." in text) is not RULES[rule].waivable
    for heading in ("## What it says", "## Why", "## Example", "## How to mend it"):
        assert heading in text


def test_no_page_speaks_of_a_rule_that_is_not_there(root: Path) -> None:
    pages = {path.stem for path in (root / "guidelines" / "rules").glob("C*.md")}
    assert pages == set(RULES)


def test_the_list_of_rules_names_each_with_its_severity_and_title(root: Path) -> None:
    text = (root / "guidelines" / "rules" / "README.md").read_text(encoding="utf-8")
    listed = [line for line in text.splitlines() if line.startswith("| [C")]
    assert sorted(listed) == sorted(
        f"| [{info.id}]({info.id}.md) | {info.severity} | {info.title} |" for info in RULES.values()
    )

"""The workflow and the issue forms are of the form that GitHub reads, and the workflow is safe for anybody's change."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from cellwright.records.rows import Correction
from tests.conftest import ROOT

GITHUB = ROOT / "cellwright" / "authoring" / "templates" / "repository" / "github"
FORMS = sorted(path.name for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yaml"))
NEEDS = {
    "input": {"label"},
    "textarea": {"label"},
    "dropdown": {"label", "options"},
    "checkboxes": {"label", "options"},
    "markdown": {"value"},
}
"""The attributes that each kind of field must have, as GitHub's syntax for issue forms says."""


def form(name: str) -> dict[str, Any]:
    read = yaml.safe_load((GITHUB / "ISSUE_TEMPLATE" / name).read_text(encoding="utf-8"))
    assert isinstance(read, dict)
    return read


@pytest.fixture
def workflow() -> dict[Any, Any]:
    read = yaml.safe_load((GITHUB / "workflows" / "audit.yaml").read_text(encoding="utf-8"))
    assert isinstance(read, dict)
    return read


def steps(workflow: dict[Any, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = workflow["jobs"]["audit"]["steps"]
    return found


def test_there_is_a_form_for_each_of_three_things() -> None:
    assert FORMS == ["dead-source.yaml", "proposal.yaml", "wrong-reference.yaml"]


@pytest.mark.parametrize("name", FORMS)
def test_a_form_has_what_github_asks_of_one(name: str) -> None:
    read = form(name)
    assert {"name", "description", "body"} <= set(read) <= {"name", "description", "body", "title", "labels"}
    assert all(isinstance(read[key], str) and read[key].strip() for key in ("name", "description", "title"))
    assert read["body"]
    assert any(field["type"] != "markdown" for field in read["body"])


@pytest.mark.parametrize("name", FORMS)
def test_a_form_s_fields_are_of_known_kinds_with_ids_and_labels_of_their_own(name: str) -> None:
    fields = form(name)["body"]
    for field in fields:
        assert set(field) <= {"type", "id", "attributes", "validations"}
        assert NEEDS[field["type"]] <= set(field["attributes"])
        assert set(field.get("validations", {})) <= {"required"}
    asked = [field for field in fields if field["type"] != "markdown"]
    ids, labels = [field["id"] for field in asked], [field["attributes"]["label"] for field in asked]
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", name) for name in ids)
    assert len(set(ids)) == len(ids)
    assert len(set(labels)) == len(labels)
    for field in asked:
        options = field["attributes"].get("options", [])
        told = [option["label"] if isinstance(option, dict) else option for option in options]
        assert len(set(told)) == len(told)


def test_the_form_for_a_wrong_reference_asks_for_the_columns_of_corrections() -> None:
    fields = {field.get("id"): field for field in form("wrong-reference.yaml")["body"]}
    columns = ["entity", "dimension", "fact", "old", "new", "evidence_url"]
    assert set(columns) <= set(Correction.columns()) & set(fields)
    assert [fields[name]["attributes"]["label"] for name in columns] == columns
    assert all(fields[name]["validations"]["required"] for name in ("entity", "old", "new", "evidence_url"))


def test_the_workflow_runs_on_pull_requests_with_no_more_than_reading(workflow: dict[Any, Any]) -> None:
    assert list(workflow[True]) == ["pull_request"]  # YAML 1.1 reads the key `on` as true
    assert workflow["permissions"] == {"contents": "read"}
    assert "permissions" not in workflow["jobs"]["audit"]
    assert workflow["jobs"]["audit"]["timeout-minutes"] <= 30


def test_secrets_are_given_to_one_step_and_not_to_a_change_from_outside(workflow: dict[Any, Any]) -> None:
    told = [step for step in steps(workflow) if "secrets." in str(step)]
    assert [step["if"] for step in told] == ["github.event.pull_request.head.repo.full_name == github.repository"]
    assert "secrets." not in str(workflow["jobs"]["audit"]["env"])


def test_nothing_that_a_stranger_names_is_put_into_a_command(workflow: dict[Any, Any]) -> None:
    assert [step["run"] for step in steps(workflow) if "${{" in step.get("run", "")] == []
    uses = [step for step in steps(workflow) if "uses" in step]
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"]) for step in uses)
    assert uses[0]["with"]["persist-credentials"] is False


def test_what_is_installed_is_named_by_the_branch_that_the_change_goes_to(workflow: dict[Any, Any]) -> None:
    install = next(step["run"] for step in steps(workflow) if "pip install" in step.get("run", ""))
    assert 'git show "$BASE:requirements.txt"' in install
    assert steps(workflow)[0]["with"]["fetch-depth"] == 0


def test_it_tells_what_is_new_as_annotations_and_runs_no_pipeline_of_the_change(workflow: dict[Any, Any]) -> None:
    runs = [step["run"] for step in steps(workflow) if "run" in step]
    assert runs[-1] == 'cellwright audit --since "$BASE" --format github'
    assert not any("repro" in run for run in runs)


def test_the_template_of_a_pull_request_has_the_five_conditions_to_tick() -> None:
    text = (GITHUB / "pull_request_template.md").read_text(encoding="utf-8")
    assert re.findall(r"- \[ \] \*\*(\w+)\*\*", text) == ["Complete", "Sourced", "Derived", "Reconciled", "Scorable"]


@pytest.mark.parametrize("path", sorted(GITHUB.rglob("*.y*ml")), ids=lambda path: Path(path).name)
def test_every_yaml_is_one_document_without_keys_that_stand_twice(path: Path) -> None:
    class Strict(yaml.SafeLoader):
        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
            keys = [key.value for key, _ in node.value]
            assert len(set(keys)) == len(keys), keys
            return super().construct_mapping(node, deep)

    assert isinstance(yaml.load(path.read_text(encoding="utf-8"), Loader=Strict), dict)

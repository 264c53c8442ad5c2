"""What an audit takes beside the task's own files: the day, the repository's profiles, the canary, trial runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.workshop import TASK, Result, Workshop, edit

Run = Callable[..., Result]
SHAPE = """\
id: our-8x8
title: Ours
entities: 8
dimensions: 8
families: {retrieval: 1, derivation: 4, calibration: 1, reasoning: 2}
domains: [technology]
"""


def rules(done: Result) -> set[str]:
    return {finding["rule"] for finding in done.json["tasks"][0]["findings"] if not finding["waived"]}


def waive_until(workshop: Workshop, day: str) -> None:
    head = "rule,entity,dimension,field,reason,by,date,expires\n"
    line = f"C2-CAPTURE-STAND-IN,,,,figure sheets,ben,2025-04-01,{day}\n"
    (workshop.task / "waivers.csv").write_text(head + line, encoding="utf-8")


@pytest.mark.parametrize(
    ("day", "left"), [("2025-12-31", set()), ("2026-01-01", {"C1-WAIVER-EXPIRED", "C2-CAPTURE-STAND-IN"})]
)
def test_a_waiver_runs_out_by_the_day_of_the_audit(day: str, left: set[str], here: Run, workshop: Workshop) -> None:
    waive_until(workshop, "2025-12-31")
    assert rules(here("audit", TASK, "--format", "json", "--day", day, cwd=workshop.root)) == left


def test_the_day_is_today_where_nobody_says_it(here: Run, workshop: Workshop) -> None:
    waive_until(workshop, "2025-04-02")
    assert "C1-WAIVER-EXPIRED" in rules(here("audit", TASK, "--format", "json", cwd=workshop.root))


@pytest.mark.parametrize("day", ["yesterday", "2025-13-01", "20250101", "2025-1-1"])
def test_a_day_that_is_none_is_refused(day: str, here: Run, workshop: Workshop) -> None:
    done = here("audit", TASK, "--day", day, cwd=workshop.root)
    assert (done.code, len(done.sentences)) == (2, 1)
    assert "the day of the audit" in done.err


def own_profile(workshop: Workshop, text: str) -> None:
    (workshop.root / "profiles").mkdir()
    (workshop.root / "profiles" / "our-8x8.yaml").write_text(text, encoding="utf-8")
    edit(workshop.task / "task.yaml", "profile: deepweb-8x8", "profile: our-8x8")


def test_a_profile_of_the_repository_is_used(here: Run, workshop: Workshop) -> None:
    own_profile(workshop, SHAPE.replace("entities: 8", "entities: 6-7").replace("technology", "finance"))
    done = here("audit", TASK, "--format", "json", cwd=workshop.root)
    assert {"C1-PROFILE-SHAPE", "C1-DOMAIN-UNKNOWN"} <= rules(done)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("entities: 8", "entities: 9-6"),
        ("retrieval: 1", "retrieval: 3"),
        ("dimensions: 8", "dimensions: 6-10"),
        ("id: our-8x8", "id: your-8x8"),
    ],
)
def test_a_profile_that_contradicts_itself_is_refused(old: str, new: str, here: Run, workshop: Workshop) -> None:
    own_profile(workshop, SHAPE.replace(old, new))
    done = here("audit", TASK, cwd=workshop.root)
    assert (done.code, len(done.sentences)) == (2, 1)
    assert "profiles/our-8x8.yaml" in done.err


def test_a_benchmark_without_canary_is_told(here: Run, workshop: Workshop) -> None:
    params = workshop.root / "params.yaml"
    text = params.read_text(encoding="utf-8")
    params.write_text(text[: text.index("  canary:")], encoding="utf-8")
    done = here("audit", TASK, "--format", "json", cwd=workshop.root)
    assert done.code == 0
    assert rules(done) == {"C2-CAPTURE-STAND-IN", "C5-CANARY-ABSENT"}


def test_every_file_that_people_open_carries_the_canary(bundle: Path) -> None:
    canary = json.loads((bundle / "bundle.json").read_text(encoding="utf-8"))["canary"]
    assert len(canary) > 30
    for name in ("README.md", f"prompts/{TASK}.md", "evidence.html"):
        assert canary in (bundle / name).read_text(encoding="utf-8"), name


def test_validate_warns_where_the_canary_is_missing(here: Run, bundle: Path, tmp_path: Path) -> None:
    answers = Path(__file__).parents[1] / "whole_way" / "submissions" / "careless.jsonl"
    given = ("harness", "validate", "--bundle", bundle, "--submission", answers)
    assert "canary" not in here(*given, cwd=tmp_path).err
    manifest = bundle / "bundle.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.write_text(json.dumps({**told, "canary": "another text altogether"}), encoding="utf-8")
    other = here(*given, cwd=tmp_path)
    assert other.code == 0
    assert f"warning: prompts/{TASK}.md: the canary does not stand in the file" in other.err
    manifest.write_text(json.dumps({**told, "canary": ""}), encoding="utf-8")
    assert "the bundle has no canary" in here(*given, cwd=tmp_path).err


def test_difficulty_that_nobody_tried_is_told_as_not_checked(here: Run, workshop: Workshop) -> None:
    done = here("audit", TASK, cwd=workshop.root)
    assert "difficulty: not checked (no trial run with sources has a score)" in done.out
    assert "witnesses: corroborated" in done.out
    assert "divergent meta/fcf_margin: corroborated 0 of 3; `meta.capex.fy2023.later` gives another answer" in done.out


@pytest.mark.parametrize(
    ("score", "closed", "state", "code"),
    [("0.5", "", "met", 0), ("1", "", "failed", 1), ("1", "yes", "not checked", 0)],
)
def test_trial_runs_settle_the_difficulty(
    score: str, closed: str, state: str, code: int, here: Run, workshop: Workshop
) -> None:
    line = f"r1,nvda,total_revenue,{score},{closed}\n"
    (workshop.task / "pilots.csv").write_text(f"run,entity,dimension,score,closed_book\n{line}", encoding="utf-8")
    done = here("audit", TASK, "--format", "json", cwd=workshop.root)
    assert (done.code, done.json["tasks"][0]["difficulty"]) == (code, state)


def test_each_cell_says_how_much_of_it_is_corroborated(here: Run, workshop: Workshop) -> None:
    found = here("audit", TASK, "--format", "json", cwd=workshop.root).json["tasks"][0]["agreement"]
    cells = {item["cell"]: item for item in found}
    assert cells["nvda/diluted_eps"]["difference"] == ["nvda.eps_diluted.fy2023.later"]
    assert cells["nvda/diluted_eps"]["label"] == "divergent"
    assert (cells["meta/fcf_margin"]["inputs"], cells["meta/fcf_margin"]["corroborated"]) == (3, 0)

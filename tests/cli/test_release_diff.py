"""`release diff`, `release explain` and `harness score --advisories`, from the command line to the end."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from cellwright.records.releases.tag_trailers import Stated
from tests.cli.workshop import ESCAPE, Result
from tests.releases.small_releases import (
    CORRECTION,
    PROFIT,
    STRESSED,
    Tables,
    answers,
    bundle,
    corrected,
    quarantine,
    tables,
    with_task,
    without,
)

# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")
Here = Callable[..., Result]


def old_tables() -> Tables:
    return tables("ev-a", "ev-b", "ev-c")


def new_tables() -> Tables:
    return with_task(without(corrected(old_tables(), "ev-a", correction=CORRECTION), "ev-c"), "ev-d")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two bundles, `old` and `new`, and a submission to the older one."""
    bundle(tmp_path / "old", old_tables())
    bundle(tmp_path / "new", new_tables(), "1.1.0", (quarantine("ev-c"),))
    answers(tmp_path / "answers.jsonl", "ev-a", "ev-b", "ev-c")
    return tmp_path


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with two releases: git tags whose bundles DVC holds in a remote, and a commit between them."""
    from dvc.repo import Repo

    root = tmp_path / "repository"
    (root / "sources").mkdir(parents=True)
    for task in ("ev-a", "ev-b"):
        (root / "tasks" / task).mkdir(parents=True)
        (root / "tasks" / task / "task.yaml").write_text("schema: 1\n", encoding="utf-8")
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "user.email", "a@example.org")
    git(root, "config", "user.name", "a")
    with Repo.init(str(root)) as dvc:
        (root / ".dvc" / "config").write_text(
            f"[core]\n    remote = store\n    analytics = false\n['remote \"store\"']\n    url = {tmp_path / 'store'}\n"
        )
        (root / ".gitignore").write_text(".cellwright/\n", encoding="utf-8")
        for version, made, advisories in (
            ("1.0.0", old_tables(), ()),
            ("1.1.0", corrected(without(old_tables(), "ev-c"), "ev-a"), (quarantine("ev-c"),)),
        ):
            shutil.rmtree(root / "build" / "bundle", ignore_errors=True)
            manifest = bundle(root / "build" / "bundle", made, version, advisories) / "bundle.json"
            digest = hashlib.sha256(manifest.read_bytes()).hexdigest()
            if version == "1.1.0":
                (root / "tasks" / "ev-a" / "task.yaml").write_text("schema: 1\nid: ev-a\n", encoding="utf-8")
                git(root, "commit", "-qam", "The segment's revenue is taken, not the company's")
            dvc.add(str(root / "build" / "bundle"))
            dvc.push()
            git(root, "add", "-A")
            git(root, "commit", "-qm", f"Release {version}")
            git(root, "tag", "-a", f"v{version}", "-m", f"Release {version}\n\n{stated(digest)}")
    return root


def stated(digest: str) -> str:
    """The last lines of a tag's message."""
    return Stated(digest, "0" * 64, "0" * 64, "cellwright 1.0.0").lines()


def test_two_bundles_are_compared_and_the_answer_comes_first(folder: Path, here: Here) -> None:
    done = here("release", "diff", "old", "new", cwd=folder)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[:4] == [
        "small 1.0.0 → 1.1.0",
        "1.0.0 has 3 tasks and 30 cells, 1.1.0 3 tasks and 30 cells.",
        "Tasks: 1 added, 1 quarantined.",
        "References changed in 2 cells: 1 directly, 1 because of something that they rest on.",
    ]
    assert "    why: correction c1 (misread): byd.auto_revenue: 602 → 612; evidence https://filings.example" in done.out
    assert f"fact byd.auto_revenue → byd/{PROFIT}.auto_gross_profit → byd/{STRESSED}.low" in done.out
    assert ESCAPE not in done.out


def test_json_tells_each_field_with_decimals_as_text(folder: Path, here: Here) -> None:
    told = here("release", "diff", "old", "new", "--format", "json", cwd=folder).json
    assert list(told) == ["old", "new", "counts", "tasks", "facts", "cells"]
    value = told["cells"][0]["fields"][0]
    assert (value["field"], value["percent"]) == ("value", "1.6611")
    assert told["counts"]["references_changed_as_dependents"] == 1


def test_a_comparison_can_be_of_one_task(folder: Path, here: Here) -> None:
    told = here("release", "diff", "old", "new", "--task", "ev-d", "--format", "json", cwd=folder).json
    assert ([task["task"] for task in told["tasks"]], told["cells"]) == (["ev-d"], [])
    done = here("release", "diff", "old", "new", "--task", "ev-x", cwd=folder)
    assert done.code == 2
    assert done.sentences[0].startswith("bundle.json: the task `ev-x` is not in the bundle")


@pytest.mark.parametrize(("kind", "first"), [("text", "small 1"), ("markdown", "# small"), ("html", "<!doctype html>")])
@pytest.mark.parametrize("command", ["diff", "explain"])
def test_each_format_goes_to_a_file_whole(command: str, kind: str, first: str, folder: Path, here: Here) -> None:
    more = ("--submission", "answers.jsonl") if command == "explain" else ()
    done = here("release", command, "old", "new", *more, "--format", kind, "--out", "made", cwd=folder)
    assert (done.code, done.out, done.err) == (0, "", "")
    text = (folder / "made").read_text(encoding="utf-8")
    assert text.startswith(first)
    if kind == "text":
        assert max(map(len, text.splitlines())) <= 80


def test_releases_are_named_by_their_versions_and_got_from_dvc(repository: Path, here: Here) -> None:
    done = here("release", "diff", "1.0.0", "v1.1.0", cwd=repository)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("small 1.0.0 → 1.1.0\n")
    assert "why: commit " in done.out
    assert "The segment's revenue is taken, not the company's" in done.out
    assert "Release 1.1.0" not in done.out
    kept = repository / ".cellwright" / "releases" / "v1.0.0" / "bundle.json"
    assert kept.is_file()
    assert git(repository, "status", "--porcelain") == ""


def test_a_release_that_was_got_once_is_not_fetched_again_and_a_changed_one_is(repository: Path, here: Here) -> None:
    assert here("release", "diff", "1.0.0", "1.1.0", cwd=repository).code == 0
    kept = repository / ".cellwright" / "releases" / "v1.0.0"
    (kept / "bundle.json").write_text("{}", encoding="utf-8")
    assert here("release", "diff", "1.0.0", "1.1.0", cwd=repository).code == 0
    for place in (repository.parent / "store", repository / ".dvc" / "cache"):
        shutil.rmtree(place)
    assert here("release", "diff", "1.0.0", "1.1.0", cwd=repository).code == 0


def test_versions_may_be_compared_backwards(repository: Path, here: Here) -> None:
    done = here("release", "diff", "1.1.0", "1.0.0", "--format", "json", cwd=repository)
    assert [task["change"] for task in done.json["tasks"]] == ["added"]
    assert done.json["cells"][0]["reasons"][0]["words"] == "The segment's revenue is taken, not the company's"


def test_a_bundle_that_is_not_the_one_that_was_tagged_is_refused(repository: Path, here: Here) -> None:
    git(repository, "tag", "-f", "-a", "v1.0.0", "v1.0.0^{}", "-m", f"x\n\n{stated('0' * 64)}")
    done = here("release", "diff", "1.0.0", "1.1.0", cwd=repository)
    assert done.code == 2
    assert done.sentences[0].startswith("v1.0.0: the bundle that DVC gives is not the one that was released")
    assert not list((repository / ".cellwright" / "releases").iterdir())


def test_a_cloned_repository_cannot_have_a_bundle_kept_elsewhere(repository: Path, here: Here) -> None:
    elsewhere = repository.parent / "elsewhere"
    elsewhere.mkdir()
    (repository / ".cellwright").symlink_to(elsewhere)
    done = here("release", "diff", "1.0.0", "1.1.0", cwd=repository)
    assert done.code == 2
    assert "leads out" in done.sentences[0]
    assert not list(elsewhere.iterdir())


def test_a_tag_without_a_digest_and_one_that_is_not_there_are_told(repository: Path, here: Here) -> None:
    git(repository, "tag", "-f", "-a", "v1.0.0", "v1.0.0^{}", "-m", "by hand")
    done = here("release", "diff", "1.0.0", "1.1.0", cwd=repository)
    assert (done.code, done.sentences[0].partition(";")[0]) == (2, "v1.0.0: the tag states no `bundle:`")
    done = here("release", "diff", "1.0.0", "9.0.0", cwd=repository)
    assert done.code == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("old", "none"), "none: this is neither a version nor the folder of a bundle"),
        (("old", "answers.jsonl"), "answers.jsonl: the bundle is not a folder"),
        (("old", "."), ".: the folder is no bundle"),
        (("1.0.0", "new"), "the repository"),
    ],
)
def test_what_is_no_release_ends_in_one_sentence(
    arguments: tuple[str, ...], says: str, folder: Path, here: Here
) -> None:
    done = here("release", "diff", *arguments, cwd=folder)
    assert done.code == 2
    assert len(done.sentences) == 1
    if arguments[0] == "old":
        assert done.sentences[0].startswith(says)


def test_a_score_is_explained_from_two_results(folder: Path, here: Here) -> None:
    one = here("harness", "score", "--bundle", "old", "--submission", "answers.jsonl", "--out", "a.jsonl", cwd=folder)
    assert one.code == 0
    (folder / "b.md").write_text(
        f"Task: ev-a\n\n### byd / vehicles\nAnswer: 4.30 million\n\n### byd / {PROFIT}\nAnswer: 28,952\n",
        encoding="utf-8",
    )
    two = here("harness", "score", "--bundle", "new", "--submission", "b.md", "--out", "b.jsonl", cwd=folder)
    assert two.code == 0
    files = ("--results", "b.jsonl", "--results", "a.jsonl")
    told = here("release", "explain", "old", "new", *files, "--format", "json", cwd=folder).json
    sums = sum((Fraction(part["adds"]["lower_exact"]) for part in told["parts"]), Fraction(told["old"]["lower_exact"]))
    assert sums == Fraction(told["new"]["lower_exact"])
    assert [part["part"] for part in told["parts"]] == [
        "corrected",
        "dependents",
        "quarantined",
        "added",
        "answers",
        "unchanged",
    ]


def test_the_points_of_the_printed_bridge_add_up(folder: Path, here: Here) -> None:
    done = here("release", "explain", "old", "new", "--submission", "answers.jsonl", "--format", "markdown", cwd=folder)
    rows = [line.strip("| ").split(" | ") for line in done.out.splitlines() if line.startswith("| ")]
    lower = [text.partition(" / ")[0].replace("−", "-") for _, _, text, _ in rows[2:] if text.strip()]
    first, last = (rows[at][-1].strip("*").partition(" to ")[0] for at in (1 + 1, -1))
    assert sum(map(Fraction, lower)) == Fraction(last) - Fraction(first)


def test_results_of_another_bundle_are_refused_with_a_sentence(folder: Path, here: Here) -> None:
    here("harness", "score", "--bundle", "old", "--submission", "answers.jsonl", "--out", "a.jsonl", cwd=folder)
    text = (folder / "a.jsonl").read_text(encoding="utf-8").replace('"cell_digest":"', '"cell_digest":"0')
    (folder / "a.jsonl").write_text(text, encoding="utf-8")
    done = here("release", "explain", "old", "new", "--results", "a.jsonl", cwd=folder)
    assert done.code == 2
    assert done.sentences[0].startswith("a.jsonl: the results are not those of small 1.0.0; seen '30 of 30 lines")


def test_without_results_and_submission_it_is_said_what_to_give(folder: Path, here: Here) -> None:
    done = here("release", "explain", "old", "new", cwd=folder)
    assert done.code == 2
    assert "`--results FILE` once or twice, or `--submission FILE`" in done.sentences[0]


@pytest.mark.parametrize("source", ["new", "new/bundle.json", "advisories.csv"])
def test_advisories_are_told_beside_the_same_scores(source: str, folder: Path, here: Here) -> None:
    (folder / "advisories.csv").write_text(
        "id,kind,version,task,entity,dimension,because\nA1,quarantined,1.1.0,ev-c,,,sources contradict\n",
        encoding="utf-8",
    )
    score = ("harness", "score", "--bundle", "old", "--submission", "answers.jsonl")
    plain, advised = here(*score, cwd=folder), here(*score, "--advisories", source, cwd=folder)
    assert advised.code == 0
    assert advised.out.startswith(plain.out.rstrip())
    assert "A1 quarantined in 1.1.0: ev-c: " in advised.out
    assert "10 cells affected: byd/vehicles (scored 1)" in advised.out


def test_advisories_are_in_the_report_for_programs(folder: Path, here: Here) -> None:
    score = ("harness", "score", "--bundle", "old", "--submission", "answers.jsonl", "--format", "json")
    plain, advised = here(*score, cwd=folder).json, here(*score, "--advisories", "new", cwd=folder).json
    told = advised.pop("advisories")
    assert advised == plain
    assert [(item["id"], item["because"], len(item["cells"])) for item in told] == [
        ("A1", "two sources contradict each other", 10)
    ]
    assert told[0]["cells"][0] == {"task": "ev-c", "entity": "byd", "dimension": "vehicles", "score": "1"}


def test_a_yanked_release_is_told_before_its_score_and_on_the_error_stream_of_programs(
    folder: Path, here: Here
) -> None:
    (folder / "advisories.csv").write_text(
        "id,kind,version,task,entity,dimension,because\nA2,yanked,1.0.0,,,,wrong tables\n", encoding="utf-8"
    )
    score = ("harness", "score", "--bundle", "old", "--submission", "answers.jsonl", "--advisories", "advisories.csv")
    assert here(*score, cwd=folder).out.startswith("RELEASE 1.0.0 WAS YANKED (A2): wrong tables\n")
    done = here(*score, "--format", "json", cwd=folder)
    assert done.err == "warning: release 1.0.0 was yanked (A2): wrong tables\n"
    assert json.loads(done.out)["advisories"][0]["kind"] == "yanked"


def test_a_release_that_no_advisory_concerns_is_told_so(folder: Path, here: Here) -> None:
    score = ("harness", "score", "--bundle", "new", "--submission", "new.jsonl", "--advisories", "new")
    answers(folder / "new.jsonl", "ev-a")
    assert here(*score, cwd=folder).out.endswith("advisories: none concerns this release\n")


def test_hostile_advisories_end_in_one_sentence(folder: Path, here: Here) -> None:
    for data in (b"[" * 1_000_000, json.dumps({"name": "small", "advisories": [{"id": "A1"}]}).encode(), b""):
        (folder / "bad.json").write_bytes(data)
        score = ("harness", "score", "--bundle", "old", "--submission", "answers.jsonl", "--advisories", "bad.json")
        done = here(*score, cwd=folder)
        assert done.code == 2
        assert all(sentence.startswith("bad.json") for sentence in done.sentences)

"""`audit --since`: only what is new is told, from git's objects, and the work tree stays as it is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bench.repositories import PARAMS, write_repository
from tests.cli.workshop import Result, edit, run, snapshot
from tests.conftest import missing

TASK = "copy-0"


def git(root: Path, *arguments: str) -> str:
    program = shutil.which("git")
    if program is None:
        missing("git is not installed")
    name = ("-c", "user.name=ana", "-c", "user.email=ana@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        [str(program), "-C", str(root), *name, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One task, committed with one fault in it, below a folder of the work tree."""
    top = tmp_path_factory.mktemp("since") / "work tree"
    root = top / "benchmark"
    write_repository(root, 1)
    edit(root / "tasks" / TASK / "cells.csv", ",ben", ",ana")
    git(top.parent, "init", "-q", "-b", "main", str(top))
    git(top, "add", ".")
    git(top, "commit", "-q", "-m", "a task with a fault")
    git(top, "tag", "first")
    return top


@pytest.fixture
def root(committed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(committed, tmp_path / "work tree", symlinks=True)) / "benchmark"


def since(here: Callable[..., Result], root: Path, *more: str) -> Result:
    return here("audit", "--since", "main", *more, cwd=root)


def test_what_was_there_is_known_whatever_line_it_has_moved_to(here: Callable[..., Result], root: Path) -> None:
    cells = root / "tasks" / TASK / "cells.csv"
    head, *rows = cells.read_text(encoding="utf-8").splitlines()
    cells.write_text("\n".join([head, *reversed(rows)]) + "\n", encoding="utf-8")
    done = since(here, root)
    commit = git(root, "rev-parse", "--short=12", "HEAD")
    assert done.code == 0
    assert f"  since main ({commit}): 0 new, 1 known, 0 mended\n" in done.out
    assert f"{TASK}: not admitted" in done.out


def test_what_is_new_is_told_alone_and_what_is_gone_is_counted(here: Callable[..., Result], root: Path) -> None:
    edit(root / "tasks" / TASK / "cells.csv", ",ana,ana", ",ana,ben")
    edit(root / "tasks" / TASK / "task.yaml", "licence: CC-BY-4.0", "licence: ''")
    before, index = snapshot(root), git(root, "status", "--porcelain")
    done = since(here, root, "--format", "json")
    assert done.code == 1
    (task,) = done.json["tasks"]
    assert [finding["rule"] for finding in task["findings"]] == ["C1-TEXT-EMPTY"]
    assert task["since"] == {"known": 0, "mended": 1, "readable": True}
    assert done.json["since"].startswith("main (")
    assert (snapshot(root), git(root, "status", "--porcelain")) == (before, index)


@pytest.mark.parametrize(
    ("form", "mark"), [("html", "0 new, 1 known"), ("github", "::notice title=copy-0::since main")]
)
def test_every_format_says_how_many_are_known(form: str, mark: str, here: Callable[..., Result], root: Path) -> None:
    done = since(here, root, "--format", form)
    assert (done.code, mark in done.out) == (0, True)
    assert "C1-REVIEWER-IS-ANNOTATOR" not in done.out


def test_a_new_warning_is_told_and_stops_nothing(here: Callable[..., Result], root: Path) -> None:
    (root / "tasks" / TASK / "waivers.csv").write_text("rule,reason,by,date\nC4-NOTE-MISSING,settled,ben,2024-12-01\n")
    done = since(here, root)
    assert (done.code, "1 new, 1 known" in done.out, "C1-WAIVER-UNUSED" in done.out) == (0, True, True)


def test_the_settings_and_the_task_s_own_waivers_are_those_of_the_revision(
    here: Callable[..., Result], root: Path
) -> None:
    (root / "params.yaml").write_text(PARAMS + "audit:\n  relative_full_most: 0\n")
    done = since(here, root, "--format", "json")
    told = {finding["rule"] for finding in done.json["tasks"][0]["findings"]}
    assert told == {"C5-TOLERANCE-WIDE"}


def test_a_task_that_was_not_there_or_not_readable_is_new_as_a_whole(here: Callable[..., Result], root: Path) -> None:
    task = root / "tasks" / TASK / "task.yaml"
    good = task.read_bytes()
    task.write_bytes(b"\xff\xfe")
    git(root, "commit", "-q", "-a", "-m", "broken")
    task.write_bytes(good)
    done = since(here, root)
    assert done.code == 1
    assert "the task was not there or could not be read, so that everything is new" in done.out
    assert "C1-REVIEWER-IS-ANNOTATOR" in done.out


def test_the_cache_gives_the_same_answer(here: Callable[..., Result], root: Path) -> None:
    answers = [since(here, root, "--format", "json", *more) for more in ((), (), ("--no-cache",))]
    assert answers[0] == answers[1] == answers[2]


def test_any_name_of_a_revision_will_do(here: Callable[..., Result], root: Path) -> None:
    commit = git(root, "rev-parse", "HEAD")
    for name in ("first", "HEAD", commit, commit[:8]):
        assert here("audit", "--since", name, cwd=root).code == 0


@pytest.mark.parametrize("name", ["nope", "--all", "HEAD:tasks", "a b", "-", "HEAD~9", "main\x00x", "\n"])
def test_a_revision_that_is_not_there_is_told(name: str, here: Callable[..., Result], root: Path) -> None:
    done = here("audit", f"--since={name}", cwd=root)
    assert (done.code, done.out, len(done.sentences)) == (2, "", 1)
    assert done.sentences[0].startswith("git knows no such revision; seen ")


def test_a_folder_that_is_not_under_git_is_told(here: Callable[..., Result], root: Path) -> None:
    shutil.rmtree(root.parent / ".git")
    done = since(here, root)
    assert (done.code, done.out, len(done.sentences)) == (2, "", 1)
    assert "the repository is not under git, so that no earlier revision of it is known" in done.sentences[0]


def test_a_machine_without_git_is_told(root: Path, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    done = run("audit", "--since", "main", cwd=root, env={"PATH": str(tmp_path / "bin")})
    assert (done.code, done.out, len(done.sentences)) == (3, "", 1)
    assert done.sentences[0].startswith("git is not installed, so that no earlier revision can be read; install git")


def test_objects_that_are_lost_are_told(here: Callable[..., Result], root: Path) -> None:
    name = git(root, "rev-parse", f"HEAD:./tasks/{TASK}/facts.csv")
    (root.parent / ".git" / "objects" / name[:2] / name[2:]).unlink()
    (root / "params.yaml").write_text(PARAMS + "audit:\n  claim_slack: 2\n")
    done = since(here, root)
    assert done.code in (1, 3)
    assert "could not be read, so that everything is new" in done.out or done.sentences


def test_a_repository_s_own_settings_of_git_run_nothing(
    here: Callable[..., Result], root: Path, tmp_path: Path
) -> None:
    mark = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
    script.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "diff.external"):
        git(root, "config", key, str(script))
    assert since(here, root).code == 0
    assert not mark.exists()


def test_what_a_hook_sets_for_another_repository_changes_nothing(
    here: Callable[..., Result], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", os.devnull)
    monkeypatch.setenv("GIT_INDEX_FILE", os.devnull)
    assert since(here, root).code == 0


def test_the_json_of_an_audit_without_since_says_none(here: Callable[..., Result], root: Path) -> None:
    told = json.loads(here("audit", "--format", "json", cwd=root).out)
    assert "since" not in told
    assert told["tasks"][0].keys() & {"since", "draft"} == set()

"""Malicious contributions are refused with reasons, through the command line; nothing is written and nothing grows."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.workshop import environment, snapshot
from tests.conftest import ROOT
from tests.contributions.malicious import CASES
from tests.contributions.small import entries_of, files_of, listed, zip_of

PEAK = 600_000_000
"""Bytes of memory that the checks may take at most, the libraries of the audit and a document of the largest size
among them."""
HONEST, CHANGED = "an honest one", "what has changed"
QUICK = tuple(CASES)[::3]
Results = dict[str, dict[str, Any]]


def repository(folder: Path) -> Path:
    """A repository without a task, with the publishers that are shipped."""
    (folder / "tasks").mkdir(parents=True)
    (folder / "sources").mkdir()
    shutil.copy(ROOT / "sources" / "registry.csv", folder / "sources")
    shutil.copy(ROOT / "params.yaml", folder)
    return folder


def check_all(top: Path, names: Iterable[str]) -> Results:
    """What the program said of each contribution and of an honest one, and which of the repository, the folder of
    temporary files and the home have changed."""
    root, home, temporary, given = (top / name for name in ("repository", "home", "tmp", "given"))
    repository(root)
    for folder in (home, temporary, given):
        folder.mkdir()
    jobs = {}
    for number, name in enumerate(names):
        jobs[name] = given / f"{number}.zip"
        CASES[name].make(jobs[name])
    jobs[HONEST] = given / "honest.zip"
    jobs[HONEST].write_bytes(zip_of(entries_of(listed(files_of()))))
    watched = (root, home, temporary)
    before = [snapshot(folder) for folder in watched]
    commands = [["contribute", "check", str(path), "--draft", "--root", str(root)] for path in jobs.values()]
    done = subprocess.run(
        [sys.executable, "-m", "tests.contributions.runs"],
        cwd=ROOT,
        env=environment({"HOME": str(home), "TMPDIR": str(temporary)}),
        input=json.dumps(commands),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = dict(zip(jobs, json.loads(done.stdout), strict=True))
    changed = [folder.name for folder, old in zip(watched, before, strict=True) if snapshot(folder) != old]
    return {**told, CHANGED: {"folders": changed}}


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return check_all(tmp_path_factory.mktemp("malicious"), QUICK)


@pytest.fixture(scope="module")
def all_checked(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return check_all(tmp_path_factory.mktemp("malicious"), CASES)


def look(name: str, said: dict[str, Any]) -> None:
    """The contribution was refused by its check and for its reason."""
    case = CASES[name]
    assert said["code"] in (1, 2), said["out"]
    assert said["err"] == ""
    lines = said["out"].splitlines()
    at = [number for number, line in enumerate(lines) if line.startswith(f"  error {case.check} ")]
    told = [" ".join(lines[number : number + 4]) for number in at]
    assert any(case.reason in text for text in told), said["out"]


@pytest.mark.parametrize("name", QUICK)
def test_a_malicious_contribution_is_refused_with_its_reason(name: str, checked: Results) -> None:
    look(name, checked[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_each_of_them_is_refused_with_its_reason(name: str, all_checked: Results) -> None:
    look(name, all_checked[name])


def test_an_honest_contribution_is_not(checked: Results) -> None:
    assert checked[HONEST]["code"] == 0, checked[HONEST]["out"]
    assert "acceptable (0 errors, 0 warnings)" in checked[HONEST]["out"]


def test_nothing_is_written_anywhere(checked: Results) -> None:
    assert checked[CHANGED]["folders"] == []


def test_memory_is_bounded(checked: Results) -> None:
    assert max(said["peak"] for name, said in checked.items() if name != CHANGED) < PEAK


@pytest.mark.slow
def test_of_all_of_them_nothing_is_written_and_memory_is_bounded(all_checked: Results) -> None:
    assert all_checked[CHANGED]["folders"] == []
    assert max(said["peak"] for name, said in all_checked.items() if name != CHANGED) < PEAK


def test_what_is_told_can_be_shown(checked: Results) -> None:
    """A name or text from outside moves no cursor and turns no line."""
    for name, said in checked.items():
        if name != CHANGED:
            assert [char for char in said["out"] if not char.isprintable() and char != "\n"] == [], name


def test_twenty_kinds_of_check_refuse_something() -> None:
    assert len({case.check for case in CASES.values()}) >= 20
    assert len({CASES[name].check for name in QUICK}) >= 12

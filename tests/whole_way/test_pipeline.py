"""The pipeline: nothing runs when nothing changed, and the same repository gives the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.whole_way.conftest import TASK, run_program


def digests(folder: Path) -> dict[str, str]:
    """sha256 of every file by its path."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def dvc(*arguments: str, cwd: Path) -> str:
    env = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "DVC_NO_ANALYTICS": "1",
    }
    result = subprocess.run(
        [sys.executable, "-m", "dvc", *arguments],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


def test_dvc_repro_runs_what_changed_and_nothing_when_nothing_did(root: Path, workshop: Path) -> None:
    shutil.copytree(root / "cellwright", workshop / "cellwright", ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(["git", "init", "-q"], cwd=workshop, check=True)
    dvc("init", "-q", cwd=workshop)
    first = dvc("repro", cwd=workshop)
    assert all(f"Running stage '{stage}'" in first for stage in ("audit", "bundle", "page"))
    built = digests(workshop / "build")

    second = dvc("repro", cwd=workshop)
    assert "Running stage" not in second
    assert "up to date" in second

    cells = workshop / "tasks" / TASK / "cells.csv"
    cells.write_text(cells.read_text().replace("only the issuer", "the issuer alone") + "\n")
    note = workshop / "tasks" / TASK / "searches.csv"
    note.write_text(note.read_text().replace("no such line", "there is no such line"))
    third = dvc("repro", cwd=workshop)
    assert "Running stage 'audit'" in third
    assert digests(workshop / "build")["bundle/cells.parquet"] == built["bundle/cells.parquet"]


ELSEWHERE = {"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "LANG": "C", "PYTHONHASHSEED": "7", "PYTHONUTF8": "0"}


@pytest.mark.whole_way
def test_a_bundle_built_twice_is_the_same_to_the_byte(workshop: Path, tmp_path: Path) -> None:
    other = shutil.copytree(workshop, tmp_path / "other folder", copy_function=shutil.copy)
    run_program("bundle", "--out", "out", cwd=workshop, env={"TZ": "UTC", "PYTHONHASHSEED": "1"})
    before = os.umask(0o077)
    try:
        run_program("bundle", "--out", "out", cwd=other, env=ELSEWHERE)
    finally:
        os.umask(before)
    run_program("bundle", "--out", "out", cwd=other)  # Over the first one: it is replaced whole.
    assert digests(workshop / "out") == digests(other / "out")


def test_a_task_that_is_not_admitted_keeps_the_bundle_from_being_built(workshop: Path) -> None:
    facts = workshop / "tasks" / TASK / "facts.csv"
    facts.write_text(facts.read_text().replace("383,285", "383,286"))
    result = subprocess.run(
        [sys.executable, "-m", "cellwright", "bundle", "--out", "out"],
        cwd=workshop,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert f"the task `{TASK}` is not admitted" in result.stderr
    assert not (workshop / "out").exists()


def test_a_fact_that_its_document_contradicts_keeps_the_task_out(workshop: Path) -> None:
    facts = workshop / "tasks" / TASK / "facts.csv"
    rows = facts.read_text(encoding="utf-8")
    this_year = next(line for line in rows.splitlines() if line.startswith("aapl.revenue.fy2023,"))
    wrong = this_year.replace(",383285000000,6,", ",383285000000000,9,")
    assert wrong != this_year
    facts.write_text(rows.replace(this_year, wrong), encoding="utf-8")
    audit = json.loads(run_program("audit", TASK, "--format", "json", cwd=workshop, code=1))
    told = [finding for finding in audit["tasks"][0]["findings"] if finding["rule"] == "C2-FIGURE-CONTRADICTED"]
    assert [finding["record"] for finding in told] == ["aapl.revenue.fy2023"]

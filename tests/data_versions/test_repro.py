"""The pipeline with several tasks: what runs after a change, what does not, and what another clone goes on with.

The quick share is `tests/whole_way/test_pipeline.py`, with one task.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cellwright.clients import dvc
from tests.bench.bench_repro import change, changed_back, prepare, repro
from tests.data_repository import DataRepository, Remote, git

# DVC's own libraries warn of their own futures.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.slow]
STAGES = ("audit", "bundle", "page")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three tasks, built once by `dvc repro`; not to be changed."""
    root = tmp_path_factory.mktemp("pipeline") / "repository"
    prepare(root, 3)
    first = repro(root)
    assert first.ran == STAGES
    return root


@pytest.fixture
def pipeline(built: Path, tmp_path: Path) -> Path:
    """The same repository, for the test to change."""
    return shutil.copytree(built, tmp_path / "repository", symlinks=True)


def digests(folder: Path) -> dict[str, str]:
    """sha256 of each file of what was built."""
    found: Iterator[Path] = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def test_where_nothing_changed_nothing_runs(pipeline: Path) -> None:
    assert repro(pipeline).ran == ()


def test_a_changed_task_runs_what_it_reaches_and_only_its_own_rows_change(pipeline: Path) -> None:
    before = digests(pipeline / "build" / "bundle")
    change(pipeline, 1)
    assert repro(pipeline).ran[:1] == ("audit",)
    after = digests(pipeline / "build" / "bundle")
    assert {name for name in before if name.startswith("prompts/")} == {
        name for name in after if name.startswith("prompts/")
    }
    assert before["facts.parquet"] == after["facts.parquet"], "a search does not touch a fact"
    assert repro(pipeline).ran == ()


def test_a_change_that_is_taken_back_is_taken_from_what_was_built_before(pipeline: Path) -> None:
    """DVC's run cache knows the inputs of each run that it made."""
    before = digests(pipeline / "build")
    change(pipeline, 1)
    repro(pipeline)
    changed_back(pipeline, 1)
    assert repro(pipeline).ran == ()
    assert digests(pipeline / "build") == before


def test_a_clone_elsewhere_pulls_what_was_built_and_goes_on(
    pipeline: Path, folder_remote: Remote, tmp_path: Path
) -> None:
    repository = DataRepository(pipeline)
    repository.set_remote(folder_remote.settings)
    git(pipeline, "add", "-A")
    git(pipeline, "commit", "-qm", "built")
    targets = ["build/audit.json", "build/bundle", "build/evidence.html", "sources/captures/copy-0.dvc",
               "sources/captures/copy-1.dvc", "sources/captures/copy-2.dvc"]  # fmt: skip
    dvc.push(pipeline, targets)
    there = repository.clone(tmp_path / "elsewhere")
    dvc.pull(there.root, targets)
    assert digests(there.root / "build") == digests(pipeline / "build")
    assert repro(there.root).ran == (), "what was pulled is what would be built"
    change(there.root, 2)
    assert repro(there.root).ran[:1] == ("audit",)


def test_the_command_dvc_pull_brings_all_of_it_to_a_clone(
    pipeline: Path, folder_remote: Remote, tmp_path: Path
) -> None:
    """What people type, not our door."""
    repository = DataRepository(pipeline)
    repository.set_remote(folder_remote.settings)
    git(pipeline, "add", "-A")
    git(pipeline, "commit", "-qm", "built")
    for command, cwd in (("push", pipeline), ("pull", repository.clone(tmp_path / "elsewhere").root)):
        env = {**os.environ, "DVC_NO_ANALYTICS": "1"}
        subprocess.run([sys.executable, "-m", "dvc", command, "-q"], cwd=cwd, env=env, check=True, timeout=300)
    assert digests(tmp_path / "elsewhere" / "build") == digests(pipeline / "build")

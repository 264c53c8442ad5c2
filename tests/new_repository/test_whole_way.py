"""From an empty folder to a built bundle in a repository of one's own, by this tree and by an installed wheel."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.cli.workshop import TASK, environment, snapshot
from tests.conftest import ROOT
from tests.new_repository.conftest import git
from tests.plug_ins.conftest import built_wheel

BIN = Path(sys.executable).parent


def told(*command: str | Path, cwd: Path, env: dict[str, str], code: int = 0) -> str:
    """What a program says on both streams; its exit code must be `code`."""
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment({"PATH": path, "DVC_NO_ANALYTICS": "1", **env}),
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def begun(tmp_path: Path, env: dict[str, str]) -> Path:
    """init → new → a task copied in → capture; gives the repository."""
    told("cellwright", "init", "bench", "--remote", "store", cwd=tmp_path, env=env)
    root = tmp_path / "bench"
    told("cellwright", "new", "begun", "--root", root, cwd=tmp_path, env=env)
    assert "of 64 cells are ready" in told("cellwright", "status", "begun", cwd=root, env=env, code=1)
    shutil.rmtree(root / "tasks" / "begun")
    shutil.copytree(ROOT / "tasks" / TASK, root / "tasks" / TASK)
    mirror = ROOT / "sources" / "stand-ins" / TASK
    told("cellwright", "capture", TASK, "--mirror", mirror, cwd=root, env=env)
    assert (root / "sources" / "captures" / f"{TASK}.dvc").is_file()
    return root


def whole_way(tmp_path: Path, env: dict[str, str]) -> Path:
    """The same, then locate → audit → bundle → dvc repro → push → commit."""
    root = begun(tmp_path, env)
    told("cellwright", "locate", TASK, cwd=root, env=env)
    assert f"{TASK}: admitted" in told("cellwright", "audit", TASK, cwd=root, env=env)
    told("cellwright", "bundle", "--out", "out", cwd=root, env=env)
    said = told("dvc", "repro", cwd=root, env=env)
    assert all(f"Running stage '{stage}'" in said for stage in ("audit", "bundle", "page"))
    assert snapshot(root / "build" / "bundle") == snapshot(root / "out")
    shutil.rmtree(root / "out")
    assert "up to date" in told("dvc", "repro", cwd=root, env=env)
    told("dvc", "push", "-q", cwd=root, env=env)
    git(root, "add", "-A")
    names = git(root, "diff", "--cached", "--name-only").splitlines()
    assert not [name for name in names if name.startswith("build/") or name.endswith(".warc.gz")]
    git(root, "commit", "-q", "-m", "a task")
    return root


def test_before_there_is_a_task_the_pipeline_audits_and_stops_at_the_bundle(made: Path) -> None:
    said = told("dvc", "repro", cwd=made, env={}, code=255)
    assert "Running stage 'audit'" in said
    assert "there is no task yet" in said
    assert "failed to reproduce 'bundle'" in said
    assert (made / "build" / "audit.json").is_file()


def test_a_repository_of_one_s_own_goes_from_nothing_to_a_bundle(tmp_path: Path) -> None:
    root = begun(tmp_path, {})
    told("dvc", "repro", cwd=root, env={})
    assert (root / "build" / "bundle" / "bundle.json").is_file()
    assert (root / "build" / "evidence.html").is_file()
    assert git(root, "status", "--porcelain", "-uall").count("build/") == 0


@pytest.mark.slow
def test_whoever_clones_it_gets_the_captures_and_the_bundle_from_the_remote(tmp_path: Path) -> None:
    root = whole_way(tmp_path, {})
    told("git", "clone", "-q", root, tmp_path / "elsewhere", cwd=tmp_path, env={})
    clone = tmp_path / "elsewhere"
    (clone / ".dvc" / "config.local").write_text(f"['remote \"storage\"']\n    url = {tmp_path / 'store'}\n")
    told("dvc", "pull", "-q", cwd=clone, env={})
    assert snapshot(clone / "sources" / "captures") == snapshot(root / "sources" / "captures")
    assert "admitted" in told("cellwright", "audit", cwd=clone, env={})
    assert snapshot(clone / "build" / "bundle") == snapshot(root / "build" / "bundle")


@pytest.mark.slow
def test_an_installed_wheel_does_the_same_without_the_tree(tmp_path: Path) -> None:
    site = tmp_path / "site"
    with zipfile.ZipFile(built_wheel(ROOT, tmp_path / "dist")) as packed:
        packed.extractall(site)
    env = {"PYTHONPATH": str(site)}
    where = told(sys.executable, "-c", "import cellwright; print(cellwright.__file__)", cwd=tmp_path, env=env)
    assert Path(where.strip()) == site / "cellwright" / "__init__.py"
    root = whole_way(tmp_path, env)
    pages = ROOT / "guidelines"
    assert snapshot(root / "guidelines") == {
        name: sha256 for name, sha256 in snapshot(pages).items() if name.endswith(".md")
    }

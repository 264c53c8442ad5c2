"""A copy of a repository shares DVC's cache and remote with it, and its stages find the program that runs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cellwright import __version__
from cellwright.clients import dvc_copy
from cellwright.clients.dvc import dvc_repository
from cellwright.records.errors import NotSettled

# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")
PIPELINE = """\
stages:
  told:
    cmd: cellwright --version > told.txt && env > env.txt
    outs: [told.txt, env.txt]
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with one task's captures under DVC and a remote named by a relative path."""
    from dvc.repo import Repo

    root = tmp_path / "repository"
    captures = root / "sources" / "captures" / "t"
    captures.mkdir(parents=True)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    (captures / "one.warc.gz").write_bytes(b"one")
    (root / "dvc.yaml").write_text(PIPELINE)
    with Repo.init(str(root)) as made:
        made.add(str(captures))
    (root / ".dvc" / "config").write_text("[core]\n    remote = store\n['remote \"store\"']\n    url = ../../store\n")
    return root


@pytest.fixture
def copy(root: Path, tmp_path: Path) -> Path:
    """What a commit would hold, in another place, settled."""
    copy = tmp_path / "somewhere" / "deep" / "tree"
    (copy / ".dvc").mkdir(parents=True)
    shutil.copy(root / ".dvc" / "config", copy / ".dvc" / "config")
    (copy / "sources" / "captures").mkdir(parents=True)
    shutil.copy(root / "sources" / "captures" / "t.dvc", copy / "sources" / "captures")
    shutil.copy(root / "dvc.yaml", copy)
    dvc_copy.settle_copy(root, copy)
    return copy


def test_captures_come_from_the_cache_and_go_to_the_repositorys_remote(root: Path, copy: Path, tmp_path: Path) -> None:
    dvc_copy.check_out_captures(copy)
    assert (copy / "sources" / "captures" / "t" / "one.warc.gz").read_bytes() == b"one"
    (copy / "dvc.yaml").unlink()
    assert dvc_copy.push_copy(root, copy) == 2
    assert (tmp_path / "store").is_dir(), "a relative path is relative to the repository, not to the copy"
    assert dvc_copy.push_copy(root, copy) == 0
    assert not (root / ".dvc" / "config.local").exists()


def test_an_object_that_the_remote_lost_is_told_whatever_dvc_remembers(root: Path, copy: Path, tmp_path: Path) -> None:
    dvc_copy.check_out_captures(copy)
    (copy / "dvc.yaml").unlink()
    dvc_copy.push_copy(root, copy)
    lost = next(path for path in (tmp_path / "store").rglob("*") if path.is_file() and path.read_bytes() == b"one")
    lost.unlink()
    with dvc_repository(copy, "read the remote", dvc_copy._remotes(root)) as repository:
        assert dvc_copy._missing(repository) == [f"{lost.parent.name}{lost.name}"]


def test_captures_that_the_cache_lacks_are_told_with_the_command_that_brings_them(root: Path, copy: Path) -> None:
    shutil.rmtree(root / ".dvc" / "cache")
    with pytest.raises(NotSettled, match=r"not in DVC's cache; seen 't'; `dvc pull` brings them"):
        dvc_copy.check_out_captures(copy)


def test_a_stage_finds_the_program_that_runs_and_nothing_leads_it_elsewhere(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "bin" / "cellwright"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\necho another\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", f"{other.parent}:/usr/bin:/bin")
    monkeypatch.setenv("CELLWRIGHT_ROOT", "/elsewhere")
    (copy / "cellwright").mkdir()
    (copy / "cellwright" / "__main__.py").write_text("print('a package of the same name')")
    dvc_copy.check_out_captures(copy)
    assert not dvc_copy.is_up_to_date(copy)
    dvc_copy.run_stages(copy, [], anew=True)
    assert (copy / "told.txt").read_text() == f"cellwright {__version__}\n"
    assert "CELLWRIGHT_ROOT" not in (copy / "env.txt").read_text()
    assert dvc_copy.is_up_to_date(copy)


def test_what_a_stage_says_no_with_is_passed_on(copy: Path) -> None:
    (copy / "dvc.yaml").write_text("stages:\n  told:\n    cmd: cellwright audit nothing\n    outs: [told.txt]\n")
    (copy / "tasks").mkdir()
    with pytest.raises(NotSettled, match=r"there is no task `nothing`[\s\S]*a stage of the pipeline did not end well"):
        dvc_copy.run_stages(copy, [], anew=True)

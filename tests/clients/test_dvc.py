"""DVC does its work through its library, with a real repository and a real remote."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cellwright.clients import dvc
from cellwright.records.errors import NotSettled, WorldFailed

# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")


def run(root: Path, *command: str) -> None:
    subprocess.run(command, cwd=root, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository with DVC, one tracked file, a tag and a remote folder."""
    from dvc.repo import Repo

    root = tmp_path / "repository"
    root.mkdir()
    run(root, "git", "init", "-q")
    run(root, "git", "config", "user.email", "a@example.org")
    run(root, "git", "config", "user.name", "a")
    with Repo.init(str(root)) as made:
        (root / "file.txt").write_text("one")
        made.add(str(root / "file.txt"))
    return root


def with_remote(root: Path) -> None:
    (root / ".dvc" / "config").write_text(
        f"[core]\n    remote = store\n    analytics = false\n['remote \"store\"']\n    url = {root.parent / 'store'}\n"
    )
    run(root, "git", "add", "-A")
    run(root, "git", "commit", "-qm", "one")
    run(root, "git", "tag", "v1.0.0")


def test_without_a_remote_the_command_that_sets_one_is_named(repository: Path) -> None:
    with pytest.raises(NotSettled, match="dvc remote add --default"):
        dvc.default_remote(repository)


def test_what_was_pushed_is_got_elsewhere_by_its_tag(repository: Path, tmp_path: Path) -> None:
    with_remote(repository)
    assert dvc.default_remote(repository) == "store"
    assert dvc.push(repository, ["file.txt.dvc"]) == 1
    (repository / "file.txt").unlink()
    dvc.get(str(repository), "file.txt", "v1.0.0", tmp_path / "got.txt")
    assert (tmp_path / "got.txt").read_text() == "one"
    dvc.pull(repository, ["file.txt.dvc"])
    assert (repository / "file.txt").read_text() == "one"


def test_an_unknown_tag_is_told(repository: Path, tmp_path: Path) -> None:
    with_remote(repository)
    with pytest.raises(WorldFailed, match=r"could not get `file\.txt` at v9"):
        dvc.get(str(repository), "file.txt", "v9.0.0", tmp_path / "got.txt")
    assert not (tmp_path / "got.txt").exists()

"""A commit and a tag are made beside the work tree and shown in one step, whatever files and branches are called."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from cellwright.clients.git_writing import WorkTree, open_work_tree
from cellwright.records.errors import NotSettled, WorldFailed

NAMES = ("plain.txt", "--help", 'a b/ü "quoted".txt', "new\nline", ":(top)x", "*.csv")


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)
    return done.stdout.decode().strip()


@pytest.fixture
def tree(tmp_path: Path) -> WorkTree:
    """A repository with files of difficult names, on a branch with a slash and a dash."""
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "-q", "-b", "feature/--x")
    git(root, "config", "user.name", "Ana")
    git(root, "config", "user.email", "ana@example.org")
    for name in NAMES:
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(f"old {name}")
    (root / "plain.txt").chmod(0o755)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    return open_work_tree(root)


def made(tree: WorkTree, tmp_path: Path) -> tuple[str, str]:
    """A commit that changes every file and adds one, and its tag."""
    files = {name: f"new {name}".encode() for name in NAMES} | {"added/file": b"added"}
    commit = tree.commit(tree.head, files, "Release 1.0.0\n", tmp_path / "index")
    return commit, tree.tag_object(commit, "v1.0.0", "Release 1.0.0\n\nbundle: x\n")


def test_nothing_is_seen_of_a_commit_before_it_is_published(tree: WorkTree, tmp_path: Path) -> None:
    made(tree, tmp_path)
    assert tree.now() == tree
    assert tree.changed() == ()
    assert tree.tags() == []


def test_published_the_branch_the_tag_and_the_work_tree_are_there(tree: WorkTree, tmp_path: Path) -> None:
    commit, tag = made(tree, tmp_path)
    tree.publish(commit, "v1.0.0", tag, "Release 1.0.0")
    assert tree.now().head == commit
    assert tree.bring_forward(tree.head, commit) == ()
    assert tree.now().changed() == ()
    assert {name: (tree.root / name).read_text() for name in NAMES} == {name: f"new {name}" for name in NAMES}
    assert os.access(tree.root / "plain.txt", os.X_OK)
    (found,) = tree.tags(merged=True)
    assert (found.name, found.commit, found.message) == ("v1.0.0", commit, "Release 1.0.0\n\nbundle: x\n")
    assert tree.bring_forward(tree.head, commit) == (), "it may be called again"


def test_where_the_tag_is_there_the_branch_does_not_move(tree: WorkTree, tmp_path: Path) -> None:
    commit, tag = made(tree, tmp_path)
    git(tree.root, "tag", "v1.0.0")
    with pytest.raises(WorldFailed, match="git could not do `update-ref`"):
        tree.publish(commit, "v1.0.0", tag, "Release 1.0.0")
    assert tree.now().head == tree.head


def test_where_somebody_committed_meanwhile_no_tag_is_made(tree: WorkTree, tmp_path: Path) -> None:
    commit, tag = made(tree, tmp_path)
    git(tree.root, "commit", "-q", "--allow-empty", "-m", "theirs")
    with pytest.raises(WorldFailed, match="git could not do `update-ref`"):
        tree.publish(commit, "v1.0.0", tag, "Release 1.0.0")
    assert tree.tags() == []


def test_a_file_that_somebody_changed_is_left_and_named(tree: WorkTree, tmp_path: Path) -> None:
    commit, tag = made(tree, tmp_path)
    tree.publish(commit, "v1.0.0", tag, "Release 1.0.0")
    (tree.root / "plain.txt").write_text("mine")
    (tree.root / "added").mkdir()
    (tree.root / "added" / "file").write_text("mine too")
    assert tree.bring_forward(tree.head, commit) == ("added/file", "plain.txt")
    assert (tree.root / "plain.txt").read_text() == "mine"
    assert (tree.root / "--help").read_text() == "new --help"


def test_a_copy_holds_what_is_committed_and_nothing_else(tree: WorkTree, tmp_path: Path) -> None:
    (tree.root / "plain.txt").write_text("changed")
    (tree.root / "untracked").write_text("x")
    assert tree.changed() == ("plain.txt", "untracked")
    tree.export(tree.head, tmp_path / "copy" / "tree")
    held = {path.relative_to(tmp_path / "copy" / "tree").as_posix() for path in (tmp_path / "copy" / "tree").rglob("*")}
    assert held == {*NAMES, "a b"}
    assert (tmp_path / "copy" / "tree" / "plain.txt").read_text() == "old plain.txt"
    assert tree.changed() == ("plain.txt", "untracked"), "the person's own index is not used"


def test_no_hook_runs(tree: WorkTree, tmp_path: Path) -> None:
    for name in ("pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-checkout"):
        hook = tree.git_dir / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
        hook.chmod(0o755)
    commit, tag = made(tree, tmp_path)
    tree.publish(commit, "v1.0.0", tag, "Release 1.0.0")
    assert not (tmp_path / "ran").exists()


def test_a_folder_below_the_top_and_one_without_git_are_refused(tree: WorkTree, tmp_path: Path) -> None:
    with pytest.raises(NotSettled, match="from the top of its git repository"):
        open_work_tree(tree.root / "a b")
    with pytest.raises(NotSettled, match="not under git"):
        open_work_tree(tmp_path)


def test_a_machine_without_git_is_told(tree: WorkTree, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WorldFailed, match="git is not installed"):
        open_work_tree(tree.root)

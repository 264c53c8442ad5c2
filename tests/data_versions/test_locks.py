"""Who stands in the way is told: a DVC command at work, a lock left behind, git at work. The holders are real."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cellwright.clients import dvc
from cellwright.clients.dvc_locks import require_git_unlocked
from cellwright.records.errors import WorldFailed
from tests.cli.workshop import Result
from tests.data_repository import DataRepository, Remote, git

# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")
TARGETS = ["sources/captures/t.dvc"]
HOLD_LOCK = """
import sys
from dvc.repo import Repo, lock_repo
with Repo(sys.argv[1]) as repository, lock_repo(repository):
    print("held", flush=True)
    sys.stdin.read()
"""
HOLD_RWLOCK = """
import sys
from dvc.repo import Repo
from dvc.rwlock import rwlock
with Repo(sys.argv[1]) as repository:
    path = sys.argv[1] + "/sources/captures/t"
    with rwlock(repository.tmp_dir, repository.fs, "dvc repro --force secret", [], [path], False):
        print("held", flush=True)
        sys.stdin.read()
"""


@contextmanager
def holding(code: str, root: Path) -> Iterator[int]:
    """Another process that holds a lock while the block runs; gives its number."""
    command = [sys.executable, "-W", "ignore", "-c", code, str(root)]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        assert child.stdout.readline() == "held\n"
        yield child.pid
    finally:
        child.stdin.close()
        child.stdout.close()
        child.wait(30)


@pytest.fixture
def shared(repository: DataRepository, folder_remote: Remote) -> DataRepository:
    """A repository that could push."""
    repository.set_remote(folder_remote.settings)
    return repository


def refused(act: Callable[[], object]) -> str:
    """The one sentence of the failure."""
    with pytest.raises(WorldFailed) as failed:
        act()
    assert failed.value.exit_code == 3
    assert "\n" not in str(failed.value)
    return str(failed.value)


def test_a_dvc_command_at_work_is_named_with_its_process(shared: DataRepository) -> None:
    with holding(HOLD_LOCK, shared.root) as pid:
        sentence = refused(lambda: dvc.push(shared.root, TARGETS))
    assert sentence.startswith(
        ".dvc/tmp/lock: DVC could not push to the remote: another DVC command is at work in this repository;"
        f" seen 'process {pid}, `{os.path.basename(sys.executable)}"
    )
    assert sentence.endswith("; wait until it has ended, then run this again; end it first if it hangs")
    assert dvc.push(shared.root, TARGETS) == 4


def test_a_command_that_uses_the_files_is_named_by_what_it_does(shared: DataRepository) -> None:
    from cellwright.authoring.captures.tracking import track_captures

    shared.write_capture("5", "one more")
    with holding(HOLD_RWLOCK, shared.root) as pid:
        sentence = refused(lambda: track_captures(shared.root, "t"))
    assert sentence.startswith(
        ".dvc/tmp/rwlock: DVC could not take the captures up: another DVC command is at work in this repository;"
        f" seen 'process {pid}, `dvc repro --force"
    )


def test_the_command_line_tells_it_with_exit_code_3(shared: DataRepository, here: Callable[..., Result]) -> None:
    with holding(HOLD_LOCK, shared.root) as pid:
        done = here("release", "gc", "--dry-run", cwd=shared.root)
    assert (done.code, done.out, len(done.sentences)) == (3, "", 1)
    assert (
        f"DVC could not look for unused data: another DVC command is at work in this repository; seen 'process {pid}"
        in done.sentences[0]
    )


# -- locks of processes that have ended


def ended() -> int:
    """The number of a process that has ended."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait(30)
    return child.pid


def write_rwlock(root: Path, pid: int, command: str = "dvc add x") -> Path:
    """DVC's note that a process writes the captures."""
    path = root / ".dvc" / "tmp" / "rwlock"
    path.parent.mkdir(exist_ok=True)
    captures = str(root / "sources" / "captures" / "t")
    path.write_text(json.dumps({"write": {captures: {"pid": pid, "cmd": command}}, "read": {}}))
    return path


def test_a_lock_whose_number_another_process_has_by_now_is_told_as_left_behind(shared: DataRepository) -> None:
    """DVC only looks whether a process of that number is there, and would call it busy for ever."""
    from cellwright.authoring.captures.tracking import track_captures

    path = write_rwlock(shared.root, os.getppid())
    os.utime(path, (1_000_000_000, 1_000_000_000))
    shared.write_capture("5", "one more")
    sentence = refused(lambda: track_captures(shared.root, "t"))
    assert "a lock is left of a process that has ended; seen 'process" in sentence
    assert "`dvc add x`" in sentence
    assert sentence.endswith("remove .dvc/tmp/rwlock and run it again")
    path.unlink()
    assert track_captures(shared.root, "t") is not None


def test_a_lock_of_a_process_that_has_ended_is_no_obstacle(shared: DataRepository) -> None:
    from cellwright.authoring.captures.tracking import track_captures

    write_rwlock(shared.root, ended())
    shared.write_capture("5", "one more")
    assert track_captures(shared.root, "t") is not None


@pytest.mark.parametrize("left", ["", '{"write": {"/a', '{"write": 3}', "[]"])
def test_a_note_that_a_killed_process_cut_short_is_told(shared: DataRepository, left: str) -> None:
    from cellwright.authoring.captures.tracking import track_captures

    path = shared.root / ".dvc" / "tmp" / "rwlock"
    path.parent.mkdir(exist_ok=True)
    path.write_text(left)
    shared.write_capture("5", "one more")
    sentence = refused(lambda: track_captures(shared.root, "t"))
    assert sentence.startswith(".dvc/tmp/rwlock: DVC could not take the captures up: its note of which process uses")
    assert sentence.endswith("remove .dvc/tmp/rwlock and run it again")


def test_a_lock_that_an_ended_process_s_child_holds_is_told_as_left_behind(shared: DataRepository) -> None:
    with holding(HOLD_LOCK, shared.root):
        (shared.root / ".dvc" / "tmp" / "lock").write_text(f" {ended()}\n")
        sentence = refused(lambda: dvc.push(shared.root, TARGETS))
    assert sentence.startswith(".dvc/tmp/lock: DVC could not push to the remote: a lock is left of a process that has")


@pytest.mark.parametrize("left", ["", "no number", "-4", "9" * 40, "a|b|c|d", "a|host|99999999999|1"])
def test_a_lock_that_says_nothing_sensible_is_told_all_the_same(shared: DataRepository, left: str) -> None:
    from dvc.lock import LockError

    from cellwright.clients.dvc_locks import lock_told

    path = shared.root / ".dvc" / "tmp" / "lock"
    path.parent.mkdir(exist_ok=True)
    path.write_text(left)
    sentence = str(lock_told(shared.root, "push", LockError("Unable to acquire lock")))
    assert "another DVC command is at work in this repository, and does not say which" in sentence


# -- git's


def test_git_at_work_is_named(shared: DataRepository, tmp_path: Path, here: Callable[..., Result]) -> None:
    """A commit whose editor is still open holds the lock."""
    editor = tmp_path / "editor.sh"
    editor.write_text(f"#!/bin/sh\ntouch {tmp_path}/open\nwhile [ ! -e {tmp_path}/close ]; do sleep 0.05; done\n")
    editor.chmod(0o755)
    (shared.root / "note").write_text("x")
    git(shared.root, "add", "note")
    env = {**os.environ, "GIT_EDITOR": str(editor)}
    child = subprocess.Popen(["git", "commit", "-a"], cwd=shared.root, env=env, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 60
        while not (tmp_path / "open").exists() and time.monotonic() < until:
            time.sleep(0.02)
        done = here("release", "gc", "--dry-run", cwd=shared.root)
    finally:
        (tmp_path / "close").touch()
        child.wait(60)
    assert done.code == 3
    assert done.sentences[0].startswith(
        f".git/index.lock: git is at work in this repository; seen 'process {child.pid}, `git commit -a`'; wait"
    )


def test_a_lock_of_git_that_is_left_behind_is_told(shared: DataRepository) -> None:
    lock = shared.root / ".git" / "index.lock"
    lock.touch()
    sentence = refused(lambda: require_git_unlocked(shared.root))
    assert sentence.startswith(".git/index.lock: git's lock is left of a process that has ended")
    assert f"remove {lock} and run this again" in sentence
    lock.unlink()
    require_git_unlocked(shared.root)


def test_the_lock_of_another_work_tree_is_its_own(shared: DataRepository) -> None:
    beside = shared.root.parent / "beside"
    git(shared.root, "worktree", "add", "-q", "--detach", str(beside))
    (shared.root / ".git" / "worktrees" / "beside" / "index.lock").touch()
    require_git_unlocked(shared.root)
    assert "git's lock is left" in refused(lambda: require_git_unlocked(beside))

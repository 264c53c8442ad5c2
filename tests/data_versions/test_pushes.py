"""Pushes that were interrupted go on, and two at once to one remote both arrive."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cellwright.clients import dvc
from cellwright.clients.dvc_objects import missing, objects_of
from tests.conftest import ROOT
from tests.data_repository import DataRepository, Remote, git

# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")
POINTER = "sources/captures/t.dvc"
PUSH = """
import sys
from pathlib import Path
from cellwright.clients import dvc
print("begun", flush=True)
print(dvc.push(Path(sys.argv[1]), ["sources/captures/t.dvc"]), flush=True)
"""
KILLED_AT_THE_TENTH_FILE = """
import os, signal, sys
store, left = sys.argv[2], 10
def watch(event, arguments):
    global left
    if event == "os.rename" and str(arguments[1]).startswith(store):
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(watch)
"""


def pushing(code: str, *arguments: str) -> subprocess.Popen[str]:
    """A push in a process of its own."""
    command = [sys.executable, "-W", "ignore", "-c", code, *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def with_captures(repository: DataRepository, remote: Remote, count: int) -> DataRepository:
    """A repository with so many captures that a push takes a while."""
    repository.set_remote(remote.settings)
    for number in range(count):
        repository.write_capture(f"{number:064x}", f"capture {number}")
    repository.track()
    return repository


def goes_on(repository: DataRepository, remote: Remote) -> None:
    """The next push sends what is left; before it, nobody takes what is there for whole."""
    objects = [one for one in objects_of(repository.root, "") if one.path.startswith("sources/")]
    there = remote.objects()
    away = missing(repository.root, objects, remote=True)
    assert there
    assert away
    listed = next(one for one in objects if one.md5.endswith(".dir"))
    assert listed in away, "the list goes last: a remote that has it has the captures"
    assert dvc.push(repository.root, [POINTER]) == len({one.md5 for one in objects} - there)
    assert missing(repository.root, objects, remote=True) == []


def test_a_push_that_was_killed_goes_on_where_it_was(repository: DataRepository, folder_remote: Remote) -> None:
    with_captures(repository, folder_remote, 40)
    child = pushing(KILLED_AT_THE_TENTH_FILE + PUSH, str(repository.root), str(folder_remote.folder))
    child.communicate(timeout=120)
    assert child.returncode == -signal.SIGKILL
    goes_on(repository, folder_remote)


@pytest.mark.slow
def test_a_push_to_a_bucket_that_was_killed_goes_on_where_it_was(
    repository: DataRepository, request: pytest.FixtureRequest
) -> None:
    remote: Remote = request.getfixturevalue("s3_server").remote("bucket")
    with_captures(repository, remote, 300)
    child = pushing(PUSH, str(repository.root))
    until = time.monotonic() + 120
    while len(remote.objects()) < 5 and time.monotonic() < until and child.poll() is None:
        time.sleep(0.01)
    child.kill()
    child.communicate(timeout=60)
    assert child.returncode == -signal.SIGKILL, "300 objects take longer than 5"
    goes_on(repository, remote)


@pytest.mark.parametrize("kind", ["folder_remote", pytest.param("s3_server", marks=pytest.mark.slow)])
def test_two_who_push_at_once_to_one_remote_both_arrive(
    repository: DataRepository, tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    found = request.getfixturevalue(kind)
    remote: Remote = found if isinstance(found, Remote) else found.remote("bucket")
    repository.set_remote(remote.settings)
    git(repository.root, "add", "-A")
    git(repository.root, "commit", "-qm", "remote")
    other = DataRepository(tmp_path / "ben")
    subprocess.run(["cp", "-r", str(repository.root), str(other.root)], check=True)
    for each, name in ((repository, "ana"), (other, "ben")):
        for number in range(20):
            # Ten that both have, ten of one's own.
            text = f"capture {number}" if number < 10 else f"capture {number} of {name}"
            each.write_capture(f"{number:063x}{'a' if number < 10 else name[0]}", text)
        each.track()
    children = [pushing(PUSH, str(each.root)) for each in (repository, other)]
    told = [child.communicate(timeout=240) for child in children]
    assert [child.returncode for child in children] == [0, 0], told
    for each in (repository, other):
        objects = [one for one in objects_of(each.root, "") if one.path.startswith("sources/")]
        assert len(objects) == 24
        assert missing(each.root, objects, remote=True) == []
        each.empty_cache()
        dvc.pull(each.root, [POINTER])
        assert len(os.listdir(each.root / "sources" / "captures" / "t")) == 23

"""DVC holds a task's captures by one pointer file, without a word to anybody."""

from __future__ import annotations

import builtins
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from cellwright.authoring.captures.tracking import track_captures
from cellwright.records.errors import NotSettled, WorldFailed
from tests.conftest import missing

ONE, TWO = "1" * 64, "2" * 64
# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")


def dvc_repository(folder: Path) -> Path:
    """A repository under DVC without git, with one capture of the task `t`."""
    (folder / ".dvc").mkdir(parents=True)
    (folder / ".dvc" / "config").write_text("[core]\n    no_scm = True\n    analytics = false\n")
    (folder / "tasks" / "t").mkdir(parents=True)
    (folder / "tasks" / "t" / "sources.csv").write_text("id,url,title,publisher,published,accessed\n")
    (folder / "sources" / "captures" / "t").mkdir(parents=True)
    (folder / "sources" / "captures" / "t" / f"{ONE}.warc.gz").write_bytes(b"one")
    return folder


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any connection but to this machine's own sockets fails the test."""

    def refuse(self: socket.socket, address: object) -> None:
        raise AssertionError(f"a connection to {address}")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture
def _dvc() -> None:
    try:
        import dvc.repo  # noqa: F401
    except ImportError:
        missing("DVC is not installed")


@pytest.mark.usefixtures("_dvc")
def test_the_captures_of_a_task_get_one_pointer(tmp_path: Path) -> None:
    root = dvc_repository(tmp_path)
    tracked = track_captures(root, "t")
    assert tracked is not None
    assert (tracked.pointer, tracked.captures, tracked.changed) == ("sources/captures/t.dvc", 1, True)
    assert "nfiles: 1" in (root / "sources" / "captures" / "t.dvc").read_text()
    assert (root / "sources" / "captures" / "t" / f"{ONE}.warc.gz").read_bytes() == b"one"


@pytest.mark.usefixtures("_dvc")
def test_the_same_captures_give_the_same_pointer(tmp_path: Path) -> None:
    roots = [dvc_repository(tmp_path / name) for name in ("a", "b")]
    for root in roots:
        track_captures(root, "t")
    pointers = [(root / "sources" / "captures" / "t.dvc").read_bytes() for root in roots]
    assert pointers[0] == pointers[1]
    again = track_captures(roots[0], "t")
    assert again is not None
    assert not again.changed


@pytest.mark.usefixtures("_dvc")
def test_a_new_capture_changes_the_pointer(tmp_path: Path) -> None:
    root = dvc_repository(tmp_path)
    track_captures(root, "t")
    (root / "sources" / "captures" / "t" / f"{TWO}.warc.gz").write_bytes(b"two")
    tracked = track_captures(root, "t")
    assert tracked is not None
    assert (tracked.captures, tracked.changed) == (2, True)


@pytest.mark.usefixtures("_dvc")
def test_a_repository_that_dvc_cannot_open_is_told(tmp_path: Path) -> None:
    root = dvc_repository(tmp_path)
    (root / ".dvc" / "config").write_text("[core\n")
    with pytest.raises(WorldFailed, match="DVC could not take the captures up"):
        track_captures(root, "t")


def test_captures_that_are_not_here_are_not_forgotten(tmp_path: Path) -> None:
    root = dvc_repository(tmp_path)
    (root / "sources" / "captures.csv").write_text(f"task,source,sha256,url\nt,a,{ONE},x\nt,b,{TWO},x\n")
    says = r"captures of the task are not here.*1 missing.*`dvc pull sources/captures/t\.dvc`"
    with pytest.raises(NotSettled, match=says):
        track_captures(root, "t")
    assert not (root / "sources" / "captures" / "t.dvc").exists()


def test_without_a_dvc_folder_nothing_is_done(tmp_path: Path) -> None:
    root = dvc_repository(tmp_path)
    (root / ".dvc" / "config").unlink()
    (root / ".dvc").rmdir()
    assert track_captures(root, "t") is None


def test_a_task_without_captures_has_no_pointer(tmp_path: Path) -> None:
    assert track_captures(dvc_repository(tmp_path), "u") is None


def test_a_missing_dvc_names_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_dvc(name: str, *rest: object, **named: object) -> object:
        if name.startswith("dvc"):
            raise ImportError(f"No module named {name!r}")
        return real(name, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without_dvc)
    with pytest.raises(WorldFailed, match=r"DVC is not installed.*cellwright\[author\]"):
        track_captures(dvc_repository(tmp_path), "t")


def test_dvc_is_not_imported_before_it_is_needed() -> None:
    code = "import sys, cellwright.authoring.captures.tracking; print('dvc' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

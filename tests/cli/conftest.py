"""A workshop of one's own for each test, and what is made once for all of them: captures and a bundle."""

from __future__ import annotations

import fcntl
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.workshop import MIRROR, TASK, Result, Workshop, environment, run


def _once(tmp_path_factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first of several test processes makes and the others find."""
    top = tmp_path_factory.getbasetemp()
    top = top.parent if "PYTEST_XDIST_WORKER" in environment() else top
    folder = top / name
    with (top / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            make(folder)
    return folder


@pytest.fixture(scope="session")
def captured(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository's data with the stand-ins captured; not to be changed."""

    def make(folder: Path) -> None:
        fresh = folder.with_name("captured-half-made")
        shutil.copytree(root / "tasks", fresh / "tasks")
        shutil.copytree(root / "sources", fresh / "sources", ignore=shutil.ignore_patterns("captures", "*.dvc"))
        shutil.copy(root / "params.yaml", fresh / "params.yaml")
        done = run("capture", TASK, "--mirror", MIRROR, cwd=fresh)
        assert done.code == 0, done.err
        fresh.rename(folder)

    return _once(tmp_path_factory, "captured", make)


@pytest.fixture(scope="session")
def built(captured: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle of the shipped task; not to be changed."""

    def make(folder: Path) -> None:
        done = run("bundle", "--out", folder, cwd=captured)
        assert done.code == 0, done.err

    return _once(tmp_path_factory, "built", make)


@pytest.fixture
def workshop(captured: Path, tmp_path: Path) -> Workshop:
    """A workshop that the test may spoil."""
    return Workshop(shutil.copytree(captured, tmp_path / "workshop"))


@pytest.fixture
def bundle(built: Path, tmp_path: Path) -> Path:
    """A bundle that the test may spoil."""
    return shutil.copytree(built, tmp_path / "bundle")


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Result]:
    """Run the program's own `main` in this process: the same words and codes, without the half second of a start."""
    from cellwright.cli import main

    def call(*arguments: str | Path, cwd: Path) -> Result:
        monkeypatch.chdir(cwd)
        monkeypatch.setattr(sys, "argv", ["cellwright", *map(str, arguments)])
        for name in ("CELLWRIGHT_ROOT", "CELLWRIGHT_ALLOW_PRIVATE", "NO_COLOR", "FORCE_COLOR", "COLUMNS"):
            monkeypatch.delenv(name, raising=False)
        capfdbinary.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main()
        out, err = capfdbinary.readouterr()
        return Result(int(stopped.value.code or 0), out.decode("utf-8"), err.decode("utf-8"))

    return call

"""Repositories that are made once: one that can be released, and one whose first release is cut."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.workshop import environment
from tests.cutting.shop import Shop, copy_shop, make_shop


def _once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Shop:
    """What the first of several test processes makes and the others find; not to be changed."""
    top = factory.getbasetemp()
    top = top.parent if "PYTEST_XDIST_WORKER" in environment() else top
    folder = top / name
    with (top / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            make(folder.with_name(f"{name}-half-made"))
            folder.with_name(f"{name}-half-made").rename(folder)
    return Shop(folder / "repository")


@pytest.fixture(scope="session")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    """Two tasks, committed, nothing released; in `north` one figure is read from the wrong row."""
    return _once(
        tmp_path_factory, "ready", lambda top: make_shop(top / "repository", "north", "south", wrong_row="north")
    )


@pytest.fixture(scope="session")
def released(ready: Shop, tmp_path_factory: pytest.TempPathFactory) -> Shop:
    """The same with release 1.0.0."""

    def make(top: Path) -> None:
        done = copy_shop(ready, top).cut("1.0.0")
        assert done.code == 0, done.out + done.err

    return _once(tmp_path_factory, "released", make)


@pytest.fixture
def shop(ready: Shop, tmp_path: Path) -> Shop:
    """A repository without a release that the test may spoil."""
    return copy_shop(ready, tmp_path / "shop")


@pytest.fixture
def released_shop(released: Shop, tmp_path: Path) -> Shop:
    """A repository with release 1.0.0 that the test may spoil."""
    return copy_shop(released, tmp_path / "shop")

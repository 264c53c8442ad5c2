"""`cellwright init` as people run it, in a folder of the test's own, and git as on a machine without settings."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import captured, here
from tests.cli.workshop import Result

__all__ = ["captured", "here"]
ANA = {"GIT_AUTHOR_NAME": "Ana", "GIT_AUTHOR_EMAIL": "ana@example.org"}
COMMITTER = {"GIT_COMMITTER_NAME": "Ana", "GIT_COMMITTER_EMAIL": "ana@example.org"}


def git(folder: Path, *arguments: str) -> str:
    """What git says."""
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(autouse=True)
def git_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings of the machine's; who commits is said by the environment."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "no-such-settings"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("DVC_NO_ANALYTICS", "1")
    for name, value in {**ANA, **COMMITTER}.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Git does not know who commits."""
    for name in (*ANA, *COMMITTER, "EMAIL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def made(here: Callable[..., Result], tmp_path: Path) -> Path:
    """A new repository."""
    done = here("init", "bench", cwd=tmp_path)
    assert done.code == 0, done.err
    return tmp_path / "bench"

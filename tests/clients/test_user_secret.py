"""The user's secret is random, stays the same, and is taken only where nobody else can have written it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from cellwright.clients.user_secret import LENGTH, user_secret


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "cellwright" / "kept.key"


def test_it_is_made_once_for_the_user_alone(place: Path) -> None:
    first = user_secret()
    assert first is not None
    assert (len(first), first) == (LENGTH, user_secret())
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert [path.name for path in place.parent.iterdir()] == ["kept.key"]


def test_two_users_have_two(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = user_secret()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    assert user_secret() not in (None, first)


def others_may_read(path: Path) -> None:
    path.chmod(0o644)


def a_link(path: Path) -> None:
    path.rename(path.with_name("real"))
    path.symlink_to("real")


def cut_short(path: Path) -> None:
    path.write_bytes(b"short")


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("spoil", [others_may_read, a_link, cut_short, a_folder])
def test_one_that_may_be_another_s_is_not_taken(spoil: object, place: Path) -> None:
    assert user_secret()
    spoil(place)  # type: ignore[operator]
    assert user_secret() is None


def test_without_a_home_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", os.devnull)
    assert user_secret() is None

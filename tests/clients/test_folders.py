"""Folders that are put in their place whole, and never in the place of what is a person's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cellwright.clients import folders
from cellwright.clients.folders import check_place, replace_folder
from cellwright.records.errors import DiskFailed, UnreadableInput

OLD = {"mark.json": b"1", "old.txt": b"old"}
NEW = {"mark.json": b"2", "inner/new.txt": b"new"}


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "place"
    replace_folder(folder, OLD, mark="mark.json")
    return folder


@pytest.mark.parametrize("in_one_step", [True, False])
def test_a_folder_is_replaced_whole(in_one_step: bool, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not in_one_step:
        monkeypatch.setattr(folders, "_exchange", lambda one, other: False)
    replace_folder(place, NEW, mark="mark.json")
    assert files(place) == NEW
    assert list(place.parent.iterdir()) == [place]


def test_two_folders_change_their_names_in_one_step(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "told.txt").write_text(name, encoding="utf-8")
    if not folders._exchange(tmp_path / "one", tmp_path / "other"):
        pytest.skip("this system or this disk cannot exchange two folders in one step")
    assert (tmp_path / "one" / "told.txt").read_text(encoding="utf-8") == "other"
    assert (tmp_path / "other" / "told.txt").read_text(encoding="utf-8") == "one"


def test_a_folder_that_cannot_be_put_in_its_place_leaves_the_old_one(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "_exchange", lambda one, other: False)
    rename = os.rename

    def refuse_the_new(one: Path, other: Path) -> None:
        if os.fspath(other) == os.fspath(place) and (Path(one) / "inner").exists():
            raise OSError(28, "No space left on device")
        rename(one, other)

    monkeypatch.setattr(os, "rename", refuse_the_new)
    with pytest.raises(DiskFailed, match=r"the folder could not be written; seen 'No space left on device'"):
        replace_folder(place, NEW, mark="mark.json")
    assert files(place) == OLD
    assert list(place.parent.iterdir()) == [place]


def test_what_is_a_person_s_is_never_replaced(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("years", encoding="utf-8")
    for taken in (mine, mine / "thesis.txt"):
        with pytest.raises(UnreadableInput, match=r"holds something else|taken by a file or a link"):
            replace_folder(taken, NEW, mark="mark.json")
    assert files(mine) == {"thesis.txt": b"years"}


def test_an_empty_or_missing_place_is_free(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("empty", "missing/below"):
        check_place(tmp_path / name, mark="mark.json")
        replace_folder(tmp_path / name, NEW, mark="mark.json")
        assert files(tmp_path / name) == NEW

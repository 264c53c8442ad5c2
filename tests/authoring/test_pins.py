"""A filled pin moves by `accept` alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from cellwright.authoring.captures.pins import accept, tasks_with_source
from cellwright.clients.repository import Repository, open_repository
from cellwright.records.errors import NotSettled, UnreadableInput

OLD, NEW, TIE = "1" * 64, "2" * 64, "0" * 64


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    for task in ("t", "u"):
        (tmp_path / "tasks" / task).mkdir(parents=True)
        (tmp_path / "tasks" / task / "sources.csv").write_text(
            f"id,url,title,publisher,published,accessed,capture\na,https://x.example/,A,Maker,,,{OLD}\n"
            + (f"b,https://y.example/,B,Maker,,,{OLD}\n" if task == "t" else "")
        )
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "captures.csv").write_text(
        "task,source,sha256,url,fetched\n"
        f"t,a,{NEW},https://x.example/,2024-02-01T00:00:00Z\nt,a,{OLD},https://x.example/,2024-01-01T00:00:00Z\n"
    )
    return open_repository(tmp_path)


def pin(repository: Repository) -> str:
    return repository.task_folder("t")["sources.csv"].decode().splitlines()[1].rsplit(",", 1)[1]


def test_the_newest_capture_is_pinned(repository: Repository) -> None:
    accepted = accept(repository, "t", "a")
    assert (accepted.old, accepted.new, accepted.moved) == (OLD, NEW, True)
    assert pin(repository) == NEW


def test_the_rest_of_the_table_stays(repository: Repository) -> None:
    before = repository.task_folder("t")["sources.csv"]
    accept(repository, "t", "a")
    assert repository.task_folder("t")["sources.csv"] == before.replace(OLD.encode(), NEW.encode(), 1)


def test_accepting_twice_moves_nothing_more(repository: Repository) -> None:
    accept(repository, "t", "a")
    assert not accept(repository, "t", "a").moved


def test_a_capture_may_be_named(repository: Repository) -> None:
    accept(repository, "t", "a")
    assert accept(repository, "t", "a", sha256=OLD).new == OLD
    assert pin(repository) == OLD


def test_of_two_captures_of_one_moment_the_other_one_is_taken(repository: Repository) -> None:
    path = repository.sources_path("captures.csv")
    path.write_text(
        f"task,source,sha256,url,fetched\nt,a,{OLD},x,2024-01-01T00:00:00Z\nt,a,{TIE},x,2024-01-01T00:00:00Z\n"
    )
    assert accept(repository, "t", "a").new == TIE


def test_a_document_goes_before_a_newer_stand_in(repository: Repository) -> None:
    path = repository.sources_path("captures.csv")
    path.write_text(
        f"task,source,sha256,url,fetched,via\nt,a,{NEW},x,2024-01-01T00:00:00Z,live\n"
        f"t,a,{TIE},x,2024-02-01T00:00:00Z,stand-in\n"
    )
    assert accept(repository, "t", "a").new == NEW


def test_a_source_without_a_capture_is_told(repository: Repository) -> None:
    with pytest.raises(NotSettled, match="the source has no capture; `cellwright capture t` fetches it"):
        accept(repository, "t", "b")


def test_a_capture_that_is_not_there_is_told(repository: Repository) -> None:
    with pytest.raises(UnreadableInput, match="the source has no such capture"):
        accept(repository, "t", "a", sha256=TIE)


def test_the_tasks_of_a_source_are_found(repository: Repository) -> None:
    assert tasks_with_source(repository, "a") == ("t", "u")
    assert tasks_with_source(repository, "b") == ("t",)
    assert tasks_with_source(repository, "c") == ()

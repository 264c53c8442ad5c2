"""The repository: found from below, read as bytes, never left by a link."""

from __future__ import annotations

from pathlib import Path

import pytest

from cellwright.clients.repository import Repository, open_repository, repository_root
from cellwright.records.errors import UnreadableInput

SHA = "0" * 64


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    root = tmp_path / "repo"
    for name in ("tasks/b-task", "tasks/a.task", "tasks/.hidden", "tasks/__pycache__", "sources/captures/b-task"):
        (root / name).mkdir(parents=True)
    (root / "tasks" / "README.md").write_bytes(b"")
    (root / "tasks" / "b-task" / "task.yaml").write_bytes(b"id: b-task\n")
    (root / "tasks" / "b-task" / "facts.csv").write_bytes(b"id\n")
    return open_repository(root)


def test_the_root_is_found_from_a_folder_below(repository: Repository) -> None:
    assert repository_root(repository.root / "tasks" / "b-task") == repository.root


@pytest.mark.parametrize("mark", [".dvc", "pyproject.toml"])
def test_a_root_without_tasks_is_known_by_its_marks(tmp_path: Path, mark: str) -> None:
    (tmp_path / "inner").mkdir()
    if mark == ".dvc":
        (tmp_path / mark).mkdir()
    else:
        (tmp_path / mark).write_bytes(b"")
    assert repository_root(tmp_path / "inner") == tmp_path


def test_no_root_tells_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match="no repository is here or above"):
        repository_root(tmp_path)


@pytest.mark.parametrize(("name", "says"), [("none", "is missing"), ("file", "is not a folder")])
def test_a_root_that_is_no_folder_is_told(tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UnreadableInput, match=says):
        open_repository(tmp_path / name)


def test_task_ids_are_sorted_and_other_entries_passed_over(repository: Repository) -> None:
    assert repository.task_ids() == ("a.task", "b-task")


def test_a_repository_without_tasks_has_none(tmp_path: Path) -> None:
    assert open_repository(tmp_path).task_ids() == ()


def test_a_task_folder_whose_name_is_no_id_is_told(repository: Repository) -> None:
    (repository.root / "tasks" / "My Task").mkdir()
    (repository.root / "tasks" / "My Task" / "task.yaml").write_bytes(b"")
    with pytest.raises(UnreadableInput, match="tasks/My Task: the folder's name is no task id"):
        repository.task_ids()


def test_a_task_folder_gives_its_files_and_no_lock_or_temporary_ones(repository: Repository) -> None:
    folder = repository.task_path("b-task")
    for name in (".facts.csv.tmp-0123456789abcdef", ".~lock.facts.csv#", "~$facts.xlsx", ".DS_Store"):
        (folder / name).write_bytes(b"not data")
    (folder / "notes").mkdir()
    assert repository.task_folder("b-task") == {"facts.csv": b"id\n", "task.yaml": b"id: b-task\n"}


def test_a_task_that_is_not_there_is_told_with_a_near_name(repository: Repository) -> None:
    with pytest.raises(UnreadableInput, match=r"there is no task `b-tusk`.*did you mean `b-task`"):
        repository.task_folder("b-tusk")


@pytest.mark.parametrize("task", ["..", "../x", "a/../../x", "/etc", "", "A", "a\0b"])
def test_what_is_no_task_id_reaches_no_folder(repository: Repository, task: str) -> None:
    with pytest.raises(UnreadableInput, match="no task id"):
        repository.task_path(task)
    with pytest.raises(UnreadableInput, match="no task id"):
        repository.capture_path(task, SHA)


@pytest.mark.parametrize("name", ["../../../secret", "/etc/passwd", "a\0b"])
def test_a_file_name_that_leads_out_is_refused(repository: Repository, name: str) -> None:
    with pytest.raises(UnreadableInput):
        repository.task_path("b-task", name)


def test_a_link_out_of_the_repository_is_refused(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    (repository.task_path("b-task") / "cells.csv").symlink_to(tmp_path / "secret")
    with pytest.raises(UnreadableInput, match="leads out of the repository"):
        repository.task_folder("b-task")


def test_a_linked_task_folder_out_of_the_repository_is_refused(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (repository.root / "tasks" / "linked").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnreadableInput, match="leads out of the repository"):
        repository.task_folder("linked")


def test_a_link_inside_the_repository_is_followed(repository: Repository) -> None:
    (repository.root / "shared.csv").write_bytes(b"x")
    (repository.task_path("b-task") / "cells.csv").symlink_to(repository.root / "shared.csv")
    assert repository.task_folder("b-task")["cells.csv"] == b"x"


def test_a_sources_file_is_bytes_or_nothing(repository: Repository) -> None:
    (repository.root / "sources" / "registry.csv").write_bytes(b"publisher\n")
    assert repository.sources_file("registry.csv") == b"publisher\n"
    assert repository.sources_file("captures.csv") is None


@pytest.mark.parametrize("sha256", ["", "..", "a" * 63, "A" * 64, "../" + "a" * 61])
def test_a_capture_is_named_by_its_sha256_alone(repository: Repository, sha256: str) -> None:
    with pytest.raises(UnreadableInput, match="no capture's name"):
        repository.capture_path("b-task", sha256)


def test_captures_are_listed_and_read(repository: Repository) -> None:
    path = repository.capture_path("b-task", SHA)
    path.write_bytes(b"warc")
    (path.parent / f".{SHA}.warc.gz.tmp-0123456789abcdef").write_bytes(b"ha")
    assert repository.shown(path) == f"sources/captures/b-task/{SHA}.warc.gz"
    assert repository.capture_names("b-task") == (SHA,)
    assert repository.capture_bytes("b-task", SHA) == b"warc"
    assert repository.capture_bytes("b-task", "1" * 64) is None
    assert repository.capture_names("a.task") == ()

"""`migrate` writes every file or none, shows what changes first, and only what git could bring back."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from cellwright.authoring.loading import load_readable_task
from cellwright.authoring.migrating import check_undo, plan_migration, write_migration
from cellwright.clients import disk
from cellwright.clients.repository import Repository
from cellwright.records.errors import DiskFailed, NotSettled, UnreadableInput
from cellwright.records.migrations import Migration
from tests.cli.conftest import captured, here
from tests.cli.workshop import TASK, Result, snapshot
from tests.conftest import ROOT

__all__ = ["captured", "here"]
Run = Callable[..., Result]
FACTS, CELLS = f"tasks/{TASK}/facts.csv", f"tasks/{TASK}/cells.csv"


def git(folder: Path, *arguments: str) -> str:
    settings = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "core.autocrlf=false")
    done = subprocess.run(["git", *settings, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """The repository's data in old forms, committed: semicolons, a scale in words, cp1252, a mark, a column less."""
    root = tmp_path / "bench"
    for name in (FACTS, CELLS, f"tasks/{TASK}/sources.csv", f"tasks/{TASK}/task.yaml", "sources/registry.csv"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes((ROOT / name).read_bytes())
    facts = (root / FACTS).read_text(encoding="utf-8").replace(",6,shown,", ",million,shown,")
    assert "million" in facts
    (root / FACTS).write_text(facts, encoding="utf-8")
    (root / CELLS).write_bytes(b"\xef\xbb\xbf" + (root / CELLS).read_bytes())
    (root / "sources" / "captures.csv").write_bytes(b"task;source;sha256;url\n")
    task = root / "tasks" / TASK / "task.yaml"
    task.write_bytes(b"# \xc3\xbcber alles\r\n" + task.read_bytes().replace(b"\n", b"\r\n"))
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "as it was")
    return root


CHANGED = ["sources/captures.csv", CELLS, FACTS, f"tasks/{TASK}/task.yaml"]


def test_a_dry_run_shows_each_file_with_its_lines_and_writes_nothing(old: Path, here: Run) -> None:
    before = snapshot(old)
    done = here("migrate", "--dry-run", cwd=old)
    assert done.code == 1
    assert [line.partition(": ")[0] for line in done.out.splitlines() if not line.startswith(" ")] == CHANGED
    assert f"{CELLS}: no byte order mark\n" in done.out
    assert "\n  -task;source;sha256;url\n  +task,source,sha256,url,final_url," in done.out
    assert done.err.startswith("already at schema 1; 4 files would be brought to the form that the tool writes")
    assert snapshot(old) == before


def test_the_files_say_the_same_in_the_form_that_the_tool_writes(old: Path, here: Run) -> None:
    before = load_readable_task(Repository(old), TASK)
    done = here("migrate", cwd=old)
    assert done.code == 0
    assert done.err.splitlines()[0] == "already at schema 1; 4 files brought to the form that the tool writes"
    after = load_readable_task(Repository(old), TASK)
    for name in ("facts", "cells", "sources"):
        assert [row.texts() for row in getattr(after, name)] == [row.texts() for row in getattr(before, name)]
    assert after.task.model_dump() == before.task.model_dump()
    assert (old / FACTS).read_bytes() == (ROOT / FACTS).read_bytes()
    assert (old / CELLS).read_bytes() == (ROOT / CELLS).read_bytes()
    assert (old / "tasks" / TASK / "task.yaml").read_text(encoding="utf-8").startswith("# über alles\nschema: 1\n")


def test_what_it_says_undoes_it_does(old: Path, here: Run) -> None:
    before = snapshot(old / "tasks") | snapshot(old / "sources")
    (old / "tasks" / TASK / "searches.csv").write_text("entity,dimension,query,outcome\n")  # a neighbour's, uncommitted
    done = here("migrate", cwd=old)
    undo = done.err.partition("to undo it: `")[2].partition("`")[0]
    assert undo.startswith("git checkout -- sources/captures.csv ")
    git(old, *undo.split()[1:])
    assert (old / "tasks" / TASK / "searches.csv").exists()
    (old / "tasks" / TASK / "searches.csv").unlink()
    assert snapshot(old / "tasks") | snapshot(old / "sources") == before


def test_a_second_time_nothing_is_left_to_do(old: Path, here: Run) -> None:
    assert here("migrate", cwd=old).code == 0
    for more in ((), ("--dry-run",)):
        done = here("migrate", *more, cwd=old)
        assert (done.code, done.out) == (0, "")
        assert done.err == "already at schema 1; every file has the form that the tool writes\n"


def test_a_task_that_is_named_is_migrated_alone(old: Path, here: Run) -> None:
    assert here("migrate", TASK, cwd=old).code == 0
    assert git(old, "diff", "--name-only").splitlines() == CHANGED[1:]


def test_for_programs_it_is_one_json_value(old: Path, here: Run) -> None:
    told = here("migrate", "--dry-run", "--format", "json", cwd=old)
    assert (told.code, told.json["written"], told.json["schema"], told.json["steps"]) == (1, False, 1, [])
    assert [item["file"] for item in told.json["files"]] == CHANGED
    done = here("migrate", "--format", "json", cwd=old)
    assert (done.code, done.json) == (0, {**told.json, "written": True})


# -- only what could be undone


def test_a_file_with_changes_that_are_not_committed_is_not_written(old: Path, here: Run) -> None:
    with (old / CELLS).open("ab") as file:
        file.write(b"\n")
    before = snapshot(old)
    done = here("migrate", cwd=old)
    assert (done.code, snapshot(old)) == (1, before)
    assert done.sentences[0].startswith(f"{CELLS}: files that would be written have changes that are not committed")
    assert here("migrate", "--yes", cwd=old).code == 0


def test_another_file_s_changes_are_in_nobody_s_way(old: Path, here: Run) -> None:
    (old / "notes.txt").write_text("mine")
    assert here("migrate", cwd=old).code == 0


def test_without_git_it_asks_for_a_yes(old: Path, here: Run, tmp_path: Path) -> None:
    (old / ".git").rename(tmp_path / "put-aside")
    done = here("migrate", cwd=old)
    assert done.code == 1
    assert "not under git, so that this could not be undone" in done.sentences[0]
    assert here("migrate", "--yes", cwd=old).code == 0


def test_in_a_folder_of_a_git_repository_it_knows_its_own_files(old: Path, here: Run) -> None:
    inner = old / "data"
    inner.mkdir()
    for name in ("tasks", "sources"):
        (old / name).rename(inner / name)
    git(old, "add", "-A")
    git(old, "commit", "-q", "-m", "moved")
    with (inner / FACTS).open("ab") as file:
        file.write(b"\n")
    done = here("migrate", cwd=inner)
    assert done.sentences[0].startswith(f"{FACTS}: files that would be written")
    git(old, "checkout", "--", "data")
    assert here("migrate", cwd=inner).code == 0


# -- whole or not at all


def test_where_one_file_cannot_be_read_none_is_written_and_each_fault_is_told(old: Path, here: Run) -> None:
    (old / CELLS).write_bytes(b"entity,dimension,colour\n")
    task = old / "tasks" / TASK / "task.yaml"
    task.write_bytes(task.read_bytes().replace(b"schema: 1", b"schema: 9"))
    before = snapshot(old)
    done = here("migrate", "--yes", cwd=old)
    assert (done.code, snapshot(old)) == (2, before)
    assert len(done.sentences) == 2
    assert "schema 9, which is later than this version of Cellwright knows" in done.sentences[0]
    assert "install a later version" in done.sentences[0]
    assert "the column `colour` is unknown" in done.sentences[1]


def test_where_the_disk_fails_halfway_every_file_is_as_it_was(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, replace = snapshot(old), disk.os.replace
    calls: list[object] = []

    def fails_the_third_time(source: Path, target: Path) -> None:
        calls.append(target)
        if len(calls) == 3:
            raise OSError(28, "No space left on device")
        replace(source, target)

    planned = plan_migration(Repository(old), None)
    monkeypatch.setattr(disk.os, "replace", fails_the_third_time)
    with pytest.raises(DiskFailed):
        write_migration(Repository(old), planned)
    monkeypatch.undo()
    assert len(calls) > 3  # what was in place was taken back
    assert snapshot(old) == before


def test_a_file_that_a_person_saves_meanwhile_is_not_written_over(old: Path) -> None:
    planned = plan_migration(Repository(old), None)
    with (old / FACTS).open("ab") as file:
        file.write(b"\n")
    before = snapshot(old)
    with pytest.raises(NotSettled, match="has changed since it was read"):
        write_migration(Repository(old), planned)
    assert snapshot(old) == before


# -- a step to a schema that is not there yet


def rename(files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {"task.yaml": files["task.yaml"].replace(b"\ntitle: ", b"\nname: ")}


STEPS = (Migration(1, "a title is called a name", rename),)


def test_a_step_from_schema_to_schema_is_shown_written_and_done_once(old: Path) -> None:
    repository = Repository(old)
    planned = plan_migration(repository, None, chain=STEPS, current=2)
    assert planned.steps == (f"{TASK}: schema 1 → 2: a title is called a name",)
    change = next(change for change in planned.changes if change.name.endswith("task.yaml"))
    assert change.why == ("plain line ends", "schema 2")
    assert next(line for line in change.difference() if line.startswith("+")) == "+schema: 2"
    check_undo(repository, planned)
    write_migration(repository, planned)
    task = (old / "tasks" / TASK / "task.yaml").read_bytes()
    assert task.startswith("# über alles\nschema: 2\n".encode())
    assert b"\nname: " in task
    assert plan_migration(repository, None, chain=STEPS, current=2).changes == ()


def test_a_task_of_the_new_schema_is_refused_by_the_old_version(old: Path, here: Run) -> None:
    write_migration(Repository(old), plan_migration(Repository(old), None, chain=STEPS, current=2))
    with pytest.raises(UnreadableInput, match="install a later version of Cellwright"):
        plan_migration(Repository(old), None)
    assert "`cellwright migrate` tells" in here("audit", TASK, cwd=old).err

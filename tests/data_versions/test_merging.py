"""Two people captured, git merged: the conflict is told in one sentence, and the captures of both are kept."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cellwright.authoring.captures.tracking import track_captures
from cellwright.clients import dvc
from cellwright.records.errors import DiskFailed
from tests.cli.workshop import Result
from tests.data_repository import DataRepository, Remote, git

# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")
POINTER = "sources/captures/t.dvc"
HEAD = "task,source,sha256,url,final_url,fetched,status,via,text_sha256\n"
Here = Callable[..., Result]


def sum_of(text: str) -> str:
    """The sha256 that names a capture."""
    return hashlib.sha256(text.encode()).hexdigest()


def capture(repository: DataRepository, source: str, body: str, record: str = "") -> None:
    """A capture as `capture` makes it: the file, the row, the pointer, a commit, a push."""
    root = repository.root
    repository.write_capture(sum_of(body), record or body)
    table = root / "sources" / "captures.csv"
    lines = (table.read_text() if table.exists() else HEAD).splitlines(keepends=True)
    row = f"t,{source},{sum_of(body)},https://example.org/{source},,2025-01-01T00:00:00Z,ok,live,\n"
    table.write_text("".join([lines[0], *sorted([*lines[1:], row])]))
    repository.track()
    git(root, "add", "-A")
    git(root, "commit", "-qm", f"capture {source}")
    dvc.push(root, [POINTER])


@pytest.fixture
def shared(repository: DataRepository, folder_remote: Remote) -> DataRepository:
    """A repository whose remote is a folder that others can reach."""
    repository.set_remote(folder_remote.settings)
    capture(repository, "first", "the first document")
    return repository


@pytest.fixture
def conflict(shared: DataRepository, tmp_path: Path) -> DataRepository:
    """Ana and Ben each captured a document of the same task; Ana merges Ben's and git stops."""
    ben = shared.clone(tmp_path / "ben")
    dvc.pull(ben.root, [POINTER])
    capture(ben, "ben", "a document that Ben fetched")
    capture(shared, "ana", "a document that Ana fetched")
    return merge(shared, ben)


def merge(ours: DataRepository, theirs: DataRepository) -> DataRepository:
    """A real merge, which git cannot do alone."""
    git(ours.root, "fetch", "-q", str(theirs.root), "main")
    done = subprocess.run(
        ["git", "merge", "--no-edit", "FETCH_HEAD"], cwd=ours.root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert f"CONFLICT (content): Merge conflict in {POINTER}" in done.stdout
    return ours


def capture_files(repository: DataRepository) -> set[str]:
    return {path.name for path in (repository.root / "sources" / "captures" / "t").iterdir()}


SAYS = (
    "sources/captures/t.dvc:2: git's conflict marks stand in the file: two sides of a merge are not settled; expected"
    " one text; `cellwright merge-captures` keeps the captures of both sides"
)


@pytest.mark.parametrize("command", [("capture", "t", "--mirror", "nowhere"), ("status", "t")])
def test_a_pointer_in_conflict_is_told_with_the_command_that_mends_it(
    conflict: DataRepository, here: Here, command: tuple[str, ...]
) -> None:
    before = capture_files(conflict)
    done = here(*command, cwd=conflict.root)
    assert (done.code, done.out, done.sentences) == (2, "", [SAYS])
    assert capture_files(conflict) == before


def test_the_captures_of_both_sides_are_kept(conflict: DataRepository, here: Here, tmp_path: Path) -> None:
    before = capture_files(conflict)
    done = here("merge-captures", cwd=conflict.root)
    assert done.code == 0, done.err
    assert done.err.splitlines() == [
        "sources/captures/t.dvc: 6 captures, 1 only ours, 1 only theirs",
        "sources/captures.csv: 3 rows of both sides",
        "next: `git add sources/captures/t.dvc sources/captures.csv`",
    ]
    bens = f"{sum_of('a document that Ben fetched')}.warc.gz"
    assert capture_files(conflict) == before | {bens}
    assert (conflict.root / "sources" / "captures" / "t" / bens).read_text() == "a document that Ben fetched"
    rows = (conflict.root / "sources" / "captures.csv").read_text().splitlines()
    assert [row.split(",")[1] for row in rows] == ["source", "ana", "ben", "first"]
    git(conflict.root, "add", POINTER, "sources/captures.csv")
    git(conflict.root, "commit", "-qm", "both")
    # DVC itself finds the pointer to be that of the folder, and everybody gets all of it.
    tracked = track_captures(conflict.root, "t")
    assert tracked is not None
    assert not tracked.changed
    dvc.push(conflict.root, [POINTER])
    other = conflict.clone(tmp_path / "other")
    dvc.pull(other.root, [POINTER])
    assert capture_files(other) == before | {bens}


def test_merging_again_finds_nothing_to_do(conflict: DataRepository, here: Here) -> None:
    here("merge-captures", cwd=conflict.root)
    done = here("merge-captures", cwd=conflict.root)
    assert (done.code, done.err) == (0, "no captures are in conflict\n")


def test_a_rebase_and_a_common_ancestor_between_the_marks_are_read_too(conflict: DataRepository, here: Here) -> None:
    git(conflict.root, "merge", "--abort")
    git(conflict.root, "config", "merge.conflictStyle", "diff3")
    done = subprocess.run(["git", "rebase", "FETCH_HEAD"], cwd=conflict.root, capture_output=True, check=False)
    assert done.returncode == 1
    assert "|||||||" in (conflict.root / POINTER).read_text()
    told = here("merge-captures", cwd=conflict.root)
    assert "6 captures, 1 only ours, 1 only theirs" in told.err
    assert len(capture_files(conflict)) == 6


def test_a_document_that_both_fetched_is_kept_once_and_told(shared: DataRepository, here: Here, tmp_path: Path) -> None:
    """The same document at two times: one name, two records of the fetch."""
    ben = shared.clone(tmp_path / "ben")
    dvc.pull(ben.root, [POINTER])
    capture(ben, "page", "one page", "fetched by Ben")
    capture(shared, "page", "one page", "fetched by Ana")
    (shared.root / "note").write_text("so that the tables differ")
    merge(shared, ben)
    done = here("merge-captures", cwd=shared.root)
    name = f"{sum_of('one page')}.warc.gz"
    assert f"both sides captured {name[:12]}…; its document is the same, and our record of it was kept" in done.err
    assert (shared.root / "sources" / "captures" / "t" / name).read_text() == "fetched by Ana"


def test_a_capture_that_is_nowhere_is_told_and_the_marks_stay(
    conflict: DataRepository, folder_remote: Remote, here: Here
) -> None:
    text = (conflict.root / POINTER).read_text()
    lost = hashlib.md5(b"a document that Ben fetched").hexdigest()
    folder_remote.lose(lost)
    done = here("merge-captures", cwd=conflict.root)
    assert done.code == 3
    assert f"the remote lacks data that the repository needs; seen 'object {lost} missing'" in done.sentences[0]
    assert (conflict.root / POINTER).read_text() == text


def test_a_merge_that_could_not_write_leaves_the_marks_and_goes_on(
    conflict: DataRepository, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped after the files were put there and before the pointer was written."""
    from cellwright.authoring.captures import merging

    text = (conflict.root / POINTER).read_text()

    def stop(files: object) -> None:
        raise DiskFailed("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(merging, "write_all_atomic", stop)
        assert here("merge-captures", cwd=conflict.root).code == 4
    assert (conflict.root / POINTER).read_text() == text
    assert here("merge-captures", cwd=conflict.root).code == 0
    assert len(capture_files(conflict)) == 6


@pytest.mark.parametrize(
    ("name", "says"),
    [("../../../outside", "the folder of captures holds something else"), ("notes.txt", "holds something else")],
)
def test_a_hostile_list_writes_nothing(conflict: DataRepository, here: Here, name: str, says: str) -> None:
    """A pointer from elsewhere may stand for a list with any names in it."""
    data = json.dumps([{"md5": hashlib.md5(b"x").hexdigest(), "relpath": name}]).encode()
    md5 = hashlib.md5(data).hexdigest()
    place = conflict.cache() / md5[:2] / f"{md5[2:]}.dir"
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(data)
    text = (conflict.root / POINTER).read_text()
    theirs = text.partition("=======\n")[2].partition("md5: ")[2].partition("\n")[0]
    (conflict.root / POINTER).write_text(text.replace(theirs, f"{md5}.dir"))
    before = capture_files(conflict)
    done = here("merge-captures", cwd=conflict.root)
    assert (done.code, len(done.sentences)) == (2, 1)
    assert says in done.sentences[0]
    assert capture_files(conflict) == before
    assert not (conflict.root.parent / "outside").exists()


@pytest.mark.parametrize("left", ["outs: []\n", "outs:\n- md5: nothing\n  path: t\n", "- 1\n", "outs: 3\n"])
def test_a_side_that_is_no_pointer_is_told(conflict: DataRepository, here: Here, left: str) -> None:
    text = (conflict.root / POINTER).read_text()
    (conflict.root / POINTER).write_text(f"<<<<<<< HEAD\n{left}=======\n{left}>>>>>>> side\n")
    done = here("merge-captures", cwd=conflict.root)
    assert done.code == 2
    assert "one side of the merge is no pointer to the task's captures" in done.sentences[0]
    assert text


def test_a_table_alone_in_conflict_needs_no_dvc(conflict: DataRepository, here: Here) -> None:
    git(conflict.root, "checkout", "--ours", "--", POINTER)
    shutil.rmtree(conflict.root / ".dvc")
    done = here("merge-captures", cwd=conflict.root)
    assert done.err.splitlines() == [
        "sources/captures.csv: 3 rows of both sides",
        "next: `git add sources/captures.csv`",
    ]

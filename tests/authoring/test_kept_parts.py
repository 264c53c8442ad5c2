"""What a task brings to the bundle is kept and taken again; a bundle is the same with it and without."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cellwright.authoring import auditing
from cellwright.authoring.audit_cache import open_bundle_cache
from cellwright.authoring.audit_digest import TaskDigests
from cellwright.authoring.bundles.bundle import build_bundle
from cellwright.clients.repository import Repository, open_repository
from tests.bench.repositories import write_repository

TASK, OTHER = "copy-0", "copy-1"


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which this module's user keeps the secret."""
    return tmp_path_factory.mktemp("state")


@pytest.fixture(autouse=True)
def _user(secret: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(secret))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, secret: Path) -> Path:
    """Two clean tasks, built once."""
    root = tmp_path_factory.mktemp("kept") / "repository"
    write_repository(root, 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(secret))
        build_bundle(open_repository(root), None, root / "build" / "bundle", cached=True)
    return root


@pytest.fixture
def repository(made: Path, tmp_path: Path) -> Repository:
    return open_repository(shutil.copytree(made, tmp_path / "repository"))


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tasks that are audited anew, as they come."""
    tasks: list[str] = []
    fresh = auditing._Work._fresh

    def noted(self: auditing._Work, missing: list[str]) -> object:
        tasks.extend(missing)
        return fresh(self, missing)

    monkeypatch.setattr(auditing._Work, "_fresh", noted)
    return tasks


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def built(repository: Repository, name: str, *, cached: bool) -> dict[str, bytes]:
    out = repository.root / "build" / name
    build_bundle(repository, None, out, cached=cached)
    return files(out)


def test_nothing_is_worked_out_twice_and_every_byte_is_the_same(repository: Repository, worked_out: list[str]) -> None:
    kept = built(repository, "kept", cached=True)
    assert worked_out == []
    assert kept == built(repository, "anew", cached=False) == files(repository.root / "build" / "bundle")
    assert worked_out == [TASK, OTHER]


def test_a_changed_task_alone_is_worked_out_again(repository: Repository, worked_out: list[str]) -> None:
    path = repository.root / "tasks" / OTHER / "searches.csv"
    path.write_text(path.read_text().replace("annual reports", "reports", 1))
    kept = built(repository, "kept", cached=True)
    assert worked_out == [OTHER]
    assert kept == built(repository, "anew", cached=False)


def identify(repository: Repository, task: str, ticker: str) -> None:
    path = repository.root / "tasks" / task / "task.yaml"
    head, name, rest = path.read_text().partition("{id: a, ")
    assert name
    path.write_text(f"{head}{name}identifiers: {{ticker: {ticker}}}, {rest}")


def test_what_a_comparison_finds_is_on_the_page_though_the_task_itself_did_not_change(
    repository: Repository, worked_out: list[str]
) -> None:
    identify(repository, TASK, "AAA")
    assert b"C1-IDENTITY-DIFFERS" not in built(repository, "kept", cached=True)["evidence.html"]
    identify(repository, OTHER, "BBB")
    page = built(repository, "kept", cached=True)["evidence.html"]
    assert worked_out == [TASK, OTHER]
    assert page.count(b"C1-IDENTITY-DIFFERS") > 1
    assert page == built(repository, "anew", cached=False)["evidence.html"]


def spoil(repository: Repository) -> None:
    """A false row under the right key, marked as well as somebody can who has no secret, or another one."""
    cache = open_bundle_cache(repository)
    assert cache is not None
    key = TaskDigests(repository, draft=False).keys(TASK).audit
    tables = cache.tables(key)
    assert tables is not None
    tables["cells"][0]["value"] = "4711"
    cache.secret = b"another"
    cache.keep_tables(key, tables)


def test_what_another_put_there_is_as_if_it_were_not_there(repository: Repository, worked_out: list[str]) -> None:
    clean = files(repository.root / "build" / "bundle")
    spoil(repository)
    assert built(repository, "kept", cached=True) == clean
    assert worked_out == [TASK]


def test_entries_of_another_user_are_not_taken(
    repository: Repository, worked_out: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    assert built(repository, "kept", cached=True) == files(repository.root / "build" / "bundle")
    assert worked_out == [TASK, OTHER]


@pytest.mark.parametrize("kind", ["audit", "summary", "tables", "section"])
def test_a_damaged_entry_is_as_if_it_were_not_there(kind: str, repository: Repository) -> None:
    entries = sorted((repository.root / ".cellwright" / "bundle" / kind).glob("*/*"))
    assert entries
    for path in entries:
        data = bytearray(path.read_bytes())
        data[-1] ^= 1
        path.write_bytes(data)
    assert built(repository, "kept", cached=True) == files(repository.root / "build" / "bundle")


@pytest.mark.parametrize("home", ["relative", "/dev/null/below"])
def test_a_user_without_a_place_of_their_own_builds_anew(
    home: str, repository: Repository, worked_out: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", home)
    built(repository, "kept", cached=True)
    assert worked_out == [TASK, OTHER]

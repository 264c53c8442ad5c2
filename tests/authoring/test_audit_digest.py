"""The keys of an audit: any one input changed changes the task's key, and nothing else does."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cellwright.authoring import audit_digest
from cellwright.authoring.audit_digest import NotDigestible, TaskDigests
from cellwright.clients.repository import Repository, open_repository
from cellwright.records.findings import Condition
from cellwright.validators.registry import Rule, RuleInfo
from tests.bench.repositories import write_repository

TASK, OTHER = "copy-0", "copy-1"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("digests") / "repository"
    write_repository(root, 2)
    (root / "sources" / "registry.csv").write_text("publisher,domain,owner\nCompany A,a.org,Company A\n")
    (root / "params.yaml").write_text("audit:\n  prompt_digits: 3\n")
    (root / "profiles").mkdir()
    (root / "profiles" / "small.yaml").write_text("id: small\n")
    return root


@pytest.fixture
def repository(made: Path, tmp_path: Path) -> Repository:
    return open_repository(shutil.copytree(made, tmp_path / "repository"))


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """The program's own digest is worked out once a process."""
    audit_digest._program_digest.cache_clear()
    audit_digest._module_digest_at.cache_clear()
    yield
    audit_digest._program_digest.cache_clear()
    audit_digest._module_digest_at.cache_clear()


def key(repository: Repository, task: str = TASK, *, draft: bool = False) -> str:
    return TaskDigests(repository, draft=draft).keys(task).audit


def capture(repository: Repository) -> Path:
    return min((repository.root / "sources" / "captures" / TASK).iterdir())


def append(name: str, text: str = "\n") -> Callable[[Repository], None]:
    def change(repository: Repository) -> None:
        with (repository.root / name).open("a", encoding="utf-8") as file:
            file.write(text)

    return change


def quietly(repository: Repository) -> None:
    """One letter changed, with the file's time and size as they were."""
    path = repository.root / "tasks" / TASK / "facts.csv"
    before, data = path.stat(), path.read_bytes()
    at = data.index(b"million")
    path.write_bytes(data[:at] + b"M" + data[at + 1 :])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def spoil_capture(repository: Repository) -> None:
    path = capture(repository)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


INPUTS: dict[str, Callable[[Repository], object]] = {
    "task.yaml": append(f"tasks/{TASK}/task.yaml", "# a remark\n"),
    **{name: append(f"tasks/{TASK}/{name}") for name in ("sources.csv", "facts.csv", "cells.csv", "searches.csv")},
    "a table that was not there": append(f"tasks/{TASK}/waivers.csv", "rule,reason,by\n"),
    "a table that is gone": lambda repository: (repository.root / "tasks" / TASK / "searches.csv").unlink(),
    "one letter at the same time and size": quietly,
    "the publishers": append("sources/registry.csv", "Company B,b.org,Company B\n"),
    "the publishers are gone": lambda repository: (repository.root / "sources" / "registry.csv").unlink(),
    "the task's line of captures.csv": append(
        "sources/captures.csv", f"{TASK},a-report,{'0' * 64},https://www.companies.org/a,,,ok,live,\n"
    ),
    "a capture's bytes": spoil_capture,
    "a capture that is gone": lambda repository: capture(repository).unlink(),
    "params.yaml": append("params.yaml", "  claim_slack: 2\n"),
    "params.yaml is gone": lambda repository: (repository.root / "params.yaml").unlink(),
    "a profile": append("profiles/small.yaml", "title: Small\n"),
    "a profile that was not there": append("profiles/other.yaml", "id: other\n"),
}


@pytest.mark.parametrize("name", INPUTS)
def test_any_one_input_of_a_task_changes_its_key(name: str, repository: Repository) -> None:
    before = key(repository)
    INPUTS[name](repository)
    assert key(repository) != before


def test_a_draft_has_another_key(repository: Repository) -> None:
    assert key(repository, draft=True) != key(repository)


def test_what_belongs_to_another_task_changes_nothing(repository: Repository) -> None:
    before = key(repository, OTHER)
    for name in ("task.yaml", "facts.csv", "the task's line of captures.csv", "a capture's bytes"):
        INPUTS[name](repository)
    append(f"tasks/{OTHER}/.hidden")(repository)
    append("README.md")(repository)
    assert key(repository, OTHER) == before


def test_a_summary_depends_on_the_task_s_own_files_alone(repository: Repository) -> None:
    before = TaskDigests(repository, draft=False).keys(TASK).summary
    for name in ("a capture's bytes", "params.yaml", "the publishers"):
        INPUTS[name](repository)
    assert TaskDigests(repository, draft=True).keys(TASK).summary == before
    INPUTS["facts.csv"](repository)
    assert TaskDigests(repository, draft=False).keys(TASK).summary != before


def test_a_table_of_captures_that_cannot_be_read_counts_as_a_whole(repository: Repository) -> None:
    (repository.root / "sources" / "captures.csv").write_text(f'task,source\n{OTHER},"half a field\n')
    before = key(repository)
    append("sources/captures.csv", "more\n")(repository)
    assert key(repository) != before


# -- the program


def test_the_package_s_own_code_changes_the_key(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copytree(audit_digest._PACKAGE, tmp_path / "cellwright")
    monkeypatch.setattr(audit_digest, "_PACKAGE", copy)
    before = key(repository)
    audit_digest._program_digest.cache_clear()
    assert key(repository) == before
    with (copy / "validators" / "lint.py").open("a") as file:
        file.write("# other\n")
    audit_digest._program_digest.cache_clear()
    after = key(repository)
    assert after != before
    with (copy / "validators" / "profiles" / "deepweb-8x8.yaml").open("a") as file:
        file.write("# other\n")
    audit_digest._program_digest.cache_clear()
    assert key(repository) not in (before, after)


def test_another_version_of_a_library_changes_the_key(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = key(repository)
    (tmp_path / "site" / "polars-0.0.1.dist-info").mkdir(parents=True)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    audit_digest._program_digest.cache_clear()
    assert key(repository) != before


def test_another_python_changes_the_key(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    before = key(repository)
    monkeypatch.setattr(sys, "version", "3.11.99 (another)")
    audit_digest._program_digest.cache_clear()
    assert key(repository) != before


def test_a_plug_in_and_its_code_change_the_key(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [key(repository)]
    site = tmp_path / "site"
    info = site / "brewers_rules-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "brewers_rules.py").write_text("RULES = ()\n")
    monkeypatch.syspath_prepend(str(site))
    for change in (
        lambda: (info / "entry_points.txt").write_text("[cellwright.rules]\nbrewers = brewers_rules:RULES\n"),
        lambda: (site / "brewers_rules.py").write_text("RULES = ( )\n"),
        lambda: info.rename(site / "brewers_rules-1.1.dist-info"),
    ):
        change()
        audit_digest._program_digest.cache_clear()
        audit_digest._module_digest_at.cache_clear()
        keys.append(key(repository))
    assert len(set(keys)) == len(keys)
    assert "brewers_rules" not in sys.modules


def test_rules_that_are_handed_in_count_with_their_code(repository: Repository) -> None:
    info = RuleInfo("C1-X-BEER", Condition.COMPLETE, "warning", "Beer.")
    rule = Rule(info, lambda context: iter(()))
    plain, given, graver = (
        TaskDigests(repository, draft=False, rules=rules).keys(TASK).audit
        for rules in ((), (rule,), (replace(rule, info=replace(info, severity="error")),))
    )
    assert len({plain, given, graver}) == 3


def test_a_plug_in_whose_code_is_not_found_has_no_key(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "site" / "lost-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "entry_points.txt").write_text("[cellwright.rules]\nlost = nowhere_to_be_found:RULES\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    with pytest.raises(NotDigestible, match="nowhere_to_be_found"):
        key(repository)

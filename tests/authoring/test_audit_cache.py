"""Audits kept and taken again: the answer is the one that a new audit gives, whatever lies in the cache."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from cellwright.authoring import audit_cache, auditing
from cellwright.authoring.audit_cache import AuditCache, open_cache
from cellwright.authoring.audit_digest import TaskDigests
from cellwright.authoring.auditing import admitted_tasks, audit_tasks
from cellwright.authoring.bundles.bundle import build_bundle
from cellwright.authoring.loading import load_task
from cellwright.clients.repository import Repository, open_repository
from cellwright.records.errors import NotSettled, UnreadableInput
from cellwright.records.findings import Audit
from cellwright.validators.summaries import summary_of
from tests.bench.repositories import PARAMS, write_repository

TASK, OTHER = "copy-0", "copy-1"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two clean tasks, audited once."""
    root = tmp_path_factory.mktemp("cache") / "repository"
    write_repository(root, 2)
    (root / "params.yaml").write_text(PARAMS + "audit:\n  prompt_digits: 3\n")
    audit_tasks(open_repository(root), None, cached=True)
    return root


@pytest.fixture
def repository(made: Path, tmp_path: Path) -> Repository:
    return open_repository(shutil.copytree(made, tmp_path / "repository"))


def cached(repository: Repository) -> Audit:
    return audit_tasks(repository, None, cached=True).audit


def anew(repository: Repository) -> Audit:
    return audit_tasks(repository, None).audit


def entries(repository: Repository) -> list[Path]:
    return sorted((repository.root / ".cellwright" / "cache").glob("*/*/*"))


def rewrite(repository: Repository, name: str, old: str, new: str, task: str = TASK) -> None:
    path = repository.root / "tasks" / task / name
    text = path.read_text(encoding="utf-8")
    assert old in text, (name, old)
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.fixture
def no_new_audit(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which tasks were audited anew from here on."""
    fresh: list[str] = []
    work = auditing._Work._fresh

    def noted(self: auditing._Work, tasks: list[str]) -> object:
        fresh.extend(tasks)
        return work(self, tasks)

    monkeypatch.setattr(auditing._Work, "_fresh", noted)
    return fresh


def test_a_second_audit_gives_the_same_and_audits_nothing(repository: Repository, no_new_audit: list[str]) -> None:
    assert cached(repository) == cached(repository)
    assert no_new_audit == []
    assert cached(repository) == anew(repository)


def test_one_task_changed_is_the_one_that_is_audited_again(repository: Repository, no_new_audit: list[str]) -> None:
    rewrite(repository, "searches.csv", "annual reports", "reports")
    cached(repository)
    assert no_new_audit == [TASK]


def _capture(repository: Repository) -> Path:
    return min((repository.root / "sources" / "captures" / TASK).iterdir())


def _spoil_capture(repository: Repository) -> None:
    data = bytearray(_capture(repository).read_bytes())
    data[len(data) // 2] ^= 255
    _capture(repository).write_bytes(data)


CHANGES: dict[str, tuple[Callable[[Repository], object], str]] = {
    "task.yaml": (lambda r: rewrite(r, "task.yaml", "licence: CC-BY-4.0", "licence: ''"), "C1-TEXT-EMPTY"),
    "facts.csv": (lambda r: rewrite(r, "facts.csv", ",primary,", ",,"), "C1-RANK-MISSING"),
    "sources.csv": (lambda r: rewrite(r, "sources.csv", ",T1,annual report", ",T1,"), "C2-TIER-REASON"),
    "cells.csv": (lambda r: rewrite(r, "cells.csv", ",ben", ",ana"), "C1-REVIEWER-IS-ANNOTATOR"),
    "searches.csv": (lambda r: (r.root / "tasks" / TASK / "searches.csv").unlink(), "C4-SEARCH-MISSING"),
    "a new waivers.csv": (
        lambda r: (r.root / "tasks" / TASK / "waivers.csv").write_text(
            "rule,reason,by,date\nC4-NOTE-MISSING,settled,ben,2024-12-01\n"
        ),
        "C1-WAIVER-UNUSED",
    ),
    "a capture gone": (lambda r: _capture(r).unlink(), "C2-CAPTURE-MISSING"),
    "a capture spoilt": (_spoil_capture, "C2-CAPTURE-UNUSABLE"),
    "params.yaml": (
        lambda r: (r.root / "params.yaml").write_text("audit:\n  relative_full_most: 0\n"),
        "C5-TOLERANCE-WIDE",
    ),
    "a profile of the repository's own": (
        lambda r: (
            (r.root / "profiles").mkdir(),
            (r.root / "profiles" / "deepweb-8x8.yaml").write_text(
                "id: deepweb-8x8\nentities: 8\ndimensions: 8\ndomains: [finance]\n"
                "families: {retrieval: 1, derivation: 4, calibration: 1, reasoning: 2}\n"
            ),
        ),
        "C1-DOMAIN-UNKNOWN",
    ),
    "another task": (
        lambda r: [
            rewrite(r, "task.yaml", "name: Company A1,", "name: Company A0,", OTHER),
            rewrite(r, "task.yaml", "ask: Revenue of the fiscal year.", "ask: 'Revenue, of the fiscal year.'", OTHER),
        ],
        "C5-CELL-ASKED-TWICE",
    ),
}


def some(names: Iterable[str], quick: set[str]) -> list[ParameterSet]:
    """All of them, those that are not quick marked slow: each audits two tasks two or three times."""
    return [pytest.param(name, marks=[] if name in quick else [pytest.mark.slow]) for name in names]


@pytest.mark.parametrize("name", some(CHANGES, {"facts.csv", "a capture spoilt", "params.yaml"}))
def test_any_one_input_changed_changes_the_answer_where_it_should(name: str, repository: Repository) -> None:
    change, rule = CHANGES[name]
    before = cached(repository)
    change(repository)
    after = cached(repository)
    told = {task.task: {finding.rule for finding in task.findings} for task in after.tasks}
    assert rule in told[TASK], told
    assert rule not in {finding.rule for task in before.tasks for finding in task.findings}
    assert after == anew(repository)


def test_the_publishers_have_a_part_in_the_answer(repository: Repository) -> None:
    """Two witnesses of one owner are one: what the registry says decides a label."""
    rewrite(repository, "sources.csv", "e-later,https://www.companies.org/e-later,Report e-later,Company E",
            "e-later,https://www.companies.org/e-later,Report e-later,Office of Statistics")  # fmt: skip
    apart = cached(repository)
    (repository.root / "sources" / "registry.csv").write_text(
        "publisher,domain,owner\nCompany E,e.org,Union\nOffice of Statistics,s.org,Union\n"
    )
    together = cached(repository)
    assert apart != together
    assert together == anew(repository)


def test_findings_between_tasks_are_right_with_cached_tasks(repository: Repository, no_new_audit: list[str]) -> None:
    for number, task in ((0, TASK), (1, OTHER)):
        rewrite(repository, "task.yaml", f"name: Company A{number},", "name: Acme Inc.,", task)
    told = {task.task: {finding.rule for finding in task.findings} for task in cached(repository).tasks}
    assert told[TASK] == told[OTHER] >= {"C4-TASKS-CONTRADICT", "C5-CELL-ASKED-TWICE"}
    no_new_audit.clear()
    rewrite(repository, "task.yaml", "name: Acme Inc.,", "name: Zenith Inc.,", OTHER)
    after = cached(repository)
    assert no_new_audit == [OTHER]
    assert [task.findings for task in after.tasks] == [(), ()]


# -- what lies there is not what it should be


def _fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _swap_check(path: Path) -> None:
    check, _, rest = path.read_bytes().partition(b"\n")
    path.write_bytes(check[::-1] + b"\n" + rest)


SPOILS: dict[str, Callable[[Path], object]] = {
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:-7]),
    "empty": lambda path: path.write_bytes(b""),
    "other bytes": lambda path: path.write_bytes(os.urandom(500)),
    "another check": _swap_check,
    "one bit": lambda path: path.write_bytes(path.read_bytes()[:-3] + b"!" + path.read_bytes()[-2:]),
    "a folder": _folder,
    "a pipe": _fifo,
    "a link to nowhere": lambda path: (path.unlink(), path.symlink_to("nowhere")),
}


@pytest.mark.parametrize("name", some(SPOILS, {"one bit", "a pipe"}))
def test_what_is_corrupt_in_the_cache_is_as_if_it_were_not_there(name: str, repository: Repository) -> None:
    for path in entries(repository):
        SPOILS[name](path)
    assert cached(repository) == anew(repository)


def poison(repository: Repository, task: str) -> None:
    """Put a false audit under the right key, with the right check: what only a person's malice can do."""
    cache = open_cache(repository)
    assert cache is not None
    keys = TaskDigests(repository, draft=False).keys(task)
    (true,) = audit_tasks(repository, [task]).audit.tasks
    false = true.model_copy(
        update={"admitted": True, "findings": (), "conditions": dict.fromkeys(true.conditions, "met"), "cells": 99}
    )
    cache.keep_audit(keys.audit, false)
    cache.keep_summary(keys.summary, summary_of(load_task(repository, task)))


def test_an_audit_of_another_task_under_a_key_is_not_taken(repository: Repository) -> None:
    cache = open_cache(repository)
    assert cache is not None
    keys = {task: TaskDigests(repository, draft=False).keys(task) for task in (TASK, OTHER)}
    other = cache.audit(keys[OTHER].audit, OTHER)
    assert other is not None
    cache.keep_audit(keys[TASK].audit, other)
    assert cache.audit(keys[TASK].audit, TASK) is None


def test_a_bundle_never_reads_the_audits_that_a_repository_brings(repository: Repository, tmp_path: Path) -> None:
    build_bundle(repository, None, tmp_path / "clean")
    poison(repository, TASK)
    assert cached(repository).tasks[0].cells == 99  # the poison would work
    build_bundle(repository, None, tmp_path / "again")
    files = [{path.name: path.read_bytes() for path in (tmp_path / name).rglob("*") if path.is_file()}
             for name in ("clean", "again")]  # fmt: skip
    assert files[0] == files[1]


def test_a_task_that_is_not_admitted_gets_into_no_bundle_whatever_the_cache_says(
    repository: Repository, tmp_path: Path
) -> None:
    rewrite(repository, "cells.csv", ",ben", ",ana")
    poison(repository, TASK)
    assert cached(repository).admitted
    with pytest.raises(NotSettled, match=f"`{TASK}` is not admitted"):
        build_bundle(repository, None, tmp_path / "bundle")
    with pytest.raises(NotSettled, match=f"`{TASK}` is not admitted"):
        admitted_tasks(repository, [TASK])


# -- what is kept


def test_the_folder_is_out_of_git_s_sight(repository: Repository) -> None:
    assert (repository.root / ".cellwright" / ".gitignore").read_text() == "*\n"


def test_without_the_cache_nothing_is_kept(repository: Repository) -> None:
    shutil.rmtree(repository.root / ".cellwright")
    anew(repository)
    assert not (repository.root / ".cellwright").exists()


@pytest.mark.parametrize("part", ["", "cache", "cache/audit"])
def test_a_link_that_leads_elsewhere_is_neither_read_nor_written_through(
    part: str, repository: Repository, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    place = repository.root / ".cellwright" / part
    shutil.rmtree(place)
    place.symlink_to(elsewhere)
    cached(repository)
    assert list(elsewhere.iterdir()) == []


def test_a_file_in_the_place_of_the_folder_is_no_failure(repository: Repository) -> None:
    shutil.rmtree(repository.root / ".cellwright")
    (repository.root / ".cellwright").write_text("mine")
    assert cached(repository) == anew(repository)
    assert (repository.root / ".cellwright").read_text() == "mine"


def test_a_task_that_changes_while_it_is_audited_is_not_kept(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewrite(repository, "searches.csv", "annual reports", "reports")
    before = entries(repository)
    work = auditing._Work._fresh

    def changed(self: auditing._Work, tasks: list[str]) -> object:
        for audit in work(self, tasks):
            rewrite(repository, "searches.csv", "reports", "more reports")
            yield audit

    monkeypatch.setattr(auditing._Work, "_fresh", changed)
    cached(repository)
    assert entries(repository) == before


def test_the_entries_not_used_for_longest_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_cache, "MOST_ENTRIES", 3)
    cache = AuditCache(tmp_path)
    for number in range(6):
        key = f"{number:064x}"
        cache.keep_summary(key, b"x")
        os.utime(cache._path("summary", key), (number, number))
    fresh = AuditCache(tmp_path)
    fresh._read("summary", f"{0:064x}")  # used again
    fresh.keep_summary(f"{9:064x}", b"x")
    fresh.prune()
    assert sorted(int(path.name, 16) for path in tmp_path.glob("*/*/*")) == [0, 5, 9]


def test_a_disk_that_refuses_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "audit").write_text("a file where a folder should be")
    (tmp_path / "summary").write_text("too")
    cache = AuditCache(tmp_path)
    cache.keep_summary("0" * 64, b"x")
    assert (cache.writes, cache.written) == (False, 0)


# -- some tasks, and tasks that cannot be read


def test_a_task_is_compared_with_those_that_are_not_audited(repository: Repository, no_new_audit: list[str]) -> None:
    rewrite(repository, "task.yaml", "name: Company A1,", "name: Company A0,", OTHER)
    for use in (False, True, True):
        (audit,) = audit_tasks(repository, [TASK], cached=use).audit.tasks
        assert audit.counts["tasks_compared"] == 1
        assert {finding.rule for finding in audit.findings} >= {"C5-CELL-ASKED-TWICE"}
    assert OTHER not in no_new_audit


def test_another_task_that_cannot_be_read_is_no_failure_of_this_one(repository: Repository) -> None:
    (repository.root / "tasks" / OTHER / "task.yaml").write_bytes(b"\xff\xfe")
    audited = audit_tasks(repository, [TASK], cached=True)
    assert (audited.problems, audited.audit.admitted) == ((), True)
    assert "tasks_compared" not in audited.audit.tasks[0].counts


def test_a_task_that_cannot_be_read_keeps_no_other_from_being_told(repository: Repository) -> None:
    (repository.root / "tasks" / OTHER / "task.yaml").write_bytes(b"\xff\xfe")
    (repository.root / "tasks" / "Not An Id").mkdir()
    (repository.root / "tasks" / "Not An Id" / "task.yaml").write_text("id: x\n")
    for use in (False, True, True):
        audited = audit_tasks(repository, None, cached=use)
        assert [task.task for task in audited.audit.tasks] == [TASK]
        assert [problem.place.file for problem in audited.problems] == ["tasks/Not An Id", f"tasks/{OTHER}/task.yaml"]
    with pytest.raises(UnreadableInput):
        audit_tasks(repository, [OTHER], cached=True)
    with pytest.raises(UnreadableInput):
        admitted_tasks(repository, None)


def test_what_is_kept_is_the_task_s_own_audit_and_not_what_others_say_of_it(repository: Repository) -> None:
    audits = [path for path in entries(repository) if path.parent.parent.name == "audit"]
    for path in audits:
        kept = json.loads(path.read_bytes().partition(b"\n")[2])
        assert "tasks_compared" not in kept["counts"]

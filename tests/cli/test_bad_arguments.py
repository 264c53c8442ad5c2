"""Bad input on the command line itself: names that nothing bears, options that do not fit, places that are taken."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.workshop import MIRROR, TASK, Result, Workshop, run, snapshot

# What is typed, the exit code, the whole sentence.
REFUSED: list[tuple[tuple[str, ...], int, str]] = [
    # tasks and cells
    (("derive", "nope"), 2, r"tasks/nope: there is no task `nope`; expected one of .*; `cellwright new nope` makes it"),
    (("status", "us-large-caps"), 2, rf"tasks/us-large-caps: there is no task .*; did you mean `{TASK}`\? .*"),
    (("audit", "nope"), 2, r"tasks/nope: there is no task `nope`; .*"),
    (("bundle", "nope"), 2, r"tasks/nope: there is no task `nope`; .*"),
    (("capture", "nope", "--mirror", MIRROR), 2, r"tasks/nope: there is no task `nope`; .*"),
    (("locate", "nope"), 2, r"tasks/nope: there is no task `nope`; .*"),
    (("derive", "../x"), 2, r"this is no task id; seen '\.\./x', expected small letters, digits, .* ev-makers-2023"),
    (("new", "../x"), 2, r"this is no task id; seen '\.\./x', .*"),
    (("new", "Ev Makers"), 2, r"this is no task id; seen 'Ev Makers', .*"),
    (("new", ""), 2, r"this is no task id; seen 'nothing', .*"),
    (("new", "x" * 5_000), 2, r"this is no task id; seen 'x{79}…', .*"),
    (("audit", "/etc"), 2, r"this is no task id; seen '/etc', .*"),
    (("capture", "..", "--mirror", MIRROR), 2, r"this is no task id; seen '\.\.', .*"),
    (("new", TASK), 2, rf"tasks/{TASK}: the task `{TASK}` is there already; .*"),
    (
        ("derive", TASK, "nvdia/gross_margin"),
        2,
        rf"tasks/{TASK}/task\.yaml: the entity `nvdia` is not there; seen 'nvdia', expected one of aapl, .*; "
        r"did you mean `nvda`\?",
    ),
    (
        ("derive", TASK, "nvda/gross"),
        2,
        rf"tasks/{TASK}/task\.yaml: the dimension `gross` is not there; seen 'gross', expected one of .*",
    ),
    (("derive", TASK, "nvda"), 2, r"the cell cannot be read; seen 'nvda', expected ENTITY/DIMENSION, as in aapl/.*"),
    # options
    (("derive", TASK, "--frmat", "json"), 2, r"no such option: --frmat .*; `cellwright derive --help` .*"),
    (("derive", TASK, "--format", "yaml"), 2, r"invalid value for '--format': 'yaml' is not one of 'text', 'json'; .*"),
    (("audit", "--format", "xml"), 2, r"invalid value for '--format': 'xml' is not one of .*'github'; .*"),
    (("derive",), 2, r"missing argument 'TASK'; `cellwright derive --help` .*"),
    (("harness", "score"), 2, r"missing option '--submission'; `cellwright harness score --help` .*"),
    (("frobnicate",), 2, r"no such command 'frobnicate'.*; `cellwright --help` .*"),
    (("harness", "frobnicate"), 2, r"no such command 'frobnicate'.*; `cellwright harness --help` .*"),
    (("derive", TASK, "nvda/gross_margin", "more"), 2, r"got unexpected extra argument.*more.*"),
    (("capture", TASK, "--from", "one.html"), 2, r"option '--from' requires 2 arguments; .*"),
    (
        ("capture", TASK, "--mirror", MIRROR, "--accept", "aapl-10-k-fy2024"),
        2,
        r"the options do not go together; seen '--mirror and --accept', expected one of them",
    ),
    (
        ("capture", TASK, "--refresh", "--accept", "aapl-10-k-fy2024"),
        2,
        r"the options do not go together; seen '--accept and --refresh', expected one of them",
    ),
    (
        ("capture", TASK, "--from", "params.yaml", "aapl-10-k-fy2024", "--mirror", MIRROR),
        2,
        r"the options do not go together; seen '--mirror and --from', expected one of them",
    ),
    # sources, mirrors, files
    (("capture", TASK, "--mirror", "nowhere"), 2, r"nowhere/index\.csv: the file is missing; .*"),
    (("capture", TASK, "--accept", "nope"), 2, rf"tasks/{TASK}/sources\.csv: the task has no source `nope`; .*"),
    (("capture", "--accept", "nope"), 2, r"it is not told which task's source `nope` is meant; .*"),
    (("capture", TASK, "--from", "nowhere.html", "aapl-10-k-fy2024"), 2, r"nowhere\.html: the file is missing; .*"),
    (("capture", TASK, "--from", "sources", "aapl-10-k-fy2024"), 2, r"sources: this is a folder; expected a file"),
    # places
    (("audit", "--root", "nowhere"), 2, r"nowhere: the repository is missing; .*"),
    (("audit", "--root", "params.yaml"), 2, r"params\.yaml: the repository is not a folder; .*"),
    (("bundle", "--out", "sources"), 2, r"sources: the folder holds something else; expected an empty folder, .*"),
    (("bundle", "--out", "params.yaml"), 2, r"params\.yaml: the place of the folder is taken by a file or a link.*"),
    (("audit", "--format", "json", "--out", "sources"), 4, r"sources: a folder stands where the file is to be .*"),
    (("audit", "--out", "params.yaml/audit.txt"), 4, r"params\.yaml/audit\.txt: the file cannot be written, .*"),
    # bundles and results
    (("page", "nowhere"), 2, r"nowhere: the bundle is missing; .*"),
    (("page", "sources"), 2, r"sources: the folder is no bundle; expected `bundle\.json` in it; .*"),
    (("harness", "report", "--bundle", "params.yaml"), 2, r"params\.yaml: the bundle is not a folder; .*"),
]


@pytest.fixture(scope="module")
def untouched(captured: Path, tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """A workshop that every refusal leaves as it is."""
    return Workshop(shutil.copytree(captured, tmp_path_factory.mktemp("refused") / "workshop"))


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    REFUSED,
    ids=lambda value: " ".join(value)[:60] or "nothing" if isinstance(value, tuple) else "",
)
def test_what_cannot_be_meant_is_refused_in_one_sentence(
    arguments: tuple[str, ...], code: int, told: str, untouched: Workshop, here: Callable[..., Result]
) -> None:
    before = snapshot(untouched.root)
    done = here(*arguments, cwd=untouched.root)
    assert done.out == ""
    assert len(done.err.splitlines()) == len(done.sentences) == 1, done.err
    assert re.fullmatch(told, done.sentences[0]), done.sentences[0]
    assert done.code == code
    assert snapshot(untouched.root) == before


def test_several_names_that_nothing_bears_are_told_one_by_one(untouched: Workshop) -> None:
    """What can be read is audited all the same."""
    done = untouched.run("audit", "nope", "../x", TASK)
    assert done.code == 2
    assert done.out.startswith(f"{TASK}: admitted")
    assert [sentence.partition(";")[0] for sentence in done.sentences] == [
        "tasks/nope: there is no task `nope`",
        "this is no task id",
    ]


def test_outside_a_repository_the_way_out_is_told(tmp_path: Path) -> None:
    done = run("audit", cwd=tmp_path)
    assert done.code == 2
    assert done.out == ""
    assert len(done.sentences) == 1
    assert done.sentences[0].startswith(f"{tmp_path}: no repository is here or above; expected a folder that holds")
    assert "--root DIR" in done.sentences[0]


def test_a_repository_without_tasks_has_nothing_wrong_and_nothing_to_publish(
    tmp_path: Path, here: Callable[..., Result]
) -> None:
    """A new repository's first pull request is audited before there is a task."""
    for name in ("tasks", "sources"):
        (tmp_path / name).mkdir()
    for form in ("text", "json", "github"):
        done = here("audit", "--format", form, cwd=tmp_path)
        assert (done.code, done.sentences) == (0, [])
        assert done.err == "there is no task yet; `cellwright new TASK` makes one\n"
    done = here("bundle", cwd=tmp_path)
    assert (done.code, done.sentences) == (1, ["tasks: there is no task yet; `cellwright new TASK` makes one"])


def test_a_folder_without_tasks_folder_is_no_success(tmp_path: Path, here: Callable[..., Result]) -> None:
    done = here("audit", "--root", tmp_path, cwd=tmp_path)
    assert (done.code, done.sentences) == (1, ["tasks: there is no task yet; `cellwright new TASK` makes one"])


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no symbolic links here")
def test_a_link_that_leads_out_of_the_repository_is_not_followed(
    workshop: Workshop, tmp_path: Path, here: Callable[..., Result]
) -> None:
    outside = tmp_path / "outside.csv"
    shutil.move(workshop.task / "cells.csv", outside)
    (workshop.task / "cells.csv").symlink_to(outside)
    held = outside.read_bytes()
    done = here("derive", TASK, "--write", cwd=workshop.root)
    assert done.code == 2
    assert done.sentences[0].startswith(f"tasks/{TASK}/cells.csv: the path leads out of the repository; seen")
    assert outside.read_bytes() == held


def test_a_bad_line_of_results_is_told_with_its_number(
    built: Path, tmp_path: Path, here: Callable[..., Result]
) -> None:
    results = tmp_path / "results.jsonl"
    good = '{"task": "x", "entity": "y", "dimension": "z", "score": "1"}\n'
    for bad in (
        "{}",
        "[" * 100_000,
        '{"task": 1, "entity": "y", "dimension": "z", "score": "1"}',
        '{"task": "x", "entity": "y", "dimension": "z", "score": "1e999999"}',
    ):
        results.write_text(good + bad + "\n", encoding="utf-8")
        done = here("harness", "report", "--bundle", built, "--results", results, cwd=tmp_path)
        assert done.code == 2
        assert done.out == ""
        assert len(done.sentences) == 1
        assert done.sentences[0].startswith(f"{results}:2: the line is no result; seen")


def test_a_task_that_the_bundle_does_not_have_is_told(built: Path, tmp_path: Path, here: Callable[..., Result]) -> None:
    done = here("harness", "report", "--bundle", built, "nope", cwd=tmp_path)
    assert done.code == 2
    assert done.out == ""
    assert done.sentences == [f"bundle.json: the task `nope` is not in the bundle; expected one of {TASK}"]

"""`audit` from the command line: tasks that cannot be read, drafts, two at once, a person who stops it."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bench.repositories import write_repository
from tests.cli.test_output import on_a_terminal
from tests.cli.workshop import Result, edit, environment, run

FIRST, SECOND = "copy-0", "copy-1"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("audited") / "repository"
    write_repository(root, 2)
    return root


@pytest.fixture
def root(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "repository"))


def test_a_task_that_cannot_be_read_keeps_no_other_from_being_told(here: Callable[..., Result], root: Path) -> None:
    (root / "tasks" / FIRST / "facts.csv").write_bytes("id,entity".encode("utf-16"))
    for _ in range(2):
        done = here("audit", cwd=root)
        assert done.code == 2
        assert done.out.startswith(f"{SECOND}: admitted (64 cells")
        assert [sentence.partition(":")[0] for sentence in done.sentences] == [f"tasks/{FIRST}/facts.csv"]
    done = here("audit", "--format", "json", "--out", "audit.json", cwd=root)
    assert done.code == 2
    assert [task["task"] for task in json.loads((root / "audit.json").read_text())["tasks"]] == [SECOND]


def test_an_empty_task_is_a_draft_and_not_admitted(here: Callable[..., Result], root: Path) -> None:
    shutil.rmtree(root / "tasks")
    (root / "tasks").mkdir()
    assert here("new", "fresh", cwd=root).code == 0
    text = here("audit", "--draft", cwd=root)
    told = here("audit", "--draft", "--format", "json", cwd=root)
    page = here("audit", "--draft", "--format", "html", cwd=root)
    (task,) = told.json["tasks"]
    assert (task["admitted"], task["draft"]) == (False, True)
    assert text.out.startswith("fresh: draft (")
    assert "admitted" not in text.out
    assert "✓ admitted" not in page.out
    assert "Judged as a draft" in page.out
    assert text.code == told.code == int(any(state != "met" for state in task["conditions"].values()))


def test_a_missing_column_and_a_bad_value_of_one_table_are_both_told(here: Callable[..., Result], root: Path) -> None:
    facts = root / "tasks" / FIRST / "facts.csv"
    head = facts.read_text(encoding="utf-8").partition("\n")[0]
    assert head.count(",source,") == 1
    edit(facts, ",source,", ",x_source,")
    edit(facts, ",primary,", ",main,")
    done = here("audit", FIRST, "--format", "json", cwd=root)
    told = {finding["rule"] for finding in done.json["tasks"][0]["findings"]}
    assert told >= {"C1-COLUMN-MISSING", "C1-FIELD-UNREADABLE"}


def test_two_audits_at_once_are_both_right(root: Path) -> None:
    command = [sys.executable, "-m", "cellwright", "audit", "--format", "json"]
    children = [
        subprocess.Popen(command, cwd=root, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    answers = [(*child.communicate(timeout=300), child.returncode) for child in children]
    assert {code for _, _, code in answers} == {0}
    assert len({out for out, _, _ in answers}) == 1
    assert {err for _, err, _ in answers} == {b""}


def test_what_did_not_change_is_told_without_the_libraries_of_an_audit(root: Path) -> None:
    look = (
        "import sys\nfrom cellwright.cli import main\nsys.argv = ['cellwright', 'audit', '--format', 'json']\n"
        "try:\n    main()\nexcept SystemExit as stopped:\n    assert not stopped.code\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)\n"
    )
    first, second = (run(cwd=root, program=("-c", look)) for _ in range(2))
    assert first.code == second.code == 0
    assert first.out == second.out
    heavy = {"polars", "pandera", "pint", "lxml", "warcio", "hypothesis", "fsspec", "rich", "jinja2", "yaml"}
    assert {"polars", "pandera", "lxml"} <= set(first.err.split())
    assert {"hypothesis"} & set(first.err.split()) == set()
    assert heavy & set(second.err.split()) == set()


def test_progress_is_shown_on_a_terminal_and_not_in_a_pipe(root: Path) -> None:
    assert "/2" in on_a_terminal("audit", cwd=root).out
    assert run("audit", cwd=root).err == ""


@pytest.mark.parametrize("after", [0.5, 2.0])
def test_a_person_who_stops_it_gets_one_line_and_130(after: float, root: Path) -> None:
    write_repository(root, 30)
    child = subprocess.Popen(
        [sys.executable, "-m", "cellwright", "audit", "--no-cache"],
        cwd=root,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(after)
    while not _has_begun(child.pid):
        time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=120)
    assert child.returncode == 130, err
    assert err.decode().strip().endswith("stopped; what was finished is kept")
    assert b"Traceback" not in err
    assert out == b""


def _has_begun(pid: int) -> bool:
    """Whether the program has got as far as its commands: before, Python itself is being started."""
    maps = Path(f"/proc/{pid}/maps")
    return not maps.exists() or "pydantic_core" in maps.read_text()

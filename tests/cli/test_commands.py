"""Every command does what its help says, from wherever it is called."""

from __future__ import annotations

import csv
import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from cellwright.cli.app import app
from tests.cli.workshop import MIRROR, TASK, Result, Workshop, edit, run, snapshot
from tests.conftest import ROOT
from tests.data_repository import under_dvc

ANSWERS = ROOT / "tests" / "whole_way" / "submissions" / "careless.jsonl"
HEAVY = {
    "polars", "pandera", "pint", "lxml", "pdfplumber", "pypdfium2", "openpyxl", "httpx", "dvc", "trafilatura", "warcio",
    "pyarrow", "pydantic", "rich", "yaml", "jinja2", "hypothesis",
}  # fmt: skip


def commands() -> dict[str, Any]:
    """Every command and group by what is typed, `harness score` for one."""

    def below(path: tuple[str, ...], command: Any) -> Iterator[tuple[str, Any]]:
        if path:
            yield " ".join(path), command
        for name, inner in getattr(command, "commands", {}).items():
            yield from below((*path, name), inner)

    return dict(below((), typer.main.get_command(app)))


COMMANDS = commands()
LEAVES = [name for name, command in COMMANDS.items() if not getattr(command, "commands", None)]
EXAMPLES = {
    name: re.findall(r"^  cellwright (.*)$", command.help or "", re.MULTILINE) for name, command in COMMANDS.items()
}


def test_every_command_s_help_has_an_example() -> None:
    assert [name for name, examples in EXAMPLES.items() if not examples] == []


def test_an_example_begins_with_its_command() -> None:
    lines = [(name, line) for name, examples in EXAMPLES.items() for line in examples]
    assert [line for name, line in lines if not f"{line} ".startswith(f"{name} ")] == []


def test_every_option_says_what_it_is_for() -> None:
    silent = [
        f"{name} {option.name}" for name, command in COMMANDS.items() for option in command.params if not option.help
    ]
    assert silent == []


@pytest.mark.parametrize("name", LEAVES)
def test_every_command_can_be_told_its_repository(name: str) -> None:
    assert "--root" in {option for param in COMMANDS[name].params for option in param.opts}


@pytest.mark.parametrize("name", LEAVES)
def test_every_command_stands_in_the_readme(name: str) -> None:
    assert re.search(rf"`cellwright {name}[ `]", (ROOT / "README.md").read_text(encoding="utf-8"))


def test_the_top_help_names_every_command_and_its_exit_codes(here: Callable[..., Result], tmp_path: Path) -> None:
    done = here("--help", cwd=tmp_path)
    assert done.code == 0
    assert done.err == ""
    assert all(f"\n  {name} " in done.out for name in COMMANDS if " " not in name)
    assert "Exit codes: 0 yes; 1 no" in done.out
    assert "..." not in done.out.partition("Commands:")[2]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_the_same_by_either_option(name: str, here: Callable[..., Result], tmp_path: Path) -> None:
    long, short = (here(*name.split(), option, cwd=tmp_path) for option in ("--help", "-h"))
    assert (long.code, long.err) == (0, "")
    assert long.out == short.out
    assert long.out.startswith(f"Usage: cellwright {name} ")


def test_help_needs_nothing_heavy(tmp_path: Path) -> None:
    """Pydantic is what typer reads options with; the help of the whole program needs not even that."""
    look = (
        "import sys\nfrom cellwright.cli import main\n"
        "for arguments in (['--help'], ['audit', '--help'], ['harness', 'score', '--help'], ['--version']):\n"
        "    sys.argv = ['cellwright', *arguments]\n"
        "    try:\n        main()\n    except SystemExit as stopped:\n        assert not stopped.code\n"
        "    print(*sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)\n"
    )
    done = run(cwd=tmp_path, program=("-c", look))
    assert done.code == 0, done.err
    first, *others = (set(line.split()) for line in done.err.splitlines())
    assert "cellwright" in first
    assert first & HEAVY == set()
    assert [loaded & HEAVY - {"pydantic"} for loaded in others] == [set()] * 3


# -- the examples, run


@pytest.fixture(scope="module")
def prepared(captured: Path, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository in which everything that the examples name is there, but for what they make."""
    shop = Workshop(shutil.copytree(captured, tmp_path_factory.mktemp("examples") / "workshop"))
    shutil.copytree(built, shop.root / "build" / "bundle")
    shutil.copytree(built, shop.root / "bundle-1.0.0")
    shutil.copy(ANSWERS, shop.root / "answers.jsonl")
    under_dvc(shop.root)
    assert run("harness", "score", "--bundle", "build/bundle", "--submission", "answers.jsonl", "--out",
               "results.jsonl", cwd=shop.root).code == 0  # fmt: skip
    assert run("contribute", "pack", TASK, "--out", "mine.zip", cwd=shop.root).code == 0
    return shop.root


def of_a_task_to_be(example: str) -> bool:
    """Whether an example is about a task that the shipped repository does not have."""
    return "my-task" in example or "ev-makers" in example


def of_a_release(example: str) -> bool:
    """Whether an example needs a repository under git that can be released: tests/cutting runs these."""
    return example.startswith(("release cut ", "release diff 1.0.0 ", "release list", "release yank ", "task "))


@pytest.mark.parametrize(
    "example",
    [line for lines in EXAMPLES.values() for line in lines if not of_a_task_to_be(line) and not of_a_release(line)],
)
def test_an_example_of_the_help_works(
    example: str, prepared: Path, here: Callable[..., Result], tmp_path: Path
) -> None:
    # A repository of one's own is begun outside of any other.
    done = here(*shlex.split(example), cwd=tmp_path if example.startswith("init ") else prepared)
    assert done.code == 0, done.err
    assert done.sentences == []


def test_the_examples_of_a_task_to_be_work_in_their_order(
    prepared: Path, here: Callable[..., Result], tmp_path: Path
) -> None:
    shop = Workshop(shutil.copytree(prepared, tmp_path / "workshop"))
    mine = shop.copied_task("my-task")
    edit(mine / "sources.csv", "aapl-10-k-fy2024,", "issuer-10-k,")
    shutil.copy(shop.root / MIRROR / "aapl-10-k-fy2024.html", shop.root / "saved-page.html")
    (shop.root / "saved-page.html").write_bytes((shop.root / "saved-page.html").read_bytes() + b"<!-- saved -->\n")
    examples = [line for lines in EXAMPLES.values() for line in lines if of_a_task_to_be(line)]
    assert [line.split()[0] for line in examples] == ["new", "capture", "capture"]
    for example in examples:
        done = here(*shlex.split(example), cwd=shop.root)
        assert done.code == 0, done.err
    assert (shop.root / "tasks" / "ev-makers-2023" / "task.yaml").is_file()
    with (mine / "sources.csv").open(encoding="utf-8", newline="") as file:
        pin = next(csv.DictReader(file))["capture"]
    with (shop.root / "sources" / "captures.csv").open(encoding="utf-8", newline="") as file:
        uploads = [row for row in csv.DictReader(file) if row["via"] == "upload"]
    assert [(row["task"], row["source"], row["sha256"]) for row in uploads] == [("my-task", "issuer-10-k", pin)]


# -- what a task goes through


def test_a_fresh_task_has_sensible_findings_and_no_fault(workshop: Workshop, here: Callable[..., Result]) -> None:
    made = here("new", "fresh-task", cwd=workshop.root)
    assert made.code == 0
    assert made.out == ""
    names = re.findall(r"tasks/fresh-task/(\S+)", made.err)
    assert sorted(names) == sorted(path.name for path in (workshop.root / "tasks" / "fresh-task").iterdir())
    lacking = here("status", "fresh-task", cwd=workshop.root)
    assert lacking.code == 1
    assert lacking.err == ""
    assert lacking.out.splitlines()[-1] == "0 of 64 cells are ready for the audit"
    assert len(lacking.out.splitlines()) == 2, "what all cells lack is told once"
    draft = here("audit", "fresh-task", "--draft", "--format", "json", cwd=workshop.root)
    task = draft.json["tasks"][0]
    assert draft.code == 0
    assert {finding["severity"] for finding in task["findings"]} == {"warning"}
    whole = here("audit", "fresh-task", "--format", "json", cwd=workshop.root)
    assert whole.code == 1
    assert {finding["rule"] for finding in whole.json["tasks"][0]["findings"]} >= {"C1-CELL-MISSING", "C3-REPLAY"}
    assert here("derive", "fresh-task", cwd=workshop.root).code == 1


def test_derive_completes_an_emptied_table_as_it_was(workshop: Workshop, here: Callable[..., Result]) -> None:
    cells = workshop.task / "cells.csv"
    with cells.open(encoding="utf-8", newline="") as file:
        before = list(csv.DictReader(file))
    cells.write_text(cells.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    done = here("derive", TASK, "--write", "--format", "json", cwd=workshop.root)
    assert done.code == 0
    assert done.err == f"125 fields filled in tasks/{TASK}/cells.csv\n"
    assert len(done.json["cells"]) == 64
    with cells.open(encoding="utf-8", newline="") as file:
        after = list(csv.DictReader(file))
    kept = ("entity", "dimension", "answer_type", "agreement")
    assert [[row[name] for name in kept] for row in after] == [[row[name] for name in kept] for row in before]
    again = here("derive", TASK, "--write", cwd=workshop.root)
    assert again.err == f"0 fields filled in tasks/{TASK}/cells.csv\n"


def test_derive_of_one_cell_gives_that_cell(workshop: Workshop, here: Callable[..., Result]) -> None:
    done = here("derive", TASK, "nvda/diluted_eps", "--format", "json", cwd=workshop.root)
    assert done.code == 0
    assert [(cell["entity"], cell["dimension"], cell["value"]) for cell in done.json["cells"]] == [
        ("nvda", "diluted_eps", "11.93")
    ]


def test_capturing_again_changes_nothing(workshop: Workshop, here: Callable[..., Result]) -> None:
    before = snapshot(workshop.root)
    done = here("capture", TASK, "--mirror", MIRROR, cwd=workshop.root)
    assert (done.code, done.out, done.err) == (0, "", f"{TASK}: 11 kept\n")
    done = here("capture", TASK, "--mirror", MIRROR, "--refresh", cwd=workshop.root)
    assert (done.code, done.err) == (0, f"{TASK}: 11 same\n")
    assert snapshot(workshop.root) == before


# -- where it is called from


def test_it_works_from_a_folder_below_and_by_root_from_anywhere(
    captured: Path, tmp_path: Path, here: Callable[..., Result]
) -> None:
    expected = here("derive", TASK, "meta/fcf_margin", cwd=captured)
    assert expected.code == 0
    assert here("derive", TASK, "meta/fcf_margin", cwd=captured / "tasks" / TASK) == expected
    assert here("derive", TASK, "meta/fcf_margin", "--root", captured, cwd=tmp_path) == expected


def test_a_bundle_that_is_not_named_is_the_one_built_here(
    captured: Path, built: Path, tmp_path: Path, here: Callable[..., Result]
) -> None:
    missing = here("harness", "report", cwd=captured)
    assert (missing.code, missing.sentences[0].partition(";")[0]) == (
        2,
        f"{captured.resolve()}/build/bundle: the bundle is missing",
    )
    mine = tmp_path / "mine"
    for folder in ("tasks", "sources"):
        (mine / folder).mkdir(parents=True)
    shutil.copytree(built, mine / "build" / "bundle")
    named = here("harness", "report", "--bundle", built, cwd=tmp_path)
    assert named.code == 0
    assert here("harness", "report", cwd=mine) == named
    assert here("harness", "report", "--root", mine, cwd=tmp_path) == named
    assert here("page", "--root", mine, "--out", tmp_path / "page.html", cwd=tmp_path).code == 0


def test_the_setting_for_the_root_is_read_and_an_option_goes_before_it(captured: Path, tmp_path: Path) -> None:
    env = {"CELLWRIGHT_ROOT": str(captured)}
    assert run("derive", TASK, "meta/fcf_margin", cwd=tmp_path, env=env).code == 0
    done = run("status", TASK, "--root", tmp_path, cwd=tmp_path, env=env)
    assert done.code == 2
    assert done.sentences[0].startswith(f"tasks/{TASK}: there is no task")


def test_a_missing_optional_part_is_told_with_what_to_install(captured: Path) -> None:
    without = "import sys; sys.modules['warcio'] = None; from cellwright.cli import main; main()"
    done = run("audit", cwd=captured, program=("-c", without))
    assert done.code == 3
    assert done.out == ""
    assert done.sentences == ["this command needs `warcio`; install `cellwright[author]`, which holds it"]


def test_a_fault_of_the_program_itself_is_a_sentence_and_can_be_shown_in_full(captured: Path) -> None:
    broken = (
        "import cellwright.authoring.loading as room\n"
        "def load_task(repository, task): raise KeyError('lost')\n"
        "room.load_task = load_task\n"
        "from cellwright.cli import main\nmain()\n"
    )
    done = run("status", TASK, cwd=captured, program=("-c", broken))
    assert done.code == 3
    assert done.out == ""
    assert len(done.err.splitlines()) == 1
    assert done.sentences[0].startswith('this is a fault of cellwright, not of your files; seen "KeyError in ')
    shown = run("status", TASK, cwd=captured, program=("-c", broken), env={"CELLWRIGHT_TRACEBACK": "1"})
    assert "Traceback" in shown.err


def test_a_person_who_stops_it_sees_no_fault(captured: Path) -> None:
    stopped = (
        "import os, signal\nimport cellwright.authoring.loading as room\n"
        "room.load_task = lambda repository, task: os.kill(os.getpid(), signal.SIGINT)\n"
        "from cellwright.cli import main\nmain()\n"
    )
    done = run("status", TASK, cwd=captured, program=("-c", stopped))
    assert (done.code, done.out, done.err) == (130, "", "stopped; what was finished is kept\n")


def test_results_go_where_they_are_sent(
    captured: Path, built: Path, tmp_path: Path, here: Callable[..., Result]
) -> None:
    """An output file holds what the standard output would have held; a folder above it is made."""
    printed = here("audit", "--format", "json", cwd=captured)
    filed = here("audit", "--format", "json", "--out", tmp_path / "new" / "audit.json", cwd=captured)
    assert (filed.code, filed.out, filed.err) == (0, "", "")
    assert (tmp_path / "new" / "audit.json").read_text(encoding="utf-8") == printed.out
    scored = here("harness", "score", "--bundle", built, "--submission", ANSWERS, "--out", tmp_path / "r.jsonl",
                  "--format", "json", cwd=tmp_path)  # fmt: skip
    assert scored.code == 0
    assert len([json.loads(line) for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]) == 64
    assert scored.json["benchmark"]["cells"] == 64

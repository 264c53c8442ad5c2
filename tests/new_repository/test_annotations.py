"""What the audit finds becomes a review annotation beside its line, in a sub-folder of a git repository too."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.workshop import TASK, Result, edit
from tests.new_repository.conftest import git

Run = Callable[..., Result]
LINE = re.compile(r"::(error|warning|notice) (?:file=([^,]+),(?:line=(\d+),)?)?title=([^:,]+)::(.+)")


def annotations(done: Result) -> list[tuple[str, str, str, str]]:
    """Kind, file, line and title of each line, of which none may have another form."""
    found = [LINE.fullmatch(line) for line in done.out.splitlines()]
    assert all(found), done.out
    return [(match[1], match[2] or "", match[3] or "", match[4]) for match in found if match]


@pytest.fixture(params=["", "data/our bench"])
def placed(request: pytest.FixtureRequest, captured: Path, tmp_path: Path) -> tuple[Path, Path]:
    """The shipped task under git, at the top of the git repository and in a folder of it."""
    top = tmp_path / "git"
    root = shutil.copytree(captured, top / request.param)
    git(top, "init", "-q", "-b", "main")
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "as it was")
    return top, root


def test_an_annotation_s_file_is_found_from_the_top_of_git_with_the_line_that_is_wrong(
    placed: tuple[Path, Path], here: Run
) -> None:
    top, root = placed
    edit(root / "tasks" / TASK / "facts.csv", '"Total net sales 383', '"Total nett sales 383')
    done = here("audit", "--since", "main", "--format", "github", cwd=root)
    assert done.code == 1
    wrong = [found for found in annotations(done) if found[0] == "error"]
    assert wrong
    for _, file, line, _ in wrong:
        assert "Total nett sales" in (top / file).read_text(encoding="utf-8").splitlines()[int(line) - 1]


def test_a_task_that_cannot_be_read_is_an_annotation_too(placed: tuple[Path, Path], here: Run) -> None:
    top, root = placed
    edit(root / "tasks" / TASK / "task.yaml", "status: ", "statuss: ")
    line = next(
        number
        for number, text in enumerate((root / "tasks" / TASK / "task.yaml").read_text("utf-8").splitlines(), 1)
        if text.startswith("statuss: ")
    )
    done = here("audit", "--format", "github", cwd=root)
    assert done.code == 2
    file = (root / "tasks" / TASK / "task.yaml").relative_to(top).as_posix()
    assert annotations(done) == [("error", file, str(line), "unreadable")]


def test_beside_a_task_that_cannot_be_read_the_others_findings_are_told(
    captured: Path, tmp_path: Path, here: Run
) -> None:
    root = shutil.copytree(captured, tmp_path / "bench")
    (root / "tasks" / "other").mkdir()
    (root / "tasks" / "other" / "task.yaml").write_text("schema: 1\n")
    done = here("audit", "--format", "github", cwd=root)
    assert done.code == 2
    told = annotations(done)
    assert ("error", "tasks/other/facts.csv", "", "unreadable") in told
    assert any(title == "C2-CAPTURE-STAND-IN" for _, _, _, title in told)

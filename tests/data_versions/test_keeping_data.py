"""What guidelines/keeping-data.md shows works as it stands there."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cellwright.clients import dvc
from tests.conftest import ROOT
from tests.data_repository import DataRepository, Remote, git

# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")
PAGE = (ROOT / "guidelines" / "keeping-data.md").read_text(encoding="utf-8")
ADDRESS = "https://git.example.org/team/benchmark"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def commands(program: str) -> list[str]:
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    return [line for line in lines if line.startswith(f"{program} ")]


def dvc_command(line: str, cwd: Path) -> None:
    """A command of DVC as people type it."""
    env = {**os.environ, "DVC_NO_ANALYTICS": "1", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-m", *shlex.split(line)]
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{line}: {done.stderr}"


@pytest.fixture
def published(repository: DataRepository, folder_remote: Remote) -> DataRepository:
    """A repository whose releases others can get; the tag v1.0.0 stands on a commit that knows the remote."""
    repository.set_remote(folder_remote.settings)
    git(repository.root, "commit", "-qam", "remote")
    git(repository.root, "tag", "-f", "-a", "v1.0.0", "-m", "Release 1.0.0")
    dvc.push(repository.root, ["sources/captures/t.dvc", "build/bundle"])
    return repository


@pytest.mark.parametrize("block", blocks("python"))
def test_a_piece_of_python_gives_what_it_names(block: str, published: DataRepository) -> None:
    assert ADDRESS in block
    names: dict[str, object] = {}
    exec(block.replace(ADDRESS, str(published.root)), names)
    bundle, cells = names.get("bundle"), names.get("cells")
    assert bundle == {"version": "2.0.0"} or cells.to_dicts() == [{"cell": "a/b", "value": "2.0.0"}]  # type: ignore[attr-defined]


def test_a_bundle_is_got_by_the_command(published: DataRepository, tmp_path: Path) -> None:
    (line,) = (line for line in commands("dvc") if line.startswith("dvc get "))
    dvc_command(line.replace(ADDRESS, str(published.root)), tmp_path)
    assert json.loads((tmp_path / "benchmark-1.0.0" / "bundle.json").read_text()) == {"version": "2.0.0"}


@pytest.mark.slow
def test_a_remote_is_set_by_the_commands(repository: DataRepository, tmp_path: Path) -> None:
    shown = [line for line in commands("dvc") if line.startswith("dvc remote ")]
    folder, *bucket = shown
    dvc_command(folder.replace("/mnt/shared", str(tmp_path)), repository.root)
    assert dvc.default_remote(repository.root) == "store"
    for line in ("dvc push", "dvc pull"):
        assert line in commands("dvc") or f"\n{line}\n" in PAGE
        dvc_command(line, repository.root)
    for line in bucket:
        dvc_command(line.replace("--default store", "--default --force store"), repository.root)
    assert "YOUR_KEY" not in (repository.root / ".dvc" / "config").read_text()
    assert "YOUR_KEY" in (repository.root / ".dvc" / "config.local").read_text()
    assert "config.local" not in git(repository.root, "status", "--porcelain", "--ignored=no")


def test_every_command_of_ours_that_is_shown_is_there() -> None:
    from tests.cli.test_commands import LEAVES

    shown = [line.removeprefix("cellwright ") for line in commands("cellwright")]
    assert shown
    assert [line for line in shown if not any(line == leaf or line.startswith(f"{leaf} ") for leaf in LEAVES)] == []


@pytest.mark.parametrize(
    "sentence",
    [
        row.split("|")[1].strip()
        for row in PAGE.partition("| you are told |")[2].split("\n## ")[0].splitlines()[2:]
        if row
    ],
)
def test_each_sentence_of_the_table_is_one_that_the_program_says(sentence: str) -> None:
    code = " ".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "cellwright" / "clients").glob("*.py")))
    plain = re.sub(r'"\s+f?"', "", code)
    assert [part for part in sentence.split(" · ") if part not in plain] == []

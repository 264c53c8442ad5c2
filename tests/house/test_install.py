"""The package works from an editable install, a wheel, a wheel made from the sdist, and as a person's tool."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import missing

SAY = "import cellwright, cellwright.cli; print(cellwright.__file__)"


def run(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "UV_"))}
    result = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**plain, **(env or {})},
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert result.returncode == 0, f"{command}: {result.stdout}{result.stderr}"
    return result.stdout


@pytest.fixture(scope="module")
def built(root: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A wheel, an sdist, and a wheel made from that sdist."""
    folder = tmp_path_factory.mktemp("built")
    tree = folder / "tree"
    names = run("git", "ls-files", "-co", "--exclude-standard", cwd=root).splitlines()
    for name in names:
        if (root / name).is_symlink() or not (root / name).is_file():
            continue
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / name, tree / name)
    for room in ("authoring", "validators"):
        (tree / room).symlink_to(f"cellwright/{room}")
    run(sys.executable, "-m", "build", "-n", "-w", "-s", "-o", folder / "first", cwd=tree)
    sdist = next((folder / "first").glob("*.tar.gz"))
    shutil.unpack_archive(sdist, folder / "unpacked", filter="data")
    inner = next((folder / "unpacked").iterdir())
    run(sys.executable, "-m", "build", "-n", "-w", "-o", folder / "second", cwd=inner)
    return {
        "wheel": next((folder / "first").glob("*.whl")),
        "wheel of the sdist": next((folder / "second").glob("*.whl")),
        "sdist": sdist,
    }


def test_the_links_at_the_top_lead_into_the_package(root: Path) -> None:
    for room in ("authoring", "validators"):
        assert (root / room).is_symlink()
        assert os.readlink(root / room) == f"cellwright/{room}"


def test_the_editable_install_is_this_tree(root: Path, tmp_path: Path) -> None:
    assert Path(run(sys.executable, "-c", SAY, cwd=tmp_path).strip()) == root / "cellwright" / "__init__.py"


def test_wheel_and_wheel_of_the_sdist_hold_the_same_files(built: dict[str, Path]) -> None:
    names = [
        sorted(name for name in zipfile.ZipFile(built[kind]).namelist()) for kind in ("wheel", "wheel of the sdist")
    ]
    assert names[0] == names[1]
    assert "cellwright/validators/profiles/deepweb-8x8.yaml" in names[0]
    assert any(name.startswith("cellwright/views/templates/") for name in names[0])
    starting = "cellwright/authoring/templates"
    for name in ("repository/pipeline.yaml", "repository/gitignore", "guidelines/README.md", "registry.csv"):
        assert f"{starting}/{name}" in names[0]
    assert not any(name.startswith(("tests/", "authoring/", "validators/")) for name in names[0])


@pytest.mark.parametrize("kind", ["wheel", "wheel of the sdist"])
def test_a_wheel_works_without_the_tree(built: dict[str, Path], tmp_path: Path, kind: str) -> None:
    with zipfile.ZipFile(built[kind]) as wheel:
        wheel.extractall(tmp_path / "site")
    said = run(sys.executable, "-c", SAY, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path / "site")}).strip()
    assert Path(said) == tmp_path / "site" / "cellwright" / "__init__.py"
    rules = run(sys.executable, "-m", "cellwright", "rules", cwd=tmp_path, env={"PYTHONPATH": str(tmp_path / "site")})
    assert "C2-QUOTE-ABSENT" in rules


def test_a_person_without_make_and_git_installs_it_as_a_tool(
    built: dict[str, Path], root: Path, tmp_path: Path
) -> None:
    tool = tmp_path / "tool"
    wheel = f"{built['wheel']}[author]"
    home = {"HOME": str(tmp_path / "home"), "UV_TOOL_DIR": str(tool), "UV_TOOL_BIN_DIR": str(tmp_path / "bin")}
    (tmp_path / "home").mkdir()
    keep = {name: value for name, value in os.environ.items() if name in ("UV_CACHE_DIR", "XDG_CACHE_HOME")}
    if shutil.which("uv") and subprocess.run(["uv", "--version"], capture_output=True, check=False).returncode == 0:
        run("uv", "tool", "install", "-q", "--python", sys.executable, wheel, cwd=tmp_path, env={**home, **keep})
        program = tmp_path / "bin" / "cellwright"
    else:
        if os.name == "nt":
            missing("the plain-pip install is tried on POSIX only")
        run(sys.executable, "-m", "venv", tool, cwd=tmp_path)
        run(tool / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel, cwd=tmp_path)
        program = tool / "bin" / "cellwright"
    work = tmp_path / "work"
    for name in ("tasks", "sources"):
        shutil.copytree(root / name, work / name, ignore=shutil.ignore_patterns("captures"))
    shutil.copy(root / "sources" / "captures.csv", work / "sources" / "captures.csv")
    no_git = {"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path / "home")}
    task = "us-large-caps-fy2023"
    run(program, "capture", task, "--mirror", work / "sources" / "stand-ins" / task, cwd=work, env=no_git)
    run(program, "audit", task, cwd=work, env=no_git)
    run(program, "bundle", "--out", "out", cwd=work, env=no_git)
    assert (work / "out" / "bundle.json").is_file()

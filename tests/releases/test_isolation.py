"""Two kinds of isolation: other Pythons, homes, clocks, languages, masks and folders; one tag, the same bytes."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from cellwright.authoring.releases.verifying_evidence import pull
from cellwright.clients.clone import clone_tag
from tests.conftest import ROOT
from tests.releases.made_release import TAG, Release
from tests.releases.pythons import python_with_libraries
from tests.whole_way.test_pipeline import digests

# DVC's own libraries warn of their own futures.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.slow, pytest.mark.isolation]


@dataclass(frozen=True)
class Isolation:
    """Where and how a bundle is built; nothing of the environment of the tests takes part."""

    python: str
    folder: str
    zone: str
    language: str
    mask: int
    hash_seed: str
    backwards: bool
    """Files are made in the other order, with times of their own."""


def a_language() -> str:
    """A language of this machine that is not plain C where it has one."""
    done = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False)
    others = [name for name in done.stdout.split() if name.lower().endswith(("utf8", "utf-8")) and name[0] != "C"]
    return others[0] if others else "C.UTF-8"


ONE = Isolation("3.11", "a", "Pacific/Chatham", "C", 0o077, "1", False)
OTHER = Isolation("3.13", "b/deeper in/ein Ordner ä", "America/St_Johns", a_language(), 0o000, "4242", True)


def built(release: Release, how: Isolation, tmp_path: Path) -> dict[str, str]:
    """The sha256 of each file of the bundle that the tag gives in an isolation."""
    home, fetched = tmp_path / f"home {how.python}", tmp_path / f"fetched {how.python}"
    for folder in (home, fetched):
        folder.mkdir()
    pulled = pull(clone_tag(str(release.root), TAG, fetched), fetched, release.root)
    assert pulled.wrong == ()
    place = tmp_path / how.folder / "tree"
    _copy(pulled.repository.root, place, backwards=how.backwards)
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(home),
        "TMPDIR": str(home),
        "TZ": how.zone,
        "LC_ALL": how.language,
        "LANG": how.language,
        "PYTHONHASHSEED": how.hash_seed,
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONUTF8": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(
        [python_with_libraries(how.python, tmp_path), "-m", "cellwright", "bundle", "--out", "out"],
        cwd=place,
        env=environment,
        preexec_fn=partial(os.umask, how.mask),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return digests(place / "out")


def _copy(tree: Path, place: Path, *, backwards: bool) -> None:
    """The tree without git's own folder, its files made in the order of their names or the other way."""
    files = [path for path in sorted(tree.rglob("*"), reverse=backwards) if path.is_file()]
    for at, path in enumerate(path for path in files if ".git" not in path.relative_to(tree).parts):
        target = place / path.relative_to(tree)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        os.utime(target, (at * 1000, at * 1000) if backwards else (1, 1))


def test_one_tag_gives_the_same_bytes_in_two_kinds_of_isolation(released: Release, tmp_path: Path) -> None:
    one, other = (built(released, how, tmp_path) for how in (ONE, OTHER))
    assert one == other
    assert one == digests(released.bundle)

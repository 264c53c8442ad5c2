"""A release made by hand: plain git, DVC's library, and the form that every release has.

The shipped task is captured from its mirror, told to be no stand-ins, so that it can be released. Nothing here is
what cuts releases: what verifies them must not lean on it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from cellwright.authoring.bundles.bundle import build_bundle
from cellwright.clients.repository import open_repository
from cellwright.harness.rescoring import rescored
from tests.cli.workshop import TASK, run

VERSION = "1.0.0"
TAG = f"v{VERSION}"
STAGE = """\
stages:
  bundle:
    cmd: cellwright bundle --out build/bundle
    deps: [sources/captures, sources/captures.csv, tasks]
    params: [bundle]
    outs: [build/bundle]
"""


@dataclass(frozen=True)
class Release:
    """A repository with one release, and the folder that is its remote."""

    root: Path
    remote: Path

    @property
    def bundle(self) -> Path:
        """The bundle as it was built."""
        return self.root / "build" / "bundle"

    def git(self, *arguments: str) -> str:
        """What git says in the repository."""
        done = subprocess.run(["git", *arguments], cwd=self.root, check=True, capture_output=True, text=True)
        return done.stdout

    def object(self, path: str) -> Path:
        """The file of the remote that holds a file of the bundle, or of `captures/<name>`."""
        for listing in sorted(self.remote.rglob("*.dir")):
            for entry in json.loads(listing.read_text()):
                if entry["relpath"] == path:
                    return self.remote / "files" / "md5" / entry["md5"][:2] / entry["md5"][2:]
        raise AssertionError(f"{path} is not in the remote")

    def tag(self, message: str | None = None, *, commit: str = "HEAD") -> None:
        """Put the release's tag at a commit; with the trailers of the bundle where no message is given."""
        text = trailers(self.bundle) if message is None else message
        self.git("tag", "-f", "-a", TAG, "-m", text, "--cleanup=verbatim", commit)


def trailers(bundle: Path) -> str:
    """The tag's message, as a release has it."""
    data = (bundle / "bundle.json").read_bytes()
    said = json.loads(data)
    return (
        f"Release {VERSION}\n\nbundle: {hashlib.sha256(data).hexdigest()}\ncells: {said['cells']['digest']}\n"
        f"corpus: {said['corpus']['digest']}\ntool: {said['tool']}\n"
    )


def make_release(source: Path, folder: Path, *, lock: bytes | None = None) -> Release:
    """The repository in `folder`/repository, released as 1.0.0 and pushed to `folder`/remote."""
    root = folder / "repository"
    _write_tree(source, root)
    if lock is not None:
        (root / "requirements.lock").write_bytes(lock)
    done = run("capture", TASK, "--mirror", folder / "mirror", cwd=root)
    assert done.code == 0, done.err
    release = Release(root, folder / "remote")
    for arguments in (("init", "-q", "-b", "main"), ("config", "user.email", "a@example.org"),
                      ("config", "user.name", "a"), ("config", "gc.auto", "0")):  # fmt: skip
        release.git(*arguments)
    _push(release)
    release.git("add", "-A")
    release.git("commit", "-q", "-m", f"Release {VERSION}")
    release.tag()
    return release


def _write_tree(source: Path, root: Path) -> None:
    shutil.copytree(source / "tasks", root / "tasks")
    (root / "sources").mkdir()
    shutil.copy(source / "sources" / "registry.csv", root / "sources")
    mirror = shutil.copytree(source / "sources" / "stand-ins" / TASK, root.parent / "mirror")
    index = mirror / "index.csv"
    index.write_text(index.read_text(encoding="utf-8").replace(",stand-in", ",mirror"), encoding="utf-8")
    params = (source / "params.yaml").read_text(encoding="utf-8")
    assert "version: 0.1.0" in params
    (root / "params.yaml").write_text(params.replace("version: 0.1.0", f"version: {VERSION}"), encoding="utf-8")
    (root / "dvc.yaml").write_text(STAGE, encoding="utf-8")
    (root / ".gitignore").write_text("build/\n.cellwright/\n", encoding="utf-8")


def _push(release: Release) -> None:
    """The captures tracked, the bundle built and locked, submissions scored, and all of it in the remote."""
    from dvc.repo import Repo

    root = release.root
    logging.getLogger("dvc").setLevel(logging.ERROR)
    with Repo.init(str(root)) as made, made.config.edit() as settings:
        settings["core"].update({"remote": "store", "analytics": False})
    with (root / ".dvc" / "config").open("a", encoding="utf-8") as config:
        config.write("['remote \"store\"']\n    url = ../../remote\n")  # So that both can be copied together.
    build_bundle(open_repository(root), None, release.bundle)
    for path, data in rescored(root, release.bundle).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    with contextlib.chdir(root), Repo(str(root)) as repository:  # DVC keeps runs by the folder it was started in.
        repository.add(str(root / "sources" / "captures" / TASK))
        repository.commit("bundle", force=True)
        repository.push()

"""A small real repository under git and DVC: a task's captures, a bundle that is a stage's output, releases by tag."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KEY, SECRET = "AKIDOFATESTONLY00", "s3cr3t-of-a-test-that-is-never-shown"
STAGES = """\
stages:
  bundle:
    cmd: cellwright bundle --out build/bundle
    deps: [tasks]
    outs: [build/bundle]
"""


def write_bundle(folder: Path, version: str) -> None:
    """What the stage stands for: a folder with a JSON file and a table."""
    import pyarrow
    import pyarrow.parquet

    folder.mkdir(parents=True)
    (folder / "bundle.json").write_text(f'{{"version": "{version}"}}\n')
    pyarrow.parquet.write_table(pyarrow.table({"cell": ["a/b"], "value": [version]}), folder / "cells.parquet")


def run(*command: str, cwd: Path) -> str:
    """A program that must succeed; `python` is the one that runs the tests."""
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C"}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def git(root: Path, *arguments: str) -> str:
    """Run git in the repository."""
    return run("git", *arguments, cwd=root)


def begin_git(root: Path) -> None:
    """A repository of git with a person of its own."""
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "user.email", "ana@example.org")
    git(root, "config", "user.name", "Ana")


def under_dvc(root: Path) -> None:
    """Puts a folder under git and DVC, with all that is in it committed but for captures and what was built."""
    from dvc.repo import Repo

    begin_git(root)
    with Repo.init(str(root)):
        (root / ".dvc" / "config").write_text("[core]\n    analytics = false\n    check_update = false\n")
    with (root / ".gitignore").open("a") as ignored:
        ignored.write("build/\n.cellwright/\n__pycache__/\n")
    captures = root / "sources" / "captures"
    if captures.is_dir():  # As `dvc add` writes it: one line a folder.
        names = sorted(path.name for path in captures.iterdir() if path.is_dir())
        (captures / ".gitignore").write_text("".join(f"/{name}\n" for name in names))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "begin")


@dataclass(frozen=True)
class Remote:
    """Where DVC pushes to: its settings, and how its objects are listed and removed."""

    kind: str
    settings: Mapping[str, str]
    folder: Path
    client: Any = None
    bucket: str = ""

    def objects(self) -> set[str]:
        """The md5 of each object there."""
        if self.client is None:
            found = [path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file()]
        else:
            pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.bucket)
            found = [item["Key"] for page in pages for item in page.get("Contents", ())]
        return {"".join(name.split("/")[-2:]) for name in found if "/files/md5/" in f"/{name}"}

    def lose(self, md5: str) -> None:
        """An object is gone, as after somebody's tidying."""
        name = f"files/md5/{md5[:2]}/{md5[2:]}"
        if self.client is None:
            (self.folder / name).chmod(0o644)
            (self.folder / name).unlink()
        else:
            self.client.delete_object(Bucket=self.bucket, Key=f"store/{name}")


def capture_of(version: str) -> str:
    """The sha256 that names the capture which a release adds."""
    return hashlib.sha256(version.encode()).hexdigest()


@dataclass(frozen=True)
class DataRepository:
    """A repository with one task `t`, whose captures and bundle DVC keeps."""

    root: Path

    def set_remote(self, settings: Mapping[str, str]) -> None:
        """The default remote `store`, with nothing said of credentials."""
        lines = [f"    {name} = {value}\n" for name, value in settings.items()]
        head = "[core]\n    remote = store\n    analytics = false\n    check_update = false\n"
        (self.root / ".dvc" / "config").write_text(f"{head}['remote \"store\"']\n{''.join(lines)}")

    def write_capture(self, name: str, text: str) -> None:
        """A capture's file; the name is a sha256, or one digit of it."""
        path = self.root / "sources" / "captures" / "t" / f"{name * (64 // len(name))}.warc.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def track(self) -> None:
        """Takes the captures up into the pointer."""
        from cellwright.authoring.captures.tracking import track_captures

        assert track_captures(self.root, "t") is not None

    def build(self, version: str) -> None:
        """Changes the task, and has DVC take its bundle up."""
        from dvc.repo import Repo

        (self.root / "tasks" / "t" / "task.yaml").write_text(version + "\n")
        shutil.rmtree(self.root / "build", ignore_errors=True)
        write_bundle(self.root / "build" / "bundle", version)
        # DVC looks for a stage by its name in the folder that it was started in.
        with chdir(self.root), Repo(str(self.root)) as repository:
            repository.commit("bundle", force=True)

    def release(self, version: str) -> None:
        """One more capture, a bundle of this version, a commit and its tag."""
        self.write_capture(capture_of(version), f"capture of {version}")
        self.track()
        self.build(version)
        git(self.root, "add", "-A")
        git(self.root, "commit", "-qm", f"Release {version}")
        git(self.root, "tag", "-a", f"v{version}", "-m", f"Release {version}")

    def clone(self, folder: Path) -> DataRepository:
        """A clone elsewhere, with a person of its own and an empty cache."""
        run("git", "clone", "-q", str(self.root), str(folder), cwd=self.root)
        git(folder, "config", "user.email", "ben@example.org")
        git(folder, "config", "user.name", "Ben")
        return DataRepository(folder)

    def cache(self) -> Path:
        """Where DVC keeps the objects."""
        return self.root / ".dvc" / "cache" / "files" / "md5"

    def cached(self) -> set[str]:
        """The md5 of each object in the cache."""
        return {path.parent.name + path.name for path in self.cache().rglob("*") if path.is_file()}

    def empty_cache(self) -> None:
        """As in a fresh clone: no objects, and nothing in the work tree that DVC keeps."""
        for folder in (self.root / ".dvc" / "cache", self.root / "sources" / "captures" / "t", self.root / "build"):
            shutil.rmtree(folder, ignore_errors=True)


def make_repository(root: Path) -> DataRepository:
    """A repository without a release."""
    (root / "tasks" / "t").mkdir(parents=True)
    (root / "tasks" / "t" / "sources.csv").write_text("id,url,title,publisher,published,accessed\n")
    (root / "sources").mkdir()
    (root / "dvc.yaml").write_text(STAGES)
    under_dvc(root)
    return DataRepository(root)


@dataclass(frozen=True)
class S3:
    """A server that speaks S3 over real HTTP on this machine. Moto's own, not Amazon's."""

    url: str
    client: Any

    def remote(self, bucket: str) -> Remote:
        """A remote in a bucket of its own, which is made."""
        self.client.create_bucket(Bucket=bucket)
        settings = {"url": f"s3://{bucket}/store", "endpointurl": self.url}
        return Remote("s3", settings, Path(), self.client, bucket)

    @contextmanager
    def asking_for_credentials(self) -> Iterator[None]:
        """From here on the server refuses every key, as none was ever given out."""
        self._count("0")
        try:
            yield
        finally:
            self._count("inf")

    def _count(self, requests: str) -> None:
        """After how many requests the server asks for credentials."""
        import urllib.request

        head = {"Content-Type": "text/plain"}
        ask = urllib.request.Request(f"{self.url}/moto-api/reset-auth", requests.encode(), head, method="POST")
        urllib.request.urlopen(ask, timeout=30).close()


def set_credentials(set_variable: Any, empty: Path) -> None:
    """Credentials in the environment, for this machine's server only, and no settings of whoever runs the tests
    (`empty` is a file to be made); one attempt, as nothing here is far away."""
    empty.touch()
    for name, value in (
        ("AWS_ACCESS_KEY_ID", KEY),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
        ("AWS_DEFAULT_REGION", "us-east-1"),
        ("AWS_MAX_ATTEMPTS", "1"),
        ("AWS_EC2_METADATA_DISABLED", "true"),
        ("AWS_CONFIG_FILE", str(empty)),
        ("AWS_SHARED_CREDENTIALS_FILE", str(empty)),
    ):
        set_variable(name, value)

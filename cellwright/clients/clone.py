"""A fresh clone of one tag: nothing of the user's settings takes part, and nothing that the repository holds is run."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from cellwright.records.errors import Place, UnreadableInput, WorldFailed, clip
from cellwright.records.releases.versions import Version

WAIT = 1800
"""Seconds that a clone may take."""
_PASSED_ON = (
    "PATH",
    "SYSTEMROOT",
    "SSH_AUTH_SOCK",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
)
"""What reaches git of this environment: where programs and servers are, and no one's settings."""


@dataclass(frozen=True, slots=True)
class Clone:
    """The tag's tree in `root`, its commit; of an annotated tag its own name and message, of a plain one neither."""

    root: Path
    commit: str
    name: str = ""
    message: str = ""


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """An empty folder that is gone afterwards, whatever happens, a stop by the person included."""
    with TemporaryDirectory(prefix="cellwright-", ignore_cleanup_errors=True) as name:
        yield Path(name).resolve()


def clone_tag(address: str, tag: str, folder: Path) -> Clone:
    """The tree of `tag` of a repository (a folder or an address) in the new folder `folder`/tree.

    Raises UnreadableInput for what is no release's tag or no address, or where the repository has no such tag;
    WorldFailed where git is not installed, or does not reach the repository.
    """
    tag = Version.parse(tag).tag
    where = _place_of(address)
    git = _Git(folder)
    git.run("init", "-q", "--template=", str(git.tree), at=folder)
    reference = f"refs/tags/{tag}"
    fetched = git.tried("fetch", "-q", "--no-tags", "--depth=1", "--", where, f"+{reference}:{reference}")
    if fetched.returncode:
        said = _said(fetched)
        if "couldn't find remote ref" in said:
            raise UnreadableInput(
                f"the repository has no tag {tag}", Place(address), fix="`cellwright release list` tells its releases"
            )
        raise WorldFailed("git could not fetch the tag", Place(address), seen=said)
    git.run("checkout", "-q", "--detach", reference)
    commit = git.run("rev-parse", "--verify", f"{reference}^{{commit}}").strip()
    kind = git.run("cat-file", "-t", reference).strip()
    text = git.run("cat-file", "tag", reference) if kind == "tag" else ""
    head, _, message = text.partition("\n\n")
    names = [line.removeprefix("tag ") for line in head.splitlines() if line.startswith("tag ")]
    return Clone(git.tree, commit, names[0] if names else "", message)


def _place_of(address: str) -> str:
    """What git is told: a folder's whole path, or an address as it is."""
    if not address or not address.isprintable() or address.startswith("-"):
        raise UnreadableInput("this is no repository", seen=address or "nothing", expected="a folder or an address")
    path = Path(address)
    if path.exists():
        return str(path.resolve())
    if "::" in address or not ("://" in address or ":" in address):
        raise UnreadableInput("the repository is missing", Place(address), expected="a folder or an address")
    return address


class _Git:
    """Git in an environment of its own, working on `tree`."""

    def __init__(self, folder: Path) -> None:
        self.tree = folder / "tree"
        home = folder / "home"
        home.mkdir()
        passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        self.environment = passed | {
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home),
            "LC_ALL": "C",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_LFS_SKIP_SMUDGE": "1",
            "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
            "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
        }

    def tried(self, *arguments: str, at: Path | None = None) -> subprocess.CompletedProcess[bytes]:
        # What a repository could have git run is turned off: hooks, watchers, filters of large files, submodules.
        off = [
            f"core.hooksPath={os.devnull}",
            "core.fsmonitor=false",
            "core.autocrlf=false",
            "filter.lfs.smudge=",
            "filter.lfs.process=",
            "filter.lfs.required=false",
            "submodule.recurse=false",
            "gc.auto=0",
            "maintenance.auto=false",
        ]
        command = ["git", "--no-pager", "--no-replace-objects", *(part for one in off for part in ("-c", one))]
        try:
            return subprocess.run(
                [*command, "-C", str(at or self.tree), *arguments],
                capture_output=True,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                timeout=WAIT,
                check=False,
            )
        except FileNotFoundError:
            raise WorldFailed("git is not installed, so that no tag can be fetched", fix="install git") from None
        except subprocess.TimeoutExpired:
            raise WorldFailed("git could not fetch the tag", seen=f"no answer in {WAIT} seconds") from None

    def run(self, *arguments: str, at: Path | None = None) -> str:
        done = self.tried(*arguments, at=at)
        if done.returncode:
            raise WorldFailed("git could not read the tag", seen=_said(done))
        return done.stdout.decode("utf-8", "replace")


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return clip(lines[0].removeprefix("fatal: "), 200) if lines else f"exit code {done.returncode}"

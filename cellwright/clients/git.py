"""A repository as it was at a revision, read from git's own objects: the work tree is neither used nor touched."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from cellwright.clients.disk import MAX_READ
from cellwright.clients.repository import MAX_FILES, MAX_FOLDER, TASK_ID_WORDS, Repository, is_task_id
from cellwright.records.errors import Place, UnreadableInput, WorldFailed, clip

MAX_LISTED = 64_000_000
"""Bytes of git's list of the files below `tasks`."""
WAIT = 120
"""Seconds that git may take to answer a question."""
_UNSET = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE")
_QUIET = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}


@dataclass(frozen=True, slots=True)
class Blob:
    """A file in git's objects."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class PastRepository(Repository):
    """A repository whose tasks and settings are those of `commit`; its captures are the ones that lie there now.

    Captures are only ever added and named by what they hold, so that an old pin finds its old capture. To be
    used in a `with` block, which ends the git that it asks.
    """

    commit: str = ""
    files: dict[str, Blob] = field(default_factory=dict, compare=False, repr=False)
    """By path from the repository's root."""
    _reader: list[subprocess.Popen[bytes]] = field(default_factory=list, compare=False, repr=False)

    def __enter__(self) -> PastRepository:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for reader in self._reader:
            reader.kill()
            reader.communicate()
        self._reader.clear()

    def tasks_found(self) -> tuple[tuple[str, ...], tuple[()]]:
        """The ids of the tasks that were there."""
        names = {path.split("/")[1] for path in self.files if path.startswith("tasks/") and path.count("/") > 1}
        return tuple(sorted(name for name in names if is_task_id(name))), ()

    def task_folder(self, task: str) -> dict[str, bytes]:
        """All files of `tasks/<task>/` as they were."""
        if not is_task_id(task):
            raise UnreadableInput("this is no task id", seen=task or "nothing", expected=TASK_ID_WORDS)
        top = f"tasks/{task}/"
        names = sorted(path for path in self.files if path.startswith(top) and "/" not in path[len(top) :])
        names = [path for path in names if not path[len(top) :].startswith((".", "~$"))]
        if not names:
            raise UnreadableInput(f"there was no task `{task}`", Place(f"tasks/{task}"), seen=self.commit)
        if len(names) > MAX_FILES or sum(self.files[path].size for path in names) > MAX_FOLDER:
            raise UnreadableInput("the task's folder held too much", Place(f"tasks/{task}"), seen=self.commit)
        return {path[len(top) :]: self._blob(path) for path in names}

    def file(self, *parts: str) -> bytes | None:
        """The bytes of a file as it was, or None where it was absent."""
        path = "/".join(parts)
        return self._blob(path) if path in self.files else None

    def names(self, folder: str) -> tuple[str, ...]:
        """The names of the files that were in a folder."""
        top = f"{folder}/"
        return tuple(sorted(path[len(top) :] for path in self.files if path.startswith(top)))

    def _blob(self, path: str) -> bytes:
        blob = self.files[path]
        if blob.size > MAX_READ:
            raise UnreadableInput("the file was too large", Place(path), seen=f"{blob.size} bytes")
        if not self._reader:
            self._reader.append(_started(self.root, "cat-file", "--batch"))
        reader = self._reader[0]
        assert reader.stdin is not None
        assert reader.stdout is not None
        try:
            reader.stdin.write(blob.name.encode() + b"\n")
            reader.stdin.flush()
            head = reader.stdout.readline()
            data = reader.stdout.read(blob.size + 1)
        except OSError as error:
            raise git_failed(error.strerror or str(error)) from None
        if head.split() != [blob.name.encode(), b"blob", str(blob.size).encode()] or len(data) != blob.size + 1:
            raise UnreadableInput(
                "git does not have the file any more", Place(path), seen=clip(head.decode("utf-8", "replace"))
            )
        return data[:-1]


def open_revision(repository: Repository, revision: str) -> PastRepository:
    """The repository as it was at a revision: a commit, a branch, a tag, `HEAD~1`.

    Raises UnreadableInput where there is no such revision or the repository is not under git, WorldFailed where
    git is not installed or fails.
    """
    prefix = git_prefix(repository.root)
    asked = f"{revision}^{{commit}}"
    if not revision or not revision.isprintable():
        raise _unknown(revision)
    found = git_run(repository.root, "rev-parse", "--verify", "--quiet", "--end-of-options", asked)
    commit = found.stdout.decode("ascii", "replace").strip()
    if found.returncode or not commit:
        raise _unknown(revision)
    wanted = [f"{prefix}{name}" for name in ("tasks", "sources/registry.csv", "sources/captures.csv", "profiles")]
    listed = git_run(
        repository.root, "ls-tree", "-r", "-l", "-z", "--full-tree", commit, "--", *wanted, f"{prefix}params.yaml"
    )
    if listed.returncode or len(listed.stdout) > MAX_LISTED:
        raise git_failed(git_said(listed))
    return PastRepository(repository.root, commit, dict(_listed(listed.stdout, prefix)))


def _listed(data: bytes, prefix: str) -> list[tuple[str, Blob]]:
    """Path from the repository's root and object of each plain file; links and submodules are left out."""
    found = []
    for line in data.split(b"\0"):
        head, _, path = line.partition(b"\t")
        parts = head.split()
        name = path.decode("utf-8", "surrogateescape")
        if len(parts) == 4 and parts[0] in (b"100644", b"100755") and parts[3].isdigit():
            found.append((name.removeprefix(prefix), Blob(parts[2].decode("ascii"), int(parts[3]))))
    return found


def git_prefix(root: Path) -> str:
    """Where the repository lies in its work tree: empty, or a path with a slash at its end."""
    found = git_run(root, "rev-parse", "--show-prefix")
    if found.returncode:
        said = git_said(found)
        raise UnreadableInput(
            "the repository is not under git, so that no earlier revision of it is known"
            if "not a git repository" in said
            else "git does not open the repository",
            Place(str(root)),
            seen="" if "not a git repository" in said else said,
            fix="leave `--since` out, or `git init` and commit",
        )
    return found.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")


def _unknown(revision: str) -> UnreadableInput:
    return UnreadableInput(
        "git knows no such revision",
        seen=revision or "nothing",
        expected="a commit, branch or tag, such as `main` or `HEAD~1`",
        fix="in a shallow clone, `git fetch --unshallow` brings older ones",
    )


def ask_git(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """What git answers, whatever its exit code. The repository's hooks and monitors are off, and nobody is asked for a
    password. Raises WorldFailed where git is not installed or does not answer in time."""
    return git_run(root, *arguments)


def git_run(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """What git does with these arguments in the repository, with its settings that run programs turned off."""
    try:
        return subprocess.run(
            git_command(root, arguments), capture_output=True, env=git_environment(), timeout=WAIT, check=False
        )
    except FileNotFoundError:
        raise _not_installed() from None
    except subprocess.TimeoutExpired:
        raise git_failed(f"no answer in {WAIT} seconds") from None
    except OSError as error:
        raise git_failed(error.strerror or str(error)) from None


def _started(root: Path, *arguments: str) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            git_command(root, arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=git_environment(),
        )
    except FileNotFoundError:
        raise _not_installed() from None
    except OSError as error:
        raise git_failed(error.strerror or str(error)) from None


def git_command(root: Path, arguments: Sequence[str]) -> list[str]:
    """The command that asks git about the repository at `root`, its hooks and watchers off."""
    # What a cloned repository's own settings could have git run is turned off.
    off = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
    return ["git", "--no-pager", "--no-replace-objects", *off, "-C", str(root), *arguments]


def git_environment() -> dict[str, str]:
    """This environment without what a hook sets for the repository that it runs in."""
    return {name: value for name, value in os.environ.items() if name not in _UNSET} | _QUIET


def git_said(done: subprocess.CompletedProcess[bytes]) -> str:
    """What git complained of, in its first line."""
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return clip(lines[0].removeprefix("fatal: "), 200) if lines else f"exit code {done.returncode}"


def _not_installed() -> WorldFailed:
    return WorldFailed(
        "git is not installed, so that no earlier revision can be read", fix="install git, or leave `--since` out"
    )


def git_failed(seen: str) -> WorldFailed:
    """The error that tells that git did not read the revision."""
    return WorldFailed("git could not read the revision", seen=seen, fix="`git fsck` may tell more")

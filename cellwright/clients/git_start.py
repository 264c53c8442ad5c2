"""A git repository begun, and where a folder lies in one: the few questions and steps that `init` needs.

Settings that a person has for git hold, but hooks of theirs are not run: a first commit is nothing to check.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from cellwright.records.errors import Place, WorldFailed, clip

WAIT = 120
"""Seconds that git may take."""
_UNSET = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE")


def work_tree_prefix(root: Path) -> str | None:
    """Where a folder lies in its work tree: "" at the top, else a path with a slash at its end.

    None where it is under no git, or git is not installed.
    """
    try:
        found = _git(root, "rev-parse", "--is-inside-work-tree", "--show-prefix")
    except WorldFailed:
        return None
    inside, _, prefix = found.stdout.decode("utf-8", "surrogateescape").partition("\n")
    return prefix.removesuffix("\n") if found.returncode == 0 and inside == "true" else None


def is_ignored(root: Path, folder: Path) -> bool:
    """Whether the work tree that `root` lies in ignores a folder below it, which need not be there yet."""
    return _git(root, "check-ignore", "--quiet", f"{folder}/").returncode == 0


def begin_git(root: Path) -> None:
    """Makes a git repository with the branch `main` in the folder. Raises WorldFailed where git does not."""
    done = _git(root, "init", "--quiet", "--initial-branch=main")
    if done.returncode:
        raise _failed(root, done)


def first_commit(root: Path, message: str) -> bool:
    """Stages every file and commits; False, with everything staged, where git does not know who commits."""
    staged = _git(root, "add", "--all")
    if staged.returncode:
        raise _failed(root, staged)
    # Without `useConfigOnly` git makes an address up from the machine's name.
    for who in ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"):
        if _git(root, "-c", "user.useConfigOnly=true", "var", who).returncode:
            return False
    # Signing may ask for a passphrase, and nobody could be asked.
    done = _git(root, "-c", "commit.gpgSign=false", "commit", "--quiet", "--no-verify", "--message", message)
    if done.returncode:
        raise _failed(root, done)
    return True


def changed_files(root: Path, names: list[str]) -> list[str] | None:
    """Which of these files, by path from `root`, differ from the last commit or are not in it.

    None where the folder is under no git.
    """
    if work_tree_prefix(root) is None:
        return None
    done = _git(root, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignored", "--", *names)
    if done.returncode:
        raise _failed(root, done)
    prefix = work_tree_prefix(root) or ""
    told = [line[3:].decode("utf-8", "surrogateescape") for line in done.stdout.split(b"\0") if line]
    return sorted(name.removeprefix(prefix) for name in told)


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    environment = {name: value for name, value in os.environ.items() if name not in _UNSET}
    off = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
    try:
        return subprocess.run(
            ["git", "--no-pager", *off, "-C", str(root), *arguments],
            capture_output=True,
            env={**environment, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"},
            timeout=WAIT,
            check=False,
        )
    except FileNotFoundError:
        raise WorldFailed("git is not installed", fix="install git, or say `--no-git`") from None
    except subprocess.TimeoutExpired:
        raise WorldFailed("git did not answer", Place(str(root)), seen=f"{WAIT} seconds") from None
    except OSError as error:
        raise WorldFailed("git could not be run", seen=error.strerror or str(error)) from None


def _failed(root: Path, done: subprocess.CompletedProcess[bytes]) -> WorldFailed:
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    said = clip(lines[0].removeprefix("fatal: "), 200) if lines else f"exit code {done.returncode}"
    return WorldFailed("git did not do its part", Place(str(root)), seen=said)

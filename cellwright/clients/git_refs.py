"""What git points at, here and in its remotes: which revisions must be kept, and whether all of them are known here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from cellwright.clients.dvc_told import without_secrets
from cellwright.clients.git import ask_git
from cellwright.records.errors import NotSettled, Place, WorldFailed, clip

MAX_REFS = 32_000_000
"""Bytes of a list of refs."""
_IN_WORK = ("HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD", "ORIG_HEAD")
"""Names for what is under way: a merge or a rebase that is not finished."""
_RELEASE = re.compile(r"refs/tags/v[0-9]+\.[0-9]+\.[0-9]+(?:-rc[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Refs:
    """The commits that something points at, by name: branches, those of remotes, tags, work trees, and what is under
    way. `releases` are the tags of releases and candidates, without `refs/tags/`."""

    commits: dict[str, str]
    releases: tuple[str, ...]

    def revisions(self) -> tuple[str, ...]:
        """Each commit once, sorted."""
        return tuple(sorted(set(self.commits.values())))


def read_refs(root: Path) -> Refs:
    """What points at a commit here. Raises NotSettled where the repository is not under git or is a shallow clone."""
    _require_whole(root)
    form = "%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)"
    listed = _asked(root, "list its branches and tags", "for-each-ref", f"--format={form}")
    commits: dict[str, str] = {}
    for line in listed.splitlines():
        name, kind, direct, peeled, commit = line.split("\0")
        if kind == "commit" or peeled == "commit":
            commits[name] = commit if peeled == "commit" else direct
    for name in _IN_WORK:
        found = ask_git(root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        if found.returncode == 0:
            commits[name] = found.stdout.decode("ascii", "replace").strip()
    trees = _asked(root, "list its work trees", "worktree", "list", "--porcelain")
    for number, line in enumerate(text for text in trees.splitlines() if text.startswith("HEAD ")):
        commit = line.removeprefix("HEAD ")
        if commit.strip("0"):
            commits[f"work tree {number + 1}"] = commit
    releases = sorted(name.removeprefix("refs/tags/") for name in commits if _RELEASE.fullmatch(name))
    return Refs(commits, tuple(releases))


def require_known(root: Path, *, branches: bool) -> tuple[str, ...]:
    """Raises NotSettled where a remote of git has a tag (with `branches`, also a branch) whose object is not here.

    Gives the names of the remotes that were asked; none where there is no remote. Raises WorldFailed where one does not
    answer.
    """
    remotes = tuple(_asked(root, "list its remotes", "remote").split())
    for remote in remotes:
        kinds = ("--tags", "--heads") if branches else ("--tags",)
        listed = _asked(root, f"ask the remote `{remote}` for its tags", "ls-remote", "--refs", *kinds, "--", remote)
        theirs = [line.partition("\t") for line in listed.splitlines()]
        lacking = sorted(name for commit, _, name in theirs if name and not _is_right(root, name, commit))
        if lacking:
            shown = [re.sub(r"^refs/(tags|heads)/", "", name) for name in lacking]
            raise NotSettled(
                f"the remote `{remote}` has {'tags or branches' if branches else 'tags'} that are not here, so that it"
                " is not known which data they need",
                Place(".git"),
                seen=", ".join(shown[:5]) + (f" and {len(shown) - 5} more" if len(shown) > 5 else ""),
                fix=f"`git fetch --tags {remote}` brings them; with `--force` also one that was moved",
            )
    return remotes


def _is_right(root: Path, name: str, commit: str) -> bool:
    """Whether a tag stands here as it does there; of a branch, whether its newest commit is here."""
    if name.startswith("refs/tags/"):
        here = ask_git(root, "rev-parse", "--verify", "--quiet", name)
        return here.stdout.decode("ascii", "replace").strip() == commit
    return ask_git(root, "cat-file", "-e", f"{commit}^{{commit}}").returncode == 0


def _require_whole(root: Path) -> None:
    told = ask_git(root, "rev-parse", "--is-shallow-repository")
    if told.returncode:
        raise NotSettled(
            "the repository is not under git, so that it is not known what a release needs",
            Place(str(root)),
            fix="run it in a clone of the repository",
        )
    if told.stdout.strip() == b"true":
        raise NotSettled(
            "this is a shallow clone, which lacks tags and what they need",
            Place(".git"),
            fix="`git fetch --unshallow --tags` makes it whole",
        )


def _asked(root: Path, what: str, *arguments: str) -> str:
    done = ask_git(root, *arguments)
    if done.returncode or len(done.stdout) > MAX_REFS:
        raise WorldFailed(
            f"git could not {what}",
            Place(str(root)),
            seen=clip(without_secrets(done.stderr.decode("utf-8", "replace").strip()), 200),
            fix="look whether it can be reached, then run this again",
        )
    return done.stdout.decode("utf-8", "replace")

"""Releases as git has them: what a release's tag says, and the commits that touched a task between two of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from cellwright.clients.git import MAX_LISTED, git_failed, git_prefix, git_run, git_said
from cellwright.records.errors import UnreadableInput, clip
from cellwright.records.releases.changes import Commit
from cellwright.records.releases.tag_trailers import Stated, stated_by
from cellwright.records.releases.versions import VERSION_PATTERN, Version

MAX_COMMITS = 50
"""Commits told of one task, the newest first."""
_RELEASE = re.compile(rf"Release {VERSION_PATTERN}")


def stated_by_tag(root: Path, version: Version) -> Stated:
    """What the tag of a release states.

    Raises UnreadableInput where the repository has no such tag, or it is not that of a release.
    """
    found = git_run(root, "for-each-ref", "--format=%(contents)", f"refs/tags/{version.tag}")
    if found.returncode or len(found.stdout) > MAX_LISTED:
        raise git_failed(git_said(found))
    text = found.stdout.decode("utf-8", "replace").rstrip()
    if not text:
        raise UnreadableInput(
            "the repository has no such release",
            seen=version.tag,
            expected="the tag of a release, or the folder of a bundle",
            fix="`git tag` lists the releases; `git fetch --tags` brings those of the remote",
        )
    return stated_by(text, version.tag)


def commits_between(root: Path, old: Version, new: Version) -> Mapping[str, tuple[Commit, ...]]:
    """The commits that only one of two releases has, by the task whose files they touched, newest first.

    Commits that cut a release are left out: they write down what is released, and change nothing of a task.
    """
    found = git_run(
        root,
        "log",
        "--no-merges",
        "--no-renames",
        "--format=%x01%H%x00%s",
        "--name-only",
        f"refs/tags/{old.tag}...refs/tags/{new.tag}",
        "--",
        f":(top){git_prefix(root)}tasks/",
    )
    if found.returncode or len(found.stdout) > MAX_LISTED:
        raise git_failed(git_said(found))
    commits: dict[str, list[Commit]] = defaultdict(list)
    for entry in found.stdout.decode("utf-8", "replace").split("\x01")[1:]:
        head, *paths = entry.splitlines()
        sha, _, subject = head.partition("\0")
        if _RELEASE.fullmatch(subject):
            continue
        for task in sorted({name for path in paths if (name := _task_of(path))}):
            if len(commits[task]) < MAX_COMMITS:
                commits[task].append(Commit(sha, clip(subject, 200)))
    return {task: tuple(told) for task, told in sorted(commits.items())}


def _task_of(path: str) -> str:
    """The task whose folder a path lies in: `tasks/<task>/…`, in whatever folder the repository lies."""
    match = re.search(r"(?:^|/)tasks/([^/]+)/[^/]+$", path)
    return match[1] if match else ""

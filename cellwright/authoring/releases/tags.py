"""The releases of a repository: its whole ones, as their tags tell them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from cellwright.authoring.releases.files import load_advisories
from cellwright.clients.git_writing import WorkTree
from cellwright.clients.repository import Repository
from cellwright.records.errors import UnreadableInput
from cellwright.records.releases.tags import ReleaseMark, read_mark
from cellwright.records.releases.versions import Version


@dataclass(frozen=True)
class ReleaseTag:
    """A whole release: its version, the commit, the day in UTC on which it was cut, and what its tag tells."""

    version: Version
    commit: str
    day: str
    mark: ReleaseMark


@dataclass(frozen=True)
class ListedRelease:
    """A release and, where it was yanked, why."""

    tag: ReleaseTag
    yanked: str = ""


def release_tags(tree: WorkTree, *, merged: bool = False) -> list[ReleaseTag]:
    """The releases, newest version first; with `merged` those that the present commit comes after.

    A tag that is not what `release cut` makes in its last step is no release.
    """
    found = []
    for tag in tree.tags(merged=merged):
        mark = read_mark(tag.message)
        try:
            version = Version.parse(tag.name)
        except UnreadableInput:
            continue
        if mark is not None and version.tag == tag.name:
            found.append(ReleaseTag(version, tag.commit, _day(tag.seconds), mark))
    return sorted(found, key=lambda item: item.version, reverse=True)


def last_final(tags: list[ReleaseTag]) -> ReleaseTag | None:
    """The highest release that is no candidate: what readers have."""
    return next((tag for tag in tags if tag.version.candidate is None), None)


def listed_releases(repository: Repository, tree: WorkTree) -> list[ListedRelease]:
    """Every release, newest first, with the reason where it was yanked."""
    why = {Version.parse(row.version): row.because for row in load_advisories(repository) if row.kind == "yanked"}
    return [ListedRelease(tag, why.get(tag.version, "")) for tag in release_tags(tree)]


def listed_json(releases: list[ListedRelease]) -> list[dict[str, object]]:
    """The list for programs."""
    return [
        {
            "version": str(item.tag.version),
            "day": item.tag.day,
            "commit": item.tag.commit,
            "bundle": item.tag.mark.bundle,
            "cells": item.tag.mark.cells,
            "corpus": item.tag.mark.corpus,
            "tool": item.tag.mark.tool,
            "tasks": item.tag.mark.tasks,
            "demonstration": item.tag.mark.demonstration,
            "yanked": item.yanked or None,
        }
        for item in releases
    ]


def _day(seconds: int) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (OverflowError, ValueError, OSError):
        return ""

"""What the tag of a release says: a subject, then lines `key: value` by which anybody can tell what it holds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cellwright.records.releases.versions import Version

_LINE = re.compile(r"([a-z]{2,20}): (.{1,200})")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_COUNT = re.compile(r"[1-9]\d{0,5}")
MAX_MESSAGE = 100_000
"""Characters of a tag's message that are looked at."""


@dataclass(frozen=True, slots=True)
class ReleaseMark:
    """What a release's tag tells of its bundle."""

    bundle: str
    """sha256 of bundle.json."""
    cells: str
    """The digest of the cells."""
    corpus: str
    """The digest of the pinned captures."""
    tool: str
    """The program that cut it, with its version."""
    tasks: int
    """How many tasks it has."""
    demonstration: bool = False
    """Built on stand-in captures."""


def release_title(version: Version) -> str:
    """The first line of a release's commit and tag."""
    return f"Release {version}"


def tag_message(version: Version, mark: ReleaseMark) -> str:
    """The tag's message; its last lines are bundle, cells, corpus and tool."""
    lines = [
        *(["demonstration: yes"] if mark.demonstration else []),
        f"tasks: {mark.tasks}",
        f"bundle: {mark.bundle}",
        f"cells: {mark.cells}",
        f"corpus: {mark.corpus}",
        f"tool: {mark.tool}",
    ]
    return f"{release_title(version)}\n\n" + "\n".join(lines) + "\n"


def read_mark(message: str) -> ReleaseMark | None:
    """What a tag's message tells; None where it is not that of a whole release."""
    if len(message) > MAX_MESSAGE:
        return None
    lines = message.rstrip("\n").rpartition("\n\n")[2].splitlines()
    told = {found[1]: found[2] for line in lines if (found := _LINE.fullmatch(line))}
    bundle, cells, corpus = (told.get(key, "") for key in ("bundle", "cells", "corpus"))
    if not all(map(_SHA256.fullmatch, (bundle, cells, corpus))) or not told.get("tool", "").startswith("cellwright "):
        return None
    count = told.get("tasks", "")
    return ReleaseMark(
        bundle,
        cells,
        corpus,
        tool=told["tool"],
        tasks=int(count) if _COUNT.fullmatch(count) else 0,
        demonstration=told.get("demonstration") == "yes",
    )

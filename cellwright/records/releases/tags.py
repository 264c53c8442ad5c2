"""What the tag of a release says: a subject, then lines `key: value` by which anybody can tell what it holds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cellwright.records.errors import UnreadableInput
from cellwright.records.releases.tag_trailers import Stated, stated_by
from cellwright.records.releases.versions import Version

_LINE = re.compile(r"(tasks|demonstration): (.{1,200})")
_COUNT = re.compile(r"[1-9]\d{0,5}")


@dataclass(frozen=True, slots=True)
class ReleaseMark(Stated):
    """What a release's tag tells of its bundle: what it states, and more for whoever lists releases."""

    tasks: int
    """How many tasks it has."""
    demonstration: bool = False
    """Built on stand-in captures."""


def release_title(version: Version) -> str:
    """The first line of a release's commit and tag."""
    return f"Release {version}"


def tag_message(version: Version, mark: ReleaseMark) -> str:
    """The tag's message; its last lines are bundle, cells, corpus and tool."""
    more = [*(["demonstration: yes"] if mark.demonstration else []), f"tasks: {mark.tasks}"]
    return f"{release_title(version)}\n\n" + "".join(f"{line}\n" for line in more) + mark.lines()


def read_mark(message: str) -> ReleaseMark | None:
    """What a tag's message tells; None where it is not that of a whole release."""
    try:
        stated = stated_by(message, "")
    except UnreadableInput:
        return None
    lines = message.rstrip().rpartition("\n\n")[2].splitlines()
    told = {found[1]: found[2] for line in lines if (found := _LINE.fullmatch(line))}
    count = told.get("tasks", "")
    return ReleaseMark(
        stated.bundle,
        stated.cells,
        stated.corpus,
        stated.tool,
        tasks=int(count) if _COUNT.fullmatch(count) else 0,
        demonstration=told.get("demonstration") == "yes",
    )

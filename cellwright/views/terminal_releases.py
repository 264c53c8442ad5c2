"""The releases of a repository, a line each, for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from cellwright.views.terminal_lines import told


@dataclass(frozen=True, slots=True)
class ReleaseLine:
    """One release as the list shows it."""

    version: str
    day: str
    commit: str
    cells: str
    tasks: int
    demonstration: bool
    yanked: str
    """Why it was yanked; empty where it was not."""


def print_releases(console: Console, releases: Sequence[ReleaseLine]) -> None:
    """Version, day, commit, digest of the cells, tasks, and what is special; a yanked one in red."""
    width = max((len(item.version) for item in releases), default=0)
    for item in releases:
        marks = [f"yanked: {item.yanked}"] if item.yanked else []
        marks += ["demonstration"] if item.demonstration else []
        tasks = f"{item.tasks} task{'s' if item.tasks != 1 else ''}"
        rest = f"{item.day}  {item.commit[:12]}  cells {item.cells[:12]}  {tasks}"
        line = Text.assemble(
            told(item.version.ljust(width), "red" if item.yanked else "bold"),
            f"  {rest}",
            *(part for mark in marks for part in ("  ", told(mark, "red" if mark.startswith("yanked") else "yellow"))),
        )
        console.print(line, soft_wrap=True)

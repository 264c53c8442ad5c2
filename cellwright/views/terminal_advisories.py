"""Advisories on a terminal: a yanked release loudly before its score, the others after it with their cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Protocol

from rich.console import Console
from rich.text import Text

from cellwright.records.repository_rows import Advisory
from cellwright.views.finding_view import count_words
from cellwright.views.terminal_lines import say, told

MAX_CELLS = 8
"""Cells named of one advisory; the rest are counted."""
Key = tuple[str, str, str]


class Advised(Protocol):
    """An advisory and the cells that it is about; the harness makes it."""

    @property
    def advisory(self) -> Advisory: ...
    @property
    def cells(self) -> Sequence[Key]: ...


def print_yanked(console: Console, found: Iterable[Advised]) -> None:
    """That the release was withdrawn, before anything else is said of it."""
    for item in found:
        if item.advisory.kind == "yanked":
            text = f"RELEASE {item.advisory.version} WAS YANKED ({item.advisory.id}): {item.advisory.because}"
            say(console, told(text, "bold red"))
            say(console, Text("Do not report scores on it; take a later release.", "bold red"))
            console.print()


def print_advisories(console: Console, found: Sequence[Advised], scores: Mapping[Key, Decimal | None]) -> None:
    """What was corrected or quarantined since, with each cell's score here; no score is changed by it."""
    others = [item for item in found if item.advisory.kind != "yanked"]
    if not found:
        console.print()
        say(console, "advisories: none concerns this release")
    if not others:
        return
    console.print()
    count = "1 advisory" if len(others) == 1 else f"{len(others):,} advisories"
    say(console, Text(count, "bold"), " since this release; the scores above are as they were made")
    for item in others:
        advisory = item.advisory
        where = "/".join(part for part in (advisory.entity, advisory.dimension) if part)
        named = " ".join(part for part in (advisory.task, where) if part)
        what = f"{advisory.kind} in {advisory.version}"
        head = told(f"{advisory.id} {what}:", "yellow"), " ", told(named, "bold"), ": "
        say(console, *head, told(advisory.because), indent=2)
        say(console, told(_cells(item.cells, scores)), indent=4)


def _cells(cells: Sequence[Key], scores: Mapping[Key, Decimal | None]) -> str:
    def score(key: Key) -> str:
        found = scores.get(key)
        return "not decided" if found is None else format(found, "f")

    shown = ", ".join(f"{key[1]}/{key[2]} (scored {score(key)})" for key in cells[:MAX_CELLS])
    more = f", and {len(cells) - MAX_CELLS:,} more" if len(cells) > MAX_CELLS else ""
    return f"{count_words(len(cells), 'cell')} affected: {shown}{more}"

"""What became of facts, as people see it: a line a fact that needs a look, those of one reason together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from cellwright.views.terminal_lines import say, told

STYLES = {"same": "green", "moved": "cyan", "changed": "bold yellow", "orphaned": "bold red", "unreachable": "magenta"}
_WIDTH = max(map(len, STYLES))
_NAMED = 3


@dataclass(frozen=True)
class DriftLine:
    """One fact: its id, status and source, the figure before and after, and why."""

    fact: str
    status: str
    source: str
    old: str
    new: str
    why: str


def print_drift(console: Console, lines: Iterable[DriftLine]) -> None:
    """A line a fact that is not the same, grouped where one reason holds for several of a source."""
    shared: dict[tuple[str, str, str, str, str], list[str]] = {}
    for line in lines:
        if line.status != "same":
            shared.setdefault((line.status, line.source, line.old, line.new, line.why), []).append(line.fact)
    for (status, source, old, new, why), facts in shared.items():
        figures = Text.assemble(told(old), " → ", told(new, "bold"), ": ") if old and new else Text("")
        if old and not new:
            figures = Text.assemble(told(old), ": ")
        pieces = (
            Text(f"{status:<{_WIDTH}}  ", STYLES[status]),
            told(f"{_who(facts)} ({source})"),
            ": ",
            figures,
            told(why),
        )
        if console.is_terminal:
            say(console, *pieces)
        else:
            console.print(Text.assemble(*pieces), soft_wrap=True)  # whole for `grep`


def _who(facts: list[str]) -> str:
    if len(facts) == 1:
        return facts[0]
    return f"{len(facts)} facts, {', '.join(facts[:_NAMED])}{', …' if facts[_NAMED:] else ''}"

"""Pieces of terminal output: styled text from outside, hanging indents, the styles of labels and scores.

Text from outside is only ever put into `Text`, never read as markup, and made fit to be shown first.
"""

from __future__ import annotations

from decimal import Decimal

from rich.console import Console
from rich.containers import Lines
from rich.text import Text

from cellwright.views.safe import one_line

LABEL_STYLES = {
    "consistent": "bold green",
    "divergent": "bold yellow",
    "single": "bold cyan",
    "not_available": "bold magenta",
    "": "dim",
}
STATE_STYLES = {"met": "green", "failed": "bold red", "not checked": "yellow"}
SEVERITY_STYLES = {"error": "bold red", "warning": "yellow", "waived": "dim"}


def score_style(score: Decimal) -> str:
    """The style of a score from 0 to 1."""
    if score >= 1:
        return "green"
    return "yellow" if score > 0 else "red"


def told(text: str, style: str = "") -> Text:
    """A text from outside, on one line, in a style."""
    return Text(one_line(text), style)


def say(console: Console, *pieces: Text | str, indent: int = 0) -> None:
    """A line made of pieces (plain ones are ours, those from outside come by `told`).

    A line that is too long goes on two further in.
    """
    line = Text.assemble(*pieces, overflow="fold")
    further = indent
    lines = line.wrap(console, max(20, console.width - indent), overflow="fold")
    if len(lines) > 1:
        further = min(indent + 2, max(0, console.width - 20))
        rest = Text(" ").join(lines[1:])
        lines = Lines([lines[0], *rest.wrap(console, max(20, console.width - further), overflow="fold")])
    for at, part in enumerate(lines):
        part.rstrip()
        console.print(Text(" " * (further if at else indent)) + part, soft_wrap=True)

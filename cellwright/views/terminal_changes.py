"""What will change in a table, before it is written: old → new, a line a record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.console import Console
from rich.text import Text

from cellwright.views.terminal_lines import say, told

LONGEST = 60
"""Characters of a field that are shown; a quote is longer."""
Changes = Mapping[str, tuple[str, str]]
"""Old and new text of each field, by its name."""


def print_changes(console: Console, records: Iterable[tuple[str, Changes]]) -> None:
    """Each record with its fields: what is there in red, what will be there in green."""
    for record, changes in records:
        pieces: list[Text | str] = [told(record, "bold"), ":"]
        for name, (old, new) in changes.items():
            before: list[Text | str] = [told(_short(old), "red"), " "] if old else []
            pieces += [f" {name} ", *before, "→ ", told(_short(new), "green"), ","]
        line = pieces[:-1]
        if console.is_terminal:
            say(console, *line)
        else:
            console.print(Text.assemble(*line), soft_wrap=True)


def _short(text: str) -> str:
    if not text:
        return "nothing"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"

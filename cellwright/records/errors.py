"""The one family of exceptions, an exit code a kind.

    CellwrightError
    ├── UnreadableInput     2   a file or an option cannot be read as what it claims to be
    │   └── ExpressionError     a derivation's text, or what it computes on, is at fault
    ├── NotSettled          1   the input is readable and the answer to the question is no
    ├── WorldFailed         3   a server, a program or an optional part did not do its share
    └── DiskFailed          4   a file could not be written; every file is as it was

A message is one sentence for the person who can mend it: what, where, what was seen, what was
expected, how to mend it. A traceback never reaches a user for bad input.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_KEY = re.compile(r"AGE-SECRET-KEY-[0-9A-Z-]{2,}", re.IGNORECASE)
"""A key of sealed bundles, which no message shows, wherever somebody typed it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: a file relative to the repository, and within it."""

    file: str = ""
    line: int | None = None
    column: str = ""
    """The name of a table's column or of a YAML key."""
    record: str = ""
    """The id of the record, or `entity/dimension` of a cell."""

    def __str__(self) -> str:
        text = self.file
        if self.line is not None:
            text += f":{self.line}" if text else f"line {self.line}"
        inner = ", ".join(part for part in (self.record, f"`{self.column}`" if self.column else "") if part)
        if inner:
            text += f" ({inner})" if text else inner
        return text


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with an input, before anybody decides what it means for the whole."""

    what: str
    place: Place = Place()
    seen: str = ""
    expected: str = ""
    fix: str = ""

    def sentence(self) -> str:
        """The problem as one sentence: `facts.csv:12 (x, `tier`): what; seen …, expected …; fix`."""
        where = str(self.place)
        text = f"{where}: {self.what}" if where else self.what
        details = [f"seen {clip(self.seen)!r}"] if self.seen else []
        if self.expected:
            details.append(f"expected {self.expected}")
        if details:
            text += "; " + ", ".join(details)
        if self.fix.strip():
            text += f"; {self.fix.strip()}"
        return _KEY.sub("AGE-SECRET-KEY-…", text)


def clip(text: str, limit: int = 80) -> str:
    """`text` on one line, no longer than `limit` characters, control characters made visible."""
    flat = "".join(char if char.isprintable() else " " for char in text[: limit * 4])
    return flat if len(flat) <= limit and len(text) <= limit * 4 else flat[: limit - 1] + "…"


class CellwrightError(Exception):
    """Something a person can mend. `problems` holds each fault; the message is their sentences."""

    exit_code = 2

    def __init__(
        self,
        what: str | Sequence[Problem],
        place: Place | None = None,
        *,
        seen: str = "",
        expected: str = "",
        fix: str = "",
    ) -> None:
        if isinstance(what, str):
            self.problems: tuple[Problem, ...] = (Problem(what, place or Place(), seen, expected, fix),)
        else:
            self.problems = tuple(what)
        super().__init__("\n".join(problem.sentence() for problem in self.problems))


class UnreadableInput(CellwrightError):
    """A file, an option or a record cannot be read as what it claims to be."""


class ExpressionError(UnreadableInput):
    """The text of a derivation, or what it is asked to compute, is at fault."""


class NotSettled(CellwrightError):
    """Everything could be read, and the answer to the question asked is no."""

    exit_code = 1


class WorldFailed(CellwrightError):
    """A server, another program or an optional part did not do its share."""

    exit_code = 3


class DiskFailed(CellwrightError):
    """A file could not be written; every file is as it was."""

    exit_code = 4

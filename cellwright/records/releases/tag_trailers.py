"""What the tag of a release states: the trailer lines at the end of its message. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cellwright.records.errors import Place, Problem, UnreadableInput

MAX_MESSAGE = 1_000_000
"""Characters of a tag's message that are looked at."""
_TRAILER = re.compile(r"(bundle|cells|corpus|tool): (\S.{0,200})")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_TOOL = re.compile(r"cellwright \d[0-9A-Za-z.+-]{0,40}")


@dataclass(frozen=True, slots=True)
class Stated:
    """What a release states of itself: sha256 of bundle.json, digests of cells and corpus, and what built it."""

    bundle: str
    cells: str
    corpus: str
    tool: str
    """`cellwright 1.2.3`."""

    def lines(self) -> str:
        """The trailer lines, as the tag's message ends."""
        return f"bundle: {self.bundle}\ncells: {self.cells}\ncorpus: {self.corpus}\ntool: {self.tool}\n"


def stated_by(message: str, tag: str) -> Stated:
    """What the message of `tag` states. Raises UnreadableInput, telling each trailer that is missing or odd.

    Trailers stand in the last paragraph, so that words of a person further up are never taken for them.
    """
    last = message[:MAX_MESSAGE].rstrip().rpartition("\n\n")[2]
    found: dict[str, list[str]] = {"bundle": [], "cells": [], "corpus": [], "tool": []}
    for line in last.splitlines():
        trailer = _TRAILER.fullmatch(line)
        if trailer:
            found[trailer[1]].append(trailer[2])
    problems = [
        Problem(
            f"the tag states no `{name}:`" if not values else f"the tag's `{name}:` cannot be read",
            Place(tag),
            seen=", ".join(values)[:120],
            expected=f"one line `{name}: {_FORMS[name]}` at the end of its message",
        )
        for name, values in found.items()
        if len(values) != 1 or not (_TOOL if name == "tool" else _SHA256).fullmatch(values[0])
    ]
    if problems:
        raise UnreadableInput(problems)
    return Stated(**{name: values[0] for name, values in found.items()})


_FORMS = {"bundle": "<sha256>", "cells": "<sha256>", "corpus": "<sha256>", "tool": "cellwright <version>"}

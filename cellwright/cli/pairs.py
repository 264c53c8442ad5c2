"""An option that takes two values and may be given several times, which the library of options does not know."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand

if TYPE_CHECKING:
    from typer._click import Context
else:
    Context = Any

FROM = "--from"
_KEPT = "cellwright.from"


class FromPairs(TyperCommand):
    """A command whose `--from FILE SOURCE` may be repeated; the last pair alone would be told to it otherwise."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Note every pair before the options are read."""
        ctx.meta[_KEPT] = list(_pairs(args))
        return super().parse_args(ctx, args)


def from_pairs(ctx: Any) -> tuple[tuple[Path, str], ...]:
    """Every pair that was given, in order."""
    return tuple((Path(file), source) for file, source in ctx.meta.get(_KEPT, ()))


def _pairs(args: list[str]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(args) and args[at] != "--":
        first = args[at].removeprefix(f"{FROM}=") if args[at].startswith(f"{FROM}=") else ""
        values = [first, *args[at + 1 : at + 2]] if first else args[at + 1 : at + 3] if args[at] == FROM else []
        if len(values) == 2:
            found.append((values[0], values[1]))
        at += 1 + (len(values) - bool(first) if values else 0)
    return found

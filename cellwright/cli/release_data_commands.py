"""`release gc`: the data that no release needs any more."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cellwright.cli.options import Format, Root, repository_at
from cellwright.cli.output import agreed, console, print_line, say, write_json

if TYPE_CHECKING:
    from cellwright.authoring.releases.collecting import Collected


def register(release: typer.Typer) -> None:
    """Add the commands to the group `release`."""
    release.command()(gc)


def gc(
    root: Root = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what would be dropped, and drop nothing.")] = False,
    remote: Annotated[
        bool, typer.Option("--remote", help="Drop it from DVC's default remote too, for everybody.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask; in a pipe, nothing is dropped without it.")] = False,
    format_: Annotated[Format, typer.Option("--format", help="For people or for programs.")] = Format.TEXT,
) -> None:
    """Drop data that no work tree, branch or tag needs.

    It goes from DVC's cache, with --remote also from its remote. What a tag needs is never dropped, and is looked
    for again afterwards. Refused in a shallow clone, and where git's remote has tags that are not here.
    guidelines/keeping-data.md tells more.

    \b
    Examples:
      cellwright release gc --dry-run
      cellwright release gc --yes
    """
    from cellwright.authoring.releases.collecting import collect, collected_json, told
    from cellwright.records.errors import UnreadableInput

    repository = repository_at(root)
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty()

    def agrees(found: Collected) -> bool:
        if not yes and (not on_terminal or format_ is Format.JSON):
            raise UnreadableInput(
                "nobody can be asked here whether data may be dropped",
                expected="`--yes`, or `--dry-run` to see what would go",
            )
        if not yes:
            for line in told(found):
                say(line)
        where = " and ".join(place.place for place in found.plan.places)
        return agreed(f"drop it from the {where}?", yes=yes)

    found = collect(repository.root, remote=remote, dry_run=dry_run, agrees=agrees)
    if format_ is Format.JSON:
        write_json(collected_json(found))
    else:
        out = console()
        for line in told(found):
            print_line(out, line)
    unused = any(place.unused for place in found.plan.places)
    if unused and not found.dropped:
        say("nothing was dropped")
    raise typer.Exit(1 if unused and not found.dropped and not dry_run else 0)

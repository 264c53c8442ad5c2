"""`init` and `migrate`: a repository of one's own, and its files in the form that this version writes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cellwright.cli.output import console, print_line, say


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(init)


def init(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", show_default=False, help="The folder to make: a new one, or one that is empty."),
    ],
    root: Annotated[
        Path | None,
        typer.Option("--root", metavar="DIR", show_default=False, help="The folder that DIR is meant from; else here."),
    ] = None,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", show_default=False, help="The benchmark's name; else the folder's.")
    ] = "",
    remote: Annotated[
        str,
        typer.Option(
            "--remote",
            metavar="URL",
            show_default=False,
            help="Where DVC sends captures and bundles: a folder, or a bucket such as s3://bucket/path.",
        ),
    ] = "",
    no_git: Annotated[
        bool, typer.Option("--no-git", help="Begin no git repository: for a folder of one that is there.")
    ] = False,
    no_dvc: Annotated[bool, typer.Option("--no-dvc", help="Leave out DVC and its pipeline.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what would be made, and make nothing.")] = False,
) -> None:
    """Make a repository of one's own, with the pipeline wired.

    It holds the tables' heads, the publishers, the guidelines, the thresholds with their reasons, the pipeline, and
    for GitHub an audit of pull requests and forms for issues. Nothing is overwritten: a folder that is not empty is
    refused.

    \b
    Examples:
      cellwright init my-benchmark
      cellwright init my-benchmark --remote s3://bucket/my-benchmark
      cellwright init my-benchmark --dry-run
    """
    from cellwright.authoring.init_repository import Wanted, check_wanted, init_repository, planned

    place = folder if root is None else root / folder
    wanted = Wanted(place, name or place.absolute().name, git=not no_git, dvc=not no_dvc, remote=remote)
    if dry_run:
        check_wanted(wanted)
        for path in planned(wanted):
            print_line(console(), path)
        say("nothing was made")
        return
    made = init_repository(wanted)
    say(f"{place}: {len(made.files)} files")
    if made.git == "staged":
        say("git does not know who commits, so that everything is staged and nothing committed:")
        say("  `git config user.name …` and `git config user.email …`, then `git commit`")
    if made.within:
        say("it is a part of the git repository above, and GitHub reads .github/ at the top of that one only:")
        say(f"  move {place}/.github there, and let the workflow's steps run in {made.within}")
    if wanted.dvc and not remote:
        say("nobody else gets the captures yet: `dvc remote add --default NAME URL` says where they go")
    say(f"next: `cd {place}`, then `cellwright new TASK`")

"""`init` and `migrate`: a repository of one's own, and its files in the form that this version writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cellwright.cli.options import Format, Root, TasksArgument, repository_at
from cellwright.cli.output import agreed, console, print_line, progress, say, write_json

if TYPE_CHECKING:
    from cellwright.authoring.migrating import Migrating


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(init)
    app.command()(migrate)


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
    """Make a repository of one's own.

    It holds the pipeline, the tables' heads, the publishers, the guidelines, the thresholds with their reasons, and
    for GitHub an audit of pull requests and forms for issues. Nothing is overwritten: a folder that is not empty is
    refused.

    \b
    Examples:
      cellwright init my-benchmark
      cellwright init our-benchmark --remote s3://bucket/our-benchmark
      cellwright init another --dry-run
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


def migrate(
    tasks: TasksArgument = None,
    root: Root = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be written, and write nothing.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask on a terminal, and write where git could not undo it, too.")
    ] = False,
    format_: Annotated[Format, typer.Option("--format", help="For people or for programs.")] = Format.TEXT,
) -> None:
    """Bring files to the schema and form of this version.

    Tables become UTF-8 with commas, scales in words become powers of ten, and what tables of the repository lack is
    added; nothing that a file says changes, and comments stay. Named tasks are migrated alone, else all and the
    repository's own tables: all files are written or none. With --dry-run, exit 1 where anything would be.

    \b
    Examples:
      cellwright migrate --dry-run
      cellwright migrate
      cellwright migrate us-large-caps-fy2023
    """
    from cellwright.authoring.migrating import check_undo, plan_migration, write_migration

    repository = repository_at(root)
    with progress("migrate") as tell:
        planned = plan_migration(repository, tasks, progress=tell)
    if format_ is Format.TEXT:
        _show(planned)
    count = f"{len(planned.changes)} file{'' if len(planned.changes) == 1 else 's'}"
    begins = "" if planned.steps else f"already at schema {planned.schema}; "
    writes = bool(planned.changes) and not dry_run
    if writes:
        if not yes:
            check_undo(repository, planned)
        writes = agreed(f"write {count}?", yes=yes or format_ is Format.JSON)
    if writes:
        write_migration(repository, planned)
    if format_ is Format.JSON:
        files = [{"file": change.name, "what": list(change.why)} for change in planned.changes]
        write_json({"schema": planned.schema, "steps": list(planned.steps), "files": files, "written": writes})
    if not planned.changes:
        say(f"{begins}every file has the form that the tool writes")
    elif writes:
        say(f"{begins}{count} brought to the form that the tool writes")
        if not yes:
            say(f"to undo it: `{planned.undo}`")
    else:
        say(f"{begins}{count} would be brought to the form that the tool writes; nothing was written")
        raise typer.Exit(1)


def _show(planned: Migrating) -> None:
    """Each step, and each file with what is different in it and the lines that change."""
    out = console()
    for step in planned.steps:
        print_line(out, step)
    for change in planned.changes:
        print_line(out, f"{change.name}: {'; '.join(change.why)}")
        for line in change.difference():
            print_line(out, line, indent=2)

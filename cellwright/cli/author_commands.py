"""`new`, `status`, `locate`, `derive`: making a task; `capture` has a room of its own."""

from __future__ import annotations

from typing import Annotated

import typer

from cellwright.cli.capture_commands import capture
from cellwright.cli.options import Format, Root, TaskArgument, repository_at
from cellwright.cli.output import console, print_line, progress, say, write_json
from cellwright.cli.pairs import FromPairs


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(new)
    app.command()(status)
    app.command(cls=FromPairs)(capture)
    app.command()(locate)
    app.command()(derive)


def new(task: TaskArgument, root: Root = None) -> None:
    """Make a task's folder with every column explained.

    \b
    Example:
      cellwright new ev-makers-2023
    """
    from cellwright.authoring.new_task import new_task

    repository = repository_at(root)
    for name in new_task(repository, task):
        say(f"tasks/{task}/{name}")
    say(f"next: fill task.yaml and sources.csv, then `cellwright capture {task}`")


def status(
    task: TaskArgument,
    root: Root = None,
    format_: Annotated[Format, typer.Option("--format", help="For people or for programs.")] = Format.TEXT,
) -> None:
    """Tell what each cell and each source of a task still lacks. Exit 1 while any lacks something.

    A source without a tier gets one proposed with its reason; the curator decides.

    \b
    Example:
      cellwright status us-large-caps-fy2023
    """
    from cellwright.authoring.captures.merging import require_settled
    from cellwright.authoring.loading import load_owners, load_task
    from cellwright.authoring.source_status import source_status
    from cellwright.authoring.status import lacking, task_status
    from cellwright.validators.owners import Owners

    repository = repository_at(root)
    require_settled(repository)
    folder = load_task(repository, task)
    cells, sources = task_status(folder), source_status(folder, Owners(load_owners(repository)))
    ready = sum(not cell.lacks for cell in cells)
    incomplete = [source for source in sources if source.lacks]
    if format_ is Format.JSON:
        write_json(
            {
                "task": task,
                "cells": [
                    {"entity": cell.entity, "dimension": cell.dimension, "lacks": list(cell.lacks)} for cell in cells
                ],
                "sources": [
                    {
                        "source": source.source,
                        "lacks": list(source.lacks),
                        "proposed_tier": source.proposal.tier if source.proposal else "",
                        "reason": source.proposal.reason if source.proposal else "",
                        "registry_line": source.registry_line,
                    }
                    for source in sources
                ],
            }
        )
    else:
        out = console()
        for lacks, names in lacking(cells).items():
            who = names[0] if len(names) == 1 else "every cell" if len(names) == len(cells) else f"{len(names)} cells"
            print_line(out, f"{who} {'lack' if who.endswith('cells') else 'lacks'} {'; '.join(lacks)}")
            if who.endswith("cells"):
                print_line(out, ", ".join(names), indent=2)
        for source in sources:
            if source.lacks:
                print_line(out, f"{source.source} lacks {', '.join(source.lacks)}")
            if source.proposal:
                print_line(out, f"proposed {source.proposal.says()}", indent=2)
            if source.registry_line:
                print_line(out, f"{source.source}: for sources/registry.csv, if you agree: {source.registry_line}")
        print_line(out, f"{ready} of {len(cells)} cells are ready for the audit")
    raise typer.Exit(0 if ready == len(cells) and not incomplete else 1)


def locate(
    task: TaskArgument,
    root: Root = None,
    write: Annotated[bool, typer.Option("--write", help="Fill the empty fields of facts.csv.")] = False,
    renew: Annotated[
        bool,
        typer.Option(
            "--renew",
            help="Find the excerpt anew of each fact whose quote no longer stands in the capture; with --write it is"
            " put in the place of the old one.",
        ),
    ] = False,
    explain: Annotated[
        str,
        typer.Option(
            "--explain",
            metavar="FACT",
            show_default=False,
            help="Show one fact: what was looked for, the places that came near, and why each was not taken.",
        ),
    ] = "",
    yes: Annotated[bool, typer.Option("--yes", help="With --write: do not ask on a terminal.")] = False,
    format_: Annotated[Format, typer.Option("--format", help="For people or for programs.")] = Format.TEXT,
) -> None:
    """Find each fact's number in its capture. What is read comes from the document alone.

    Exit 1 when any fact is not found exactly. With --write, value, scale, sign, unit, quote, row, column and
    page are filled where they are empty, after showing what will change; on a terminal it asks first, in a
    pipe it writes. What a person typed is never changed, but for an excerpt with --renew.

    \b
    Examples:
      cellwright locate us-large-caps-fy2023
      cellwright locate us-large-caps-fy2023 --write
      cellwright locate us-large-caps-fy2023 --explain nvda.eps_diluted.fy2023
    """
    from cellwright.authoring.explaining import go_on
    from cellwright.authoring.loading import load_readable_task
    from cellwright.authoring.locating import locate_task, locating_json, told_of, write_located
    from cellwright.cli.locate_output import explain_fact, show_changes
    from cellwright.cli.output import agreed

    repository = repository_at(root)
    folder = load_readable_task(repository, task)
    with progress("locate") as tell:
        locating = locate_task(repository, folder, tell, renew=renew, explain=explain)
    fields = sum(len(item.changes) for item in locating.facts)
    if format_ is Format.JSON:
        write_json(locating_json(locating, writing=write or renew))
    elif explain:
        explain_fact(locating.facts[0])
    else:
        out = console()
        for line in told_of(locating):
            print_line(out, line)
        if write:
            show_changes(out, locating)
        out.print(", ".join(f"{count} {name}" for name, count in locating.counts.items()))
        for line in go_on(locating.counts, task):
            say(line)
    if write:
        if fields and not agreed(f"write {fields} fields?", yes=yes or format_ is Format.JSON):
            say("nothing was written")
            raise typer.Exit(1)
        filled = write_located(repository, folder, locating)
        say(f"{filled} fields filled in tasks/{task}/facts.csv")
    elif fields and format_ is Format.TEXT and not explain:
        say(f"--write would fill {fields} fields")
    raise typer.Exit(0 if locating.settled else 1)


def derive(
    task: TaskArgument,
    cell: Annotated[
        str, typer.Argument(metavar="ENTITY/DIMENSION", show_default=False, help="One cell; else all.")
    ] = "",
    root: Root = None,
    write: Annotated[bool, typer.Option("--write", help="Complete cells.csv: a row for every cell.")] = False,
    format_: Annotated[Format, typer.Option("--format", help="For people or for programs.")] = Format.TEXT,
) -> None:
    """Work out the reference answers, step by step. Exit 1 when any cell cannot be derived.

    \b
    Examples:
      cellwright derive us-large-caps-fy2023
      cellwright derive us-large-caps-fy2023 nvda/gross_margin
      cellwright derive us-large-caps-fy2023 --format json
    """
    from cellwright.authoring.deriving import derive as derive_task
    from cellwright.authoring.loading import load_readable_task
    from cellwright.cli.problems import tell
    from cellwright.records.derivations import cell_json
    from cellwright.records.errors import ExpressionError

    repository = repository_at(root)
    folder = load_readable_task(repository, task)
    derived = derive_task(folder, cell)
    if format_ is Format.JSON:
        write_json({"cells": [cell_json(result) for result in derived.results]})
    else:
        from cellwright.views.terminal import print_derivation

        out = console()
        for result in derived.results:
            print_derivation(out, result, folder.fact_by_id)
    if derived.problems:
        tell(ExpressionError(derived.problems))
    if write:
        from cellwright.authoring.auditing import computed_labels
        from cellwright.authoring.deriving import write_cells

        filled = write_cells(repository, folder, computed_labels(repository, folder))
        say(f"{filled} fields filled in tasks/{task}/cells.csv")
    raise typer.Exit(1 if derived.problems else 0)

"""`new`, `status`, `capture`, `locate`, `derive`: making a task."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cellwright.cli.drift_output import accept_pins, print_task_drift
from cellwright.cli.options import Format, Root, TaskArgument, TasksArgument, repository_at
from cellwright.cli.output import STOPPED, console, print_line, progress, say, write_json
from cellwright.cli.pairs import FromPairs, from_pairs


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
    from cellwright.authoring.loading import load_owners, load_task
    from cellwright.authoring.source_status import source_status
    from cellwright.authoring.status import lacking, task_status
    from cellwright.validators.owners import Owners

    repository = repository_at(root)
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


def capture(
    ctx: typer.Context,
    tasks: TasksArgument = None,
    root: Root = None,
    mirror: Annotated[
        Path | None,
        typer.Option(
            "--mirror",
            metavar="DIR",
            show_default=False,
            help="A folder with index.csv that stands in for the network.",
        ),
    ] = None,
    from_file: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--from",
            metavar="FILE SOURCE",
            show_default=False,
            help="Take a file as the capture of a source: a page that a person saved, a document, or a WARC that"
            " holds the answer. May be given several times.",
        ),
    ] = None,
    refresh: Annotated[bool, typer.Option("--refresh", help="Fetch again, and tell what became of each fact.")] = False,
    accept: Annotated[
        list[str] | None,
        typer.Option(
            "--accept",
            metavar="SOURCE",
            show_default=False,
            help="Move a source's pin to its newest capture, or to SOURCE@SHA256, after telling what becomes of its"
            " facts; `all` for every source. May be given several times.",
        ),
    ] = None,
    memento: Annotated[
        str,
        typer.Option(
            "--memento",
            metavar="URL",
            envvar="CELLWRIGHT_MEMENTO",
            show_default=False,
            help="Where a page is gone, ask this web archive: the beginning of its TimeGate's or TimeMap's addresses.",
        ),
    ] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="With --accept: tell, and move nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --accept: do not ask on a terminal.")] = False,
    format_: Annotated[Format, typer.Option("--format", help="For people or for programs.")] = Format.TEXT,
    allow_private: Annotated[
        bool,
        typer.Option(
            "--allow-private",
            envvar="CELLWRIGHT_ALLOW_PRIVATE",
            help="Allow addresses of this machine and of private networks.",
        ),
    ] = False,
    ignore_robots: Annotated[
        bool,
        typer.Option(
            "--ignore-robots",
            envvar="CELLWRIGHT_IGNORE_ROBOTS",
            help="Set robots.txt aside, where you may; each capture's record says so.",
        ),
    ] = False,
) -> None:
    """Fetch the sources that are not captured yet, and keep them. Captures are only ever added.

    Hosts are asked politely: guidelines/capturing.md tells the settings, and what each status means.
    Exit 1 when any source has no usable capture; with --refresh also when any fact is changed, orphaned or
    unreachable, that is, when it is not the same and has not only moved. A run that is stopped goes on where it was.

    \b
    Examples:
      cellwright capture us-large-caps-fy2023 --mirror sources/stand-ins/us-large-caps-fy2023
      cellwright capture us-large-caps-fy2023 --refresh --mirror sources/stand-ins/us-large-caps-fy2023
      cellwright capture my-task --from saved-page.html issuer-10-k
      cellwright capture my-task --accept issuer-10-k
    """
    from cellwright.authoring.capture_command import check_options, report_json, run_capture
    from cellwright.authoring.capture_lock import capture_lock

    repository = repository_at(root)
    pairs = from_pairs(ctx)
    check_options({"--mirror": mirror, "--from": pairs, "--accept": accept, "--refresh": refresh})
    typed = getattr(ctx.get_parameter_source("memento"), "name", "") == "COMMANDLINE"
    check_options({"--mirror": mirror, "--from": pairs, "--accept": accept, "--memento": memento if typed else ""})
    if (dry_run or yes) and not accept:
        raise typer.BadParameter("it goes with --accept", param_hint="--dry-run" if dry_run else "--yes")
    if accept:
        with capture_lock(repository):
            code = accept_pins(repository, tasks, accept, dry_run=dry_run, yes=yes, format_=format_)
        raise typer.Exit(code)
    with progress("capture") as tell:
        report = run_capture(
            repository,
            tasks,
            mirror=mirror,
            from_files=pairs,
            refresh=refresh,
            memento=memento,
            allow_private=allow_private,
            ignore_robots=ignore_robots,
            progress=tell,
        )
    if format_ is Format.JSON:
        write_json(report_json(report))
    else:
        for drift in report.drifts:
            print_task_drift(drift)
    for line in report.lines:
        say(line)
    raise typer.Exit(STOPPED if report.stopped else 0 if report.good else 1)


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
    from cellwright.cli.entry import tell
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

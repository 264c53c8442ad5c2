"""`capture`: the sources fetched and kept, asked again, handed in, and their pins moved."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cellwright.cli.drift_output import accept_pins, print_task_drift
from cellwright.cli.options import Format, Root, TasksArgument, repository_at
from cellwright.cli.output import STOPPED, progress, say, write_json
from cellwright.cli.pairs import from_pairs

Mirror = Annotated[
    Path | None,
    typer.Option(
        "--mirror", metavar="DIR", show_default=False, help="A folder with index.csv that stands in for the network."
    ),
]
FromFile = Annotated[
    tuple[str, str] | None,
    typer.Option(
        "--from",
        metavar="FILE SOURCE",
        show_default=False,
        help="Take a file as the capture of a source: a page that a person saved, a document, or a WARC that"
        " holds the answer. May be given several times.",
    ),
]
Refresh = Annotated[bool, typer.Option("--refresh", help="Fetch again, and tell what became of each fact.")]
Accept = Annotated[
    list[str] | None,
    typer.Option(
        "--accept",
        metavar="SOURCE",
        show_default=False,
        help="Move a source's pin to its newest capture, or to SOURCE@SHA256, after telling what becomes of its"
        " facts; `all` for every source. May be given several times.",
    ),
]
Memento = Annotated[
    str,
    typer.Option(
        "--memento",
        metavar="URL",
        envvar="CELLWRIGHT_MEMENTO",
        show_default=False,
        help="Where a page is gone, ask this web archive: the beginning of its TimeGate's or TimeMap's addresses.",
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="With --accept: tell, and move nothing.")]
Yes = Annotated[bool, typer.Option("--yes", help="With --accept: do not ask on a terminal.")]
AllowPrivate = Annotated[
    bool,
    typer.Option(
        "--allow-private",
        envvar="CELLWRIGHT_ALLOW_PRIVATE",
        help="Allow addresses of this machine and of private networks.",
    ),
]
IgnoreRobots = Annotated[
    bool,
    typer.Option(
        "--ignore-robots",
        envvar="CELLWRIGHT_IGNORE_ROBOTS",
        help="Set robots.txt aside, where you may; each capture's record says so.",
    ),
]


def capture(
    ctx: typer.Context,
    tasks: TasksArgument = None,
    root: Root = None,
    mirror: Mirror = None,
    from_file: FromFile = None,
    refresh: Refresh = False,
    accept: Accept = None,
    memento: Memento = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    format_: Annotated[Format, typer.Option("--format", help="For people or for programs.")] = Format.TEXT,
    allow_private: AllowPrivate = False,
    ignore_robots: IgnoreRobots = False,
) -> None:
    """Fetch the sources not captured yet, and keep them. Captures are only ever added.

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
    from cellwright.authoring.captures.command import check_options, report_json, run_capture
    from cellwright.authoring.captures.lock import capture_lock

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

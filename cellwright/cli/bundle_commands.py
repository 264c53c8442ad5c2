"""`bundle` and `page`: what is published."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cellwright.cli.options import Root, TasksArgument, bundle_folder, day_of, repository_at
from cellwright.cli.output import progress, say


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (bundle, page):
        app.command()(command)


def bundle(
    tasks: TasksArgument = None,
    root: Root = None,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the bundle is built.")] = Path(
        "build/bundle"
    ),
    day: Annotated[
        str,
        typer.Option(
            "--day",
            metavar="YYYY-MM-DD",
            show_default=False,
            help="The day by which waivers run out; each task's as_of where it is not said: no clock makes the bytes.",
        ),
    ] = "",
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Work every task out anew, and keep nothing in .cellwright/.")
    ] = False,
) -> None:
    """Build the bundle of the admitted tasks.

    The same repository gives the same bytes. A task that did not change since it was last built here is not worked
    out again; a release never rests on that. Exit 1 when a task is not admitted.

    \b
    Examples:
      cellwright bundle --out build/bundle
      cellwright bundle --no-cache
    """
    from cellwright.authoring.bundle import build_bundle

    repository, judged = repository_at(root), day_of(day) if day else None
    with progress("bundle") as tell:
        built = build_bundle(repository, tasks, out, day=judged, cached=not no_cache, progress=tell)
    counts = ", ".join(_counted(count, name) for name, count in built.counts.items() if count)
    say(f"{out}: {counts}; cells {built.cells_digest[:16]}")
    if built.demonstration:
        say("a demonstration: some captures are stand-ins, and a demonstration cannot be released")


def _counted(count: int, table: str) -> str:
    """`1 task`, `64 cells`, `95 near misses`: a table's rows in words."""
    many = table.replace("_", " ")
    one = {"entities": "entity", "near misses": "near miss"}.get(many, many.removesuffix("s"))
    return f"{count:,} {one if count == 1 else many}"


def page(
    bundle_dir: Annotated[
        Path | None,
        typer.Argument(
            metavar="BUNDLE", show_default=False, help="The bundle's folder; else build/bundle of the repository."
        ),
    ] = None,
    root: Root = None,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the page is written.")] = Path(
        "build/evidence.html"
    ),
) -> None:
    """Write the evidence page of a bundle.

    It shows every cell with its steps, facts, quotes and sources, and needs nothing but a browser.

    \b
    Example:
      cellwright page build/bundle --out build/evidence.html
    """
    from cellwright.authoring.bundle import evidence_page_of
    from cellwright.clients.bundle_reader import open_bundle
    from cellwright.clients.disk import write_atomic

    folder = bundle_folder(bundle_dir, root)
    open_bundle(folder)  # A page is shown as evidence: nothing of a bundle that was changed is passed on.
    write_atomic(out, evidence_page_of(folder))
    say(str(out))

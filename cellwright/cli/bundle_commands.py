"""`bundle` and `page`: what is published."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cellwright.cli.options import Root, TasksArgument, bundle_folder, day_of, repository_at
from cellwright.cli.output import progress, say
from cellwright.cli.seal_commands import KeyFile, given_key, key_for

if TYPE_CHECKING:
    from cellwright.clients.repository import Repository
    from cellwright.clients.seal_key import SealKey


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
    sealed: Annotated[
        bool,
        typer.Option(
            "--sealed", help="Encrypt all but the questions, as `sealed: true` below `bundle:` in params.yaml does."
        ),
    ] = False,
    key_file: KeyFile = None,
) -> None:
    """Build the bundle of the admitted tasks.

    The same repository gives the same bytes. Where no task is named, drafts, quarantined and retired tasks stay out.
    A task that did not change since it was last built here is not worked out again; a release never rests on that.
    Exit 1 when a task is not admitted, or an open file of a sealed bundle would tell what is sealed.

    \b
    Examples:
      cellwright bundle --out build/bundle
      cellwright bundle --no-cache
    """
    from cellwright.authoring.bundles.bundle import build_bundle
    from cellwright.authoring.releases.standing import told_left_out

    repository, judged = repository_at(root), day_of(day) if day else None
    key = _sealing_key(repository, sealed=sealed, key_file=key_file)
    was_sealed = key is None and _was_sealed(out)
    with progress("bundle") as tell:
        built = build_bundle(repository, tasks, out, day=judged, cached=not no_cache, progress=tell, key=key)
    counts = ", ".join(_counted(count, name) for name, count in built.counts.items() if count)
    say(f"{out}: {counts}; cells {built.cells_digest[:16]}")
    if was_sealed:
        say("warning: the bundle that was here was sealed, and this one tells every answer; `--sealed` seals it")
    if built.sealed:
        say("sealed: the questions are open, all else needs the key")
    if built.left_out:
        say(f"left out: {told_left_out(built.left_out)}")
    if built.demonstration:
        say("a demonstration: some captures are stand-ins, and a demonstration cannot be released")


def _was_sealed(out: Path) -> bool:
    """Whether a sealed bundle is about to be replaced; one that cannot be read is not known to be."""
    from cellwright.clients.bundle_manifest import is_sealed
    from cellwright.records.errors import UnreadableInput

    try:
        return is_sealed(out)
    except UnreadableInput:
        return False


def _sealing_key(repository: Repository, *, sealed: bool, key_file: Path | None) -> SealKey | None:
    """The key with which the bundle is to be sealed; None where it is not to be."""
    from cellwright.authoring.settings import load_bundle_settings
    from cellwright.clients.seal_key import require_key
    from cellwright.records.errors import UnreadableInput

    if not sealed and not load_bundle_settings(repository).sealed:
        if key_file is not None:
            raise UnreadableInput(
                "a key is given, and the bundle is not to be sealed",
                fix="add `--sealed`, or set `sealed: true` below `bundle:` in params.yaml",
            )
        return None
    return given_key(key_file) or require_key()


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
    key_file: KeyFile = None,
) -> None:
    """Write the evidence page of a bundle.

    It shows every cell with its steps, facts, quotes and sources, and needs nothing but a browser. The page of a
    sealed bundle tells every answer: it is for those who have the key.

    \b
    Example:
      cellwright page build/bundle --out build/evidence.html
    """
    from cellwright.authoring.bundles.bundle import evidence_page_of
    from cellwright.clients.bundle_reader import open_bundle
    from cellwright.clients.disk import write_atomic

    folder = bundle_folder(bundle_dir, root)
    key = key_for(folder, key_file)
    open_bundle(folder, key)  # A page is shown as evidence: nothing of a bundle that was changed is passed on.
    write_atomic(out, evidence_page_of(folder, key))
    say(str(out))

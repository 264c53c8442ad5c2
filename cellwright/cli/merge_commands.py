"""`merge-captures`: both sides' captures after a merge of git."""

from __future__ import annotations

import typer

from cellwright.cli.options import Root, repository_at
from cellwright.cli.output import say


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("merge-captures")(merge_captures)


def merge_captures(root: Root = None) -> None:
    """Keep the captures of both sides of a merge.

    Where git could not merge a pointer file or captures.csv, run it in the middle of the merge, and add what
    it names. Captures are only ever added, so that both sides' are always right; guidelines/keeping-data.md tells
    more.

    \b
    Example:
      cellwright merge-captures
    """
    from cellwright.authoring.captures.merging import merge_captures

    merge = merge_captures(repository_at(root))
    for one in merge.pointers:
        say(f"{one.file}: {one.captures} captures, {one.only_ours} only ours, {one.only_theirs} only theirs")
        for file in one.twice:
            say(
                f"{one.file}: both sides captured {file[:12]}…; its document is the same, and our record of it was kept"
            )
    if merge.rows is not None:
        say(f"sources/captures.csv: {merge.rows} rows of both sides")
    say(f"next: `git add {' '.join(merge.files)}`" if merge.files else "no captures are in conflict")

"""The group of commands about where a task stands."""

from __future__ import annotations

from typing import Annotated

import typer

from cellwright.cli.options import Root, TaskArgument, repository_at
from cellwright.cli.output import say

HELP = """\
Say where a task stands.

\b
Example:
  cellwright task quarantine us-large-caps-fy2023 --because "two companies restated"
"""
task = typer.Typer(name="task", no_args_is_help=True, help=HELP, rich_markup_mode=None)


@task.callback()
def _group() -> None:
    pass


_group.__doc__ = HELP


@task.command("quarantine")
def quarantine_task(
    task_id: TaskArgument,
    because: Annotated[
        str,
        typer.Option("--because", metavar="TEXT", help="Why, in a sentence that readers are told.", show_default=False),
    ],
    root: Root = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what would be done, and do nothing.")] = False,
) -> None:
    """Quarantine a task: it stays in the repository, and the next release leaves it out and tells why.

    Only `status` and `status_reason` of its task.yaml change.

    \b
    Example:
      cellwright task quarantine us-large-caps-fy2023 --because "two companies restated"
    """
    from cellwright.authoring.releases.withdrawing import quarantine

    repository = repository_at(root)
    written = quarantine(repository, task_id, because)
    say(f"{written.file}: status {written.before} → {written.after}")
    if dry_run:
        return
    written.write(repository)
    say(f"next: commit {written.file}; to undo it, set `status: review` there and empty `status_reason`")

"""The program's commands, in the order of the work: author, capture, audit, bundle, grade."""

from __future__ import annotations

from typing import Annotated

import typer

from cellwright.cli import (
    audit_commands,
    author_commands,
    bundle_commands,
    contribute_commands,
    harness_commands,
    merge_commands,
    release_cut_commands,
    release_data_commands,
    release_diff_commands,
    release_verify_commands,
    repository_commands,
    seal_commands,
)
from cellwright.cli.release_group import release
from cellwright.cli.task_commands import task

HELP = """\
Cellwright: the workshop in which deep-research benchmarks are made.

A task is a matrix of entities and dimensions. You draft it, attach the sources that settle each cell and
write down how the answer follows; Cellwright captures the sources, replays the arithmetic, audits the task,
builds the bundle and grades answers against it.

\b
The way of a task:
  cellwright new TASK            a folder with every column explained
  cellwright capture TASK        the sources, fetched and kept
  cellwright locate TASK --write each fact's number, found in its capture
  cellwright derive TASK         the answers, step by step
  cellwright audit TASK          the five conditions
  cellwright bundle              what is published
  cellwright release cut         a version of it, tagged
  cellwright harness score ...   an agent's answers, graded
  cellwright contribute ...      a task handed in from outside

\b
Exit codes: 0 yes; 1 no (findings, a fact not found); 2 unreadable input;
3 a server or program failed; 4 a file could not be written.
"""

HARNESS_HELP = """\
Grade answers against a bundle: the read side.

It reads a bundle and a submission, and nothing of the repository that the bundle was built in.

\b
Example:
  cellwright harness score --bundle build/bundle --submission answers.jsonl
"""

RELEASE_HELP = """\
Cut, verify, compare and withdraw releases.

\b
Example:
  cellwright release cut --dry-run
  cellwright release diff 1.0.0 1.1.0
  cellwright release verify build/bundle
  cellwright release gc --dry-run
"""

# Rich would cost half a second at every start; plain help is as readable.
app = typer.Typer(
    help=HELP,
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
harness = typer.Typer(help=HARNESS_HELP, no_args_is_help=True, rich_markup_mode=None)


def _version(wanted: bool) -> None:
    if wanted:
        from cellwright import __version__

        typer.echo(f"cellwright {__version__}")
        raise typer.Exit


@app.callback()
def _program(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Tell the version and stop.")
    ] = False,
) -> None:
    pass


_program.__doc__ = HELP
author_commands.register(app)
audit_commands.register(app)
bundle_commands.register(app)
repository_commands.register(app)
seal_commands.register(app)
harness_commands.register(harness)
app.add_typer(harness, name="harness")
contribute_commands.register(app)
merge_commands.register(app)
release_cut_commands.register(release)
release_verify_commands.register(release)
release_data_commands.register(release)
release_diff_commands.register(release)
release.rich_markup_mode = None
app.add_typer(release, name="release", help=RELEASE_HELP)
app.add_typer(task, name="task")

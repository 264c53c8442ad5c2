"""`harness score`, `harness validate`, `harness report`: the read side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cellwright.cli import public_layout_commands
from cellwright.cli.options import BundleDir, Format, Root, bundle_folder
from cellwright.cli.output import console, say, write_bytes, write_json
from cellwright.cli.seal_commands import KeyFile, key_for

Submission = Annotated[
    Path,
    typer.Option(
        "--submission", metavar="FILE", show_default=False, help="The answers: JSON lines (.jsonl) or Markdown (.md)."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (score, validate, report):
        app.command()(command)
    public_layout_commands.register(app)


def score(
    submission: Submission,
    bundle: BundleDir = None,
    root: Root = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", show_default=False, help="Where the result lines are written."),
    ] = None,
    format_: Annotated[Format, typer.Option("--format", help="For people or for programs.")] = Format.TEXT,
    key_file: KeyFile = None,
) -> None:
    """Grade a submission against a bundle.

    Gives one result line a cell, in FILE, and the means with their denominators.

    \b
    Example:
      cellwright harness score --bundle build/bundle --submission answers.jsonl --out results.jsonl
    """
    from cellwright.clients.bundle_reader import open_bundle
    from cellwright.harness.results import report_json
    from cellwright.harness.score import results_jsonl, score_submission
    from cellwright.harness.submission import load_submission

    folder = bundle_folder(bundle, root)
    opened = open_bundle(folder, key_for(folder, key_file))
    report = score_submission(opened, load_submission(submission, opened))
    if out is not None:
        write_bytes(results_jsonl(report), out)
    if format_ is Format.JSON:
        write_json(report_json(report))
        return
    from cellwright.views.terminal import print_score

    print_score(console(), report)
    if out is not None:
        say(f"results: {out}")


def validate(submission: Submission, bundle: BundleDir = None, root: Root = None, key_file: KeyFile = None) -> None:
    """Tell whether a submission can be read, and warn where the bundle or a prompt lacks its canary.

    \b
    Example:
      cellwright harness validate --bundle build/bundle --submission answers.jsonl
    """
    from cellwright.clients.bundle_reader import open_bundle
    from cellwright.harness.canary import canary_problems
    from cellwright.harness.submission import load_submission

    folder = bundle_folder(bundle, root)
    opened = open_bundle(folder, key_for(folder, key_file))
    answers = load_submission(submission, opened)
    for problem in canary_problems(folder, opened):
        say(f"warning: {problem.sentence()}")
    say(f"{submission}: {len(answers.cells)} of {len(opened.tables['cells'])} cells are answered")


def report(
    bundle: BundleDir = None,
    root: Root = None,
    results: Annotated[
        Path | None,
        typer.Option("--results", metavar="FILE", show_default=False, help="Result lines that `harness score` wrote."),
    ] = None,
    task: Annotated[str, typer.Argument(metavar="TASK", show_default=False, help="One task; else each in turn.")] = "",
    key_file: KeyFile = None,
) -> None:
    """Print the matrix of a bundle.

    With the results of a run, each cell has its score beside it.

    \b
    Examples:
      cellwright harness report --bundle build/bundle
      cellwright harness report --bundle build/bundle --results results.jsonl
    """
    from cellwright.clients.bundle_reader import open_bundle
    from cellwright.harness.results import read_scores
    from cellwright.views.terminal import print_matrix

    folder = bundle_folder(bundle, root)
    opened = open_bundle(folder, key_for(folder, key_file))
    if task:
        opened.require_task(task)
    out = console()
    shown = [row for row in opened.tables["tasks"] if task in ("", row["task"])]
    for position, row in enumerate(shown):
        if position:
            out.print()
        mine = {
            name: [item for item in opened.tables[name] if item["task"] == row["task"]]
            for name in ("entities", "dimensions", "cells")
        }
        scores = read_scores(results, row["task"]) if results is not None else None
        print_matrix(out, row, mine["entities"], mine["dimensions"], mine["cells"], scores)

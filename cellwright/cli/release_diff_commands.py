"""`release diff` and `release explain`: what changed between two releases, and why a score did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cellwright.cli.options import Root, repository_at
from cellwright.cli.output import console, write_bytes, write_json, write_text

if TYPE_CHECKING:
    from cellwright.clients.bundle_reader import Bundle
    from cellwright.records.releases.changes import Commit, ReleaseDiff
    from cellwright.views.change_report import ChangeReport

TEXT_WIDTH = 80
"""Columns of text that is written to a file, for mails."""
WHICH = "a version of the repository (1.1.0), or the folder of a bundle."
From = Annotated[str, typer.Argument(metavar="A", show_default=False, help=f"The release compared from: {WHICH}")]
To = Annotated[str, typer.Argument(metavar="B", show_default=False, help=f"The release compared to: {WHICH}")]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", show_default=False, help="Write to a file instead of the standard output."),
]


class ChangeFormat(StrEnum):
    """How a comparison is written."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"


As = Annotated[ChangeFormat, typer.Option("--format", help="For people, for programs, for a mail, or as a page.")]


def register(group: typer.Typer) -> None:
    """Add the commands to the group about releases."""
    for command in (diff, explain):
        group.command()(command)


def diff(
    old: From,
    new: To,
    root: Root = None,
    task: Annotated[
        list[str] | None,
        typer.Option("--task", metavar="TASK", show_default=False, help="Only this task; may be given several times."),
    ] = None,
    format_: As = ChangeFormat.TEXT,
    out: Out = None,
) -> None:
    """Tell what changed between two releases, cell by cell.

    Each field of a cell old → new, why (from the corrections, else the commits), and the cells that rest on
    something that changed. A and B are versions of the repository, such as 1.0.0, or folders of bundles; they may
    be given in either order.

    \b
    Examples:
      cellwright release diff bundle-1.0.0 build/bundle
      cellwright release diff bundle-1.0.0 build/bundle --format markdown --out changes.md
    """
    from cellwright.records.releases.change_data import diff_data
    from cellwright.views.release_diff_view import diff_report

    found = compared(old, new, root, task or ())
    if format_ is ChangeFormat.JSON:
        write_json(diff_data(found), out)
    else:
        write_report(diff_report(found), format_, out)


def explain(
    old: From,
    new: To,
    root: Root = None,
    results: Annotated[
        list[Path] | None,
        typer.Option(
            "--results",
            metavar="FILE",
            show_default=False,
            help="Result lines of `harness score` on A or on B; twice for both.",
        ),
    ] = None,
    submission: Annotated[
        Path | None,
        typer.Option(
            "--submission",
            metavar="FILE",
            show_default=False,
            help="The submission itself, scored now on each release that has no results.",
        ),
    ] = None,
    format_: As = ChangeFormat.TEXT,
    out: Out = None,
) -> None:
    """Tell why the score of a submission changed: a bridge from the old total to the new that adds up.

    Corrected references and their dependents, tasks quarantined, removed and added, rules, judge, and what is left
    on unchanged cells. With results of one release only, their answers are graded again as far as they tell.

    \b
    Examples:
      cellwright release explain bundle-1.0.0 build/bundle --results results.jsonl --submission answers.jsonl
      cellwright release explain bundle-1.0.0 build/bundle --results results.jsonl --format html --out why.html
    """
    from cellwright.clients.bundle_changes import sides
    from cellwright.clients.bundle_reader import open_bundle
    from cellwright.harness.explaining import explain as explained
    from cellwright.records.releases.bridge_data import bridge_data
    from cellwright.records.releases.diff import compare
    from cellwright.views.release_bridge_view import bridge_report

    before, after = (open_bundle(folder_of(name, root)) for name in (old, new))
    changes = compare(*sides(before, after), commits_of(old, new, root))
    found = explained(before, after, changes, results or (), submission)
    if format_ is ChangeFormat.JSON:
        ends = {"old": changes.old.version, "new": changes.new.version, "from": list(found.sources)}
        write_json({"releases": ends, "unanswered": found.unanswered, **bridge_data(found.bridge)}, out)
    else:
        write_report(bridge_report(found, changes), format_, out)


def compared(old: str, new: str, root: Path | None, tasks: Sequence[str] = ()) -> ReleaseDiff:
    """The comparison of two releases, each a version of the repository or a bundle's folder; of `tasks` alone."""
    from cellwright.clients.bundle_changes import sides
    from cellwright.clients.bundle_reader import open_to_compare
    from cellwright.records.releases.diff import compare, only_tasks

    bundles = [open_to_compare(folder_of(name, root)) for name in (old, new)]
    found = compare(*sides(bundles[0], bundles[1]), commits_of(old, new, root))
    if tasks:
        for task in tasks:
            _require_task(task, bundles)
        found = only_tasks(found, tasks)
    return found


def folder_of(name: str, root: Path | None) -> Path:
    """The folder of a bundle that is named, or of the release of the repository that has the version."""
    from cellwright.clients.released import released_bundle

    version = _version(name)
    return Path(name) if version is None else released_bundle(repository_at(root).root, version)


def commits_of(old: str, new: str, root: Path | None) -> Mapping[str, Sequence[Commit]]:
    """The commits between two versions of the repository, by task; none where either is a folder."""
    from cellwright.clients.release_tags import commits_between

    versions = _version(old), _version(new)
    if versions[0] is None or versions[1] is None:
        return {}
    return commits_between(repository_at(root).root, versions[0], versions[1])


def write_report(report: ChangeReport, format_: ChangeFormat, out: Path | None) -> None:
    """A comparison to the standard output or a file, as text, Markdown or a page."""
    if format_ is ChangeFormat.HTML:
        from cellwright.views.change_page import change_page

        write_bytes(change_page(report), out)
    elif format_ is ChangeFormat.MARKDOWN:
        from cellwright.views.change_markdown import change_markdown

        write_text(change_markdown(report), out)
    else:
        from cellwright.views.change_text import change_text, print_change_report

        if out is None:
            print_change_report(console(), report)
        else:
            write_text(change_text(report, TEXT_WIDTH), out)


def _version(name: str) -> Any:
    """The version that is named; None where a folder is. A folder of that name comes first."""
    from cellwright.records.errors import Place, UnreadableInput
    from cellwright.records.releases.versions import Version

    if Path(name).exists():
        return None
    try:
        return Version.parse(name)
    except UnreadableInput:
        raise UnreadableInput(
            "this is neither a version nor the folder of a bundle",
            Place(name),
            expected="such as `1.1.0`, or the folder that `cellwright bundle` built",
        ) from None


def _require_task(task: str, bundles: Sequence[Bundle]) -> None:
    """Raises UnreadableInput where none of the bundles has the task."""
    if not any(task in bundle.tasks for bundle in bundles):
        bundles[1].require_task(task)

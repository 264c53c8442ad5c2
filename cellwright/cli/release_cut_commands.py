"""`release cut`, `release list` and `release yank`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cellwright.cli.options import Format, Root, repository_at
from cellwright.cli.output import agreed, console, print_line, progress, say, write_json

if TYPE_CHECKING:
    from cellwright.authoring.releases.cut import Cut
    from cellwright.authoring.releases.journal import Finished
    from cellwright.authoring.releases.plan import Plan

Because = Annotated[
    str, typer.Option("--because", metavar="TEXT", help="Why, in a sentence that readers are told.", show_default=False)
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Tell what would be done, and do nothing.")]


def register(release: typer.Typer) -> None:
    """Add the commands."""
    release.command()(cut)
    release.command("list")(list_releases)
    release.command("yank")(yank_release)


def cut(
    version: Annotated[
        str,
        typer.Argument(
            metavar="X.Y.Z",
            show_default=False,
            help="The version, or a candidate such as 1.4.0-rc1; the least one that tells what changed, where none is"
            " given.",
        ),
    ] = "",
    root: Root = None,
    demonstration: Annotated[
        bool, typer.Option("--demonstration", help="Allow stand-in captures; the bundle says it is a demonstration.")
    ] = False,
    dry_run: DryRun = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask; needed in a pipe, where nobody can be asked.")
    ] = False,
    format_: Annotated[Format, typer.Option("--format", help="For people or for programs.")] = Format.TEXT,
) -> None:
    """Cut a release: audit, bundle, changelog, DVC push, commit and tag. The plan is shown first.

    The work is done beside your files. A run that fails or is killed leaves the repository as it was, or the release
    whole; the next one goes on from there. Exit 1 when something stands in the way of the release.

    \b
    Examples:
      cellwright release cut --dry-run
      cellwright release cut 1.1.0-rc1 --yes
      cellwright release cut 1.1.0 --yes
    """
    from cellwright.authoring.releases.cut import cut_release
    from cellwright.authoring.releases.journal import cut_lock, finish
    from cellwright.authoring.releases.plan import plan_release
    from cellwright.clients.git_writing import open_work_tree
    from cellwright.records.releases.versions import Version

    repository = repository_at(root)
    wanted = Version.parse(version) if version else None
    with cut_lock(open_work_tree(repository.root)) as folder:
        if not dry_run:
            finished = finish(open_work_tree(repository.root))
            if finished is not None:
                _tell_finished(finished)
                if wanted is None or str(wanted) == finished.version:
                    raise typer.Exit(0)
        with progress("audit") as tell:
            plan = plan_release(repository, wanted, demonstration=demonstration, progress=tell)
        _show(plan, format_, dry_run=dry_run)
        if dry_run:
            return
        _ask(plan, yes=yes)
        done = cut_release(repository, plan, folder, rescore=_rescore, tell=_step)
    _tell_done(plan, done, format_)


def _rescore(bundle: Path, copy: Path) -> Mapping[str, bytes]:
    """Grades the stored reference submissions on a new bundle; files by their path from the repository's root."""
    from cellwright.harness.rescoring import rescored

    return rescored(copy, bundle)


def _show(plan: Plan, format_: Format, *, dry_run: bool) -> None:
    from cellwright.authoring.releases.plan import plan_json, plan_lines

    if format_ is Format.TEXT:
        out = console()
        for line in plan_lines(plan):
            print_line(out, line)
    elif dry_run:
        write_json({"plan": plan_json(plan), "released": None})


def _ask(plan: Plan, *, yes: bool) -> None:
    """Stops unless a person agrees. Raises NotSettled where nobody can be asked and nobody has said yes."""
    from cellwright.records.errors import NotSettled

    if not yes and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NotSettled(
            f"nobody can be asked here whether to release {plan.version}", fix="`--yes` says it, `--dry-run` only tells"
        )
    if not agreed(f"release {plan.version}?", yes=yes):
        say("nothing was released")
        raise typer.Exit(1)


def _step(text: str) -> None:
    if sys.stderr.isatty():
        say(f"{text} …")


def _tell_finished(finished: Finished) -> None:
    say(f"release {finished.version} was whole, and a stop had left the work tree behind: it has been brought forward")
    for name in finished.left:
        say(f"{name} was changed meanwhile and stays as it is: `git diff HEAD -- {name}` shows what it lacks")


def _tell_done(plan: Plan, done: Cut, format_: Format) -> None:
    from cellwright.authoring.releases.plan import plan_json

    branch = plan.work_tree.branch.removeprefix("refs/heads/")
    if format_ is Format.JSON:
        released = {"commit": done.commit, "tag": plan.version.tag, "bundle": done.mark.bundle, "sent": done.sent}
        write_json({"plan": plan_json(plan), "released": released})
    say(f"released {plan.version}: commit {done.commit[:12]}, tag {plan.version.tag}, {done.sent} objects sent")
    for name in done.left:
        say(f"{name} was changed meanwhile and stays as it is: `git diff HEAD -- {name}` shows what it lacks")
    say(f"others get it once you say `git push --atomic origin {branch} {plan.version.tag}`")


def list_releases(
    root: Root = None,
    format_: Annotated[Format, typer.Option("--format", help="For people or for programs.")] = Format.TEXT,
) -> None:
    """List the releases, newest first, with what their tags tell. Only whole ones are there to be listed.

    \b
    Example:
      cellwright release list
    """
    from cellwright.authoring.releases.journal import pending
    from cellwright.authoring.releases.tags import listed_json, listed_releases
    from cellwright.clients.git_writing import open_work_tree
    from cellwright.views.terminal_releases import ReleaseLine, print_releases

    repository = repository_at(root)
    tree = open_work_tree(repository.root)
    releases = listed_releases(repository, tree)
    if format_ is Format.JSON:
        write_json({"releases": listed_json(releases)})
    else:
        lines = [
            ReleaseLine(
                str(item.tag.version),
                item.tag.day,
                item.tag.commit,
                item.tag.mark.cells,
                item.tag.mark.tasks,
                item.tag.mark.demonstration,
                item.yanked,
            )
            for item in releases
        ]
        print_releases(console(), lines)
    if not releases:
        say("there is no release yet: `cellwright release cut --dry-run` shows what one would be")
    if behind := pending(tree):
        say(f"the work tree has still to follow release {behind}: `cellwright release cut {behind}` brings it forward")


def yank_release(
    version: Annotated[str, typer.Argument(metavar="X.Y.Z", show_default=False, help="The release to be yanked.")],
    because: Because,
    root: Root = None,
    dry_run: DryRun = False,
) -> None:
    """Yank a release: its readers are told why not to use it. The tag stays, since others rest on it.

    \b
    Example:
      cellwright release yank 1.1.0 --because "the references of one task were read from the wrong year"
    """
    from cellwright.authoring.releases.withdrawing import yank
    from cellwright.records.releases.versions import Version

    repository = repository_at(root)
    written = yank(repository, Version.parse(version), because)
    say(f"{written.file}: {written.after}")
    if dry_run:
        return
    written.write(repository)
    say(f"next: commit {written.file} and push it; readers see it by `harness score --advisories {written.file}`")

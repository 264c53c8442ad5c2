"""`contribute pack`, `check`, `accept`: a task handed in from outside, and what the maintainers do with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cellwright.cli.capture_commands import Mirror
from cellwright.cli.options import AuditFormat, Day, Format, Root, TaskArgument, day_of, repository_at
from cellwright.cli.output import STOPPED, console, print_line, progress, say, write_bytes, write_json, write_text

if TYPE_CHECKING:
    from cellwright.authoring.contributions.contributing import CheckReport
    from cellwright.authoring.contributions.placing import Placed
    from cellwright.authoring.contributions.reading import Contribution
    from cellwright.authoring.contributions.recapture import Plan
    from cellwright.clients.repository import Repository

HELP = """\
Hand a task in elsewhere, or take one in.

A contribution is one file with a task, its captures and a list of both. What others hand in is checked without
network and without running anything of it, and accepted only after its sources were fetched again.

\b
Examples:
  cellwright contribute pack us-large-caps-fy2023 --out mine.zip
  cellwright contribute check mine.zip --replace
"""
contribute = typer.Typer(name="contribute", no_args_is_help=True, rich_markup_mode=None, help=HELP)

ContributionFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", show_default=False, help="What `contribute pack` made, or the same in a folder."),
]
Draft = Annotated[bool, typer.Option("--draft", help="Judge what is there, not what is still missing.")]
Replace = Annotated[
    bool, typer.Option("--replace", help="It is a new version of a task that is here; what differs is shown.")
]


def register(app: typer.Typer) -> None:
    """Add the group with its commands."""
    for command in (pack, check, accept):
        contribute.command()(command)
    app.add_typer(contribute, name="contribute")


def pack(
    task: TaskArgument,
    root: Root = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", show_default=False, help="The file to write; else TASK.cellwright.zip right here."
        ),
    ] = None,
    draft: Annotated[
        bool, typer.Option("--draft", help="Pack a task that is not admitted yet, to talk about it.")
    ] = False,
    day: Day = "",
) -> None:
    """Pack a task with its captures into one file to hand in. The same task gives the same bytes.

    A contribution has to be admitted, or is a --draft. Exit 1 when it is not, or when captures are missing or are not
    what they are named.

    \b
    Example:
      cellwright contribute pack us-large-caps-fy2023
    """
    from cellwright.authoring.contributions.packing import pack as packed_of
    from cellwright.records.contribution import SUFFIX
    from cellwright.views.finding_view import count_words

    packed = packed_of(repository_at(root), task, draft=draft, day=day_of(day))
    target = out if out is not None else Path(f"{task}{SUFFIX}")
    write_bytes(packed.data, target)
    errors, warnings = packed.findings
    verdict = "admitted" if packed.manifest.admitted else "a draft"
    say(f"{target}: {count_words(len(packed.manifest.files) + 1, 'file')}, {len(packed.data):,} bytes")
    say(f"the audit: {verdict}, {count_words(errors, 'error')}, {count_words(warnings, 'warning')}")
    for name in packed.left_out:
        say(f"left out: {name}, which is no file of a task")
    if packed.stand_ins:
        say(f"stand-ins among the captures: {packed.stand_ins}; a release needs the documents themselves")
    say(f"next: `cellwright contribute check {target}` shows what the maintainers will see; then hand the file in")


def check(
    file: ContributionFile,
    root: Root = None,
    draft: Draft = False,
    replace: Replace = False,
    format_: Annotated[
        AuditFormat, typer.Option("--format", help="text, json, or GitHub annotations; not html.")
    ] = AuditFormat.TEXT,
    day: Day = "",
) -> None:
    """Hold an untrusted contribution against everything that can be known without the network.

    No code in it is run, and nothing of it is written anywhere. It is audited with the registry, the profiles and the
    thresholds of this repository. Exit 0 it may be accepted, 1 it is refused, 2 something of it could not be read.
    Each check has a line in guidelines/contribution-checks.md.

    \b
    Examples:
      cellwright contribute check mine.zip --replace
      cellwright contribute check mine.zip --replace --format github
    """
    from cellwright.authoring.contributions.contributing import check_file

    if format_ is AuditFormat.HTML:
        raise typer.BadParameter("it is text, json or github here", param_hint="--format")
    repository = repository_at(root)
    report = check_file(repository, file, draft=draft, replace=replace, day=day_of(day))
    if format_ is AuditFormat.JSON:
        write_json(report.as_json())
    elif format_ is AuditFormat.GITHUB:
        from cellwright.views.contribution_view import github_check

        write_text(github_check(report.findings, report.audit))
    else:
        _print_report(report)
    raise typer.Exit(report.exit_code)


def accept(
    file: ContributionFile,
    root: Root = None,
    recapture: Annotated[
        bool, typer.Option("--recapture", help="Fetch every source again; else only what would be added is told.")
    ] = False,
    mirror: Mirror = None,
    trust: Annotated[
        list[str] | None,
        typer.Option(
            "--trust",
            metavar="SOURCE",
            show_default=False,
            help="Take the capture handed in of a source that is unreachable or says another thing now. May be given"
            " several times.",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Put it in place; without it nothing is written.")] = False,
    draft: Draft = False,
    replace: Replace = False,
    format_: Annotated[Format, typer.Option("--format", help="For people or for programs.")] = Format.TEXT,
    day: Day = "",
) -> None:
    """Take a contribution into the repository: checked, every source fetched again, and then put in place whole.

    Told of each source is whether its document is the same, changed, or unreachable, and of a changed one what became
    of each figure. Our own captures are pinned. Nothing is written without --yes. Exit 1 when the contribution is
    refused, or when a document is unreachable or does not say any more what was read from it.

    \b
    Examples:
      cellwright contribute accept mine.zip --replace
      cellwright contribute accept mine.zip --replace --recapture --mirror sources/stand-ins/us-large-caps-fy2023
    """
    from cellwright.authoring.captures.command import fetcher_of
    from cellwright.authoring.contributions.contributing import check_container
    from cellwright.authoring.contributions.placing import place
    from cellwright.authoring.contributions.recapture import recaptured
    from cellwright.clients.contribution_file import open_contribution

    if not recapture and (mirror is not None or yes or trust):
        raise typer.BadParameter("--mirror, --trust and --yes go with it", param_hint="--recapture")
    repository, judged = repository_at(root), day_of(day)
    with open_contribution(file) as container:
        report, found = check_container(repository, container, draft=draft, replace=replace, day=judged)
        if report.exit_code or not recapture:
            _tell(repository, report, found, format_)
            if not report.exit_code:
                say("nothing was fetched or written: `--recapture` fetches every source again")
            raise typer.Exit(report.exit_code)
        fetcher = fetcher_of(mirror, False, False)
        with (
            progress("fetch") as tell,
            recaptured(repository, found, fetcher, trusted=trust or (), draft=draft, day=judged, progress=tell) as plan,
        ):
            placed = place(repository, plan, replace=replace) if yes and not plan.refusals and not plan.left else None
            if format_ is Format.JSON:
                write_json({**report.as_json(), **_plan_json(plan), "placed": placed is not None})
            else:
                _tell(repository, report, found, format_)
                _print_plan(plan)
            _tell_end(plan, placed, report)
            raise typer.Exit(STOPPED if plan.left else 1 if plan.refusals else 0)


def _tell(repository: Repository, report: CheckReport, found: Contribution, format_: Format) -> None:
    """The check, and what would be added or differs."""
    from cellwright.authoring.contributions.placing import differences
    from cellwright.views.finding_view import count_words

    if format_ is Format.JSON:
        write_json(report.as_json())
        return
    _print_report(report)
    if report.exit_code:
        return
    out = console()
    print_line(out, f"would be added: tasks/{report.task}/ with {', '.join(sorted(found.task_files))}")
    print_line(out, f"and {count_words(len(found.captures), 'capture')}, told of in sources/captures.csv")
    for line in differences(repository, report.task, found.task_files):
        print_line(out, line, 2)


def _print_report(report: CheckReport) -> None:
    from cellwright.views.contribution_view import print_check

    print_check(console(), report.shown, report.task, report.findings, report.audit, report.exit_code)


def _print_plan(plan: Plan) -> None:
    from cellwright.cli.drift_output import print_task_drift

    out = console()
    for one in plan.sources:
        held = "; every figure still stands" if one.became == "changed" and one.holds else ""
        kept = "; the capture handed in is taken" if one.pin != one.ours and one.trusted else ""
        print_line(out, f"{one.source}: {one.became}{held}{kept}{f' ({one.note})' if one.note else ''}", 2)
    if plan.drift.facts:
        print_task_drift(plan.drift)


def _plan_json(plan: Plan) -> dict[str, object]:
    from cellwright.authoring.captures.drifting import drift_json

    sources = [
        {
            "source": one.source,
            "became": one.became,
            "theirs": one.theirs,
            "ours": one.ours,
            "pin": one.pin,
            "holds": one.holds,
            "trusted": one.trusted,
            "note": one.note,
        }
        for one in plan.sources
    ]
    return {
        "sources": sources,
        "drift": drift_json(plan.drift),
        "refusals": [item.sentence() for item in plan.refusals],
    }


def _tell_end(plan: Plan, placed: Placed | None, report: CheckReport) -> None:
    """What came of it, on the error stream: refusals, what was put in place, what is left to a person."""
    from cellwright.cli.problems import tell
    from cellwright.records.errors import NotSettled
    from cellwright.views.finding_view import count_words

    if plan.refusals:
        tell(NotSettled(plan.refusals))
        return
    if plan.left:
        return
    if placed is None:
        say("nothing was written: `--yes` puts it in place")
        return
    say(f"tasks/{plan.task}: put in place, {count_words(placed.captures, 'capture')} added")
    if placed.pointer:
        say(f"{placed.pointer}: the captures are tracked; `dvc push` shares them")
    for line in report.proposed_lines:
        say(f"proposed for sources/registry.csv, paste it there if it is right: {line}")
    for name in report.proposed_profiles:
        say(f"proposed for profiles/: {name}.yaml; look at it in the contribution")

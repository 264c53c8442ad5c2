"""`audit` and `rules`: is it good enough to publish?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from cellwright.cli.options import AuditFormat, Day, Format, Out, Root, TasksArgument, day_of, repository_at
from cellwright.cli.output import console, progress, say, write_bytes, write_json, write_text

if TYPE_CHECKING:
    from cellwright.clients.repository import Repository
    from cellwright.records.errors import Problem
    from cellwright.records.findings import Audit


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (audit, rules):
        app.command()(command)


def audit(
    tasks: TasksArgument = None,
    root: Root = None,
    draft: Annotated[bool, typer.Option("--draft", help="Judge what is there, not what is still missing.")] = False,
    format_: Annotated[
        AuditFormat, typer.Option("--format", help="text, json, html, or GitHub annotations.")
    ] = AuditFormat.TEXT,
    out: Out = None,
    day: Day = "",
    since: Annotated[
        str,
        typer.Option(
            "--since",
            metavar="REV",
            show_default=False,
            help="Tell only the findings that were not there at this revision: a commit, branch or tag of git.",
        ),
    ] = "",
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Audit every task anew, and keep nothing in .cellwright/.")
    ] = False,
) -> None:
    """Hold tasks against the five conditions, and each other.

    Exit 0 admitted (warnings allowed), 1 findings, 2 unreadable input. With --draft, 0 where nothing is wrong in
    what is there; with --since, 0 where no error is new. A task that did not change since it was last audited is
    not audited again.

    \b
    Examples:
      cellwright audit
      cellwright audit us-large-caps-fy2023 --format json --out audit.json
      cellwright audit --format html --out audit.html
      cellwright audit --day 2025-06-30
      cellwright audit --no-cache
    """
    from cellwright.authoring.auditing import TOOL, audit_since, audit_tasks
    from cellwright.cli.problems import tell as tell_error
    from cellwright.records.errors import UnreadableInput
    from cellwright.records.findings import Audit

    repository, judged, cached = repository_at(root), day_of(day), not no_cache
    try:
        with progress("audit") as tell:
            if since:
                audited = audit_since(repository, tasks, since, draft=draft, day=judged, cached=cached, progress=tell)
            else:
                audited = audit_tasks(repository, tasks, draft=draft, day=judged, cached=cached, progress=tell)
    except UnreadableInput as error:
        if format_ is AuditFormat.GITHUB:  # a review shows what cannot be read beside the line, too
            write_text(_annotations(repository, Audit(tool=TOOL, tasks=()), error.problems), out)
        raise
    result = audited.audit
    if format_ is AuditFormat.JSON:
        # The same text as `write_json` gives; that takes longer than the audit where most of it comes from the cache.
        write_text(result.model_dump_json(indent=1) + "\n", out)
    elif format_ is AuditFormat.GITHUB:
        write_text(_annotations(repository, result, audited.problems), out)
    elif format_ is AuditFormat.HTML:
        from cellwright.views.audit_page import audit_page

        write_bytes(audit_page(result), out)
    elif out is not None:
        from cellwright.views.text import audit_text

        write_text(audit_text(result), out)
    else:
        from cellwright.views.terminal import print_audit

        print_audit(console(), result)
    if not result.tasks and not audited.problems:
        say("there is no task yet; `cellwright new TASK` makes one")
    if audited.problems:
        tell_error(UnreadableInput(audited.problems))
        raise typer.Exit(UnreadableInput.exit_code)
    raise typer.Exit(0 if result.passed else 1)


def _annotations(repository: Repository, audit: Audit, problems: Sequence[Problem]) -> str:
    """The audit for GitHub, which takes a file's path from the top of the git repository."""
    from cellwright.clients.git_start import work_tree_prefix
    from cellwright.views.github import github_annotations

    return github_annotations(audit, problems, prefix=work_tree_prefix(repository.root) or "")


def rules(
    root: Root = None,
    format_: Annotated[Format, typer.Option("--format", help="For people or for programs.")] = Format.TEXT,
) -> None:
    """List the audit's rules. Each has a page in guidelines/rules/; those of installed plug-ins stand among them.

    Needs no repository; of the one that is named, what params.yaml sets for plug-ins is checked.

    \b
    Example:
      cellwright rules
    """
    from cellwright.authoring.plug_ins import load_plug_ins
    from cellwright.authoring.settings import load_plug_in_settings
    from cellwright.validators.audit import all_rules

    added = load_plug_ins(load_plug_in_settings(repository_at(root)) if root is not None else None)
    found = sorted([*all_rules(), *(known.info for known in added.rules)], key=lambda info: info.id)
    for problem in added.problems:
        say(f"warning: {problem.sentence()}")
    if format_ is Format.JSON:
        write_json(
            [
                {
                    "rule": rule.id,
                    "condition": rule.condition.value,
                    "severity": rule.severity,
                    "title": rule.title,
                    "origin": rule.origin or "cellwright",
                }
                for rule in found
            ]
        )
        return
    from rich.table import Table

    from cellwright.views.safe import fit

    heads = ("rule", "condition", "severity", "what it tells", *(("added by",) if added.rules else ()))
    table = Table(box=None, pad_edge=False)
    for head in heads:
        table.add_column(head)
    for rule in found:
        cells = (rule.id, rule.condition.value, rule.severity, rule.title, rule.origin)
        table.add_row(*(fit(text) for text in cells[: len(heads)]))
    console().print(table)

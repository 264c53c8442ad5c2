"""The options that several commands share, described once."""

from __future__ import annotations

from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cellwright.clients.repository import Repository

Root = Annotated[
    Path | None,
    typer.Option(
        "--root",
        envvar="CELLWRIGHT_ROOT",
        metavar="DIR",
        show_default=False,
        help="The repository; else the nearest folder above that holds tasks/ and sources/.",
    ),
]
TaskArgument = Annotated[
    str, typer.Argument(metavar="TASK", help="The task's id: its folder below tasks/.", show_default=False)
]
TasksArgument = Annotated[
    list[str] | None, typer.Argument(metavar="TASK", help="The tasks' ids; all when none is given.", show_default=False)
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", show_default=False, help="Write to a file instead of the standard output."),
]

BundleDir = Annotated[
    Path | None,
    typer.Option(
        "--bundle", metavar="DIR", show_default=False, help="The bundle's folder; else build/bundle of the repository."
    ),
]


Day = Annotated[
    str,
    typer.Option(
        "--day",
        envvar="CELLWRIGHT_DAY",
        metavar="YYYY-MM-DD",
        show_default=False,
        help="The day of the audit, by which waivers run out; today where it is not said.",
    ),
]


class Format(StrEnum):
    """How a result is written."""

    TEXT = "text"
    JSON = "json"


class AuditFormat(StrEnum):
    """How an audit is written."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"
    GITHUB = "github"


def repository_at(root: Path | None) -> Repository:
    """The repository that `--root` names, or the nearest one above the present folder."""
    from cellwright.clients.repository import open_repository, repository_root

    return open_repository(root if root is not None else repository_root(Path.cwd()))


def bundle_folder(bundle: Path | None, root: Path | None) -> Path:
    """The bundle that is named, else the one that `cellwright bundle` builds in the repository at `root`.

    A named bundle needs no repository: labs grade against a folder that they were given.
    """
    return bundle if bundle is not None else repository_at(root).path("build", "bundle")


def day_of(text: str) -> date:
    """The day that `--day` names, or today's in UTC. Raises UnreadableInput for what is no date."""
    from cellwright.records.errors import UnreadableInput

    if not text.strip():
        return datetime.now(UTC).date()
    try:
        if len(text.strip()) != len("YYYY-MM-DD"):
            raise ValueError
        return date.fromisoformat(text.strip())
    except ValueError:
        raise UnreadableInput(
            "the day of the audit cannot be read", seen=text, expected="a date as YYYY-MM-DD", fix="mend `--day`"
        ) from None

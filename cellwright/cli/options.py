"""The options that several commands share, described once."""

from __future__ import annotations

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

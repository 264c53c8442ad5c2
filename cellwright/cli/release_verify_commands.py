"""`release verify`: whether a release, or a bundle that somebody got, is what it says it is."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from cellwright.cli.options import Format, Root, repository_at
from cellwright.cli.output import console, progress, write_json
from cellwright.cli.seal_commands import KeyFile


def register(release: typer.Typer) -> None:
    """Add the command to the group."""
    release.command()(verify)


def verify(
    subject: Annotated[
        str,
        typer.Argument(
            metavar="[REPO|BUNDLE]",
            show_default=False,
            help="A repository (folder or address), or a bundle's folder; else the repository here.",
        ),
    ] = "",
    rev: Annotated[str, typer.Option("--rev", metavar="vX.Y.Z", show_default=False, help="The release's tag.")] = "",
    repository: Annotated[
        str,
        typer.Option(
            "--repository",
            metavar="REPO",
            show_default=False,
            help="With a bundle and --rev: the repository that has the tag; else the one at --root.",
        ),
    ] = "",
    pinned: Annotated[
        bool,
        typer.Option(
            "--pinned",
            help="Rebuild with exactly the libraries that the tag's requirements.lock pins; they are downloaded.",
        ),
    ] = False,
    root: Root = None,
    key_file: KeyFile = None,
    format_: Annotated[Format, typer.Option("--format", help="For people or for programs.")] = Format.TEXT,
) -> None:
    """Verify a release from its repository, or a bundle that you got.

    From a repository: the tag is cloned afresh, its captures and bundle are pulled from the DVC remote, every hash
    is checked, the bundle is built again and compared byte for byte, and the stored submissions are scored anew.
    `cellwright release verify --rev v1.2.0` does it in the repository here, or name another one first.
    Of a bundle's folder, every file is checked; with `--rev` also against the tag.
    Exit 0 when verified, 1 when anything is wrong.

    \b
    Example:
      cellwright release verify build/bundle
    """
    from cellwright.authoring.releases.verifying_releases import verify_bundle, verify_release
    from cellwright.clients.seal_key import find_key
    from cellwright.harness.rescoring import score_faults
    from cellwright.records.errors import UnreadableInput

    key = find_key(key_file)
    if is_bundle(subject):
        with _ended_as_stopped():
            found = verify_bundle(Path(subject), _repository(repository, root) if rev else "", rev, key=key)
    elif not rev:
        raise UnreadableInput("no release is named", expected="its tag", fix="say which with `--rev vX.Y.Z`")
    else:
        with _ended_as_stopped(), progress("verify") as tell:
            place = subject or _repository(repository, root)
            found = verify_release(place, rev, score_faults, pinned=pinned, key=key, progress=tell)
    if format_ is Format.JSON:
        write_json(found.model_dump(mode="json"))
    else:
        from cellwright.views.terminal import print_verification

        print_verification(console(), found)
    if not found.verified:
        raise typer.Exit(1)


def is_bundle(subject: str) -> bool:
    """Whether a folder is a bundle's: it has a bundle.json, or nothing that a repository has."""
    path = Path(subject)
    if not subject or not path.is_dir():
        return False
    return (path / "bundle.json").exists() or not any((path / name).exists() for name in (".git", "HEAD", "tasks"))


def _repository(repository: str, root: Path | None) -> str:
    return repository or str(repository_at(root).root)


@contextmanager
def _ended_as_stopped() -> Iterator[None]:
    """A request to end, as a queue of jobs sends it, is taken as a stop by hand: the temporary folder is removed."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)

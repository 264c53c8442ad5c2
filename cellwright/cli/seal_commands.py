"""`seal-key`, and how commands find the key of a sealed bundle."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cellwright.cli.options import Root
from cellwright.cli.output import say

if TYPE_CHECKING:
    from cellwright.clients.seal_key import SealKey

KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        show_default=False,
        help="The file with the key of a sealed bundle; else the settings CELLWRIGHT_SEAL_KEY_FILE or "
        "CELLWRIGHT_SEAL_KEY.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="seal-key")(seal_key)


def seal_key(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", show_default=False, help="The file to be made; it must not be there yet.")
    ],
    root: Root = None,
) -> None:
    """Make the key of sealed bundles.

    The file can be read by you alone. Keep a copy where it cannot get lost, and keep it out of the repository: who
    has it can read every answer, and who lost it can open nothing.

    \b
    Example:
      cellwright seal-key benchmark.key
    """
    from cellwright.clients.seal_key import KEY_FILE, in_a_git_tree, make_key_file

    public = make_key_file(file)
    say(f"{file}: a new key, {public}")
    inside = root is not None and file.absolute().is_relative_to(root.absolute())
    if inside or in_a_git_tree(file):
        say(f"warning: {file} lies in a repository: move it out, or it will be published with it")
    say(f"next: `cellwright bundle --sealed --key-file {file}`, or set {KEY_FILE}")


def key_for(bundle: Path, key_file: Path | None) -> SealKey | None:
    """The key for a bundle in a folder; None where it is not sealed, or no key is given."""
    from cellwright.clients.bundle_manifest import is_sealed

    return given_key(key_file) if key_file is not None or is_sealed(bundle) else None


def given_key(key_file: Path | None) -> SealKey | None:
    """The key that the option or the environment gives, its warning told; None where there is none."""
    from cellwright.clients.seal_key import find_key

    key = find_key(key_file)
    if key is not None and key.warning:
        say(f"warning: {key.warning}")
    return key

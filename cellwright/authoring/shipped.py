"""What the package brings for a new repository: the annotators' guidelines, the publishers, and the templates.

The guidelines and the registry stand at the top of Cellwright's own repository, where people look for them. A wheel
has them among its templates (`force-include` in pyproject.toml); in an editable install they are read where they
stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import cellwright
from cellwright.records.errors import Place, WorldFailed

_PLACES = {"guidelines": ("guidelines",), "registry.csv": ("sources", "registry.csv")}
"""What a wheel has among its templates, and where it stands in Cellwright's own repository."""


def templates() -> dict[str, str]:
    """The templates of a new repository, by their name below `templates/repository`."""
    top = files("cellwright.authoring").joinpath("templates", "repository")
    return {name: data.decode("utf-8") for name, data in _below(top, "")}


def guidelines() -> dict[str, bytes]:
    """The annotators' pages by their path below `guidelines/`, sorted. Raises WorldFailed where they are missing."""
    return {name: data for name, data in sorted(_below(_shipped("guidelines"), "")) if name.endswith(".md")}


def registry() -> bytes:
    """The publishers that Cellwright ships. Raises WorldFailed where they are missing."""
    return _shipped("registry.csv").read_bytes()


def _shipped(name: str) -> Traversable:
    packaged = files("cellwright.authoring").joinpath("templates", name)
    if packaged.is_dir() or packaged.is_file():
        return packaged
    own = Path(cellwright.__file__).resolve().parents[1].joinpath(*_PLACES[name])
    if own.exists():
        return own
    raise WorldFailed(
        f"this installation of Cellwright lacks `{name}`",
        Place("cellwright/authoring/templates"),
        fix="install Cellwright again, from a wheel or from its repository",
    )


def _below(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda item: item.name):
        name = f"{path}{entry.name}"
        if entry.is_dir():
            yield from _below(entry, f"{name}/")
        else:
            yield name, entry.read_bytes()

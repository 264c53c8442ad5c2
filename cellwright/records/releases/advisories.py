"""Advisories: whom they concern (design, section 7)."""

from __future__ import annotations

from collections.abc import Iterable

from cellwright.records.releases.versions import Version
from cellwright.records.repository_rows import Advisory

Cell = tuple[str, str, str]


def concerns(advisory: Advisory, version: Version) -> bool:
    """Whether a reader of the release `version` must know the advisory.

    A yanked release concerns its own readers; a correction and a quarantine those of every release before the
    one that has it. Raises UnreadableInput where the advisory's version is none.
    """
    mine = Version.parse(advisory.version)
    return version == mine if advisory.kind == "yanked" else version < mine


def affected(advisory: Advisory, cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """The cells (task, entity, dimension) that an advisory is about; all where it names no task, as of a release."""
    wanted = (advisory.task, advisory.entity, advisory.dimension)
    return tuple(
        cell for cell in cells if all(name in ("", "*", part) for name, part in zip(wanted, cell, strict=True))
    )

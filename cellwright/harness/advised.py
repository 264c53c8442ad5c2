"""What readers of a release must know of it: the advisories that concern it, with the cells they are about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cellwright.clients.bundle_reader import MANIFEST, Bundle, Key
from cellwright.harness.score import ScoreReport
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.releases.advisories import affected, concerns
from cellwright.records.releases.versions import Version
from cellwright.records.repository_rows import Advisory


@dataclass(frozen=True, slots=True)
class Advised:
    """An advisory that concerns the release, and the cells of it that it is about."""

    advisory: Advisory
    cells: tuple[Key, ...]


def advised(bundle: Bundle, advisories: Iterable[Advisory]) -> tuple[Advised, ...]:
    """The advisories that concern the bundle, a yanked release first. No score is ever changed by them.

    One about a task or cell that the bundle does not have is left out. Raises UnreadableInput where the bundle's
    version is none.
    """
    try:
        version = Version.parse(bundle.version)
    except UnreadableInput:
        raise UnreadableInput(
            "no advisory can be held against a bundle whose version is none",
            Place(MANIFEST, column="version"),
            seen=bundle.version,
            expected="such as `1.4.0`",
        ) from None
    found = [Advised(item, affected(item, bundle.cells_in_order)) for item in advisories if concerns(item, version)]
    kept = [item for item in found if item.cells or item.advisory.kind == "yanked"]
    return tuple(sorted(kept, key=lambda item: (item.advisory.kind != "yanked", int(item.advisory.id[1:]))))


def advised_json(found: Iterable[Advised], report: ScoreReport) -> list[dict[str, object]]:
    """The advisories as plain data, each column text, with the cells it is about and what they scored."""
    lines = {(line.task, line.entity, line.dimension): line.data() for line in report.lines}
    return [
        {
            **item.advisory.texts(),
            "cells": [
                {"task": key[0], "entity": key[1], "dimension": key[2], "score": lines[key]["score"]}
                for key in item.cells
            ]
            if item.advisory.kind != "yanked"
            else [],
        }
        for item in found
    ]

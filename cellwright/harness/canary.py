"""The canary of a bundle: the text by which a leak into training data is found out, and where it must stand."""

from __future__ import annotations

from pathlib import Path

from cellwright.clients.bundle_reader import MANIFEST, Bundle
from cellwright.clients.disk import read_bytes
from cellwright.records.errors import Place, Problem

OPEN_FILES = ("README.md",)
"""What people read of a bundle, beside the prompts."""
MAX_FILE = 16_000_000
"""Bytes of a file in which the canary is looked for."""


def canary_problems(folder: Path, bundle: Bundle) -> list[Problem]:
    """Where the canary of the bundle in `folder` is missing: in `bundle.json`, or in the card or a prompt."""
    if not bundle.canary.strip():
        return [
            Problem(
                "the bundle has no canary",
                Place(MANIFEST, column="canary"),
                expected="a text that stands nowhere else",
                fix="its publisher sets `canary:` below `bundle:` in params.yaml",
            )
        ]
    wanted = bundle.canary.strip().encode()
    names = [*OPEN_FILES, *(f"prompts/{task}.md" for task in bundle.tasks)]
    return [
        Problem(
            "the canary does not stand in the file",
            Place(name),
            expected=bundle.canary[:80],
            fix="build the bundle again with this version of cellwright",
        )
        for name in names
        if not (folder / name).is_file() or wanted not in read_bytes(folder / name, limit=MAX_FILE, name=name)
    ]

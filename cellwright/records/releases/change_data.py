"""A comparison of two releases as plain data for JSON: numbers as decimal strings, keys in a fixed order."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from cellwright.records.releases.changes import ReleaseDiff, Side


def diff_data(diff: ReleaseDiff) -> dict[str, Any]:
    """`{"old", "new", "counts", "tasks", "facts", "cells"}`; a field is `{"field", "old", "new", "by", "percent"}`."""
    return {
        "old": side_data(diff.old),
        "new": side_data(diff.new),
        "counts": diff.counts(),
        "tasks": [asdict(task) for task in diff.tasks],
        "facts": [asdict(fact) for fact in diff.facts],
        "cells": [asdict(cell) for cell in diff.cells],
    }


def side_data(side: Side) -> dict[str, Any]:
    """A release by name, version, digest of its cells, and how many tasks and cells it has."""
    return {
        "name": side.name,
        "version": side.version,
        "cells_digest": side.cells_digest,
        "tasks": side.tasks,
        "cells": side.cells,
    }

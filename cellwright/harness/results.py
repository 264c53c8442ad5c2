"""Result lines read back: what `harness score` wrote, for the matrix and for comparisons."""

from __future__ import annotations

import json
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

from cellwright.clients.disk import read_bytes
from cellwright.harness.score import ScoreReport
from cellwright.records.decimals import canonical, parse_canonical
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.scoring import Mean

Scores = dict[tuple[str, str], Decimal]
MAX_RESULTS = 64_000_000


def read_scores(path: Path, task: str) -> Scores:
    """The score of each cell of `task` by (entity, dimension); cells whose score is open are left out.

    Raises UnreadableInput with the line for what is no result line.
    """
    data = read_bytes(path, limit=MAX_RESULTS)
    scores: Scores = {}
    for number, line in enumerate(data.decode("utf-8", errors="replace").splitlines(), 1):
        if not line.strip():
            continue
        row = _row(line, Place(str(path), number))
        if row["task"] == task and row["score"] is not None:
            scores[row["entity"], row["dimension"]] = parse_canonical(row["score"])
    return scores


def _row(line: str, place: Place) -> dict[str, Any]:
    try:
        row = json.loads(line)
        ids = [row[name] for name in ("task", "entity", "dimension")]
        if not all(isinstance(name, str) for name in ids):
            raise ValueError
        if row["score"] is not None:
            parse_canonical(row["score"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UnreadableInput(
            "the line is no result",
            place,
            seen=line,
            expected="a line that `cellwright harness score --out FILE` wrote",
        ) from None
    return dict(row)


def report_json(report: ScoreReport) -> dict[str, object]:
    """The means of a report as plain data, decimals as text; each with what it was taken over."""
    totals = report.totals
    return {
        "bundle": report.bundle,
        "version": report.version,
        "cells_digest": report.cells_digest,
        "benchmark": _mean(totals.benchmark),
        "tasks": {name: _mean(mean) for name, mean in sorted(totals.tasks.items())},
        "families": {name: _mean(mean) for name, mean in sorted(totals.families.items())},
        "run_failed": sorted(_failed(report.scores)),
    }


def _mean(mean: Mean) -> dict[str, object]:
    return {
        "score": _text(mean.score),
        "lower": _text(mean.lower),
        "upper": _text(mean.upper),
        "members": mean.members,
        "cells": mean.cells,
        "outcomes": {name: count for name, count in sorted(mean.counts.items()) if count},
    }


def _text(value: Decimal | None) -> str | None:
    return None if value is None else canonical(value)


def _failed(scores: Iterable[Any]) -> set[str]:
    return {score.task for score in scores if score.outcome == "run_failed"}

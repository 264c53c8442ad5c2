"""The stored submissions of a repository scored anew: a score that moves while the bundle stays was moved by code.

A repository keeps each as `releases/submissions/<name>/submission.jsonl`, and beside it `results.jsonl`: what it
scored when the release was cut.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cellwright.clients.bundle_reader import Bundle, open_bundle
from cellwright.clients.repository import Repository, open_repository
from cellwright.harness.offered import near_miss_submission, reference_submission
from cellwright.harness.score import results_jsonl as lines_of
from cellwright.harness.score import score_submission
from cellwright.harness.submission import Submission, read_submission
from cellwright.records.errors import CellwrightError

SUBMISSIONS = "releases/submissions"
SUBMISSION = "submission.jsonl"
RESULTS = "results.jsonl"
COMPARED = ("cell_digest", "outcome", "score", "lower", "upper")
"""What must not move; words that explain a score may be put better."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,80}")


def rescore(bundle: Bundle, submission: Submission) -> bytes:
    """The result lines of a submission, sorted by task, entity and dimension: the same bytes for the same scores."""
    lines = lines_of(score_submission(bundle, submission)).decode("utf-8").splitlines(keepends=True)
    return "".join(sorted(lines, key=lambda line: _key(json.loads(line)))).encode("utf-8")


def rescored(root: Path, bundle: Path) -> dict[str, bytes]:
    """Each stored submission's `results.jsonl` by its path from the root, scored on the bundle in a folder.

    A repository without any is offered two, with their results: the bundle's own reference answers, which score 1
    everywhere, and its near misses. Raises UnreadableInput for a bundle or submission that cannot be read.
    """
    opened, repository = open_bundle(bundle), open_repository(root)
    found: dict[str, bytes] = {}
    for name in stored(repository):
        found[f"{SUBMISSIONS}/{name}/{RESULTS}"] = _rescored(repository, name, opened)
    if found:
        return found
    for name, data in (("near-misses", near_miss_submission(opened)), ("reference", reference_submission(opened))):
        if data:
            found[f"{SUBMISSIONS}/{name}/{SUBMISSION}"] = data
            found[f"{SUBMISSIONS}/{name}/{RESULTS}"] = rescore(opened, read_submission(data, opened, SUBMISSION))
    return found


def _rescored(repository: Repository, name: str, bundle: Bundle) -> bytes:
    """The result lines of one stored submission."""
    data = repository.file(*SUBMISSIONS.split("/"), name, SUBMISSION) or b""
    place = f"{SUBMISSIONS}/{name}/{SUBMISSION}"
    return rescore(bundle, read_submission(still_there(data, bundle), bundle, place))


def still_there(data: bytes, bundle: Bundle) -> bytes:
    """A stored submission without the answers to cells that the bundle has no more: tasks come and go, it stays."""
    kept = []
    for line in data.splitlines(keepends=True):
        try:
            gone = _key(json.loads(line)) not in bundle.cells
        except (ValueError, TypeError, KeyError, RecursionError):
            gone = False  # what cannot be read is told by the reader, with its place
        kept.append(b"\n" if gone else line)
    return b"".join(kept)


def stored(repository: Repository) -> tuple[str, ...]:
    """The names of the stored submissions, sorted."""
    return tuple(
        name
        for name in repository.names(SUBMISSIONS)
        if _NAME.fullmatch(name) and SUBMISSION in repository.names(f"{SUBMISSIONS}/{name}")
    )


def score_faults(root: Path, bundle: Path) -> tuple[int, list[tuple[str, str]]]:
    """How many submissions are stored, and each score that is not what was stored: the file, and what moved.

    Raises UnreadableInput where the bundle cannot be read.
    """
    opened, repository = open_bundle(bundle), open_repository(root)
    names = stored(repository)
    faults: list[tuple[str, str]] = []
    for name in names:
        place = f"{SUBMISSIONS}/{name}/{RESULTS}"
        try:
            new = _rescored(repository, name, opened)
            old = repository.file(*SUBMISSIONS.split("/"), name, RESULTS)
        except CellwrightError as error:
            faults += [(problem.place.file or place, problem.sentence()) for problem in error.problems]
            continue
        if old is None:
            faults.append((place, "what the submission scored when the release was cut is not stored"))
        else:
            faults += [(place, what) for what in moved(old, new)]
    return len(names), faults


def moved(old: bytes, new: bytes) -> list[str]:
    """Each difference of two results in words: the cell, what moved, the old and the new."""
    return list(_moved(old, new))


def _moved(old: bytes, new: bytes) -> Iterator[str]:
    try:
        before = _by_cell(old)
    except (ValueError, TypeError, KeyError, RecursionError):
        yield "the stored results cannot be read"
        return
    after = _by_cell(new)
    for key in sorted(before.keys() | after.keys()):
        cell = "/".join(key)
        if key not in after or key not in before:
            yield f"{cell}: {'is scored no more' if key in before else 'is scored, and was not stored'}"
            continue
        for name in COMPARED:
            one, other = before[key].get(name), after[key].get(name)
            if one != other:
                yield f"{cell}: `{name}` was {_told(one)} and is {_told(other)}"


def _by_cell(data: bytes) -> dict[tuple[str, str, str], Mapping[str, Any]]:
    rows = [json.loads(line) for line in data.decode("utf-8").splitlines() if line.strip()]
    found = {_key(row): row for row in rows}
    if len(found) != len(rows):
        raise ValueError("a cell stands twice")
    return found


def _key(row: Mapping[str, Any]) -> tuple[str, str, str]:
    key = row["task"], row["entity"], row["dimension"]
    if not all(isinstance(part, str) for part in key):
        raise TypeError("a cell's name is no text")
    return key


def _told(value: object) -> str:
    return "open" if value is None else str(value)[:80]

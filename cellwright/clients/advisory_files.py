"""Advisories from where readers have them: an `advisories.csv`, a newer bundle's `bundle.json`, or its folder.

Such a file comes from anywhere: it is bounded, and what is not an advisory is refused with its place.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellwright.clients.disk import read_bytes
from cellwright.records.errors import CellwrightError, Place, Problem, UnreadableInput
from cellwright.records.releases.versions import Version

if TYPE_CHECKING:
    from cellwright.records.repository_rows import Advisory

MAX_FILE = 16_000_000
"""Bytes of a file of advisories."""
MAX_ADVISORIES = 10_000
NAMES = "an advisories.csv, a newer bundle's bundle.json, or its folder"


def read_advisories(path: Path, benchmark: str) -> tuple[Advisory, ...]:
    """The advisories in a file or in a bundle's folder, in their order.

    Only `bundle.json` of a bundle is read: whoever warns of a release need not have its tables. One of another
    benchmark than the one named is refused. Raises UnreadableInput for what holds no advisories, with each
    fault's place.
    """
    if path.is_dir():
        if not (path / "bundle.json").is_file():
            raise UnreadableInput("the folder holds no advisories", Place(str(path)), expected=NAMES)
        path = path / "bundle.json"
    data = read_bytes(path, limit=MAX_FILE, name=path.name)
    if path.suffix == ".csv":
        from cellwright.records.repository_rows import Advisory
        from cellwright.records.tables import read_records

        rows = read_records(data, Advisory, path.name).rows
        _checked([(row, Place(path.name, row.line, record=row.id)) for row in rows])
        return rows
    try:
        manifest = json.loads(data.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise UnreadableInput("the file holds no advisories", Place(path.name), expected=NAMES) from None
    if not isinstance(manifest, dict) or "advisories" not in manifest:
        raise UnreadableInput("the file holds no advisories", Place(path.name), expected=NAMES)
    if manifest.get("name") != benchmark:
        raise UnreadableInput(
            "the advisories are those of another benchmark",
            Place(path.name, column="name"),
            seen=str(manifest.get("name"))[:80],
            expected=benchmark,
        )
    return advisories_in(manifest, Place(path.name, column="advisories"))


def advisories_in(manifest: Mapping[str, Any], place: Place) -> tuple[Advisory, ...]:
    """The advisories that a `bundle.json` tells. Raises UnreadableInput for what is no advisory.

    A bundle from before there were records for them told each in words alone; these cannot be held against a
    version and are passed over.
    """
    said = manifest.get("advisories", [])
    if not isinstance(said, list) or len(said) > MAX_ADVISORIES:
        raise UnreadableInput(
            "the advisories are no list" if not isinstance(said, list) else "there are too many advisories",
            place,
            expected=f"a list of at most {MAX_ADVISORIES} objects",
        )
    found = [
        (_advisory(item, number, place), Place(place.file, None, place.column, f"advisory {number}"))
        for number, item in enumerate(said, 1)
        if not isinstance(item, str)
    ]
    _checked(found)
    return tuple(advisory for advisory, _ in found)


def _advisory(item: Any, number: int, place: Place) -> Advisory:
    from pydantic import ValidationError

    from cellwright.records.repository_rows import Advisory
    from cellwright.records.tables import validation_problems

    record = f"advisory {number}"
    if not isinstance(item, dict) or not all(isinstance(value, str) for value in item.values()):
        raise UnreadableInput(
            "an advisory is no object of text",
            Place(place.file, None, place.column, record),
            expected=f"the keys {', '.join(Advisory.columns())}, each text",
        )
    if odd := next((name for name in item if name not in Advisory.columns()), None):
        raise UnreadableInput(
            "an advisory has a key that is unknown",
            Place(place.file, None, place.column, record),
            seen=odd,
            expected=", ".join(Advisory.columns()),
        )
    try:
        return Advisory.model_validate(item)
    except ValidationError as error:
        raise UnreadableInput(validation_problems(error, place.file, None, record)) from None


def _checked(found: list[tuple[Advisory, Place]]) -> None:
    """Each has a name of its own and a version that is one. Raises UnreadableInput."""
    problems: list[Problem] = []
    seen: set[str] = set()
    for advisory, place in found:
        if advisory.id in seen:
            problems.append(Problem("the advisory stands twice", place, seen=advisory.id))
        seen.add(advisory.id)
        try:
            Version.parse(advisory.version)
        except CellwrightError as error:
            problem = error.problems[0]
            where = Place(place.file, place.line, "version", place.record)
            problems.append(Problem(problem.what, where, problem.seen, problem.expected))
    if problems:
        raise UnreadableInput(problems)


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)

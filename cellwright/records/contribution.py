"""A contribution: one task with its captures, handed in from outside, and what the check of one finds.

Laid out in a folder or in one ZIP file (guidelines/contributing-a-task.md):

    contribution.json            what it is, with the size and sha256 of every other file
    task/task.yaml, task/*.csv   the task's folder
    captures.csv                 the task's lines of sources/captures.csv
    captures/<sha256>.warc.gz    its captures
    registry.csv                 lines of sources/registry.csv that are proposed; optional
    profiles/<name>.yaml         a profile that is proposed; optional
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cellwright.records.errors import Place, Problem, UnreadableInput
from cellwright.records.fields import SOURCE_ID_PATTERN, SourceId
from cellwright.records.tables import validation_problems

MANIFEST = "contribution.json"
CAPTURES = "captures.csv"
REGISTRY = "registry.csv"
TASK_FOLDER = "task/"
CAPTURES_FOLDER = "captures/"
PROFILES_FOLDER = "profiles/"
SUFFIX = ".cellwright.zip"
"""How the name of a packed contribution ends."""

SCHEMA: Literal[1] = 1
MAX_MEMBERS = 2_500
"""Files of one contribution."""
MAX_TOTAL = 1_000_000_000
"""Bytes of all its files together."""
MAX_MEMBER = 64_000_000
"""Bytes of one file."""
MAX_SMALL = 8_000_000
"""Bytes of one file that is not a capture: tables and YAML are read whole."""
MAX_LINES = 5_000
"""Lines of one table: many times what the largest task needs, and little enough to be judged in seconds."""
MAX_NAME = 120
"""Characters of a file's path."""

_SHA256 = r"^[0-9a-f]{64}$"


class PackedFile(BaseModel):
    """A file of a contribution."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
    file: str = Field(max_length=MAX_NAME)
    """Its path in the contribution."""
    bytes: int = Field(ge=0, le=MAX_MEMBER)
    """Its size."""
    sha256: str = Field(pattern=_SHA256)
    """Its digest."""


class Manifest(BaseModel):
    """`contribution.json`."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, populate_by_name=True)
    schema_: Literal[1] = Field(alias="schema")
    """The version of this format."""
    tool: str = Field(max_length=100)
    """The program that packed it, and its version."""
    task: SourceId = Field(json_schema_extra={"pattern": f"^{SOURCE_ID_PATTERN}$"})
    """The task's id."""
    admitted: bool
    """What the contributor's own audit said; it is made again by whoever checks."""
    files: tuple[PackedFile, ...] = Field(max_length=MAX_MEMBERS)
    """Every other file, sorted by its path."""
    pins: dict[str, str] = Field(max_length=MAX_MEMBERS)
    """The capture that each source is pinned to, by the source's id."""

    def as_bytes(self) -> bytes:
        """The file: the same contribution gives the same bytes."""
        return (json.dumps(self.model_dump(by_alias=True), ensure_ascii=True, indent=1) + "\n").encode("ascii")


def read_manifest(data: bytes) -> Manifest:
    """`contribution.json` read. Raises UnreadableInput for what is no JSON, repeats a key or is of another schema."""
    place = Place(MANIFEST)
    try:
        raw = json.loads(data.decode("utf-8"), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise UnreadableInput(
            "the contribution's list cannot be read", place, seen=str(error)[:200], expected="JSON, each key once"
        ) from None
    if not isinstance(raw, dict):
        raise UnreadableInput("the contribution's list cannot be read", place, expected="a JSON object")
    if raw.get("schema") != SCHEMA or isinstance(raw.get("schema"), bool):
        raise UnreadableInput(
            "the contribution is of another schema",
            place,
            seen=str(raw.get("schema", "nothing"))[:40],
            expected=str(SCHEMA),
            fix="pack it again with the version of cellwright that the repository uses",
        )
    try:
        return Manifest.model_validate(raw)
    except ValidationError as error:
        raise UnreadableInput(validation_problems(error, MANIFEST, None, "")[:20]) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


CHECKS: dict[str, str] = {
    "K-CONTAINER": "the file is no ZIP file that can be read to its end",
    "K-SIZE": "the contribution, or a file in it, is too large, or there are too many of them",
    "K-COMPRESSED": "a file is compressed in the container: it may grow without bound when it is taken out",
    "K-ENCRYPTED": "a file in the container is encrypted",
    "K-OVERLAP": "two files in the container share bytes",
    "K-HIDDEN-BYTES": "bytes stand before, between or after the files of the container",
    "K-HEADER": "the container says two things of a file, or something that packing never writes",
    "K-NOT-A-FILE": "a link, a folder entry or a device stands where a file should",
    "K-PATH": "a file's path leads out of the contribution, or is nested too deep",
    "K-NAME": "a file's name has characters that deceive or that some systems cannot hold",
    "K-TWICE": "two files have one name, or names that are one on another system",
    "K-UNKNOWN-FILE": "a file is none of those that a contribution has",
    "K-MANIFEST": "contribution.json is missing or cannot be read",
    "K-HASH": "a file is not the one that contribution.json lists",
    "K-UNLISTED": "a file and the list in contribution.json do not belong together",
    "K-TASK": "the task's folder cannot be read",
    "K-FIELD": "a field of a table cannot be read",
    "K-LINES": "a table has more lines than any task needs",
    "K-FORMULA": "a spreadsheet would run a cell as a formula",
    "K-LOOKALIKE": "a name or an id has letters of another script that look like Latin ones, or imitates a publisher",
    "K-HIDDEN-TEXT": "a text has characters that nobody sees or that turn the reading direction",
    "K-SCRIPT": "a text holds markup that a browser would run",
    "K-MARKUP": "a text holds markup; pages show it as it is written",
    "K-ADDRESS": "an address does not lead to a public document",
    "K-HOST": "a host's name is written in other letters, or looks like a publisher's",
    "K-CAPTURE-ABSENT": "a capture that a source is pinned to, or that a line tells of, is not in the contribution",
    "K-CAPTURE-BROKEN": "a capture cannot be read",
    "K-CAPTURE-SUM": "a capture does not hold what its name says",
    "K-CAPTURE-ADDRESS": "a capture is of another address than its source",
    "K-CAPTURE-LINE": "a line of captures.csv and its capture contradict each other, or lack one another",
    "K-CAPTURE-EXTRA": "a capture belongs to no source of the task",
    "K-CAPTURE-TIME": "a capture is said to be of a day that is yet to come",
    "K-PINS": "the pins in contribution.json and in sources.csv differ",
    "K-THERE-ALREADY": "a task of this id is in the repository",
    "K-WAIVER": "the contribution waives a finding of the audit itself",
    "K-PROPOSED": "the contribution proposes something for the whole repository; a person decides",
    "K-AUDIT": "the audit could not be made, or does not admit the task",
}
"""Every check of a contribution by its id; guidelines/contribution-checks.md tells what to do."""

Severity = Literal["error", "warning"]


class CheckFinding(BaseModel):
    """One thing that is wrong with a contribution, or that a person has to look at."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)
    check: str
    """The check's stable id."""
    severity: Severity = "error"
    """An error refuses the contribution; a warning does not."""
    what: str
    """What is wrong, in words."""
    file: str = ""
    """The file in the contribution."""
    line: int | None = None
    """The line in it."""
    record: str = ""
    """The record's id."""
    field: str = ""
    """The column or key."""
    observed: str = ""
    """What is there."""
    expected: str = ""
    """What should be."""
    fix: str = ""
    """How to mend it."""

    def problem(self) -> Problem:
        """The finding as a problem, whose sentence people read."""
        place = Place(self.file, self.line, self.field, self.record)
        return Problem(f"{self.check}: {self.what}", place, self.observed, self.expected, self.fix)


def finding(
    check: str,
    file: str = "",
    line: int | None = None,
    *,
    record: str = "",
    field: str = "",
    observed: str = "",
    expected: str = "",
    fix: str = "",
    what: str = "",
    severity: Severity = "error",
) -> CheckFinding:
    """A finding of a check in the check's own words, or in those of `what`."""
    return CheckFinding(
        check=check,
        severity=severity,
        what=what or CHECKS[check],
        file=file,
        line=line,
        record=record,
        field=field,
        observed=observed[:300],
        expected=expected,
        fix=fix,
    )


def from_problems(check: str, problems: Sequence[Problem]) -> list[CheckFinding]:
    """Problems that a reader told, as findings of a check."""
    return [
        finding(
            check,
            item.place.file,
            item.place.line,
            record=item.place.record,
            field=item.place.column,
            what=item.what,
            observed=item.seen,
            expected=item.expected,
            fix=item.fix,
        )
        for item in problems
    ]

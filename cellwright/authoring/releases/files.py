"""What a repository keeps of its releases in `releases/`: the benchmark's changelog and the advisories."""

from __future__ import annotations

from collections.abc import Sequence

from cellwright.clients.repository import Repository
from cellwright.records.errors import Place, Problem, UnreadableInput
from cellwright.records.releases.versions import Version
from cellwright.records.repository_rows import Advisory
from cellwright.records.tables import read_records, write_table

CHANGELOG = "releases/CHANGELOG.md"
ADVISORIES = "releases/advisories.csv"


def load_changelog(repository: Repository) -> str:
    """The benchmark's changelog; empty where there is none. Raises UnreadableInput for what is not UTF-8."""
    data = repository.file(*CHANGELOG.split("/")) or b""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise UnreadableInput("the file is not UTF-8", Place(CHANGELOG), fix="save it again as UTF-8") from None


def load_advisories(repository: Repository) -> tuple[Advisory, ...]:
    """The advisories in their order. Raises UnreadableInput where a line cannot be read or names no version."""
    data = repository.file(*ADVISORIES.split("/"))
    if data is None:
        return ()
    records = read_records(data, Advisory, ADVISORIES)
    problems = list(records.problems)
    for row in records.rows:
        try:
            Version.parse(row.version)
        except UnreadableInput:
            place = Place(ADVISORIES, row.line, "version", row.id)
            problems.append(Problem("this is no version", place, row.version, "such as `1.4.0` or `1.4.0-rc1`"))
    if problems:
        raise UnreadableInput(problems)
    return records.rows


def written_advisories(rows: Sequence[Advisory]) -> bytes:
    """The file of the advisories."""
    return write_table([row.texts() for row in rows], Advisory.columns())

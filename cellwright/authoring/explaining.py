"""What `locate` says of one fact, and how a person goes on where it is not settled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cellwright.documents.asked import wanted_of
from cellwright.documents.candidates import asked_for, near_rows
from cellwright.documents.locate import Locator
from cellwright.documents.wanted import Candidate
from cellwright.records.decimals import canonical
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.folder import TaskFolder
from cellwright.records.rows import Fact
from cellwright.records.suggest import did_you_mean

SHOWN = 3
"""Places shown of one fact."""
GO_ON = {
    "mismatch": "look at the page: mend the fact, or rank it superseded and add the new figure",
    "ambiguous": "say which place is meant in `row`, `column`, `page` or `locator`",
    "absent": "look at the page: mend `row`, `period` or `source`, or capture the page again",
}
"""What a person does next, by status."""


@dataclass(frozen=True)
class Explained:
    """What was asked for, and rows that come near where none fits."""

    asked: str
    near: tuple[Candidate, ...]


def fact_named(folder: TaskFolder, name: str) -> Fact:
    """The fact of this id. Raises UnreadableInput where there is none."""
    fact = folder.fact_by_id.get(name)
    if fact is None:
        raise UnreadableInput(
            "the task has no such fact",
            Place(f"tasks/{folder.task.id}/facts.csv"),
            seen=name,
            expected="the id of a fact in this file",
            fix=did_you_mean(name, folder.fact_by_id).strip(),
        )
    return fact


def explained(folder: TaskFolder, fact: Fact, locator: Locator) -> Explained | None:
    """What was asked for, and the rows nearest to it; None for a fact whose period has no dates."""
    try:
        wanted = wanted_of(folder, fact)
    except UnreadableInput:
        return None
    return Explained(asked_for(wanted), near_rows(locator, wanted, SHOWN))


def go_on(counts: dict[str, int], task: str) -> Iterator[str]:
    """A line for each status that is not settled: how many, and what to do."""
    for status, what in GO_ON.items():
        if counts.get(status):
            yield f"{counts[status]} {status}: {what}; `cellwright locate {task} --explain FACT` shows what came near"


def candidate_text(candidate: Candidate) -> str:
    """A place that might be meant, on one line: row, column, period and figure, and why it was not taken."""
    where = " | ".join(part for part in (candidate.row, candidate.column, candidate.period_read) if part)
    page = f" (page {candidate.page})" if candidate.page is not None else ""
    return f"{where}: {candidate.as_written}{page}" + (f": {candidate.why}" if candidate.why else "")


def candidate_json(candidate: Candidate) -> dict[str, object]:
    """The same as plain fields."""
    value = candidate.value_read
    return {
        "row": candidate.row,
        "column": candidate.column,
        "period": candidate.period_read,
        "page": candidate.page,
        "as_written": candidate.as_written,
        "value_read": canonical(value) if value is not None else None,
        "why": candidate.why,
    }

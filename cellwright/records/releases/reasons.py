"""Why something changed: the corrections and advisories that were written down, else the commits that touched it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cellwright.records.releases.changes import Commit, Reason, Side

Correction = Mapping[str, str]
"""A row of the bundle's table `changes`."""


@dataclass(frozen=True)
class Reasons:
    """What is known of why: corrections that only one of two releases has, and commits by task."""

    corrections: tuple[tuple[Correction, bool], ...]
    """Each with whether it is undone: only the older side of the comparison has it."""
    commits: Mapping[str, Sequence[Commit]] = field(default_factory=dict)

    def naming_cell(self, task: str, entity: str, dimension: str) -> tuple[Reason, ...]:
        """The corrections that name a cell; one without an entity names the dimension's cells of all entities."""
        return tuple(
            _reason(row, undone)
            for row, undone in self.corrections
            if row["task"] == task and row["dimension"] == dimension and row["entity"] in ("", "*", entity)
        )

    def naming_fact(self, task: str, fact: str) -> tuple[Reason, ...]:
        """The corrections that name a fact."""
        return tuple(
            _reason(row, undone) for row, undone in self.corrections if row["task"] == task and row["fact"] == fact
        )

    def gives_to_a_cell(self, task: str, fact: str) -> bool:
        """Whether a correction that names a fact also names the dimension for whose sake it was made."""
        return any(row["dimension"] for row, _ in self.corrections if row["task"] == task and row["fact"] == fact)

    def of_task(self, task: str) -> tuple[Reason, ...]:
        """The commits that touched a task between the two releases."""
        return tuple(Reason("commit", commit.sha[:12], commit.subject) for commit in self.commits.get(task, ()))


def reasons_between(old: Side, new: Side, commits: Mapping[str, Sequence[Commit]]) -> Reasons:
    """What two releases and their repository know of why. A correction that both have is no reason."""
    keys = [{_key(row): row for row in side.tables["changes"]} for side in (old, new)]
    found = [(row, False) for key, row in sorted(keys[1].items()) if key not in keys[0]]
    found += [(row, True) for key, row in sorted(keys[0].items()) if key not in keys[1]]
    return Reasons(tuple(found), commits)


def advisory_reasons(task: str, sides: Iterable[Side]) -> tuple[Reason, ...]:
    """What the advisories of the releases say of a whole task that was quarantined, each once."""
    found = {
        advisory.id: Reason("advisory", advisory.id, advisory.because)
        for side in sides
        for advisory in side.advisories
        if advisory.kind == "quarantined" and advisory.task == task
    }
    return tuple(found.values())


def _key(row: Correction) -> tuple[str, str]:
    return row["task"], row["correction"]


def _reason(row: Correction, undone: bool) -> Reason:
    what = row["fact"] or "/".join(part for part in (row["entity"], row["dimension"]) if part)
    change = f"{row['old'] or 'nothing'} → {row['new'] or 'nothing'}" if row["old"] or row["new"] else ""
    words = ": ".join(part for part in (what, change) if part)
    return Reason("correction", row["correction"], words, row["code"], row.get("evidence_url", ""), undone)

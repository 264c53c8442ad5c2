"""Plants faults of every kind into clean tasks and counts what the audit makes of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module

from cellwright.records.errors import UnreadableInput
from cellwright.validators.across import with_across
from cellwright.validators.audit import AuditInput, audit_tasks
from cellwright.validators.summaries import summary_of
from tests.power.clean_tasks import clean_task
from tests.power.draft import Draft, shipped
from tests.power.kinds import KINDS, READING, Kind
from tests.power.neighbour import neighbour

FAULTS = (
    "complete",
    "sourced",
    "published",
    "derived",
    "reconciled",
    "scorable",
    "beyond",
    "missteps",
    "across",
    "words",
    "evidence",
    "issued",
    "steps",
    "people",
    "marked",
)
MARK = "C2-CAPTURE-STAND-IN"
"""What the shipped task's captures are marked with: no false alarm."""
TRIES = 60
"""How many drafts are tried, for one planted fault, that may have no place for it."""


@dataclass
class Count:
    """What became of the planted faults of one kind."""

    kind: Kind
    planted: int = 0
    meant: int = 0
    other: Counter[str] = field(default_factory=Counter)
    """Faults that only other rules told, by the first of them."""
    missed: int = 0

    @property
    def whole(self) -> bool:
        """Whether every planted fault was told by the rule meant for it."""
        return self.planted > 0 and self.meant == self.planted


def all_kinds() -> list[Kind]:
    """Every kind of fault, in the order in which they are written down."""
    for name in FAULTS:
        import_module(f"tests.power.faults_{name}")
    return list(KINDS.values())


def rules_told(drafts: Sequence[Draft]) -> list[list[str]]:
    """For each draft the rules that tell something of it, most findings first; `reading` where it cannot be read."""
    told: list[list[str]] = [[] for _ in drafts]
    batches: dict[str, list[tuple[int, AuditInput]]] = {}
    for position, draft in enumerate(drafts):
        try:
            given = draft.input()
        except UnreadableInput:
            told[position] = [READING]
        else:
            batches.setdefault(repr(draft.owners), []).append((position, given))
    for batch in batches.values():
        owners = drafts[batch[0][0]].owners
        audits = audit_tasks([given for _, given in batch], owners=owners)
        for (position, given), audit in zip(batch, audits, strict=True):
            if drafts[position].beside:
                folders = [given.folder, *(other.folder() for other in drafts[position].beside)]
                (audit,) = with_across([audit], {folder.task.id: summary_of(folder) for folder in folders})
            stand_in = drafts[position].stand_in
            counts = Counter(finding.rule for finding in audit.findings if not (stand_in and finding.rule == MARK))
            told[position] = [rule for rule, _ in counts.most_common()]
    return told


def false_alarms(drafts: Sequence[Draft]) -> Iterator[tuple[str, str]]:
    """Task and rule of each finding in clean tasks, each beside another clean one about the same entities."""
    pairs = [replace(draft, beside=[neighbour(draft)]) for draft in drafts]
    for draft, rules in zip(drafts, rules_told(pairs), strict=True):
        for rule in rules:
            yield str(draft.task["id"]), rule


def measure(kind: Kind, times: int, drafts: Sequence[Draft], seed: str = "") -> Count:
    """Plant a kind so many times, each time into another draft where there is a place for it."""
    planted = _planted(kind, times, drafts, seed)
    return _counted(kind, rules_told(planted))


def measure_once(kinds: Sequence[Kind], drafts: Sequence[Draft], seed: str = "") -> list[Count]:
    """Each kind planted once, all of them in one audit."""
    planted = [_planted(kind, 1, drafts, seed) for kind in kinds]
    told = iter(rules_told([draft for found in planted for draft in found]))
    return [_counted(kind, [next(told) for _ in found]) for kind, found in zip(kinds, planted, strict=True)]


def _counted(kind: Kind, told: Sequence[Sequence[str]]) -> Count:
    count = Count(kind, planted=len(told))
    for rules in told:
        if kind.rule in rules:
            count.meant += 1
        elif rules:
            count.other[rules[0]] += 1
        else:
            count.missed += 1
    return count


def _planted(kind: Kind, times: int, drafts: Sequence[Draft], seed: str) -> list[Draft]:
    rng = random.Random(f"{kind.name} {seed}")
    tried = (_one(kind, rng, drafts) for _ in range(times))
    return [draft for draft in tried if draft is not None]


def _one(kind: Kind, rng: random.Random, drafts: Sequence[Draft]) -> Draft | None:
    for draft in rng.sample(list(drafts), min(TRIES, len(drafts))):
        copy = draft.copy()
        if kind.plant(copy, rng):
            return copy
    return None


def drafts_of(count: int, size: tuple[int, int] | None = None) -> list[Draft]:
    """The shipped task and so many generated clean ones."""
    return [shipped(), *(clean_task(seed, size) for seed in range(count))]

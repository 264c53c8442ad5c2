"""The audit of many tasks against the bare libraries doing the same work, in seconds of processor time.

The baseline is one Pandera pass over the same frames, a replay of the 64 answers in bare Decimal arithmetic,
and one substring test a fact. Its frames are the tables of each task, as an audit of one task has them; beside
that stands a harder baseline that puts the tables of 50 tasks into one frame, as the audit itself does.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from cellwright.records.tables import Table
from cellwright.validators.audit import BATCH, AuditInput, audit_tasks
from cellwright.validators.profiles import Profile, read_profile
from cellwright.validators.schemas import frame_of, schema_of
from tests.bench.measure import tell
from tests.bench.task_copies import ENTITIES, WITHOUT_RESEARCH, copies

ROOT = Path(__file__).resolve().parents[2]
HUNDRED = Decimal(100)


@dataclass
class Times:
    """Seconds spent on some tasks, the making of the tasks left out."""

    tasks: int = 0
    read: float = 0.0
    audit: float = 0.0
    pandera: float = 0.0
    pandera_apart: float = 0.0
    replay: float = 0.0
    substring: float = 0.0
    findings: int = 0

    @property
    def bare(self) -> float:
        """The baseline, frames pooled."""
        return self.pandera + self.replay + self.substring

    @property
    def bare_apart(self) -> float:
        """The baseline, a frame a table."""
        return self.pandera_apart + self.replay + self.substring


def run(count: int, profile: Profile, *, baseline: bool = True) -> Times:
    """Audit `count` copies, batch by batch, and do the bare work beside it."""
    times = Times()
    for first in range(0, count, BATCH):
        made = list(copies(min(BATCH, count - first), first))
        clock = time.process_time()
        inputs = [copy.input(profile) for copy in made]
        times.read += time.process_time() - clock
        clock = time.process_time()
        audits = list(audit_tasks(inputs))
        times.audit += time.process_time() - clock
        times.tasks += len(audits)
        times.findings += sum(len(audit.findings) for audit in audits)
        assert all(audit.counts["cells_replayed"] == 64 for audit in audits)
        if baseline:
            _bare(inputs, times)
        del made, inputs, audits  # else two batches are alive while the next one is audited
        gc.collect()
    return times


def _bare(inputs: Sequence[AuditInput], times: Times) -> None:
    tables = [list(given.folder.tables.values()) for given in inputs]
    clock = time.process_time()
    for kind in zip(*tables, strict=True):
        _validate(kind)
    times.pandera += time.process_time() - clock
    clock = time.process_time()
    for own in tables:
        for table in own:
            _validate([table])
    times.pandera_apart += time.process_time() - clock
    clock = time.process_time()
    answers = [bare_replay(given) for given in inputs]
    times.replay += time.process_time() - clock
    assert all(len(found) == 64 for found in answers)
    clock = time.process_time()
    found = sum(fact.quote in given.evidence[fact.source].text for given in inputs for fact in given.folder.facts)
    times.substring += time.process_time() - clock
    assert found == sum(len(given.folder.facts) for given in inputs)


def _validate(tables: Sequence[Table]) -> None:
    schema_of(tables[0].name).validate(frame_of(tables), lazy=True)


def bare_replay(given: AuditInput) -> list[Any]:
    """The 64 answers of a copy in bare Decimal arithmetic: no units, traces or intervals."""
    facts = {(fact.entity, fact.name, fact.period): fact.value for fact in given.folder.facts if fact.rank == "primary"}
    shock = next(item.value for item in given.folder.task.assumptions if item.id == "shock")
    assert shock is not None
    left = 1 - shock / HUNDRED
    research = {entity: facts[entity, "research", "FY2023"] for entity in ENTITIES if entity not in WITHOUT_RESEARCH}
    answers: list[Any] = []
    for entity in ENTITIES:

        def fact(name: str, period: str = "FY2023", entity: str = entity) -> Decimal:
            value = facts[entity, name, period]
            assert value is not None
            return value

        revenue, old = fact("revenue"), fact("revenue", "FY2022")
        margin = (revenue - fact("cost")) / revenue
        free = fact("operating_cash") - fact("capex")
        lost = revenue * (1 - left) * margin
        own = research.get(entity)
        answers += [
            revenue,
            margin * HUNDRED,
            free / revenue * HUNDRED,
            (revenue / old - 1) * HUNDRED,
            fact("tax") / fact("pretax_income") * HUNDRED,
            fact("eps_diluted"),
            None if own is None else 1 + sum(other > own for other in research.values() if other is not None),
            ((free - lost) / (revenue * left), (free - lost / 2) / (revenue * left)),
        ]
    return answers


def main(few: int = 100, many: int = 1000) -> None:
    """Measure and print; `many` is 0 to leave the long run out."""
    profile = read_profile((ROOT / "cellwright/validators/profiles/deepweb-8x8.yaml").read_bytes(), "deepweb-8x8.yaml")
    run(2, profile)  # imports, and the schemas that are made once
    times = run(few, profile)
    tell(f"audit of {few} tasks, {few * 64:,} cells", times.audit, times.bare_apart, "≤ 3")
    tell("  … against Pandera over all tables at once", times.audit, times.bare, "none")
    print(
        f"  bare: Pandera {times.pandera_apart:.2f} s (at once {times.pandera:.2f} s), Decimal replay "
        f"{times.replay:.3f} s, substrings {times.substring:.3f} s; tasks read in {times.read:.2f} s",
        flush=True,
    )
    if many:
        longer = run(many, profile, baseline=False)
        after = run(few, profile, baseline=False)  # a machine grows slower and faster while the long run lasts
        tell(
            f"audit of {many} tasks against {few}",
            longer.audit,
            (times.audit + after.audit) / 2,
            f"≤ {many / few * 1.05:g}",
        )


if __name__ == "__main__":
    main(many=int(sys.argv[1]) if len(sys.argv) > 1 else 1000)

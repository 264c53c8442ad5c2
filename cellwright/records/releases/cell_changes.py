"""Cells that two releases do not have alike: what differs, on what it rests, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cellwright.records.releases.changes import (
    CellChange,
    CellKey,
    Chain,
    FactChange,
    FieldChange,
    PartChange,
    Reason,
    Side,
    field_changes,
)
from cellwright.records.releases.fact_changes import Sources
from cellwright.records.releases.origins import Place, Steps, link, names_in
from cellwright.records.releases.reasons import Reasons
from cellwright.records.releases.rule_changes import rule_changes

Row = Mapping[str, str]
CELL_FIELDS = (
    "ask",
    "family",
    "unit",
    "period",
    "answer_type",
    "value",
    "low",
    "high",
    "interval",
    "method",
    "agreement",
    "reason_code",
    "chosen",
    "tier",
    "note",
)
ANSWER_FIELDS = frozenset({"ask", "unit", "period", "answer_type", "value", "low", "high", "interval"})
"""The fields that make the reference another one."""
STEP_FIELDS = ("expr", "value", "unit", "low", "high", "why")
NEAR_MISS_FIELDS = ("value", "low", "high", "why", "indistinguishable")


@dataclass(frozen=True)
class TaskSide:
    """One task in one release."""

    cells: Mapping[Place, Row]
    steps: Steps
    assumptions: Mapping[str, object]
    """By id, all that is said of each."""


class TaskCells:
    """Compares the cells of one task that both releases have."""

    def __init__(
        self,
        task: str,
        old: TaskSide,
        new: TaskSide,
        facts: Iterable[FactChange],
        sources: Sources,
        near_misses: Mapping[Place, tuple[PartChange, ...]],
        reasons: Reasons,
    ) -> None:
        self.task, self.old, self.new = task, old, new
        self.sources, self.near_misses, self.reasons = sources, near_misses, reasons
        self.facts = {fact.fact: fact for fact in facts if fact.counts}
        self.steps = {place: self._step_changes(place) for place in old.cells.keys() & new.cells.keys()}
        self.assumptions = frozenset(
            f"assumption:{name}"
            for name in old.assumptions.keys() | new.assumptions.keys()
            if old.assumptions.get(name) != new.assumptions.get(name)
        )
        rewritten = {link(place, step.id) for place, steps in self.steps.items() for step in steps if _rewritten(step)}
        self.changed = frozenset({f"fact:{name}" for name in self.facts} | self.assumptions | rewritten)

    def changes(self) -> Iterable[CellChange]:
        """Each cell that was added, removed, changed, or rests on something that changed; in their order."""
        for place in sorted(self.old.cells.keys() | self.new.cells.keys()):
            before, after = self.old.cells.get(place), self.new.cells.get(place)
            if before is None or after is None:
                row = after or before or {}
                change = "added" if before is None else "removed"
                why = self.reasons.naming_cell(self.task, *place) or self.reasons.of_task(self.task)
                yield CellChange(self.task, *place, change, row.get("unit", ""), reasons=why)  # type: ignore[arg-type]
            elif (found := self._changed(place, before, after)) is not None:
                yield found

    def _changed(self, place: Place, before: Row, after: Row) -> CellChange | None:
        key = (self.task, *place)
        sources = names_in(before, "sources"), names_in(after, "sources")
        fields = field_changes(CELL_FIELDS, self._row(before, sources[0], True), self._row(after, sources[1], False))
        rule = rule_changes(before["rule"], after["rule"], before["unit"], after["unit"])
        changed_sources = self.sources.changes(key, *sources)
        facts = set(names_in(before)), set(names_in(after))
        near_misses = self.near_misses.get(place, ())
        steps = self.steps[place]
        moved = frozenset(link(place, step.id) for step in steps)
        chains = self.old.steps.chains(place, self.changed, moved) | self.new.steps.chains(place, self.changed, moved)
        evidence = bool(steps or near_misses or chains or facts[0] != facts[1])
        if not (fields or rule or changed_sources or evidence):
            return None
        ordered = tuple(chains[name] for name in sorted(chains))
        return CellChange(
            *key,
            "changed",
            after["unit"],
            fields,
            rule,
            steps,
            changed_sources,
            near_misses,
            tuple(sorted(facts[1] - facts[0])),
            tuple(sorted(facts[0] - facts[1])),
            ordered,
            self._why(key, ordered),
            any(field.field in ANSWER_FIELDS for field in fields),
            self._is_direct(place, chains),
            bool(before["digest"] != after["digest"] or evidence),
        )

    def _row(self, row: Row, sources: tuple[str, ...], old: bool) -> dict[str, str]:
        """The row with what is one thing to a reader in one field: the period, the interval, the tiers."""
        dates = " to ".join(part for part in (row["period_start"], row["period_end"]) if part)
        known = self.sources.old if old else self.sources.new
        tiers = sorted({known.get((self.task, source), {}).get("tier", "") for source in sources} - {""})
        ends = row["interval_low"], row["interval_high"]
        return {
            **row,
            "period": f"{row['period']} ({dates})" if dates and row["period"] else row["period"] or dates,
            "interval": " to ".join(part for part in ends if part),
            "tier": ", ".join(tiers),
        }

    def _is_direct(self, place: Place, chains: Mapping[str, Chain]) -> bool:
        """Whether a cell changed itself, and not only through what it shares with others.

        It did where a correction names it, where its own steps, question or an assumption that it reads were
        rewritten, and where its own steps read a changed fact of its own entity that no correction gives to
        another cell. A cell with no way to anything that changed changed itself.
        """
        if self.reasons.naming_cell(self.task, *place) or not chains:
            return True
        if any(_rewritten(step) for step in self.steps[place]):
            return True
        return any(self._own(place, chain) for chain in chains.values())

    def _own(self, place: Place, chain: Chain) -> bool:
        own = f"{place[0]}/{place[1]}."
        if not all(name.startswith(own) for name in chain.links[1:]):
            return False
        kind, _, name = chain.links[0].partition(":")
        if kind == "assumption":
            return True
        fact = self.facts.get(name) if kind == "fact" else None
        if fact is None or fact.entity not in (place[0], "*"):
            return False
        return not self.reasons.gives_to_a_cell(self.task, name)

    def _why(self, key: CellKey, chains: tuple[Chain, ...]) -> tuple[Reason, ...]:
        found = list(self.reasons.naming_cell(*key))
        for chain in chains:
            kind, _, name = chain.links[0].partition(":")
            if kind == "fact":
                found += self.reasons.naming_fact(self.task, name)
            elif kind != "assumption":
                entity, _, rest = chain.links[0].partition("/")
                found += self.reasons.naming_cell(self.task, entity, rest.rpartition(".")[0])
        return tuple(dict.fromkeys(found)) or self.reasons.of_task(self.task)

    def _step_changes(self, place: Place) -> tuple[PartChange, ...]:
        old, new = ({row["step"]: row for row in side.steps.by_cell.get(place, [])} for side in (self.old, self.new))
        return part_changes(old, new, STEP_FIELDS)


def part_changes(old: Mapping[str, Row], new: Mapping[str, Row], names: tuple[str, ...]) -> tuple[PartChange, ...]:
    """Rows by id that were added, removed, or differ in `names`; in the newer order, the removed ones last."""
    found = []
    for name in [*new, *(name for name in old if name not in new)]:
        if name not in old:
            fields = tuple(FieldChange(column, "", new[name][column]) for column in names[:2] if new[name][column])
            found.append(PartChange(name, "added", fields))
        elif name not in new:
            fields = tuple(FieldChange(column, old[name][column], "") for column in names[:2] if old[name][column])
            found.append(PartChange(name, "removed", fields))
        elif fields := field_changes(names, old[name], new[name]):
            found.append(PartChange(name, "changed", fields))
    return tuple(found)


def near_miss_changes(old: Side, new: Side) -> dict[str, dict[Place, tuple[PartChange, ...]]]:
    """The near misses of people and witnesses that the releases do not have alike, by task and cell."""
    sides: list[dict[CellKey, dict[str, Row]]] = []
    for side in (old, new):
        rows: dict[CellKey, dict[str, Row]] = defaultdict(dict)
        for row in side.tables["near_misses"]:
            if row["origin"] != "computed":
                rows[row["task"], row["entity"], row["dimension"]][row["near_miss"]] = row
        sides.append(rows)
    found: dict[str, dict[Place, tuple[PartChange, ...]]] = defaultdict(dict)
    for key in sorted(sides[0].keys() | sides[1].keys()):
        if changes := part_changes(sides[0].get(key, {}), sides[1].get(key, {}), NEAR_MISS_FIELDS):
            found[key[0]][key[1:]] = changes
    return found


def _rewritten(step: PartChange) -> bool:
    """Whether a step says something else, and did not only come to another value."""
    return step.change != "changed" or any(field.field in ("expr", "unit") for field in step.fields)

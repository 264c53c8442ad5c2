"""Facts and sources that two releases do not have alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cellwright.records.bundle import TABLE_COLUMNS
from cellwright.records.releases.changes import CellKey, FactChange, FieldChange, PartChange, field_changes
from cellwright.records.releases.reasons import Reasons

Row = Mapping[str, str]
FACT_FIELDS = tuple(name for name in TABLE_COLUMNS["facts"] if name not in ("task", "fact"))
COUNTING = ("entity", "name", "as_written", "period", "rank", "value", "scale", "sign", "unit")
"""The columns of a fact that a derivation, or the soundness of an answer's, can tell."""
SOURCE_FIELDS = tuple(name for name in TABLE_COLUMNS["sources"] if name not in ("task", "source"))
DOCUMENT = "sha256"


def fact_changes(old: Iterable[Row], new: Iterable[Row], reasons: Reasons) -> tuple[FactChange, ...]:
    """The facts of tasks that both releases have, where they differ; rows alike may be given or left out."""
    before, after = ({(row["task"], row["fact"]): row for row in rows} for rows in (old, new))
    found = []
    for key in sorted(before.keys() | after.keys()):
        row = after.get(key) or before[key]
        if key not in before or key not in after:
            fields: tuple[FieldChange, ...] = ()
        else:
            fields = field_changes(FACT_FIELDS, before[key], after[key])
            if not fields:
                continue
        change = "added" if key not in before else "removed" if key not in after else "changed"
        counts = change != "changed" or any(field.field in COUNTING for field in fields)
        why = reasons.naming_fact(*key) or reasons.of_task(key[0])
        found.append(FactChange(*key, row["entity"], change, fields, counts, why))  # type: ignore[arg-type]
    return tuple(found)


class Sources:
    """The sources of both releases by task and id."""

    def __init__(self, old: Iterable[Row], new: Iterable[Row]) -> None:
        self.old, self.new = ({(row["task"], row["source"]): row for row in rows} for rows in (old, new))

    def changes(self, key: CellKey, old: Iterable[str], new: Iterable[str]) -> tuple[PartChange, ...]:
        """What changed in the sources that a cell rests on: those it left or took up, and those that differ."""
        before, after = set(old), set(new)
        found = []
        for source in sorted(before | after):
            row, other = self.old.get((key[0], source), {}), self.new.get((key[0], source), {})
            if source not in before:
                found.append(PartChange(source, "added", (), _note(other)))
            elif source not in after:
                found.append(PartChange(source, "removed", (), _note(row)))
            elif fields := field_changes(SOURCE_FIELDS, row, other):
                found.append(PartChange(source, "changed", fields, _note(other)))
        return tuple(found)


def _note(row: Row) -> str:
    return ", ".join(part for part in (row.get("tier", ""), row.get("publisher", "")) if part)

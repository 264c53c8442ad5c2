"""The figures that stand beside a fact in its documents, and are easily taken for it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property, lru_cache

from cellwright.records.decimals import CONTEXT
from cellwright.records.derivations._book import FactBook
from cellwright.records.errors import UnreadableInput
from cellwright.records.periods import Period
from cellwright.records.rows import Fact

_RANKS: Mapping[str | None, str] = {
    "witness": "witness_for_primary",
    "trap": "trap_for_primary",
    "context": "other_reading",
    "superseded": "other_reading",
}
_Place = tuple[str, Period]
_LITTLE = frozenset({"of", "and", "in", "on", "for", "the", "per", "before", "after", "total"})
"""Words of a name that make no kin."""


class Neighbours:
    """The facts of a task by entity and dates, whatever their rank."""

    def __init__(self, book: FactBook) -> None:
        self._book = book
        self._before: dict[str, Fact | None] = {}
        self._beside: dict[str, list[tuple[str, Fact]]] = {}

    @cached_property
    def _by_place(self) -> dict[_Place, list[Fact]]:
        found: dict[_Place, list[Fact]] = {}
        for fact in self._book.by_id.values():
            dates = self._book.dates(fact)
            if dates is not None and fact.value is not None:
                found.setdefault((fact.entity, dates), []).append(fact)
        return found

    def before(self, fact: Fact) -> Fact | None:
        """The primary fact of the same entity and name one year earlier."""
        if fact.id not in self._before:
            try:
                when = self._book.years_before(fact.period, 1, fact.entity)
                self._before[fact.id] = self._book.find(fact.entity, fact.name, when)
            except UnreadableInput:  # no label ends a year earlier
                self._before[fact.id] = None
        return self._before[fact.id]

    def beside(self, fact: Fact) -> list[tuple[str, Fact]]:
        """Other figures of the same entity, dates and unit, each with its misstep: kin first, then the nearest.

        Kin bears the same name; or it shares a word of it and is a part or the whole, the gross or the net figure.
        """
        known = self._beside.get(fact.id)
        if known is None:
            dates = self._book.dates(fact)
            others = self._by_place.get((fact.entity, dates), ()) if dates is not None else ()
            found = [
                (misstep_of(fact, other), other)
                for other in others
                if other.id != fact.id and other.unit == fact.unit and other.value != fact.value
            ]
            known = self._beside[fact.id] = sorted(
                found, key=lambda item: (item[0] == "other_figure", _apart(fact, item[1]), item[1].id)
            )
        return known


def misstep_of(used: Fact, other: Fact) -> str:
    """The name of the misstep of taking one figure for another."""
    if other.name == used.name:
        return _RANKS.get(other.rank, "other_reading")
    return _by_names(used.name, other.name, used.scope, other.scope)


@lru_cache(maxsize=4096)
def _by_names(used: str, other: str, own_scope: str, other_scope: str) -> str:
    if used.startswith(f"{other}."):
        return "total_for_segment"
    if other.startswith(f"{used}."):
        return "segment_for_total"
    ours, theirs = _words(used), _words(other)
    if not ours & theirs:  # the gross profit is nobody's gross figure of revenue
        return "other_figure"
    totals = "total" in used.split("_"), "total" in other.split("_")
    if (own_scope, other_scope) == ("segment", "consolidated") or totals == (False, True):
        return "total_for_segment"
    if (own_scope, other_scope) == ("consolidated", "segment") or totals == (True, False):
        return "segment_for_total"
    return _gross_or_net(ours, theirs)


def _gross_or_net(used: set[str], other: set[str]) -> str:
    if ("gross" in other and "gross" not in used) or ("net" in used and "net" not in other):
        return "gross_for_net"
    if ("net" in other and "net" not in used) or ("gross" in used and "gross" not in other):
        return "net_for_gross"
    return "other_figure"


def _words(name: str) -> set[str]:
    return set(name.replace(".", "_").split("_")) - _LITTLE


def _apart(one: Fact, other: Fact) -> Decimal:
    """How many times as large the larger figure is; a sign apart, or beside 0, is as far as can be."""
    assert one.value is not None
    assert other.value is not None
    small, large = sorted((abs(one.value), abs(other.value)))
    if not small or (one.value > 0) != (other.value > 0):
        return Decimal("Infinity")
    return CONTEXT.divide(large, small)

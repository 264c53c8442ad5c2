"""The facts of a task, found by entity, name and period."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from cellwright.records.derivations._values import Failure
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.periods import Period
from cellwright.records.rows import Fact
from cellwright.records.suggest import did_you_mean
from cellwright.records.task import Task

TASK_WIDE = "*"
_Key = tuple[str, str]
FindPlace = Callable[[], Place]
"""Finds the place for a message; called only where there is one."""


@dataclass(frozen=True, slots=True)
class When:
    """A period as a derivation names it and its dates for one entity."""

    label: str
    period: Period

    def __str__(self) -> str:
        dates = str(self.period)
        return self.label if self.label == dates else f"{self.label} ({dates})"


class FactBook:
    """Primary facts and witnesses by entity, name and period.

    Periods are compared by their dates for the entity, whether a fact gives a label, an ISO interval or
    an instant. A fact for exactly those dates comes first; without one, an instant on the period's last
    day belongs to the period (design, section 5).
    """

    def __init__(self, task: Task, facts: Sequence[Fact]) -> None:
        self.task = task
        self.by_id = {fact.id: fact for fact in facts}
        self.names: set[str] = set()
        """Every name that a primary fact or a witness of any entity bears."""
        self._facts: dict[_Key, list[Fact]] = {}
        self._parts: dict[_Key, set[str]] = {}
        self._whens: dict[tuple[str, int, str], When] = {}
        self._found: dict[tuple[str, str, str, bool], Fact] = {}
        self._dates: dict[_Key, Period | UnreadableInput] = {}
        for fact in facts:
            if fact.rank in ("primary", "witness"):
                self.names.add(fact.name)
                self._facts.setdefault((fact.entity, fact.name), []).append(fact)
                head, dot, _ = fact.name.rpartition(".")
                if dot and fact.rank == "primary":
                    self._parts.setdefault((fact.entity, head), set()).add(fact.name)

    def when(self, label: str, entity: str) -> When:
        """The period `label` for `entity`; UnreadableInput for one without dates."""
        dates = self._period(label, entity)
        if isinstance(dates, UnreadableInput):
            raise dates
        return When(label, dates)

    def years_before(self, label: str, years: int, entity: str) -> When:
        """The label that ends `years` times a year earlier; UnreadableInput where none or several do."""
        known = self._whens.get((label, years, entity))
        if known is None:
            then = label
            for _ in range(years):
                then = self.task.calendar.year_before(then, entity)
            known = self._whens[label, years, entity] = self.when(then, entity)
        return known

    def _period(self, label: str, entity: str) -> Period | UnreadableInput:
        known = self._dates.get((label, entity))
        if known is None:
            try:
                known = self.task.calendar.period(label, entity)
            except UnreadableInput as error:
                known = error
            self._dates[label, entity] = known
        return known

    def knows(self, entity: str, name: str) -> bool:
        """Whether a primary fact or a witness of the entity bears this name, in any period."""
        return (entity, name) in self._facts

    def parts(self, entity: str, head: str, when: When) -> list[str]:
        """The names one dotted part longer than `head` that have a primary fact for the period, sorted."""
        names = self._parts.get((entity, head), ())
        return sorted(name for name in names if self._matching(entity, name, when, ("primary",)))

    def _matching(self, entity: str, name: str, when: When, ranks: tuple[str, ...]) -> list[Fact]:
        exact, close = [], []
        for fact in self._facts.get((entity, name), ()):
            if fact.rank in ranks:
                dates = self._period(fact.period, entity)
                if dates == when.period:
                    exact.append(fact)
                elif isinstance(dates, Period) and when.period.holds(dates):
                    close.append(fact)
        return exact or close

    def primary(self, entity: str, name: str, when: When, place: FindPlace, *, wide: bool = True) -> Fact | Failure:
        """The one primary fact of the entity, or with `wide` of the whole task, for this period."""
        known = self._found.get((entity, name, when.label, wide))
        if known is not None:
            return known
        owner = entity if (entity, name) in self._facts or not wide else TASK_WIDE
        found = self._matching(owner, name, when, ("primary",))
        if not found and wide and owner != TASK_WIDE:
            found = self._matching(TASK_WIDE, name, when, ("primary",))
        if len(found) == 1:
            self._found[entity, name, when.label, wide] = found[0]
            return found[0]
        if found:
            named = " and ".join(f"`{fact.id}`" for fact in sorted(found, key=lambda fact: fact.id))
            return Failure(
                f"two primary facts give `{name}` of `{found[0].entity}` for {when}: {named}",
                place(),
                fix="keep one as primary and make the other a witness",
            )
        return self._missing(entity, owner, name, when, place())

    def _missing(self, entity: str, owner: str, name: str, when: When, place: Place) -> Failure:
        facts = [fact for fact in self._facts.get((owner, name), ()) if fact.rank == "primary"]
        for fact in facts:
            dates = self._period(fact.period, owner)
            if isinstance(dates, UnreadableInput):
                problem = dates.problems[0]
                return Failure(
                    f"the fact `{fact.id}` cannot be placed: {problem.what}",
                    place,
                    expected=problem.expected,
                    fix="mend the fact's period or give the label its dates",
                )
        periods = ", ".join(sorted({fact.period for fact in facts}))
        whose = "the task as a whole (`*`)" if owner == TASK_WIDE != entity and facts else f"`{entity}`"
        others = [known for known, other in self._facts if other == name and known != entity]
        fix = "add it to facts.csv"
        if not facts and others:
            fix = f"add it to facts.csv as for `{min(others)}`"
        elif not facts:
            fix = (did_you_mean(name, self.names) + fix).strip()
        return Failure(
            f"no primary fact gives `{name}` of {whose} for {when}",
            place,
            seen=f"`{name}` for {periods}" if periods else "",
            expected=f"a primary fact `{name}`",
            fix=fix,
            missing=True,
        )

    def find(self, entity: str, name: str, when: When) -> Fact | None:
        """The one primary fact of the entity itself for this period; None where there is none, or several."""
        found = self._matching(entity, name, when, ("primary",))
        return found[0] if len(found) == 1 else None

    def dates(self, fact: Fact) -> Period | None:
        """The dates of a fact's period; None where it has none."""
        found = self._period(fact.period, fact.entity)
        return found if isinstance(found, Period) else None

    def witnesses(self, entity: str, name: str, when: When, place: FindPlace) -> list[Fact] | Failure:
        """The primary fact first, then every witness for the same dates, by id."""
        first = self.primary(entity, name, when, place)
        if isinstance(first, Failure):
            return first
        others = self._matching(first.entity, name, when, ("witness",))
        return [first, *sorted(others, key=lambda fact: fact.id)]

    def others(self, fact: Fact) -> list[Fact]:
        """The witnesses of the same entity, name and dates as a fact, by id."""
        dates = self._period(fact.period, fact.entity)
        if isinstance(dates, UnreadableInput):
            return []
        found = self._matching(fact.entity, fact.name, When(fact.period, dates), ("witness",))
        return sorted((other for other in found if other.id != fact.id), key=lambda other: other.id)


def reserved_names(facts: Iterable[Fact]) -> list[Fact]:
    """The facts whose name begins with a word that derivations keep for themselves."""
    kept = {"cells", "all", "others", "publishers"}
    return [fact for fact in facts if fact.name.partition(".")[0] in kept]

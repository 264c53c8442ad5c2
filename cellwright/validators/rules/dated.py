"""Conditions 1, 2 and 4, dated: days and years that cannot be, or that contradict one another."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date, timedelta

from cellwright.records.errors import Place
from cellwright.records.findings import Condition
from cellwright.records.periods import Period
from cellwright.records.rows import Fact
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, rule

C1, C2, C4 = Condition.COMPLETE, Condition.SOURCED, Condition.RECONCILED
_YEAR = re.compile(r"(?<!\d)(?:(?:19|20)\d\d|\d\d)$")
_WEEK = timedelta(days=7)


def _year_of(label: str) -> int | None:
    found = _YEAR.search(label)
    return None if found is None else int(found[0]) + (2000 if len(found[0]) == 2 else 0)


@rule("C1-PERIOD-LABEL", C1, severity="warning", title="A label's year is a year of its dates.")
def labels_name_their_years(context: AuditContext) -> Iterator[Hit]:
    """`FY2023` with dates that touch no day of 2023: a label taken for another calendar's."""
    for label, dates in context.task.periods.items():
        year = _year_of(label)
        for who, period in dates.items():
            first = period.start or period.end
            if year is not None and not first.year <= year <= period.end.year:
                place = context.task.place("periods", label, who, record=label)
                entity = "" if who == "default" else who
                yield Hit(place, f"{label}: {period}", f"dates of {year}", "mend the label or the dates", entity)


@rule("C1-PERIOD-GAP", C1, severity="warning", title="One fiscal year begins where the year before ends.")
def years_follow_one_another(context: AuditContext) -> Iterator[Hit]:
    """More than a week between FY2022 and FY2023 of an entity: its own dates were given for one of them only."""
    labels = {label: _year_of(label) for label in context.task.periods}
    told: set[tuple[str, Period, Period]] = set()
    for one, year in labels.items():
        head = _YEAR.sub("", one)
        other = next((name for name, then in labels.items() if year and then == year + 1 and name.startswith(head)), "")
        if not other or _YEAR.sub("", other) != head:
            continue
        for entity in ("default", *context.task.entity_ids):
            first, second = (_dates(context, label, entity) for label in (one, other))
            if first and second and second.start and (other, first, second) not in told:
                told.add((other, first, second))
                if second.start - first.end > _WEEK:
                    yield Hit(
                        context.task.place("periods", other, entity, record=other),
                        f"{one} ends {first.end}, {other} begins {second.start}",
                        "years that adjoin",
                        "give the entity its own dates under both labels, or waive where its year was moved",
                        "" if entity == "default" else entity,
                    )


def _dates(context: AuditContext, label: str, entity: str) -> Period | None:
    dates = context.task.periods[label]
    return dates.get(entity) or dates.get("default")


@rule("C1-PERIOD-KIND", C1, severity="warning", title="Figures of one name are all of a day or all of a span.")
def names_are_of_one_kind_of_period(context: AuditContext) -> Iterator[Hit]:
    """A year's revenue filed under the year's last day, while the others are filed under the year."""
    groups: dict[str, list[tuple[Fact, bool]]] = defaultdict(list)
    for fact in context.folder.facts:
        period = context.periods[fact.id]
        if isinstance(period, Period):
            groups[fact.name].append((fact, period.start is None))
    for facts in groups.values():
        counts = Counter(instant for _, instant in facts)
        if len(counts) < 2 or len(facts) < 4:
            continue
        usual = counts.most_common(1)[0][0]
        for fact, instant in facts:
            if instant != usual and min(counts.values()) * 4 <= max(counts.values()):
                expected = "a day, as the others" if usual else "a span such as the year, as the others"
                yield context.fact_hit(fact, "period", f"{fact.period}, of a {'day' if instant else 'span'}", expected)


@rule("C1-DATE-UNLIKELY", C1, severity="warning", title="No day lies years after what it is about.")
def days_are_likely(context: AuditContext) -> Iterator[Hit]:
    """A year mistyped: an `as_of` or a day of access long after the last document and the last period."""
    folder, task = context.folder, context.task
    latest = _latest(context)
    if latest is None:
        return
    most = latest + timedelta(days=366 * context.thresholds.date_reach_years)
    days: list[tuple[Place, date | None]] = [(task.place("as_of"), task.as_of)]
    days += [(folder.place(row, "accessed"), row.accessed) for row in folder.sources]
    days += [(folder.place(row, "date"), row.date) for row in folder.searches]
    days += [(folder.place(row, "date"), row.date) for row in folder.waivers]
    for place, day in days:
        if day is not None and day > most:
            yield Hit(place, str(day), f"{most} or earlier; the last document is of {latest}", "mend the year")


def _latest(context: AuditContext) -> date | None:
    """The last day that a document or a fact's period gives."""
    days = [row.published for row in context.folder.sources if row.published]
    days += [period.end for period in context.periods.values() if isinstance(period, Period)]
    return max(days, default=None)


@rule("C2-PUBLISHED-EARLY", C2, severity="warning", title="No figure was published before its period had ended.")
def publication_follows_the_period(context: AuditContext) -> Iterator[Hit]:
    """A year's figure from a document of that year's spring; figures with the basis `estimated` may be early."""
    told: set[str] = set()
    for fact in context.folder.facts:
        source, period = context.folder.source_by_id.get(fact.source), context.periods[fact.id]
        early = (
            source is not None
            and source.published is not None
            and isinstance(period, Period)
            and source.published < period.end
            and fact.basis != "estimated"
            and period.end <= context.task.as_of
        )
        if early and source is not None and fact.source not in told:
            told.add(fact.source)
            place = context.folder.place(source, "published")
            expected = f"a day after {context.periods[fact.id]}, which `{fact.id}` is of"
            yield Hit(place, str(source.published), expected, "mend the day, or give the figure the basis `estimated`")


@rule("C4-SEARCH-DATE", C4, severity="warning", title="What is not available was looked for after its period.")
def searches_follow_the_period(context: AuditContext) -> Iterator[Hit]:
    """Searches for a year's figure before the year had ended: nobody could have found it."""
    for search in context.folder.searches:
        spec = context.specs.get((search.entity, search.dimension))
        end = context.day_of(spec.period, spec.entity) if spec is not None and spec.period else None
        if end is not None and search.date is not None and search.date < end:
            yield Hit(
                context.folder.place(search, "date"),
                f"{search.date}, and the period ends {end}",
                "a later day",
                "mend the date, or look again",
                search.entity,
                search.dimension,
            )

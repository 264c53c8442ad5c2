"""Condition 2, figures beside one another: a figure that is right alone and wrong among the others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from decimal import Decimal
from urllib.parse import urlsplit

from cellwright.records.errors import clip
from cellwright.records.findings import Condition
from cellwright.records.quantities import Reading
from cellwright.records.rows import Fact, Source
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, rule

C2 = Condition.SOURCED
_ENOUGH = 4
"""So many figures of one document show what is usual in it."""
_USUAL = Decimal("0.75")


@rule("C2-FIGURE-SHARED", C2, title="A printed figure is read for one thing only.")
def figures_are_read_once(context: AuditContext) -> Iterator[Hit]:
    """The same words of the same source for two years, two entities or two names: one of them was copied."""
    readers: dict[tuple[str, str, str], list[Fact]] = defaultdict(list)
    for fact in context.folder.facts:
        if fact.quote and fact.as_written:
            readers[fact.source, fact.quote, fact.as_written].append(fact)
    for facts in readers.values():
        for position, fact in enumerate(facts[1:], start=1):
            first = next((other for other in facts[:position] if _place(other) == _place(fact)), None)
            if first is not None and _thing(context, fact) != _thing(context, first):
                yield context.fact_hit(
                    fact,
                    "quote",
                    f"the same words as `{first.id}`: {clip(fact.quote)}",
                    "words of its own",
                    "look which of the two the document speaks of, and read the other again",
                )


def _place(fact: Fact) -> tuple[object, ...]:
    return fact.prefix, fact.suffix, fact.page, fact.row, fact.column, fact.locator


def _thing(context: AuditContext, fact: Fact) -> tuple[str, str, str]:
    return fact.entity, fact.name, str(context.periods[fact.id])


@rule("C2-SCALE-MIXED", C2, severity="warning", title="The amounts of one document have one scale.")
def scales_are_not_mixed(context: AuditContext) -> Iterator[Hit]:
    """A figure in thousands in a document whose figures of that unit are in millions. Figures that say their own
    scale (`1.2 billion`) are left out."""
    groups: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact, reading in context.readings.values():
        if isinstance(reading, Reading) and not reading.scale and fact.scale is not None and fact.unit:
            groups[fact.source, fact.unit].append(fact)
    for facts in groups.values():
        usual, count = Counter(fact.scale for fact in facts).most_common(1)[0]
        if len(facts) < _ENOUGH or count < _USUAL * len(facts):
            continue
        for fact in facts:
            if fact.scale != usual:
                yield context.fact_hit(
                    fact,
                    "scale",
                    f"{fact.scale}",
                    f"{usual}, as {count} other figures in {fact.unit} of `{fact.source}`",
                    "look at the head of the table, or waive where it is another table",
                )


@rule(
    "C2-SIGN-MIXED",
    C2,
    severity="warning",
    title="Figures of one entity and name that are printed negative are read alike.",
)
def signs_are_not_mixed(context: AuditContext) -> Iterator[Hit]:
    """Costs in brackets that are an outflow's size for one year and a negative number for another."""
    groups: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact, reading in context.readings.values():
        if isinstance(reading, Reading) and reading.negative and reading.magnitude and fact.sign:
            groups[fact.entity, fact.name].append(fact)
    for facts in groups.values():
        counts = Counter(fact.sign for fact in facts)
        if len(counts) < 2:
            continue
        usual = counts.most_common(1)[0][0]
        for fact in facts:
            if fact.sign != usual:
                yield context.fact_hit(
                    fact,
                    "sign",
                    f"{fact.sign}, printed {fact.as_written}",
                    f"{usual}, as the others of `{fact.entity}`, `{fact.name}`",
                    "read all of them alike: the size of an outflow is `reversed`",
                )


@rule("C2-SOURCE-TWICE", C2, severity="warning", title="No two sources are the same document.")
def sources_are_different_documents(context: AuditContext) -> Iterator[Hit]:
    """Two sources with one address or one captured body: a document is no witness of itself."""
    by_place: dict[str, Source] = {}
    for source in context.folder.sources:
        for column, key in (("url", _address(source.url)), ("capture", source.capture)):
            if not key:
                continue
            first = by_place.setdefault(f"{column} {key}", source)
            if first is not source:
                yield Hit(
                    context.folder.place(source, column),
                    f"the same {column} as `{first.id}`",
                    "another document",
                    "give its facts to the first source and remove this one, or mend the address and pin",
                )


def _address(url: str) -> str:
    """An address without scheme, fragment, `www.` and a slash at the end."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:  # C2-URL-UNUSABLE tells it
        return ""
    host = (parts.hostname or "").removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}?{parts.query}" if host else ""


@rule("C2-ACCESSED-EARLIER", C2, severity="warning", title="No source was looked at before it was published.")
def access_is_after_publication(context: AuditContext) -> Iterator[Hit]:
    """A day of access before the day of publication: one of the two is mistyped."""
    for source in context.folder.sources:
        if source.accessed and source.published and source.accessed < source.published:
            yield Hit(
                context.folder.place(source, "accessed"),
                f"{source.accessed}, published {source.published}",
                "a day on or after the publication",
                "mend one of the dates",
            )


@rule("C2-CURRENCY-PRINTED", C2, title="A figure printed with a currency has that currency.")
def printed_currencies_are_the_unit_s(context: AuditContext) -> Iterator[Hit]:
    """Figures printed `€ 5` or `5 CHF` whose unit names another currency. A bare $ is that of many countries."""
    for fact, reading in context.readings.values():
        if not isinstance(reading, Reading) or len(reading.unit) != 3 or not reading.unit.isupper():
            continue
        currency = fact.unit.split("/")[0].strip()
        if "$" not in fact.as_written and fact.unit and currency != reading.unit:
            yield context.fact_hit(
                fact, "unit", fact.unit, reading.unit, f"the figure is printed {clip(fact.as_written)}"
            )

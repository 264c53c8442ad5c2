"""Condition 2, excerpts: the words around a figure speak of the fact's entity, period and name."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cellwright.documents.quotes import QuoteIndex, normalise
from cellwright.records.errors import clip
from cellwright.records.findings import Condition
from cellwright.records.names import company_key, plain
from cellwright.records.periods import Period
from cellwright.records.quantities._locale import listed
from cellwright.records.rows import Fact
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, rule

C2 = Condition.SOURCED
_INTERVAL = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d/\d{4}-\d\d-\d\d(?!\d)")
_YEAR = re.compile(r"(?<![\d.,/-])(?:19|20)\d\d(?![\d,/-]|\.\d)")
_LETTERS = re.compile(r"[^\W\d_]+")
_UNPAGED = ("text/html", "application/xhtml+xml", "text/csv", "application/json", "text/plain")
_WINDOW = 2_000
"""So many characters before a quote hold the head and the label of its row in a table as text."""
_OPPOSITES = tuple(
    tuple(pair.split("/"))
    for pair in sorted(
        listed(
            "diluted/basic gross/net current/noncurrent assets/liabilities receivable/payable receivables/payables"
            " domestic/foreign imports/exports operating/financing operating/investing minimum/maximum male/female"
            " births/deaths urban/rural opening/closing"
        )
    )
)


@rule(
    "C2-QUOTE-OTHER-ENTITY", C2, severity="warning", title="The words around a figure name no other entity of the task."
)
def quotes_name_their_entity(context: AuditContext) -> Iterator[Hit]:
    """Quotes and rows that name another entity and not the fact's own: a line of a table of all was mistaken."""
    names = _names_of_entities(context)
    if len(names) < 2:
        return
    anyone = re.compile("|".join(sorted({name for own in names.values() for name in own}, key=len, reverse=True)))
    for fact in context.folder.facts:
        text = f"{fact.row} {fact.quote}"
        found = [] if fact.entity == "*" else anyone.findall(text)
        own = names.get(fact.entity, frozenset())
        if found and not any(re.search(name, text) for name in own):
            expected = f"words about `{fact.entity}`"
            yield context.fact_hit(fact, "quote", f"{clip(found[0])}", expected, "read the row of this entity")


def _names_of_entities(context: AuditContext) -> dict[str, frozenset[str]]:
    """Patterns of the names and aliases under which documents speak of each entity, legal forms left out."""
    found: dict[str, frozenset[str]] = {}
    for entity in context.task.entities:
        patterns = set()
        for name in (entity.name, *entity.aliases):
            words = [word for word in re.findall(r"\w+", name) if company_key(f"{word} x") != "x"]
            if len("".join(words)) > 3:
                patterns.add(r"\b" + r"\W{1,3}".join(map(re.escape, words)) + r"\b")
        found[entity.id] = frozenset(patterns)
    return {entity: patterns for entity, patterns in found.items() if patterns}


@rule(
    "C2-QUOTE-OTHER-PERIOD",
    C2,
    severity="warning",
    title="The words around a figure name no other period than the fact's.",
)
def quotes_name_their_period(context: AuditContext) -> Iterator[Hit]:
    """Columns and quotes that name the dates or the year of another period of the task, and not the fact's own."""
    years = {year for dates in context.task.periods.values() for period in dates.values() for year in _years(period)}
    known = {str(period) for dates in context.task.periods.values() for period in dates.values()}
    for fact in context.folder.facts:
        period = context.periods[fact.id]
        if not isinstance(period, Period):
            continue
        quote = fact.quote.replace(fact.as_written, " ")
        text = f"{fact.column} {quote}"
        dates = set(_INTERVAL.findall(text))
        named = {int(year) for year in _YEAR.findall(fact.column) or _YEAR.findall(quote)}
        other = ""
        if dates:
            other = "" if str(period) in dates or not dates <= known else ", ".join(sorted(dates))
        elif named and named <= years and not named & (_years(period) | _label_years(fact.period)):
            other = ", ".join(map(str, sorted(named)))
        if other:
            expected = f"the words for {fact.period}"
            yield context.fact_hit(fact, "quote", clip(other), expected, "read the figure of this period")


def _years(period: Period) -> set[int]:
    return {day.year for day in (period.start, period.end) if day}


def _label_years(label: str) -> set[int]:
    return {int(year) for year in re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", label)}


@rule(
    "C2-QUOTE-OTHER-LINE",
    C2,
    severity="warning",
    title="A figure stands in the line in which its name is read elsewhere.",
)
def quotes_are_of_the_line_of_their_name(context: AuditContext) -> Iterator[Hit]:
    """The label of a line in which another name is read, while the fact's own name is read in another line."""
    lines: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    labels = {fact.id: _label(fact) for fact in context.folder.facts}
    for fact in context.folder.facts:
        if labels[fact.id]:
            lines[fact.entity, fact.source, fact.name][labels[fact.id]] += 1
    by_place: dict[tuple[str, str], list[str]] = defaultdict(list)
    for entity, source, name in lines:
        by_place[entity, source].append(name)
    for fact in context.folder.facts:
        label = labels[fact.id]
        own = lines[fact.entity, fact.source, fact.name]
        if not label or own[label] != 1 or len(own) < 2:
            continue
        for name in by_place[fact.entity, fact.source]:
            if name != fact.name and lines[fact.entity, fact.source, name][label]:
                usual = own.most_common(2)[0][0] if own.most_common(1)[0][0] != label else own.most_common(2)[1][0]
                observed = f"the line «{clip(label, 60)}», in which `{name}` is read"
                yield context.fact_hit(fact, "quote", observed, f"«{clip(usual, 60)}»", "read the line of its name")
                break


def _label(fact: Fact) -> str:
    """The label of the line: the row's, or the words before the figure."""
    text = fact.row or fact.quote.partition(fact.as_written)[0] if fact.as_written else ""
    return " ".join(_LETTERS.findall(plain(text)))


@rule("C2-LABEL-OPPOSITE", C2, severity="warning", title="A figure's label does not say the opposite of its name.")
def labels_do_not_say_the_opposite(context: AuditContext) -> Iterator[Hit]:
    """`basic` where the name says diluted, `net` where it says gross, liabilities for assets."""
    for fact in context.folder.facts:
        words = set(re.split(r"[._]", fact.name))
        if not any(words & set(pair) for pair in _OPPOSITES):
            continue
        label = set(re.sub(r"\bnon (?=current)", "non", _label(fact)).split())
        for pair in _OPPOSITES:
            for meant, opposite in (pair, pair[::-1]):
                if meant in words and opposite not in words and opposite in label and meant not in label:
                    observed = f"`{opposite}` in «{clip(_label(fact), 80)}»"
                    yield context.fact_hit(fact, "quote", observed, f"`{meant}`", "read the line that is meant")


@dataclass(frozen=True, slots=True)
class _Around:
    """The normalised text before and after one place of a quote."""

    before: str
    after: str


@rule("C2-PLACE-WRONG", C2, severity="warning", title="Page, row, prefix and suffix are where the quote stands.")
def places_are_where_the_quotes_are(context: AuditContext) -> Iterator[Hit]:
    """Labels and words beside a quote that are not beside it, other pages than the quote's, pages of what has none."""
    pages: dict[tuple[str, int], QuoteIndex] = {}
    for fact, places in context.quoted:
        found = context.evidence[fact.source]
        text = found.index.text
        column, observed = "", ""
        printed = found.document.pages if found.document is not None else ()
        if fact.page is not None and printed and places and not _is_on_page(fact, printed, pages):
            column, observed = "page", f"page {fact.page} of {len(printed)}"
        if fact.page is not None and found.media_type.partition(";")[0] in _UNPAGED:
            column, observed = "page", f"page {fact.page} of {found.media_type}"
        around = [_Around(text[max(0, start - _WINDOW) : start], text[end : end + 400]) for start, end in places[:20]]
        if around and not column:
            column = _not_beside(fact, around)
            observed = clip(getattr(fact, column)) if column else ""
        if column:
            fix = f"`cellwright locate {context.task.id} --write` fills it where it is empty"
            yield context.fact_hit(fact, column, observed, "what stands at the quote", fix)


def _is_on_page(fact: Fact, printed: Sequence[str], known: dict[tuple[str, int], QuoteIndex]) -> bool:
    """Whether a quote stands on its fact's page, or on no page alone, as one that runs over two."""
    own: int = fact.page or 0
    for number in (own, *range(1, len(printed) + 1)):
        if not 0 < number <= len(printed):
            continue
        index = known.get((fact.source, number)) or QuoteIndex(printed[number - 1])
        known[fact.source, number] = index
        if index.find(fact.quote):
            return bool(number == own)
    return own <= len(printed)


def _not_beside(fact: Fact, around: list[_Around]) -> str:
    """The first column whose words are beside none of the quote's places; empty where all are."""
    if fact.prefix:
        prefix = normalise(fact.prefix)
        if not any(prefix in place.before[-len(prefix) - 200 :] for place in around):
            return "prefix"
    if fact.suffix:
        suffix = normalise(fact.suffix)
        if not any(suffix in place.after[: len(suffix) + 200] for place in around):
            return "suffix"
    words = [word for word in _LETTERS.findall(fact.row) if len(word) > 3]
    if not words or any(word in fact.quote for word in words):
        return ""
    words = [normalise(word) for word in words]
    if not any(word in place.before for word in words for place in around):
        return "row"
    return ""

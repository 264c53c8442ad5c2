"""Condition 2, sourced: captures, quotes and their numbers, tiers, and evidence as good as the task has."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from decimal import Decimal
from urllib.parse import urlsplit

from cellwright.documents.quotes import holds_once
from cellwright.records.bundle import STAND_IN
from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.errors import clip
from cellwright.records.findings import Condition
from cellwright.records.quantities import QuantityError, Reading
from cellwright.records.rows import Fact, Source
from cellwright.validators.context import AuditContext
from cellwright.validators.evidence import Evidence
from cellwright.validators.registry import Hit, rule
from cellwright.validators.tiers import proposed_tier

C2 = Condition.SOURCED
_HUNDREDTHS = ("percent", "permille", "bp", "pp")
_RESERVED = ("example", "test", "invalid", "localhost")


@rule("C2-URL-UNUSABLE", C2, title="Every source has an http or https address.")
def urls_can_be_opened(context: AuditContext) -> Iterator[Hit]:
    """Addresses with another scheme, without a host, or with a user name in them."""
    for source in context.folder.sources:
        host = _host(source)
        if host is None:
            yield Hit(
                context.folder.place(source, "url"),
                clip(source.url) or "nothing",
                "an address that begins with http:// or https://",
            )


@rule("C2-URL-NOT-PUBLIC", C2, severity="warning", title="Every source has an address that others can open.")
def urls_are_public(context: AuditContext) -> Iterator[Hit]:
    """Placeholder names and addresses of one's own network."""
    for source in context.folder.sources:
        host = _host(source)
        if host is not None and not _is_public(host):
            yield Hit(context.folder.place(source, "url"), clip(source.url), "the document's public address")


def _host(source: Source) -> str | None:
    try:
        parts = urlsplit(source.url)
        host = parts.hostname
    except ValueError:
        return None
    return host if parts.scheme in ("http", "https") and host and not parts.username else None


def _is_public(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return host.rsplit(".", 1)[-1] not in _RESERVED and "." in host


@rule("C2-PUBLISHED-MISSING", C2, title="Every source says when it was published.", draft="warning")
def publication_is_dated(context: AuditContext) -> Iterator[Hit]:
    """Sources without a day of publication: nobody can tell whether they may be cited."""
    for source in context.folder.sources:
        if source.published is None:
            yield Hit(context.folder.place(source, "published"), "nothing", "the day it was published")


@rule("C2-PUBLISHED-LATER", C2, title="No source was published after the task's as_of.")
def publication_is_not_later(context: AuditContext) -> Iterator[Hit]:
    """Sources that an agent working on `as_of` could not have read."""
    as_of = context.task.as_of
    for source in context.folder.sources:
        if source.published is not None and source.published > as_of:
            yield Hit(
                context.folder.place(source, "published"),
                str(source.published),
                f"{as_of} or earlier",
                "cite an earlier document, or move the task's `as_of`",
            )


@rule("C2-TIER-MISSING", C2, title="Every source has its tier.", draft="warning")
def sources_have_tiers(context: AuditContext) -> Iterator[Hit]:
    """Sources without a provenance tier."""
    for source in context.folder.sources:
        if source.tier is None:
            names = [entity.name for entity in context.task.entities]
            proposal = proposed_tier(source, context.owners, names)
            fix = f"proposed is {proposal.says()}; decide, and write the tier with your reason"
            yield Hit(context.folder.place(source, "tier"), "nothing", "T1, T2, T3 or T4", fix)


@rule("C2-TIER-REASON", C2, title="Every tier says why.", draft="warning")
def tiers_have_reasons(context: AuditContext) -> Iterator[Hit]:
    """Tiers without a reason."""
    for source in context.folder.sources:
        if source.tier is not None and not source.tier_reason:
            yield Hit(context.folder.place(source, "tier_reason"), "nothing", f"why it is {source.tier}")


@rule("C2-CAPTURE-MISSING", C2, title="Every source has its capture, and it is here.", draft="warning")
def sources_are_captured(context: AuditContext) -> Iterator[Hit]:
    """Sources without a pin, or whose pinned capture was not found."""
    for source in context.folder.sources:
        found = context.evidence.get(source.id)
        if not source.capture:
            yield Hit(
                context.folder.place(source, "capture"),
                "nothing",
                "the sha256 of the captured body",
                f"`cellwright capture {context.task.id}` fetches it",
            )
        elif found is None or found.absent:
            yield Hit(
                context.folder.place(source, "capture"),
                "no such capture",
                source.capture,
                "`dvc pull` brings captures that others made",
            )


@rule("C2-CAPTURE-MISMATCH", C2, title="Every capture holds the bytes that its pin names.", waivable=False)
def captures_match_their_pins(context: AuditContext) -> Iterator[Hit]:
    """Captures whose body has another sha256 than `sources.csv` says."""
    for source, found in _captured(context):
        if source.capture and found.sha256 and found.sha256 != source.capture:
            yield Hit(
                context.folder.place(source, "capture"),
                found.sha256,
                source.capture,
                f"look at what changed, then `cellwright capture {context.task.id} --accept {source.id}`",
            )


@rule("C2-CAPTURE-UNUSABLE", C2, title="Every capture is a page with text, not an error or a blank.")
def captures_can_be_read(context: AuditContext) -> Iterator[Hit]:
    """Captures of error pages, of nothing, or in a form that no reader reads."""
    for source, found in _captured(context):
        if found.absent:
            continue
        problem = (
            found.problem
            or (f"HTTP status {found.status}" if found.status[:1] not in ("2", "") else "")
            or ("" if found.text.strip() else "no text")
        )
        if problem:
            yield Hit(
                context.folder.place(source, "capture"),
                clip(problem, 200),
                "a document with text",
                f"capture it again, or hand the document in: `cellwright capture {context.task.id} --from FILE"
                f" {source.id}`",
            )


@rule("C2-CAPTURE-STAND-IN", C2, severity="warning", title="Every capture is the document itself.")
def captures_are_no_stand_ins(context: AuditContext) -> Iterator[Hit]:
    """Captures of a sheet that only repeats figures: they cannot be released."""
    for source, found in _captured(context):
        if found.via == STAND_IN:
            yield Hit(
                context.folder.place(source, "capture"),
                "a stand-in",
                "the document itself",
                f"`cellwright capture {context.task.id} --refresh` fetches it",
            )


def _captured(context: AuditContext) -> Iterator[tuple[Source, Evidence]]:
    for source in context.folder.sources:
        found = context.evidence.get(source.id)
        if found is not None:
            yield source, found


@rule("C2-SOURCE-UNUSED", C2, severity="warning", title="Every source gives a fact.")
def sources_are_used(context: AuditContext) -> Iterator[Hit]:
    """Sources from which no fact is read."""
    used = {fact.source for fact in context.folder.facts}
    for source in context.folder.sources:
        if source.id not in used:
            yield Hit(
                context.folder.place(source, "id"),
                "no fact",
                "a fact read from it",
                "read a fact from it, or remove it",
            )


@rule("C2-QUOTE-EMPTY", C2, title="Every fact quotes its source.", draft="warning")
def facts_have_quotes(context: AuditContext) -> Iterator[Hit]:
    """Facts without an excerpt."""
    for fact in context.folder.facts:
        if not fact.quote:
            yield context.fact_hit(
                fact,
                "quote",
                "nothing",
                "a short excerpt that holds the figure",
                f"`cellwright locate {context.task.id} --write` fills it",
            )


@rule("C2-QUOTE-LONG", C2, title="No quote is longer than 300 characters.", waivable=False)
def quotes_are_short(context: AuditContext) -> Iterator[Hit]:
    """Quotes that are more than the figure and the words around it: quotes are published."""
    for fault in context.long_quotes:
        yield Hit(fault.place, fault.observed, fault.expected, fault.fix)


@rule("C2-QUOTE-ABSENT", C2, title="Every quote stands in the capture of its source.")
def quotes_are_in_their_captures(context: AuditContext) -> Iterator[Hit]:
    """Quotes that the captured text does not hold."""
    for fact, places in context.quoted:
        if not places and not context.evidence[fact.source].was_quoted(fact):
            yield context.fact_hit(
                fact,
                "quote",
                clip(fact.quote),
                f"words of `{fact.source}`",
                f"copy the words as the document has them, or `cellwright locate {context.task.id} --write --renew`",
            )


@rule(
    "C2-QUOTE-AMBIGUOUS", C2, severity="warning", title="Every quote, with its prefix and suffix, stands at one place."
)
def quotes_stand_once(context: AuditContext) -> Iterator[Hit]:
    """Quotes that stand at several places, none of which the prefix and suffix choose.

    A passage that is printed twice, the words before and after the quote included, says the same at both places.
    """
    for fact, places in context.quoted:
        if len(places) > 1 and not _is_one_passage(context, fact):
            yield context.fact_hit(
                fact,
                "quote",
                f"{len(places)} places",
                "one place",
                "give a few words before it in `prefix`, or after it in `suffix`",
            )


def _is_one_passage(context: AuditContext, fact: Fact) -> bool:
    """Whether the quote stands between its prefix and its suffix as given."""
    passage = f"{fact.prefix} {fact.quote} {fact.suffix}"
    return bool(fact.prefix and fact.suffix and context.evidence[fact.source].index.find(passage))


@rule("C2-NUMBER-NOT-IN-QUOTE", C2, title="Every quote holds its figure once, as a whole number.")
def quotes_hold_their_numbers(context: AuditContext) -> Iterator[Hit]:
    """Quotes in which `as_written` does not stand, stands twice, or is a part of another number."""
    for fact in context.folder.facts:
        if fact.quote and fact.as_written and not holds_once(fact.quote, fact.as_written):
            yield context.fact_hit(
                fact,
                "quote",
                clip(fact.quote),
                f"`{clip(fact.as_written)}` once, whole",
                "quote the words around this figure only",
            )


@rule("C2-PAGE-MISSING", C2, severity="warning", title="Every fact from a PDF says its page.")
def pdf_facts_have_pages(context: AuditContext) -> Iterator[Hit]:
    """Facts read from a PDF without a page."""
    for fact in context.folder.facts:
        source = context.folder.source_by_id.get(fact.source)
        if source is not None and source.media_type == "application/pdf" and fact.page is None:
            yield context.fact_hit(fact, "page", "nothing", "the page, from 1")


@rule("C2-NUMBER-UNREADABLE", C2, title="Every figure as printed can be read as one number.")
def figures_can_be_read(context: AuditContext) -> Iterator[Hit]:
    """Figures that are no number, or that two readings fit."""
    for fact, reading in context.readings.values():
        if isinstance(reading, QuantityError):
            problem = reading.problems[0]
            yield context.fact_hit(fact, "as_written", fact.as_written, problem.expected or "one number", problem.what)


@rule("C2-READING-INCOMPLETE", C2, title="Every fact says value, scale and sign.", draft="warning")
def readings_are_complete(context: AuditContext) -> Iterator[Hit]:
    """Facts that do not say how the figure becomes the value."""
    for fact in context.folder.facts:
        lacking = tuple(name for name in ("value", "scale", "sign") if getattr(fact, name) is None)
        if lacking:
            hit = context.fact_hit(
                fact,
                lacking[0],
                f"no {', no '.join(lacking)}",
                "value, scale and sign",
                f"`cellwright locate {context.task.id} --write` fills them",
            )
            yield Hit(hit.place, hit.observed, hit.expected, hit.fix, hit.entity, fields=lacking)


@rule("C2-VALUE-MISMATCH", C2, title="Every value is the figure as printed, with scale and sign.")
def values_follow_from_figures(context: AuditContext) -> Iterator[Hit]:
    """Values that are not `as_written` × 10^scale, reversed where `sign` says so."""
    for fact, reading in context.readings.values():
        if not isinstance(reading, Reading) or None in (fact.value, fact.scale, fact.sign):
            continue
        expected = _value(fact, reading)
        if fact.value != expected:
            hit = context.fact_hit(
                fact, "value", canonical(fact.value or Decimal(0)), canonical(expected), "mend value, scale or sign"
            )
            yield Hit(hit.place, hit.observed, hit.expected, hit.fix, hit.entity, fields=("value", "scale", "sign"))


def _value(fact: Fact, reading: Reading) -> Decimal:
    """The value that the figure gives: a scale word in the figure counts once, also when `scale` repeats it."""
    scale = fact.scale or 0
    power = scale if reading.scale in (0, scale) else reading.scale + scale
    value = reading.signed.scaleb(power, CONTEXT)
    return CONTEXT.minus(value) if fact.sign == "reversed" and value else value


@rule("C2-UNIT-PRINTED", C2, title="A figure printed as a percentage has a unit of hundredths.")
def printed_percentages_are_percent(context: AuditContext) -> Iterator[Hit]:
    """Figures with a percent sign (or per mille, basis points) whose unit is something else."""
    for fact, reading in context.readings.values():
        if isinstance(reading, Reading) and reading.unit in _HUNDREDTHS and fact.unit and fact.unit not in _HUNDREDTHS:
            yield context.fact_hit(fact, "unit", fact.unit, reading.unit, f"the figure is printed {fact.as_written}")


@rule("C2-WEAK-EVIDENCE", C2, title="Answers rest on T1 or T2 wherever the task has such evidence.")
def primaries_have_the_best_tier(context: AuditContext) -> Iterator[Hit]:
    """Primary facts from T3 or T4 beside which the task has a T1 or T2 reading of the same thing."""
    for facts in context.readings_of_one_thing.values():
        better = [fact for fact in facts if fact.rank in ("witness", "context") and _tier(context, fact) in _STRONG]
        for fact in facts:
            if fact.rank == "primary" and _tier(context, fact) in _WEAK and better:
                yield context.fact_hit(
                    fact,
                    "rank",
                    f"primary from {_tier(context, fact)}",
                    f"primary from {_tier(context, better[0])}: `{better[0].id}`",
                    "make the better one primary and this one a witness",
                )


@rule("C2-TRAP-TIER", C2, severity="warning", title="A trap is a T3 or T4 figure.")
def traps_are_weak(context: AuditContext) -> Iterator[Hit]:
    """Traps from T1 or T2: a disclosure that differs is a witness, not a trap."""
    for fact in context.folder.facts:
        if fact.rank == "trap" and _tier(context, fact) in _STRONG:
            yield context.fact_hit(
                fact,
                "rank",
                f"trap from {_tier(context, fact)}",
                "a T3 or T4 source",
                "rank it witness, so that the label can tell the difference",
            )


_STRONG, _WEAK = ("T1", "T2"), ("T3", "T4")


def _tier(context: AuditContext, fact: Fact) -> str:
    source = context.folder.source_by_id.get(fact.source)
    return (source.tier or "") if source else ""

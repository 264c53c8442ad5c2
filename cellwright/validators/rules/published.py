"""Condition 2, sourced: who answers for a document, and whether its tier fits what the registry knows of them."""

from __future__ import annotations

from collections.abc import Iterator

from cellwright.documents.companies import core
from cellwright.documents.labels import plain
from cellwright.records.findings import Condition
from cellwright.records.rows import Source
from cellwright.validators.context import AuditContext
from cellwright.validators.owners import AGGREGATOR, FILING_HOST, is_kind
from cellwright.validators.registry import Hit, rule

C2 = Condition.SOURCED


@rule(
    "C2-TIER-ABOVE-REGISTRY",
    C2,
    severity="warning",
    title="No tier is stronger than what the registry gives the publisher.",
)
def tiers_fit_the_registry(context: AuditContext) -> Iterator[Hit]:
    """Sources with a stronger tier than every line that the registry has of their publisher."""
    for source in context.folder.sources:
        rows = [row for row in context.owners.named(source.publisher) if row.default_tier]
        if source.tier is None or not rows:
            continue
        strongest = min(rows, key=lambda row: row.default_tier or "")
        if strongest.default_tier is not None and source.tier < strongest.default_tier:
            kind = "an aggregator" if is_kind(strongest, AGGREGATOR) else strongest.publisher
            yield Hit(
                context.folder.place(source, "tier"),
                f"{source.tier} for {kind}",
                f"{strongest.default_tier}, by sources/registry.csv",
                "lower the tier, name who answers for the document as publisher, or mend the registry's line",
            )


@rule(
    "C2-PUBLISHER-IS-HOST",
    C2,
    severity="warning",
    title="The publisher is who answers for the document, not who hosts it.",
)
def publishers_answer_for_their_documents(context: AuditContext) -> Iterator[Hit]:
    """Documents of one of the task's entities that name the filing host as their publisher."""
    for source in context.folder.sources:
        hosts = [row for row in context.owners.named(source.publisher) if is_kind(row, FILING_HOST)]
        issuer = _issuer(context, source) if hosts else ""
        if issuer:
            yield Hit(
                context.folder.place(source, "publisher"),
                f"{source.publisher}, which hosts the document",
                f"{issuer}, who answers for it",
                "write the issuer as publisher: filings of two issuers on one host have two owners",
            )


def _issuer(context: AuditContext, source: Source) -> str:
    """The entity whose name or alias the title has; empty where none has one."""
    title = f" {plain(source.title)} "
    for entity in context.task.entities:
        if any(f" {core(name)} " in title for name in (entity.name, *entity.aliases) if core(name)):
            return entity.name
    return ""

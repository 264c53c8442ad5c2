"""Sources and facts of a bundle as the evidence page shows them."""

from __future__ import annotations

from collections.abc import Mapping

from cellwright.views import numbers
from cellwright.views.evidence_model import FactView, Pairs, SourceView
from cellwright.views.finding_view import FindingView
from cellwright.views.highlight import marked_parts
from cellwright.views.labels import RANK_WORDS, TIER_WORDS
from cellwright.views.safe import anchor, one_line, web_address
from cellwright.views.tables import Row

SCALE_WORDS = {"-2": "hundredths", "3": "thousands", "6": "millions", "9": "billions", "12": "trillions"}
_WHERE = (
    ("page", "page"),
    ("row", "row"),
    ("column", "column"),
    ("locator", "place"),
    ("basis", "basis"),
    ("scope", "scope"),
    ("supersedes", "replaces"),
)
Findings = Mapping[str, tuple[FindingView, ...]]
"""Findings by the record that they are about."""


def source_view(row: Row, findings: Findings) -> SourceView:
    """A source as a reader sees it."""
    task, source, tier = row.get("task", ""), row.get("source", ""), row.get("tier", "")
    return SourceView(
        id=source,
        anchor=anchor(task, "source", source),
        title=row.get("title", ""),
        publisher=row.get("publisher", ""),
        address=row.get("url", ""),
        link=web_address(row.get("url", "")),
        published=row.get("published", ""),
        accessed=row.get("accessed", ""),
        media_type=row.get("media_type", ""),
        tier=tier if tier in TIER_WORDS else "",
        tier_words=TIER_WORDS.get(tier, "no tier given"),
        tier_reason=row.get("tier_reason", ""),
        sha256=row.get("sha256", ""),
        via=row.get("via", ""),
        stand_in=row.get("via", "") == "stand-in",
        findings=findings.get(source, ()),
    )


def fact_view(
    row: Row,
    cell_anchor: str,
    entity_names: Mapping[str, str],
    sources: Mapping[str, SourceView],
    findings: Findings,
    chosen: str = "",
) -> FactView:
    """A fact with its excerpt, as the section of one cell shows it."""
    fact, entity = row.get("fact", ""), row.get("entity", "")
    unit, value, as_written = row.get("unit", ""), row.get("value", ""), row.get("as_written", "")
    return FactView(
        id=fact,
        anchor=f"{cell_anchor}/{anchor(fact)}",
        name=row.get("name", ""),
        entity="the whole task" if entity == "*" else entity_names.get(entity, entity),
        rank=row.get("rank", ""),
        rank_words=RANK_WORDS.get(row.get("rank", ""), ""),
        period=row.get("period", ""),
        as_written=as_written,
        value=numbers.exact_of(value, unit),
        how=_how(row),
        quote=marked_parts(one_line(row.get("quote", "")), one_line(as_written)),
        prefix=row.get("prefix", ""),
        suffix=row.get("suffix", ""),
        where=_where(row),
        source=sources.get(row.get("source", "")),
        chosen=bool(chosen) and fact == chosen,
        findings=findings.get(fact, ()),
    )


def _where(row: Row) -> Pairs:
    return tuple((label, row[key]) for key, label in _WHERE if row.get(key))


def _how(row: Row) -> str:
    """How the value follows from what is printed: `in millions, sign reversed`; nothing where it is as printed."""
    scale, parts = row.get("scale", ""), []
    if scale not in ("", "0"):
        parts.append(f"in {SCALE_WORDS.get(scale, f'units of ten to the power {one_line(scale)}')}")
    if row.get("sign") == "reversed":
        parts.append("sign reversed: its size is the fact")
    return ", ".join(parts)

"""Condition 2, read again: each figure is looked for anew, by row and period, and must be the one the fact gives."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from cellwright.documents.locate import Located
from cellwright.documents.witness import Witness
from cellwright.records.decimals import canonical
from cellwright.records.findings import Condition
from cellwright.records.rows import Fact
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, rule


@rule(
    "C2-FIGURE-CONTRADICTED",
    Condition.SOURCED,
    title="Read again by row and period, the document gives the fact's figure, scale and sign.",
)
def figures_read_again(context: AuditContext) -> Iterator[Hit]:
    """Facts whose row stands in the document with another figure, scale, sign or period than the fact says.

    What the reader cannot find or cannot tell apart is no contradiction: the quote is checked by other rules.
    """
    for fact in context.folder.facts:
        found = context.read_again.get(fact.id)
        if found is not None and found.status == "mismatch" and not _only_scale_untold(fact, found):
            shown = found.as_written or "another figure"
            yield context.fact_hit(
                fact,
                "as_written",
                f"the document shows {shown}: {found.why}",
                fact.as_written,
                "look at the document and mend the fact, or its `row`, `period`, `scale` or `sign`",
            )


def _only_scale_untold(fact: Fact, found: Located) -> bool:
    """Whether the document only does not say its scale, and the fact's figure is the one that is printed."""
    return not found.scale_read and bool(fact.scale) and found.as_written == fact.as_written


@rule(
    "C2-TAG-DIFFERS",
    Condition.SOURCED,
    severity="warning",
    title="Where the page tags a figure, the tag's magnitude and scale are those that are printed.",
)
def tags_agree(context: AuditContext) -> Iterator[Hit]:
    """Facts whose printed figure bears an inline XBRL tag that says another magnitude or scale.

    The print counts: a tag fills nothing. Its sign is of its concept's meaning and is not compared.
    """
    for fact in context.folder.facts:
        found = context.read_again.get(fact.id)
        evidence = context.evidence.get(fact.source)
        locator = evidence.locator if evidence is not None else None
        said = locator.witness(found) if locator is not None and found is not None else None
        if found is None or found.value_read is None or said is None or not said.differs:
            continue
        yield context.fact_hit(
            fact,
            "scale" if said.says == "scale" else "value",
            f"the tag {said.tag.concept} says {_tagged(said)}",
            f"{canonical(found.value_read)} {found.unit_read}".rstrip() + f", as {found.as_written} is printed",
            "look at the document: mend the fact where the print was misread, waive the finding where the tag is wrong",
        )


def _tagged(said: Witness) -> str:
    return f"{canonical(said.tag.magnitude or Decimal(0))} {said.tag.unit}".rstrip()

"""Condition 2, read again: each figure is looked for anew, by row and period, and must be the one the fact gives."""

from __future__ import annotations

from collections.abc import Iterator

from cellwright.documents.asked import wanted_of
from cellwright.documents.locate import Located
from cellwright.records.errors import UnreadableInput
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
        found = _read_again(context, fact)
        if found is not None and found.status == "mismatch" and not _only_scale_untold(fact, found):
            shown = found.as_written or "another figure"
            yield context.fact_hit(
                fact,
                "as_written",
                f"the document shows {shown}: {found.why}",
                fact.as_written,
                "look at the document and mend the fact, or its `row`, `period`, `scale` or `sign`",
            )


def _read_again(context: AuditContext, fact: Fact) -> Located | None:
    """What the document says of the fact; None where there is nothing to read, or the fact is not filled in."""
    evidence = context.evidence.get(fact.source)
    if evidence is None or not evidence.usable or evidence.locator is None or fact.value is None or not fact.as_written:
        return None
    if evidence.was_quoted(fact) and not evidence.index.find(fact.quote):
        return None  # its page has the figure that took its place
    try:
        return evidence.locator.locate(wanted_of(context.folder, fact))
    except UnreadableInput:
        return None  # a period without dates is told by its own rule


def _only_scale_untold(fact: Fact, found: Located) -> bool:
    """Whether the document only does not say its scale, and the fact's figure is the one that is printed."""
    return not found.scale_read and bool(fact.scale) and found.as_written == fact.as_written

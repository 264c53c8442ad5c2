"""The excerpt of a fact found anew, where its page has changed and the old quote no longer stands in it.

A person's own words are replaced only here, only when asked, and only by the place of the same row that shows
the number which the fact gives: what merely looks like it is left for a person.
"""

from __future__ import annotations

from cellwright.documents.drift import same_row
from cellwright.documents.labels import without_figures
from cellwright.documents.locate import Locator
from cellwright.documents.quotes import QuoteIndex
from cellwright.documents.wanted import Located
from cellwright.records.fields import write_field
from cellwright.records.rows import Fact

PLACE = ("quote", "prefix", "suffix", "page", "row", "column", "locator")
"""The columns that say where the figure stands: they are of one place, or are left empty."""


def renewed(fact: Fact, found: Located, locator: Locator) -> dict[str, str]:
    """The fields of the excerpt as the document has them now; none where the quote stands, or another row was found."""
    if found.status != "exact" or not fact.quote or not fact.as_written or fact.rank == "superseded":
        return {}
    if not same_row(fact.row or without_figures(fact.quote), found) or _stands(fact, locator):
        return {}
    new = {name: write_field(getattr(found, name)) for name in PLACE}
    return {name: text for name, text in new.items() if text != write_field(getattr(fact, name))}


def _stands(fact: Fact, locator: Locator) -> bool:
    """Whether the quote stands at one place of the document, chosen by prefix and suffix where there are several."""
    return len(QuoteIndex(locator.document.text).find(fact.quote, fact.prefix, fact.suffix)) == 1

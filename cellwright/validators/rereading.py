"""Each filled-in fact looked for anew in its document, once for all the rules that ask."""

from __future__ import annotations

from collections.abc import Mapping

from cellwright.documents.asked import wanted_of
from cellwright.documents.locate import Located
from cellwright.records.errors import UnreadableInput
from cellwright.records.folder import TaskFolder
from cellwright.records.rows import Fact
from cellwright.validators.evidence import Evidence


def read_again(folder: TaskFolder, evidence: Mapping[str, Evidence]) -> dict[str, Located]:
    """What the document says of each fact, by the fact's id; facts that are not filled in or not here are left out."""
    found = {fact.id: _read_again(folder, fact, evidence.get(fact.source)) for fact in folder.facts}
    return {fact: located for fact, located in found.items() if located is not None}


def _read_again(folder: TaskFolder, fact: Fact, evidence: Evidence | None) -> Located | None:
    """What the document says of the fact; None where there is nothing to read, or the fact is not filled in."""
    if evidence is None or not evidence.usable or evidence.locator is None or fact.value is None or not fact.as_written:
        return None
    if evidence.was_quoted(fact) and not evidence.index.find(fact.quote):
        return None  # its page has the figure that took its place
    try:
        return evidence.locator.locate(wanted_of(folder, fact))
    except UnreadableInput:
        return None  # a period without dates is told by its own rule

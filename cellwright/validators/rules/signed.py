"""Condition 1, signed: who did what, and what they noted beside it, is consistent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches

from cellwright.records.findings import Condition
from cellwright.records.names import person_keys
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, rule
from cellwright.validators.waiving import is_expired

C1, C4 = Condition.COMPLETE, Condition.RECONCILED


@rule("C1-PERSON-RESPELT", C1, severity="warning", title="One person has one spelling.")
def people_are_spelt_alike(context: AuditContext) -> Iterator[Hit]:
    """A name that one line bears and that is nearly that of somebody who bears many; numbered names are left out."""
    names = [name for row in context.folder.cells for name in (row.annotator, row.reviewer) if name]
    counts = Counter(names)
    known = {name for name, count in counts.items() if count > 1} | set(context.task.contributors)
    for row in context.folder.cells:
        for column in ("annotator", "reviewer"):
            name = getattr(row, column)
            if not name or name in known or any(char.isdigit() for char in name):
                continue
            near = get_close_matches(name.casefold()[:80], sorted(known), n=1, cutoff=0.8)
            if near and not person_keys(name) & person_keys(near[0]):
                yield context.cell_hit(row, column, name, f"`{near[0]}`, or somebody else", "mend the name")


@rule("C1-READING-NOT-INDEPENDENT", C1, severity="warning", title="A second reading is somebody else's.")
def second_readings_are_independent(context: AuditContext) -> Iterator[Hit]:
    """Second readings by the cell's annotator or by nobody, and readings that one of the two parties decided."""
    for row in context.folder.annotations:
        cell = context.folder.cell_row.get((row.entity, row.dimension))
        first = person_keys(cell.annotator) if cell else frozenset()
        own = person_keys(row.annotator)
        column, observed = "", ""
        if not own:
            column, observed = "annotator", "nobody"
        elif own & first:
            column, observed = "annotator", f"{row.annotator}, who made the cell"
        elif person_keys(row.decided_by) & (own | first):
            column, observed = "decided_by", f"{row.decided_by}, who is one of the two"
        if column:
            place = context.folder.place(row, column)
            yield Hit(place, observed, "somebody else", "let another person read or decide", row.entity, row.dimension)


@rule("C1-WAIVER-ODD", C1, severity="warning", title="A waiver is by somebody else, and ends after it begins.")
def waivers_are_by_somebody_else(context: AuditContext) -> Iterator[Hit]:
    """Findings accepted by who made the cell, and waivers that had run out when they were written."""
    for waiver in context.folder.waivers:
        cell = context.folder.cell_row.get((waiver.entity, waiver.dimension))
        place = context.folder.place(waiver, "by")
        if cell is not None and person_keys(waiver.by) & person_keys(cell.annotator):
            observed = f"{waiver.by}, who made the cell"
            yield Hit(place, observed, "another person", "", waiver.entity, waiver.dimension)
        expired = is_expired(waiver, context.task.as_of)  # C1-WAIVER-EXPIRED tells it
        if waiver.date and waiver.expires and waiver.expires < waiver.date and not expired:
            place = context.folder.place(waiver, "expires")
            observed = f"{waiver.expires}, written {waiver.date}"
            yield Hit(place, observed, "a later day", "mend one of the days", waiver.entity, waiver.dimension)


@rule("C4-SEARCH-ADDRESS", C4, severity="warning", title="A search's address is one.")
def searches_have_addresses(context: AuditContext) -> Iterator[Hit]:
    """Words in the place of the address at which somebody looked."""
    for search in context.folder.searches:
        text = search.url.strip()
        if text and not (text.startswith(("http://", "https://")) and not any(char.isspace() for char in text)):
            place = context.folder.place(search, "url")
            expected = "an address that begins with http:// or https://, or nothing"
            yield Hit(place, text[:80], expected, "say it in `query`", search.entity, search.dimension)

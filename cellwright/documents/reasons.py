"""Why a place was not taken for a fact, in a few words, and how near it came."""

from __future__ import annotations

from cellwright.documents.compare import conflicts
from cellwright.documents.labels import plain, without_figures
from cellwright.documents.places import Place
from cellwright.documents.wanted import Wanted

Rank = tuple[bool, int, bool, bool, int, bool, bool]


def rank_of_place(place: Place, wanted: Wanted) -> Rank:
    """The smaller, the likelier: entity, row label, unit, period, column head, number."""
    return (
        place.whose == "other",
        place.likeness,
        not place.unit_fits,
        place.fit is None,
        place.fit or 0,
        not _column_fits(place, wanted),
        bool(conflicts(wanted, place.printed)),
    )


def why_not(place: Place, wanted: Wanted) -> str:
    """What speaks against the place; "" where nothing sets it apart."""
    found = []
    asked = wanted.row or without_figures(wanted.quote)
    if place.likeness and asked:
        found.append(f"its row is {place.label!r}")
    if place.whose == "other":
        found.append("it is another company's")
    if place.meaning.compares:
        found.append("it is a change and no amount")
    elif place.fit is None:
        period = place.period_text
        found.append(f"it is of {period} and not of {wanted.period}" if period else "no head tells its period")
    if not place.unit_fits:
        found.append(f"it is {place.meaning.kind.replace('_', ' ')} and not {wanted.unit}")
    if not _column_fits(place, wanted):
        found.append(f"its column is {place.column!r}")
    if not found:
        found = conflicts(wanted, place.printed)[:1]
    return ", ".join(found)


def _column_fits(place: Place, wanted: Wanted) -> bool:
    asked = plain(wanted.column)
    return not asked or asked == plain(place.column) or asked in {plain(head) for head in place.meaning.heads}

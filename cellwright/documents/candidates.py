"""Places that might be meant, the likeliest first, and for each why it was not taken.

They are ranked by what a person would look at: whose it is, the row's label, the period of the column's head,
the unit, the column that was named, the number that was typed.
"""

from __future__ import annotations

from collections.abc import Iterator

from cellwright.documents.fits import kind_wanted
from cellwright.documents.labels import plain, words
from cellwright.documents.locate import Locator
from cellwright.documents.places import Place, places_in
from cellwright.documents.reasons import rank_of_place, why_not
from cellwright.documents.wanted import Candidate, Wanted

MAX_ROWS = 200_000
"""Rows that are looked at for one that is near."""


def near_rows(locator: Locator, wanted: Wanted, count: int = 3) -> tuple[Candidate, ...]:
    """Where no row fits: the figures of the rows whose labels share most words with what was asked for."""
    asked = words(wanted.row) | words(wanted.quote if not wanted.row else "") | words(wanted.name)
    scored = sorted(_scored(locator, asked), key=lambda item: (-item[0], item[1]))
    found: list[tuple[float, Place]] = []
    for score, (number, row) in scored[: count * 4]:
        places = places_in(locator.around(number, wanted.locale), row, 9, wanted)
        if places:
            found.append((score, min(places, key=lambda place: rank_of_place(place, wanted))))
    found.sort(key=lambda item: (-item[0], rank_of_place(item[1], wanted)))
    return tuple(
        Candidate(
            place.label,
            place.column,
            place.printed.text,
            "",
            place.value,
            place.period_text,
            place.around.table.page,
            why_not(place, wanted) or f"its row is {place.label!r}",
        )
        for _, place in found[:count]
    )


def _scored(locator: Locator, asked: frozenset[str]) -> Iterator[tuple[float, tuple[int, int]]]:
    """Rows by the share of words that label and question have in common."""
    seen = 0
    for number, table in enumerate(locator.document.tables):
        for row, part in enumerate(table.parts):
            seen += 1
            if seen > MAX_ROWS:
                return
            label = words(part.label)
            shared = asked & label
            if part.kind == "body" and part.figures and shared:
                yield len(shared) / len(asked | label), (number, row)


def asked_for(wanted: Wanted) -> str:
    """What was looked for, in one line: entity, row, period, unit."""
    names = wanted.entity_names or (wanted.entity,)
    kinds = "" if not wanted.unit else f", in {wanted.unit} ({' or '.join(sorted(kind_wanted(wanted.unit)))})"
    row = f"the row {wanted.row!r}" if plain(wanted.row) else f"a row that speaks of {wanted.name!r}"
    return f"{row} of {names[0]!r} for {wanted.period}{kinds}"

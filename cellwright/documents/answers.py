"""From places to one answer: the best is taken, the fact is held against it, doubt is said."""

from __future__ import annotations

from dataclasses import replace

from cellwright.documents.compare import Printed, conflicts, question
from cellwright.documents.excerpts import Excerpt, excerpt_of
from cellwright.documents.model import Document
from cellwright.documents.places import Place, order, order_among_equals
from cellwright.documents.wanted import Candidate, Located, Status, Wanted

MAX_CANDIDATES = 8


def fit(places: list[Place]) -> bool:
    """Whether one of them has the period and the unit."""
    return any(place.fit is not None and place.unit_fits for place in places)


def same_digits(wanted: Wanted, place: Place) -> bool:
    """Whether the place shows the digits that the fact is written with, whatever its sign and scale."""
    return plain_digits(wanted.as_written) == plain_digits(place.printed.text)


def plain_digits(text: str) -> str:
    """The digits alone."""
    return "".join(filter(str.isdigit, text))


def unnamed(document: Document, wanted: Wanted, places: list[Place]) -> Located:
    """The number is there for the period, and its row does not speak of what the fact's name says."""
    shown = tuple(candidate_of(document, place) for place in places if place.fit is not None and place.unit_fits)
    rows = " and ".join(dict.fromkeys(repr(candidate.row) for candidate in shown[:3]))
    return Located(status="ambiguous", candidates=shown[:MAX_CANDIDATES], asks="which row is meant? write it in `row`",
                   why=f"{wanted.as_written} stands for {wanted.period} in the row {rows}, "
                       f"which does not speak of {wanted.name!r}, and the fact names no row")


def from_places(document: Document, wanted: Wanted, places: list[Place]) -> Located:
    """The answer where at least one place has the row, the period and the unit."""
    fitting = [place for place in places if place.fit is not None and place.unit_fits]
    best = min(order(place, wanted) for place in fitting)
    equals = sorted((place for place in fitting if order(place, wanted) == best), key=order_among_equals)
    first = equals[0]
    rivals = [place for place in equals if place.value != first.value and
              order_among_equals(place)[:2] == order_among_equals(first)[:2]]
    if rivals:
        agreeing = [place for place in equals if wanted.as_written and not conflicts(wanted, place.printed)]
        if not agreeing or len({place.value for place in agreeing}) > 1:
            return _ambiguous(document, wanted, [first, *rivals])
        first = agreeing[0]
    return judged(wanted, first.printed, read_place(document, wanted, first))


def judged(wanted: Wanted, printed: Printed, located: Located) -> Located:
    """`located` with its status: exact where nothing of the fact contradicts what is printed."""
    against = conflicts(wanted, printed)
    if against:
        return replace(located, status="mismatch", why=f"{located.why}, and {'; '.join(against)}")
    return replace(located, status="exact", asks=question(wanted, printed))


def read_place(document: Document, wanted: Wanted, place: Place) -> Located:
    """What the document says at `place`, not yet judged."""
    excerpt = excerpt_of(document, place)
    meaning = place.meaning
    where = f"the row {place.label!r}" + (f" in the column {place.column!r}" if place.column else "")
    return Located(
        status="exact", why=f"{where} shows {place.printed.text}", quote=excerpt.quote, prefix=excerpt.prefix,
        suffix=excerpt.suffix, row=place.label, column=place.column, page=place.around.table.page,
        locator=excerpt.locator, as_written=place.printed.text, value_read=place.value,
        scale_read=place.printed.scale, sign_read=place.printed.sign, period_read=period_text(place),
        unit_read=unit_text(meaning.kind, meaning.currency))


def period_text(place: Place) -> str:
    """The period that the document tells: an interval, a day, a day with a length, or a year."""
    meaning = place.meaning
    if meaning.end is None:
        return str(meaning.year or "")
    if meaning.instant and meaning.months is None:
        return str(meaning.end)
    start = meaning.start or (place.around.years.start_of(meaning.end) if meaning.months == 12 else None)
    if start is not None:
        return f"{start}/{meaning.end}"
    return f"{meaning.months} months to {meaning.end}" if meaning.months else str(meaning.end)


def unit_text(kind: str, currency: str) -> str:
    """The unit as a fact writes it."""
    money = "" if currency == "$" else currency
    return {"money": money, "per_share": f"{money}/share" if money else "", "percent": "percent",
            "shares": "share"}.get(kind, "")


def _ambiguous(document: Document, wanted: Wanted, places: list[Place]) -> Located:
    shown = tuple(candidate_of(document, place) for place in places[:MAX_CANDIDATES])
    values = " and ".join(dict.fromkeys(place.printed.text for place in places[:3]))
    return Located(status="ambiguous", candidates=shown, asks="which of the candidates is meant?",
                   why=f"{len(places)} places fit the row {wanted.row or wanted.name!r} and the period "
                       f"{wanted.period} and show different figures ({values})")


def candidate_of(document: Document, place: Place) -> Candidate:
    """A place as something to choose from."""
    excerpt: Excerpt = excerpt_of(document, place)
    return Candidate(place.label, place.column, place.printed.text, excerpt.quote, place.value, period_text(place),
                     place.around.table.page)


def without_fit(document: Document, wanted: Wanted, places: list[Place]) -> Located:
    """Why nothing is found: no such row, or a row whose figures are of other periods or units."""
    if not places:
        asked = wanted.row or wanted.as_written or wanted.name
        return Located(status="absent", why=f"no row or sentence of the document fits {asked!r}")
    shown = tuple(candidate_of(document, place) for place in places[:MAX_CANDIDATES])
    same = [place for place in places if wanted.as_written and not conflicts(replace(wanted, value=None, scale=None),
                                                                             place.printed)]
    other = [place for place in same if place.meaning.end is not None and place.fit is None]
    if other:
        found = read_place(document, wanted, other[0])
        return replace(found, status="mismatch", candidates=shown,
                       why=f"{found.why}, which is of {found.period_read} and not of {wanted.period}")
    untold = [place for place in places if place.meaning.end is None and place.unit_fits
              and place.meaning.year in (None, wanted.period_end.year) and not place.meaning.compares]
    status: Status = "ambiguous" if untold else "absent"
    reason = ("no head tells which of its figures is of" if untold else "none of its figures is of")
    return Located(status=status, candidates=shown,
                   why=f"the row {places[0].label!r} is there, and {reason} {wanted.period}"
                       + (f" in {wanted.unit}" if wanted.unit else ""))

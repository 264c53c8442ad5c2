"""From places to one answer: the best is taken, the fact is held against it, doubt is said."""

from __future__ import annotations

from dataclasses import replace

from cellwright.documents.compare import Printed, conflicts, question
from cellwright.documents.excerpts import Excerpt, excerpt_of
from cellwright.documents.labels import plain, words
from cellwright.documents.model import Document
from cellwright.documents.places import Key, Place, order, order_among_equals
from cellwright.documents.reasons import rank_of_place, why_not
from cellwright.documents.statements import PRIMARY
from cellwright.documents.wanted import Candidate, Located, Status, Wanted
from cellwright.records.decimals import canonical

MAX_CANDIDATES = 8


def fit(places: list[Place]) -> bool:
    """Whether one of them has the period and the unit."""
    return any(place.fit is not None and place.unit_fits for place in places)


def same_digits(wanted: Wanted, place: Place) -> bool:
    """Whether the place shows the digits that the fact is written with, whatever its sign and scale."""
    return plain_digits(wanted.as_written) == plain_digits(place.printed.text)


def shows_best(wanted: Wanted, row: list[Place]) -> bool:
    """Whether the figure that a row gives for the period and unit has the digits of the fact."""
    fitting = [place for place in row if place.fit is not None and place.unit_fits]
    return bool(fitting) and same_digits(wanted, min(fitting, key=lambda place: order(place, wanted)))


def plain_digits(text: str) -> str:
    """The digits alone."""
    return "".join(filter(str.isdigit, text))


def unnamed(document: Document, wanted: Wanted, places: list[Place]) -> Located:
    """The number is there for the period, and its row does not speak of what the fact's name says."""
    shown = tuple(
        candidate_of(document, place, wanted) for place in places if place.fit is not None and place.unit_fits
    )
    rows = " and ".join(dict.fromkeys(repr(candidate.row) for candidate in shown[:3]))
    return Located(
        status="ambiguous",
        candidates=shown[:MAX_CANDIDATES],
        asks="which row is meant? write it in `row`",
        why=f"{wanted.as_written} stands for {wanted.period} in the row {rows}, "
        f"which does not speak of {wanted.name!r}, and the fact names no row",
    )


def better_named(document: Document, wanted: Wanted, found: Located, places: list[Place]) -> Located:
    """`found`, or doubt about it where rows that bear the fact's name better show another figure."""
    if any(place.value == found.value_read for place in places):
        return found
    shown = tuple(candidate_of(document, place, wanted) for place in places[:MAX_CANDIDATES])
    return Located(
        status="ambiguous",
        candidates=shown,
        asks="which row is meant? write it in `row`",
        why=f"{wanted.as_written} stands in the row {found.row!r}, and the row {shown[0].row!r} bears the "
        f"name {wanted.name!r} better and shows {shown[0].as_written}",
    )


def from_places(document: Document, wanted: Wanted, places: list[Place]) -> Located:
    """The answer where at least one place has the row, the period and the unit."""
    fitting = [place for place in places if place.fit is not None and place.unit_fits]
    others = [place for place in fitting if place.whose == "other"]
    if len(others) == len(fitting):
        return _of_another(document, wanted, others)
    fitting = [place for place in fitting if place.whose != "other"]
    keys = [order(place, wanted) for place in fitting]
    best = min(keys)
    equals = sorted((place for key, place in zip(keys, fitting, strict=True) if key == best), key=order_among_equals)
    first = equals[0]
    rivals = [
        place
        for place in equals
        if place.value != first.value and order_among_equals(place)[:2] == order_among_equals(first)[:2]
    ] or _rivals(first, fitting, wanted, best)
    if rivals:
        agreeing = [place for place in equals if wanted.as_written and not conflicts(wanted, place.printed)]
        if not agreeing or len({place.value for place in agreeing}) > 1:
            return _ambiguous(document, wanted, [first, *rivals])
        first = agreeing[0]
    printed = first.printed
    if first.doubt:
        readings = [replace(printed, scale=0), printed]
        meant = [
            one
            for one in readings
            if one.scale == wanted.scale
            or (wanted.scale is None and wanted.value is not None and abs(one.value) == abs(wanted.value))
        ]
        if not meant:
            return _scale_untold(document, wanted, first)
        printed = meant[0]
    located = read_place(document, wanted, first if printed is first.printed else replace(first, printed=printed))
    behind = next(
        (
            place
            for place in fitting
            if first.around.rank == PRIMARY < place.around.rank
            and place.value != first.value
            and place.likeness == first.likeness
        ),
        None,
    )
    if behind is not None:
        located = replace(
            located,
            why=f"{located.why} in the primary statement, which counts before another table "
            f"that shows {behind.printed.text}",
        )
    return judged(wanted, printed, located)


def _rivals(first: Place, fitting: list[Place], wanted: Wanted, best: Key) -> list[Place]:
    """Other tables' figures of equal standing with `first`, which wins over them by its place in the text alone.

    `best` is the order of `first`.
    """
    # Words of the fact's name around a table tell only where the row's label says nothing of it ("Consolidated").
    named = bool(words(first.label) & words(wanted.name)) or not wanted.name
    key = (*best[:-1], (0, 0) if named else best[-1])
    return [
        place
        for place in fitting
        if place.value != first.value
        and place.around.table.number != first.around.table.number
        and (place.fit or 0) <= 1
        and plain(place.label) == plain(first.label)
        and (*(own := order(place, wanted))[:-1], (0, 0) if named else own[-1]) <= key
    ]


def _of_another(document: Document, wanted: Wanted, places: list[Place]) -> Located:
    """Row and period are there, under the names of other companies alone."""
    shown = tuple(candidate_of(document, place, wanted) for place in places[:MAX_CANDIDATES])
    return Located(
        status="ambiguous",
        candidates=shown,
        asks="which entity is meant? if it is this one, add its name to the task's `aliases`",
        why=f"{places[0].printed.text} stands in the row {places[0].label!r} under the name of another "
        f"company than {(wanted.entity_names or (wanted.entity,))[0]!r}",
    )


def _spelled(candidate: Candidate) -> str:
    return canonical(candidate.value_read) if candidate.value_read is not None else candidate.as_written


def _scale_untold(document: Document, wanted: Wanted, place: Place) -> Located:
    """A count of things in a table that is scaled as a whole: both readings are named."""
    once, scaled = (
        candidate_of(document, replace(place, printed=replace(place.printed, scale=0)), wanted),
        candidate_of(document, place, wanted),
    )
    return Located(
        status="ambiguous",
        candidates=(once, scaled),
        asks="is the count scaled? write its `scale`",
        why=f"the row {place.label!r} counts things and {place.doubt!r} scales the whole table: "
        f"{place.printed.text} may be {_spelled(once)} or {_spelled(scaled)}",
    )


def judged(wanted: Wanted, printed: Printed, located: Located) -> Located:
    """`located` with its status: exact where nothing of the fact contradicts what is printed."""
    against = conflicts(wanted, printed)
    if against:
        return replace(located, status="mismatch", why=f"{located.why}, and {'; '.join(against)}")
    asks = question(wanted, printed)
    same = located.status == "exact" and located.asks == asks
    return located if same else replace(located, status="exact", asks=asks)


def read_place(document: Document, wanted: Wanted, place: Place) -> Located:
    """What the document says at `place`, not yet judged."""
    excerpt = excerpt_of(document, place)
    meaning = place.meaning
    where = f"the row {place.label!r}" + (f" in the column {place.column!r}" if place.column else "")
    return Located(
        status="exact",
        why=f"{where} shows {place.printed.text}",
        quote=excerpt.quote,
        prefix=excerpt.prefix,
        suffix=excerpt.suffix,
        row=place.label,
        column=place.column,
        page=place.around.table.page,
        locator=excerpt.locator,
        as_written=place.printed.text,
        value_read=place.value,
        scale_read=place.printed.scale,
        sign_read=place.printed.sign,
        period_read=place.period_text,
        unit_read=unit_text(meaning.kind, meaning.currency),
        spot=(place.around.table.number, place.row, place.figure.column),
        form="row",
        under=meaning.sections,
    )


def unit_text(kind: str, currency: str) -> str:
    """The unit as a fact writes it; a bare `$` stays one, since the document alone does not say whose dollar it is."""
    return {
        "money": currency,
        "per_share": f"{currency}/share" if currency else "",
        "percent": "percent",
        "shares": "share",
    }.get(kind, "")


def _ambiguous(document: Document, wanted: Wanted, places: list[Place]) -> Located:
    shown = tuple(candidate_of(document, place, wanted) for place in ranked(places, wanted)[:MAX_CANDIDATES])
    values = " and ".join(dict.fromkeys(place.printed.text for place in places[:3]))
    return Located(
        status="ambiguous",
        candidates=shown,
        asks="which of the candidates is meant?",
        why=f"{len(places)} places fit the row {wanted.row or wanted.name!r} and the period "
        f"{wanted.period} and show different figures ({values})",
    )


def candidate_of(document: Document, place: Place, wanted: Wanted) -> Candidate:
    """A place as something to choose from."""
    excerpt: Excerpt = excerpt_of(document, place)
    return Candidate(
        place.label,
        place.column,
        place.printed.text,
        excerpt.quote,
        place.value,
        place.period_text,
        place.around.table.page,
        why_not(place, wanted) or "nothing sets it apart from the others",
    )


def ranked(places: list[Place], wanted: Wanted) -> list[Place]:
    """The likeliest first; those of one rank in the order of the document."""
    return sorted(places, key=lambda place: rank_of_place(place, wanted))


def without_fit(document: Document, wanted: Wanted, places: list[Place]) -> Located:
    """Why nothing is found: no such row, or a row whose figures are of other periods or units."""
    if not places:
        asked = wanted.row or wanted.as_written or wanted.name
        return Located(status="absent", why=f"no row or sentence of the document fits {asked!r}")
    shown = tuple(candidate_of(document, place, wanted) for place in ranked(places, wanted)[:MAX_CANDIDATES])
    same = [
        place
        for place in places
        if wanted.as_written and not conflicts(replace(wanted, value=None, scale=None), place.printed)
    ]
    other = [place for place in same if place.meaning.end is not None and place.fit is None]
    if other:
        found = read_place(document, wanted, other[0])
        return replace(
            found,
            status="mismatch",
            candidates=shown,
            why=f"{found.why}, which is of {found.period_read} and not of {wanted.period}",
        )
    # A year that ends in January or February may bear the number of the year before.
    early = wanted.period_end.year - 1 if wanted.period_end.month <= 2 else None
    untold = [
        place
        for place in places
        if place.meaning.end is None
        and place.unit_fits
        and place.meaning.year in (None, wanted.period_end.year, early)
        and not place.meaning.compares
    ]
    status: Status = "ambiguous" if untold else "absent"
    reason = "no head tells which of its figures is of" if untold else "none of its figures is of"
    return Located(
        status=status,
        candidates=shown,
        why=f"the row {places[0].label!r} is there, and {reason} {wanted.period}"
        + (f" in {wanted.unit}" if wanted.unit else ""),
    )

"""A fact looked for in long tables: by its entity, its name, its period and its unit, each told by the record."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from cellwright.documents.answers import MAX_CANDIDATES, judged, unit_text
from cellwright.documents.compare import conflicts
from cellwright.documents.labels import plain
from cellwright.documents.long_tables import LongTable
from cellwright.documents.record_quotes import record_excerpt
from cellwright.documents.record_reading import LOOSE, Record, record_at_locator, records_of
from cellwright.documents.wanted import Candidate, Located, Wanted


def find(tables: tuple[LongTable, ...], wanted: Wanted) -> Located | None:
    """What the long tables say of the fact; None where none of them speaks of it."""
    if tables and tables[0].document.kind in ("xlsx", "json"):
        wanted = replace(wanted, locale="en")  # their numbers are stored values, written in one way
    found = [record for table in tables for record in records_of(table, wanted)] or record_at_locator(tables, wanted)
    if not found:
        return None
    best = min(record.likeness for record in found)
    named = [record for record in found if record.likeness == best]
    fitting = [record for record in named if record.fit is not None and record.unit_fits]
    unsure = [record for record in fitting if _of_untold_length(record, named, wanted)]
    if unsure and not [record for record in fitting if record not in unsure]:
        return _ambiguous(
            unsure,
            wanted,
            "record",
            "its records tell last days less than a year apart, and not how long their periods are",
        )
    fitting = [record for record in fitting if record not in unsure]
    if not fitting:
        return _without_fit(named, wanted)
    entities = dict.fromkeys(record.entity for record in fitting)
    if len(entities) > 1:
        return _ambiguous(
            fitting,
            wanted,
            "entity",
            f"{len(entities)} entities have it, and the names of `{wanted.entity}` are none of theirs",
        )
    return _chosen(fitting, wanted)


def _of_untold_length(record: Record, named: list[Record], wanted: Wanted) -> bool:
    """Whether the record tells only its last day, and others of its name and entity end within the same year."""
    end = record.meaning.end
    if wanted.period_start is None or end is None or record.meaning.start or record.meaning.months:
        return False
    return any(
        other.meaning.end and 20 < abs((other.meaning.end - end).days) < 300
        for other in named
        if (other.entity, other.name) == (record.entity, record.name)
    )


def _chosen(fitting: list[Record], wanted: Wanted) -> Located:
    """One answer where the records agree, or where the fact's locator or quote tells which is meant."""
    best = min(record.fit or 0 for record in fitting)
    fitting = [record for record in fitting if (record.fit or 0) == best]
    if wanted.locator:
        own = [record for record in fitting if _same_cell(record, wanted.locator)]
        if not own:
            first = _located(fitting[0], wanted)
            return replace(
                first,
                status="mismatch",
                why=f"{first.why} at {first.locator}, and the fact's locator {wanted.locator} leads elsewhere",
            )
        fitting = own
    if len({record.printed.value for record in fitting}) > 1:
        hinted = _hinted(fitting, wanted)
        if hinted:
            fitting = hinted
    values = {record.printed.value for record in fitting}
    names = dict.fromkeys(plain(record.name) for record in fitting)
    if len(values) > 1:
        return _ambiguous(fitting, wanted, "record", f"{len(fitting)} records fit and show different figures")
    if fitting[0].likeness >= LOOSE and not wanted.locator:
        agreeing = wanted.as_written and not conflicts(wanted, fitting[0].printed)
        if not agreeing or len(names) > 1:
            return _ambiguous(fitting, wanted, "row", "nothing in its record says that this is the figure")
    return judged(wanted, fitting[0].printed, _located(fitting[0], wanted))


def _same_cell(record: Record, locator: str) -> bool:
    one, other = record.locator, locator.strip().replace("$", "")
    return one == other or one.rpartition("!")[2] == other


def _hinted(records: list[Record], wanted: Wanted) -> list[Record]:
    """The records whose text is that of the fact's quote, or holds what the fact's row and prefix add."""
    for hint in (wanted.quote, wanted.row):
        asked = frozenset(plain(re.sub(r"[\"{}:]", " ", hint)).split())
        if not asked:
            continue
        found = [
            record
            for record in records
            if asked
            <= frozenset(
                plain(
                    " ".join((record.name, *record.source.heads.values(), record.source.table.row_text(record.row)))
                ).split()
            )
        ]
        if found and len(found) < len(records):
            return found
    return []


def _located(record: Record, wanted: Wanted) -> Located:
    source = record.source
    excerpt = record_excerpt(source.document, source.table, record.row, record.column, record.printed.text)
    head = source.heads[record.column]
    row = record.name if not source.wide or source.columns("metric") else _entity(record) or record.name
    where = f"the record of {_entity(record) or row!r}" + (f", {record.name!r}," if record.name != row else "")
    return Located(
        status="exact",
        why=f"{where} shows {record.printed.text} in {excerpt.locator}",
        quote=excerpt.quote,
        prefix=excerpt.prefix,
        suffix=excerpt.suffix,
        row=row,
        column=head,
        locator=excerpt.locator,
        as_written=record.printed.text,
        value_read=record.printed.value,
        scale_read=record.printed.scale,
        sign_read=record.printed.sign,
        period_read=_period(record),
        unit_read=unit_text(record.meaning.kind, record.meaning.currency),
        form="record",
        under=tuple(filter(None, (_entity(record),))),
    )


def _entity(record: Record) -> str:
    source = record.source
    return next((text for at in source.columns("entity", "code") if (text := source.text(record.row, at))), "")


def _period(record: Record) -> str:
    meaning = record.meaning
    if meaning.end is None:
        return str(meaning.year or "")
    return f"{meaning.start}/{meaning.end}" if meaning.start else str(meaning.end)


def _candidates(records: list[Record], wanted: Wanted) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(
            " | ".join(part for part in (_entity(record), record.name) if part),
            record.source.heads[record.column],
            record.printed.text,
            record.source.table.row_text(record.row)[:300],
            record.printed.value,
            _period(record),
            None,
            _why_not(record, wanted),
        )
        for record in records[:MAX_CANDIDATES]
    )


def _why_not(record: Record, wanted: Wanted) -> str:
    """What speaks against the record."""
    found = [] if not record.likeness else [f"it is named {record.name!r}"]
    if record.fit is None:
        told = _period(record)
        found.append(f"it is of {told} and not of {wanted.period}" if told else "its record tells no period")
    if not record.unit_fits:
        found.append(f"it is not in {wanted.unit}")
    return ", ".join(found or conflicts(wanted, record.printed)[:1]) or "nothing sets it apart from the others"


def _ambiguous(records: list[Record], wanted: Wanted, what: str, why: str) -> Located:
    shown: dict[tuple[str, Decimal], Record] = {}
    for record in records:
        shown.setdefault((_entity(record) + record.name, record.printed.value), record)
    asks = {
        "entity": "which entity is meant? add its name to the task's `aliases`",
        "row": "what are the figures? write the column's head in `column`",
    }.get(what, "which of the records is meant? write its `locator`")
    return Located(
        status="ambiguous",
        candidates=_candidates(list(shown.values()), wanted),
        asks=asks,
        why=f"{wanted.row or wanted.name!r} for {wanted.period}: {why}",
    )


def _without_fit(records: list[Record], wanted: Wanted) -> Located:
    untold = [record for record in records if record.span is None and record.unit_fits]
    what = "no record of it tells its period" if untold else "no record of it is of"
    return Located(
        status="ambiguous" if untold else "absent",
        candidates=_candidates(untold or records, wanted),
        why=f"{records[0].name!r} is there, and {what} {wanted.period}" + (f" in {wanted.unit}" if wanted.unit else ""),
    )

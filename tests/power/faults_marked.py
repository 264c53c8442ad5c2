"""Faults against condition 2: marks of notes taken for digits, documents read with a doubt."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from decimal import Decimal

from cellwright.documents.charset import decode
from cellwright.documents.model import Document
from tests.power.draft import Draft, Row
from tests.power.kinds import choose, kind


def _witnessed(draft: Draft) -> list[Row]:
    """Whole figures of four digits or more that another fact of the same thing gives alike."""
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in draft.facts:
        groups.setdefault((row["entity"], row["name"], row["period"]), []).append(row)
    return [
        row
        for rows in groups.values()
        for row in rows
        if _grouped(row) and any(row is not other and row["as_written"] == other["as_written"] for other in rows)
    ]


def _grouped(row: Row) -> bool:
    return row["as_written"].replace(",", "").isdigit() and len(row["as_written"]) > 4 and row["sign"] == "shown"


@kind("C2-NOTE-MARK", "the mark of a note taken for a digit, where another source has the figure without it")
def note_as_digit(draft: Draft, rng: random.Random) -> bool:
    fact = choose(rng, _witnessed(draft))
    if fact is None:
        return False
    mark = rng.randint(1, 9)
    figure = f"{int(fact['as_written'].replace(',', '')) * 10 + mark:,}"
    draft.restate_figure(fact, figure, Decimal(fact["value"]) * 10 + Decimal(mark).scaleb(int(fact["scale"])))
    return True


@kind("C2-NOTE-MARK", "the mark of a note glued to the figure and to its quote, while the document has it apart")
def note_glued(draft: Draft, rng: random.Random) -> bool:
    fact = choose(rng, [row for row in draft.facts if _grouped(row) and row["quote"]])
    if fact is None:
        return False
    written, mark = fact["as_written"], rng.randint(1, 9)
    draft.with_quote(fact, fact["quote"].replace(written, f"{written} {mark}"))
    fact["as_written"] = f"{written}{mark}"
    fact["quote"] = fact["quote"].replace(f"{written} {mark}", f"{written}{mark}")
    return True


@kind("C2-TWO-READINGS", "a figure of three digits behind one mark, in a source whose locale is not given")
def locale_lost(draft: Draft, rng: random.Random) -> bool:
    lone = [row for row in draft.facts if re.fullmatch(r"\(?[1-9]\d{0,2}[,.]\d{3}\)?", row["as_written"])]
    fact = choose(rng, [row for row in lone if not draft.evidence[row["source"]].mark])
    if fact is None:
        return False
    draft.source(fact["source"])["locale"] = ""
    return True


@kind("C2-POINTS-PRINTED", "a percentage that the document prints in basis points")
def basis_points_as_percent(draft: Draft, rng: random.Random) -> bool:
    fact = choose(rng, [row for row in draft.facts if row["unit"] == "percent" and row["quote"]])
    if fact is None:
        return False
    written = fact["as_written"]
    figure = f"{written.strip('%() ')} bp"
    quote = fact["quote"].replace(written, figure)
    fact["as_written"] = figure
    draft.with_quote(fact, quote)
    return True


@kind("C2-READING-DOUBT", "a page whose letters were decoded wrongly before it was captured")
def decoded_wrongly(draft: Draft, rng: random.Random) -> bool:
    source = rng.choice(sorted(draft.evidence))
    found = draft.evidence[source]
    spoilt = decode(f"{found.text}\nUmsatzerlöse der Gruppe in Mio. €".encode(), charset="cp1252")
    document = Document("text", "text/plain", found.text, warnings=spoilt.warnings)
    draft.evidence[source] = replace(found, document=document)
    return bool(spoilt.warnings)

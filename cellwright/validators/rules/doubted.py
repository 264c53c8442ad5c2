"""Condition 2, doubted: digits that are a note's mark, and documents that were read with a doubt."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal

from cellwright.documents.number_marks import two_readings
from cellwright.documents.quotes import holds_once
from cellwright.records.decimals import CONTEXT
from cellwright.records.errors import clip
from cellwright.records.findings import Condition
from cellwright.records.quantities import Reading
from cellwright.records.rows import Fact
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, rule

C2 = Condition.SOURCED
_FEWEST_DIGITS = 3
"""A figure of two digits is another's with one digit more by chance, too often."""


@rule("C2-NOTE-MARK", C2, severity="warning", title="No figure has the mark of a note as its last digit.")
def last_digits_are_the_figure_s(context: AuditContext) -> Iterator[Hit]:
    """Figures that are another witness's with one digit more, or that the document prints with the last digit apart.

    `1,234` with the note 3 is copied as `1,2343` or `12,343`.
    """
    told: set[str] = set()
    for facts in context.readings_of_one_thing.values():
        for fact in facts:
            other = next((other for other in facts if other.id != fact.id and _one_more(context, fact, other)), None)
            if other is not None:
                told.add(fact.id)
                yield context.fact_hit(
                    fact,
                    "as_written",
                    f"{clip(fact.as_written)}: {clip(other.as_written)} of `{other.source}` with one digit more",
                    "the figure alone",
                    "look whether its last digit is the mark of a note, and leave that out",
                )
    for fact, places in context.quoted:
        if not places and fact.id not in told and (figure := _printed_apart(context, fact)):
            yield context.fact_hit(
                fact,
                "as_written",
                f"{clip(fact.as_written)}, and the document has {figure} with the last digit apart",
                figure,
                "leave the mark of the note out of the figure, its value and its quote",
            )


def _one_more(context: AuditContext, fact: Fact, other: Fact) -> bool:
    """Whether the digits of `fact` are those of `other` and one more, which no rounding explains."""
    mine, theirs = _digits(fact.as_written), _digits(other.as_written)
    if len(theirs) < _FEWEST_DIGITS or len(mine) != len(theirs) + 1 or not mine.startswith(theirs):
        return False
    readings = [context.readings[each.id][1] for each in (fact, other)]
    one, two = (reading if isinstance(reading, Reading) else None for reading in readings)
    if one is None or two is None:  # `1,2343` cannot be read at all: its digits say enough
        return True
    if (fact.scale or one.scale) != (other.scale or two.scale):
        return False  # 1,234 million and 12,343 hundred thousand are one amount
    if one.place == two.place:
        return (
            one.place == 0
        )  # 1.19 and 11.93 are a share before and after it was split: a mark behind 1.19 gives 1.193
    return one.place == two.place - 1 and _rounded(one, two.place) != two.magnitude == _cut(one, two.place)


def _rounded(reading: Reading, place: int) -> Decimal:
    return reading.magnitude.quantize(Decimal((0, (1,), place)), rounding=ROUND_HALF_EVEN, context=CONTEXT)


def _cut(reading: Reading, place: int) -> Decimal:
    return reading.magnitude.quantize(Decimal((0, (1,), place)), rounding=ROUND_DOWN, context=CONTEXT)


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _printed_apart(context: AuditContext, fact: Fact) -> str:
    """The figure without its last digit, where the document has the quote with a blank before that digit.

    The fact is one whose quote is not in its document.
    """
    written, found = fact.as_written.strip(), context.evidence[fact.source]
    if len(_digits(written)) < 2 or not written[-1].isdigit():
        return ""
    if not holds_once(fact.quote, written):
        return ""
    figure = written[:-1]
    apart = fact.quote.replace(written, f"{figure} {written[-1]}")
    return figure if found.index.find(apart) else ""


_OTHERS = {"percent": ("bp", "permille"), "pp": ("percent", "bp", "permille"), "bp": ("percent", "pp", "permille")}
"""Printed unit → units that it is not. A change in points is often printed with a bare percent sign."""


@rule("C2-POINTS-PRINTED", C2, title="A figure printed in points or basis points has that unit.")
def points_are_not_percent(context: AuditContext) -> Iterator[Hit]:
    """Figures printed `1.2 pp` or `120 bp` whose unit is percent, and the like: a change in points is no percentage."""
    for fact, reading in context.readings.values():
        if isinstance(reading, Reading) and fact.unit in _OTHERS.get(reading.unit, ()):
            yield context.fact_hit(
                fact,
                "unit",
                f"{fact.unit}, printed {clip(fact.as_written)}",
                reading.unit,
                "give it the unit it is printed in, and look at `value`: 120 bp are 1.2 pp",
            )


@rule("C2-TWO-READINGS", C2, title="No figure can be read as two numbers.")
def figures_are_one_number(context: AuditContext) -> Iterator[Hit]:
    """Figures such as `3.597` that are three and a half or three thousand, where locale and document do not tell."""
    for fact, _ in context.readings.values():
        source = context.folder.source_by_id.get(fact.source)
        found = context.evidence.get(fact.source)
        usable = found is not None and found.usable
        if source is not None and (usable or not source.locale):
            both = two_readings(fact.as_written, source.locale, found.mark if found is not None and usable else "")
            if both:
                yield context.fact_hit(
                    fact,
                    "as_written",
                    f"{clip(fact.as_written)}: {both}",
                    "one number",
                    f"give `{source.id}` the locale it is written in (`en`, `de`), and look at value and scale again",
                )


@rule("C2-READING-DOUBT", C2, severity="warning", title="Every document was read without a doubt.")
def documents_are_read_without_doubt(context: AuditContext) -> Iterator[Hit]:
    """Documents whose reader had to guess or leave something out: a wrong encoding, scanned pages, hidden sheets."""
    for source in context.folder.sources:
        found = context.evidence.get(source.id)
        if found is not None and found.usable and found.document is not None:
            for doubt in found.document.warnings:
                yield Hit(
                    context.folder.place(source, "capture"),
                    clip(doubt, 200),
                    "a document that can be read whole",
                    "compare its figures with the document by eye, and waive this",
                )

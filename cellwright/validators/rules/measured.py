"""Condition 2, measured: scale, digits and unit of a figure fit what is printed beside it and elsewhere."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations

from cellwright.records.decimals import CONTEXT
from cellwright.records.findings import Condition
from cellwright.records.quantities import Reading
from cellwright.records.quantities._words import LONG_SCALE_LANGUAGES, SCALES
from cellwright.records.rows import Fact
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, rule

C2 = Condition.SOURCED
_WORDS = {word: power for word, power in SCALES.items() if len(word) > 3 and " " not in word and power % 3 == 0}
_AFTER = re.compile(r"\s{0,2}(?:[A-Z]{3}\b|[$€£¥])?\s{0,2}([^\W\d_]{4,14})\b")
_HUNDREDTHS = ("percent", "permille", "bp", "pp")
_PLAIN = ("rank", "yes_no", "day")
_JUMP = Decimal(300)
_ENOUGH = 5
"""So many figures of one name show how many decimals they are printed with."""
_IN_ONE_TABLE = 4
"""From so many figures of one document on, C2-SCALE-MIXED tells what is unlike the others."""


@rule("C2-SCALE-PRINTED", C2, title="A scale printed after the figure is the fact's.")
def printed_scales_are_taken(context: AuditContext) -> Iterator[Hit]:
    """Quotes that say `383,285 million` of a fact whose scale is another than 6."""
    for fact, reading in context.readings.values():
        if not isinstance(reading, Reading) or reading.scale or fact.scale is None or not fact.quote:
            continue
        tail = fact.quote.partition(fact.as_written)[2]
        found = _AFTER.match(tail)
        word = found[1].casefold() if found else ""
        power = _WORDS.get(word) or _WORDS.get(word.removesuffix("s"))
        source = context.folder.source_by_id.get(fact.source)
        language = (source.locale if source else "").partition("-")[0]
        if power is None or (power > 6 and language in LONG_SCALE_LANGUAGES):
            continue
        if fact.scale != power:
            yield context.fact_hit(fact, "scale", str(fact.scale), f"{power}: «{found[1] if found else ''}»")


@rule("C2-SCALE-JUMP", C2, severity="warning", title="A name's scale does not jump with its value.")
def values_do_not_jump_with_the_scale(context: AuditContext) -> Iterator[Hit]:
    """Figures of one entity and name, two periods apart, hundreds of times as large because of another scale."""
    sizes = Counter((fact.source, fact.unit) for fact in context.folder.facts)
    groups: dict[tuple[str, str, str], list[Fact]] = defaultdict(list)
    for fact, reading in context.readings.values():
        if isinstance(reading, Reading) and fact.value and fact.scale is not None:
            groups[fact.entity, fact.name, fact.unit].append(fact)
    for facts in groups.values():
        told: set[str] = set()
        for one, other in combinations(facts, 2):
            if one.scale == other.scale or one.period == other.period or {one.id, other.id} & told:
                continue
            if one.source == other.source and sizes[one.source, one.unit] >= _IN_ONE_TABLE:
                continue
            less, more = sorted((abs(one.value or Decimal(0)), abs(other.value or Decimal(0))))
            if CONTEXT.divide(more, less) >= _JUMP:
                fact, like = (one, other) if abs(one.value or Decimal(0)) == more else (other, one)
                told.add(fact.id)
                expected = f"{like.scale}, as `{like.id}`"
                yield context.fact_hit(fact, "scale", str(fact.scale), expected, "look at the head of the table")


@rule("C2-UNIT-SCALE", C2, title="Percentages, ranks and amounts a share have no scale of millions.")
def plain_units_have_no_scale(context: AuditContext) -> Iterator[Hit]:
    """The scale of the money beside it given to a percentage, a rank or an amount a share."""
    for fact in context.folder.facts:
        unit = fact.unit.replace(" ", "")
        most = 2 if unit in _HUNDREDTHS else 0 if unit in _PLAIN or unit.endswith("/share") else None
        if most is not None and fact.scale is not None and abs(fact.scale) > most:
            yield context.fact_hit(fact, "scale", f"{fact.scale} of {fact.unit}", "0", "mend the scale or the unit")


@rule("C2-DIGITS-STUCK", C2, severity="warning", title="An amount a share has no digit more than all the others.")
def footnotes_are_no_digits(context: AuditContext) -> Iterator[Hit]:
    """One figure with one decimal more than every other of its name: a footnote's mark may be stuck to it."""
    groups: dict[tuple[str, str], list[tuple[Fact, int]]] = defaultdict(list)
    for fact, reading in context.readings.values():
        if isinstance(reading, Reading) and fact.unit.replace(" ", "").endswith("/share"):
            groups[fact.name, fact.unit].append((fact, -reading.place))
    for facts in groups.values():
        counts = Counter(decimals for _, decimals in facts)
        usual, count = counts.most_common(1)[0]
        if len(counts) != 2 or count < _ENOUGH or count < len(facts) - 1:
            continue
        for fact, decimals in facts:
            if decimals == usual + 1:
                expected = f"{usual} decimals, as the {count} others"
                yield context.fact_hit(fact, "as_written", fact.as_written, expected, "look for a footnote's mark")

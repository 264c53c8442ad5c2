"""What became of a fact when its page was fetched again: same, moved, changed or orphaned.

Both versions of the document are asked the same question, by entity, row and period and without the number,
so that nothing that only looks like the fact can answer. The number is compared last. A fact that the older
version does not tell alone hangs on its quote: the whole passage must stand in the newer one, and the reader
must make the same of both. See the decision note on anchors.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from cellwright.documents.labels import level, plain, without_figures
from cellwright.documents.locate import Locator
from cellwright.documents.mentions import EntityNames
from cellwright.documents.model import Document
from cellwright.documents.quotes import QuoteIndex, normalise
from cellwright.documents.scales import is_only_scale
from cellwright.documents.spans import is_period
from cellwright.documents.wanted import Located, Wanted

DriftStatus = Literal["same", "moved", "changed", "orphaned", "unreachable"]
_HELD_STILL = re.compile(r"\b(?:as|previously|restated|revised|recast|adjusted|reported|audited|unaudited)\b")
_DIGITS = re.compile(r"\d+")
_CURRENCY = re.compile(r"[A-Z]{3}(?:/|$)")
_SHEETS = ("csv", "xlsx", "json")


@dataclass(frozen=True)
class Drift:
    """What became of one fact. `old` and `new` are the figures as printed, filled where they differ."""

    status: DriftStatus
    why: str
    """One sentence."""
    old: str = ""
    new: str = ""


class Version:
    """One version of a document, made ready to be asked for facts.

    `stand_in`: it is a sheet that only repeats figures, without the headings and columns of the document.
    """

    def __init__(self, document: Document, names: EntityNames, *, stand_in: bool = False) -> None:
        self.document = document
        self.stand_in = stand_in
        self.locator = Locator(document)
        self.names = names

    @cached_property
    def index(self) -> QuoteIndex:
        """The text in which quotes are looked for."""
        return QuoteIndex(self.document.text)

    @cached_property
    def entities(self) -> frozenset[str]:
        """The task's entities that the document names."""
        return self.names.entities_in(self.index.text)

    @cached_property
    def subject(self) -> str:
        """The entity that the document names first."""
        return self.names.first(self.index.text)

    def reading(self, wanted: Wanted) -> Located:
        """What the document tells of the fact without being told its number; its cell's name helps where it must."""
        asked = replace(
            wanted,
            row=wanted.row or without_figures(wanted.quote),
            as_written="",
            value=None,
            scale=None,
            sign="",
            quote="",
            prefix="",
            suffix="",
            page=None,
        )
        found = self.locator.locate(replace(asked, locator=""))
        return found if found.status == "exact" or not wanted.locator else self.locator.locate(asked)

    def holds_passage(self, wanted: Wanted) -> bool:
        """Whether the quote stands between its prefix and its suffix."""
        return any(all(beside) for beside in self._beside(wanted))

    def anchors(self, wanted: Wanted) -> bool:
        """Whether the quote stands at one place beside its prefix or its suffix."""
        return sum(any(beside) for beside in self._beside(wanted)) == 1

    def _beside(self, wanted: Wanted) -> list[list[bool]]:
        """For each place of the quote, whether prefix and suffix stand beside it, those that the fact has."""
        before, after, text = normalise(wanted.prefix), normalise(wanted.suffix), self.index.text
        found: list[list[bool]] = []
        for start, end in self.index.find(wanted.quote, wanted.prefix, wanted.suffix):
            left = text[max(0, start - len(before) - 1) : start].rstrip().endswith(before)
            right = text[end : end + len(after) + 1].lstrip().startswith(after)
            found.append([fits for fits, part in ((left, before), (right, after)) if part])
        return found

    def whose(self, found: Located) -> str:
        """The entity named nearest before what was found, or else first in the document; "" where records tell it."""
        if self.document.kind in _SHEETS or not found.quote:
            return ""
        places = self.index.find(found.quote, found.prefix, found.suffix)
        return (self.names.nearest(self.index.text, *places[0]) if places else "") or self.subject


def drift_of(before: Version, after: Version, wanted: Wanted) -> Drift:
    """What became of the fact from one version of its document to the next."""
    old = before.reading(wanted)
    new = old if after is before else after.reading(wanted)
    told = old.status == "exact" and (not wanted.as_written or _digits(wanted.as_written) == _digits(old.as_written))
    if wanted.entity in before.entities and wanted.entity not in after.entities:
        return Drift("orphaned", "the page no longer names the entity", _shown(old, wanted))
    if not told:
        return _by_anchor(before, after, wanted, old, new)
    if lost := _lost(before, after, wanted, old, new):
        return Drift("orphaned", lost, old.as_written)
    if not _same_number(old, new):
        where = f"the row {new.row!r}" if new.form == "row" else "the same place"
        return Drift("changed", f"{where} shows another figure", *_both(old, new))
    return _moved_or_same(before, after, wanted, old, new)


def _lost(before: Version, after: Version, wanted: Wanted, old: Located, new: Located) -> str:
    """Why what the newer version tells is not the same entity's row and column; "" where it is."""
    if new.status != "exact":
        return _because(new, wanted)
    if new.form != old.form:
        return f"the figure stood in a {old.form}, and only a {new.form} is found"
    if not same_row(old.row, new):
        return f"the row {old.row!r} is gone; {new.row!r} is another one"
    if not before.stand_in and _heading(old) != _heading(new):
        return f"the row {old.row!r} stands under another heading: {_heading(new) or 'none'}"
    if not before.stand_in and _part(old.column) != _part(new.column):
        return f"the column {old.column!r} is gone; {new.column!r} is another one"
    was, now = before.whose(old), after.whose(new)
    if now != was and now != wanted.entity and (was == wanted.entity or now):
        return f"the row {old.row!r} stands, and it is " + (f"`{now}`'s" if now else "no longer told whose")
    return ""


def _by_anchor(before: Version, after: Version, wanted: Wanted, old: Located, new: Located) -> Drift:
    """A fact that the older version does not tell alone: its passage decides, where the reader sees no difference."""
    shown = _shown(old, wanted)
    if not wanted.quote or not before.index.find(wanted.quote, wanted.prefix, wanted.suffix):
        return Drift("orphaned", "the pinned document does not show the fact either: locate it first", shown)
    if not _same_reading(old, new):
        return Drift("orphaned", _because(new, wanted), shown)
    if after.holds_passage(wanted):
        return Drift("same", "the passage stands as it was")
    if before.holds_passage(wanted) and after.anchors(wanted):
        return Drift("moved", "the quote stands beside other words")
    return Drift("orphaned", "the quote is gone, or stands elsewhere", shown)


def _moved_or_same(before: Version, after: Version, wanted: Wanted, old: Located, new: Located) -> Drift:
    changes = [
        f"{name} {was} → {now}"
        for name, was, now in (
            ("page", old.page, new.page),
            ("locator", old.locator, new.locator),
            ("column", old.column, new.column),
        )
        if was != now
    ]
    if not changes and (after.holds_passage(wanted) or (new.quote, new.prefix, new.suffix) == _place(old)):
        return Drift("same", "the figure stands where it was")
    return Drift("moved", f"the same figure stands at another place: {', '.join(changes) or 'other words around it'}")


def _place(found: Located) -> tuple[str, str, str]:
    return found.quote, found.prefix, found.suffix


def _because(new: Located, wanted: Wanted) -> str:
    told = new.why or f"no row fits {wanted.row or wanted.name!r}"
    return told if new.status != "exact" else f"the page now says something else of it: {told}"


def same_row(row: str, found: Located) -> bool:
    """Whether what was found stands in the row (or sentence) of this label, its figures aside."""
    if found.form == "sentence":
        return _DIGITS.sub("", plain(row)) == _DIGITS.sub("", plain(found.row))
    return level(row, found.row) in (0, 1)


def _heading(found: Located) -> str:
    """The nearest heading above a row that says more than a period or a scale, or the entity of a record."""
    return next((plain(text) for text in found.under if not is_period(text) and not is_only_scale(text)), "")


def _part(column: str) -> frozenset[str]:
    """What the heads of a column say beside period, scale and restatement: the part of the whole that it is of."""
    heads = (head for head in column.split(" > ") if head and not is_period(head) and not is_only_scale(head))
    bare = (_DIGITS.sub(" ", _HELD_STILL.sub(" ", plain(head))) for head in heads)
    return frozenset(" ".join(head.split()) for head in bare if head.strip())


def _same_number(old: Located, new: Located) -> bool:
    return (
        old.value_read == new.value_read
        and old.scale_read == new.scale_read
        and _digits(old.as_written) == _digits(new.as_written)
        and not _other_currency(old.unit_read, new.unit_read)
    )


def _other_currency(one: str, other: str) -> bool:
    """Whether two units name different currencies: a bare sign may be any of its own."""
    return one != other and bool(_CURRENCY.match(one)) and bool(_CURRENCY.match(other))


def _same_reading(old: Located, new: Located) -> bool:
    """Whether the reader makes the same of both versions, also where it cannot tell."""

    def sight(found: Located) -> tuple[object, ...]:
        places = sorted((one.row, one.column, one.as_written, one.period_read) for one in found.candidates)
        return found.status, found.as_written, found.value_read, found.row, found.column, found.under, places

    return sight(old) == sight(new)


def _both(old: Located, new: Located) -> tuple[str, str]:
    """The two figures as printed, with scale and unit where these differ."""
    one, other = old.as_written, new.as_written
    if old.scale_read != new.scale_read:
        one, other = f"{one} ×10^{old.scale_read}", f"{other} ×10^{new.scale_read}"
    if _other_currency(old.unit_read, new.unit_read):
        one, other = f"{one} {old.unit_read}".strip(), f"{other} {new.unit_read}".strip()
    return one, other


def _shown(old: Located, wanted: Wanted) -> str:
    return wanted.as_written or old.as_written


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))

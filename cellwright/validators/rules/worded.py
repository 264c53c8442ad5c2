"""Condition 1, worded: what people typed is meant, can be seen, and is said of one thing only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from cellwright.records.errors import Place, clip
from cellwright.records.findings import Condition
from cellwright.records.names import hidden_characters, mixed_words, plain
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, rule

C1 = Condition.COMPLETE
_TO_DO = re.compile(r"\b(?:TODO|TBD|FIXME|XXX)\b|\blorem ipsum\b", re.IGNORECASE)
_SHEET_ERROR = re.compile(r"#(?:REF!|N/A\b|NAME\?|VALUE!|DIV/0!|NULL!|NUM!)|^#{3,}$")
_NOTHING_SAID = frozenset(("-", "--", "—", "–", ".", "?", "??", "x", "n/a", "na", "none", "null", "nan", "tba", "nil"))
_MOJIBAKE = re.compile("[ÃÂ][\u0080-\u00bf]|â€[\u0080-\uffff]|\ufffd")
_MUST_SAY = {
    "cells": ("annotator", "reviewer"),
    "sources": ("title", "publisher", "tier_reason"),
    "waivers": ("reason", "by"),
    "searches": ("outcome",),
}
_MAY_SAY = {
    "cells": ("method", "note", "confidence"),
    "searches": ("query", "note"),
    "facts": ("note",),
    "annotations": ("annotator", "note"),
}


@dataclass(frozen=True, slots=True)
class _Said:
    """A text that a person typed: where, of which entity and dimension, and whether something must be said there."""

    place: Callable[[], Place]
    """Worked out for the few texts that are told."""
    text: str
    needed: bool
    entity: str = ""
    dimension: str = ""

    def hit(self, observed: str, expected: str, fix: str) -> Hit:
        """A hit at this text."""
        return Hit(self.place(), observed, expected, fix, self.entity, self.dimension)


def _said(context: AuditContext) -> Iterator[_Said]:
    """Every text of the task that people type; quotes, which documents wrote, are left out."""
    yield from _said_in_task(context)
    folder = context.folder
    for columns, needed in ((_MUST_SAY, True), (_MAY_SAY, False)):
        for table, names in columns.items():
            for row in getattr(folder, table):
                entity, dimension = getattr(row, "entity", ""), getattr(row, "dimension", "")
                for column in names:
                    text = getattr(row, column)
                    if text:
                        yield _Said(partial(folder.place, row, column), text, needed, entity, dimension)


def _said_in_task(context: AuditContext) -> Iterator[_Said]:
    task = context.task
    for key in ("title", "question"):
        yield _Said(partial(task.place, key), getattr(task, key), True)
    for index, entity in enumerate(task.entities):
        for name in (entity.name, *entity.aliases):
            yield _Said(partial(task.place, "entities", index, "name", record=entity.id), name, True, entity.id)
    for index, assumption in enumerate(task.assumptions):
        yield _Said(partial(task.place, "assumptions", index, "reason", record=assumption.id), assumption.reason, True)
    for item in task.dimensions:
        for key in ("name", "ask"):
            yield _Said(partial(task.place_of, item.id, key), getattr(item, key), True, "", item.id)
        for who, own in item.overrides.items():
            yield _Said(partial(task.place_of, item.id, "ask", entity=who), own.ask or "", True, who, item.id)
        for key in ("steps", "near_misses"):
            for index, part in enumerate(getattr(item, key)):
                yield _Said(partial(task.place_of, item.id, key, index), part.why, False, "", item.id)


@rule("C1-PLACEHOLDER", C1, draft="warning", title="No text is a note to oneself, a filler or a spreadsheet's error.")
def texts_are_written(context: AuditContext) -> Iterator[Hit]:
    """`TODO`, `xxx`, `#REF!`; a dash or `n/a` where something must be said; a tier as its own reason."""
    for said in _said(context):
        text = said.text.strip()
        found = _TO_DO.search(text) or _SHEET_ERROR.search(text)
        empty = said.needed and text and text.casefold() in _NOTHING_SAID
        if found or empty:
            observed = found[0] if found else text
            yield said.hit(clip(observed), "what is meant to stand here", "write it, or empty the field")
    for source in context.folder.sources:
        if source.tier and source.tier_reason.strip(" .").upper() == source.tier:
            place = context.folder.place(source, "tier_reason")
            yield Hit(place, source.tier_reason, f"why it is {source.tier}", "say what makes it so")


@rule("C1-HIDDEN-CHARACTERS", C1, title="Names and questions hold no hidden or look-alike characters.")
def texts_are_what_they_seem(context: AuditContext) -> Iterator[Hit]:
    """Characters of no width, marks that turn the writing, letters of another script that look Latin."""
    for said in _said(context):
        if said.text.isascii():
            continue
        hidden, mixed = hidden_characters(said.text), mixed_words(said.text)
        if hidden or mixed:
            observed = ", ".join([*hidden, *(f"`{word}` in letters of two scripts" for word in mixed)])
            yield said.hit(clip(observed), "letters that are what they look like", "type the text again")


@rule("C1-MOJIBAKE", C1, severity="warning", title="No text was broken by a wrong encoding.")
def texts_are_well_encoded(context: AuditContext) -> Iterator[Hit]:
    """`SociÃ©tÃ©` for `Société`, and the mark that stands for what could not be read."""
    for said in _said(context):
        found = None if said.text.isascii() else _MOJIBAKE.search(said.text)
        if found:
            yield said.hit(clip(said.text), "the letters themselves", "save the file as UTF-8 and type the text again")


@rule("C1-ASKED-TWICE", C1, severity="warning", title="No two dimensions ask the same.")
def dimensions_ask_different_things(context: AuditContext) -> Iterator[Hit]:
    """Dimensions with one ask, or with one derivation, unit and period: one of them was copied."""
    first: dict[tuple[object, ...], str] = {}
    for item in context.task.dimensions:
        exprs = tuple((step.id, re.sub(r"\s", "", step.expr)) for step in item.steps)
        keys: list[tuple[tuple[object, ...], str]] = [(("ask", plain(item.ask)), "ask")]
        if exprs and not any(own.steps for own in item.overrides.values()):
            keys.append((("steps", exprs, item.unit, item.period), "steps"))
        for key, column in keys:
            other = first.setdefault(key, item.id)
            if other != item.id:
                place = context.task.place_of(item.id, column)
                fix = "ask for something else, or remove one of the two"
                yield Hit(place, f"the same {column} as `{other}`", "a question of its own", fix, "", item.id)
                break

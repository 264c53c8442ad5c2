"""The scale of a table's figure: by the nearest words that declare one, and what they except."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cellwright.documents import scales
from cellwright.documents.heads import stubs_above
from cellwright.documents.kinds import FigureKind
from cellwright.documents.labels import words as words_of
from cellwright.documents.scales import read_scales
from cellwright.documents.spans import is_period

if TYPE_CHECKING:
    from cellwright.documents.meaning import Around

_SHORT_GAP = 120
"""A table that follows another with no more text between them (a page's foot and head) shares its introduction."""
MOST_CONTINUED = 8
"""No further back than so many tables is an introduction looked for."""
_NOTE = re.compile(r"\(\w{1,2}\)|[*†‡§]|\d{1,2}\s?[A-Z]")
"""How a note below a table begins."""


def scale_of(
    around: Around,
    number: int,
    kind: FigureKind,
    words: list[str],
    label: str,
    groups: list[list[str]],
    sections: tuple[str, ...],
) -> tuple[int, bool, str]:
    """The power of ten, whether anything tells it, and the words that tell it where they are of the whole table."""
    units = [word for word in words if scales.is_unit(word)]
    if kind == "percent":
        return 0, True, ""
    if kind == "per_share":
        told = next((s.money for unit in units if (s := read_scales(unit)).money is not None), None)
        return told or 0, True, ""
    for text in (*units, label):
        told = _told(text, kind)
        if told is not None:
            return told, True, ""
    near = [*(text for group in groups for text in reversed(group)), *sections]
    for text in (*near, *stubs_above(around.table, number), *around.titles):
        told = _told(text, kind)
        if told is not None:
            return (0, True, "") if _excepts(text, label, groups) else (told, True, text)
    if units and any(scales.currency_in(unit) for unit in units):
        return 0, True, ""
    alone = _head_alone(around)
    told = _told(alone, kind)
    if told is not None:
        return told, True, alone
    inherited = _inherited(around, kind)
    if inherited is not None:
        return inherited[0], True, inherited[1]
    default = around.default.shares if kind == "shares" else around.default.money
    return (default, True, "all tables") if default is not None and kind != "count" else (0, False, "")


def table_scale(around: Around, number: int, kind: FigureKind) -> int:
    """The scale that the table gives to figures of `kind` in row `number`, whatever their column; 0 where none."""
    return scale_of(around, number, kind, [], "", [_declared_above(around, number)], ())[0]


def _declared_above(around: Around, number: int) -> list[str]:
    rows = around.table.parts[:number]
    return [cell.text for row in rows if row.kind == "head" for cell in row.cells if scales.is_declaration(cell.text)]


def _head_alone(around: Around) -> str:
    """A scale alone in its row of heads, which is the whole table's whatever column it stands over."""
    rows = [row.cells for row in around.table.parts if row.kind == "head"]
    alone = {cells[0].text for cells in rows if len(cells) == 1 and scales.is_declaration(cells[0].text)}
    return alone.pop() if len(alone) == 1 else ""


def _told(text: str, kind: FigureKind) -> int | None:
    said = read_scales(text)
    return said.shares if kind == "shares" else said.money


def _excepts(declaration: str, label: str, groups: list[list[str]]) -> bool:
    """Whether the declaration excepts what the row or the column is: "(in millions, except conversion rate)"."""
    excepted = [named for item in scales.excepted_in(declaration) if (named := words_of(item))]
    if not excepted:
        return False
    heads = [text for group in groups for text in group if not scales.is_declaration(text) and not is_period(text)]
    return words_of(label) in excepted or any(named <= words_of(head) for named in excepted for head in heads)


def _inherited(around: Around, kind: FigureKind) -> tuple[int, str] | None:
    """The scale that the tables before tell, where no more than notes and a page's foot and head stand between."""
    for _ in range(MOST_CONTINUED):
        before = around.previous
        if before is None or len(_between(around.table.before)) > _SHORT_GAP:
            return None
        for text in (*before.titles, *_declared_above(before, before.table.rows)):
            told = _told(text, kind)
            if told is not None:
                return told, text
        around = before
    return None


def _between(before: str) -> str:
    """The text between two tables without the notes of the first."""
    return " ".join(line for line in before.split("\n") if not _NOTE.match(line))

"""The tables of a drawn HTML page: rows, columns and spans, read from the marks that `html_text.draw` sets."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from cellwright.documents.html_text import CAPTION, CELL, END_CAPTION, END_CELL, END_TABLE, ROW, SPAN_END, TABLE, tidy
from cellwright.documents.limits import check_cells
from cellwright.documents.model import Cell, Table

MAX_COLSPAN = 1_000
"""The widest span (HTML Living Standard, section 4.9.11: colspan is clamped to 1,000)."""
MAX_ROWSPAN = 65_534
BEFORE = 600
"""How many characters of the text before a table are kept."""

_ANY_MARK = f"{TABLE}-{END_CAPTION}"
_PART = re.compile(
    f"{CELL}([0-9, h+-]{{0,40}})[^{SPAN_END}]*{SPAN_END}([^{_ANY_MARK}]*)(?:{END_CELL}|(?=[{_ANY_MARK}]))"
    f"|([{TABLE}{END_TABLE}{ROW}{END_CELL}{CAPTION}{END_CAPTION}])"
)

_Span = tuple[int, int, bool]


@dataclass(slots=True)
class _Draft:
    """A table while it is being read."""

    number: int
    before: str
    rows: list[list[tuple[str, _Span]]] = field(default_factory=list)
    caption: str = ""
    open_cell: bool = False


def tables_in(marked: str, text: str) -> tuple[Table, ...]:
    """The tables of a page drawn with marks, nested ones too, in the order in which they begin.

    `text` is the page's tidy text, in which each table's offset is looked for. Raises UnreadableInput when
    the spans make a grid of more places than `limits.MAX_CELLS`.
    """
    reader = _Reader(marked)
    reader.read()
    tables: list[Table] = []
    cursor = places = 0
    for draft in reader.drafts:
        grid = _grid(draft.rows)
        places += len(grid) * (len(grid[0]) if grid else 0)
        check_cells(places, "HTML")
        first = next((line for row in draft.rows if (line := " ".join(cell for cell, _ in row if cell))), "")
        found = text.find(first, cursor) if first else -1
        cursor = found if found >= 0 else cursor
        tables.append(Table(number=draft.number, grid=grid, before=draft.before, caption=draft.caption, offset=cursor))
    return tuple(tables)


class _Reader:
    """Goes once through a marked page and collects its tables."""

    def __init__(self, marked: str) -> None:
        self.marked = marked
        self.drafts: list[_Draft] = []
        self.open: list[_Draft] = []
        self.outside = 0
        """Where the text that belongs to no table's cell began last."""
        self.title = ""
        """What a table without figures, used to lay out a title, left behind."""

    def read(self) -> None:
        spans: dict[str, _Span] = {}
        for match in _PART.finditer(self.marked):
            said, content, mark = match.groups()
            if mark is None:
                if self.open:
                    span = spans.get(said)
                    if span is None:
                        span = spans[said] = _span(said)
                    self._cell(" ".join(content.split()), span, self.marked[match.end() - 1] != END_CELL)
            elif mark == ROW:
                if self.open:
                    self.open[-1].rows.append([])
            elif mark == TABLE:
                self._begin(match.start())
            elif mark == END_TABLE:
                self._end(match.end())
            elif mark == END_CELL:
                self._rest_of_cell(match.start())
            elif mark == CAPTION and self.open:
                end = self.marked.find(END_CAPTION, match.end())
                self.open[-1].caption = tidy(self.marked[match.end() : end])[:BEFORE].replace("\n", " ")

    def _cell(self, content: str, span: _Span, unfinished: bool) -> None:
        draft = self.open[-1]
        if not draft.rows:
            draft.rows.append([])
        draft.rows[-1].append((content, span))
        draft.open_cell = unfinished

    def _begin(self, at: int) -> None:
        between = _MARKS.sub(" ", self.marked[max(self.outside, at - 3 * BEFORE) : at])
        before = "\n".join(filter(None, (self.title, tidy(between))))[-BEFORE:]
        draft = _Draft(len(self.drafts), before)
        self.drafts.append(draft)
        self.open.append(draft)
        self.outside, self.title = at + 1, ""

    def _end(self, at: int) -> None:
        if not self.open:
            return
        draft = self.open.pop()
        words = "\n".join(" ".join(cell for cell, _ in row if cell) for row in draft.rows)
        # A title, or a line "(in millions)", laid out as a table of its own belongs to the table that follows.
        small = len(draft.rows) <= 4 and len(words) <= BEFORE and sum(map(str.isdigit, words)) <= 12
        self.title = "\n".join(filter(None, (draft.before, tidy(words)))) if small else ""
        self.outside = at

    def _rest_of_cell(self, at: int) -> None:
        """Text of a layout cell that stands behind a nested table."""
        if self.open and self.open[-1].open_cell and self.open[-1].rows and self.open[-1].rows[-1]:
            content, span = self.open[-1].rows[-1][-1]
            rest = " ".join(_MARKS.sub(" ", self.marked[self.outside : at]).split())
            self.open[-1].rows[-1][-1] = (f"{content} {rest}".strip(), span)
            self.open[-1].open_cell = False


_MARKS = re.compile(f"{CELL}[^{SPAN_END}]*{SPAN_END}|[{TABLE}-{SPAN_END}]")


def _span(said: str) -> _Span:
    """`colspan,rowspan,header` as written in the page, clamped; what is no number is 1."""
    columns, rows, head = (*said.split(","), "", "")[:3]
    return _clamp(columns, MAX_COLSPAN), _clamp(rows, MAX_ROWSPAN), head.strip() == "h"


def _clamp(text: str, largest: int) -> int:
    plain = text.strip().lstrip("+")
    if not plain.isascii() or not plain.isdigit():
        return 1
    return max(1, min(int(plain[:9]), largest))


def _grid(rows: list[list[tuple[str, _Span]]]) -> tuple[tuple[Cell | None, ...], ...]:
    """The rectangle of cells, each standing in every place that it spans; blank cells are None."""
    filled: list[list[Cell | None]] = []
    reaching: dict[int, tuple[Cell | None, int]] = {}
    """By column: a cell of an earlier row and in how many more rows it stands."""
    count = len(rows)
    for r, row in enumerate(rows):
        line: list[Cell | None] = []
        for content, (columns, down, header) in row:
            while reaching and len(line) in reaching:
                line.append(_reach(reaching, len(line)))
            cell = Cell(content, r, len(line), min(down, count - r), columns, header) if content else None
            if down > 1:
                for column in range(len(line), len(line) + columns):
                    reaching.setdefault(column, (cell, min(down, count - r) - 1))
            line.extend((cell,) * columns)
            if len(line) > MAX_COLSPAN * 2:
                break
        while reaching and any(column >= len(line) for column in reaching):
            line.append(_reach(reaching, len(line)) if len(line) in reaching else None)
        filled.append(line)
    width = max(map(len, filled), default=0)
    return tuple(tuple(line) if len(line) == width else (*line, *(None,) * (width - len(line))) for line in filled)


def _reach(reaching: dict[int, tuple[Cell | None, int]], column: int) -> Cell | None:
    cell, more = reaching[column]
    if more <= 1:
        del reaching[column]
    else:
        reaching[column] = (cell, more - 1)
    return cell

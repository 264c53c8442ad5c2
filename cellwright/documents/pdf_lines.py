"""The tables of a PDF, built from the lines of its pages: a label, its figures, and the heads above them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cellwright.documents.limits import check_cells
from cellwright.documents.model import Cell, Table
from cellwright.documents.pdf_figures import OPEN_WORDS, FigureLine, read_line
from cellwright.documents.pdf_heads import Heads, ends_table, head_at, may_be_head

_BEFORE_LINES = 8
_LONGEST_BEFORE = 600
_MARK_ONLY = re.compile(r"(?:\s*\([A-Za-z][A-Za-z ]{0,20}\))+\s*")
_SENTENCE = re.compile(r"[a-z)][.;]\s*$")
_LONG_LINE = 85
_OPEN_END = re.compile(r"(?:\b(?:of|and|or|the|to|in|for|from|by|on|with|net|non)|[,&($-])\s*$", re.IGNORECASE)
_OF_STOCK = re.compile(r"\b(?:authorized|issued|outstanding)\b", re.IGNORECASE)
_YEAR_NAMED = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_BARE_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass
class _Block:
    """The lines under one head, while they are read."""

    heads: Heads
    head_start: int
    rows: list[tuple[str, tuple[str, ...], int]] = field(default_factory=list)
    """Label, figures (none for a section's title), and line."""
    unfit: int = 0
    """Lines whose figures do not fit the columns."""
    singles: list[tuple[str, tuple[str, ...], int]] = field(default_factory=list)

    @property
    def fitting(self) -> int:
        return sum(1 for _, figures, _ in self.rows if figures)


def line_tables(pages: Sequence[str]) -> tuple[Table, ...]:
    """Tables of all pages, in order; `page` is 1-based, `offset` counts in the pages joined by one character.

    Only lines whose figures are as many as the heads above them name periods become rows under those heads:
    a blank cell leaves no trace in the text of a PDF, and which column a lone figure stands in cannot be told.
    Such rows are kept in a table without heads, so that the figure is seen and nothing is said of its period.
    """
    tables: list[Table] = []
    cells = offset = 0
    for number, page in enumerate(pages, start=1):
        lines = page.split("\n")
        starts = _starts(lines, offset)
        for table in _tables_of_page(lines, starts, number, len(tables)):
            cells += table.rows * table.columns
            check_cells(cells, "PDF")
            tables.append(table)
        offset += len(page) + 1
    return tuple(tables)


def _starts(lines: Sequence[str], offset: int) -> list[int]:
    starts = []
    for line in lines:
        starts.append(offset)
        offset += len(line) + 1
    return starts


def _tables_of_page(lines: Sequence[str], starts: Sequence[int], page: int, first: int) -> Iterator[Table]:
    number = first
    untold: list[tuple[str, tuple[str, ...], int]] = []
    for block in _blocks(lines, untold):
        if block.fitting and block.fitting >= block.unfit:
            yield _table(block, lines, starts, page, number)
            number += 1
        else:
            untold += [row for row in block.rows if row[1]]
        untold += block.singles
    for row in sorted(untold, key=lambda row: row[2]):
        # A line of running text that ends with a figure would pass for a row that tells its own period.
        if not _YEAR_NAMED.search(row[0]) and not all(_BARE_YEAR.fullmatch(text) for text in row[1]):
            yield _without_heads(row, starts, page, number)
            number += 1


def _blocks(lines: Sequence[str], untold: list[tuple[str, tuple[str, ...], int]]) -> Iterator[_Block]:
    """The runs of lines under a head, from the top of the page; rows under no head are added to `untold`."""
    block: _Block | None = None
    pending: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if may_be_head(line):
            heads, behind = head_at(lines, at)
            if heads is not None:
                if block is not None:
                    yield block
                block, pending, at = _Block(heads, at), [], behind
                continue
            if block is not None and not read_line(line).figures and ends_table(line):
                yield block
                block = None
        at += 1
        if not line.strip() or _MARK_ONLY.fullmatch(line):
            continue
        read = read_line(line)
        if not read.figures:
            if block is not None and _ends_table(line, pending):
                yield block
                block = None
            pending.append(read.label)
            continue
        if not read.label and _BARE_YEAR.fullmatch(read.figures[0]):  # its rows are years: another table has begun
            if block is not None:
                yield block
            block, pending = None, []
            continue
        label, figures = _whole_label(read, pending), read.figures
        while figures and OPEN_WORDS.search(label):
            label, figures = f"{label} {figures[0]}", figures[1:]
        if not figures:
            pending.append(label)
            continue
        if block is not None:
            _close_sections(block, pending, at)
            _add(block, label, figures, at - 1)
        elif label:
            untold.append((label, figures, at - 1))
        pending = []
    if block is not None:
        yield block


def _ends_table(line: str, pending: Sequence[str]) -> bool:
    """Whether a line without figures is prose, which a table does not hold, and not a label's first line."""
    text = line.strip()
    words = text.count(" ") + 1
    if _SENTENCE.search(text) and words >= 6:
        return True
    return len(text) > _LONG_LINE and len(pending) > 1 and all(len(last) > _LONG_LINE for last in pending[-2:])


def _whole_label(read: FigureLine, pending: list[str]) -> str:
    """The label with the lines before it that it goes on from; those are taken out of `pending`."""
    label = read.label
    while pending and _goes_on(pending[-1], label) and len(label) < 300:
        label = f"{pending.pop()} {label}".strip()
    return label


def _goes_on(line: str, label: str) -> bool:
    if line.endswith(":"):
        return False
    if not label:
        return True
    first = label[:1]
    return first.islower() or bool(_OPEN_END.search(line)) or (first == "(" and label[1:2].islower())


def _close_sections(block: _Block, pending: list[str], at: int) -> None:
    """Lines without figures are titles of sections; one that is broken over two lines is one title."""
    titles: list[str] = []
    for line in pending:
        if titles and _goes_on(titles[-1], line) and len(titles[-1]) < 200:
            titles[-1] = f"{titles[-1]} {line}"
        else:
            titles.append(line)
    block.rows += [(title, (), at - 1) for title in titles]


def _add(block: _Block, label: str, figures: tuple[str, ...], at: int) -> None:
    if not label:
        return
    placed = _placed(block.heads, label, figures)
    if placed is None:
        block.unfit += 1
        block.singles.append((label, figures, at))
    else:
        block.rows.append((*placed, at))


def _placed(heads: Heads, label: str, figures: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
    """The label and one text a column, blank where the row has none; None where the columns cannot be told."""
    count, timed = len(heads.columns), sum(heads.timed)
    if _OF_STOCK.search(label) and not any(map(str.isdigit, figures[0])):
        return None  # "Authorized shares — 500": the dash and the number belong to the words
    if len(figures) == count + 1 and heads.notes and figures[0].strip("()").isdigit():
        label, figures = f"{label} {figures[0]}", figures[1:]
    if len(figures) == count:
        return label, figures
    if len(figures) == timed and heads.timed[:timed] == (True,) * timed and not _mixed(figures):
        return label, (*figures, *[""] * (count - timed))
    if count == timed and len(figures) == 2 * count and _alternate(figures):
        return label, tuple(f"{one}\t{two}" for one, two in zip(figures[::2], figures[1::2], strict=True))
    return None


def _mixed(figures: Sequence[str]) -> bool:
    return len({"%" in figure for figure in figures if any(map(str.isdigit, figure))}) > 1


def _alternate(figures: Sequence[str]) -> bool:
    """Whether each amount is followed by its share of something, in percent."""
    return all("%" in share and "%" not in amount for amount, share in zip(figures[::2], figures[1::2], strict=True))


def _table(block: _Block, lines: Sequence[str], starts: Sequence[int], page: int, number: int) -> Table:
    """The block as a grid: heads and groups reach over the two places that each column has, amount and share."""
    heads = block.heads
    width = 1 + 2 * len(heads.columns)
    grid: list[list[Cell | None]] = [_spread(width, [(0, 1, text)], at) for at, text in enumerate(heads.stub)]
    if heads.groups:
        size = len(heads.columns) // len(heads.groups)
        over = [(1 + 2 * size * n, 2 * size, text) for n, text in enumerate(heads.groups)]
        grid.append(_spread(width, over, len(grid)))
    grid.append(_spread(width, [(1 + 2 * n, 2, text) for n, text in enumerate(heads.columns)], len(grid), header=True))
    for label, figures, _ in block.rows:
        cells = [(0, 1, label)]
        for n, text in enumerate(figures):
            for part, shown in enumerate(text.split("\t")):
                if shown:
                    cells.append((1 + 2 * n + part, 1, shown))
        grid.append(_spread(width, cells, len(grid)))
    before = [
        line.strip() for line in lines[max(0, block.head_start - _BEFORE_LINES) : block.head_start] if line.strip()
    ]
    return Table(
        number=number,
        grid=tuple(map(tuple, grid)),
        before="\n".join(before)[-_LONGEST_BEFORE:],
        page=page,
        offset=starts[block.head_start],
    )


def _spread(width: int, cells: Sequence[tuple[int, int, str]], row: int, *, header: bool = False) -> list[Cell | None]:
    places: list[Cell | None] = [None] * width
    for column, colspan, text in cells:
        cell = Cell(text, row, column, colspan=colspan, header=header)
        places[column : column + colspan] = [cell] * colspan
    return places


def _without_heads(row: tuple[str, tuple[str, ...], int], starts: Sequence[int], page: int, number: int) -> Table:
    """One row alone: what stands near it may head another table, and says nothing of it."""
    label, figures, at = row
    texts = [label, *(text.replace("\t", " ") for text in figures)]
    cells = _spread(len(texts), [(n, 1, text) for n, text in enumerate(texts)], 0)
    return Table(number=number, grid=(tuple(cells),), page=page, offset=starts[at])

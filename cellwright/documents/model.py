"""What a reader hands over: a document's text and pages, and its tables as grids of cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from cellwright.documents import heads
from cellwright.documents.figures import Figure, figures_of
from cellwright.documents.heads import Row, rows_of

if TYPE_CHECKING:
    from cellwright.documents.tags import Tag

Kind = Literal["html", "pdf", "csv", "xlsx", "json", "text"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell as drawn: its text on one line, where it begins, and how far it reaches."""

    text: str
    row: int
    """0-based row of its upper left corner."""
    column: int
    """0-based column of its upper left corner, spans counted."""
    rowspan: int = 1
    colspan: int = 1
    header: bool = False
    """The source itself says that this is a head (`th`); unmarked heads are told by their place."""


@dataclass(frozen=True)
class Table:
    """A table with its spans resolved: a cell that reaches over several places stands in each of them."""

    number: int
    """0-based, in the order of the document."""
    grid: tuple[tuple[Cell | None, ...], ...]
    """Rows of equal length; None where no cell reaches."""
    before: str = ""
    """The text just before it: a title, a line "in millions"; at most 600 characters."""
    caption: str = ""
    page: int | None = None
    """1-based, of a PDF."""
    name: str = ""
    """A sheet's name, else empty."""
    offset: int = 0
    """Where its text begins in the document's text; 0 where the reader does not know."""

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return len(self.grid)

    @property
    def columns(self) -> int:
        """How many columns it has."""
        return len(self.grid[0]) if self.grid else 0

    def row_cells(self, row: int) -> list[Cell]:
        """The cells with text that begin in `row` or reach into it, each once, from left to right."""
        cells: list[Cell] = []
        for cell in self.grid[row]:
            if cell is not None and cell.text and (not cells or cells[-1] is not cell):
                cells.append(cell)
        return cells

    def row_text(self, row: int) -> str:
        """The row on one line, cells parted by one space, as the document's text has it."""
        return " ".join(cell.text for cell in self.row_cells(row) if cell.row == row)

    @cached_property
    def figures(self) -> tuple[tuple[Figure, ...], ...]:
        """The figures of each row; one that is split over cells ("$", "(", "10,959", ")") is one figure."""
        return tuple(
            figures_of([(c.text, c.column, c.colspan) for c in self.row_cells(row)]) for row in range(self.rows)
        )

    @cached_property
    def parts(self) -> tuple[Row, ...]:
        """Each row with its kind (head, section, body), its label and its figures."""
        return rows_of(self)

    @property
    def head_rows(self) -> int:
        """How many rows stand above the first one with a figure."""
        return heads.head_rows(self)

    def row_label(self, row: int) -> str:
        """The words at the left of `row`, before its first figure; empty where it has none."""
        return self.parts[row].label

    def row_path(self, row: int) -> tuple[str, ...]:
        """The titles of the sections that `row` stands in, outermost first ("Earnings per share:")."""
        return heads.row_path(self, row)

    def column_path(self, column: int) -> tuple[str, ...]:
        """The head cells above `column`, top down, each once."""
        return heads.column_path(self, column)


def table_of(
    rows: Sequence[Sequence[str]],
    *,
    number: int = 0,
    before: str = "",
    caption: str = "",
    page: int | None = None,
    name: str = "",
    heads: int = 0,
) -> Table:
    """A table from rows of texts without spans (CSV, a sheet, a PDF); the first `heads` rows are heads.

    Short rows are filled up with None; whitespace inside a cell becomes one space.
    """
    width = max((len(row) for row in rows), default=0)
    grid = tuple(
        tuple(Cell(" ".join(row[c].split()), r, c, header=r < heads) if c < len(row) else None for c in range(width))
        for r, row in enumerate(rows)
    )
    return Table(number=number, grid=grid, before=before, caption=caption, page=page, name=name)


def _no_tables() -> tuple[Table, ...]:
    return ()


def _no_tags() -> tuple[Tag, ...]:
    return ()


@dataclass(frozen=True)
class Document:
    """A source's bytes, read: the text that quotes are found in, its pages, and (when asked) its tables."""

    kind: Kind
    media_type: str
    text: str
    pages: tuple[str, ...] = ()
    """The text of each page of a PDF, page 1 first; empty for other kinds."""
    encoding: str = ""
    """The encoding that the bytes were read with; empty for binary kinds."""
    encoding_by: str = ""
    """What the encoding is known by: `header`, `bom`, `meta`, `detected` or `assumed`; empty for binary kinds."""
    warnings: tuple[str, ...] = ()
    read_tables: Callable[[], tuple[Table, ...]] = field(default=_no_tables, repr=False, compare=False)
    """Builds the tables; called once, when they are first asked for."""
    read_tags: Callable[[], tuple[Tag, ...]] = field(default=_no_tags, repr=False, compare=False)
    """Reads the tags of inline XBRL; called once, when they are first asked for."""

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables in the order of the document."""
        return self.read_tables()

    @cached_property
    def tags(self) -> tuple[Tag, ...]:
        """The tagged numbers of an inline XBRL page, hidden ones too; a second witness, see `tags`."""
        return self.read_tags()

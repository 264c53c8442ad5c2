"""What kind of table it is: a primary statement, a note, a schedule of the parent alone, or something else."""

from __future__ import annotations

import re

from cellwright.documents.model import Table

PRIMARY, STATEMENT, OTHER, APART = range(4)
"""In the order in which they are believed: consolidated statements; statements that do not say so; notes and all
others; figures that are not the entity's reported ones."""

_STATEMENT = re.compile(
    r"(?:statements?\s+of\s+(?:consolidated\s+)?(?:comprehensive\s+)?(?:operations|income|earnings|cash\s+flows?|financial\s+(?:position|condition)|profit|"
    r"(?:changes\s+in\s+)?(?:stockholders|shareholders|shareowners|owners|members)?['’]?\s*(?:equity|deficit|investment)|loss)"
    r"|balance\s+sheets?|income\s+statements?|cash\s+flow\s+statements?|statements?\s+of\s+profit"
    r"|gewinn-\s+und\s+verlustrechnung|bilanz|kapitalflussrechnung|貸借対照表|損益計算書|キャッシュ・フロー計算書|包括利益計算書|財政状態計算書)",
    re.IGNORECASE,
)
# It repeats the income statement's last line and has rows of its own that bear the same labels.
_COMPREHENSIVE = re.compile(
    r"comprehensive\s+(?:income|loss|earnings)(?:\s*\((?:loss|deficit|income)\))?", re.IGNORECASE
)
_INCOME = re.compile(r"\b(?:income|operations|earnings|profit|loss)\b", re.IGNORECASE)
_CONSOLIDATED = re.compile(r"\b(?:consolidated|combined|group|konzern\w*)\b|連結", re.IGNORECASE)
_APART = re.compile(
    r"\bpro[\s-]?forma\b|parent[\s-]company|condensed\s+financial\s+information|non-gaap|\bguidance\b|"
    r"\bas\s+adjusted\b|constant\s+currency|\bguarantors?\b|\bcross[\s-]guarantee\b|\bexpected\b|\bprojected\b|percentage\s+of|"
    r"as\s+a\s+percent",
    re.IGNORECASE,
)
# What only speaks of a statement is no title: "… was allocated in the consolidated statements of operations:".
_REFERS = re.compile(
    r"\b(?:included|recorded|recognized|reflected|reported|reconcil\w*|presented|see|accompanying|line\s+items?|"
    r"classified|following|follows|table|summary|supplemental|information|data|relate\w*|was|were|is|are|our|"
    r"in\s+the|of\s+the|to\s+the|notes)\b|[.:]$",
    re.IGNORECASE,
)
_TITLE_LINES = 6
_LONGEST_TITLE = 140


def titles_of(table: Table) -> list[str]:
    """The lines that may be the table's title, nearest first: its caption, left heads, the short lines above."""
    stubs = [
        row.cells[0].text
        for row in table.parts[: table.head_rows][:8]
        if row.kind in ("head", "section") and row.cells and row.cells[0].column == 0
    ]
    lines = [line for line in reversed(table.before.split("\n")) if line]
    return [text for text in (table.name, table.caption, *stubs, *lines[:_TITLE_LINES]) if text]


def rank_of(table: Table) -> int:
    """PRIMARY for a consolidated statement by its title; APART for pro forma, parent-only and adjusted figures."""
    titles = titles_of(table)
    if any(_APART.search(title) for title in titles if len(title) <= _LONGEST_TITLE):
        return APART
    for title in titles:
        if len(title) <= _LONGEST_TITLE and _STATEMENT.search(title) and not _REFERS.search(title):
            if not _is_long(table):
                return OTHER
            if _COMPREHENSIVE.search(title) and not _INCOME.search(_COMPREHENSIVE.sub(" ", title)):
                return STATEMENT
            return PRIMARY if any(_CONSOLIDATED.search(near) for near in titles[:6]) else STATEMENT
    return OTHER


def _is_long(table: Table) -> bool:
    """A statement has many rows; what names one in its title and has few is an extract."""
    return sum(row.kind == "body" for row in table.parts) >= 5

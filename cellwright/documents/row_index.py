"""Where the words and numbers of a document's tables stand: rows by label, rows by the digits they hold."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property

from cellwright.documents.labels import level, plain, without_brackets, words
from cellwright.documents.model import Table

Spot = tuple[int, int]
"""A table's place in the list and a row of it."""
_DIGITS = re.compile(r"\d[\d.,'’\u00a0\u202f\u2009 ]*\d|\d")
_NO_DIGITS = re.compile(r"[^\d]")
_LETTER = re.compile(r"[^\W\d_]")
MAX_LOOSE = 60
"""No more rows than this are looked at for a label that none bears exactly."""


class RowIndex:
    """Built once for a document, asked for many facts; each part is built when it is first needed."""

    def __init__(self, tables: tuple[Table, ...]) -> None:
        self.tables = tables

    @cached_property
    def _labels(self) -> dict[str, list[Spot]]:
        """Rows by the plain form of each cell of words in them."""
        found: dict[str, list[Spot]] = defaultdict(list)
        for number, table in enumerate(self.tables):
            for row, cells in enumerate(table.grid):
                last = None
                for cell in cells:
                    if cell and cell.text and cell is not last and cell.row == row and not _is_number(cell.text):
                        found[plain(cell.text)].append((number, row))
                    last = cell
        return found

    @cached_property
    def _bare(self) -> dict[str, list[Spot]]:
        """Rows by the plain form of their words without what stands in brackets, where there is any."""
        found: dict[str, list[Spot]] = defaultdict(list)
        for number, table in enumerate(self.tables):
            for row, cells in enumerate(table.grid):
                for cell in dict.fromkeys(cells):
                    if cell is None or cell.row != row or "(" not in cell.text:
                        continue
                    if key := without_brackets(cell.text):
                        found[key].append((number, row))
        return found

    @cached_property
    def _numbers(self) -> dict[str, list[Spot]]:
        """Rows by the digits of each number in them."""
        found: dict[str, list[Spot]] = defaultdict(list)
        for number, table in enumerate(self.tables):
            for row, cells in enumerate(table.grid):
                last = None
                for cell in cells:
                    if cell is not None and cell is not last and _is_number(cell.text):
                        for match in _DIGITS.finditer(cell.text):
                            found[_NO_DIGITS.sub("", match[0])].append((number, row))
                    last = cell
                # A note's mark behind a figure ("100 2" for 100²) is none of its digits.
                for figure in table.figures[row]:
                    if len(figure.spaced) > len(figure.text):
                        found[_NO_DIGITS.sub("", figure.text)].append((number, row))
        return found

    def labelled(self, label: str) -> list[tuple[int, Spot]]:
        """The rows whose label is `label`, or else those whose label is like it, each with its level of likeness."""
        exact = self._labels.get(plain(label))
        if exact:
            return [(0, spot) for spot in dict.fromkeys(exact)]
        alike = [
            *self._bare.get(plain(label), ()),
            *self._labels.get(without_brackets(label), ()),
            *self._bare.get(without_brackets(label), ()),
        ]
        if alike:
            return [(1, spot) for spot in dict.fromkeys(alike)]
        found: list[tuple[int, Spot]] = []
        for key, spots in self._labels.items():
            likeness = level(label, key)
            if likeness is not None:
                found.extend((likeness, spot) for spot in dict.fromkeys(spots))
        found.sort()
        best = found[0][0] if found else 0
        return [item for item in found if item[0] == best][:MAX_LOOSE]

    def speaking_of(self, asked: frozenset[str]) -> list[Spot]:
        """The rows whose label has all of the words."""
        if not asked:
            return []
        return [spot for key, spots in self._labels.items() if asked <= words(key) for spot in spots][: MAX_LOOSE * 4]

    def holding(self, as_written: str) -> list[Spot]:
        """The rows that hold the number's digits."""
        return list(dict.fromkeys(self._numbers.get(_NO_DIGITS.sub("", as_written), ())))


def _is_number(text: str) -> bool:
    return not text[:1].isalpha() and (text[:1].isdigit() or _LETTER.search(text) is None)

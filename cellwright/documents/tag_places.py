"""Where each tag of an inline XBRL page is printed: the table, row and column, or the place in the running text.

The page is drawn as the other readers draw it, each tag's text between marks, so that a tag stands where its text
stands, and a tag that is not drawn is hidden.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from lxml import etree

from cellwright.documents.html_tables import tables_in
from cellwright.documents.html_text import END_TAG, TABLE_MARKS, TAG, TAG_NUMBER, draw, tidy
from cellwright.documents.html_tree import Page
from cellwright.documents.model import Table
from cellwright.documents.tags import Tag, elements_of, reader_of

_MARK = re.compile(f"{TAG}(\\d{{1,7}}){TAG_NUMBER}|{END_TAG}")
_WORD = re.compile(r"\S+")
_MOST_PIECES = 200
_LONGEST_PIECE = 400


def tags_of(page: Page, text: str) -> tuple[Tag, ...]:
    """The tagged numbers of a page, in the order of its tree, into which marks are set.

    `text` is the document's text, into which their places are given. A tag that the page does not draw, because it
    stands in `ix:hidden` or in what hides itself or wraps nothing, is marked as hidden and has no place.
    """
    elements = elements_of(page.root)
    if not elements:
        return ()
    tag_of = reader_of(page.root)
    tags = [tag_of(element, _words_in(element)) for element in elements]
    for number, element in enumerate(elements):
        _wrap(element, number)
    drawn = draw(page, marked=True)
    in_text = _spans(tidy(TABLE_MARKS.sub("", drawn)), text)
    in_tables = dict(_cells(tables_in(drawn, "")))
    return tuple(_placed(tag, in_text.get(number), in_tables.get(number)) for number, tag in enumerate(tags))


def _words_in(element: etree._Element) -> str:
    """The text that a tag wraps, on one line; of tags that wrap whole pages only a beginning, which is no number."""
    pieces = [str(piece)[:_LONGEST_PIECE] for piece in islice(element.itertext(), _MOST_PIECES)]
    return " ".join("".join(pieces).split())


def _placed(tag: Tag, span: tuple[int, int] | None, cell: tuple[int, int, int, int] | None) -> Tag:
    if span is None:
        return replace(tag, hidden=True)
    if cell is None:
        return replace(tag, begin=span[0], stop=span[1], offset=span[0])
    table, row, column, offset = cell
    return replace(tag, table=table, row=row, column=column, offset=offset, begin=span[0], stop=span[1])


def _wrap(element: etree._Element, number: int) -> None:
    element.text = f"{TAG}{number}{TAG_NUMBER}{element.text or ''}"
    if len(element):
        element[-1].tail = f"{element[-1].tail or ''}{END_TAG}"
    else:
        element.text += END_TAG


def _marked(text: str) -> Iterator[tuple[int, int, int]]:
    """Each tag in a marked text as (number, begin, end) in the text without marks."""
    open_tags: list[tuple[int, int]] = []
    taken = 0
    for match in _MARK.finditer(text):
        at = match.start() - taken
        taken += len(match[0])
        if match[1] is not None:
            open_tags.append((int(match[1]), at))
        elif open_tags:
            number, begin = open_tags.pop()
            yield number, begin, at
    for number, begin in open_tags:
        yield number, begin, len(text) - taken


def _spans(marked: str, text: str) -> dict[int, tuple[int, int]]:
    """The place of each tag in `text`, which has the same letters and perhaps another blank here and there."""
    found = [(number, begin, end) for number, begin, end in _marked(marked) if begin < end]
    plain = _MARK.sub("", marked)
    if plain == text:
        return {number: (begin, end) for number, begin, end in found}
    letters = _letters_before(plain, sorted({at for _, begin, end in found for at in (begin, end)}))
    places = _places_of(text, sorted(set(letters.values()) | {count - 1 for count in letters.values()}))
    return {
        number: (places[letters[begin]], places[letters[end] - 1] + 1)
        for number, begin, end in found
        if letters[begin] < letters[end] and letters[begin] in places and letters[end] - 1 in places
    }


def _letters_before(text: str, places: list[int]) -> dict[int, int]:
    """How many letters (all that is no blank) stand before each of the places, which rise."""
    counts: dict[int, int] = {}
    count = last = 0
    for at in places:
        count += sum(map(len, text[last:at].split()))
        counts[at], last = count, at
    return counts


def _places_of(text: str, letters: list[int]) -> dict[int, int]:
    """The place of each of the letters, given by their numbers, which rise."""
    places: dict[int, int] = {}
    words = _WORD.finditer(text)
    begin = seen = length = 0
    for letter in letters:
        while letter >= seen + length:
            word = next(words, None)
            if word is None:
                return places
            seen, begin, length = seen + length, word.start(), len(word[0])
        places[letter] = begin + letter - seen
    return places


def _cells(tables: tuple[Table, ...]) -> Iterator[tuple[int, tuple[int, int, int, int]]]:
    """Each tag in a table as (number, (table, row, column, place in the cell's text))."""
    for table in tables:
        for row in range(table.rows):
            for cell in table.row_cells(row):
                if cell.row == row and TAG in cell.text:
                    for number, begin, _ in _marked(cell.text):
                        yield number, (table.number, row, cell.column, begin)

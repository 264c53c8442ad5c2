"""CSV: delimited text as one table, the delimiter found from the lines; cells are named as in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections import Counter
from functools import partial

from cellwright.documents.charset import decode
from cellwright.documents.limits import check_bytes, check_cells, check_characters
from cellwright.documents.model import Document, Table, table_of
from cellwright.records.errors import UnreadableInput

MEDIA_TYPE = "text/csv"
DELIMITERS = (",", ";", "\t", "|")
LONGEST_FIELD = 131_072
"""Characters in one cell (the csv module's own bound); a longer one comes of a quotation mark never closed."""


def read_csv(data: bytes, *, charset: str | None = None) -> Document:
    """Delimited text as one table: cell `F14` is the sixth field of the fourteenth row.

    A row is a record (one with a line feed inside quotation marks is one row); blank lines count, as a
    spreadsheet counts them. `text` holds the rows on one line each, cells parted by one space.
    Raises UnreadableInput for an empty file, an unclosed quotation mark, and what is larger than the limits.
    """
    check_bytes(data, "CSV")
    decoded = decode(data, charset=charset)
    check_characters(len(decoded.text), "CSV")
    if not decoded.text.strip():
        raise UnreadableInput("the CSV document holds only white space", expected="rows of values")
    rows, notes = _rows(decoded.text, delimiter_of(decoded.text))
    check_cells(len(rows) * max(map(len, rows), default=0), "CSV")
    text = "\n".join(" ".join(cell for cell in row if cell) for row in rows)
    return Document(
        kind="csv",
        media_type=MEDIA_TYPE,
        text=text,
        encoding=decoded.encoding,
        encoding_by=decoded.how,
        warnings=(*decoded.warnings, *notes),
        read_tables=partial(_tables, rows),
    )


def delimiter_of(text: str) -> str:
    """The delimiter under which most of the first rows have the same number of fields, more than one.

    Of two that are equally regular the one that gives more fields wins; a comma when none gives two.
    """
    sample = text[:65_536]
    if len(text) > len(sample):
        sample = sample[: sample.rfind("\n") + 1] or sample
    scores: list[tuple[float, int, int]] = []
    for order, delimiter in enumerate(DELIMITERS):
        try:
            counts = Counter(len(row) for row in _records(sample, delimiter, strict=False) if row)
        except csv.Error:
            continue
        fields, rows = max(counts.items(), key=lambda item: (item[0] > 1, item[1], item[0]), default=(0, 0))
        if fields > 1:
            scores.append((rows / counts.total(), fields, -order))
    return DELIMITERS[-max(scores)[2]] if scores else ","


def _records(text: str, delimiter: str, *, strict: bool) -> list[list[str]]:
    # Each kind of line end is made a line feed first: the csv module takes a lone carriage return for an error.
    lines = io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n"), newline="")
    return [[" ".join(field.split()) for field in row] for row in csv.reader(lines, delimiter=delimiter, strict=strict)]


def _rows(text: str, delimiter: str) -> tuple[list[list[str]], list[str]]:
    """The rows, and what was odd about them."""
    try:
        return _records(text, delimiter, strict=True), []
    except csv.Error as error:
        odd = str(error)
    if "unexpected end of data" in odd:
        raise UnreadableInput(
            "the CSV document ends inside quotation marks",
            expected="each quotation mark closed",
            fix="capture the source again, or save it as CSV by a spreadsheet program",
        )
    try:
        return _records(text, delimiter, strict=False), ["a quotation mark stands inside a cell and was kept"]
    except csv.Error as error:
        raise UnreadableInput(
            "the CSV document cannot be read", seen=str(error), expected=f"cells of {LONGEST_FIELD} characters at most"
        ) from error


def _tables(rows: list[list[str]]) -> tuple[Table, ...]:
    return (table_of(rows),)

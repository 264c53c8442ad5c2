"""A bundle's tables as Arrow has them: checked, digested and compared column by column, made rows where asked for.

A release of a hundred tasks has a hundred thousand rows; making each a dict costs more than everything else.
The canonical JSON lines over which a table's digest is taken (`records.bundle.table_digest`) are therefore put
together by Arrow, a column at a time, and are the same to the byte.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from cellwright.records.bundle import SCHEMA, TABLE_COLUMNS, Rows
from cellwright.records.errors import Place, UnreadableInput

MAX_TABLE = 1_000_000_000
"""Bytes of a table in memory; a small file may hold more."""
MAX_ROWS = 2_000_000
AT_ONCE = 4_000
"""Lines put together at once: few enough to stay in the processor's cache."""
_CONTROLS = bytes(range(0x20))
_MARKED = b'"\\'


class Frame:
    """One table: `arrow` holds its columns, every value text and none missing."""

    def __init__(self, arrow: Any) -> None:
        self.arrow = arrow

    def __len__(self) -> int:
        return int(self.arrow.num_rows)

    @cached_property
    def rows(self) -> Rows:
        """The rows as dicts of text."""
        return self.rows_of(self.arrow)

    def column(self, name: str) -> list[str]:
        """The values of a column, in the rows' order."""
        return list(self.arrow.column(name).to_pylist())

    def at(self, positions: Sequence[int]) -> Rows:
        """The rows at these positions, as dicts of text."""
        return self.rows_of(self.arrow.take(_numbers(positions))) if positions else []

    def where(self, column: str, wanted: Callable[[str], bool]) -> list[int]:
        """The positions of the rows in which a column's value is wanted."""
        return [at for at, value in enumerate(self.column(column)) if wanted(value)]

    @staticmethod
    def rows_of(arrow: Any) -> Rows:
        """An Arrow table as dicts; by column first, which is several times faster than row by row."""
        names = arrow.column_names
        columns = [column.to_pylist() for column in arrow.columns]
        return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]

    @cached_property
    def lines(self) -> list[str]:
        """Each row's canonical JSON with a line feed, in the rows' order.

        Raises UnreadableInput where its escapes make more text than Arrow holds at once.
        """
        import pyarrow as pa

        try:
            return self._lines()
        except (pa.ArrowException, OverflowError) as error:
            raise UnreadableInput("a table of the bundle is too large", seen=str(error)[:120]) from None

    def _lines(self) -> list[str]:
        import pyarrow.compute as pc

        if not len(self):
            return []
        columns = {name: _escaped(self.arrow.column(name)) for name in sorted(self.arrow.column_names)}
        # Column names are ours (`TABLE_COLUMNS`): none needs an escape.
        heads = _texts([f'{"," if at else "{"}"{name}":"' for at, name in enumerate(columns)])
        quote, end, between = _texts(['"', "}\n", ""])
        found: list[str] = []
        for start in range(0, len(self), AT_ONCE):
            pieces: list[Any] = []
            for head, column in zip(heads, columns.values(), strict=True):
                pieces += [head, column.slice(start, AT_ONCE), quote]
            found += pc.binary_join_element_wise(*pieces, end, between).to_pylist()
        return found

    @cached_property
    def digest(self) -> str:
        """What `records.bundle.table_digest` gives for the rows."""
        found, ordered = hashlib.sha256(), sorted(self.lines)
        for start in range(0, len(ordered), AT_ONCE):
            found.update("".join(ordered[start : start + AT_ONCE]).encode())
        return found.hexdigest()

    def not_in(self, other: Frame) -> list[int]:
        """The positions of the rows that `other` does not have as they are."""
        theirs = set(other.lines)
        return [at for at, line in enumerate(self.lines) if line not in theirs]

    def only(self, positions: Sequence[int]) -> Frame:
        """The table of the rows at these positions."""
        return Frame(self.arrow.take(_numbers(positions)))

    def doubled(self, columns: Sequence[str]) -> tuple[str, ...]:
        """The first key of `columns` that two rows share; nothing where every row has its own."""
        seen = set()
        for key in zip(*(self.column(name) for name in columns), strict=True):
            if key in seen:
                return key
            seen.add(key)
        return ()

    def unlike(self, column: str, pattern: str) -> str | None:
        """The first value of a column that does not match all of `pattern`; None where every one does."""
        fits = re.compile(pattern).fullmatch
        return next((value for value in self.column(column) if not fits(value)), None)


class Frames(Mapping[str, Rows]):
    """A bundle's tables by name, made rows when they are first asked for."""

    def __init__(self, frames: Mapping[str, Frame]) -> None:
        self.frames = dict(frames)

    def __getitem__(self, name: str) -> Rows:
        return self.frames[name].rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.frames)

    def __len__(self) -> int:
        return len(self.frames)


def read_frame(name: str, data: bytes, layout: Sequence[str] = ()) -> Frame:
    """A table from its Parquet bytes: every column of `layout`, else of the whole table, every value text.

    Raises UnreadableInput for anything else.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    place = Place(f"{name}.parquet")
    columns = list(layout or TABLE_COLUMNS[name])
    try:
        file = pq.ParquetFile(io.BytesIO(data))
        if file.schema_arrow.names != columns:
            raise UnreadableInput(
                f"the columns of the table `{name}` are not those of schema {SCHEMA}",
                place,
                seen=", ".join(file.schema_arrow.names)[:400],
                expected=", ".join(columns),
            )
        if not all(pa.types.is_string(item.type) or pa.types.is_large_string(item.type) for item in file.schema_arrow):
            raise UnreadableInput(f"a column of the table `{name}` is not text", place)
        schema = pa.schema([pa.field(column, pa.string()) for column in columns])
        table = pa.Table.from_batches(_batches(file, name, place), file.schema_arrow).cast(schema)
        table.validate(full=True)  # Arrow itself takes any bytes for text.
        return Frame(table)
    except (pa.ArrowException, OSError, ValueError, UnicodeDecodeError) as error:
        raise UnreadableInput("the file is not Parquet that can be read", place, seen=str(error)[:120]) from None


def _batches(file: Any, name: str, place: Place) -> Iterator[Any]:
    metadata = file.metadata
    size = sum(metadata.row_group(index).total_byte_size for index in range(metadata.num_row_groups))
    if metadata.num_rows > MAX_ROWS or size > MAX_TABLE:
        raise UnreadableInput(
            f"the table `{name}` is too large",
            place,
            seen=f"{metadata.num_rows} rows, {size} bytes",
            expected=f"at most {MAX_ROWS} rows and {MAX_TABLE} bytes",
        )
    total = 0
    for batch in file.iter_batches(batch_size=10_000):
        total += batch.nbytes
        if total > MAX_TABLE or any(column.null_count for column in batch.columns):
            raise UnreadableInput(f"the table `{name}` is too large or has values that are missing", place)
        yield batch


def _escaped(column: Any) -> Any:
    """A column's values as they stand between the quotation marks of JSON."""
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)
    held = bytes(plain.buffers()[2] or b"")
    if len(held.translate(None, _CONTROLS)) != len(held):
        # Rare, and each control character has its own escape: the standard library writes these.
        return _texts([json.dumps(text, ensure_ascii=False)[1:-1] for text in plain.to_pylist()])
    if len(held.translate(None, _MARKED)) != len(held):
        plain = pc.replace_substring(plain, "\\", "\\\\")
        return pc.replace_substring(plain, '"', '\\"')
    return plain


def _texts(values: Sequence[str]) -> Any:
    """An Arrow array of text. Its own ways to make one ask pandas whether it knows the values: half a second."""
    import pyarrow as pa

    held = [value.encode() for value in values]
    ends = array("i", itertools.accumulate((len(value) for value in held), initial=0))
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(held))]
    return pa.Array.from_buffers(pa.string(), len(held), buffers)


def _numbers(values: Sequence[int]) -> Any:
    import pyarrow as pa

    return pa.Array.from_buffers(pa.int64(), len(values), [None, pa.py_buffer(array("q", values))])

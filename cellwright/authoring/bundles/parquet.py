"""Tables as Parquet bytes: an explicit schema of text columns, the same bytes for the same rows."""

from __future__ import annotations

import io
from array import array
from collections.abc import Mapping, Sequence
from itertools import accumulate

import pyarrow as pa
import pyarrow.parquet as pq

from cellwright.records.bundle import TABLE_COLUMNS


def parquet_bytes(name: str, rows: Sequence[Mapping[str, str]], layout: Sequence[str] = ()) -> bytes:
    """The Parquet file of a table, of the columns `layout` or of all. One row group, zstd, no statistics of the
    writing machine.

    Every column is a non-null string: a number stays exactly what it is under every reader.
    """
    columns = {column: TABLE_COLUMNS[name][column] for column in layout or TABLE_COLUMNS[name]}
    schema = pa.schema(
        [
            pa.field(column, pa.string(), nullable=False, metadata={"description": text})
            for column, text in columns.items()
        ]
    )
    arrays = [_texts([row[column] for row in rows]) for column in columns]
    table = pa.Table.from_arrays(arrays, schema=schema)
    out = io.BytesIO()
    pq.write_table(
        table,
        out,
        compression="zstd",
        compression_level=9,
        version="2.6",
        use_dictionary=True,
        write_statistics=False,
        store_schema=False,
        row_group_size=1_000_000,
    )
    return out.getvalue()


def _texts(values: Sequence[str]) -> pa.Array:
    """An Arrow array of text. Arrow's own way to make one asks pandas, where it is installed: half a second."""
    held = [value.encode() for value in values]
    ends = array("i", accumulate(map(len, held), initial=0))
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(held))]
    return pa.Array.from_buffers(pa.string(), len(held), buffers)


def parquet_writer(data: bytes | None = None) -> str:
    """The library that wrote a Parquet file, as the file says; the one that writes here where none is given."""
    try:
        return str(pq.ParquetFile(io.BytesIO(parquet_bytes("tasks", []) if data is None else data)).metadata.created_by)
    except (pa.ArrowException, OSError, ValueError):
        return ""

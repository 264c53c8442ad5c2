"""A bundle on the disk, read and checked: every file against its sha256, every table against its digest.

A bundle may come from anywhere: sizes, names and types are checked before anything is taken from it.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from cellwright.clients.bundle_manifest import MANIFEST as MANIFEST
from cellwright.clients.bundle_manifest import SHA256, read_manifest, said_list, said_text, said_texts
from cellwright.clients.disk import read_bytes
from cellwright.clients.seal_key import SealKey
from cellwright.clients.sealed_bundle import MAX_FILE, MAX_FILES, key_of_bundle, unseal
from cellwright.records.bundle import SCHEMA, TABLE_COLUMNS, Rows, cells_digest, table_digest
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.plain_archive import MAX_NAME, PLAIN_PATH
from cellwright.records.sealing import OPEN_COLUMNS, open_rows
from cellwright.records.suggest import did_you_mean

MAX_TABLE = 1_000_000_000
"""Bytes of a table in memory; a small file may hold more."""
MAX_ROWS = 2_000_000

Key = tuple[str, str, str]


@dataclass(frozen=True)
class Bundle:
    """A bundle whose files and tables are what `bundle.json` says they are."""

    name: str
    version: str
    cells_digest: str
    """sha256 over the digests of the cells: results that carry the same one can be compared."""
    tables: Mapping[str, Rows] = field(repr=False)
    demonstration: bool = False
    """Built on stand-in captures; not a release."""
    advisories: tuple[str, ...] = ()
    canary: str = ""
    sealed: bool = False
    """Its references are encrypted, and the digests of its cells keyed."""

    @cached_property
    def cells(self) -> dict[Key, dict[str, str]]:
        """The cells by task, entity and dimension."""
        return {(row["task"], row["entity"], row["dimension"]): row for row in self.tables["cells"]}

    @cached_property
    def tasks(self) -> tuple[str, ...]:
        """The ids of the tasks, sorted."""
        return tuple(sorted(row["task"] for row in self.tables["tasks"]))

    @cached_property
    def cells_in_order(self) -> list[Key]:
        """The cells' names as the matrix has them: task by task, row by row."""
        entity = {(row["task"], row["entity"]): int(row["position"]) for row in self.tables["entities"]}
        dimension = {(row["task"], row["dimension"]): int(row["position"]) for row in self.tables["dimensions"]}
        return sorted(
            self.cells, key=lambda key: (key[0], entity.get(key[:2], 0), dimension.get((key[0], key[2]), 0), key)
        )

    def require_task(self, task: str) -> None:
        """Raises UnreadableInput where the bundle has no such task."""
        if task not in self.tasks:
            raise UnreadableInput(
                f"the task `{task[:80]}` is not in the bundle",
                Place(MANIFEST),
                expected=f"one of {', '.join(self.tasks[:20])}",
                fix=did_you_mean(task, self.tasks),
            )


def open_bundle(folder: Path, key: SealKey | None = None) -> Bundle:
    """The bundle in `folder`, checked; a sealed one is opened with `key`, else with the one of the environment.

    Raises UnreadableInput where it is no bundle or a later one, where the key is missing or does not open it, or
    any file or table of it is not what `bundle.json` says.
    """
    if not folder.is_dir():
        raise UnreadableInput(
            "the bundle is not a folder" if folder.exists() else "the bundle is missing",
            Place(str(folder)),
            fix="make one with `cellwright bundle`, or name another one",
        )
    if not (folder / MANIFEST).exists():
        raise UnreadableInput(
            "the folder is no bundle",
            Place(str(folder)),
            expected=f"`{MANIFEST}` in it",
            fix="make one with `cellwright bundle`, or name another one",
        )
    said = manifest = read_manifest(folder)
    sealed = manifest.get("sealed") is True
    if sealed:
        key = key_of_bundle(key)
    shown = contents = _checked_files(folder, said_texts(manifest, "files"))
    if sealed:
        unsealed = unseal(folder, manifest, key)
        manifest, contents = dict(unsealed.manifest), dict(unsealed.files)
    digests = said_texts(manifest, "tables")
    tables = {}
    for name in TABLE_COLUMNS:
        data = contents.get(f"{name}.parquet")
        if data is None or name not in digests:
            raise UnreadableInput(f"the table `{name}` is not in the bundle", Place(MANIFEST, column="tables"))
        tables[name] = read_table(name, data)
        if table_digest(tables[name]) != digests[name]:
            raise UnreadableInput(
                f"the table `{name}` is not the one that was released",
                Place(f"{name}.parquet"),
                seen=table_digest(tables[name]),
                expected=digests[name],
                fix="fetch the bundle again",
            )
    bundle = Bundle(
        name=said_text(manifest, "name"),
        version=said_text(manifest, "version"),
        cells_digest=_cells_digest(manifest, tables["cells"]),
        tables=tables,
        demonstration=manifest.get("demonstration") is True,
        advisories=tuple(str(item)[:500] for item in said_list(manifest, "advisories")[:100]),
        canary=str(manifest.get("canary", ""))[:500],
        sealed=sealed,
    )
    _check_keys(tables)
    if sealed:
        _check_open_tables(said, shown, tables)
    return bundle


def _checked_files(folder: Path, listed: Mapping[str, str]) -> dict[str, bytes]:
    """The listed files' bytes where they are tables; every listed file is read and compared."""
    if len(listed) > MAX_FILES:
        raise UnreadableInput(f"the bundle lists more than {MAX_FILES} files", Place(MANIFEST, column="files"))
    root = folder.resolve()
    kept = {}
    for name, digest in sorted(listed.items()):
        if len(name) > MAX_NAME or not PLAIN_PATH.fullmatch(name) or not SHA256.fullmatch(digest):
            raise UnreadableInput(
                "a file of the bundle has no plain name or no sha256",
                Place(MANIFEST, column="files"),
                seen=f"{name}: {digest}",
            )
        path = folder / name
        if not path.resolve().is_relative_to(root):
            raise UnreadableInput("a file of the bundle leads out of its folder", Place(name))
        data = read_bytes(path, limit=MAX_FILE, name=name)
        found = hashlib.sha256(data).hexdigest()
        if found != digest:
            raise UnreadableInput(
                "the file is not the one that was released",
                Place(name),
                seen=found,
                expected=digest,
                fix="fetch the bundle again",
            )
        if name.endswith(".parquet"):
            kept[name] = data
    return kept


def _check_open_tables(manifest: Mapping[str, Any], shown: Mapping[str, bytes], tables: Mapping[str, Rows]) -> None:
    """The open tables of a sealed bundle are the open columns of the sealed ones."""
    digests = said_texts(manifest, "tables")
    for name, rows in open_rows(tables).items():
        data = shown.get(f"{name}.parquet", b"")
        if digests.get(name) != table_digest(rows) or read_table(name, data, OPEN_COLUMNS[name]) != rows:
            raise UnreadableInput(
                f"the open table `{name}` is not the sealed one", Place(f"{name}.parquet"), fix="fetch the bundle again"
            )


def read_table(name: str, data: bytes, layout: Sequence[str] = ()) -> Rows:
    """The rows of a table from its Parquet bytes: every column of `layout`, else of the whole table, every value text.

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
        return list(_rows(file, name, place))
    except (pa.ArrowException, OSError, ValueError, UnicodeDecodeError) as error:
        raise UnreadableInput("the file is not Parquet that can be read", place, seen=str(error)[:120]) from None


def _rows(file: Any, name: str, place: Place) -> Iterator[dict[str, str]]:
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
        yield from batch.to_pylist()


def _cells_digest(manifest: Mapping[str, Any], cells: Rows) -> str:
    said = manifest.get("cells")
    digest = said.get("digest") if isinstance(said, dict) else None
    found = cells_digest(cells)
    if digest != found:
        raise UnreadableInput(
            "the digest of the cells is not theirs",
            Place(MANIFEST, column="cells"),
            seen=str(digest)[:80],
            expected=found,
            fix="fetch the bundle again",
        )
    return found


def _check_keys(tables: Mapping[str, Rows]) -> None:
    """Positions are numbers, and no two rows of a table are the same cell, entity or task."""
    keys = {
        "tasks": ("task",),
        "entities": ("task", "entity"),
        "dimensions": ("task", "dimension"),
        "cells": ("task", "entity", "dimension"),
        "facts": ("task", "fact"),
    }
    for name, columns in keys.items():
        seen = set()
        for row in tables[name]:
            key = tuple(row[column] for column in columns)
            if key in seen:
                raise UnreadableInput(f"`{'/'.join(key)}` stands twice in the table `{name}`", Place(f"{name}.parquet"))
            seen.add(key)
    for name in ("entities", "dimensions", "steps"):
        for row in tables[name]:
            if not re.fullmatch(r"[1-9][0-9]{0,6}", row["position"]):
                raise UnreadableInput(
                    "a position is no whole number from 1", Place(f"{name}.parquet"), seen=row["position"]
                )

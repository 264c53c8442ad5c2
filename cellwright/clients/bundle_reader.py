"""A bundle on the disk, read and checked: every file against its sha256, every table against its digest.

A bundle may come from anywhere: sizes, names and types are checked before anything is taken from it.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from cellwright.clients.disk import read_bytes
from cellwright.records.bundle import SCHEMA, TABLE_COLUMNS, Rows, cells_digest, table_digest
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.suggest import did_you_mean

MANIFEST = "bundle.json"
MAX_MANIFEST = 16_000_000
"""Bytes of bundle.json."""
MAX_FILE = 256_000_000
"""Bytes of any other file."""
MAX_FILES = 100_000
MAX_TABLE = 1_000_000_000
"""Bytes of a table in memory; a small file may hold more."""
MAX_ROWS = 2_000_000

_SHA256 = re.compile(r"[0-9a-f]{64}")
_PATH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")

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


def open_bundle(folder: Path) -> Bundle:
    """The bundle in `folder`, checked.

    Raises UnreadableInput where it is no bundle, a later or sealed one, or any file or table of it is not what
    `bundle.json` says.
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
    manifest = _manifest(folder)
    contents = _checked_files(folder, _texts(manifest, "files"))
    digests = _texts(manifest, "tables")
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
        name=_text(manifest, "name"),
        version=_text(manifest, "version"),
        cells_digest=_cells_digest(manifest, tables["cells"]),
        tables=tables,
        demonstration=manifest.get("demonstration") is True,
        advisories=tuple(str(item)[:500] for item in _list(manifest, "advisories")[:100]),
        canary=str(manifest.get("canary", ""))[:500],
    )
    _check_keys(tables)
    return bundle


def _manifest(folder: Path) -> dict[str, Any]:
    data = read_bytes(folder / MANIFEST, limit=MAX_MANIFEST, name=MANIFEST)
    try:
        manifest = json.loads(data.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise UnreadableInput(
            "the file is not JSON", Place(MANIFEST), expected="what `cellwright bundle` writes"
        ) from None
    if not isinstance(manifest, dict):
        raise UnreadableInput("the file does not describe a bundle", Place(MANIFEST), expected="a JSON object")
    schema = manifest.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        raise UnreadableInput(
            "the bundle says no schema",
            Place(MANIFEST, column="schema"),
            seen=str(schema)[:40],
            expected=f"a whole number from 1 to {SCHEMA}",
        )
    if schema > SCHEMA:
        raise UnreadableInput(
            f"the bundle has schema {schema}, and this reader knows schema {SCHEMA}",
            Place(MANIFEST, column="schema"),
            fix="install a later cellwright",
        )
    if manifest.get("sealed") is True:
        raise UnreadableInput(
            "the bundle is sealed: its references are encrypted",
            Place(MANIFEST, column="sealed"),
            fix="ask its publisher to grade the submission",
        )
    return manifest


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


def _checked_files(folder: Path, listed: Mapping[str, str]) -> dict[str, bytes]:
    """The listed files' bytes where they are tables; every listed file is read and compared."""
    if len(listed) > MAX_FILES:
        raise UnreadableInput(f"the bundle lists more than {MAX_FILES} files", Place(MANIFEST, column="files"))
    root = folder.resolve()
    kept = {}
    for name, digest in sorted(listed.items()):
        if len(name) > 240 or not _PATH.fullmatch(name) or not _SHA256.fullmatch(digest):
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


def read_table(name: str, data: bytes) -> Rows:
    """The rows of a table from its Parquet bytes: every column there, every value text.

    Raises UnreadableInput for anything else.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    place = Place(f"{name}.parquet")
    columns = list(TABLE_COLUMNS[name])
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


def _text(manifest: Mapping[str, Any], key: str) -> str:
    value = manifest.get(key)
    if not isinstance(value, str) or not 0 < len(value) <= 200:
        raise UnreadableInput(f"`{key}` is missing or no text", Place(MANIFEST, column=key))
    return value


def _list(manifest: Mapping[str, Any], key: str) -> list[Any]:
    value = manifest.get(key, [])
    return value if isinstance(value, list) else []


def _texts(manifest: Mapping[str, Any], key: str) -> dict[str, str]:
    value = manifest.get(key)
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        raise UnreadableInput(f"`{key}` is missing or not an object of text", Place(MANIFEST, column=key))
    return value

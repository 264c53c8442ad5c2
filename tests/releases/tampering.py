"""Seeded tamperings of a released bundle: what was done, and the files that must be named."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from cellwright.authoring.bundles.bundle import corpus_digest, published_json
from cellwright.authoring.bundles.parquet import parquet_bytes
from cellwright.clients.bundle_reader import read_table
from cellwright.records.bundle import TABLE_COLUMNS, table_digest
from cellwright.records.errors import UnreadableInput

MANIFEST = "bundle.json"


@dataclass(frozen=True)
class Tampering:
    """What was done to a bundle: the kind, the files that must be named, and whether bundle.json was made to fit."""

    kind: str
    names: tuple[str, ...]
    rehashed: bool


def tamper(folder: Path, seed: int) -> Tampering:
    """Tamper with the bundle in `folder` as the seed says; in half of the cases bundle.json is made to fit."""
    kind = list(KINDS)[seed % len(KINDS)]
    before = {path: path.read_bytes() for path in plain_files(folder)}
    names = KINDS[kind](folder, random.Random(f"tampering {seed}"))
    rehashed = bool(seed // len(KINDS) % 2) and MANIFEST not in names  # Else what was done to it would be undone.
    if rehashed:
        rehash(folder)
    assert {path: path.read_bytes() for path in plain_files(folder)} != before or kind == "a link", "nothing was done"
    return Tampering(kind, names, rehashed)


def plain_files(folder: Path) -> list[Path]:
    """Every file of the bundle, sorted by its path."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def rehash(folder: Path) -> None:
    """Make bundle.json fit what lies there, as far as it can be read."""
    try:
        said = json.loads((folder / MANIFEST).read_bytes())
    except (ValueError, OSError):
        return
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in plain_files(folder)}
    files.pop(MANIFEST)
    said["files"] = {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}
    for name in TABLE_COLUMNS:
        try:
            rows = read_table(name, files[f"{name}.parquet"])
        except (UnreadableInput, KeyError):
            continue
        said["tables"][name], said["counts"][name] = table_digest(rows), len(rows)
        if name == "cells":
            text = "".join(f"{row['digest']}\n" for row in rows)
            said["cells"]["digest"] = hashlib.sha256(text.encode()).hexdigest()
        if name == "sources":
            said["corpus"]["digest"] = corpus_digest({"sources": rows})
    (folder / MANIFEST).write_bytes(published_json(said))


def _any(folder: Path, rng: random.Random) -> Path:
    return rng.choice(plain_files(folder))


def _named(folder: Path, *paths: Path) -> tuple[str, ...]:
    return tuple(path.relative_to(folder).as_posix() for path in paths)


def _byte_flipped(folder: Path, rng: random.Random) -> tuple[str, ...]:
    path = _any(folder, rng)
    data = bytearray(path.read_bytes())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)
    return _named(folder, path)


def _byte_inserted(folder: Path, rng: random.Random) -> tuple[str, ...]:
    path = _any(folder, rng)
    data, at = path.read_bytes(), rng.randrange(path.stat().st_size + 1)
    path.write_bytes(data[:at] + rng.randbytes(1) + data[at:])
    return _named(folder, path)


def _cut(folder: Path, rng: random.Random) -> tuple[str, ...]:
    path = _any(folder, rng)
    path.write_bytes(path.read_bytes()[: rng.randrange(path.stat().st_size)])
    return _named(folder, path)


def _rows(folder: Path, rng: random.Random, least: int) -> tuple[str, Path, list[dict[str, str]]]:
    tables = {name: read_table(name, (folder / f"{name}.parquet").read_bytes()) for name in TABLE_COLUMNS}
    name = rng.choice([name for name, rows in tables.items() if len(rows) >= least])
    return name, folder / f"{name}.parquet", tables[name]


def _row_changed(folder: Path, rng: random.Random) -> tuple[str, ...]:
    name, path, rows = _rows(folder, rng, 1)
    row, column = rng.choice(rows), rng.choice(list(TABLE_COLUMNS[name]))
    row[column] = row[column][:-1] + rng.choice("0123456789") + rng.choice("ab")
    path.write_bytes(parquet_bytes(name, rows))
    return _named(folder, path)


def _row_dropped(folder: Path, rng: random.Random) -> tuple[str, ...]:
    name, path, rows = _rows(folder, rng, 1)
    rows.pop(rng.randrange(len(rows)))
    path.write_bytes(parquet_bytes(name, rows))
    return _named(folder, path)


def _row_added(folder: Path, rng: random.Random) -> tuple[str, ...]:
    name, path, rows = _rows(folder, rng, 1)
    rows.insert(rng.randrange(len(rows) + 1), dict(rng.choice(rows)))
    path.write_bytes(parquet_bytes(name, rows))
    return _named(folder, path)


def _rows_swapped(folder: Path, rng: random.Random) -> tuple[str, ...]:
    name, path, rows = _rows(folder, rng, 2)
    one, other = rng.sample(range(len(rows)), 2)
    rows[one], rows[other] = rows[other], rows[one]
    path.write_bytes(parquet_bytes(name, rows))
    return _named(folder, path)


def _written_otherwise(folder: Path, rng: random.Random) -> tuple[str, ...]:
    """The same rows in other bytes."""
    _, path, rows = _rows(folder, rng, 1)
    columns = [pa.field(column, pa.string(), nullable=False) for column in rows[0]]
    pq.write_table(pa.Table.from_pylist(rows, pa.schema(columns)), path, compression=rng.choice(["none", "snappy"]))
    return _named(folder, path)


def _gone(folder: Path, rng: random.Random) -> tuple[str, ...]:
    path = _any(folder, rng)
    path.unlink()
    return _named(folder, path)


def _added(folder: Path, rng: random.Random) -> tuple[str, ...]:
    path = folder / rng.choice(
        ["notes.txt", "prompts/extra.md", ".hidden", "deep/er/file.parquet", "Bundle.JSON", "ä.md"]
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(rng.randbytes(rng.randrange(20)))
    return _named(folder, path)


def _files_swapped(folder: Path, rng: random.Random) -> tuple[str, ...]:
    one, other = rng.sample(plain_files(folder), 2)
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    return _named(folder, one, other)


def _link(folder: Path, rng: random.Random) -> tuple[str, ...]:
    """The same bytes, behind a link to a file elsewhere."""
    path = rng.choice([path for path in plain_files(folder) if path.name != MANIFEST])
    elsewhere = folder.parent / f"elsewhere-{path.name}"
    shutil.move(path, elsewhere)
    path.symlink_to(elsewhere)
    return _named(folder, path)


def _folder_in_place(folder: Path, rng: random.Random) -> tuple[str, ...]:
    path = _any(folder, rng)
    data = path.read_bytes()
    path.unlink()
    path.mkdir()
    (path / path.name).write_bytes(data)
    return _named(folder, path)


def _manifest_edited(folder: Path, rng: random.Random) -> tuple[str, ...]:
    path = folder / MANIFEST
    said = json.loads(path.read_bytes())
    key = rng.choice(["version", "canary", "name", "tool", "advisories", "counts", "cells", "corpus", "tables", "files",
                      "demonstration", "sealed", "schema", "new"])  # fmt: skip
    if key in ("counts", "tables", "files"):
        inner = rng.choice(sorted(said[key]))
        said[key][inner] = 7 if key == "counts" else "0" * 64
    elif key in ("cells", "corpus"):
        said[key]["digest"] = "f" * 64
    else:
        said[key] = {"advisories": [{"id": "A1"}], "demonstration": True, "sealed": True, "schema": 2}.get(key, "9.9.9")
    path.write_bytes(published_json(said))
    return (MANIFEST,)


def _case_changed(folder: Path, rng: random.Random) -> tuple[str, ...]:
    path = _any(folder, rng)
    new = path.with_name(path.name.upper() if path.name != path.name.upper() else path.name.lower())
    os.rename(path, new)
    return _named(folder, path, new)


def _line_changed(folder: Path, rng: random.Random) -> tuple[str, ...]:
    path = rng.choice([path for path in plain_files(folder) if path.suffix != ".parquet"])
    lines = path.read_text(encoding="utf-8").split("\n")
    at = rng.choice([at for at, line in enumerate(lines) if line.strip()])
    lines[at] = rng.choice(["", lines[at] + " ", lines[at].replace("e", "c").replace("a", "o") + "."])
    path.write_text("\n".join(lines), encoding="utf-8")
    return _named(folder, path)


KINDS: dict[str, Callable[[Path, random.Random], tuple[str, ...]]] = {
    "a byte flipped": _byte_flipped,
    "a byte inserted": _byte_inserted,
    "a file cut": _cut,
    "a row changed": _row_changed,
    "a row dropped": _row_dropped,
    "a row added": _row_added,
    "two rows swapped": _rows_swapped,
    "a table written otherwise": _written_otherwise,
    "a file gone": _gone,
    "a file added": _added,
    "two files swapped": _files_swapped,
    "a link": _link,
    "a folder in place of a file": _folder_in_place,
    "bundle.json edited": _manifest_edited,
    "a name's case changed": _case_changed,
    "a line changed": _line_changed,
}

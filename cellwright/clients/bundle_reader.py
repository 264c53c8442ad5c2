"""A bundle on the disk, read and checked: every file against its sha256, every table against its digest.

A bundle may come from anywhere: sizes, names and types are checked before anything is taken from it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellwright.clients.advisory_files import advisories_in
from cellwright.clients.bundle_manifest import MANIFEST as MANIFEST
from cellwright.clients.bundle_manifest import SHA256, read_manifest, said_text, said_texts
from cellwright.clients.disk import read_bytes
from cellwright.clients.seal_key import SealKey
from cellwright.clients.sealed_bundle import MAX_FILE, MAX_FILES, key_of_bundle, unseal
from cellwright.clients.table_frames import Frame, Frames, read_frame
from cellwright.records.bundle import TABLE_COLUMNS, TABLE_KEYS, Rows, table_digest
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.plain_archive import MAX_NAME, PLAIN_PATH
from cellwright.records.sealing import OPEN_COLUMNS, open_rows
from cellwright.records.suggest import did_you_mean

if TYPE_CHECKING:
    from cellwright.records.repository_rows import Advisory


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
    advisories: tuple[Advisory, ...] = ()
    """What readers of earlier releases must know, as far as this one knew it."""
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
    bundle, frames, digests = _read_bundle(folder, key)
    for name, frame in frames.items():
        if frame.digest != digests[name]:
            raise UnreadableInput(
                f"the table `{name}` is not the one that was released",
                Place(f"{name}.parquet"),
                seen=frame.digest,
                expected=digests[name],
                fix="fetch the bundle again",
            )
    return bundle


def open_to_compare(folder: Path, key: SealKey | None = None) -> Bundle:
    """The bundle in `folder` for comparing its rows with another's; raises what `open_bundle` raises.

    Every file is held against its sha256. The digests of the tables, which say the same of their rows once more,
    are left out: taking them costs more than the whole comparison.
    """
    return _read_bundle(folder, key)[0]


def _read_bundle(folder: Path, key: SealKey | None) -> tuple[Bundle, dict[str, Frame], dict[str, str]]:
    """The bundle, its files checked; its tables, and what `bundle.json` says are their digests."""
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
    frames = {}
    for name in TABLE_COLUMNS:
        data = contents.get(f"{name}.parquet")
        if data is None or name not in digests:
            raise UnreadableInput(f"the table `{name}` is not in the bundle", Place(MANIFEST, column="tables"))
        frames[name] = read_frame(name, data)
    bundle = Bundle(
        name=said_text(manifest, "name"),
        version=said_text(manifest, "version"),
        cells_digest=_cells_digest(manifest, frames["cells"]),
        tables=Frames(frames),
        demonstration=manifest.get("demonstration") is True,
        advisories=advisories_in(manifest, Place(MANIFEST, column="advisories")),
        canary=str(manifest.get("canary", ""))[:500],
        sealed=sealed,
    )
    _check_keys(frames)
    if sealed:
        _check_open_tables(said, shown, bundle.tables)
    return bundle, frames, digests


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
    return read_frame(name, data, layout).rows


def _cells_digest(manifest: Mapping[str, Any], cells: Frame) -> str:
    said = manifest.get("cells")
    digest = said.get("digest") if isinstance(said, dict) else None
    found = hashlib.sha256("".join(f"{digest}\n" for digest in cells.column("digest")).encode()).hexdigest()
    if digest != found:
        raise UnreadableInput(
            "the digest of the cells is not theirs",
            Place(MANIFEST, column="cells"),
            seen=str(digest)[:80],
            expected=found,
            fix="fetch the bundle again",
        )
    return found


def _check_keys(frames: Mapping[str, Frame]) -> None:
    """Positions are numbers, and no two rows of a table are the same cell, entity or task."""
    for name in ("tasks", "entities", "dimensions", "cells", "facts"):
        if twice := frames[name].doubled(TABLE_KEYS[name]):
            raise UnreadableInput(f"`{'/'.join(twice)}` stands twice in the table `{name}`", Place(f"{name}.parquet"))
    for name in ("entities", "dimensions", "steps"):
        odd = frames[name].unlike("position", "[1-9][0-9]{0,6}")
        if odd is not None:
            raise UnreadableInput("a position is no whole number from 1", Place(f"{name}.parquet"), seen=odd)

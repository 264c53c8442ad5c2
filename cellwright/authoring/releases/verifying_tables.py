"""The tables of a bundle, and all that follows from them made again and compared.

A folder may come from anywhere: what cannot be made again from its tables is told as such.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cellwright import __version__
from cellwright.authoring.bundles.bundle import ReleaseTexts, assembled, corpus_digest
from cellwright.authoring.bundles.parquet import parquet_writer
from cellwright.authoring.releases.verifying_files import Folder
from cellwright.authoring.settings import BundleSettings
from cellwright.clients.bundle_reader import MANIFEST, read_table
from cellwright.records.bundle import (
    TABLE_COLUMNS,
    TABLE_KEYS,
    Rows,
    cell_digest,
    cells_digest,
    sorted_rows,
    table_digest,
)
from cellwright.records.errors import UnreadableInput
from cellwright.records.findings import Audit
from cellwright.records.releases.verification import Check, Remark, judged, remarks_of, unchecked
from cellwright.records.sealing import keyed_digest

AUDIT = "audit.json"
STATED_ELSEWHERE = {"files", "advisories", "sealed", "seal"}
"""Keys of bundle.json that do not follow from the tables."""


@dataclass
class ReadTables:
    """The tables that could be read, and what is wrong with any."""

    rows: dict[str, Rows] = field(default_factory=dict)
    wrong: list[Remark] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        """Whether every table could be read."""
        return len(self.rows) == len(TABLE_COLUMNS)


def read_tables(folder: Folder, manifest: Mapping[str, Any]) -> ReadTables:
    """Every table: its columns, rows, order, keys, count and digest."""
    found = ReadTables()
    for name in TABLE_COLUMNS:
        file = f"{name}.parquet"
        if file not in folder.files:
            found.wrong.append(Remark(file=file, what=folder.wrong(file)))
            continue
        try:
            rows = found.rows[name] = read_table(name, folder.files[file])
        except UnreadableInput as error:
            found.wrong += remarks_of(error)
            continue
        found.wrong += [Remark(file=file, what=what) for what in _faults(name, rows, manifest)]
    for key in ("tables", "counts"):
        for name in sorted(manifest[key].keys() - TABLE_COLUMNS.keys()):
            found.wrong.append(Remark(file=MANIFEST, what=f"`{key}` tells of a table that there is not: {name[:80]}"))
    return found


def _faults(name: str, rows: Rows, manifest: Mapping[str, Any]) -> Iterator[str]:
    digest, count = table_digest(rows), manifest["counts"].get(name)
    if manifest["tables"].get(name) != digest:
        yield f"its rows are not those that were released; seen digest {digest}"
    if count != len(rows):
        yield f"it has {len(rows)} rows, and bundle.json counts {str(count)[:40]}"
    keys = [tuple(row[column] for column in TABLE_KEYS[name]) for row in rows]
    twice = next((key for at, key in enumerate(sorted(keys)) if at and sorted(keys)[at - 1] == key), None)
    if twice:
        yield f"two rows are the same {'/'.join(TABLE_KEYS[name])}: {'/'.join(twice)}"
    if "position" in TABLE_COLUMNS[name] and not all(re.fullmatch("[1-9][0-9]{0,6}", row["position"]) for row in rows):
        yield "a position is no whole number from 1"
    elif sorted_rows(name, rows) != rows:
        yield "its rows are not in their order"


def digest_faults(manifest: Mapping[str, Any], tables: ReadTables, secret: bytes = b"") -> Iterator[Remark]:
    """Digests of cells and corpus that do not follow from the tables; `secret` keys those of a sealed bundle."""
    rows = tables.rows
    if "cells" in rows:
        found = cells_digest(rows["cells"])
        if manifest["cells"].get("digest") != found:
            yield Remark(file=MANIFEST, what=f"the digest of the cells is not theirs; seen {found}")
    if "sources" in rows and manifest["corpus"].get("digest") != (found := corpus_digest(rows, secret)):
        yield Remark(file=MANIFEST, what=f"the digest of the corpus is not that of the sources; seen {found}")
    if "cells" in rows and "tasks" in rows:
        assumptions = {row["task"]: read_json(row["assumptions"]) for row in rows["tasks"]}
        for row in rows["cells"]:
            digest = cell_digest(row, assumptions.get(row["task"]))
            if row["digest"] != (keyed_digest(secret, "cell", digest) if secret else digest):
                name = f"{row['task']}/{row['entity']}/{row['dimension']}"
                yield Remark(file="cells.parquet", what=f"the digest of the cell {name} is not its own")


def made_again(folder: Folder, manifest: Mapping[str, Any], tables: ReadTables, secret: bytes = b"") -> Check:
    """Every file that follows from the tables and the audit, made again and compared byte for byte.

    `secret` is that of the key where the files come from a sealed archive.
    """
    if not tables.whole or AUDIT not in folder.files:
        return unchecked("made again", "not every table, or not the audit, could be read")
    try:
        audit = Audit.model_validate_json(folder.files[AUDIT])
    except ValueError:
        return judged("made again", [Remark(file=AUDIT, what="the file is no audit")])
    try:
        said = {key: manifest.get(key) for key in ("name", "version", "canary")}
        settings = BundleSettings.model_validate({**said, "url": _url(folder)})
    except ValueError:
        what = "`name`, `version` or `canary` is not what a build writes"
        return judged("made again", [Remark(file=MANIFEST, what=what)])
    try:
        files, again = assembled(tables.rows, audit, settings, ReleaseTexts(_changelog(folder)), secret)
    except Exception as error:  # Tables of a stranger may contradict themselves in any way.
        what = f"the pages cannot be made from the tables ({type(error).__name__})"
        return judged("made again", [Remark(file="", what=what)])
    ours = manifest.get("tool") == f"cellwright {__version__}"
    wrong = [
        Remark(file=MANIFEST, what=f"`{key[:80]}` is not what the tables and the audit give")
        for key in sorted({*(manifest if ours else ()), *again} - STATED_ELSEWHERE)
        if manifest.get(key) != again.get(key)
    ]
    unknown: list[Remark] = []
    for name, data in sorted(files.items()):
        if name != MANIFEST and folder.files.get(name) != data:
            remark = Remark(file=name, what="the file is not what the tables and the audit give")
            (unknown if _by_another(name, folder, manifest) else wrong).append(remark)
    if unknown and not wrong:
        names = ", ".join(remark.file for remark in unknown)
        by = f"{str(manifest.get('tool'))[:40]} with other libraries than these (cellwright {__version__})"
        return unchecked("made again", f"made by {by}: install those to compare {names}")
    return judged("made again", wrong + unknown, f"{len(files) - 1} files")


def _by_another(name: str, folder: Folder, manifest: Mapping[str, Any]) -> bool:
    """Whether another version of the program, or of the library that writes tables, made the file."""
    if manifest.get("tool") != f"cellwright {__version__}":
        return True
    data = folder.files.get(name)
    return data is not None and name.endswith(".parquet") and parquet_writer(data) != parquet_writer()


def _url(folder: Folder) -> str:
    """The benchmark's address, which stands in the card and in the Croissant description: the two must say the same."""
    said = read_json(folder.files.get("croissant.json", b"").decode("utf-8", "replace"))
    url = said.get("url") if isinstance(said, dict) else ""
    return url if isinstance(url, str) else ""


def _changelog(folder: Folder) -> str:
    """The bundle's changelog as it is: it follows from the repository's, and from no table."""
    return folder.files.get("CHANGELOG.md", b"").decode("utf-8", "replace")


def read_json(text: str) -> object:
    """The value of a column that holds JSON; None where it holds none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None

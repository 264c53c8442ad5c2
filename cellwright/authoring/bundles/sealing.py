"""A bundle sealed: the whole of it in one encrypted archive, and beside it what may be open.

The open files are made from the questions alone and not from the sealed ones by leaving things out; before anything
is written they are searched for what is sealed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from cellwright.authoring.bundles.open_pages import open_card, open_changelog
from cellwright.authoring.bundles.parquet import parquet_bytes
from cellwright.clients.bundle_manifest import MANIFEST
from cellwright.clients.bundle_reader import read_table
from cellwright.clients.seal_key import SealKey
from cellwright.clients.sealed_bundle import sealed
from cellwright.records.bundle import Rows, table_digest
from cellwright.records.errors import NotSettled
from cellwright.records.sealing import ARCHIVE, OPEN_COLUMNS, open_manifest, open_rows
from cellwright.validators.leaks import OpenBundle, leaks


def sealed_files(
    files: Mapping[str, bytes], manifest: Mapping[str, Any], tables: Mapping[str, Rows], key: SealKey
) -> tuple[dict[str, bytes], dict[str, Any]]:
    """The files of the sealed bundle and what its open `bundle.json` says, made from the whole one.

    `files` are those of the unsealed bundle with its `bundle.json`, which says `manifest`. Raises NotSettled, with
    each place, where an open file would tell what is sealed.
    """
    shown = open_rows(tables)
    open_files = {name: data for name, data in files.items() if name.startswith("prompts/")}
    for name, rows in shown.items():
        open_files[f"{name}.parquet"] = parquet_bytes(name, rows, OPEN_COLUMNS[name])
    open_files["README.md"] = open_card(manifest, tables).encode()
    open_files["CHANGELOG.md"] = open_changelog(manifest, tables).encode()
    archive, seal = sealed(files, key)
    said = open_manifest(
        manifest,
        files={name: hashlib.sha256(data).hexdigest() for name, data in sorted(open_files.items())},
        tables={name: table_digest(rows) for name, rows in shown.items()},
        seal=seal,
    )
    open_files[MANIFEST] = (
        json.dumps(said, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False) + "\n"
    ).encode()
    found = leaks(as_shown(open_files, said), tables)
    if found:
        raise NotSettled(found)
    return {**open_files, ARCHIVE: archive}, said


def as_shown(files: Mapping[str, bytes], manifest: Mapping[str, Any]) -> OpenBundle:
    """The open files as the leak check reads them: lines of text, and of a table its rows as they were written."""
    texts, columns = {}, {}
    for name, data in files.items():
        if name.endswith(".parquet"):
            table = name.removesuffix(".parquet")
            rows = read_table(table, data, OPEN_COLUMNS.get(table, ()))
            texts[name] = ["\t".join(row.values()) for row in rows]
            columns[name] = list(OPEN_COLUMNS.get(table, rows[0] if rows else ()))
        else:
            texts[name] = data.decode("utf-8").splitlines()
    return OpenBundle(texts, columns, manifest)

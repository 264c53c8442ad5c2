"""What a sealed bundle shows and what it keeps: the open columns, the keyed digests, the archive's salted digest.

The digests of a bundle are taken over texts that can be guessed: a reference has few digits, so that whoever knows
the rest of a cell can try them all. In a sealed bundle each digest that is shown is therefore keyed (HMAC, RFC 2104)
or salted with the seal's secret: the same key gives the same digest in every version, and without it nothing can be
tried (decision 0024).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

from cellwright.records.bundle import Rows

ARCHIVE = "sealed.tar.age"
"""The encrypted archive: the whole bundle as it would lie there unsealed."""
OPEN_FILES = ("CHANGELOG.md", "README.md", "dimensions.parquet", "entities.parquet")
"""The open files beside `bundle.json` and the prompts."""
OPEN_COLUMNS: dict[str, tuple[str, ...]] = {
    "entities": ("task", "entity", "name"),
    "dimensions": ("task", "dimension", "name", "ask", "unit", "period"),
}
"""The columns of the open tables; their rows stand in the order of the matrix."""
OPEN_COUNTS = ("tasks", "entities", "dimensions", "cells")
"""Tables whose rows are counted openly: no step in a task of one cell would tell that its answer is not available."""
OPEN_KEYS = ("name", "version", "schema", "tool", "demonstration", "cells", "corpus", "advisories", "canary")
"""What the open `bundle.json` repeats of the sealed one."""
SEAL_KEYS = ("file", "sha256", "salt", "digest")

_PURPOSE = b"cellwright seal 1: "


def keyed_digest(secret: bytes, purpose: str, digest: str) -> str:
    """HMAC-SHA256 of a digest in hex, for one `purpose`: the same for the same secret, unguessable without it."""
    return _hmac(_hmac_bytes(secret, purpose.encode()), digest.encode())


def keyed_cells(tables: Mapping[str, Rows], secret: bytes) -> dict[str, Rows]:
    """The tables with the `digest` of each cell keyed."""
    cells = [{**row, "digest": keyed_digest(secret, "cell", row["digest"])} for row in tables["cells"]]
    return {**tables, "cells": cells}


def salt_for(secret: bytes, plaintext: bytes) -> str:
    """The salt of an archive, in hex: it follows from the key and the plaintext, so that no chance is in the bundle."""
    return keyed_digest(secret, "salt", hashlib.sha256(plaintext).hexdigest())


def plaintext_digest(tar_bytes: bytes, salt: str) -> str:
    """sha256, in hex, over the salt's bytes (`salt` is hex) and the plaintext archive.

    Raises ValueError where the salt is no hex.
    """
    return hashlib.sha256(bytes.fromhex(salt) + tar_bytes).hexdigest()


def open_rows(tables: Mapping[str, Rows]) -> dict[str, Rows]:
    """The open tables: the open columns of each, task by task in the order of the matrix."""
    found = {}
    for name, columns in OPEN_COLUMNS.items():
        ordered = sorted(tables[name], key=lambda row: (row["task"], int(row["position"])))
        found[name] = [{column: row[column] for column in columns} for row in ordered]
    return found


def open_manifest(
    sealed: Mapping[str, Any], *, files: Mapping[str, str], tables: Mapping[str, str], seal: Mapping[str, str]
) -> dict[str, Any]:
    """What the open `bundle.json` says of a bundle whose own one is `sealed`: nothing that is not meant to be open."""
    return {
        **{key: sealed[key] for key in OPEN_KEYS},
        "sealed": True,
        "counts": {name: sealed["counts"][name] for name in OPEN_COUNTS},
        "files": dict(files),
        "tables": dict(tables),
        "seal": dict(seal),
    }


def _hmac(secret: bytes, text: bytes) -> str:
    return _hmac_bytes(secret, text).hex()


def _hmac_bytes(secret: bytes, text: bytes) -> bytes:
    return hmac.new(secret, _PURPOSE + text, hashlib.sha256).digest()

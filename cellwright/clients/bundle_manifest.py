"""`bundle.json`: what a bundle says of itself, read with care and without trust."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cellwright.clients.disk import read_bytes
from cellwright.records.bundle import SCHEMA
from cellwright.records.errors import Place, UnreadableInput

MANIFEST = "bundle.json"
MAX_MANIFEST = 16_000_000
"""Bytes of bundle.json."""
SHA256 = re.compile(r"[0-9a-f]{64}")


def read_manifest(folder: Path) -> dict[str, Any]:
    """What `bundle.json` in `folder` says. Raises UnreadableInput where it is missing or says no known schema."""
    return parse_manifest(read_bytes(folder / MANIFEST, limit=MAX_MANIFEST, name=MANIFEST))


def is_sealed(folder: Path) -> bool:
    """Whether a bundle in `folder` is sealed; what is no bundle at all is told by who opens it."""
    return (folder / MANIFEST).is_file() and read_manifest(folder).get("sealed") is True


def parse_manifest(data: bytes) -> dict[str, Any]:
    """What the bytes of a `bundle.json` say. Raises UnreadableInput."""
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
    return manifest


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


def said_text(manifest: Mapping[str, Any], key: str) -> str:
    """A text that must be there. Raises UnreadableInput."""
    value = manifest.get(key)
    if not isinstance(value, str) or not 0 < len(value) <= 200:
        raise UnreadableInput(f"`{key}` is missing or no text", Place(MANIFEST, column=key))
    return value


def said_list(manifest: Mapping[str, Any], key: str) -> list[Any]:
    """A list; empty where there is none."""
    value = manifest.get(key, [])
    return value if isinstance(value, list) else []


def said_texts(manifest: Mapping[str, Any], key: str) -> dict[str, str]:
    """An object of texts that must be there. Raises UnreadableInput."""
    value = manifest.get(key)
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        raise UnreadableInput(f"`{key}` is missing or not an object of text", Place(MANIFEST, column=key))
    return value

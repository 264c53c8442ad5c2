"""From one schema of the files to the next, and from forms that are read to the form that is written. Pure: bytes in,
bytes out."""

from __future__ import annotations

from cellwright.records.migrations.chain import CHAIN, CURRENT, Migrated, Migration, migrated, schema_of, with_schema
from cellwright.records.migrations.forms import canonical_table, canonical_yaml

__all__ = [
    "CHAIN",
    "CURRENT",
    "Migrated",
    "Migration",
    "canonical_table",
    "canonical_yaml",
    "migrated",
    "schema_of",
    "with_schema",
]

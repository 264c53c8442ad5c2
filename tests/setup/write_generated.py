"""Writes what is made from the models: JSON Schemas and `params.yaml`. `make schemas` runs it; a test fails when one
is stale."""

from __future__ import annotations

import json
from pathlib import Path

from cellwright.records.schemas import json_schemas
from cellwright.validators.thresholds import thresholds_yaml

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "docs" / "schemas"


PARAMS = ROOT / "params.yaml"
BUNDLE = """\
bundle:
  # The benchmark's name and the version to be built; a release sets the version.
  name: us-large-caps-demo
  version: 0.1.0
  # Where it is published, for its card and its citation: url: https://…
  # Unique to this benchmark: whoever finds it in training data knows that the answers leaked.
  canary: cellwright-canary-5f0c9d3e-7a41-4d0b-9b64-2f8e61c7a913
"""


def generated() -> dict[Path, str]:
    """Each generated file and its text."""
    schemas = {
        SCHEMAS / f"{name}.schema.json": json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
        for name, schema in json_schemas().items()
    }
    return {**schemas, PARAMS: thresholds_yaml() + BUNDLE}


def write() -> None:
    """Write every generated file that is stale."""
    SCHEMAS.mkdir(parents=True, exist_ok=True)
    for path, text in generated().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()

"""Writes what is made from the models: JSON Schemas and `params.yaml`. `make schemas` runs it; a test fails when one
is stale."""

from __future__ import annotations

import json
import re
from pathlib import Path

from cellwright.authoring.settings import BundleSettings
from cellwright.authoring.starting_params import params_yaml
from cellwright.records.schemas import json_schemas

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "docs" / "schemas"


PARAMS = ROOT / "params.yaml"
VERSION = re.compile(r"^  version: (\S+)$", re.MULTILINE)
BUNDLE = BundleSettings(
    name="us-large-caps-demo", version="0.1.0", canary="cellwright-canary-5f0c9d3e-7a41-4d0b-9b64-2f8e61c7a913"
)


def generated() -> dict[Path, str]:
    """Each generated file and its text."""
    schemas = {
        SCHEMAS / f"{name}.schema.json": json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
        for name, schema in json_schemas().items()
    }
    # A release has set the version: that is the one thing of this file which is not made from the models.
    version = VERSION.search(PARAMS.read_text(encoding="utf-8")) if PARAMS.exists() else None
    bundle = BUNDLE.model_copy(update={"version": version[1]}) if version else BUNDLE
    return {**schemas, PARAMS: params_yaml(bundle)}


def write() -> None:
    """Write every generated file that is stale."""
    SCHEMAS.mkdir(parents=True, exist_ok=True)
    for path, text in generated().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()

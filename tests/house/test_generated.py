"""What is made from the models is up to date."""

from __future__ import annotations

from pathlib import Path

from tests.setup.write_generated import SCHEMAS, generated


def test_schemas_and_thresholds_are_those_of_the_models() -> None:
    files = generated()
    assert set(SCHEMAS.iterdir()) == {path for path in files if path.parent == SCHEMAS}
    for path, text in files.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is stale: run `make schemas`"


def test_every_field_of_the_schemas_is_described(root: Path) -> None:
    for path, text in generated().items():
        if path.name not in ("task.schema.json", "audit.schema.json", "params.yaml"):
            assert '"description": ""' not in text, path.name

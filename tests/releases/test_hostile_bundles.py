"""A bundle.json of any form is judged: never believed, never a fault of the program, never a cursor moved."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cellwright.authoring.bundles.bundle import published_json
from cellwright.authoring.releases.verifying import verify_folder
from cellwright.records.errors import UnreadableInput
from cellwright.records.releases.verification import Check

pytestmark = pytest.mark.filterwarnings("ignore")
ODD: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, "", "x", "\x1b[31m", "../..", [], [1], {}, {"a": 1}, {"digest": []}, "9" * 5000, 10**20,
    "é\u202e", [[[]]], {"a/../../b": "0" * 64},
)  # fmt: skip


def mutated(value: Any, rng: random.Random, depth: int = 0) -> Any:
    """`value` with one part of it gone, renamed, or of another kind."""
    if isinstance(value, dict) and value and depth < 4 and rng.random() < 0.8:
        key = rng.choice(sorted(value))
        kept = {name: item for name, item in value.items() if name != key}
        if rng.random() < 0.2:
            return kept
        if rng.random() < 0.2:
            return {**kept, str(rng.choice(ODD)): value[key]}
        return {**kept, key: mutated(value[key], rng, depth + 1)}
    return rng.choice(ODD)


@pytest.mark.parametrize("seed", range(24))
def test_a_bundle_json_of_any_form_is_judged(seed: int, bundle: Path, told: Callable[[list[Check]], str]) -> None:
    rng = random.Random(f"hostile {seed}")
    said = json.loads((bundle / "bundle.json").read_bytes())
    other = mutated(said, rng)
    (bundle / "bundle.json").write_bytes(published_json(other))
    text = told(verify_folder(bundle))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert ("it: not verified" in text) == (other != said)


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"null", b"\xff\xfe{}", b"[" * 100_000, b'{"a": NaN}', b'{"a": "\\ud800"}', b"{}\n"]
)
def test_what_is_no_bundle_json_is_told(data: bytes, bundle: Path, told: Callable[[list[Check]], str]) -> None:
    (bundle / "bundle.json").write_bytes(data)
    text = told(verify_folder(bundle))
    assert "✗ manifest" in text
    assert "    bundle.json: " in text


def test_a_key_that_stands_twice_is_told(bundle: Path, told: Callable[[list[Check]], str]) -> None:
    """Readers differ in which of the two they take."""
    path = bundle / "bundle.json"
    path.write_text(path.read_text(encoding="utf-8").replace("{\n", '{\n "version": "0.0.1",\n', 1), encoding="utf-8")
    assert "bundle.json: the bytes are not the form" in told(verify_folder(bundle))


def test_a_folder_that_is_no_bundle_is_refused(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(UnreadableInput, match="bundle"):
            verify_folder(folder)


def test_names_that_no_terminal_can_write_are_told(bundle: Path, told: Callable[[list[Check]], str]) -> None:
    (bundle / "bad\udcff\n\x1b[2Jname").write_text("x")
    text = told(verify_folder(bundle))
    assert "bad\\udcff" in text
    assert "\x1b" not in text


def test_a_pipe_is_not_waited_for(bundle: Path, told: Callable[[list[Check]], str]) -> None:
    import os

    (bundle / "README.md").unlink()
    os.mkfifo(bundle / "README.md")
    assert "    README.md: it is no plain file" in told(verify_folder(bundle))

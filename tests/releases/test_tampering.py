"""Whatever is changed in a released bundle, every file that was changed is named."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cellwright.authoring.releases.verifying import verify_folder
from cellwright.records.releases.verification import Check
from tests.releases.conftest import Known
from tests.releases.tampering import KINDS, MANIFEST, plain_files, tamper

# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")
SEEDS = 200
SHARE = [at + len(KINDS) * (at % 2) for at in range(len(KINDS))]
"""Each kind once, every other one with bundle.json made to fit."""
Told = Callable[[list[Check]], str]


def test_a_bundle_that_nobody_touched_is_verified(bundle: Path, known: Known, told: Told) -> None:
    text = told(known.checks(bundle))
    assert "it: verified\n" in text
    assert "✗" not in text


def test_modes_times_and_empty_folders_are_no_tampering(bundle: Path, known: Known, told: Told) -> None:
    for at, path in enumerate(plain_files(bundle)):
        path.chmod(0o400 if at % 2 else 0o777)
        os.utime(path, (at, at))
    (bundle / "empty").mkdir()
    assert "it: verified\n" in told(known.checks(bundle))


def assert_all_named(seed: int, bundle: Path, known: Known, told: Told) -> None:
    done = tamper(bundle, seed)
    text = told(known.checks(bundle))
    assert "it: not verified" in text, done
    files = {line.strip().partition(": ")[0] for line in text.splitlines() if line.startswith("    ")}
    assert set(done.names) <= files, (done, text)
    if done.rehashed:
        # Behind a link lie the same bytes, so that bundle.json needed no change.
        assert MANIFEST in files or done.kind == "a link", (done, text)
    elif MANIFEST not in done.names:
        alone = told(verify_folder(bundle))
        assert all(f"    {name}: " in alone for name in done.names), (done, alone)


@pytest.mark.parametrize("seed", SHARE)
def test_every_file_that_was_tampered_with_is_named(seed: int, bundle: Path, known: Known, told: Told) -> None:
    assert_all_named(seed, bundle, known, told)


@pytest.mark.slow
@pytest.mark.parametrize("seed", sorted(set(range(SEEDS)) - set(SHARE)))
def test_all_200_tamperings_are_named(seed: int, bundle: Path, known: Known, told: Told) -> None:
    assert_all_named(seed, bundle, known, told)


def test_without_a_tag_what_cannot_be_known_is_said(bundle: Path, told: Told) -> None:
    text = told(verify_folder(bundle))
    assert "it: verified; not checked: manifest, released\n" in text
    assert "bundle.json: no tag was named: whoever changed every file and wrote bundle.json anew is not found" in text

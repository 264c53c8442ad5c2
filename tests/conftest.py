"""Fixtures that every test may use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
STRICT = os.environ.get("CELLWRIGHT_STRICT", "") == "1"
"""Set by the gate: a missing part is then a failure, never a skip."""

settings.register_profile("cellwright", deadline=None, max_examples=100)
settings.register_profile("cellwright-ci", parent=settings.get_profile("cellwright"), derandomize=True)
# A busy machine makes any deadline fail; where CI=true the same examples are drawn every time.
settings.load_profile("cellwright-ci" if os.environ.get("CI", "").casefold() == "true" else "cellwright")


def missing(reason: str) -> None:
    """Skip, saying why; where every part must be there, fail."""
    if STRICT:
        pytest.fail(f"{reason} (CELLWRIGHT_STRICT=1 turns this skip into a failure)")
    pytest.skip(reason)


@pytest.fixture(scope="session", autouse=True)
def _state_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is kept for the user lies in a folder of the tests', here and in every command that they run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real documents beside the project; skips where it is absent."""
    folder = Path(os.environ.get("CELLWRIGHT_SHARED", ROOT.parent / "shared")) / "data"
    if not folder.is_dir():
        missing(f"no real documents at {folder}: put them there or name the folder in CELLWRIGHT_SHARED")
    return folder

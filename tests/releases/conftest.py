"""One release for all tests of a run, and copies of it to spoil."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.console import Console

from cellwright.authoring.releases.verifying import verify_folder
from cellwright.authoring.releases.verifying_evidence import kept_bundle
from cellwright.authoring.releases.verifying_files import Kept
from cellwright.clients.clone import clone_tag, temporary_folder
from cellwright.records.releases.tag_trailers import Stated, stated_by
from cellwright.records.releases.verification import Check, Verification
from cellwright.views.terminal import print_verification
from tests.cli.conftest import _once
from tests.releases.made_release import TAG, VERSION, Release, make_release


@pytest.fixture(scope="session")
def released(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Release:
    """A repository with one release; not to be changed."""

    def make(folder: Path) -> None:
        fresh = folder.with_name("released-half-made")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        make_release(root, fresh)
        fresh.rename(folder)

    folder = _once(tmp_path_factory, "made-release", make)
    return Release(folder / "repository", folder / "remote")


@dataclass(frozen=True)
class Known:
    """What is known of the release from its tag."""

    stated: Stated
    kept: Mapping[str, Kept]

    def checks(self, bundle: Path) -> list[Check]:
        """Every check of a folder that is said to be the release's bundle."""
        return verify_folder(bundle, stated=self.stated, version=VERSION, kept=self.kept)


@pytest.fixture(scope="session")
def known(released: Release) -> Known:
    """The release's trailers, and its files as DVC keeps them."""
    with temporary_folder() as folder:
        clone = clone_tag(str(released.root), TAG, folder)
        kept = kept_bundle(clone, folder, released.root)
    assert not isinstance(kept, str), kept
    return Known(stated_by(clone.message, TAG), kept)


@pytest.fixture
def bundle(released: Release, tmp_path: Path) -> Path:
    """The release's bundle, to be spoilt."""
    return shutil.copytree(released.bundle, tmp_path / "bundle")


@pytest.fixture
def release(released: Release, tmp_path: Path) -> Release:
    """The release's repository and remote, to be spoilt."""
    root = shutil.copytree(released.root, tmp_path / "repository", symlinks=True)
    remote = shutil.copytree(released.remote, tmp_path / "remote")
    return Release(root, remote)


@pytest.fixture(scope="session")
def told() -> Callable[[list[Check]], str]:
    """What a person reads of checks."""

    def text(checks: list[Check]) -> str:
        out = io.StringIO()
        console = Console(file=out, width=120, color_system=None, markup=False, emoji=False, highlight=False)
        print_verification(console, Verification(tool="", subject="it", revision="", checks=tuple(checks)))
        return out.getvalue()

    return text

"""What a remote or a commit gives is read by its hashes and plain names: what is wrong with it is named or refused."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest

from cellwright.authoring.releases.verifying_releases import verify_release
from cellwright.harness.rescoring import score_faults
from cellwright.records.errors import UnreadableInput, WorldFailed
from tests.cli.workshop import TASK, edit
from tests.releases.made_release import TAG, Release
from tests.releases.verified import failed, state, verified

# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")
SLOW = pytest.mark.slow


# -- a remote that somebody changed


@pytest.mark.parametrize(
    "path", ["facts.parquet", *(pytest.param(path, marks=SLOW) for path in ("bundle.json", f"prompts/{TASK}.md"))]
)
def test_a_changed_file_of_the_remote_is_named(path: str, release: Release) -> None:
    held = release.object(path)
    held.chmod(0o644)
    held.write_bytes(held.read_bytes()[:-1] + b"?")
    found = verified(release)
    wrong = failed(found)
    assert f"build/bundle/{path}: what the remote has is not what was released" in wrong["pulled"]
    assert f"{path}: " in wrong["released"]
    assert state(found, "rebuilt") != "met"


def test_a_changed_capture_is_named(release: Release) -> None:
    capture = next((release.root / "sources" / "captures" / TASK).glob("*.warc.gz")).name
    held = release.object(capture)
    held.chmod(0o644)
    data = bytearray(held.read_bytes())
    data[len(data) // 2] ^= 1
    held.write_bytes(data)
    wrong = failed(verified(release))
    assert f"sources/captures/{TASK}/{capture}: what the remote has is not what was released" in wrong["pulled"]
    assert f"sources/captures/{TASK}/{capture}: the WARC" in wrong["captures"]


def test_a_file_that_only_this_machine_still_has_is_missing(release: Release) -> None:
    release.object("cells.parquet").unlink()
    wrong = failed(verified(release))
    assert wrong["pulled"] == "build/bundle/cells.parquet: the remote does not have it"
    assert "cells.parquet: the file is missing" in wrong["released"]


@SLOW
def test_a_changed_list_of_files_is_told(release: Release) -> None:
    for listing in release.remote.rglob("*.dir"):
        if "facts.parquet" in listing.read_text():
            listing.chmod(0o644)
            listing.write_text(listing.read_text().replace("facts.parquet", "facts.parquat"))
    wrong = failed(verified(release))
    assert wrong["pulled"].startswith("build/bundle: what the remote has is not what was released")
    assert "bundle.json: the file is missing" in wrong["manifest"]


@pytest.mark.parametrize(
    "path",
    ["../../../out.txt", *(pytest.param(path, marks=SLOW) for path in ("/out.txt", "a/../../out.txt", "a\\..\\x"))],
)
def test_a_list_of_files_that_leads_out_is_refused(path: str, release: Release) -> None:
    lock = release.root / "dvc.lock"
    listing = next(item for item in release.remote.rglob("*.dir") if "facts.parquet" in item.read_text())
    said = json.loads(listing.read_text())
    said[0]["relpath"] = path
    _replace_listing(release, listing, json.dumps(said, sort_keys=True).encode(), lock)
    wrong = failed(verified(release))
    assert "is none of plain names" in wrong["pulled"]


def _replace_listing(release: Release, listing: Path, data: bytes, lock: Path) -> None:
    """A list of files that the commit itself names."""
    md5 = hashlib.md5(data, usedforsecurity=False).hexdigest()
    target = listing.parents[1] / md5[:2] / f"{md5[2:]}.dir"
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(data)
    edit(lock, f"{listing.parent.name}{listing.name}", f"{md5}.dir")
    release.git("commit", "-q", "-am", "lock")
    release.tag()


def test_a_remote_that_is_gone_is_the_world_s_failure(release: Release) -> None:
    shutil.rmtree(release.remote)
    with pytest.raises(WorldFailed, match="nothing came from DVC's remote"):
        verified(release)


# -- what cannot be verified at all


def test_what_is_not_there_is_told(released: Release, tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match=r"the repository has no tag v9\.0\.0"):
        verify_release(str(released.root), "v9.0.0", score_faults)
    with pytest.raises(UnreadableInput, match="this is no version"):
        verify_release(str(released.root), "main", score_faults)
    for address in ("--upload-pack=touch x", "ext::sh -c touch% x", "nowhere", ""):
        with pytest.raises(UnreadableInput, match="repository"):
            verify_release(address, TAG, score_faults)
    assert not os.path.exists("x")


def test_a_commit_that_is_no_release_is_told(release: Release) -> None:
    (release.root / "dvc.lock").unlink()
    release.git("commit", "-q", "-am", "no lock")
    release.tag()
    with pytest.raises(UnreadableInput, match="the tag is no release"):
        verified(release)


def test_a_file_of_git_in_the_place_of_one_that_dvc_keeps_is_told(release: Release) -> None:
    capture = next((release.root / "sources" / "captures" / TASK).glob("*.warc.gz"))
    release.git("add", "-f", str(capture))
    release.git("commit", "-q", "-m", "a capture in git")
    release.tag()
    with pytest.raises(UnreadableInput, match="something else lies where"):
        verified(release)


@pytest.mark.parametrize(
    "pointer",
    [
        f"outs:\n- md5: {'0' * 32}.dir\n  hash: md5\n  path: ../../../elsewhere\n",
        f"wdir: ../..\nouts:\n- md5: {'0' * 32}.dir\n  hash: md5\n  path: {TASK}\n",
        f"outs:\n- md5: ../../x\n  hash: md5\n  path: {TASK}\n",
        f"deps:\n- path: x\n  repo: {{url: 'ext::x'}}\nouts:\n- md5: {'0' * 32}.dir\n  hash: md5\n  path: {TASK}\n",
        "outs: !!python/object:os.system x\n",
    ],
)
def test_a_pointer_of_another_form_is_refused(pointer: str, release: Release) -> None:
    (release.root / "sources" / "captures" / f"{TASK}.dvc").write_text(pointer)
    release.git("commit", "-q", "-am", "pointer")
    release.tag()
    with pytest.raises(UnreadableInput, match=f"sources/captures/{TASK}.dvc"):
        verified(release)

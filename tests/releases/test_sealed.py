"""A sealed bundle's archive is checked apart: its bytes by their hash, its plaintext only with the key."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from cellwright.authoring.bundles.bundle import published_json
from cellwright.authoring.releases.rebuilding import compared
from cellwright.authoring.releases.verifying import verify_folder
from cellwright.authoring.releases.verifying_files import Folder, read_folder
from cellwright.clients.seal_key import SealKey, make_key_file, read_key_file
from cellwright.clients.sealed_bundle import sealed as seal_files
from cellwright.records.releases.verification import Check

pytestmark = pytest.mark.filterwarnings("ignore")
PLAIN = b"the archive, opened"
ARCHIVE = "sealed.tar.age"


@pytest.fixture
def sealed(bundle: Path) -> Path:
    """A bundle that looks sealed; the archive is no real one, since opening is handed in."""
    for path in sorted(bundle.rglob("*")):
        if path.is_file() and path.name not in ("bundle.json", "README.md", "CHANGELOG.md"):
            path.unlink()
    said = json.loads((bundle / "bundle.json").read_bytes())
    (bundle / ARCHIVE).write_bytes(b"not to be read")
    said["sealed"] = True
    said["files"] = {name: said["files"][name] for name in ("README.md", "CHANGELOG.md")}
    digest = hashlib.sha256(bytes.fromhex("00ff") + PLAIN).hexdigest()
    archive = hashlib.sha256(b"not to be read").hexdigest()
    said["seal"] = {"file": ARCHIVE, "sha256": archive, "salt": "00ff", "digest": digest}
    (bundle / "bundle.json").write_bytes(published_json(said))
    return bundle


def the(checks: list[Check], name: str) -> tuple[str, str]:
    check = next(check for check in checks if check.name == name)
    return check.state, " ".join(remark.sentence() for remark in check.remarks)


def test_without_the_key_the_archive_is_held_against_its_hash_and_the_rest_is_told(sealed: Path) -> None:
    checks = verify_folder(sealed)
    assert the(checks, "files")[0] == "met"
    assert the(checks, "sealed")[0] == "not checked"
    assert "without the key, what is in it was not looked at" in the(checks, "sealed")[1]
    assert [the(checks, name)[0] for name in ("tables", "digests", "made again", "read")] == ["not checked"] * 4


def test_an_archive_that_was_changed_is_named(sealed: Path) -> None:
    (sealed / ARCHIVE).write_bytes(b"not to be reed")
    assert the(verify_folder(sealed), "sealed")[1].startswith(f"{ARCHIVE}: the bytes are not those")


def test_an_archive_that_is_gone_is_named(sealed: Path) -> None:
    (sealed / ARCHIVE).unlink()
    assert the(verify_folder(sealed), "sealed") == ("failed", f"{ARCHIVE}: the file is missing")


def really_sealed(sealed: Path, key: SealKey, files: dict[str, bytes]) -> None:
    """A real archive in the place of the one that is none."""
    archive, seal = seal_files(files, key)
    said = json.loads((sealed / "bundle.json").read_bytes())
    (sealed / ARCHIVE).write_bytes(archive)
    (sealed / "bundle.json").write_bytes(published_json({**said, "seal": seal}))


def a_key(folder: Path, name: str) -> SealKey:
    make_key_file(folder / name)
    return read_key_file(folder / name, "the test")


def test_with_the_key_what_is_in_the_archive_is_checked_as_a_bundle(sealed: Path, tmp_path: Path) -> None:
    key = a_key(tmp_path, "key")
    really_sealed(sealed, key, {"bundle.json": b"{}"})
    assert the(verify_folder(sealed, key=key), "sealed")[0] == "failed"


def test_another_key_opens_nothing(sealed: Path, tmp_path: Path) -> None:
    really_sealed(sealed, a_key(tmp_path, "key"), {"bundle.json": b"{}"})
    state, said = the(verify_folder(sealed, key=a_key(tmp_path, "other")), "sealed")
    assert state == "failed"
    assert "the archive cannot be opened" in said


def test_a_plaintext_that_is_not_the_one_sealed_is_named(sealed: Path, tmp_path: Path) -> None:
    key = a_key(tmp_path, "key")
    really_sealed(sealed, key, {"bundle.json": b"{}"})
    said = json.loads((sealed / "bundle.json").read_bytes())
    said["seal"]["digest"] = "1" * 64
    (sealed / "bundle.json").write_bytes(published_json(said))
    assert "its plaintext is not the one that was sealed" in the(verify_folder(sealed, key=key), "sealed")[1]


def test_two_archives_of_one_plaintext_are_the_same_release(sealed: Path) -> None:
    """Sealing draws a new key each time: nothing but the archive and its hash may differ."""
    one = read_folder(sealed)
    said = json.loads(one.files["bundle.json"])
    said["seal"]["sha256"] = "1" * 64
    again = {**one.files, ARCHIVE: b"sealed anew", "bundle.json": published_json(said)}
    assert compared(one, Folder(again, {}), {}).state == "met"
    said["seal"]["digest"] = "1" * 64
    other = {**again, "bundle.json": published_json(said)}
    assert compared(one, Folder(other, {}), {}).state == "failed"

"""A sealed bundle is read as an unsealed one by who has the key, and by nobody else; what was changed is told."""

from __future__ import annotations

import hashlib
import json
import traceback
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyrage import encrypt, x25519

from cellwright.authoring.bundles.sealing import sealed_files
from cellwright.clients.bundle_reader import Bundle, open_bundle
from cellwright.clients.seal_key import KEY, KEY_FILE, SealKey
from cellwright.clients.sealed_bundle import bundle_file, opened, plaintext_of, sealed
from cellwright.harness.prompt import prompt_of
from cellwright.records.bundle import Rows, table_digest
from cellwright.records.errors import UnreadableInput
from cellwright.records.plain_archive import archive_of, files_of
from cellwright.records.sealing import ARCHIVE, keyed_cells, plaintext_digest

IDENTITY = x25519.Identity.generate()
MINE = SealKey((str(IDENTITY),))
OTHER = SealKey((str(x25519.Identity.generate()),))
FILES = st.dictionaries(
    st.from_regex(r"[a-z]{1,20}(/[a-z]{1,20})?", fullmatch=True), st.binary(max_size=5_000), max_size=5
)


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key in the environment."""
    monkeypatch.delenv(KEY, raising=False)
    monkeypatch.delenv(KEY_FILE, raising=False)


@pytest.fixture
def plain(write: Callable[..., Path], small: SimpleNamespace) -> Path:
    """The small bundle unsealed, with keyed digests as a sealed one has them."""
    return write(keyed_cells(small.tables(), MINE.secret))


@pytest.fixture
def sealed_bundle(plain: Path, tmp_path: Path, small: SimpleNamespace) -> Path:
    """The small bundle sealed."""
    files = contents(plain)
    made, _ = sealed_files(files, json.loads(files["bundle.json"]), keyed_cells(small.tables(), MINE.secret), MINE)
    return put(tmp_path / "sealed", made)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def put(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def say(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change what the open bundle.json says."""
    said = json.loads((folder / "bundle.json").read_text(encoding="utf-8"))
    change(said)
    (folder / "bundle.json").write_text(json.dumps(said), encoding="utf-8")


def forge(folder: Path, plaintext: bytes) -> None:
    """Put another archive in the place of the sealed one, with all its sums: whoever has the public part can."""
    archive = encrypt(plaintext, [IDENTITY.to_public()])
    (folder / ARCHIVE).write_bytes(archive)
    salt = "00" * 32
    seal = {
        "file": ARCHIVE,
        "sha256": hashlib.sha256(archive).hexdigest(),
        "salt": salt,
        "digest": plaintext_digest(plaintext, salt),
    }
    say(folder, lambda said: said.update(seal=seal))


def refused(folder: Path, key: SealKey | None = MINE) -> str:
    """The one sentence with which the bundle is refused; it holds no part of the key, nor does its traceback."""
    with pytest.raises(UnreadableInput) as error:
        open_bundle(folder, key)
    assert len(error.value.problems) == 1
    told = "".join(traceback.format_exception(error.value))
    assert not any(text[16:30] in told for text in (*MINE.identities, *OTHER.identities))
    return str(error.value)


def same(one: Bundle, other: Bundle) -> bool:
    keys = ("name", "version", "cells_digest", "tables", "demonstration", "advisories", "canary")
    return all(getattr(one, key) == getattr(other, key) for key in keys)


# -- who has the key


def test_with_its_key_a_sealed_bundle_reads_as_the_unsealed_one(plain: Path, sealed_bundle: Path) -> None:
    unsealed, found = open_bundle(plain), open_bundle(sealed_bundle, MINE)
    assert same(found, unsealed)
    assert (found.sealed, unsealed.sealed) == (True, False)
    assert prompt_of(found, found.tasks[0]) == prompt_of(unsealed, found.tasks[0])


def test_the_key_may_come_from_the_environment(
    plain: Path, sealed_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, MINE.identities[0])
    assert same(open_bundle(sealed_bundle), open_bundle(plain))
    monkeypatch.delenv(KEY)
    (tmp_path / "a.key").write_text(MINE.identities[0], encoding="utf-8")
    monkeypatch.setenv(KEY_FILE, str(tmp_path / "a.key"))
    assert same(open_bundle(sealed_bundle), open_bundle(plain))


def test_a_key_that_was_changed_still_opens_what_it_sealed_when_it_stands_below_the_new_one(
    sealed_bundle: Path,
) -> None:
    both = SealKey((*OTHER.identities, *MINE.identities))
    assert open_bundle(sealed_bundle, both).sealed


def test_any_file_of_a_bundle_is_read_from_its_archive(plain: Path, sealed_bundle: Path) -> None:
    assert bundle_file(sealed_bundle, "cells.parquet", MINE) == bundle_file(plain, "cells.parquet")
    with pytest.raises(UnreadableInput, match=r"the bundle has no `x\.html`"):
        bundle_file(sealed_bundle, "x.html", MINE)


def test_opening_writes_nothing(sealed_bundle: Path, tmp_path: Path) -> None:
    before = contents(tmp_path)
    open_bundle(sealed_bundle, MINE)
    assert contents(tmp_path) == before


@given(FILES)
def test_what_is_sealed_is_opened_again(files: dict[str, bytes]) -> None:
    archive, seal = sealed(files, MINE)
    assert opened(archive, MINE) == files
    assert seal["digest"] == plaintext_digest(plaintext_of(archive, MINE), seal["salt"])
    assert seal["sha256"] == hashlib.sha256(archive).hexdigest()


def test_sealed_twice_only_the_encryption_differs(plain: Path, small: SimpleNamespace) -> None:
    files, tables = contents(plain), keyed_cells(small.tables(), MINE.secret)
    one, other = (sealed_files(files, json.loads(files["bundle.json"]), tables, MINE)[0] for _ in range(2))
    assert {name for name in one if one[name] != other[name]} == {ARCHIVE, "bundle.json"}
    said = [json.loads(each["bundle.json"]) for each in (one, other)]
    assert said[0]["seal"].pop("sha256") != said[1]["seal"].pop("sha256")
    assert said[0] == said[1]
    assert plaintext_of(one[ARCHIVE], MINE) == plaintext_of(other[ARCHIVE], MINE)


# -- who has not


def test_without_a_key_it_is_told_how_one_is_given(sealed_bundle: Path) -> None:
    told = refused(sealed_bundle, None)
    assert told.startswith("bundle.json (`sealed`): the bundle is sealed: its references are encrypted; to open it, ")
    assert all(word in told for word in ("--key-file FILE", KEY_FILE, KEY, "asks its publisher"))


def test_another_key_does_not_open_it(sealed_bundle: Path) -> None:
    assert refused(sealed_bundle, OTHER) == (
        f"{ARCHIVE}: the key does not open the archive; give the key that this bundle was sealed with"
    )


def test_nothing_sealed_stands_in_the_open_files_nor_in_the_clear(sealed_bundle: Path, tables: dict[str, Rows]) -> None:
    shown = b"".join(contents(sealed_bundle).values())
    for row in tables["facts"]:
        if len(row["as_written"]) > 5:
            assert row["as_written"].encode() not in shown
    assert b"not_disclosed" not in shown
    assert b"near_miss" not in shown


# -- what was changed


@pytest.mark.parametrize(
    "name",
    ["CHANGELOG.md", "README.md", "dimensions.parquet", "entities.parquet", "prompts/ev-makers-2023.md", ARCHIVE],
)
def test_a_byte_changed_in_any_file_is_told(name: str, sealed_bundle: Path) -> None:
    data = bytearray((sealed_bundle / name).read_bytes())
    data[len(data) // 2] ^= 1
    (sealed_bundle / name).write_bytes(data)
    assert refused(sealed_bundle).startswith(f"{name}: the file is not the one that was released")


@pytest.mark.parametrize("name", ["README.md", ARCHIVE])
def test_a_file_that_is_gone_is_told(name: str, sealed_bundle: Path) -> None:
    (sealed_bundle / name).unlink()
    assert refused(sealed_bundle).startswith(f"{name}: the file is missing")


def swapped(said: dict[str, Any], key: str, value: object) -> None:
    said[key] = value


MANIFESTS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "no seal": (lambda said: said.pop("seal"), "the bundle is sealed and does not say how"),
    "a seal that is a list": (lambda said: swapped(said, "seal", []), "the bundle is sealed and does not say how"),
    "another file": (lambda said: swapped(said["seal"], "file", "../x"), "the seal cannot be read"),
    "a salt that is no hex": (lambda said: swapped(said["seal"], "salt", "z" * 64), "the seal cannot be read"),
    "another salt": (lambda said: swapped(said["seal"], "salt", "0" * 64), "what the archive holds is not what was"),
    "another digest": (
        lambda said: swapped(said["seal"], "digest", "0" * 64),
        "what the archive holds is not what was",
    ),
    "another sum": (
        lambda said: swapped(said["seal"], "sha256", "0" * 64),
        "the file is not the one that was released",
    ),
    "another version": (
        lambda said: swapped(said, "version", "9.9.9"),
        "the open `bundle.json` contradicts the sealed",
    ),
    "another canary": (lambda said: swapped(said, "canary", "x"), "the open `bundle.json` contradicts the sealed"),
    "an advisory more": (lambda said: said["advisories"].append("x"), "the open `bundle.json` contradicts the sealed"),
    "other cells": (lambda said: swapped(said["cells"], "digest", "0" * 64), "the open `bundle.json` contradicts"),
    "another corpus": (lambda said: swapped(said["corpus"], "digest", "1" * 64), "the open `bundle.json` contradicts"),
    "a prompt less": (
        lambda said: said["files"].pop("prompts/ev-makers-2023.md"),
        "the open prompts are not the sealed",
    ),
    "another table": (
        lambda said: swapped(said["tables"], "entities", "0" * 64),
        "the open table `entities` is not the",
    ),
    "no table": (lambda said: said["tables"].pop("dimensions"), "the open table `dimensions` is not the sealed one"),
    "unsealed": (lambda said: swapped(said, "sealed", False), "the table `tasks` is not in the bundle"),
}


@pytest.mark.parametrize("name", sorted(MANIFESTS))
def test_a_manifest_that_says_something_else_is_told(name: str, sealed_bundle: Path) -> None:
    change, told = MANIFESTS[name]
    say(sealed_bundle, change)
    assert told in refused(sealed_bundle)


def test_an_open_table_that_was_forged_with_its_sums_is_told(
    sealed_bundle: Path, plain: Path, small: SimpleNamespace
) -> None:
    """The whole table in the place of the open one: its answer types would be shown."""
    data = (plain / "dimensions.parquet").read_bytes()
    (sealed_bundle / "dimensions.parquet").write_bytes(data)
    say(sealed_bundle, lambda said: said["files"].update({"dimensions.parquet": hashlib.sha256(data).hexdigest()}))
    assert "the columns of the table `dimensions` are not those" in refused(sealed_bundle)
    digest = table_digest(small.tables()["dimensions"])
    say(sealed_bundle, lambda said: said["tables"].update(dimensions=digest))
    assert "the open table `dimensions` is not the sealed one" in refused(sealed_bundle)


def whole(plain: Path) -> dict[str, bytes]:
    return contents(plain)


ARCHIVES: dict[str, tuple[Callable[[dict[str, bytes]], bytes], str]] = {
    "cut short": (lambda files: archive_of(files)[:-3_000], "the archive is cut short"),
    "no archive": (lambda files: b"cells", "the archive is cut short"),
    "nothing in it": (lambda files: archive_of({}), "bundle.json: the file is not JSON"),
    "a path that leads out": (
        lambda files: archive_of(files).replace(b"bundle.json", b"../undl.jso", 1),
        "leads out of it",
    ),
    "a link": (lambda files: _typed(archive_of(files), b"2"), "the archive holds a symbolic link"),
    "a file too much": (
        lambda files: archive_of({**files, "more.txt": b""}),
        "the archive holds a file that nothing lists; seen 'more.txt'",
    ),
    "a file too few": (
        lambda files: archive_of({name: data for name, data in files.items() if name != "facts.parquet"}),
        "the archive lacks a file; seen 'facts.parquet'",
    ),
    "a file changed": (
        lambda files: archive_of({**files, "facts.parquet": b"PAR1"}),
        "a file in the archive is not the one that was",
    ),
    "sealed twice": (
        lambda files: archive_of({"bundle.json": b'{"schema": 1, "sealed": true}'}),
        "holds a sealed bundle in its turn",
    ),
    "a later schema": (lambda files: archive_of({"bundle.json": b'{"schema": 99}'}), "the bundle has schema 99"),
}


def _typed(archive: bytes, kind: bytes) -> bytes:
    return archive[:156] + kind + archive[157:]


@pytest.mark.parametrize("name", sorted(ARCHIVES))
def test_an_archive_that_means_harm_is_refused_though_its_sums_are_right(
    name: str, sealed_bundle: Path, plain: Path
) -> None:
    make, told = ARCHIVES[name]
    forge(sealed_bundle, make(whole(plain)))
    assert told in refused(sealed_bundle)


def test_the_same_archive_forged_without_a_change_is_read(sealed_bundle: Path, plain: Path) -> None:
    """The forger of the tests above is not at fault for what they tell."""
    forge(sealed_bundle, archive_of(whole(plain)))
    assert open_bundle(sealed_bundle, MINE).sealed


def test_an_archive_beyond_its_bounds_is_refused(
    sealed_bundle: Path, plain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cellwright.clients.sealed_bundle.MAX_FILE", 100)
    assert "the archive is too large" in refused(sealed_bundle)
    monkeypatch.setattr("cellwright.clients.sealed_bundle.MAX_ARCHIVE", 1_000)
    assert f"{ARCHIVE}: the file is too large" in refused(sealed_bundle)
    with pytest.raises(UnreadableInput, match="the bundle is too large to be sealed"):
        sealed(whole(plain), MINE)


@pytest.mark.parametrize("size", [0, 10, 30, 200, -1])
def test_ciphertext_that_is_damaged_is_told_whatever_its_sum_says(size: int, sealed_bundle: Path) -> None:
    archive = (sealed_bundle / ARCHIVE).read_bytes()[:size]
    (sealed_bundle / ARCHIVE).write_bytes(archive)
    say(sealed_bundle, lambda said: said["seal"].update(sha256=hashlib.sha256(archive).hexdigest()))
    assert "the archive is damaged or cut short" in refused(sealed_bundle) or size < 30
    assert "archive is" in refused(sealed_bundle)


def test_an_archive_with_a_passphrase_is_not_worked_on(sealed_bundle: Path) -> None:
    """A passphrase's work factor is the sender's to choose: such an archive could keep a machine busy for hours."""
    from pyrage import passphrase

    archive = passphrase.encrypt(b"x", "word")
    (sealed_bundle / ARCHIVE).write_bytes(archive)
    say(sealed_bundle, lambda said: said["seal"].update(sha256=hashlib.sha256(archive).hexdigest()))
    assert "archive" in refused(sealed_bundle)


def test_an_open_archive_is_the_plain_form_that_any_tar_program_reads(sealed_bundle: Path) -> None:
    plaintext = plaintext_of((sealed_bundle / ARCHIVE).read_bytes(), MINE)
    files = files_of(plaintext, most_files=100, most_bytes=10**7, name="a")
    assert archive_of(files) == plaintext
    assert "bundle.json" in files

"""Sealed bundles: the archive encrypted and opened in memory, and checked against what the open `bundle.json` says.

The encryption is age's (age-encryption.org/v1), by `pyrage`. What is in an archive may be anybody's: whoever knows
a key's public part can encrypt to it. So everything in it is held against its digests and bounds like any other file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cellwright.clients.bundle_manifest import MANIFEST, SHA256, is_sealed, parse_manifest, read_manifest, said_texts
from cellwright.clients.disk import read_bytes
from cellwright.clients.seal_key import WHERE, SealKey, find_key
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.plain_archive import archive_of, files_of
from cellwright.records.sealing import ARCHIVE, OPEN_KEYS, SEAL_KEYS, plaintext_digest, salt_for

MAX_FILE = 256_000_000
"""Bytes of a file of a bundle, in a sealed archive too; those of `bundle.json` are fewer."""
MAX_FILES = 100_000
MAX_ARCHIVE = 1_000_000_000
"""Bytes of a sealed archive, which is held in memory."""

_AGAIN = "fetch the bundle again"


@dataclass(frozen=True)
class Unsealed:
    """What a sealed archive holds: a whole bundle as it would lie on the disk."""

    manifest: Mapping[str, Any]
    files: Mapping[str, bytes] = field(repr=False)
    """Its files by path, each with the sha256 that its `bundle.json` says; `bundle.json` itself is not among them."""


def sealed(files: Mapping[str, bytes], key: SealKey) -> tuple[bytes, dict[str, str]]:
    """The files as an encrypted archive, and what `bundle.json` says of it as its `seal`.

    All of the seal but the `sha256` follows from the files and the key; the encryption draws by chance.
    """
    from pyrage import encrypt, x25519

    plaintext = archive_of(files)
    if len(plaintext) > MAX_ARCHIVE or len(files) > MAX_FILES:
        raise UnreadableInput(
            "the bundle is too large to be sealed",
            Place(ARCHIVE),
            seen=f"{len(files)} files, {len(plaintext)} bytes",
            expected=f"at most {MAX_FILES} files and {MAX_ARCHIVE} bytes",
        )
    salt = salt_for(key.secret, plaintext)
    archive = encrypt(plaintext, [x25519.Identity.from_str(key.identities[0]).to_public()])
    seal = {
        "file": ARCHIVE,
        "sha256": hashlib.sha256(archive).hexdigest(),
        "salt": salt,
        "digest": plaintext_digest(plaintext, salt),
    }
    return archive, seal


def plaintext_of(archive: bytes, key: SealKey) -> bytes:
    """The plain archive. Raises UnreadableInput for another key's, and for a damaged one."""
    from pyrage import DecryptError, decrypt, x25519

    if not archive.startswith(b"age-encryption.org/v1\n"):
        raise UnreadableInput("the archive is not in age's format", Place(ARCHIVE), fix=_AGAIN)
    try:
        return bytes(decrypt(archive, [x25519.Identity.from_str(text) for text in key.identities]))
    except DecryptError as error:
        if "No matching keys" in str(error):
            raise UnreadableInput(
                "the key does not open the archive", Place(ARCHIVE), fix="give the key that this bundle was sealed with"
            ) from None
        raise UnreadableInput("the archive is damaged or cut short", Place(ARCHIVE), fix=_AGAIN) from None


def opened(archive: bytes, key: SealKey) -> dict[str, bytes]:
    """The files of an encrypted archive by path, in memory alone. Raises UnreadableInput."""
    return _files(plaintext_of(archive, key))


def key_of_bundle(key: SealKey | None) -> SealKey:
    """`key`, else the one of the environment. Raises UnreadableInput that says how one is given."""
    found = key or find_key()
    if found is None:
        raise UnreadableInput(
            "the bundle is sealed: its references are encrypted",
            Place(MANIFEST, column="sealed"),
            fix=f"to open it, {WHERE}; who has no key asks its publisher to grade the submission",
        )
    return found


def unseal(folder: Path, manifest: Mapping[str, Any], key: SealKey | None) -> Unsealed:
    """What the sealed bundle in `folder` holds, whose open `bundle.json` says `manifest`; all of it is checked.

    Raises UnreadableInput: no key or a wrong one, an archive that is not the one that was released, one that holds
    other files than its own `bundle.json` lists, or one that the open files contradict.
    """
    seal = _seal(manifest)
    archive = read_bytes(folder / ARCHIVE, limit=MAX_ARCHIVE, name=ARCHIVE)
    _same(hashlib.sha256(archive).hexdigest(), seal["sha256"], "the file is not the one that was released")
    plaintext = plaintext_of(archive, key_of_bundle(key))
    del archive
    found = plaintext_digest(plaintext, seal["salt"])
    _same(found, seal["digest"], "what the archive holds is not what was sealed")
    files = _files(plaintext)
    inner = parse_manifest(files.pop(MANIFEST, b""))
    _check_members(files, inner)
    _check_open(manifest, inner)
    return Unsealed(inner, files)


def bundle_file(folder: Path, name: str, key: SealKey | None = None) -> bytes:
    """A file of the bundle in `folder`, from the archive where it is sealed. Raises UnreadableInput."""
    if not is_sealed(folder):
        return read_bytes(folder / name, limit=MAX_FILE, name=name)
    files = unseal(folder, read_manifest(folder), key).files
    if name not in files:
        raise UnreadableInput(f"the bundle has no `{name}`", Place(ARCHIVE))
    return files[name]


def _files(plaintext: bytes) -> dict[str, bytes]:
    return files_of(plaintext, most_files=MAX_FILES, most_bytes=MAX_FILE, name=ARCHIVE)


def _seal(manifest: Mapping[str, Any]) -> dict[str, str]:
    said = manifest.get("seal")
    if not isinstance(said, dict) or not all(isinstance(said.get(key), str) for key in SEAL_KEYS):
        raise UnreadableInput(
            "the bundle is sealed and does not say how", Place(MANIFEST, column="seal"), expected=", ".join(SEAL_KEYS)
        )
    if said["file"] != ARCHIVE or not all(SHA256.fullmatch(said[key]) for key in SEAL_KEYS[1:]):
        raise UnreadableInput(
            "the seal cannot be read",
            Place(MANIFEST, column="seal"),
            expected=f"the file `{ARCHIVE}` and three sums of 64 hex digits",
        )
    return said


def _same(found: str, expected: str, what: str) -> None:
    if found != expected:
        raise UnreadableInput(what, Place(ARCHIVE), seen=found, expected=expected, fix=_AGAIN)


def _check_members(files: Mapping[str, bytes], inner: Mapping[str, Any]) -> None:
    """The archive holds what its own `bundle.json` lists, no file more and none less."""
    if inner.get("sealed") is True:
        raise UnreadableInput("the archive holds a sealed bundle in its turn", Place(ARCHIVE))
    listed = said_texts(inner, "files")
    for name in sorted(files.keys() ^ listed.keys()):
        raise UnreadableInput(
            "the archive lacks a file" if name in listed else "the archive holds a file that nothing lists",
            Place(ARCHIVE),
            seen=name,
            expected="what its own `bundle.json` lists",
        )
    for name, data in files.items():
        if hashlib.sha256(data).hexdigest() != listed[name]:
            raise UnreadableInput("a file in the archive is not the one that was sealed", Place(ARCHIVE), seen=name)


def _check_open(manifest: Mapping[str, Any], inner: Mapping[str, Any]) -> None:
    """The open `bundle.json` and prompts say what the sealed ones say."""
    for key in OPEN_KEYS:
        if manifest.get(key) != inner.get(key):
            raise UnreadableInput(
                "the open `bundle.json` contradicts the sealed one", Place(MANIFEST, column=key), fix=_AGAIN
            )
    prompts = [
        {name: digest for name, digest in said_texts(said, "files").items() if name.startswith("prompts/")}
        for said in (manifest, inner)
    ]
    if prompts[0] != prompts[1]:
        raise UnreadableInput("the open prompts are not the sealed ones", Place(MANIFEST, column="files"), fix=_AGAIN)

"""The folder of a bundle held against `bundle.json`, the tag and what DVC keeps: every entry is looked at.

A folder may come from anywhere: links are never followed, sizes are checked before anything is read.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellwright.authoring.bundles.bundle import published_json
from cellwright.clients.bundle_manifest import MANIFEST, MAX_MANIFEST
from cellwright.clients.disk import read_bytes
from cellwright.clients.sealed_bundle import MAX_FILE, MAX_FILES
from cellwright.records.bundle import SCHEMA
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.releases.tag_trailers import Stated
from cellwright.records.releases.verification import Remark

MAX_DEPTH = 20
"""Folders within one another."""
MAX_ALL = 2_000_000_000
"""Bytes of all files together: they are read once, and looked at from several sides."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A file of the bundle as DVC keeps it."""

    md5: str
    size: int | None = None
    """Bytes, where it is told."""


@dataclass(frozen=True)
class Folder:
    """What lies in a bundle's folder: the bytes of each plain file, and of everything else what it is."""

    files: Mapping[str, bytes]
    others: Mapping[str, str]
    """Path → why it was not read: a link, a pipe, too large."""

    def wrong(self, name: str) -> str:
        """Why the file cannot be compared; empty where it can."""
        if name in self.files:
            return ""
        return self.others.get(name, "the file is missing")


def read_folder(folder: Path) -> Folder:
    """Everything in the folder. Raises UnreadableInput where it is no folder, or holds far too much."""
    if not folder.is_dir():
        raise UnreadableInput(
            "the bundle is not a folder" if folder.exists() else "the bundle is missing",
            Place(str(folder)),
            fix="name the folder that holds `bundle.json`",
        )
    files: dict[str, bytes] = {}
    others: dict[str, str] = {}
    room = MAX_ALL
    for count, (path, entry) in enumerate(_entries(folder, "", 0)):
        if count >= MAX_FILES:
            raise UnreadableInput(f"the folder holds more than {MAX_FILES} files", Place(str(folder)))
        name = _shown(path)
        if entry.is_symlink():
            others[name] = "it is a link, and a released file is none"
        elif not stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
            others[name] = "it is no plain file"
        else:
            try:
                limit = MAX_MANIFEST if name == MANIFEST else MAX_FILE
                files[name] = read_bytes(Path(entry.path), limit=min(limit, room))
                room -= len(files[name])
            except UnreadableInput as error:
                others[name] = error.problems[0].what
    return Folder(files, others)


def _entries(folder: Path | str, top: str, depth: int) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Every entry that is no folder, by its path; the names are those on the disk, in whatever case it compares."""
    if depth > MAX_DEPTH:
        raise UnreadableInput(f"the folder is more than {MAX_DEPTH} deep", Place(_shown(top)))
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _entries(entry.path, f"{top}{entry.name}/", depth + 1)
        else:
            yield f"{top}{entry.name}", entry


def _shown(name: str) -> str:
    """A file's name in characters that every output can write."""
    return name.encode("utf-8", "backslashreplace").decode()


def read_manifest(folder: Folder) -> tuple[dict[str, Any] | None, list[Remark]]:
    """What `bundle.json` says, None where it cannot be used, and what is wrong with its form."""
    data = folder.files.get(MANIFEST)
    if data is None:
        return None, [Remark(file=MANIFEST, what=folder.wrong(MANIFEST))]
    try:
        found = json.loads(data.decode("utf-8"), parse_constant=_refuse_constant)
        canonical = published_json(found)
    except (ValueError, RecursionError):
        return None, [Remark(file=MANIFEST, what="the file is not JSON")]
    if not isinstance(found, dict):
        return None, [Remark(file=MANIFEST, what="the file does not describe a bundle")]
    wrong = []
    if canonical != data:
        wrong.append(Remark(file=MANIFEST, what="the bytes are not the form in which `cellwright bundle` writes it"))
    schema = found.get("schema")
    if type(schema) is not int or not 1 <= schema <= SCHEMA:
        wrong.append(Remark(file=MANIFEST, what=f"its schema is {str(schema)[:40]}, and this reader knows {SCHEMA}"))
        return None, wrong
    objects = ("files", "tables", "counts", "cells", "corpus")
    odd = [name for name in objects if not isinstance(found.get(name), dict)]
    wrong += [Remark(file=MANIFEST, what=f"`{name}` is missing or no object") for name in odd]
    wrong += [Remark(file=MANIFEST, what=what) for what in _odd_parts(found)]
    return (None if odd else found), wrong


def _odd_parts(manifest: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the parts that follow from no table: the seal and the advisories."""
    if type(manifest.get("sealed")) is not bool:
        yield "`sealed` is neither true nor false"
    if (manifest.get("sealed") is True) != isinstance(manifest.get("seal"), dict):
        yield "`sealed` and `seal` do not fit together"
    advisories = manifest.get("advisories")
    if not isinstance(advisories, list) or not all(
        isinstance(row, dict) and all(isinstance(value, str) for value in row.values()) for row in advisories
    ):
        yield "`advisories` is no list of objects of text"


def sealed_archive(manifest: Mapping[str, Any]) -> str:
    """The name of the sealed archive; empty where nothing is sealed."""
    seal = manifest.get("seal")
    return str(seal.get("file", "")) if manifest.get("sealed") is True and isinstance(seal, dict) else ""


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


def against_tag(folder: Folder, manifest: Mapping[str, Any] | None, stated: Stated, version: str) -> Iterator[Remark]:
    """Where `bundle.json` is not the one that the tag of `version` names."""
    data = folder.files.get(MANIFEST)
    if data is not None and (found := hashlib.sha256(data).hexdigest()) != stated.bundle:
        yield Remark(
            file=MANIFEST, what=f"the file is not the one that the tag names; seen {found}, expected {stated.bundle}"
        )
    for key, seen, expected in (
        ("version", (manifest or {}).get("version"), version),
        ("tool", (manifest or {}).get("tool"), stated.tool),
        ("cells", _digest(manifest, "cells"), stated.cells),
        ("corpus", _digest(manifest, "corpus"), stated.corpus),
    ):
        if manifest is not None and seen != expected:
            yield Remark(file=MANIFEST, what=f"`{key}` is {str(seen)[:80]}, and the tag states {expected}")


def _digest(manifest: Mapping[str, Any] | None, key: str) -> object:
    return (manifest or {}).get(key, {}).get("digest")


def against_manifest(folder: Folder, listed: Mapping[str, Any], archive: str = "") -> Iterator[Remark]:
    """Files that are missing, are not those that `bundle.json` lists, or are not listed.

    `archive` is the sealed one, which is never listed and is checked apart.
    """
    for name, digest in sorted(listed.items()):
        if wrong := folder.wrong(name):
            yield Remark(file=_shown(name), what=wrong)
        elif (found := hashlib.sha256(folder.files[name]).hexdigest()) != digest:
            yield Remark(
                file=name, what=f"the bytes are not those that were released; seen {found}, expected {str(digest)[:80]}"
            )
    yield from _unlisted(folder, {*listed, MANIFEST, *([archive] if archive else [])}, "bundle.json does not list it")


def against_kept(folder: Folder, kept: Mapping[str, Kept]) -> Iterator[Remark]:
    """Files that are not those that DVC keeps for the tag."""
    for name, file in sorted(kept.items()):
        if wrong := folder.wrong(name):
            yield Remark(file=name, what=wrong)
            continue
        data = folder.files[name]
        found = hashlib.md5(data, usedforsecurity=False).hexdigest()
        if found != file.md5 or file.size not in (None, len(data)):
            yield Remark(
                file=name, what=f"the bytes are not those that DVC keeps; seen md5 {found}, expected {file.md5}"
            )
    yield from _unlisted(folder, set(kept), "DVC keeps no such file for the tag")


def _unlisted(folder: Folder, known: set[str], what: str) -> Iterator[Remark]:
    for name in sorted({*folder.files, *folder.others} - known):
        yield Remark(file=name, what=folder.others.get(name, f"the file does not belong here: {what}"))

"""`release verify`: a bundle's folder, and what a repository's tag gives, held against all that a release promises.

Every check is made, and everything wrong is told. What scores is handed in: the write side does not import the
harness.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cellwright.authoring.releases.verifying_files import (
    Folder,
    Kept,
    against_kept,
    against_manifest,
    against_tag,
    read_folder,
    read_manifest,
    sealed_archive,
)
from cellwright.authoring.releases.verifying_tables import digest_faults, made_again, read_tables
from cellwright.clients.bundle_reader import MANIFEST, open_bundle
from cellwright.clients.seal_key import SealKey
from cellwright.clients.sealed_bundle import MAX_FILE, MAX_FILES, plaintext_of
from cellwright.records.errors import CellwrightError, Place, UnreadableInput, clip
from cellwright.records.plain_archive import files_of
from cellwright.records.releases.tag_trailers import Stated
from cellwright.records.releases.verification import Check, Remark, judged, remarks_of, unchecked
from cellwright.records.sealing import plaintext_digest
from cellwright.views.finding_view import count_words

NO_TAG = (
    "no tag was named: whoever changed every file and wrote bundle.json anew is not found out; "
    "`--rev vX.Y.Z` with the repository (`--root`) compares it with what the tag states"
)
SEALED = "the bundle is sealed: the tables are in its archive"


def verify_folder(
    folder: Path,
    *,
    stated: Stated | None = None,
    version: str = "",
    kept: Mapping[str, Kept] | str = "no tag was named",
    key: SealKey | None = None,
) -> list[Check]:
    """Every check of a bundle's folder; with its `key` also of what a sealed one holds.

    `stated` is what the tag of `version` states, where it states anything; `kept` the files that DVC keeps for it,
    or why they are not known.
    Raises UnreadableInput where the folder is no bundle at all.
    """
    found = read_folder(folder)
    if MANIFEST not in found.files and MANIFEST not in found.others and not version:
        raise UnreadableInput(
            "the folder is no bundle",
            Place(str(folder)),
            expected=f"`{MANIFEST}` in it",
            fix="name the folder that `dvc get` or a download gave",
        )
    manifest, form = read_manifest(found)
    checks = [_manifest_check(found, manifest, form, stated, version)]
    if manifest is None:
        checks.append(unchecked("files", "bundle.json cannot be used, so that what it lists is not known"))
    else:
        archive = sealed_archive(manifest)
        wrong = against_manifest(found, manifest["files"], archive)
        checks.append(judged("files", wrong, f"{len(manifest['files'])} files"))
    if isinstance(kept, str):
        checks.append(unchecked("released", kept))
    else:
        checks.append(judged("released", against_kept(found, kept), f"{len(kept)} files"))
    if manifest is not None:
        checks += _content_checks(found, manifest, key)
    checks.append(_read_check(folder, manifest, key))
    return checks


def _manifest_check(
    folder: Folder, manifest: Mapping[str, Any] | None, form: list[Remark], stated: Stated | None, version: str
) -> Check:
    if stated is not None:
        return judged("manifest", [*form, *against_tag(folder, manifest, stated, version)])
    why = "the tag does not state which bundle.json is the release's" if version else NO_TAG
    return judged("manifest", form) if form else unchecked("manifest", why, MANIFEST)


def _content_checks(folder: Folder, manifest: Mapping[str, Any], key: SealKey | None) -> list[Check]:
    if manifest.get("sealed") is not True:
        return _table_checks(folder, manifest)
    check, plaintext = _sealed_check(folder, manifest, key)
    if key is None or plaintext is None:
        return [check] + [unchecked(name, SEALED) for name in ("tables", "digests", "made again")]
    name = sealed_archive(manifest)
    try:
        inner = Folder(files_of(plaintext, most_files=MAX_FILES, most_bytes=MAX_FILE, name=name), {})
    except UnreadableInput as error:
        return [judged("sealed", remarks_of(error))]
    said, form = read_manifest(inner)
    wrong = form if said is None else [*form, *against_manifest(inner, said["files"], "")]
    if said is None or wrong:
        return [judged("sealed", [Remark(file=name, what=f"in it: {item.file}: {item.what}") for item in wrong])]
    return [check, *_table_checks(inner, said, key.secret)]


def _table_checks(folder: Folder, manifest: Mapping[str, Any], secret: bytes = b"") -> list[Check]:
    tables = read_tables(folder, manifest)
    rows = sum(len(found) for found in tables.rows.values())
    return [
        judged("tables", tables.wrong, f"{len(tables.rows)} tables, {rows:,} rows"),
        judged("digests", digest_faults(manifest, tables, secret)),
        made_again(folder, manifest, tables, secret),
    ]


def _sealed_check(folder: Folder, manifest: Mapping[str, Any], key: SealKey | None) -> tuple[Check, bytes | None]:
    """The archive's bytes against `seal.sha256`, and its plaintext against `seal.digest` where it can be opened.

    Sealing draws a new key for each archive, so that its bytes are never compared with those of a rebuilt one.
    Gives the plaintext too, where it is the one that was sealed.
    """
    name, seal = sealed_archive(manifest), manifest.get("seal")
    data = folder.files.get(name)
    if data is None or not isinstance(seal, dict):
        return judged("sealed", [Remark(file=name or MANIFEST, what=folder.wrong(name) or "`seal` is missing")]), None
    if (found := hashlib.sha256(data).hexdigest()) != seal.get("sha256"):
        remark = Remark(file=name, what=f"the bytes are not those that were released; seen {found}")
        return judged("sealed", [remark]), None
    if key is None:
        why = "its bytes are those that bundle.json names; without the key, what is in it was not looked at"
        return unchecked("sealed", why, name), None
    try:
        plaintext = plaintext_of(data, key)
        same = plaintext_digest(plaintext, str(seal.get("salt"))) == seal.get("digest")
    except (ValueError, CellwrightError) as error:
        remark = Remark(file=name, what=f"the archive cannot be opened: {clip(str(error), 200)}")
        return judged("sealed", [remark]), None
    wrong = [] if same else [Remark(file=name, what="its plaintext is not the one that was sealed")]
    return judged("sealed", wrong), plaintext if same else None


def _read_check(folder: Path, manifest: Mapping[str, Any] | None, key: SealKey | None) -> Check:
    try:
        opened = open_bundle(folder, key)
    except UnreadableInput as error:
        if key is None and manifest is not None and manifest.get("sealed") is True:
            return unchecked("read", error.problems[0].sentence())
        return judged("read", remarks_of(error))
    counted = count_words(len(opened.tables["cells"]), "cell"), count_words(len(opened.tasks), "task")
    return judged("read", (), " in ".join(counted))

"""The bundle of a release, got from DVC by its tag and kept: what was got once is not fetched again."""

from __future__ import annotations

import hashlib
import secrets
import shutil
from pathlib import Path

from cellwright.clients import dvc
from cellwright.clients.disk import read_bytes
from cellwright.clients.release_tags import stated_by_tag
from cellwright.clients.repository import Repository
from cellwright.records.errors import DiskFailed, Place, UnreadableInput
from cellwright.records.releases.versions import Version

KEPT = (".cellwright", "releases")
OUTPUT = "build/bundle"
MANIFEST = "bundle.json"
MAX_MANIFEST = 16_000_000


def released_bundle(root: Path, version: Version) -> Path:
    """The folder of a release's bundle, in the repository's `.cellwright/releases/`; git does not see it.

    Its `bundle.json` is the one whose sha256 the tag says; that its other files are what `bundle.json` says is
    checked by whoever opens it. Raises UnreadableInput where there is no such release or what DVC gives is not
    what was tagged, WorldFailed where DVC does not give it.
    """
    wanted = stated_by_tag(root, version).bundle
    folder = Repository(root.resolve()).path(*KEPT, version.tag)  # Refuses a link that leads out of it.
    if _sha256(folder) == wanted:
        return folder
    fresh = folder.with_name(f".{folder.name}.tmp-{secrets.token_hex(8)}")
    try:
        fresh.parent.mkdir(parents=True, exist_ok=True)
        dvc.get(str(root), OUTPUT, version.tag, fresh)
        found = _sha256(fresh)
        if found != wanted:
            raise UnreadableInput(
                "the bundle that DVC gives is not the one that was released",
                Place(version.tag),
                seen=found or f"no {MANIFEST}",
                expected=wanted,
                fix="`cellwright release verify` tells what differs",
            )
        if folder.exists():
            shutil.rmtree(folder)
        fresh.rename(folder)
    except OSError as error:
        raise DiskFailed(
            "the bundle could not be kept", Place(str(folder)), seen=error.strerror or str(error)
        ) from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return folder


def _sha256(folder: Path) -> str:
    """Of the folder's `bundle.json`; nothing where it has none."""
    path = folder / MANIFEST
    if not path.is_file():
        return ""
    return hashlib.sha256(read_bytes(path, limit=MAX_MANIFEST, name=MANIFEST)).hexdigest()

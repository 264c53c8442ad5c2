"""A release's bundle built again from its tag, and compared: byte for byte, or where libraries differ by digests."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from cellwright import __version__
from cellwright.authoring.auditing import Progress
from cellwright.authoring.bundles.bundle import build_bundle
from cellwright.authoring.bundles.parquet import parquet_writer
from cellwright.authoring.releases.verifying_files import Folder, read_folder, read_manifest, sealed_archive
from cellwright.clients.bundle_reader import MANIFEST
from cellwright.clients.environments import pinned_environment
from cellwright.clients.repository import Repository
from cellwright.records.errors import NotSettled, UnreadableInput, WorldFailed, clip
from cellwright.records.releases.verification import Check, Remark, judged, remarks_of, unchecked

LOCK = "requirements.lock"
DECIDING = (
    "charset-normalizer", "ftfy", "jinja2", "lxml", "openpyxl", "pandera", "pdfplumber", "pint", "polars", "pyarrow",
    "pydantic", "pypdfium2", "pyyaml", "warcio",
)  # fmt: skip
"""The libraries that read documents, compute, or write what is published."""
DIGESTS = ("tables", "cells", "corpus", "counts")
"""What a bundle of other libraries has the same."""
WAIT = 3600
"""Seconds that a rebuild in an environment of its own may take."""
_PIN = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;\\]+)", re.MULTILINE)


def rebuilt(repository: Repository, bundle: Path, folder: Path, tool: str, progress: Progress | None = None) -> Check:
    """The bundle built from the tag's tree by this program and its libraries, compared with the released one.

    `tool` built the release, as its tag states. `folder` is where the bundle is built.
    """
    released = read_folder(bundle)
    try:
        build_bundle(repository, None, folder / "rebuilt", progress)
    except (UnreadableInput, NotSettled) as error:
        if sealed_archive(read_manifest(released)[0] or {}):
            return unchecked("rebuilt", f"the bundle is sealed, and without its key: {error.problems[0].sentence()}")
        return judged("rebuilt", remarks_of(error))
    again = read_folder(folder / "rebuilt")
    return compared(released, again, differing(repository, released, tool))


def rebuilt_pinned(repository: Repository, bundle: Path, folder: Path) -> Check:
    """The same in an environment made of the tag's own `requirements.lock`, by the program that it names.

    What the lock names is installed and run. Raises WorldFailed where it cannot be installed.
    """
    lock = repository.file(LOCK)
    if lock is None:
        return unchecked("rebuilt", "the tag has no pinned file, so that its libraries are not known", LOCK)
    path = _program(repository, lock)
    if path is None:
        return unchecked("rebuilt", "the tag's pinned file names no cellwright", LOCK)
    python = pinned_environment(lock, folder / "environment")
    environment = {
        **{name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ},
        "HOME": str(folder / "home"),
        "PYTHONPATH": path,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    out = folder / "rebuilt"
    command = [str(python), "-m", "cellwright", "bundle", "--root", str(repository.root), "--out", str(out)]
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=WAIT, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise WorldFailed("the pinned environment could not build the bundle", seen=clip(str(error), 200)) from None
    released = read_folder(bundle)
    if done.returncode:
        if sealed_archive(read_manifest(released)[0] or {}):
            return unchecked("rebuilt", "the bundle is sealed, and no key is given to the pinned libraries")
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {done.returncode}"]
        return judged("rebuilt", [Remark(file="", what=clip(line, 400)) for line in said[-5:]])
    return compared(released, read_folder(out), {})


def _program(repository: Repository, lock: bytes) -> str | None:
    """Where the pinned Python finds cellwright: the tag's own tree, its environment (empty), or nowhere (None)."""
    if (repository.path("cellwright") / "__init__.py").is_file():
        return str(repository.root)
    if "cellwright" in pins(lock):
        return ""
    return None


def compared(released: Folder, again: Folder, differing: Mapping[str, str]) -> Check:
    """The files of two bundles byte for byte; where libraries differ and bytes do, their digests.

    `differing` tells of each library that is another now how: `20.0.0 then, 21.0.0 here`.
    """
    one, other = read_manifest(released)[0], read_manifest(again)[0]
    if one is None or other is None:
        return unchecked("rebuilt", "the released bundle.json cannot be used", MANIFEST)
    left_out = {sealed_archive(one), sealed_archive(other)} - {""}
    names = sorted({*released.files, *released.others, *again.files} - left_out)
    same = [name for name in names if _same(name, released, again, one, other)]
    different = [name for name in names if name not in same]
    if one.get("sealed") is True and other.get("sealed") is not True:
        # A rebuild seals nothing: what stays open is compared, and the digests of what was sealed.
        different = [name for name in different if name in released.files and name != MANIFEST]
        return judged("rebuilt", _digest_faults(one, other) + _named(different), "open files and digests of the sealed")
    if not different:
        return judged("rebuilt", (), f"{len(names)} files, byte for byte")
    if not differing:
        return judged("rebuilt", _named(different))
    libraries = ", ".join(f"{name} {how}" for name, how in sorted(differing.items()))
    faults = _digest_faults(one, other)
    if faults:
        fix = f"libraries differ ({libraries}): `--pinned` rebuilds with the release's own"
        return judged("rebuilt", [*faults, Remark(file=LOCK, what=fix)])
    told = f"by the digests of tables, cells and corpus, since libraries differ ({libraries}); other bytes: "
    return judged("rebuilt", (), told + ", ".join(different))


def _same(name: str, released: Folder, again: Folder, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    if name == MANIFEST and one.get("sealed") is True and other.get("sealed") is True:
        return _unsealed(one) == _unsealed(other)
    return name in released.files and released.files[name] == again.files.get(name)


def _unsealed(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """bundle.json without the archive's own hash: every sealing draws a new key."""
    seal = manifest.get("seal")
    kept = {key: value for key, value in seal.items() if key != "sha256"} if isinstance(seal, dict) else seal
    return {**manifest, "seal": kept}


def _named(names: list[str]) -> list[Remark]:
    return [Remark(file=name, what="the tag's files and captures give other bytes") for name in names]


def _digest_faults(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[Remark]:
    faults = []
    for key in DIGESTS:
        before, after = one.get(key), other.get(key)
        if before != after:
            parts = sorted(
                name
                for name in {*(before if isinstance(before, dict) else ()), *(after if isinstance(after, dict) else ())}
                if not (isinstance(before, dict) and isinstance(after, dict) and before.get(name) == after.get(name))
            )
            faults.append(Remark(file=MANIFEST, what=f"the tag gives other {key}: {', '.join(parts)[:300]}"))
    return faults


def differing(repository: Repository, released: Folder, tool: str) -> dict[str, str]:
    """Which of what decides bytes is another here than when the release was cut, and how.

    Known from the tag's `requirements.lock`; where it has none, a table still names the library that wrote it.
    """
    found = {}
    if tool != f"cellwright {__version__}":
        found["cellwright"] = f"{tool.removeprefix('cellwright ')} then, {__version__} here"
    lock = repository.file(LOCK)
    known = pins(lock) if lock is not None else {}
    for name in DECIDING:
        here = installed(name)
        if name in known and here not in known[name]:
            found[name] = f"{' or '.join(sorted(known[name]))} then, {here or 'none'} here"
    if lock is None:
        then, here = parquet_writer(released.files.get("tasks.parquet", b"")), parquet_writer()
        if then and then != here:
            found["pyarrow"] = f"{then} then, {here} here"
    return found


def pins(lock: bytes) -> dict[str, set[str]]:
    """The versions that a lock file pins, by the library's name; one may have several for several systems."""
    found: dict[str, set[str]] = {}
    for name, number in _PIN.findall(lock.decode("utf-8", "replace")):
        found.setdefault(re.sub(r"[-_.]+", "-", name).lower(), set()).add(number)
    return found


def installed(name: str) -> str:
    """The version of a library that is installed here; empty where it is not."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""

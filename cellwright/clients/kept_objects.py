"""What DVC keeps for a commit, fetched into an empty folder and read by its hashes, without DVC's own checkout.

Only the remote's settings of the commit are used. The pointers are read here, and the files are put in place by
plain names only: neither a pointer nor a list of files of a stranger can name a place outside.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cellwright.clients.disk import read_bytes
from cellwright.clients.dvc import dvc_repository
from cellwright.records.errors import Place, UnreadableInput, WorldFailed
from cellwright.records.yaml_text import read_yaml

MAX_OBJECT = 256_000_000
"""Bytes of one object."""
MAX_FILES = 100_000
"""Files of one folder that DVC keeps."""
_OBJECT = re.compile(r"[0-9a-f]{32}(\.dir)?")
_PATH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")
POINTER = "fetched.dvc"


@dataclass(frozen=True)
class KeptFolder:
    """A folder that DVC keeps: by path the md5 of each file, and of each object what is wrong with it."""

    files: Mapping[str, str]
    wrong: Mapping[str, str] = field(default_factory=dict)
    """Path ("" for the list of the files itself) → what is wrong."""


def pointed_at(data: bytes, file: str, path: str) -> str:
    """The object that a pointer file names for its one output `path`. Raises UnreadableInput for any other form."""
    raw, _ = read_yaml(data, file)
    outs = raw.get("outs") if isinstance(raw, dict) else None
    plain = isinstance(raw, dict) and not raw.keys() & {"wdir", "deps", "cmd", "frozen"}
    return _object(outs if plain else None, file, path)


def locked_output(data: bytes, stage: str, path: str) -> str:
    """The object that `dvc.lock` names for the output `path` of `stage`. Raises UnreadableInput."""
    raw, _ = read_yaml(data, "dvc.lock")
    stages = raw.get("stages") if isinstance(raw, dict) else None
    found = stages.get(stage) if isinstance(stages, dict) else None
    return _object(found.get("outs") if isinstance(found, dict) else None, "dvc.lock", path)


def _object(outs: object, file: str, path: str) -> str:
    if isinstance(outs, list) and len(outs) == 1 and isinstance(outs[0], dict):
        out = outs[0]
        md5 = out.get("md5")
        plain = out.get("hash") == "md5" and out.get("path") == path and not out.keys() & {"cache", "remote", "files"}
        if plain and isinstance(md5, str) and _OBJECT.fullmatch(md5):
            return md5
    raise UnreadableInput(
        "it does not name what DVC keeps",
        Place(file),
        expected=f"one output `{path}` with its `md5` and `hash: md5`, as DVC 3 writes it",
    )


def fetch_objects(settings: bytes, objects: Sequence[str], folder: Path, source: Path | None) -> Path:
    """Fetches objects from the default remote that `.dvc/config` (its bytes) names; gives the cache they lie in.

    What the remote lacks is simply not there. A relative remote is meant from `source`, the repository's folder.
    Raises WorldFailed where DVC is not installed, no remote is set, or nothing comes from it.
    """
    root, cache = folder / "dvc", folder / "cache"
    (root / ".dvc").mkdir(parents=True)
    (root / ".dvc" / "config").write_bytes(settings)
    outs = [f"- md5: {name}\n  hash: md5\n  path: out{at}\n" for at, name in enumerate(dict.fromkeys(objects))]
    (root / POINTER).write_text("outs:\n" + "".join(outs), encoding="utf-8")
    lines = ["[core]", "no_scm = true", "analytics = false", f"site_cache_dir = {folder / 'site'}"]
    lines += ["[cache]", f"dir = {cache}", "type = copy", *_remote_of(settings, source)]
    (root / ".dvc" / "config.local").write_text("\n".join(lines) + "\n", encoding="utf-8")
    _be_quiet()
    failed = ""
    with _settings_of_nobody(folder), dvc_repository(root, "fetch from the remote") as repository:
        from dvc.exceptions import DownloadError

        try:
            repository.fetch(targets=[str(root / POINTER)])
        except DownloadError as error:
            failed = str(error)
        held = cache / "files" / "md5"
        for name in objects:
            # DVC leaves out the list of a folder where any file of it is missing; without it none could be named.
            if not _path(held, name).is_file():
                _fetch_one(repository.cloud.get_remote_odb(), name, _path(held, name))
    if not any(path.is_file() for path in held.rglob("*")):
        raise WorldFailed(
            "nothing came from DVC's remote",
            seen=failed or "it is empty, or not there",
            fix="look whether it can be reached, and with your credentials",
        )
    return held


def _fetch_one(remote: Any, name: str, target: Path) -> None:
    """One object as the remote has it; nothing where it has none."""
    place = remote.oid_to_path(name)
    if not remote.fs.exists(place):
        return
    with remote.fs.open(place, "rb") as handle:
        data = handle.read(MAX_OBJECT)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)


def _path(held: Path, name: str) -> Path:
    return held / name[:2] / name[2:]


def _be_quiet() -> None:
    """What DVC's parts say of each object that is missing is told here, by the file's name."""
    for name in ("dvc", "dvc_data", "dvc_objects"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _remote_of(settings: bytes, source: Path | None) -> list[str]:
    """The lines that give the default remote its whole path, where it is a relative one on this machine."""
    from configobj import ConfigObj, ConfigObjError  # type: ignore[import-untyped]

    try:
        found = ConfigObj(settings.decode("utf-8").splitlines(), interpolation=False, list_values=False)
    except (ConfigObjError, UnicodeDecodeError) as error:
        raise UnreadableInput("DVC's settings cannot be read", Place(".dvc/config"), seen=str(error)) from None
    core = found.get("core")
    name = core.get("remote") if isinstance(core, dict) else None
    remote = found.get(f"'remote \"{name}\"'") or found.get(f'remote "{name}"')
    url = remote.get("url") if isinstance(remote, dict) else None
    if source is None or not isinstance(url, str) or "://" in url or os.path.isabs(url):
        return []
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9_.-]{1,100}", name):
        raise UnreadableInput("the name of DVC's remote is no plain one", Place(".dvc/config"), seen=str(name))
    return [f"['remote \"{name}\"']", f"url = {os.path.normpath(source / '.dvc' / url)}"]


@contextmanager
def _settings_of_nobody(folder: Path) -> Iterator[None]:
    """DVC's settings of the user and the machine are read from an empty folder meanwhile."""
    empty = folder / "nobody"
    empty.mkdir()
    names = ("DVC_GLOBAL_CONFIG_DIR", "DVC_SYSTEM_CONFIG_DIR", "DVC_SITE_CACHE_DIR")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, str(empty)))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def kept_folder(cache: Path, name: str) -> KeptFolder:
    """The folder behind an object, every file of it read and held against its md5."""
    if not name.endswith(".dir"):
        return KeptFolder({}, {"": f"the object {name} is no folder"})
    data, wrong = _read(cache, name)
    if data is None:
        return KeptFolder({}, {"": f"{wrong} (object {name})"})
    try:
        entries = json.loads(data)
        files = {entry["relpath"]: entry["md5"] for entry in entries}
        plain = len(files) == len(entries) <= MAX_FILES and all(
            _PATH.fullmatch(path) and len(path) <= 240 and _OBJECT.fullmatch(md5) for path, md5 in files.items()
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        plain = False
    if not plain:
        return KeptFolder({}, {"": f"the list of its files (object {name}) is none of plain names"})
    faults = {path: _read(cache, md5)[1] for path, md5 in files.items()}
    return KeptFolder(files, {path: fault for path, fault in sorted(faults.items()) if fault})


def put_in_place(cache: Path, kept: KeptFolder, folder: Path) -> None:
    """The files of a kept folder as they came, right or wrong, into `folder`, which is made.

    Raises UnreadableInput where something of the tag's own lies in the place of one.
    """
    for path, md5 in kept.files.items():
        source, target = _path(cache, md5), folder / path
        if not source.is_file():
            continue
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as handle:
                handle.write(read_bytes(source, limit=MAX_OBJECT))
        except OSError as error:
            raise UnreadableInput(
                "something else lies where a file that DVC keeps belongs", Place(path), seen=error.strerror or ""
            ) from None


def _read(cache: Path, name: str) -> tuple[bytes | None, str]:
    """The bytes of an object, and what is wrong with them; bytes whose hash is another are not given."""
    path = _path(cache, name)
    if not path.is_file():
        return None, "the remote does not have it"
    data = read_bytes(path, limit=MAX_OBJECT, name=name)
    found = hashlib.md5(data, usedforsecurity=False).hexdigest()
    if found != name.removesuffix(".dir"):
        return None, f"what the remote has is not what was released; seen md5 {found}, expected {name}"
    return data, ""

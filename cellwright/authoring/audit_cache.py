"""What earlier runs worked out, kept in `.cellwright/cache` of the repository; it can be removed at any time.

An entry is a file named by its key, a digest of everything that its content depends on: its first line vouches for
the rest. What cannot be read, or is not what it claims to be, is as if it were not there. `audit` keeps its audits
with a plain sha256. `bundle` keeps its own apart, marked with the user's secret: nobody who hands a repository over
can put anything into a bundle by it. A release is always worked out anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from cellwright.clients.disk import read_bytes, write_atomic
from cellwright.clients.repository import Repository
from cellwright.clients.user_secret import user_secret
from cellwright.records.bundle import TABLE_COLUMNS, Rows
from cellwright.records.errors import CellwrightError
from cellwright.records.findings import TaskAudit
from cellwright.validators.summaries import task_in_short

FOLDER = ".cellwright"
MOST_ENTRIES = 4_000
"""Entries kept; the ones not used for longest go first."""
MAX_ENTRY = 16_000_000
"""Bytes of one entry."""
_NAME = re.compile(r"[0-9a-f]{64}")
Kind = Literal["audit", "summary", "tables", "section"]


@dataclass
class AuditCache:
    """The entries of one repository. Nothing that goes wrong with them is ever an error."""

    folder: Path
    secret: bytes = field(default=b"", repr=False)
    """Marks what was written here; empty where a plain digest is enough."""
    writes: bool = True
    """Whether entries are still written: a disk that refuses one is not asked again."""
    written: int = 0
    _used: set[Path] = field(default_factory=set)

    def audit(self, key: str, task: str) -> TaskAudit | None:
        """The audit kept under a key; None where there is none of this task."""
        data = self._read("audit", key)
        try:
            found = TaskAudit.model_validate_json(data) if data is not None else None
        except ValueError:
            return None
        return found if found is not None and found.task == task else None

    def summary(self, key: str, task: str) -> bytes | None:
        """The packed summary kept under a key; None where there is none of this task."""
        data = self._read("summary", key)
        try:
            return data if data is not None and task_in_short(data).task == task else None
        except ValueError:
            return None

    def keep_audit(self, key: str, audit: TaskAudit) -> None:
        """Keep an audit."""
        self._write("audit", key, audit.model_dump_json().encode())

    def keep_summary(self, key: str, packed: bytes) -> None:
        """Keep a summary."""
        self._write("summary", key, packed)

    def tables(self, key: str) -> dict[str, Rows] | None:
        """The rows that a task brings to the bundle, kept under a key."""
        data = self._read("tables", key)
        if data is None:
            return None
        found = json.loads(zlib.decompress(data))
        return {
            name: [dict(zip(columns, row, strict=True)) for row in found[name]]
            for name, columns in TABLE_COLUMNS.items()
        }

    def section(self, key: str) -> str | None:
        """The task's part of the evidence page, kept under a key."""
        data = self._read("section", key)
        return None if data is None else zlib.decompress(data).decode()

    def keep_tables(self, key: str, tables: Mapping[str, Rows]) -> None:
        """Keep the rows that a task brings to the bundle."""
        rows = {name: [[row[column] for column in TABLE_COLUMNS[name]] for row in tables[name]] for name in tables}
        self._write("tables", key, zlib.compress(json.dumps(rows, ensure_ascii=False).encode(), 1))

    def keep_section(self, key: str, section: str) -> None:
        """Keep a task's part of the evidence page."""
        self._write("section", key, zlib.compress(section.encode(), 1))

    def prune(self) -> None:
        """Remove the entries that were not used for longest, where something was written and there are too many."""
        if not self.written:
            return
        entries = [path for path in self.folder.glob("*/??/*") if _NAME.fullmatch(path.name)]
        if len(entries) <= MOST_ENTRIES:
            return
        with contextlib.suppress(OSError):  # another audit prunes at the same time
            entries.sort(key=lambda path: (path in self._used, path.stat().st_mtime_ns, path.name))
        for path in entries[: len(entries) - MOST_ENTRIES]:
            with contextlib.suppress(OSError):
                path.unlink()

    def _path(self, kind: Kind, key: str) -> Path:
        return self.folder / kind / key[:2] / key

    def _read(self, kind: Kind, key: str) -> bytes | None:
        path = self._path(kind, key)
        if not os.path.lexists(path):
            return None
        try:
            data = read_bytes(path, limit=MAX_ENTRY)
        except CellwrightError:
            return None
        check, _, payload = data.partition(b"\n")
        if check.decode("ascii", "replace") != self._check(kind, key, payload):
            return None
        self._used.add(path)
        with contextlib.suppress(OSError):  # a disk that cannot be written to: the entry is as good as before
            os.utime(path)
        return payload

    def _write(self, kind: Kind, key: str, payload: bytes) -> None:
        if not self.writes or len(payload) > MAX_ENTRY - 100:
            return
        path = self._path(kind, key)
        try:
            write_atomic(path, self._check(kind, key, payload).encode() + b"\n" + payload)
        except CellwrightError:  # an audit on a disk that is full or read-only is an audit all the same
            self.writes = False
            return
        self.written += 1
        self._used.add(path)

    def _check(self, kind: Kind, key: str, payload: bytes) -> str:
        said = f"{kind} {key}\n".encode() + payload
        return (hmac.new(self.secret, said, "sha256") if self.secret else hashlib.sha256(said)).hexdigest()


def open_cache(repository: Repository) -> AuditCache | None:
    """The repository's cache of audits, made where it is not there; None where it cannot be one."""
    return _opened(repository, "cache", ("audit", "summary"))


def open_bundle_cache(repository: Repository) -> AuditCache | None:
    """The repository's cache of what goes into bundles; None where it cannot be one, or the user has no secret."""
    secret = user_secret()
    cache = _opened(repository, "bundle", ("audit", "summary", "tables", "section")) if secret else None
    if cache is not None and secret is not None:
        cache.secret = secret
    return cache


def _opened(repository: Repository, name: str, kinds: tuple[Kind, ...]) -> AuditCache | None:
    top = repository.root / FOLDER
    folder = top / name
    parts = (top, folder, *(folder / kind for kind in kinds))
    if any(path.is_symlink() or (path.exists() and not path.is_dir()) for path in parts):
        return None  # what leads elsewhere is not ours to write through
    cache = AuditCache(folder)
    ignore = top / ".gitignore"
    if not os.path.lexists(ignore):
        try:
            write_atomic(ignore, b"*\n")
        except CellwrightError:
            cache.writes = False
    return cache

"""A repository of many tasks on the disk, for what is measured through the command line."""

from __future__ import annotations

from pathlib import Path

from cellwright.clients.disk import write_atomic
from cellwright.clients.fetched import Fetched
from cellwright.clients.warc import sha256_hex, write_capture
from cellwright.records.repository_rows import ALL_TABLES
from cellwright.records.tables import write_table
from tests.bench.task_copies import ENTITIES, copies

PARAMS = "bundle:\n  canary: a text that stands nowhere else\n"
"""What every repository sets."""


def write_repository(root: Path, count: int) -> None:
    """`count` tasks with their captures; no two of them are about the same company."""
    _write(root / "params.yaml", PARAMS.encode())
    captured = []
    for number, copy in enumerate(copies(count)):
        task = f"copy-{number}"
        for name, data in copy.files.items():
            _write(root / "tasks" / task / name, apart(data, number) if name == "task.yaml" else data)
        for source, page in copy.pages.items():
            digest, url = sha256_hex(page), f"https://www.companies.org/{source}"
            _write(root / "sources" / "captures" / task / f"{digest}.warc.gz", write_capture(_answer(url, page)))
            captured.append(
                {"task": task, "source": source, "sha256": digest, "url": url, "status": "ok", "via": "live"}
            )
    write_atomic(root / "sources" / "captures.csv", write_table(captured, ALL_TABLES["captures"].columns()))


def apart(task: bytes, number: int) -> bytes:
    """The task with companies of its own: a repository in which all tasks share eight is no real one."""
    for entity in ENTITIES:
        name = f"name: Company {entity.upper()}".encode()
        task = task.replace(name + b",", f"{name.decode()}{number}".encode() + b",")
    return task


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _answer(url: str, page: bytes) -> Fetched:
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    return Fetched(url, url, "ok", 200, headers, page, page, "2025-03-01T00:00:00Z")

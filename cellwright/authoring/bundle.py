"""`bundle`: the published artefact of the admitted tasks; the same repository gives the same bytes.

The folder is built beside its place and put there whole: a half-made bundle is never seen.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from cellwright import __version__
from cellwright.authoring.auditing import AdmittedTask, Progress, admitted_tasks
from cellwright.authoring.bundle_card import card, cases, croissant
from cellwright.authoring.bundle_parquet import parquet_bytes
from cellwright.authoring.settings import BundleSettings, load_bundle_settings
from cellwright.clients.disk import read_bytes
from cellwright.clients.folders import check_place, replace_folder
from cellwright.clients.repository import Repository
from cellwright.records.bundle import SCHEMA, STAND_IN, TABLE_COLUMNS, Rows, joined, table_digest
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.findings import Audit
from cellwright.records.prompt import task_prompt
from cellwright.views.evidence_page import page_of_sections, task_sections

MANIFEST = "bundle.json"
EVIDENCE = "evidence.html"


@dataclass(frozen=True)
class BuiltBundle:
    """What was built: rows by table, the cells' digest, and whether it is only a demonstration."""

    counts: Mapping[str, int]
    cells_digest: str
    demonstration: bool


def build_bundle(
    repository: Repository,
    tasks: Sequence[str] | None,
    out: Path,
    progress: Progress | None = None,
    *,
    day: date | None = None,
    cached: bool = False,
) -> BuiltBundle:
    """Audit the tasks on `day` and build the bundle in `out`, which it replaces.

    With `cached`, what a task brings that has not changed since it was last built here is not worked out again.

    Raises NotSettled, naming each, where a task is not admitted; UnreadableInput where `out` is a folder that is
    no bundle; DiskFailed where it cannot be written.
    """
    _check_place(out)  # Before the long work, not after it.
    admitted = admitted_tasks(repository, tasks, day=day, cached=cached, progress=progress)
    files, manifest = bundle_files(admitted, load_bundle_settings(repository))
    replace_folder(out, files, mark=MANIFEST)
    return BuiltBundle(manifest["counts"], manifest["cells"]["digest"], manifest["demonstration"])


def _check_place(out: Path) -> None:
    """Refuses a folder that is no bundle, and one with a file that its `bundle.json` does not list."""
    check_place(out, mark=MANIFEST)
    if not (out / MANIFEST).is_file():
        return
    try:
        listed = json.loads(read_bytes(out / MANIFEST))["files"].keys() | {MANIFEST}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        listed = set()
    others = sorted(
        name
        for path in out.rglob("*")
        if not path.is_dir() and (name := path.relative_to(out).as_posix()) not in listed
    )
    if others:
        raise UnreadableInput(
            "the folder holds more than a bundle",
            Place(str(out)),
            seen=", ".join(others[:5]),
            expected=f"nothing but what `{MANIFEST}` lists",
            fix="move these files away, or name another folder",
        )


def bundle_files(admitted: Sequence[AdmittedTask], settings: BundleSettings) -> tuple[dict[str, bytes], dict[str, Any]]:
    """Every file of the bundle by its path, and what `bundle.json` says."""
    tables = joined([task.tables for task in admitted])
    audit = Audit(tool=f"cellwright {__version__}", tasks=tuple(task.audit for task in admitted))
    return assembled(tables, audit, settings, {task.audit.task: task.section for task in admitted})


def assembled(
    tables: Mapping[str, Rows], audit: Audit, settings: BundleSettings, sections: Mapping[str, str] | None = None
) -> tuple[dict[str, bytes], dict[str, Any]]:
    """The same from the tables and the audit alone: what is published follows from them, and can be made again.

    `sections` are the parts of the evidence page by task, where they were made before.
    """
    demonstration = any(row["via"] == STAND_IN for row in tables["sources"])
    if sections is None:
        names = [row["task"] for row in tables["tasks"]]
        sections = dict(zip(names, task_sections(tables, audit.tasks), strict=True))
    files = _files(tables, audit, sections, settings, demonstration)
    manifest = {
        "name": settings.name,
        "version": settings.version,
        "schema": SCHEMA,
        "tool": audit.tool,
        "demonstration": demonstration,
        "sealed": False,
        "counts": {name: len(rows) for name, rows in tables.items()},
        "files": {name: _sha256(data) for name, data in sorted(files.items())},
        "tables": {name: table_digest(rows) for name, rows in tables.items()},
        "cells": {"digest": _sha256("".join(f"{row['digest']}\n" for row in tables["cells"]).encode())},
        "corpus": {"digest": corpus_digest(tables["sources"])},
        "advisories": [],
        "canary": settings.canary,
    }
    files[MANIFEST] = published_json(manifest)
    return files, manifest


def evidence_page_of(bundle: Path) -> bytes:
    """The evidence page of a bundle on the disk."""
    return read_bytes(bundle / EVIDENCE)


def _files(
    tables: Mapping[str, Rows], audit: Audit, sections: Mapping[str, str], settings: BundleSettings, demonstration: bool
) -> dict[str, bytes]:
    files = {f"{name}.parquet": parquet_bytes(name, tables[name]) for name in TABLE_COLUMNS}
    digests = {name: _sha256(data) for name, data in files.items()}
    for row in tables["tasks"]:
        files[f"prompts/{row['task']}.md"] = task_prompt(tables, row["task"], canary=settings.canary).encode()
    name, version = settings.name, settings.version
    files["cases.jsonl"] = cases(tables).encode()
    files["croissant.json"] = croissant(name, version, tables, digests).encode()
    files["README.md"] = card(name, version, tables, canary=settings.canary, demonstration=demonstration).encode()
    files["CHANGELOG.md"] = _changelog(settings, tables).encode()
    files["audit.json"] = published_json(audit.model_dump(mode="json"))
    in_order = [sections[row["task"]] for row in tables["tasks"]]
    files[EVIDENCE] = page_of_sections(tables, in_order, name=name, version=version, canary=settings.canary)
    return files


def _changelog(settings: BundleSettings, tables: Mapping[str, Rows]) -> str:
    lines = [f"# Changelog of {settings.name}", "", f"## {settings.version}", ""]
    lines += [f"- Task `{row['task']}`: {row['title']}." for row in tables["tasks"]]
    lines += [
        f"- Correction `{row['correction']}` in `{row['task']}`: {row['fact'] or row['dimension']} "
        f"{row['old']} → {row['new']} ({row['code']})."
        for row in tables["changes"]
    ]
    return "\n".join(lines) + "\n"


def corpus_digest(sources: Rows) -> str:
    """sha256 over the pinned captures: which evidence the bundle rests on."""
    return _sha256("".join(f"{row['task']} {row['source']} {row['sha256']}\n" for row in sources).encode())


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def published_json(value: object) -> bytes:
    """A JSON file of the bundle, in the one form in which it is published."""
    return (json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False) + "\n").encode()

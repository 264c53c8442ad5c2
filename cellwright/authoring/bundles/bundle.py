"""`bundle`: the published artefact of the admitted tasks; the same repository gives the same bytes.

The folder is built beside its place and put there whole: a half-made bundle is never seen.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from cellwright import __version__
from cellwright.authoring.auditing import AdmittedTask, Progress, admitted_tasks
from cellwright.authoring.bundles.card import card
from cellwright.authoring.bundles.cases import cases
from cellwright.authoring.bundles.croissant import croissant
from cellwright.authoring.bundles.parquet import parquet_bytes
from cellwright.authoring.bundles.sealing import sealed_files
from cellwright.authoring.releases.files import load_advisories, load_changelog
from cellwright.authoring.releases.standing import tasks_to_release
from cellwright.authoring.settings import BundleSettings, load_bundle_settings
from cellwright.clients.disk import read_bytes
from cellwright.clients.folders import check_place, replace_folder
from cellwright.clients.repository import Repository
from cellwright.clients.seal_key import SealKey, require_key
from cellwright.clients.sealed_bundle import bundle_file
from cellwright.records.bundle import SCHEMA, STAND_IN, TABLE_COLUMNS, Rows, cells_digest, joined, table_digest
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.findings import Audit
from cellwright.records.prompt import task_prompt
from cellwright.records.releases.telling import Standing, has_section, unreleased, with_section
from cellwright.records.repository_rows import Advisory
from cellwright.records.sealing import ARCHIVE, keyed_cells, keyed_digest
from cellwright.views.evidence_page import page_of_sections, task_sections

MANIFEST = "bundle.json"
EVIDENCE = "evidence.html"


@dataclass(frozen=True)
class BuiltBundle:
    """What was built: rows by table, the cells' digest, and whether it is only a demonstration."""

    counts: Mapping[str, int]
    cells_digest: str
    demonstration: bool
    sealed: bool = False
    left_out: Mapping[str, Standing] = field(default_factory=dict)
    """Drafts, quarantined and retired tasks, where no task was named."""


@dataclass(frozen=True)
class ReleaseTexts:
    """What the repository says of its releases."""

    changelog: str = ""
    """`releases/CHANGELOG.md`; empty where there is none."""
    advisories: tuple[Advisory, ...] = ()


def build_bundle(
    repository: Repository,
    tasks: Sequence[str] | None,
    out: Path,
    progress: Progress | None = None,
    *,
    day: date | None = None,
    cached: bool = False,
    key: SealKey | None = None,
) -> BuiltBundle:
    """Audit the tasks on `day` and build the bundle in `out`, which it replaces.

    Where no task is named, those are taken that are no draft, not quarantined and not retired. With `cached`, what a
    task brings that has not changed since it was last built here is not worked out again. The bundle is sealed where a
    `key` is given or params.yaml says so; then the environment's key is taken where none is given.

    Raises NotSettled, naming each, where a task is not admitted or a sealed bundle would tell something;
    UnreadableInput where `out` is a folder that is no bundle, or the key is missing; DiskFailed where it cannot be
    written.
    """
    _check_place(out)  # Before the long work, not after it.
    settings = load_bundle_settings(repository)
    key = sealing_key(settings, key)
    chosen, left_out = (tasks, {}) if tasks else tasks_to_release(repository)
    texts = ReleaseTexts(load_changelog(repository), load_advisories(repository))
    admitted = admitted_tasks(repository, chosen, day=day, cached=cached, progress=progress)
    files, manifest = bundle_files(admitted, settings, texts, key)
    replace_folder(out, files, mark=MANIFEST)
    counts, digest = manifest["counts"], manifest["cells"]["digest"]
    return BuiltBundle(counts, digest, manifest["demonstration"], manifest["sealed"], left_out)


def sealing_key(settings: BundleSettings, key: SealKey | None = None) -> SealKey | None:
    """The key that the bundle is sealed with: the one given, or the environment's where the settings say `sealed`.

    Raises UnreadableInput where the settings ask for a sealed bundle and there is no key.
    """
    return require_key() if settings.sealed and key is None else key


def _check_place(out: Path) -> None:
    """Refuses a folder that is no bundle, and one with a file that its `bundle.json` does not list."""
    check_place(out, mark=MANIFEST)
    if not (out / MANIFEST).is_file():
        return
    try:
        said = json.loads(read_bytes(out / MANIFEST))
        listed = said["files"].keys() | {MANIFEST} | ({ARCHIVE} if said.get("sealed") is True else set())
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


def tables_of(admitted: Sequence[AdmittedTask], key: SealKey | None = None) -> dict[str, Rows]:
    """The bundle's tables of the tasks; the cells' digests are keyed where the bundle is sealed."""
    tables = joined([task.tables for task in admitted])
    return tables if key is None else keyed_cells(tables, key.secret)


def is_demonstration(tables: Mapping[str, Rows]) -> bool:
    """Whether any source is only stood in for."""
    return any(row["via"] == STAND_IN for row in tables["sources"])


def bundle_files(
    admitted: Sequence[AdmittedTask],
    settings: BundleSettings,
    texts: ReleaseTexts | None = None,
    key: SealKey | None = None,
) -> tuple[dict[str, bytes], dict[str, Any]]:
    """Every file of the bundle by its path, and what `bundle.json` says; sealed where there is a key.

    Raises UnreadableInput where the settings ask for a sealed bundle and there is no key.
    """
    key = sealing_key(settings, key)
    tables = tables_of(admitted, key)
    audit = Audit(tool=f"cellwright {__version__}", tasks=tuple(task.audit for task in admitted))
    sections = {task.audit.task: task.section for task in admitted}
    secret = b"" if key is None else key.secret
    files, manifest = assembled(tables, audit, settings, texts, secret, sections)
    return (files, manifest) if key is None else sealed_files(files, manifest, tables, key)


def assembled(
    tables: Mapping[str, Rows],
    audit: Audit,
    settings: BundleSettings,
    texts: ReleaseTexts | None = None,
    secret: bytes = b"",
    sections: Mapping[str, str] | None = None,
) -> tuple[dict[str, bytes], dict[str, Any]]:
    """The same, not sealed, from the tables and the audit: what is published follows from them, and can be made again.

    `secret` keys the corpus digest of a bundle that is to be sealed; `sections` are the parts of the evidence page by
    task, where they were made before.
    """
    texts = texts or ReleaseTexts()
    demonstration = is_demonstration(tables)
    if sections is None:
        names = [row["task"] for row in tables["tasks"]]
        sections = dict(zip(names, task_sections(tables, audit.tasks), strict=True))
    files = _files(tables, audit, sections, settings, demonstration)
    files["CHANGELOG.md"] = _changelog(settings, tables, texts.changelog).encode()
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
        "cells": {"digest": cells_digest(tables["cells"])},
        "corpus": {"digest": corpus_digest(tables, secret)},
        "advisories": [row.texts() for row in texts.advisories],
        "canary": settings.canary,
    }
    files[MANIFEST] = published_json(manifest)
    return files, manifest


def evidence_page_of(bundle: Path, key: SealKey | None = None) -> bytes:
    """The evidence page of a bundle on the disk; of a sealed one, opened with `key` or the environment's."""
    return bundle_file(bundle, EVIDENCE, key)


def _files(
    tables: Mapping[str, Rows], audit: Audit, sections: Mapping[str, str], settings: BundleSettings, demonstration: bool
) -> dict[str, bytes]:
    files = {f"{name}.parquet": parquet_bytes(name, tables[name]) for name in TABLE_COLUMNS}
    digests = {name: _sha256(data) for name, data in files.items()}
    for row in tables["tasks"]:
        files[f"prompts/{row['task']}.md"] = task_prompt(tables, row["task"], canary=settings.canary).encode()
    name, version, url = settings.name, settings.version, settings.url
    files["cases.jsonl"] = cases(tables).encode()
    files["croissant.json"] = croissant(name, version, tables, digests, url=url).encode()
    text = card(name, version, tables, canary=settings.canary, demonstration=demonstration, url=url)
    files["README.md"] = text.encode()
    files["audit.json"] = published_json(audit.model_dump(mode="json"))
    in_order = [sections[row["task"]] for row in tables["tasks"]]
    files[EVIDENCE] = page_of_sections(tables, in_order, name=name, version=version, canary=settings.canary)
    return files


def _changelog(settings: BundleSettings, tables: Mapping[str, Rows], written: str) -> str:
    """The repository's changelog; a version that it does not tell of yet comes on top with what the bundle holds."""
    if has_section(written, settings.version):
        return written
    by_hand = unreleased(written)
    lines = [f"## {settings.version}", "", *([by_hand, ""] if by_hand else [])]
    lines += [f"- Task `{row['task']}`: {row['title']}." for row in tables["tasks"]]
    lines += [
        f"- Correction `{row['correction']}` in `{row['task']}`: {row['fact'] or row['dimension']} "
        f"{row['old']} → {row['new']} ({row['code']})."
        for row in tables["changes"]
    ]
    return with_section(written, settings.name, "\n".join(lines), settings.version)


def corpus_digest(tables: Mapping[str, Rows], secret: bytes = b"") -> str:
    """sha256 over the pinned captures: which evidence the bundle rests on.

    Keyed in a sealed bundle: a document that somebody thinks of could else be tried.
    """
    rows = tables["sources"]
    digest = _sha256("".join(f"{row['task']} {row['source']} {row['sha256']}\n" for row in rows).encode())
    return keyed_digest(secret, "corpus", digest) if secret else digest


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def published_json(value: object) -> bytes:
    """A JSON file of the bundle, in the one form in which it is published."""
    return (json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False) + "\n").encode()

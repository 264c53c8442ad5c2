"""The open card and the open changelog of a sealed bundle: made from the questions, told without any answer."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from cellwright.authoring.bundles.card_head import front_matter
from cellwright.authoring.bundles.card_text import as_markdown
from cellwright.records.bundle import Rows
from cellwright.records.errors import UnreadableInput
from cellwright.records.releases.versions import Version
from cellwright.records.sealing import ARCHIVE, OPEN_COLUMNS, OPEN_COUNTS

_WHAT = {"tasks": "tasks", "entities": "rows of a matrix", "dimensions": "columns of a matrix", "cells": "cells"}

_SEALED = f"""\
A deep-research benchmark: for each task a matrix of entities × dimensions, each cell a question with one answer.

**The answers are sealed.** Open are the questions: the prompts and two tables. References, steps, facts, sources, the
audit and the evidence page lie encrypted in `{ARCHIVE}`, in the format of age (age-encryption.org/v1). Who has the
key grades against this folder as against an open bundle; who has none asks the publisher to grade a submission.

"""
_DEMONSTRATION = """\
> **A demonstration.** Some captures are stand-ins: figures as disclosed, not the documents themselves. It shows the
> format and must not be used to rank anybody.

"""


def open_card(manifest: Mapping[str, Any], tables: Mapping[str, Rows]) -> str:
    """The dataset card, `README.md`, of a sealed bundle, with a YAML head that dataset hubs read.

    How many cells have no answer, how witnesses agree and how dense the record is stay sealed: with few cells they
    tell of single ones.
    """
    name, version, canary = manifest["name"], manifest["version"], manifest["canary"]
    lines = [
        *front_matter(name, tables, OPEN_COLUMNS),
        f"# {name} {version}",
        "",
        _SEALED + (_DEMONSTRATION if manifest["demonstration"] else "") + "| | count |",
        "| --- | ---: |",
        *[f"| {_WHAT[table]} | {len(tables[table])} |" for table in OPEN_COUNTS],
        "",
        "| file | what it holds |",
        "| --- | --- |",
        "| `prompts/` | one prompt a task: what an agent is asked, and how it answers |",
        *[f"| `{table}.parquet` | {', '.join(columns)} |" for table, columns in OPEN_COLUMNS.items()],
        f"| `{ARCHIVE}` | the whole bundle, encrypted |",
        "",
        "## Tasks",
        "",
        "| task | title | as of | licence |",
        "| --- | --- | --- | --- |",
        *[
            f"| `{row['task']}` | {as_markdown(row['title'])} | {row['as_of']} | {as_markdown(row['licence'])} |"
            for row in tables["tasks"]
        ],
        "",
        *([f"Canary: `{canary}`. Please keep this text out of training data.", ""] if canary else []),
    ]
    return "\n".join(lines)


def open_changelog(manifest: Mapping[str, Any], tables: Mapping[str, Rows]) -> str:
    """The changelog of a sealed bundle: which cells a correction concerns, and no value of it.

    It is made from the tables and not from the benchmark's own changelog, in which a person may have written
    `6.13 → 6.14`: no search finds so short a number. That one is in the archive.
    """
    by_version: dict[str, list[str]] = defaultdict(list)
    version = manifest["version"]
    by_version[version] += [f"- Task `{row['task']}`: {as_markdown(row['title'])}." for row in tables["tasks"]]
    for row in tables["changes"]:
        cells = sorted(_concerned(row, tables["cells"]))
        said = ", ".join(f"`{cell}`" for cell in cells) or "no cell"
        by_version[row["released_in"] or version].append(
            f"- A correction in `{row['task']}` ({row['code'] or 'of no kind'}): it concerns {said}."
        )
    lines = [
        f"# Changelog of {manifest['name']}",
        "",
        "What was corrected is told without the values, which are sealed.",
        "",
    ]
    for name in sorted(by_version, key=_order, reverse=True):
        lines += [f"## {name}", "", *by_version[name], ""]
    return "\n".join(lines)


def _concerned(change: Mapping[str, str], cells: Rows) -> Iterator[str]:
    """The cells that a correction names, or that rest on the fact it names."""
    if change["entity"] and change["dimension"]:
        yield f"{change['entity']}/{change['dimension']}"
        return
    for cell in cells:
        if cell["task"] == change["task"] and change["fact"] in json.loads(cell["inputs"] or "[]"):
            yield f"{cell['entity']}/{cell['dimension']}"


def _order(version: str) -> tuple[int, Version]:
    """Versions in their order; what is none comes last."""
    try:
        return 1, Version.parse(version)
    except UnreadableInput:
        return 0, Version(0, 0, 0)

"""How a bundle is cited: by name, version and the digest of its cells, never by a day that a clock told."""

from __future__ import annotations

import json
from collections.abc import Mapping

from cellwright.authoring.bundles.card_text import as_bibtex
from cellwright.records.bundle import Rows, cells_digest

MAX_AUTHORS = 500


def authors(tables: Mapping[str, Rows]) -> list[str]:
    """Who made the tasks, each once, in the order of the tasks."""
    found: dict[str, None] = {}
    for row in tables["tasks"]:
        found.update(dict.fromkeys(name for name in json.loads(row["contributors"] or "[]") if name.strip()))
    return list(found)[:MAX_AUTHORS]


def last_day(tables: Mapping[str, Rows]) -> str:
    """The latest `as_of` of the tasks: what the bundle says was public on that day or before; empty for no task."""
    return max((row["as_of"] for row in tables["tasks"]), default="")


def citation(name: str, version: str, tables: Mapping[str, Rows], *, url: str = "") -> str:
    """The bundle as a BibTeX entry. The year is that of the latest `as_of`: the bytes of a bundle know no clock."""
    people = [f"{{{as_bibtex(person)}}}" for person in authors(tables)] or [f"{{The {as_bibtex(name)} contributors}}"]
    day = last_day(tables)
    fields = {
        "author": " and ".join(people),
        "title": f"{{{as_bibtex(name)}}}: a deep-research benchmark",
        "version": version,
        "year": day[:4],
        "url": url,
        "note": f"Sources as of {day}; cells sha256 {cells_digest(tables['cells'])}",
    }
    lines = [f"  {key} = {{{text}}}," for key, text in fields.items() if text]
    return "\n".join([f"@misc{{{name}-{version},", *lines, "}"])

"""Small tasks over one or two documents, captured from a mirror, and what the program says of them."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cellwright.records.repository_rows import MirrorRow
from cellwright.records.rows import TASK_TABLES
from cellwright.records.tables import write_table
from tests.whole_way.conftest import run_program

URL = "https://reports.example.org"
Sources = dict[str, str | bytes]
TYPES = {
    ".html": "text/html",
    ".pdf": "application/pdf",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


@dataclass(frozen=True)
class Trap:
    """One small task: an entity, its sources (id → file of the real data, or a page), and its facts."""

    entity: str
    sources: Sources
    facts: Sequence[dict[str, str]]
    published: dict[str, str] = field(default_factory=dict)
    locale: str = "en"
    unit: str = "USD"
    steps: str = "revenue"
    stated: str = ""
    publisher: str = ""
    title: str | None = None


def make(root: Path, data: Path | None, trap: Trap) -> Path:
    """The task in a repository of its own, its sources captured from a mirror."""
    mirror, folder = root / "mirror", root / "tasks" / "trap"
    for made in (mirror, folder, root / "sources"):
        made.mkdir(parents=True)
    index, sources = [], []
    for source, name in trap.sources.items():
        suffix = _suffix(name)
        target = mirror / f"{source}{suffix}"
        if isinstance(name, bytes):
            target.write_bytes(name)
        elif data is not None and name.endswith(".gz"):
            target.write_bytes(gzip.decompress((data / name).read_bytes()))
        elif data is not None:
            shutil.copy(data / name, target)
        url = f"{URL}/{target.name}"
        index.append({"url": url, "file": target.name, "media_type": TYPES[suffix], "fetched": "2025-03-31T00:00:00Z"})
        sources.append(
            {
                "id": source,
                "url": url,
                "title": trap.title if trap.title is not None else source,
                "publisher": trap.publisher or trap.entity,
                "published": trap.published.get(source, "2024-02-01"),
                "accessed": "2025-03-31",
                "media_type": TYPES[suffix],
                "locale": trap.locale,
                "tier": "T1",
                "tier_reason": "the issuer's own",
            }
        )
    (mirror / "index.csv").write_bytes(write_table(index, MirrorRow.columns()))
    (folder / "task.yaml").write_text(_task(trap), encoding="utf-8")
    cells = [{"entity": "it", "dimension": "asked", "answer_type": "precise", "stated_value": trap.stated}]
    for table, rows in (("sources", sources), ("facts", [*trap.facts]), ("cells", cells)):
        (folder / f"{table}.csv").write_bytes(write_table(rows, TASK_TABLES[table].columns()))
    run_program("capture", "trap", "--mirror", mirror, cwd=root)
    return root


def _suffix(name: str | bytes) -> str:
    if isinstance(name, str):
        return ".pdf" if name.endswith(".pdf") else ".html"
    return ".pdf" if name.startswith(b"%PDF") else ".xlsx" if name.startswith(b"PK") else ".html"


def _task(trap: Trap) -> str:
    return f"""schema: 1
id: trap
title: A trap
domain: technology
as_of: 2025-12-31
question: What is it?
entities:
  - {{id: it, name: "{trap.entity}", currency: USD}}
periods:
  NVDA2024: {{default: 2023-01-30/2024-01-28}}
  FY2023: {{default: 2023-01-01/2023-12-31}}
  FY2017: {{default: 2017-01-01/2017-12-31}}
dimensions:
  - id: asked
    name: Asked
    ask: The figure, as first reported.
    family: retrieval
    unit: {trap.unit}
    answer_type: precise
    period: {trap.facts[0]["period"]}
    steps:
      - {{id: answer, expr: "{trap.steps}"}}
    scoring: {{full: 0.5%}}
"""


def fact(name: str, source: str, period: str, row: str, **more: str) -> dict[str, str]:
    return {
        "id": more.pop("id", f"it.{name}.{source}".replace("-", "_")),
        "entity": "it",
        "name": name,
        "source": source,
        "period": period,
        "rank": "primary",
        "unit": "USD",
        "row": row,
        **more,
    }


def located(root: Path, code: int) -> dict[str, dict[str, Any]]:
    said = json.loads(run_program("locate", "trap", "--format", "json", cwd=root, code=code))
    return {found["id"]: found for found in said["facts"]}


def findings(root: Path, prefix: str = "") -> list[dict[str, Any]]:
    said = json.loads(run_program("audit", "trap", "--format", "json", cwd=root, code=1))
    return [found for found in said["tasks"][0]["findings"] if found["rule"].startswith(prefix)]

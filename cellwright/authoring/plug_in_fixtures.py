"""What a plug-in gives to show each rule at work, and small and large tasks to make it from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from cellwright.authoring.plug_ins import plug_in_profile
from cellwright.documents.reading import read_document
from cellwright.records.folder import TaskFolder, read_folder
from cellwright.records.rows import TASK_TABLES
from cellwright.records.tables import read_table, write_table
from cellwright.validators.context import AuditContext
from cellwright.validators.evidence import Evidence
from cellwright.validators.profiles import Profile, read_profile

Files = Mapping[str, bytes]
TASK = "small-task"
"""The id of the tasks that `small_task` makes."""
_ANY_SHAPE = """
id: any-shape
entities: 1-99
dimensions: 1-99
families: {retrieval: 0-99, derivation: 0-99, calibration: 0-99, reasoning: 0-99}
domains: [consumer]
"""


@dataclass(frozen=True)
class Fixture:
    """One rule of a plug-in with a task in which it finds nothing and one in which it finds something."""

    rule: str
    """The rule's id."""
    passing: Files
    """The files of a task's folder, name to bytes, in which the rule finds nothing."""
    failing: Files
    """The files of one in which it finds something."""
    documents: Mapping[str, str] | None = None
    """The captured pages by source id, as HTML; those of `small_task` where none are given."""
    settings: Mapping[str, Decimal] = field(default_factory=dict)
    """Thresholds of the rule that are not its defaults."""


def small_task(*edits: tuple[str, str, str]) -> dict[str, bytes]:
    """The files of a task of two makers and two dimensions that replays, each edit made: (file, old text, new text).

    Raises ValueError where an old text does not stand in the file exactly once.
    """
    files = _files(_entities(2), ("revenue", "cost"), ("FY2023", "FY2022"))
    for name, old, new in edits:
        text = files[name].decode("utf-8")
        if text.count(old) != 1:
            raise ValueError(f"{old!r} stands {text.count(old)} times in {name}, not once")
        files[name] = text.replace(old, new).encode("utf-8")
    return files


def large_task() -> dict[str, bytes]:
    """The files of a task of ten makers, ten dimensions and 2,000 facts that replays."""
    names = ("revenue", "cost", *(f"item_{number}" for number in range(18)))
    return _files(_entities(10), names, tuple(f"FY{year}" for year in range(2023, 2013, -1)), dimensions=10)


def documents_of(files: Files) -> dict[str, str]:
    """The page of each source of `small_task` and `large_task`: every figure with its label."""
    facts = read_table(files["facts.csv"], "facts", "facts.csv").rows
    sources = read_table(files["sources.csv"], "sources", "sources.csv").rows
    pages: dict[str, list[str]] = {row.get("id", ""): [] for row in sources}
    for row in facts:
        pages.setdefault(row.get("source", ""), []).append(row.get("quote", ""))
    return {source: _page(quotes) for source, quotes in pages.items()}


def context_made(files: Files, fixture: Fixture | None = None, *, shuffled: bool = False) -> AuditContext:
    """What the audit would hand to a rule for a task of these files, built anew; raises UnreadableInput as it would.

    `shuffled` turns the order of every table's rows round, and that of the documents.
    """
    from cellwright.validators.audit import context_of

    folder = _folder(_turned(files) if shuffled else files)
    pages = documents_of(files) if fixture is None or fixture.documents is None else dict(fixture.documents)
    found = [(source, _evidence(source, page)) for source, page in pages.items()]
    return context_of(folder, dict(reversed(found) if shuffled else found), profile=_profile(folder))


def _folder(files: Files) -> TaskFolder:
    return read_folder(dict(files), f"tasks/{_id_of(files)}")


def _id_of(files: Files) -> str:
    lines = files.get("task.yaml", b"").decode("utf-8", "replace").splitlines()
    return next((line.removeprefix("id:").strip() for line in lines if line.startswith("id:")), TASK)


def _profile(folder: TaskFolder) -> Profile:
    return plug_in_profile(folder.task.profile) or read_profile(_ANY_SHAPE.encode(), "any-shape.yaml")


def _evidence(source: str, page: str) -> Evidence:
    body = page.encode("utf-8")
    document = read_document(body, "text/html", charset="utf-8", name=source)
    digest = hashlib.sha256(body).hexdigest()
    return Evidence(source, digest, document.text, "live", "200", "text/html", document=document)


def _turned(files: Files) -> dict[str, bytes]:
    turned = {}
    for name, data in files.items():
        table = name.removesuffix(".csv")
        if table in TASK_TABLES and name.endswith(".csv"):
            read = read_table(data, table, name)
            data = write_table(reversed(read.rows), read.columns)
        turned[name] = data
    return turned


def _entities(count: int) -> tuple[str, ...]:
    return tuple(f"maker_{number}" for number in range(1, count + 1))


def _files(
    entities: tuple[str, ...], names: tuple[str, ...], periods: tuple[str, ...], *, dimensions: int = 2
) -> dict[str, bytes]:
    facts = list(_facts(entities, names, periods))
    pages = {entity: _page([fact["quote"] for fact in facts if fact["entity"] == entity]) for entity in entities}
    sources = [_source(entity, pages[entity]) for entity in entities]
    kinds = ["sales", *(f"margin_{number}" for number in range(1, dimensions))]
    cells = [
        {"entity": entity, "dimension": kind, "agreement": "single", "annotator": "ana", "reviewer": "ben"}
        for entity in entities
        for kind in kinds
    ]
    return {
        "task.yaml": _task(entities, kinds, periods).encode(),
        **{
            f"{table}.csv": write_table(rows, TASK_TABLES[table].columns())
            for table, rows in (("sources", sources), ("facts", facts), ("cells", cells))
        },
    }


def _facts(entities: tuple[str, ...], names: tuple[str, ...], periods: tuple[str, ...]) -> Iterator[dict[str, str]]:
    number = 1000
    for entity in entities:
        for name in names:
            for period in periods:
                number += 7
                size = number if name == "revenue" else number // 2
                yield {
                    "id": f"{entity}.{name}.{period.lower()}",
                    "entity": entity,
                    "name": name,
                    "source": f"{entity}-report".replace("_", "-"),
                    "as_written": str(size),
                    "period": period,
                    "rank": "primary",
                    "value": f"{size}000000",
                    "scale": "6",
                    "sign": "shown",
                    "unit": "EUR",
                    "quote": f"{name} of {period}: {size}",
                }


def _source(entity: str, page: str) -> dict[str, str]:
    name = entity.replace("_", "-")
    return {
        "id": f"{name}-report",
        "url": f"https://www.{name}.example/report.html",
        "title": "Annual report",
        "publisher": entity.replace("_", " ").title(),
        "published": "2024-03-01",
        "accessed": "2024-04-01",
        "media_type": "text/html",
        "locale": "en",
        "tier": "T1",
        "tier_reason": "annual report",
        "capture": hashlib.sha256(page.encode()).hexdigest(),
    }


def _page(quotes: list[str]) -> str:
    return "<html><body>" + "".join(f"<p>{quote}</p>" for quote in quotes) + "</body></html>"


def _task(entities: tuple[str, ...], kinds: list[str], periods: tuple[str, ...]) -> str:
    rows = "".join(
        f"  - {{id: {entity}, name: {entity.replace('_', ' ').title()}, currency: EUR}}\n" for entity in entities
    )
    years = "".join(f"  {label}: {{default: {label[2:]}-01-01/{label[2:]}-12-31}}\n" for label in periods)
    return _HEAD.format(task=TASK, rows=rows, years=years) + "".join(
        _SALES if kind == "sales" else _MARGIN.format(kind=kind) for kind in kinds
    )


_HEAD = """\
schema: 1
id: {task}
title: A small task
profile: any-shape
domain: consumer
as_of: 2024-12-31
licence: CC-BY-4.0
contributors: [ana]
question: How did the makers fare?
entities:
{rows}periods:
{years}dimensions:
"""
_SALES = """\
  - id: sales
    name: Sales
    ask: Revenue of the fiscal year as first reported.
    family: retrieval
    unit: EUR
    period: FY2023
    answer_type: precise
    steps:
      - {id: answer, expr: revenue}
    scoring: {full: 0.5%}
"""
_MARGIN = """\
  - id: {kind}
    name: Gross margin
    ask: Revenue less cost as a percentage of revenue, to one decimal.
    family: derivation
    unit: percent
    period: FY2023
    answer_type: precise
    steps:
      - {{id: profit, expr: revenue - cost}}
      - {{id: answer, expr: profit / revenue}}
    scoring: {{full: 0.05 pp}}
"""
